/* The URL that a notification goes to, read by the library that will send it: what is checked here
 * is what is called there. */
#ifndef API_WEBHOOK_URL_H
#define API_WEBHOOK_URL_H

#include "api/ip.h"

enum { WEBHOOK_URL_MAX = 2000 }; /* bytes */

typedef struct WebhookUrl {
    const char *text;   /* as it was given */
    const char *origin; /* scheme://host:port, lower case */
    bool local_name;    /* the host is localhost */
    bool numeric;       /* .. or this address, in whatever spelling */
    Ip ip;
} WebhookUrl;

/* ERR_INVALID: what must be different ("must begin with http:// or https://"). */
Status webhook_url_read(const char *text, Arena *arena, WebhookUrl *ret_url, Error *err) MUST_CHECK;

/* Why a request may not go there, as far as the URL tells: "127.0.0.1 is a loopback address", in
 * the arena. NULL: it may, or a name has to be looked up to know. */
const char *webhook_url_forbidden(const WebhookUrl *url, const IpRules *rules, Arena *arena);

#endif
