/* Trace ids of W3C Trace Context, version 00. */
#include "server/trace.h"

#include <stdio.h>
#include <string.h>

#include "db/tenants.h"
#include "db/uuid.h"

/* Places in "00-TRACE-PARENT-FLAGS". */
enum { TRACE = 3, TRACE_DIGITS = 32, PARENT = 36, PARENT_DIGITS = 16, FLAGS = 53 };

/* Are these hexadecimal digits in lower case? */
static bool is_hex(const char *text, size_t length)
{
    return strspn(text, "0123456789abcdef") >= length;
}

static bool is_zero(const char *text, size_t length)
{
    return strspn(text, "0") >= length;
}

bool trace_is_valid(const char *traceparent)
{
    const char *text = traceparent;
    return strlen(text) == TRACEPARENT_MAX - 1 && strncmp(text, "00-", TRACE) == 0 &&
           is_hex(text + TRACE, TRACE_DIGITS) && text[PARENT - 1] == '-' &&
           is_hex(text + PARENT, PARENT_DIGITS) && text[FLAGS - 1] == '-' &&
           is_hex(text + FLAGS, 2) && !is_zero(text + TRACE, TRACE_DIGITS) &&
           !is_zero(text + PARENT, PARENT_DIGITS);
}

/* Without random bits, which Linux always has, the digits are zero. */
static void random_digits(size_t n, char *ret)
{
    static const char DIGITS[] = "0123456789abcdef";
    unsigned char bytes[TRACE_DIGITS] = {0};
    (void)!secure_random(bytes, n, NULL);
    for (size_t i = 0; i < n; i++)
        ret[i] = DIGITS[bytes[i] % 16];
    ret[n] = '\0';
}

void trace_make(char ret[TRACEPARENT_MAX])
{
    char trace[TRACE_DIGITS + 1], parent[PARENT_DIGITS + 1];
    random_digits(TRACE_DIGITS, trace);
    random_digits(PARENT_DIGITS, parent);
    snprintf(ret, TRACEPARENT_MAX, "00-%s-%s-00", trace, parent);
}

void trace_child(const char *traceparent, char ret[TRACEPARENT_MAX])
{
    char parent[PARENT_DIGITS + 1];
    *ret = '\0';
    if (!traceparent || !trace_is_valid(traceparent))
        return;
    random_digits(PARENT_DIGITS, parent);
    snprintf(ret, TRACEPARENT_MAX, "%.*s%s%s", PARENT, traceparent, parent,
             traceparent + FLAGS - 1);
}

const char *trace_fields(TenantStore of, const JobTrace *trace, char ret[TRACE_FIELDS_MAX])
{
    char name[TENANT_NAME_MAX];
    int n = 0;
    *ret = '\0';
    if (of.tenant != TENANT_ALL)
        n = snprintf(ret, TRACE_FIELDS_MAX, " tenant=%s", store_tenant_name(of, name));
    if (trace->request_id && trace->traceparent && trace_is_valid(trace->traceparent))
        snprintf(ret + n, TRACE_FIELDS_MAX - (size_t)n, " request=\"%s\" trace=%.*s",
                 trace->request_id, TRACE_DIGITS, trace->traceparent + TRACE);
    return ret;
}
