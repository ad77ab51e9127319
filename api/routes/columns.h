/* Parameters such as `columns` of a result: names of columns, separated by commas.
 *
 * Names may contain commas: A[z](x,y), or an observable named "a,b". A comma in parentheses belongs
 * to its name, and so does one that is sent percent-encoded (a%2Cb) where that gives a name; any
 * other separates. A client that encodes the whole list (t%2Cx) is understood as well. */
#ifndef API_ROUTES_COLUMNS_H
#define API_ROUTES_COLUMNS_H

#include "api/api.h"
#include "api/documents/result_writer.h"

/* Sets request->columns by this parameter, or leaves it when the parameter is not given. Each
 * column is taken once, for they become members of one object. */
Status columns_select(const ApiRequest *req, ApiResponse *res, const char *parameter,
                      ResultRequest *request, Error *err) MUST_CHECK;

#endif
