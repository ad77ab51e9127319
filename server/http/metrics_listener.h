/* A listener of its own for GET /metrics, without keys: for a scraper in a network that clients do
 * not reach. All other paths are answered 404. */
#ifndef SERVER_METRICS_LISTENER_H
#define SERVER_METRICS_LISTENER_H

#include "api/host.h"
#include "core/base/text.h"
#include "server/http/address.h"

typedef struct MetricsListener MetricsListener;

/* Writes the text of an answer, with the values of each tenant; called by the listener's thread.
 * Requests that name another host than these, localhost or a numeric address are answered 403. */
typedef struct MetricsSource {
    void *self;
    void (*write)(void *self, bool tenants, Text *out);
    const HostRules *hosts; /* borrowed */
} MetricsSource;

/* Listens at ADDRESS:PORT and answers. ERR_CONFLICT when the address is in use. */
Status metrics_listener_start(const char *address, MetricsSource source,
                              MetricsListener **ret_listener, Error *err) MUST_CHECK;
const Address *metrics_listener_address(const MetricsListener *listener); /* the real port */
void metrics_listener_free(MetricsListener *listener); /* stops at once; NULL is fine */

#endif
