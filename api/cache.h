/* Compiled models by tenant, hash of their document without its drawing, and formulation: a client
 * that submits many jobs of one model pays for its derivation once. The times of answers tell a
 * tenant nothing about the models of others. Thread-safe. The cache keeps at most `most` models, of
 * at most 2 MiB on average, estimated from their expressions. The least recently used model leaves
 * first. */
#ifndef API_CACHE_H
#define API_CACHE_H

#include <stdint.h>

#include "api/documents/documents.h"
#include "core/simulate.h"

typedef struct CompiledCache CompiledCache;

CompiledCache *compiled_cache_new(size_t most); /* NULL when out of memory */
void compiled_cache_free(CompiledCache *cache); /* NULL is fine */

typedef struct CacheKey {
    int64_t tenant;
    const char *model; /* ModelInput.key; the id of a model without a drawing is the same */
    const char *formulation;
} CacheKey;

/* The compiled model of the document with this key: from the cache, or compiled now. Mistakes go to
 * diag; models with mistakes are not kept. The caller owns one reference. */
Status compiled_cache_get(CompiledCache *cache, const CacheKey *key, const ModelDocument *document,
                          Diagnostics *diag, Compiled **ret_compiled, Error *err) MUST_CHECK;
/* The same, only from the cache; else NULL. */
Compiled *compiled_cache_find(CompiledCache *cache, const CacheKey *key);

/* Remembers the text of the model in its job, as long as the model is in the cache. Long texts are
 * not remembered; then the model is only read again. */
void compiled_cache_remember(CompiledCache *cache, int64_t tenant, const ModelInput *model);
/* The model of a remembered text with exactly these bytes; for ModelSource.known. */
bool compiled_cache_known(CompiledCache *cache, int64_t tenant, const char *text, size_t size,
                          Arena *arena, ModelInput *ret_model);

typedef struct CompiledCacheCounts {
    uint64_t hits, misses; /* found; compiled */
    size_t models;
} CompiledCacheCounts;
CompiledCacheCounts compiled_cache_counts(CompiledCache *cache);

#endif
