/* A batch of jobs, {"jobs": [..]}, cut into its documents. */
#ifndef API_DOCUMENTS_BATCH_H
#define API_DOCUMENTS_BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/status.h"

enum { BATCH_MAX = 10000 }; /* jobs of a batch, ids of a list */

/* The place of an element in the bytes. */
typedef struct BatchItem {
    size_t start, size;
} BatchItem;

/* The elements of the list, at least one. Only the text between the elements is checked; each
 * element is later read as a document of its own. ERR_INVALID with mistakes in diag; *ret_is_json
 * false: the bytes are not JSON, and the offset counts in all bytes. */
Status batch_cut(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                 const BatchItem **ret_items, size_t *ret_n, bool *ret_is_json,
                 Error *err) MUST_CHECK;

#endif
