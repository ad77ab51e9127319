/* Compiled models by the hash of their document and the formulation: a client that submits many
 * jobs of one model pays for its derivation once. Thread-safe; at most `most` models are kept, the
 * least recently used leave first. */
#ifndef API_CACHE_H
#define API_CACHE_H

#include <stdint.h>

#include "core/simulate.h"

typedef struct CompiledCache CompiledCache;

CompiledCache *compiled_cache_new(size_t most); /* NULL when out of memory */
void compiled_cache_free(CompiledCache *cache); /* NULL is fine */

/* The compiled model of a document with this id: from the cache, or compiled now (mistakes go to
 * diag and are not kept). The caller owns one reference. */
Status compiled_cache_get(CompiledCache *cache, const char *model_id, const ModelDocument *document,
                          const char *formulation, Diagnostics *diag, Compiled **ret_compiled,
                          Error *err) MUST_CHECK;

/* The same, if it is there; else NULL. */
Compiled *compiled_cache_find(CompiledCache *cache, const char *model_id, const char *formulation);

typedef struct CompiledCacheCounts {
    uint64_t hits, misses; /* found; compiled */
    size_t models;
} CompiledCacheCounts;
CompiledCacheCounts compiled_cache_counts(CompiledCache *cache);

#endif
