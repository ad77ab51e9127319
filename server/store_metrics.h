/* The store's values in GET /metrics. */
#ifndef SERVER_STORE_METRICS_H
#define SERVER_STORE_METRICS_H

#include "core/base/text.h"
#include "db/store.h"

/* Jobs, disk, commits, and the last backup that the data directory tells of. */
void store_metrics_write(Store *store, const char *directory, Text *out);
/* Jobs and bytes of each tenant, labelled with its name. The first 100 tenants have labels of their
 * own, "other" sums the rest, and a tenant of that name. */
void tenant_metrics_write(Store *store, Text *out);

#endif
