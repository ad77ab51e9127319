/* Compiled models by the hash of their document and the formulation: a client that submits many
 * jobs of one model pays for its derivation once. Thread-safe; at most `most` models are kept, of 2
 * MiB on average at most as reckoned from their expressions; the least recently used leave
 * first. */
#ifndef API_CACHE_H
#define API_CACHE_H

#include <stdint.h>

#include "api/documents/documents.h"
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

/* Remembers the text in which the model that compiled_cache_get() gave stood in its job, as long as
 * it is in the cache; long ones are not. Nothing is lost with one that is not remembered. */
void compiled_cache_remember(CompiledCache *cache, const ModelInput *model);
/* The model that stood in a job in these very bytes; as ModelSource.known. */
bool compiled_cache_known(CompiledCache *cache, const char *text, size_t size, Arena *arena,
                          ModelInput *ret_model);

typedef struct CompiledCacheCounts {
    uint64_t hits, misses; /* found; compiled */
    size_t models;
} CompiledCacheCounts;
CompiledCacheCounts compiled_cache_counts(CompiledCache *cache);

#endif
