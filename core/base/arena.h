/* An arena: many allocations, one release. It has a byte limit, so that a request cannot take
 * more memory than it was given. Memory is zeroed and aligned for any type. */
#ifndef CORE_BASE_ARENA_H
#define CORE_BASE_ARENA_H

#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(size_t max_bytes); /* NULL when out of memory */
void arena_free(Arena *arena);      /* NULL is fine */
void arena_reset(Arena *arena);     /* releases what was allocated, keeps the arena */

/* NULL past the limit or out of memory; n * size is checked. */
void *arena_alloc(Arena *arena, size_t n, size_t size);
char *arena_strdup(Arena *arena, const char *text);
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
