/* Unfinished ensembles in memory: the members that nobody runs, and whether a unit can be handed
 * out. Ended members are read when the store is opened; later changes follow the commits. */
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "db/sqlite/checksum.h"

LiveEnsemble *live_ensemble_new(int64_t tenant, const char *id, int priority, uint64_t members)
{
    LiveEnsemble *ensemble = alloc_array(1, sizeof *ensemble);
    if (!ensemble)
        return NULL;
    job_id_copy(ensemble->id, id);
    ensemble->tenant = tenant;
    ensemble->priority = priority;
    ensemble->members = members;
    if (!live_ensemble_reserve(ensemble)) {
        live_ensemble_free(ensemble);
        return NULL;
    }
    live_ensemble_give_back(ensemble, (MemberRange){0, members, 0});
    return ensemble;
}

void live_ensemble_free(LiveEnsemble *ensemble)
{
    if (!ensemble)
        return;
    if (ensemble->lease)
        lease_unref(ensemble->lease);
    free(ensemble->ranges);
    free(ensemble);
}

void live_ensemble_add(Store *store, LiveEnsemble *ensemble)
{
    LiveEnsemble **bucket = &store->ensembles.buckets[lease_bucket(ensemble->id)];
    ensemble->place = uuid_place(ensemble->id);
    ensemble->next = *bucket;
    *bucket = ensemble;
    if (store->last_place < ensemble->place)
        store->last_place = ensemble->place;
}

LiveEnsemble *live_ensemble_find(const Store *store, const char *job_id)
{
    LiveEnsemble *ensemble = store->ensembles.buckets[lease_bucket(job_id)];
    while (ensemble && strcmp(ensemble->id, job_id) != 0)
        ensemble = ensemble->next;
    return ensemble;
}

void live_ensemble_remove(Store *store, LiveEnsemble *ensemble)
{
    LiveEnsemble **link = &store->ensembles.buckets[lease_bucket(ensemble->id)];
    while (*link != ensemble)
        link = &(*link)->next;
    *link = ensemble->next;
    live_ensemble_free(ensemble);
}

/* Ranges. */

bool live_ensemble_reserve(LiveEnsemble *ensemble)
{
    /* each running unit may give back one range, and a claim splits one */
    return grow_array(&ensemble->ranges, &ensemble->capacity,
                      ensemble->n_ranges + ensemble->running + 2, sizeof *ensemble->ranges);
}

static bool range_before(const MemberRange *a, const MemberRange *b)
{
    if ((a->deaths > 0) != (b->deaths > 0))
        return b->deaths > 0;
    return a->first < b->first;
}

static bool ranges_join(const MemberRange *a, const MemberRange *b)
{
    return a->deaths == 0 && b->deaths == 0 && a->first + a->n == b->first;
}

static void range_drop(LiveEnsemble *ensemble, size_t at)
{
    ensemble->n_ranges--;
    memmove(ensemble->ranges + at, ensemble->ranges + at + 1,
            (ensemble->n_ranges - at) * sizeof *ensemble->ranges);
}

void live_ensemble_give_back(LiveEnsemble *ensemble, MemberRange range)
{
    MemberRange *ranges = ensemble->ranges;
    size_t at = 0;
    if (range.n == 0)
        return;
    /* insert the range in its order */
    while (at < ensemble->n_ranges && range_before(&ranges[at], &range))
        at++;
    memmove(ranges + at + 1, ranges + at, (ensemble->n_ranges - at) * sizeof *ranges);
    ranges[at] = range;
    ensemble->n_ranges++;
    /* join it with the next and the previous range */
    if (at + 1 < ensemble->n_ranges && ranges_join(&ranges[at], &ranges[at + 1])) {
        ranges[at].n += ranges[at + 1].n;
        range_drop(ensemble, at + 1);
    }
    if (at > 0 && ranges_join(&ranges[at - 1], &ranges[at])) {
        ranges[at - 1].n += ranges[at].n;
        range_drop(ensemble, at);
    }
}

void live_ensemble_take(LiveEnsemble *ensemble, uint64_t n)
{
    ensemble->ranges[0].first += n;
    ensemble->ranges[0].n -= n;
    if (ensemble->ranges[0].n == 0)
        range_drop(ensemble, 0);
}

/* Removes n members from the range that contains them; false if no range does. Needs room for one
 * more range. */
static bool range_cut(LiveEnsemble *ensemble, uint64_t first, uint64_t n)
{
    for (size_t i = 0; i < ensemble->n_ranges; i++) {
        const MemberRange range = ensemble->ranges[i];
        if (first < range.first || first - range.first >= range.n ||
            n > range.n - (first - range.first))
            continue;
        range_drop(ensemble, i);
        live_ensemble_give_back(ensemble,
                                (MemberRange){range.first, first - range.first, range.deaths});
        live_ensemble_give_back(
            ensemble, (MemberRange){first + n, range.first + range.n - (first + n), range.deaths});
        return true;
    }
    return false;
}

/* The time of an ensemble runs while at least one of its units runs. */

void live_ensemble_begin_unit(LiveEnsemble *ensemble)
{
    if (ensemble->running++ == 0)
        ensemble->since = clock_seconds();
}

void live_ensemble_end_unit(LiveEnsemble *ensemble)
{
    if (--ensemble->running == 0)
        ensemble->used += clock_seconds() - ensemble->since;
}

uint64_t live_ensemble_used_ms(const LiveEnsemble *ensemble)
{
    const double now = ensemble->running ? clock_seconds() - ensemble->since : 0.0;
    return (uint64_t)(1e3 * (ensemble->used + now));
}

/* The queue. */

static bool runnable(const LiveEnsemble *ensemble)
{
    return ensemble->n_ranges > 0 && !ensemble->cancel_wanted && !ensemble->stopped;
}

MemberRange *live_ensemble_next(const Store *store, const LiveEnsemble *ensemble)
{
    if (!runnable(ensemble) || ensemble->left_out || ensemble->ending)
        return NULL;
    MemberRange *range = &ensemble->ranges[0];
    return range->deaths && store->leases.rescued ? NULL : range;
}

bool live_ensemble_fresh(const LiveEnsemble *ensemble)
{
    const size_t n = ensemble->n_ranges;
    const bool died = n > 0 && ensemble->ranges[n - 1].deaths > 0; /* these come last */
    return !ensemble->lease && !ensemble->ending && ensemble->done == 0 && !died;
}

/* If only members whose process died are left, the ensemble comes last, like such a job. */
QueueEntry live_ensemble_entry(LiveEnsemble *ensemble)
{
    unsigned attempt = ensemble->attempt;
    if (ensemble->left_out)
        attempt = ATTEMPT_LEFT_OUT;
    else if (runnable(ensemble))
        attempt = ensemble->ranges[0].deaths > 0;
    else if (ensemble->lease)
        attempt = 0; /* all members have run: only its end is left */
    QueueEntry entry = queue_entry(ensemble->tenant, ensemble->id, attempt, ensemble->priority);
    entry.place = ensemble->place;
    entry.ensemble = ensemble;
    if (live_ensemble_fresh(ensemble))
        entry.not_after_ms = ensemble->not_after_ms;
    return entry;
}

static void live_ensemble_unqueue(Store *store, LiveEnsemble *ensemble)
{
    if (ensemble->queued)
        queue_remove(queue_of(store, ensemble->tenant), &ensemble->entry);
    ensemble->queued = false;
}

void live_ensemble_requeue(Store *store, LiveEnsemble *ensemble)
{
    live_ensemble_unqueue(store, ensemble);
    ensemble->queued =
        !ensemble->ending && (ensemble->left_out || runnable(ensemble) || ensemble->running == 0);
    if (!ensemble->queued)
        return;
    ensemble->entry = live_ensemble_entry(ensemble);
    queue_insert(queue_of(store, ensemble->tenant), &ensemble->entry);
}

void live_ensemble_leave_out(Store *store, LiveEnsemble *ensemble, const Error *reason)
{
    if (ensemble->left_out)
        return;
    ensemble->left_out = true;
    if (store->n_unreadable++ == 0)
        store->unreadable = *reason;
    live_ensemble_requeue(store, ensemble);
}

bool live_ensemble_withdraw(Store *store, LiveEnsemble *ensemble)
{
    if (ensemble->lease || ensemble->ending || ensemble->left_out || ensemble->done)
        return false;
    live_ensemble_unqueue(store, ensemble);
    return true;
}

void live_ensemble_cancelled(Store *store, LiveEnsemble *ensemble, Status status, bool withdrawn)
{
    if (withdrawn && status == OK) {
        queue_unseat(queue_of(store, ensemble->tenant));
        live_ensemble_remove(store, ensemble);
        return;
    }
    if (status == OK)
        ensemble->cancel_wanted = true;
    Lease *lease = ensemble->ending ? lease_find(&store->leases, ensemble->id) : NULL;
    if (lease && status == OK)
        lease->cancel_wanted = true;
    live_ensemble_requeue(store, ensemble);
}

/* Loading. */

static bool add_end(LiveEnsemble *ensemble, uint64_t first, uint64_t n)
{
    ensemble->done += n;
    return live_ensemble_reserve(ensemble) && range_cut(ensemble, first, n);
}

static bool add_unit(LiveEnsemble *ensemble, MemberRange range, int64_t deaths)
{
    ensemble->stopped = ensemble->stopped || deaths < 0;
    if (deaths <= 0)
        return deaths < 0;
    if (!live_ensemble_reserve(ensemble) || !range_cut(ensemble, range.first, range.n))
        return false;
    live_ensemble_give_back(ensemble, range);
    return true;
}

static Status load_time(Connection *connection, LiveEnsemble *ensemble, bool *ret_sound, Error *err)
{
    Query query =
        query_new(connection, "SELECT used_ms, checksum = row_checksum(" ENSEMBLE_TIME_SAYS(
                                  "") ") FROM ensemble_times WHERE job = ?1");
    query_int(&query, 1, ensemble->seq);
    *ret_sound = true;
    if (query_next(&query)) {
        ensemble->used = (double)row_int(&query, 0) / 1e3;
        *ret_sound = row_int(&query, 1);
    }
    return query_end(&query, err);
}

Status live_ensemble_load(Store *store, Connection *connection, LiveEnsemble *ensemble, Error *err)
{
    bool sound = true;
    Status status = load_time(connection, ensemble, &sound, err);
    if (status != OK)
        return status;
    /* members that have ended */
    Query ends = query_new(connection, "SELECT first, n, checksum = row_checksum(" UNIT_END_SAYS(
                                           "") ") FROM unit_ends WHERE job = ?1 ORDER BY first");
    query_int(&ends, 1, ensemble->seq);
    while (sound && query_next(&ends))
        sound = row_int(&ends, 2) &&
                add_end(ensemble, (uint64_t)row_int(&ends, 0), (uint64_t)row_int(&ends, 1));
    status = query_end(&ends, err);
    if (status != OK)
        return status;
    /* ranges whose process died, and the mark that no member is to be run any more */
    Query units = query_new(
        connection, "SELECT first, n, deaths, token IS NULL AND checksum = row_checksum(" UNIT_SAYS(
                        "") ") FROM units WHERE job = ?1 ORDER BY deaths, first");
    query_int(&units, 1, ensemble->seq);
    while (sound && query_next(&units)) {
        const int64_t deaths = row_int(&units, 2);
        const MemberRange range = {(uint64_t)row_int(&units, 0), (uint64_t)row_int(&units, 1),
                                   deaths > 0 ? (unsigned)deaths : 0};
        sound = row_int(&units, 3) && add_unit(ensemble, range, deaths);
    }
    status = query_end(&units, err);
    return status == OK && !sound
               ? damage(store, err, "the record of ended members of job %.40s is damaged",
                        ensemble->id)
               : status;
}
