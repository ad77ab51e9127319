/* Private to api/routes: documents that refer to members of another ensemble
 * (api/documents/members_of.h). */
#ifndef API_ROUTES_MEMBERS_OF_H
#define API_ROUTES_MEMBERS_OF_H

#include "api/api.h"

/* *ret_request is the request with the expanded document, or unchanged if it refers to no other
 * ensemble. ERR_BUSY with res->takes_long: call again on a thread that may take long. */
Status members_of_expand(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                         ApiRequest *ret_request, Error *err) MUST_CHECK;

#endif
