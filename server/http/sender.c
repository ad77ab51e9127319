/* Who has sent a request, by its connection and its header fields. */
#include "server/http/sender.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The header fields of a request. */
typedef struct Fields {
    const ApiPair *items;
    size_t n;
} Fields;

/* The values of all fields X-Forwarded-For as one list; NULL: out of memory. */
static char *forwarded_for(Fields fields, Arena *arena)
{
    char *list = arena_strdup(arena, "");
    for (size_t i = 0; i < fields.n && list; i++)
        if (strcasecmp(fields.items[i].name, "X-Forwarded-For") == 0)
            list = arena_printf(arena, "%s%s%s", list, *list ? "," : "", fields.items[i].value);
    return list;
}

/* Takes the last address off the list. False: there is none, or it is malformed. */
static bool take_last(char *list, Ip *ret_ip)
{
    char *comma = strrchr(list, ','), *item = comma ? comma + 1 : list;
    item += strspn(item, " \t");
    const bool found = ip_parse(item, strcspn(item, " \t"), ret_ip);
    *(comma ? comma : list) = '\0';
    return found;
}

static bool peer_address(const struct sockaddr *peer, Ip *ret_ip)
{
    if (peer && peer->sa_family == AF_INET)
        *ret_ip = ip_of_4(&((const struct sockaddr_in *)(const void *)peer)->sin_addr);
    else if (peer && peer->sa_family == AF_INET6)
        *ret_ip = ip_of_16(&((const struct sockaddr_in6 *)(const void *)peer)->sin6_addr);
    else
        return false;
    return true;
}

void peer_format(const struct sockaddr *peer, char ret_text[IP_TEXT_MAX])
{
    Ip ip;
    snprintf(ret_text, IP_TEXT_MAX, "unknown");
    if (peer_address(peer, &ip))
        ip_format(&ip, ret_text);
}

/* The value of a field that comes exactly once; else NULL. */
static const char *only_value(Fields fields, const char *name)
{
    const char *value = NULL;
    for (size_t i = 0; i < fields.n; i++) {
        if (strcasecmp(fields.items[i].name, name) != 0)
            continue;
        if (value)
            return NULL;
        value = fields.items[i].value;
    }
    return value;
}

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool is_request_id(const char *text)
{
    const size_t length = strlen(text);
    return length > 0 && length < REQUEST_ID_MAX && strspn(text, LETTERS DIGITS "._-") == length;
}

void sender_read(const IpRules *proxies, const struct sockaddr *peer, const ApiPair *headers,
                 size_t n_headers, Arena *arena, Sender *ret_sender)
{
    const Fields fields = {headers, n_headers};
    char *const list = forwarded_for(fields, arena);
    Ip client;

    /* from the peer back, as long as the next one is a trusted proxy */
    const bool trusted = peer_address(peer, &client) && ip_listed(proxies, &client);
    while (trusted && list && ip_listed(proxies, &client) && take_last(list, &client)) {
    }
    peer_format(peer, ret_sender->client);
    if (trusted)
        ip_format(&client, ret_sender->client);

    /* the ids that came with the request, or those of a made trace */
    char made[TRACEPARENT_MAX];
    trace_make(made);
    const char *id = trusted ? only_value(fields, "X-Request-Id") : NULL;
    const char *parent = only_value(fields, "traceparent");
    if (id && is_request_id(id))
        snprintf(ret_sender->request_id, sizeof ret_sender->request_id, "%s", id);
    else
        snprintf(ret_sender->request_id, sizeof ret_sender->request_id, "%.32s", made + 3);
    snprintf(ret_sender->traceparent, sizeof ret_sender->traceparent, "%s",
             parent && trace_is_valid(parent) ? parent : made);
}
