/* Printed equations by model, formulation and format. Printing those of a large model takes
 * seconds: a client that was told to ask again finds them here. Thread-safe. At most `most` are
 * kept; the least recently used leave first. */
#ifndef API_PRINTED_H
#define API_PRINTED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/text.h"

typedef struct PrintedCache PrintedCache;

PrintedCache *printed_cache_new(size_t most); /* NULL when out of memory */
void printed_cache_free(PrintedCache *cache); /* NULL is fine */

/* Appends the text of this key; false if it is not there. A cache that is NULL is empty. */
bool printed_cache_find(PrintedCache *cache, const char *key, Text *out);
/* Keeps a copy, if there is enough memory. */
void printed_cache_keep(PrintedCache *cache, const char *key, const Text *text);

#endif
