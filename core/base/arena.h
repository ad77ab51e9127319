/* An arena: many allocations, one release. Memory is zeroed and aligned for any type.
 *
 * It is used in two ways. With a byte limit it holds the findings of a request or a run, and so
 * bounds the memory of both. On the stack it holds the work arrays of a function:
 *
 *      Arena scratch = {0};
 *      double *a = arena_doubles(&scratch, n * n), *b = arena_doubles(&scratch, n);
 *      Status status = arena_status(&scratch, err);
 *      if (status == OK)
 *          status = ...
 *      arena_done(&scratch);
 *
 * Failure is sticky: check once, before the arrays are used. A function that is called often takes
 * its caller's arena, marks it at its start and releases to the mark at its end. In a build with
 * AddressSanitizer gaps between allocations and released memory are poisoned. */
#ifndef CORE_BASE_ARENA_H
#define CORE_BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

/* {0} is an empty arena without a limit; its members are private. */
typedef struct Arena {
    struct ArenaBlock *blocks; /* the newest first; only the newest is filled further */
    size_t total, max;         /* bytes in use, and their limit; max 0: no limit */
    bool failed;
} Arena;

void arena_done(Arena *arena); /* releases all memory; the arena is as new */

Arena *arena_new(size_t max_bytes); /* on the heap; NULL if memory is out */
void arena_free(Arena *arena);      /* NULL is fine */
void arena_reset(Arena *arena);     /* releases all memory, keeps the arena and its limit */
/* The same, but keeps one block, which all allocations share from the second round on. */
void arena_clear(Arena *arena);

/* The position of an arena. arena_release() frees all allocations made after the mark; marks are
 * released in reverse order. A failure stays. */
typedef struct ArenaMark {
    struct ArenaBlock *block;
    size_t used, total;
} ArenaMark;
ArenaMark arena_mark(const Arena *arena);
void arena_release(Arena *arena, ArenaMark mark);

/* True if an allocation has failed since the arena was new or reset; also for arena NULL. */
bool arena_failed(const Arena *arena);
void arena_fail(Arena *arena); /* marks a failure, for memory from elsewhere that serves the same
                                * purpose */
Status arena_status(const Arena *arena, Error *err) MUST_CHECK; /* ERR_NO_MEMORY after a failure */

/* NULL past the limit, out of memory, or if arena is NULL. The product n * size is checked for
 * overflow. n = 0 gives some memory, so that NULL always means failure. */
void *arena_alloc(Arena *arena, size_t n, size_t size);
double *arena_doubles(Arena *arena, size_t n);
/* Not zeroed: for large arrays that are written before they are read. */
double *arena_raw_doubles(Arena *arena, size_t n);
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
char *arena_vprintf(Arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);

#endif
