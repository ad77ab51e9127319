/* Rows of a plain job: its trajectory, the table of an event, or the evidence at its samples. */
#ifndef API_ROUTES_TRAJECTORY_H
#define API_ROUTES_TRAJECTORY_H

#include "api/api.h"
#include "api/documents/result_writer.h"

enum { TRAJECTORY = -1 }; /* the trajectory instead of the table of an event */
#define EVIDENCE_TABLE "@evidence"
#define SCENE_TABLE "@scene"

typedef struct TrajectoryRows {
    JobRecord job;
    int table;
    bool evidence; /* the table of evidence, with its own columns */
    bool scene;    /* the columns of the scene, evaluated on the trajectory (scene.h) */
} TrajectoryRows;

/* rows->job must be a plain job. Sets rows->table by the parameter `table`. Sets the names of the
 * request, whether they are complete, and the rows with times between `from` and `to`, both
 * included, in the run's direction. */
Status trajectory_open(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       TrajectoryRows *rows, ResultRequest *request, Error *err) MUST_CHECK;

#endif
