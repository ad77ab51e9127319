/* The head of a request: checks each line by itself, then the end of the request from all fields
 * together (RFC 9112, sections 3, 5, 6 and 11.2). */
#include "server/http/head.h"

#include <string.h>
#include <strings.h>

#include "api/host.h"

enum { LENGTH_DIGITS_MAX = 18, HOST_MAX = 300 };

typedef struct Part {
    const char *text;
    size_t length;
} Part;

static Refusal refuse(Problem problem, const char *reason)
{
    return (Refusal){problem, reason};
}

static Refusal malformed(const char *reason)
{
    return refuse(PROBLEM_MALFORMED, reason);
}

static bool is_token(Part part)
{
    static const char PUNCTUATION[] = "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < part.length; i++) {
        char c = part.text[i];
        bool alphanumeric =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!alphanumeric && (c == '\0' || !strchr(PUNCTUATION, c)))
            return false;
    }
    return part.length > 0;
}

bool head_may_begin(char c)
{
    return c == '\r' || is_token((Part){&c, 1});
}

/* Whether the text has no control characters, as values of fields require. */
static bool is_text(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return false;
    }
    return true;
}

static bool part_is(Part part, const char *text)
{
    return part.length == strlen(text) && strncasecmp(part.text, text, part.length) == 0;
}

/* Splits *rest at the separator, which must be there: *ret_before is the part before, *rest the
 * part after. */
static bool split(Part *rest, char separator, Part *ret_before)
{
    const char *place = rest->length ? memchr(rest->text, separator, rest->length) : NULL;
    if (!place)
        return false;
    size_t n = (size_t)(place - rest->text);
    *ret_before = (Part){rest->text, n};
    *rest = (Part){place + 1, rest->length - n - 1};
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static Part trim(Part part)
{
    while (part.length > 0 && is_blank(part.text[0])) {
        part.text++;
        part.length--;
    }
    while (part.length > 0 && is_blank(part.text[part.length - 1]))
        part.length--;
    return part;
}

static Refusal check_target(Part target)
{
    if (target.length > HEAD_TARGET_MAX)
        return refuse(PROBLEM_TARGET_TOO_LONG, "a request target has at most 8192 bytes");
    if (target.length == 0 || target.text[0] != '/')
        return malformed("the request target must begin with a slash");
    for (size_t i = 0; i < target.length; i++)
        if (target.text[i] <= 0x20 || target.text[i] >= 0x7f)
            return malformed("a character in the request target that must be percent-encoded");
    return (Refusal){0};
}

static Refusal check_version(Part version)
{
    static const char PATTERN[] = "HTTP/d.d";
    bool matches = version.length == strlen(PATTERN);
    for (size_t i = 0; matches && i < version.length; i++) {
        char c = version.text[i];
        matches = PATTERN[i] == 'd' ? c >= '0' && c <= '9' : c == PATTERN[i];
    }
    if (!matches)
        return malformed("a request line is METHOD TARGET HTTP/1.1, with single spaces");
    if (!part_is(version, "HTTP/1.0") && !part_is(version, "HTTP/1.1"))
        return refuse(PROBLEM_HTTP_VERSION, "the version of HTTP is not 1.0 or 1.1");
    return (Refusal){0};
}

Refusal head_check_request_line(const char *line, size_t length)
{
    Part rest = {line, length}, method, target;
    if (!split(&rest, ' ', &method) || !split(&rest, ' ', &target))
        return malformed("a request line is METHOD TARGET HTTP/1.1");
    if (!is_token(method))
        return malformed("the method is malformed");
    Refusal refusal = check_version(rest);
    return refusal.reason ? refusal : check_target(target);
}

Refusal head_check_field(const char *line, size_t length)
{
    Part value = {line, length}, name;
    if (length > 0 && is_blank(line[0]))
        return malformed("a folded header line");
    if (!split(&value, ':', &name))
        return malformed("a header line without a colon");
    if (!is_token(name))
        return malformed("a header name with a character that is not allowed there");
    if (!is_text(value.text, value.length))
        return malformed("a control character in a header value");
    return (Refusal){0};
}

/* The line at *p; *p moves past its end. */
static Part next_line(const char **p)
{
    Part line = {*p, strcspn(*p, "\r")};
    *p += line.length + 2;
    return line;
}

static bool next_field(const char **p, Part *ret_name, Part *ret_value)
{
    *ret_value = next_line(p);
    if (ret_value->length == 0 || !split(ret_value, ':', ret_name))
        return false;
    *ret_value = trim(*ret_value);
    return true;
}

/* The one behind the first question mark, and one behind each ampersand that follows. */
static size_t count_parameters(const char *request_line)
{
    size_t n = 0;
    for (const char *c = request_line; *c != '\r'; c++)
        n += *c == (n == 0 ? '?' : '&');
    return n;
}

static Refusal check_sizes(const char *lines)
{
    size_t fields = 0, parameters = count_parameters(lines);
    Part name, value;
    for (next_line(&lines); next_field(&lines, &name, &value);)
        fields++;
    if (fields > HEAD_FIELDS_MAX)
        return refuse(PROBLEM_HEAD_TOO_LARGE, "more than 100 header fields");
    if (parameters > HEAD_PARAMETERS_MAX)
        return refuse(PROBLEM_TARGET_TOO_LONG, "more than 200 parameters");
    return (Refusal){0};
}

static Refusal read_length(Part value, int64_t *ret_length)
{
    int64_t length = 0;
    for (size_t i = 0; i < value.length; i++) {
        if (value.text[i] < '0' || value.text[i] > '9')
            return malformed("Content-Length is not a number");
        if (i < LENGTH_DIGITS_MAX)
            length = 10 * length + (value.text[i] - '0');
    }
    if (value.length == 0)
        return malformed("Content-Length is not a number");
    if (value.length > LENGTH_DIGITS_MAX)
        return refuse(PROBLEM_TOO_LARGE, "the body is too large");
    *ret_length = length;
    return (Refusal){0};
}

/* The fields that decide the destination and the end of a request. text NULL: not given. */
typedef struct Framing {
    Part host, length, coding, connection;
} Framing;

static Refusal read_framing(const char *fields, Framing *ret)
{
    Part name, value;
    *ret = (Framing){0};
    while (next_field(&fields, &name, &value)) {
        Part *seen = part_is(name, "Host")                ? &ret->host
                     : part_is(name, "Content-Length")    ? &ret->length
                     : part_is(name, "Transfer-Encoding") ? &ret->coding
                     : part_is(name, "Connection")        ? &ret->connection
                                                          : NULL;
        if (seen && seen->text && seen != &ret->connection)
            return malformed("Host, Content-Length or Transfer-Encoding is given twice");
        if (seen)
            *seen = value;
    }
    return (Refusal){0};
}

static bool is_host(Part part)
{
    char host[HOST_MAX];
    size_t name_length;
    if (part.length >= sizeof host)
        return false;
    memcpy(host, part.text, part.length);
    host[part.length] = '\0';
    return host_parse(host, &name_length);
}

/* HTTP allows it, but libmicrohttpd takes it for a part of the value. */
static bool blank_behind(Part value)
{
    return value.text && is_blank(value.text[value.length]);
}

static Refusal check_framing(const char *lines, int64_t *ret_content_length)
{
    Framing framing;
    Part request = next_line(&lines);
    bool http_1_1 = request.text[request.length - 1] == '1';
    Refusal refusal = read_framing(lines, &framing);
    if (refusal.reason)
        return refusal;
    /* the host */
    if (http_1_1 && !framing.host.text)
        return malformed("the Host header is missing");
    if (framing.host.text && !is_host(framing.host))
        return malformed("the Host header is no host with perhaps a port");
    /* the length of the body */
    if (blank_behind(framing.length) || blank_behind(framing.coding))
        return malformed("white space behind Content-Length or Transfer-Encoding");
    if (framing.coding.text && framing.length.text)
        return malformed("Content-Length and Transfer-Encoding together");
    if (framing.coding.text && (!http_1_1 || !part_is(framing.coding, "chunked")))
        return malformed("the only transfer coding is chunked, in HTTP/1.1");
    *ret_content_length = framing.coding.text ? -1 : 0;
    return framing.length.text ? read_length(framing.length, ret_content_length) : refusal;
}

Refusal head_check(const char *lines, int64_t *ret_content_length)
{
    Refusal refusal = check_sizes(lines);
    return refusal.reason ? refusal : check_framing(lines, ret_content_length);
}

/* Whether a comma-separated list of tokens has this one. */
static bool has_token(Part list, const char *token)
{
    Part item;
    while (split(&list, ',', &item))
        if (part_is(trim(item), token))
            return true;
    return part_is(trim(list), token);
}

static const char *copy(Arena *arena, Part part)
{
    return arena_strndup(arena, part.text, part.length);
}

bool head_read(Arena *arena, const char *lines, Head *ret)
{
    Framing framing;
    Part line, name, value;
    if (head_check(lines, &ret->content_length).reason)
        return false;
    line = next_line(&lines);
    if (read_framing(lines, &framing).reason)
        return false;
    /* whether the connection closes after this request */
    ret->last = part_is((Part){line.text + line.length - 1, 1}, "0")
                    ? !has_token(framing.connection, "keep-alive")
                    : has_token(framing.connection, "close");
    /* copy the texts */
    if (!split(&line, ' ', &name) || !split(&line, ' ', &value))
        return false;
    ret->method = copy(arena, name);
    ret->target = copy(arena, value);
    ret->headers = ARENA_NEW(arena, HEAD_FIELDS_MAX, ApiPair);
    for (ret->n_headers = 0; ret->headers && next_field(&lines, &name, &value); ret->n_headers++)
        ret->headers[ret->n_headers] = (ApiPair){copy(arena, name), copy(arena, value)};
    return !arena_failed(arena);
}

const char *head_end(const char *lines)
{
    while (next_line(&lines).length > 0)
        continue;
    return lines;
}
