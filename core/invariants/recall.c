/* Predictions for one compiled model, in the order in which they were made. */
#include "core/invariants/recall.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct Entry {
    struct Entry *next;
    Hash key;
    Arena arena; /* owns the prediction */
    Recalled recalled;
} Entry;

typedef struct StoredProgram {
    const void *owner;
    Program *program;
} StoredProgram;

struct Recall {
    pthread_mutex_t lock;
    Entry *oldest, *newest;
    size_t n, bytes;
    StoredProgram programs[RECALL_PROGRAMS];
    RecallWork work;
};

Recall *recall_new(void)
{
    Recall *recall = calloc(1, sizeof *recall);

    if (recall && pthread_mutex_init(&recall->lock, NULL) != 0) {
        free(recall);
        recall = NULL;
    }
    return recall;
}

static void drop_oldest(Recall *recall)
{
    Entry *entry = recall->oldest;

    recall->oldest = entry->next;
    if (!recall->oldest)
        recall->newest = NULL;
    recall->n--;
    recall->bytes -= entry->arena.total;
    arena_done(&entry->arena);
    free(entry);
}

void recall_free(Recall *recall)
{
    if (!recall)
        return;
    while (recall->oldest)
        drop_oldest(recall);
    for (size_t k = 0; k < RECALL_PROGRAMS; k++)
        program_free(recall->programs[k].program);
    pthread_mutex_destroy(&recall->lock);
    free(recall);
}

static const char *copy_text(Arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

/* Copies a prediction; kinds and doubts are static texts. */
static bool copy(Arena *arena, const Recalled *from, Recalled *ret)
{
    *ret = *from;
    ret->verdict.name = copy_text(arena, from->verdict.name);
    ret->verdict.expression = copy_text(arena, from->verdict.expression);
    ret->verdict.reason = copy_text(arena, from->verdict.reason);
    ret->verdict.jump = copy_text(arena, from->verdict.jump);
    ret->record = value_copy(arena, from->record);
    return !arena_failed(arena);
}

/* Call it with the lock held. */
static Entry *find(const Recall *recall, const Hash *key)
{
    Entry *entry = recall->oldest;

    while (entry && memcmp(entry->key.bytes, key->bytes, sizeof key->bytes) != 0)
        entry = entry->next;
    return entry;
}

bool recall_find(Recall *recall, const Hash *key, Arena *arena, Recalled *ret)
{
    if (!recall)
        return false;
    pthread_mutex_lock(&recall->lock);
    const Entry *entry = find(recall, key);
    const bool found = entry && copy(arena, &entry->recalled, ret);
    pthread_mutex_unlock(&recall->lock);
    return found;
}

/* Appends and drops the oldest beyond the limits. Call it with the lock held. */
static void append(Recall *recall, Entry *entry)
{
    if (recall->newest)
        recall->newest->next = entry;
    else
        recall->oldest = entry;
    recall->newest = entry;
    recall->n++;
    recall->bytes += entry->arena.total;
    while (recall->n > RECALL_MAX_ENTRIES || recall->bytes > RECALL_MAX_BYTES)
        drop_oldest(recall);
}

void recall_keep(Recall *recall, const Hash *key, const Recalled *recalled)
{
    Entry *entry = recall ? calloc(1, sizeof *entry) : NULL;

    if (!entry)
        return;
    entry->key = *key;
    entry->arena.max = RECALL_MAX_BYTES / 4; /* so that several fit */
    bool stored = copy(&entry->arena, recalled, &entry->recalled);
    if (stored) {
        pthread_mutex_lock(&recall->lock);
        stored = !find(recall, key); /* another thread may have been first */
        if (stored)
            append(recall, entry);
        pthread_mutex_unlock(&recall->lock);
    }
    if (!stored) {
        arena_done(&entry->arena);
        free(entry);
    }
}

const Program *recall_program(Recall *recall, const void *owner)
{
    const Program *program = NULL;

    if (!recall)
        return NULL;
    pthread_mutex_lock(&recall->lock);
    for (size_t k = 0; k < RECALL_PROGRAMS && !program; k++)
        if (recall->programs[k].owner == owner)
            program = recall->programs[k].program;
    pthread_mutex_unlock(&recall->lock);
    return program;
}

bool recall_keep_program(Recall *recall, const void *owner, Program *program, const Program **ret)
{
    StoredProgram *place = NULL;

    *ret = program;
    if (!recall)
        return false;
    pthread_mutex_lock(&recall->lock);
    for (size_t k = 0; k < RECALL_PROGRAMS && !place; k++)
        if (!recall->programs[k].program || recall->programs[k].owner == owner)
            place = &recall->programs[k];
    const bool first = place && !place->program;
    if (first)
        *place = (StoredProgram){owner, program};
    pthread_mutex_unlock(&recall->lock);
    return first;
}

void recall_count(Recall *recall, RecallWork work)
{
    if (!recall)
        return;
    pthread_mutex_lock(&recall->lock);
    recall->work.exact_tests += work.exact_tests;
    recall->work.states += work.states;
    pthread_mutex_unlock(&recall->lock);
}

RecallWork recall_work(Recall *recall)
{
    pthread_mutex_lock(&recall->lock);
    const RecallWork work = recall->work;
    pthread_mutex_unlock(&recall->lock);
    return work;
}
