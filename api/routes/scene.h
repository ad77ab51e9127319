/* The table of a job's scene. */
#ifndef API_ROUTES_SCENE_H
#define API_ROUTES_SCENE_H

#include "api/routes/trajectory.h"

/* Answers with the rows of SCENE_TABLE: the time, the columns of the scene, then their rates. */
Status scene_rows(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                  const TrajectoryRows *rows, ResultRequest *request, Error *err) MUST_CHECK;

#endif
