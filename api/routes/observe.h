/* Jobs whose stored rows are evaluated further. */
#ifndef API_ROUTES_OBSERVE_H
#define API_ROUTES_OBSERVE_H

#include "api/api.h"
#include "api/prepared_job.h"

/* The job of the request. Ensembles and jobs without rows are refused. */
Status observe_job(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                   JobRecord *ret_job, Error *err) MUST_CHECK;

/* Reads the job's document as the worker does. A mistake in it now is an internal error, because it
 * was accepted. */
Status observe_prepare(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                       PreparedJob *ret_job, Error *err) MUST_CHECK;

#endif
