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

/* How long the tenant's finished jobs are kept; 0: as StoreKeep says for all tenants. */
enum { KEEP_FOR_EVER = -1 };
typedef struct TenantKeep {
    int64_t done_ms, failed_ms; /* as in StoreKeep, or KEEP_FOR_EVER */
    uint64_t bytes;             /* of the rows of results; beyond them the oldest jobs go */
} TenantKeep;

typedef struct TenantRecord {
    int64_t number; /* 1 .. TENANTS_MAX */
    const char *name;
    TenantQuotas quotas;
    TenantKeep keep;
    int64_t created_ms; /* Unix time in ms */
    StoreCounts counts;
    uint64_t bytes; /* of the rows of its results */
} TenantRecord;

/* Adds a tenant with this name, these quotas and this retention, and sets its number and
 * created_ms. ERR_CONFLICT: the name is taken. ERR_LIMIT: there are TENANTS_MAX. */
Status store_tenant_add(Store *store, TenantRecord *tenant, Error *err) MUST_CHECK;
/* Replaces quotas and retention of the tenant of this name. Jobs that wait or run already are kept.
 * ERR_NOT_FOUND. */
Status store_tenant_set(Store *store, const TenantRecord *tenant, Error *err) MUST_CHECK;
/* ERR_NOT_FOUND. */
Status store_tenant_get(Store *store, const char *name, Arena *arena, TenantRecord *ret_tenant,
                        Error *err) MUST_CHECK;
/* The retention of one tenant; for ever if its row is damaged. */
Status store_tenant_keep(TenantStore of, TenantKeep *ret_keep, Error *err) MUST_CHECK;
size_t store_tenant_count(Store *store);
/* The name of the tenant of this number, from memory; "?" if its row is damaged. Returns ret. */
enum { TENANT_NAME_MAX = 64 };
const char *store_tenant_name(TenantStore of, char ret[TENANT_NAME_MAX]);
/* All tenants, by their numbers. */
Status store_tenant_list(Store *store, Arena *arena, TenantRecord **ret_tenants, size_t *ret_n,
                         Error *err) MUST_CHECK;

#endif
