/* Content negotiation (RFC 9110, section 12.5.1). */
#ifndef API_ACCEPT_H
#define API_ACCEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* Chooses among the offered media types ("a/b,c/d", the default first) by the Accept header; NULL
 * accepts everything. False: none is acceptable. */
bool accept_choose(const char *accept, const char *offers, size_t *ret_index);

/* The start of the index-th offered type, and its length. */
const char *accept_offer(const char *offers, size_t index, size_t *ret_length);

/* The offered types for people: "a/b, c/d". If memory runs out, the arena remembers it. */
const char *accept_list(Arena *arena, const char *offers);

/* Does an Accept-Encoding header (section 12.5.3) accept gzip with at least the weight of the
 * unpacked body? NULL: no. */
bool accept_gzip(const char *accept);

#endif
