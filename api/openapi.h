/* The contract, api/openapi.json, inside the binary. */
#ifndef API_OPENAPI_H
#define API_OPENAPI_H

extern const char OPENAPI_TEXT[], OPENAPI_END[];

#endif
