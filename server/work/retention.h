/* Finished jobs that are not to be kept (--keep, --keep-failed, --keep-bytes) are deleted. */
#ifndef SERVER_WORK_RETENTION_H
#define SERVER_WORK_RETENTION_H

#include "db/store.h"
#include "server/log.h"
#include "server/metrics.h"

typedef struct Retention {
    Store *store;
    StoreKeep keep;
    const Log *log;
    Metrics *metrics;
    void *self;
    void (*deleted)(void *self, const char *job_id);
    bool fails; /* since it was told in the log */
} Retention;

/* Deletes some of them, each told in the log, by `deleted` and in the counter; called again and
 * again. */
void retention_step(Retention *retention);

#endif
