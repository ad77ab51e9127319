/* Rows of a plain job: its trajectory, the table of an event, or the evidence at its samples. */
#ifndef API_ROUTES_TRAJECTORY_H
#define API_ROUTES_TRAJECTORY_H

#include "api/api.h"
#include "api/documents/result_writer.h"

enum { TRAJECTORY = -1 }; /* the table that is no event's */
#define EVIDENCE_TABLE "@evidence"

typedef struct TrajectoryRows {
    JobRecord job;
    int table;
    bool evidence; /* its columns are not those of the job */
} TrajectoryRows;

/* Of rows->job, which is no ensemble: rows->table by the parameter `table`, and of the request the
 * names, whether they are complete, and the rows with times between `from` and `to`, both included,
 * in the run's direction. */
Status trajectory_open(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       TrajectoryRows *rows, ResultRequest *request, Error *err) MUST_CHECK;

#endif
