/* The canonical text of a JSON document: one text for all spellings of the same values.
 *
 * Members sorted by the bytes of their names, no white space, numbers as their shortest round-trip
 * text, strings with the fewest escapes. -0 stays -0. */
#ifndef API_JSON_CANONICAL_H
#define API_JSON_CANONICAL_H

#include <cjson/cJSON.h>

#include "core/base/status.h"
#include "core/base/text.h"

/* Appends to `out`. Raw items of cJSON must be canonical texts, and are copied. A tree deeper than
 * JSON_MAX_DEPTH is ERR_LIMIT; json_parse() never returns one. */
Status json_canonical(const cJSON *tree, Text *out, Error *err) MUST_CHECK;

/* The same with the members in the order of the tree: for documents whose order means something. */
Status json_in_order(const cJSON *tree, Text *out, Error *err) MUST_CHECK;

/* A value inside a tree (NULL: none), and the place of its canonical text in that of the tree. */
typedef struct CanonicalPart {
    const cJSON *item;
    size_t start, length;
} CanonicalPart;
Status json_canonical_with(const cJSON *tree, CanonicalPart *part, Text *out,
                           Error *err) MUST_CHECK;

#endif
