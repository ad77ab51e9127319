/* Content negotiation (RFC 9110, section 12.5.1). */
#ifndef API_ACCEPT_H
#define API_ACCEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* Which of the offered media types ("a/b,c/d", the default first) the Accept header likes best;
 * NULL accepts everything. False: none is acceptable. */
bool accept_choose(const char *accept, const char *offers, size_t *ret_index);

/* The index-th of the offered types: its length and where it begins. */
const char *accept_offer(const char *offers, size_t index, size_t *ret_length);

/* The offered types for people: "a/b, c/d". The arena remembers if there was no memory. */
const char *accept_list(Arena *arena, const char *offers);

/* Whether an Accept-Encoding header (section 12.5.3) likes gzip, and nothing unpacked better; NULL
 * does not. */
bool accept_gzip(const char *accept);

#endif
