/* The contract, api/openapi.json, inside the binary. */
#ifndef API_OPENAPI_H
#define API_OPENAPI_H

#include <stdint.h>

extern const char OPENAPI_TEXT[]; /* ends with a zero byte */
extern const uint64_t OPENAPI_SIZE;

#endif
