/* Parameters such as `columns` of a result: names of columns, separated by commas.
 *
 * Names may contain commas: A[z](x,y), or an observable named "a,b". A comma in parentheses belongs
 * to its name. So does a percent-encoded comma (a%2Cb), if that gives a known name. Any other comma
 * separates. A client may also encode the whole list (t%2Cx). */
#ifndef API_ROUTES_COLUMNS_H
#define API_ROUTES_COLUMNS_H

#include "api/api.h"
#include "api/documents/result_writer.h"

/* Sets request->columns by this parameter; without the parameter it stays unchanged. A column can
 * be named only once, because columns become members of one object. */
Status columns_select(const ApiRequest *req, ApiResponse *res, const char *parameter,
                      ResultRequest *request, Error *err) MUST_CHECK;

#endif
