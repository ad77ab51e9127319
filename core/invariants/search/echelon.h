/* Columns taken one after the other: each is independent of those before it or a combination of
 * them.
 *
 * Householder's QR without pivoting: the order of the columns decides which of them are kept.
 * With simple ones first the combinations are simple. */
#ifndef CORE_INVARIANTS_SEARCH_ECHELON_H
#define CORE_INVARIANTS_SEARCH_ECHELON_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

typedef struct Echelon {
    size_t rows, capacity, rank; /* at most `capacity` columns are kept; capacity <= rows */
    double *reflectors;          /* [capacity][rows]; the k-th from its entry k on */
    double *r;                   /* [capacity][capacity]: column k of R in r[k * capacity ..] */
    double *work;                /* capacity */
    double dropped;              /* sum of squares of the residuals of combinations */
} Echelon;

/* In the arena; check its status before the first column. */
void echelon_init(Echelon *echelon, Arena *arena, size_t rows, size_t capacity);

/* column[rows], of length about 1, is overwritten. True: independent, and kept as the last.
 * False: its remainder after those kept is at most `tolerance`; it is the sum of ret_coefs[k]
 * times the k-th kept one (ret_coefs[capacity], may be NULL). With all places taken nothing is
 * kept, and an independent column is true all the same. */
bool echelon_take(Echelon *echelon, double *column, double tolerance, double *ret_coefs);

/* Whether a column, which is overwritten, is such a combination; nothing is kept. */
bool echelon_spans(const Echelon *echelon, double *column, double tolerance);

/* The ratio of the smallest singular value of the kept columns to the largest one of the null
 * space that the combinations span: a lower bound for the gap in the singular values of all
 * columns (Courant-Fischer), with the smallest by inverse iteration. Infinite without
 * combinations, or if their residuals vanish. */
double echelon_gap(const Echelon *echelon);

#endif
