/* The thread that notifies receivers of the ends of jobs.
 *
 * The store makes a notification due with the end of its job, and holds all due notifications, so a
 * dying process loses none. A receiver may be called twice for the same end (with the same
 * webhook-id), but no end is left out. A slow or dead receiver delays only notifications to its own
 * origin; many of them delay only notifications of their own tenant. */
#ifndef SERVER_NOTIFY_WEBHOOKS_H
#define SERVER_NOTIFY_WEBHOOKS_H

#include "server/log.h"
#include "server/notify/call.h"

typedef struct Webhooks Webhooks;

typedef struct WebhooksOptions {
    Store *store;
    const Log *log;
    CallOptions call;
    unsigned attempts; /* of one notification */
    double retry;      /* seconds before the second attempt; doubled for each later one */
    double max_age;    /* seconds after the job's end beyond which no attempt is planned */
} WebhooksOptions;

/* Options are copied; objects that they point to are borrowed. */
Status webhooks_start(const WebhooksOptions *options, Webhooks **ret_webhooks,
                      Error *err) MUST_CHECK;
/* A job has ended. Cheap; NULL is fine. */
void webhooks_wake(Webhooks *webhooks);

typedef struct WebhooksCounts {
    uint64_t under_way;
    uint64_t delivered, failed, given_up; /* so far; failed: attempts */
} WebhooksCounts;
WebhooksCounts webhooks_counts(const Webhooks *webhooks);

/* Begins no more calls. Calls under way have `grace` seconds, then they are left to the next
 * process. Joins the thread; the rest of the interface still works. NULL is fine. */
void webhooks_stop(Webhooks *webhooks, double grace);
void webhooks_free(Webhooks *webhooks); /* stopped before; NULL is fine */

#endif
