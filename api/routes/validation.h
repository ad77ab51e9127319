/* The answer about a document that is only validated; nothing is stored. */
#ifndef API_ROUTES_VALIDATION_H
#define API_ROUTES_VALIDATION_H

#include "api/api.h"

typedef struct ValidationWish {
    bool only;
    bool equations; /* requested, too */
    PrintFormat format;
} ValidationWish;

/* Reads validate_only, include and format. */
Status validation_read(const ApiRequest *req, ApiResponse *res, ValidationWish *ret_wish,
                       Error *err) MUST_CHECK;

/* `job` NULL: the answer is about a model alone. */
Status validation_reply(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                        const ValidationWish *wish, const char *model_id, Compiled *compiled,
                        const PreparedJob *job, Error *err) MUST_CHECK;

#endif
