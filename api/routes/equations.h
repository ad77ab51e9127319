/* Equations in the answer, printed once for all clients. */
#ifndef API_ROUTES_EQUATIONS_H
#define API_ROUTES_EQUATIONS_H

#include "api/api.h"

/* Reads the query parameter format; text if it is missing. Another name is refused with 400. */
Status equations_format(const ApiRequest *req, ApiResponse *res, PrintFormat *ret,
                        Error *err) MUST_CHECK;
/* Appends the cached equations, a JSON object; false: they have to be printed. */
bool equations_find(const ApiContext *ctx, const ApiRequest *req, const char *model_id,
                    const char *formulation, PrintFormat format, Text *out);
/* Prints and appends the equations; mistakes go to diag, as in compiled_print(). */
Status equations_print(const ApiContext *ctx, const ApiRequest *req, const char *model_id,
                       const Compiled *compiled, PrintFormat format, Diagnostics *diag, Text *out,
                       Error *err) MUST_CHECK;

#endif
