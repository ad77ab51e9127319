/* Reading a request (headers in any case, query parameters with their ranges, percent-encoding),
 * and composing its answer. */
#include "api/exchange.h"

#include <float.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/accept.h"
#include "core/base/number.h"

void api_response_init(ApiResponse *res)
{
    *res = (ApiResponse){.status = 200};
}

void api_response_reset(ApiResponse *res)
{
    api_response_done(res);
    api_response_init(res);
}

void api_response_done(ApiResponse *res)
{
    text_done(&res->body);
    if (res->stream.free)
        res->stream.free(res->stream.self);
    res->stream = (ApiStream){0};
}

bool api_claim(ApiClaim *claim, int side)
{
    int open = API_CLAIM_OPEN;
    return !claim || atomic_compare_exchange_strong(claim, &open, side);
}

void api_add_header(ApiResponse *res, const char *name, const char *value)
{
    if (value && res->n_headers < API_HEADERS_MAX)
        res->headers[res->n_headers++] = (ApiPair){name, value};
}

const char *api_type(const ApiRequest *req)
{
    if (!req->route)
        return "application/json";
    size_t length;
    const char *offer = accept_offer(req->route->types, req->type, &length);
    return arena_strndup(req->arena, offer, length);
}

#undef api_fail
Status api_fail(ApiResponse *res, Problem problem, Error *err, const char *format, ...)
{
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    res->problem = problem;
    return error_set(err, ERR_INVALID, "%s", message);
}

const char *api_header(const ApiRequest *req, const char *name)
{
    for (size_t i = 0; i < req->n_headers; i++)
        if (strcasecmp(req->headers[i].name, name) == 0)
            return req->headers[i].value;
    return NULL;
}

static const ApiParameter *find_parameter(const ApiRequest *req, const char *name)
{
    for (size_t i = 0; i < req->n_query; i++)
        if (strcmp(req->query[i].name, name) == 0)
            return &req->query[i];
    return NULL;
}

const char *api_query(const ApiRequest *req, const char *name)
{
    const ApiParameter *parameter = find_parameter(req, name);
    return parameter ? parameter->value : NULL;
}

const char *api_query_raw(const ApiRequest *req, const char *name)
{
    const ApiParameter *parameter = find_parameter(req, name);
    return parameter ? parameter->raw : NULL;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

char *api_percent_decode(Arena *arena, const char *text, size_t length, bool plus_is_space)
{
    char *decoded = arena_alloc(arena, length + 1, 1);
    if (!decoded)
        return NULL;
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        /* %XX, or + for a space */
        char c = text[i];
        if (c == '%') {
            int high = length - i > 2 ? hex_digit(text[i + 1]) : -1;
            int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
            if (low < 0)
                return NULL;
            c = (char)(high * 16 + low);
            i += 2;
        } else if (c == '+' && plus_is_space) {
            c = ' ';
        }
        if (c == '\0')
            return NULL;
        decoded[n++] = c;
    }
    decoded[n] = '\0';
    return decoded;
}

Status api_query_integer(const ApiRequest *req, ApiResponse *res, const char *name, int64_t least,
                         int64_t most, int64_t *ret, Error *err)
{
    const char *text = api_query(req, name);
    if (!text)
        return OK;
    char *end = NULL;
    long long value = strtoll(text, &end, 10);
    bool digits = *text != '\0' && strspn(text, "0123456789") == strlen(text);
    if (!digits || strlen(text) > 18 || value < least || value > most)
        return api_fail(res, PROBLEM_PARAMETER, err, "%s must be an integer from %lld to %lld",
                        name, (long long)least, (long long)most);
    *ret = value;
    return OK;
}

Status api_query_real(const ApiRequest *req, ApiResponse *res, const char *name, double least,
                      double most, double *ret, Error *err)
{
    const char *text = api_query(req, name);
    if (!text)
        return OK;
    double value = 0.0;
    size_t length = strlen(text);
    if (length == 0 || number_parse(text, length, &value) != length ||
        !(value >= least && value <= most))
        return least > -DBL_MAX || most < DBL_MAX
                   ? api_fail(res, PROBLEM_PARAMETER, err, "%s must be a number from %g to %g",
                              name, least, most)
                   : api_fail(res, PROBLEM_PARAMETER, err, "%s must be a number", name);
    *ret = value;
    return OK;
}

Status api_query_flag(const ApiRequest *req, ApiResponse *res, const char *name, bool *ret,
                      Error *err)
{
    const char *text = api_query(req, name);
    if (!text)
        return OK;
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return api_fail(res, PROBLEM_PARAMETER, err, "%s must be true or false", name);
    *ret = text[0] == 't';
    return OK;
}
