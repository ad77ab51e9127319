/* An arena: many allocations, one release. Memory is zeroed and aligned for any type.
 *
 * It is used in two ways. With a byte limit it holds what a request or a run has found, so that
 * neither takes more memory than it was given. On the stack it holds the work arrays of a function:
 *
 *     Arena scratch = {0};
 *     double *a = arena_doubles(&scratch, n * n), *b = arena_doubles(&scratch, n);
 *     Status status = arena_status(&scratch, err);
 *     if (status == OK)
 *         status = ...
 *     arena_done(&scratch);
 *
 * Failure is sticky: ask once, before the arrays are used. A function that is called often takes
 * its caller's arena, marks it when it starts and releases to the mark when it ends. In a build
 * with AddressSanitizer what lies between allocations and what was released is poisoned. */
#ifndef CORE_BASE_ARENA_H
#define CORE_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

/* {0} is an empty arena without a limit; its members are private. */
typedef struct Arena {
    struct ArenaBlock *blocks; /* the newest first; only it is filled further */
    size_t total, max;         /* bytes in use, and at most; max 0: no limit */
    bool failed;
} Arena;

void arena_done(Arena *arena); /* releases what was allocated; the arena is as new */

Arena *arena_new(size_t max_bytes); /* on the heap; NULL when out of memory */
void arena_free(Arena *arena);      /* NULL is fine */
void arena_reset(Arena *arena);     /* releases what was allocated, keeps the arena and its limit */
/* The same, but the memory is kept for what comes next; what was allocated is in one block from the
 * second time on. */
void arena_clear(Arena *arena);

/* The position of an arena; arena_release() takes back what was allocated since, in the reverse
 * order of the marks. A failure stays. */
typedef struct ArenaMark {
    struct ArenaBlock *block;
    size_t used, total;
} ArenaMark;
ArenaMark arena_mark(const Arena *arena);
void arena_release(Arena *arena, ArenaMark mark);

/* Whether an allocation has failed since the arena was new or reset; arena NULL has failed. */
bool arena_failed(const Arena *arena);
void arena_fail(Arena *arena); /* as if one had: other memory for the same purpose was out */
Status arena_status(const Arena *arena, Error *err) MUST_CHECK; /* ERR_NO_MEMORY after a failure */

/* NULL past the limit, out of memory, or when arena is NULL; n * size is checked; n = 0 gives some
 * memory, so that NULL always means failure. */
void *arena_alloc(Arena *arena, size_t n, size_t size);
double *arena_doubles(Arena *arena, size_t n);
size_t *arena_sizes(Arena *arena, size_t n);
#define ARENA_NEW(arena, n, Type) ((Type *)arena_alloc((arena), (n), sizeof(Type)))
double *arena_copy_doubles(Arena *arena, const double *values, size_t n);

/* Many arrays of doubles at the cost of one: *array gets n of them. */
typedef struct ArenaPiece {
    double **array;
    size_t n;
} ArenaPiece;
void arena_pieces(Arena *arena, const ArenaPiece *pieces, size_t n_pieces);

char *arena_strdup(Arena *arena, const char *text);
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_join(Arena *arena, const char *first, const char *second, const char *third);
char *arena_printf(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
