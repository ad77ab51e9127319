/* The leases of running jobs: a hash table of reference-counted leases by job id. */
#include "db/sqlite/sqlite_store.h"

#include <stdlib.h>
#include <string.h>

/* The end of an id is random (db/uuid.h) and hashes well; each append of rows calls this. */
unsigned lease_bucket(const char *job_id)
{
    enum { TAIL = 4 };
    const size_t length = strlen(job_id);
    unsigned hash = 5381;
    for (const char *c = job_id + (length > TAIL ? length - TAIL : 0); *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    return hash % LEASE_BUCKETS;
}

void lease_add(LeaseSet *leases, Lease *lease)
{
    Lease **bucket = &leases->buckets[lease_bucket(lease->id)];
    lease->next = *bucket;
    lease->references++;
    *bucket = lease;
    leases->rescued += lease->attempt > 1;
    leases->running[lease->tenant]++;
}

Lease *lease_find(const LeaseSet *leases, const char *job_id)
{
    Lease *lease = leases->buckets[lease_bucket(job_id)];
    while (lease && strcmp(lease->id, job_id) != 0)
        lease = lease->next;
    return lease;
}

Lease *lease_of(const LeaseSet *leases, const char *job_id, int64_t token)
{
    Lease *lease = leases->buckets[lease_bucket(job_id)];
    while (lease && (lease->token != token || strcmp(lease->id, job_id) != 0))
        lease = lease->next;
    return lease;
}

void lease_remove(LeaseSet *leases, Lease *lease)
{
    Lease **link = &leases->buckets[lease_bucket(lease->id)];
    while (*link != lease)
        link = &(*link)->next;
    *link = lease->next;
    lease->lost = true;
    leases->rescued -= lease->attempt > 1;
    leases->running[lease->tenant]--;
    lease_unref(lease);
}

Lease *lease_ref(Lease *lease)
{
    lease->references++;
    return lease;
}

void lease_unref(Lease *lease)
{
    if (--lease->references)
        return;
    free(lease->tables);
    unit_rows_free(lease->unit);
    free(lease);
}
