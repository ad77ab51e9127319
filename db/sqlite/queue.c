/* The queue in memory: a sorted array with room at both ends, searched by bisection. */
#include "db/sqlite/sqlite_store.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

static int compare(const QueueEntry *a, const QueueEntry *b)
{
    if (a->attempt != b->attempt)
        return a->attempt < b->attempt ? -1 : 1;
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return strcmp(a->id, b->id);
}

QueueEntry queue_entry(int64_t tenant, const char *id, unsigned attempt, int priority)
{
    QueueEntry entry = {
        .tenant = tenant, .attempt = attempt, .priority = priority, .place = uuid_place(id)};
    job_id_copy(entry.id, id);
    return entry;
}

/* Room for twice the seats: when one end is reached, centering leaves at least a quarter of the
 * array free at both ends, so that moves to the center are rare. */
bool queue_seat(JobQueue *queue)
{
    if (!grow_array(&queue->entries, &queue->capacity, 2 * queue->seats + 4, sizeof(QueueEntry)))
        return false;
    queue->seats++;
    return true;
}

void queue_unseat(JobQueue *queue)
{
    queue->seats--;
}

void queue_done(JobQueue *queue)
{
    free(queue->entries);
}

size_t queue_rank(const JobQueue *queue, const QueueEntry *entry)
{
    size_t low = 0, high = queue->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&queue->entries[queue->first + middle], entry) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void queue_move(JobQueue *queue, size_t to, size_t from, size_t n)
{
    memmove(queue->entries + to, queue->entries + from, n * sizeof *queue->entries);
}

/* Updates the earliest expiry with this entry. */
static void note_expiry(JobQueue *queue, const QueueEntry *entry)
{
    if (entry->not_after_ms && (!queue->expires_ms || entry->not_after_ms < queue->expires_ms))
        queue->expires_ms = entry->not_after_ms;
}

void queue_insert(JobQueue *queue, const QueueEntry *entry)
{
    const size_t rank = queue_rank(queue, entry);
    const bool front = rank < queue->count - rank; /* move the shorter part */
    if (front ? queue->first == 0 : queue->first + queue->count == queue->capacity) {
        size_t centre = (queue->capacity - queue->count) / 2;
        queue_move(queue, centre, queue->first, queue->count);
        queue->first = centre;
    }
    if (front) {
        queue_move(queue, queue->first - 1, queue->first, rank);
        queue->first--;
    } else {
        size_t at = queue->first + rank;
        queue_move(queue, at + 1, at, queue->count - rank);
    }
    queue->entries[queue->first + rank] = *entry;
    queue->count++;
    note_expiry(queue, entry);
}

bool queue_remove(JobQueue *queue, const QueueEntry *entry)
{
    const size_t rank = queue_rank(queue, entry);
    if (rank == queue->count || compare(&queue->entries[queue->first + rank], entry) != 0)
        return false;
    if (rank < queue->count - rank) {
        queue_move(queue, queue->first + 1, queue->first, rank);
        queue->first++;
    } else {
        size_t at = queue->first + rank;
        queue_move(queue, at, at + 1, queue->count - rank - 1);
    }
    queue->count--;
    return true;
}

static bool expired(const QueueEntry *entry, int64_t now_ms)
{
    return entry->not_after_ms && entry->not_after_ms < now_ms &&
           entry->attempt != ATTEMPT_LEFT_OUT;
}

const QueueEntry *queue_first(const JobQueue *queue, int64_t now_ms, const LiveEnsemble *but)
{
    for (size_t i = queue->first; i < queue->first + queue->count; i++) {
        const QueueEntry *entry = &queue->entries[i];
        if (!expired(entry, now_ms) && !(but && entry->ensemble == but))
            return entry;
    }
    return NULL;
}

size_t queue_expired(JobQueue *queue, int64_t now_ms, QueueEntry *ret_entries, size_t n)
{
    size_t count = 0;
    if (!queue->expires_ms || queue->expires_ms >= now_ms)
        return 0;
    queue->expires_ms = 0;
    for (size_t i = queue->first; i < queue->first + queue->count; i++) {
        const QueueEntry *entry = &queue->entries[i];
        if (count < n && expired(entry, now_ms))
            ret_entries[count++] = *entry;
        if (entry->attempt != ATTEMPT_LEFT_OUT)
            note_expiry(queue, entry);
    }
    return count;
}

const QueueEntry *queue_find(const JobQueue *queue, const char *id)
{
    for (size_t i = queue->first; i < queue->first + queue->count; i++)
        if (strcmp(queue->entries[i].id, id) == 0)
            return &queue->entries[i];
    return NULL;
}

int64_t queue_oldest_ms(const JobQueue *queue)
{
    enum { COUNTER_BITS = 16 }; /* low bits of a place; the high bits are the time of the id */
    uint64_t oldest = UINT64_MAX;
    for (size_t i = queue->first; i < queue->first + queue->count; i++) {
        const QueueEntry *entry = &queue->entries[i];
        const bool runs = entry->ensemble && entry->ensemble->lease;
        if (!runs && entry->attempt != ATTEMPT_LEFT_OUT && entry->place < oldest)
            oldest = entry->place;
    }
    return oldest == UINT64_MAX ? 0 : (int64_t)(oldest >> COUNTER_BITS);
}
