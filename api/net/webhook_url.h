/* The URL of a notification. The library that checks it here also sends the request, so both see
 * the same host. */
#ifndef API_NET_WEBHOOK_URL_H
#define API_NET_WEBHOOK_URL_H

#include "api/net/ip.h"

enum { WEBHOOK_URL_MAX = 2000 }; /* bytes */

typedef struct WebhookUrl {
    const char *text;   /* as given */
    const char *origin; /* scheme://host:port, lower case */
    bool local_name;    /* the host is localhost */
    bool numeric;       /* the host is the address `ip`, in any spelling */
    Ip ip;
} WebhookUrl;

/* ERR_INVALID: the message says the requirement ("must begin with http:// or https://"). */
Status webhook_url_read(const char *text, Arena *arena, WebhookUrl *ret_url, Error *err) MUST_CHECK;

/* The reason why a request may not go there, from the URL alone: "127.0.0.1 is a loopback address",
 * in the arena. NULL: it may go there, or the name must first be looked up. */
const char *webhook_url_forbidden(const WebhookUrl *url, const IpRules *rules, Arena *arena);

#endif
