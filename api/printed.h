/* Equations as they were answered, by model, formulation and format. Of a large model they take
 * seconds to print: a client that was told to ask again finds them here. Thread-safe; at most
 * `most` are kept, the least recently used leave first. */
#ifndef API_PRINTED_H
#define API_PRINTED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/text.h"

typedef struct PrintedCache PrintedCache;

PrintedCache *printed_cache_new(size_t most); /* NULL when out of memory */
void printed_cache_free(PrintedCache *cache); /* NULL is fine */

/* Appends the text of this key; false when it is not there. A cache that is NULL is empty. */
bool printed_cache_find(PrintedCache *cache, const char *key, Text *out);
/* Keeps a copy, memory permitting. */
void printed_cache_keep(PrintedCache *cache, const char *key, const Text *text);

#endif
