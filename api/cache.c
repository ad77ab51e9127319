/* The cache of compiled models, by tenant, key of the model and formulation. It is limited in
 * models and in memory; the least recently used model leaves first. */
#include "api/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"

enum {
    /* The longest text of a model that is remembered, and its longest canonical text, in bytes. */
    TEXT_MOST = 16 * 1024,
    /* Estimated bytes of a node of a model's expressions with its programs. Measured with sums of
     * sines. */
    NODE_BYTES = 256,
    /* The largest average size of a model. */
    MODEL_BYTES = 2 << 20,
};

/* The text of a model in a job. */
typedef struct KnownText {
    size_t size, canonical_size;
    char id[HASH_TEXT_MAX], matter[HASH_TEXT_MAX];
    char *canonical, *name; /* each ends with a zero byte */
    char bytes[];           /* the text in the job, then canonical and name */
} KnownText;

typedef struct Entry {
    int64_t tenant;
    char model[HASH_TEXT_MAX]; /* ModelInput.key */
    Compiled *compiled;        /* NULL: free */
    KnownText *text;           /* NULL: none is remembered */
    uint64_t used;             /* tick of the last use */
    size_t bytes;              /* estimate for the model */
} Entry;

/* Linear search: comparing a few hundred entries is faster than hashing one. */
struct CompiledCache {
    pthread_mutex_t lock;
    Entry *entries;
    size_t most, most_bytes, bytes;
    uint64_t tick, hits, misses;
};

CompiledCache *compiled_cache_new(size_t most)
{
    CompiledCache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    cache->most = most ? most : 1;
    cache->most_bytes = cache->most * MODEL_BYTES;
    cache->entries = alloc_array(cache->most, sizeof *cache->entries);
    if (!cache->entries || pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache->entries);
        free(cache);
        return NULL;
    }
    return cache;
}

void compiled_cache_free(CompiledCache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < cache->most; i++) {
        compiled_unref(cache->entries[i].compiled);
        free(cache->entries[i].text);
    }
    free(cache->entries);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

/* With the lock held. */
static Entry *cache_entry(CompiledCache *cache, const CacheKey *key)
{
    for (size_t i = 0; i < cache->most; i++) {
        Entry *entry = &cache->entries[i];
        if (entry->compiled && entry->tenant == key->tenant &&
            strcmp(entry->model, key->model) == 0 &&
            strcmp(compiled_formulation(entry->compiled), key->formulation) == 0)
            return entry;
    }
    return NULL;
}

/* With the lock held; NULL if all are taken. */
static Entry *cache_free_entry(CompiledCache *cache)
{
    for (size_t i = 0; i < cache->most; i++)
        if (!cache->entries[i].compiled)
            return &cache->entries[i];
    return NULL;
}

/* With the lock held: takes the least recently used model out of its entry. The caller owns it;
 * NULL: the cache is empty. */
static Compiled *cache_shed(CompiledCache *cache)
{
    Entry *oldest = NULL;
    for (size_t i = 0; i < cache->most; i++)
        if (cache->entries[i].compiled && (!oldest || cache->entries[i].used < oldest->used))
            oldest = &cache->entries[i];
    if (!oldest)
        return NULL;
    Compiled *compiled = oldest->compiled;
    cache->bytes -= oldest->bytes;
    free(oldest->text);
    *oldest = (Entry){0};
    return compiled;
}

static size_t model_bytes(const Model *model)
{
    return (size_t)NODE_BYTES * expr_pool_size(model->pool) + strlen(model->names.model);
}

Compiled *compiled_cache_find(CompiledCache *cache, const CacheKey *key)
{
    Compiled *compiled = NULL;
    pthread_mutex_lock(&cache->lock);
    Entry *entry = cache_entry(cache, key);
    if (entry) {
        entry->used = ++cache->tick;
        compiled = compiled_ref(entry->compiled);
        cache->hits++;
    }
    pthread_mutex_unlock(&cache->lock);
    return compiled;
}

/* With the lock held. True: the model is in the cache. False: the cache is full; the caller
 * releases *ret_leaves and calls again. If two threads compiled the same model at once, the first
 * one stays. */
static bool cache_put(CompiledCache *cache, const CacheKey *key, Compiled *compiled,
                      Compiled **ret_leaves)
{
    const size_t bytes = model_bytes(compiled_model(compiled));
    Entry *entry = cache_free_entry(cache);

    *ret_leaves = NULL;
    if (cache_entry(cache, key))
        return true;
    /* a single model may be of any size */
    if (!entry || (cache->bytes > 0 && cache->bytes + bytes > cache->most_bytes)) {
        *ret_leaves = cache_shed(cache);
        return false;
    }
    /* fill the entry */
    entry->tenant = key->tenant;
    memcpy(entry->model, key->model, strlen(key->model) + 1);
    entry->compiled = compiled_ref(compiled);
    entry->used = ++cache->tick;
    entry->bytes = bytes;
    cache->bytes += bytes;
    return true;
}

static void cache_insert(CompiledCache *cache, const CacheKey *key, Compiled *compiled)
{
    bool is_new = true, there = false;

    while (!there) { /* each pass sheds a model, freed without the lock */
        Compiled *leaves;
        pthread_mutex_lock(&cache->lock);
        cache->misses += is_new;
        there = cache_put(cache, key, compiled, &leaves);
        pthread_mutex_unlock(&cache->lock);
        compiled_unref(leaves);
        is_new = false;
    }
}

Status compiled_cache_get(CompiledCache *cache, const CacheKey *key, const ModelDocument *document,
                          Diagnostics *diag, Compiled **ret_compiled, Error *err)
{
    if (strlen(key->model) >= HASH_TEXT_MAX)
        return error_set(err, ERR_INTERNAL, "a key of %zu bytes", strlen(key->model));
    Compiled *compiled = compiled_cache_find(cache, key);
    if (!compiled) {
        Status status = compiled_new(document, key->formulation, diag, &compiled, err);
        if (status != OK)
            return status;
        /* a new document must report these mistakes again, so this model is not kept */
        if (!compiled_model(compiled)->units.excused)
            cache_insert(cache, key, compiled);
    }
    *ret_compiled = compiled;
    return OK;
}

/* A copy of the model's texts; NULL: too long, or out of memory. */
static KnownText *known_text(const ModelInput *model)
{
    const size_t size = model->text_size, canonical = model->canonical_size + 1;
    const size_t name = strlen(model->name) + 1;
    if (size > TEXT_MOST || canonical > TEXT_MOST)
        return NULL;
    KnownText *known =
        /* the name is short: it is part of the canonical text */
        malloc(sizeof *known + size + canonical + name);
    if (!known)
        return NULL;
    /* the three texts stand one after the other in bytes[] */
    known->size = size;
    known->canonical_size = model->canonical_size;
    memcpy(known->id, model->id, sizeof known->id);
    memcpy(known->matter, model->matter, sizeof known->matter);
    known->canonical = known->bytes + size;
    known->name = known->canonical + canonical;
    memcpy(known->bytes, model->text, size);
    memcpy(known->canonical, model->canonical, canonical);
    memcpy(known->name, model->name, name);
    return known;
}

void compiled_cache_remember(CompiledCache *cache, int64_t tenant, const ModelInput *model)
{
    KnownText *known = model->text && !model->known ? known_text(model) : NULL;

    if (!known)
        return;
    /* exchange the text of the model's entry */
    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; known && i < cache->most; i++) {
        Entry *entry = &cache->entries[i];
        if (entry->compiled && entry->tenant == tenant && strcmp(entry->model, model->key) == 0) {
            KnownText *before = entry->text;
            entry->text = known;
            known = before;
            break;
        }
    }
    pthread_mutex_unlock(&cache->lock);
    free(known);
}

/* With the lock held. */
static const Entry *entry_of_text(const CompiledCache *cache, int64_t tenant, const char *text,
                                  size_t size)
{
    for (size_t i = 0; i < cache->most; i++) {
        const KnownText *known = cache->entries[i].text;
        if (known && cache->entries[i].tenant == tenant && known->size == size &&
            memcmp(known->bytes, text, size) == 0)
            return &cache->entries[i];
    }
    return NULL;
}

bool compiled_cache_known(CompiledCache *cache, int64_t tenant, const char *text, size_t size,
                          Arena *arena, ModelInput *ret_model)
{
    ModelInput model = {0};

    /* copy under the lock, because the entry may be freed later */
    pthread_mutex_lock(&cache->lock);
    const Entry *entry = entry_of_text(cache, tenant, text, size);
    if (entry) {
        model.canonical = arena_strndup(arena, entry->text->canonical, entry->text->canonical_size);
        model.canonical_size = entry->text->canonical_size;
        model.name = arena_strdup(arena, entry->text->name);
        memcpy(model.id, entry->text->id, sizeof model.id);
        memcpy(model.key, entry->model, sizeof model.key);
        memcpy(model.matter, entry->text->matter, sizeof model.matter);
    }
    pthread_mutex_unlock(&cache->lock);
    if (!model.canonical || !model.name)
        return false;
    *ret_model = model;
    return true;
}

CompiledCacheCounts compiled_cache_counts(CompiledCache *cache)
{
    CompiledCacheCounts counts = {0};
    pthread_mutex_lock(&cache->lock);
    counts.hits = cache->hits;
    counts.misses = cache->misses;
    for (size_t i = 0; i < cache->most; i++)
        counts.models += cache->entries[i].compiled != NULL;
    pthread_mutex_unlock(&cache->lock);
    return counts;
}
