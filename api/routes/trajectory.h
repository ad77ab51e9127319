/* Rows of a plain job: its trajectory, or the table of an event. */
#ifndef API_ROUTES_TRAJECTORY_H
#define API_ROUTES_TRAJECTORY_H

#include "api/api.h"
#include "api/documents/result_writer.h"

enum { TRAJECTORY = -1 }; /* the table that is no event's */

typedef struct TrajectoryRows {
    JobRecord job;
    int table;
} TrajectoryRows;

/* Of rows->job, which is no ensemble: rows->table by the parameter `table`, and of the request the names, whether they are
 * complete, and the rows with times between `from` and `to`, both included, in the run's direction. */
Status trajectory_open(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       TrajectoryRows *rows, ResultRequest *request, Error *err) MUST_CHECK;

#endif
