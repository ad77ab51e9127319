/* Tenants: the parties that share a store without seeing each other's jobs and models.
 *
 * A tenant is never deleted: its number is part of its jobs. The first, "default", exists from the
 * start and owns all that older formats hold. As in db/store.h, all functions are thread-safe, and
 * a change that is answered OK is durable. */
#ifndef DB_TENANTS_H
#define DB_TENANTS_H

#include "db/store.h"

/* The most that a tenant may have at once; 0: no limit. */
typedef struct TenantQuotas {
    uint64_t queued;  /* jobs that wait; more are refused */
    uint64_t running; /* jobs and ranges of ensembles that run; others wait */
    uint64_t bytes;   /* of the rows of results; from then on jobs are refused */
} TenantQuotas;

typedef struct TenantRecord {
    int64_t number; /* 1 .. TENANTS_MAX */
    const char *name;
    TenantQuotas quotas;
    int64_t created_ms; /* Unix time in ms */
    StoreCounts counts;
    uint64_t bytes; /* of the rows of its results */
} TenantRecord;

/* Adds a tenant with this name and these quotas, and sets its number and created_ms. ERR_CONFLICT:
 * the name is taken. ERR_LIMIT: there are TENANTS_MAX. */
Status store_tenant_add(Store *store, TenantRecord *tenant, Error *err) MUST_CHECK;
/* Replaces the quotas. Jobs that wait or run already are kept. ERR_NOT_FOUND. */
Status store_tenant_set(Store *store, const char *name, const TenantQuotas *quotas,
                        Error *err) MUST_CHECK;
/* ERR_NOT_FOUND. */
Status store_tenant_get(Store *store, const char *name, Arena *arena, TenantRecord *ret_tenant,
                        Error *err) MUST_CHECK;
size_t store_tenant_count(Store *store);
/* All tenants, by their numbers. */
Status store_tenant_list(Store *store, Arena *arena, TenantRecord **ret_tenants, size_t *ret_n,
                         Error *err) MUST_CHECK;

#endif
