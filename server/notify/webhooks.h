/* The thread that calls those who asked to be told of the ends of jobs.
 *
 * What is due is in the store, which makes a notification due with the end of its job; here is
 * nothing that a dying process could lose. A receiver may be called twice for the same end (with
 * the same webhook-id), never not at all. Receivers that are slow or dead hold up nobody but those
 * of the same origin. */
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
    double retry;      /* seconds before the second attempt; twice as many before each other */
    double max_age;    /* seconds after the job's end beyond which no other attempt is planned */
} WebhooksOptions;

/* Options are copied, what they point to is borrowed. */
Status webhooks_start(const WebhooksOptions *options, Webhooks **ret_webhooks,
                      Error *err) MUST_CHECK;
/* A job has ended. Cheap; NULL is fine. */
void webhooks_wake(Webhooks *webhooks);

typedef struct WebhooksCounts {
    uint64_t under_way;
    uint64_t delivered, failed, given_up; /* so far; failed: attempts */
} WebhooksCounts;
WebhooksCounts webhooks_counts(const Webhooks *webhooks);

/* No call is begun any more; those under way have `grace` seconds, then they are left for the next
 * process. Joins the thread; the rest of the interface still works. NULL is fine. */
void webhooks_stop(Webhooks *webhooks, double grace);
void webhooks_free(Webhooks *webhooks); /* stopped before; NULL is fine */

#endif
