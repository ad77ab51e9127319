/* The web page, for the index of the service. */
#ifndef API_ROUTES_UI_H
#define API_ROUTES_UI_H

#include "api/api.h"

/* Answers with the page. ERR_NOT_FOUND: the program was built without it (WITH_UI=no). */
Status ui_page(const ApiRequest *req, ApiResponse *res, Error *err) MUST_CHECK;

#endif
