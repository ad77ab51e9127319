/* Printed equations, kept for repeated requests. */
#include "api/printed.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

typedef struct Printed {
    char *key; /* NULL: free */
    Text text;
    uint64_t used;
} Printed;

struct PrintedCache {
    pthread_mutex_t lock;
    Printed *entries; /* most */
    size_t most;
    uint64_t tick;
};

PrintedCache *printed_cache_new(size_t most)
{
    PrintedCache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    cache->most = most;
    cache->entries = alloc_array(most, sizeof *cache->entries);
    if (!cache->entries || pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache->entries);
        free(cache);
        return NULL;
    }
    return cache;
}

static void printed_done(Printed *entry)
{
    free(entry->key);
    text_done(&entry->text);
    *entry = (Printed){.text = TEXT_INIT};
}

void printed_cache_free(PrintedCache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < cache->most; i++)
        printed_done(&cache->entries[i]);
    pthread_mutex_destroy(&cache->lock);
    free(cache->entries);
    free(cache);
}

/* With the lock held: the entry of the key; or NULL, and *ret_oldest is the entry to replace. */
static Printed *find(PrintedCache *cache, const char *key, Printed **ret_oldest)
{
    *ret_oldest = &cache->entries[0];
    for (size_t i = 0; i < cache->most; i++) {
        Printed *entry = &cache->entries[i];
        if (entry->key && strcmp(entry->key, key) == 0)
            return entry;
        if (entry->used < (*ret_oldest)->used)
            *ret_oldest = entry;
    }
    return NULL;
}

bool printed_cache_find(PrintedCache *cache, const char *key, Text *out)
{
    Printed *oldest;
    if (!cache)
        return false;
    pthread_mutex_lock(&cache->lock);
    Printed *entry = find(cache, key, &oldest);
    if (entry) {
        entry->used = ++cache->tick;
        text_append(out, entry->text.data, entry->text.length);
    }
    pthread_mutex_unlock(&cache->lock);
    return entry != NULL;
}

void printed_cache_keep(PrintedCache *cache, const char *key, const Text *text)
{
    Printed fresh = {.text = TEXT_INIT}, *oldest;
    if (!cache)
        return;
    /* the copy is made before the lock is taken, because it may be long */
    fresh.key = strdup(key);
    text_append(&fresh.text, text_string(text), text->length);
    if (fresh.key && text_ok(&fresh.text)) {
        Printed leaves;
        pthread_mutex_lock(&cache->lock);
        Printed *entry = find(cache, key, &oldest);
        entry = entry ? entry : oldest;
        leaves = *entry;
        fresh.used = ++cache->tick;
        *entry = fresh;
        pthread_mutex_unlock(&cache->lock);
        fresh = leaves;
    }
    printed_done(&fresh);
}
