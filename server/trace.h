/* The request that submitted a job: in lines of the log, and in the calls of receivers. */
#ifndef SERVER_TRACE_H
#define SERVER_TRACE_H

#include <stdbool.h>

#include "db/store.h"

/* Lengths with the final zero byte. */
enum { REQUEST_ID_MAX = 65, TRACEPARENT_MAX = 56, TRACE_FIELDS_MAX = 200 };

/* Whether the text is a traceparent of version 00: "00-TRACE-PARENT-FLAGS" with 32, 16 and 2
 * hexadecimal digits in lower case, where neither id is zero. */
bool trace_is_valid(const char *traceparent);
/* Makes a trace of random bits, with a random parent. */
void trace_make(char ret[TRACEPARENT_MAX]);
/* The same trace with a new random parent; "" if `traceparent` is NULL or not valid. */
void trace_child(const char *traceparent, char ret[TRACEPARENT_MAX]);

/* Fields of the log: ` tenant=NAME request="ID" trace=TRACE`, with a space before each; without the
 * first for TENANT_ALL, and without the others if the request is unknown. Returns ret. */
const char *trace_fields(TenantStore of, const JobTrace *trace, char ret[TRACE_FIELDS_MAX]);

#endif
