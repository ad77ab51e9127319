/* The gate in front of every route: refuses requests whose borders two readers could see
 * differently (RFC 9112, section 11.2). */
#include "server/gate.h"

#include <string.h>
#include <strings.h>

enum { TARGET_MAX = 8192, HEADERS_MOST = 100, LENGTH_DIGITS_MAX = 18 };

/* libmicrohttpd parses the header block in place: it puts a zero byte over the colon behind a name
 * and over each CR and LF, and `method` is where the block begins. So the headers it reports must
 * tile the block without a gap. A folded line, a value cut at a zero byte, a bare LF or a line it
 * skipped leaves a gap or moves a text out of the block. What cannot be told any more is a bare LF
 * with a zero byte, or a line that begins with a colon, beside it: it looks like CR LF. */
typedef struct Walk {
    const char *block;
    size_t size, at; /* everything before `at` is accounted for */
    ApiPair *headers;
    size_t n;
    Arena *arena;
    const char *refusal;
} Walk;

static bool is_token(const char *text, size_t length)
{
    static const char PUNCTUATION[] = "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool alphanumeric =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!alphanumeric && (c == '\0' || !strchr(PUNCTUATION, c)))
            return false;
    }
    return length > 0;
}

static bool is_field_value(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return false;
    }
    return true;
}

/* Where a text lies in the block; the size of the block when it lies elsewhere. */
static size_t offset_of(const Walk *walk, const char *text)
{
    uintptr_t at = (uintptr_t)text, from = (uintptr_t)walk->block;
    return at >= from && at - from < walk->size ? (size_t)(at - from) : walk->size;
}

static bool ends_line(const Walk *walk, size_t at)
{
    return at + 2 <= walk->size && walk->block[at] == '\0' && walk->block[at + 1] == '\0';
}

static enum MHD_Result stop(Walk *walk, const char *refusal)
{
    walk->refusal = refusal;
    return MHD_NO;
}

static enum MHD_Result take_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                   size_t name_length, const char *value, size_t value_length)
{
    Walk *walk = cls;
    (void)kind;
    if (walk->n == HEADERS_MOST)
        return stop(walk, "more than 100 header fields");
    if (!is_token(name, name_length))
        return stop(walk, "a header name with a character that is not allowed there");
    /* the name, the colon, white space, the value and the end of the line leave no gap */
    if (!value || offset_of(walk, name) != walk->at)
        return stop(walk, "a folded or malformed header line");
    size_t at = walk->at + name_length;
    if (walk->block[at] != '\0')
        return stop(walk, "a malformed header line");
    at++;
    while (at < walk->size && (walk->block[at] == ' ' || walk->block[at] == '\t'))
        at++;
    if (value_length > 0 && offset_of(walk, value) != at)
        return stop(walk, "a folded header line");
    if (!is_field_value(value, value_length))
        return stop(walk, "a control character in a header value");
    at += value_length;
    if (!ends_line(walk, at))
        return stop(walk, "a header value with a zero byte, or a line without CR LF");
    walk->at = at + 2;

    while (value_length > 0 && (value[value_length - 1] == ' ' || value[value_length - 1] == '\t'))
        value_length--;
    ApiPair *pair = &walk->headers[walk->n];
    pair->name = arena_strndup(walk->arena, name, name_length);
    pair->value = arena_strndup(walk->arena, value, value_length);
    if (!pair->name || !pair->value)
        return stop(walk, "out of memory");
    walk->n++;
    return MHD_YES;
}

static const char *walk_headers(struct MHD_Connection *connection, const char *target,
                                const char *version, Walk *walk)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    walk->size = info ? info->header_size : 0;
    walk->at = strlen(walk->block) + 1 + strlen(target) + 1;
    if (offset_of(walk, version) != walk->at)
        return "a zero byte or more than single spaces in the request line";
    walk->at += strlen(version);
    if (!ends_line(walk, walk->at))
        return "a request line without CR LF";
    walk->at += 2;
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, take_header, walk);
    if (walk->refusal)
        return walk->refusal;
    if (!ends_line(walk, walk->at) || walk->at + 2 != walk->size)
        return "a folded or malformed header line";
    return NULL;
}

static const char *check_target(const char *target)
{
    size_t length = strlen(target);
    if (length > TARGET_MAX)
        return "the request target is too long";
    if (target[0] != '/')
        return "the request target must begin with a slash";
    for (size_t i = 0; i < length; i++)
        if (target[i] <= 0x20 || target[i] >= 0x7f)
            return "a character in the request target that must be percent-encoded";
    return NULL;
}

static const char *check_length(const char *value, int64_t *ret_length)
{
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || value[digits] || digits > LENGTH_DIGITS_MAX)
        return "Content-Length is not a number";
    int64_t length = 0;
    for (size_t i = 0; i < digits; i++)
        length = 10 * length + (value[i] - '0');
    *ret_length = length;
    return NULL;
}

/* Host, Content-Length and Transfer-Encoding decide where a request goes and where it ends. */
static const char *check_framing(const GateResult *result, bool http_1_1, int64_t *ret_length)
{
    const char *length = NULL, *coding = NULL, *host = NULL;
    for (size_t i = 0; i < result->n_headers; i++) {
        const ApiPair *header = &result->headers[i];
        const char **seen = strcasecmp(header->name, "Content-Length") == 0      ? &length
                            : strcasecmp(header->name, "Transfer-Encoding") == 0 ? &coding
                            : strcasecmp(header->name, "Host") == 0              ? &host
                                                                                 : NULL;
        if (seen && *seen)
            return "Host, Content-Length or Transfer-Encoding is given twice";
        if (seen)
            *seen = header->value;
    }
    size_t name_length;
    if (http_1_1 && !host)
        return "the Host header is missing";
    if (host && !host_parse(host, &name_length))
        return "the Host header is no host with perhaps a port";
    if (coding && length)
        return "Content-Length and Transfer-Encoding together";
    if (coding && (!http_1_1 || strcasecmp(coding, "chunked") != 0))
        return "the only transfer coding is chunked, in HTTP/1.1";
    *ret_length = coding ? -1 : 0;
    return length ? check_length(length, ret_length) : NULL;
}

GateResult gate_check(struct MHD_Connection *connection, const char *method, const char *target,
                      const char *version, Arena *arena)
{
    GateResult result = {0};
    Walk walk = {.block = method, .arena = arena};
    bool http_1_1 = strcmp(version, "HTTP/1.1") == 0;

    walk.headers = arena_alloc(arena, HEADERS_MOST, sizeof *walk.headers);
    if (!walk.headers)
        result.refusal = "out of memory";
    else if (!http_1_1 && strcmp(version, "HTTP/1.0") != 0)
        result.refusal = "the version of HTTP is not 1.0 or 1.1";
    else if (!is_token(method, strlen(method)))
        result.refusal = "the method is malformed";
    else
        result.refusal = check_target(target);
    if (!result.refusal)
        result.refusal = walk_headers(connection, target, version, &walk);
    result.headers = walk.headers;
    result.n_headers = walk.n;
    if (!result.refusal)
        result.refusal = check_framing(&result, http_1_1, &result.content_length);
    return result;
}
