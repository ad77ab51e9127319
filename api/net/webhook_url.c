/* URLs of notifications: parsed by libcurl, which knows all spellings of addresses (0x7f.1,
 * 2130706433), and restricted to the parts that a receiver needs. */
#include "api/net/webhook_url.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/net/curl.h"

/* A URL parsed by libcurl. */
typedef struct Parts {
    const Curl *curl;
    CURLU *handle;
} Parts;

/* A part of the URL, in the arena; "" if it is absent. */
static const char *part(const Parts *parts, CURLUPart which, unsigned flags, Arena *arena)
{
    char *text = NULL;
    const bool found = parts->curl->url_get(parts->handle, which, &text, flags) == CURLUE_OK;
    const char *copy = arena_strdup(arena, found ? text : "");
    parts->curl->free(text);
    return copy ? copy : "";
}

static char *lower(Arena *arena, const char *text)
{
    char *copy = arena_strdup(arena, text);
    for (char *c = copy; c && *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return copy;
}

static const char *syntax_mistake(const char *text)
{
    const char *authority = strstr(text, "://");
    if (strlen(text) > WEBHOOK_URL_MAX)
        return "must have at most 2000 bytes";
    for (const char *c = text; *c; c++)
        if (*c <= ' ' || *c > '~')
            return "must consist of printable ASCII characters: percent-encode others, and write "
                   "host names in Punycode";
    if (strncasecmp(text, "http://", 7) != 0 && strncasecmp(text, "https://", 8) != 0)
        return "must begin with https:// or http://";
    if (authority[3] == '/') /* libcurl would skip the extra slash */
        return "must name a host";
    if (strchr(text, '#'))
        return "must not have a fragment: the text behind # is never sent";
    return NULL;
}

static const char *parts_mistake(const Parts *parts, Arena *arena)
{
    if (*part(parts, CURLUPART_USER, 0, arena) || *part(parts, CURLUPART_PASSWORD, 0, arena))
        return "must not have a user or a password: it is shown with the job";
    if (*part(parts, CURLUPART_ZONEID, 0, arena))
        return "must not name a network interface";
    if (!*part(parts, CURLUPART_HOST, 0, arena))
        return "must name a host";
    if (strcmp(part(parts, CURLUPART_PORT, CURLU_DEFAULT_PORT, arena), "0") == 0)
        return "must have a port from 1 to 65535";
    return NULL;
}

/* The host as an address, if it is one. */
static bool parse_host(const char *host, Ip *ret_ip)
{
    size_t length = strlen(host);
    if (length > 2 && host[0] == '[')
        return ip_parse(host + 1, length - 2, ret_ip);
    if (length > 1 && host[length - 1] == '.') /* the root of the domain names */
        length--;
    return ip_parse(host, length, ret_ip);
}

static bool is_localhost(const char *host)
{
    static const char NAME[] = "localhost";
    const size_t own = sizeof NAME - 1;
    size_t length = strlen(host);
    length -= length > 0 && host[length - 1] == '.';
    if (length < own || strncasecmp(host + length - own, NAME, own) != 0)
        return false;
    return length == own || host[length - own - 1] == '.';
}

static Status url_read(const Parts *parts, const char *text, Arena *arena, WebhookUrl *ret_url,
                       Error *err)
{
    /* the text, then its parts */
    const char *wrong = syntax_mistake(text);
    const CURLUcode code =
        wrong ? CURLUE_OK
              : parts->curl->url_set(parts->handle, CURLUPART_URL, text, CURLU_PATH_AS_IS);
    if (code != CURLUE_OK)
        return error_set(err, ERR_INVALID, "is malformed: %s", parts->curl->url_strerror(code));
    if (!wrong)
        wrong = parts_mistake(parts, arena);
    if (wrong)
        return error_set(err, ERR_INVALID, "%s", wrong);

    /* the origin in lower case, and the kind of host */
    const char *host = part(parts, CURLUPART_HOST, 0, arena);
    const char *origin = arena_printf(arena, "%s://%s:%s", part(parts, CURLUPART_SCHEME, 0, arena),
                                      host, part(parts, CURLUPART_PORT, CURLU_DEFAULT_PORT, arena));
    *ret_url = (WebhookUrl){.text = arena_strdup(arena, text),
                            .origin = origin ? lower(arena, origin) : NULL,
                            .local_name = is_localhost(host)};
    ret_url->numeric = parse_host(host, &ret_url->ip);
    return arena_status(arena, err);
}

Status webhook_url_read(const char *text, Arena *arena, WebhookUrl *ret_url, Error *err)
{
    Parts parts;
    Status status = curl_load(&parts.curl, err);
    if (status != OK)
        return status;
    parts.handle = parts.curl->url();
    if (!parts.handle)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    status = url_read(&parts, text, arena, ret_url, err);
    parts.curl->url_cleanup(parts.handle);
    return status;
}

const char *webhook_url_forbidden(const WebhookUrl *url, const IpRules *rules, Arena *arena)
{
    static const unsigned char LOOPBACK_4[] = {127, 0, 0, 1}, LOOPBACK_6[IP_BYTES] = {[15] = 1};
    const Ip v4 = ip_of_4(LOOPBACK_4), v6 = ip_of_16(LOOPBACK_6);
    char text[IP_TEXT_MAX];
    if (url->local_name && !ip_allowed(rules, &v4) && !ip_allowed(rules, &v6))
        return "localhost stands for a loopback address";
    if (!url->numeric || ip_allowed(rules, &url->ip))
        return NULL;
    ip_format(&url->ip, text);
    return arena_printf(arena, "%s is %s", text, ip_reserved(&url->ip));
}
