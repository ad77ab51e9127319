/* Short forms of a combination that is known only up to others. */
#ifndef CORE_INVARIANTS_SEARCH_SPARSE_H
#define CORE_INVARIANTS_SEARCH_SPARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* Combinations that may be added at will: rows of n coefficients. */
typedef struct Moves {
    Arena *arena;
    size_t n, count, capacity;
    const double **rows;
    size_t **support; /* of each row: places that are not zero, ended by SIZE_MAX */
} Moves;

/* In the arena; check its status before the moves are used. */
void moves_init(Moves *moves, Arena *arena, size_t n, size_t capacity);
void moves_add(Moves *moves, const double *row); /* borrowed */

/* Adds multiples of the moves to vector[n] as long as one of them makes it cheaper. The cost of
 * a vector is the sum of cost[k] > 0 over its entries k that are not zero. */
void moves_shorten(const Moves *moves, const double *cost, double *vector);

#endif
