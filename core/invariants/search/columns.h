/* One search over random states: which candidates are combinations of others there?
 *
 * The column of a candidate holds its values, its rates, or its residuals of a condition at
 * random states. Candidates come in order of complexity. In this order each column, divided by its
 * scale, is independent of those before it and kept, or a combination of the kept ones up to
 * `tolerance` (Householder's QR without pivoting). Therefore combinations are made of the simplest
 * candidates that are possible.
 *
 * Columns only propose: a combination that vanishes at these states is no identity and no first
 * integral yet. verdict_predict() (core/invariants/analysis.h) decides at other states. `gap` is
 * the distance between combinations that vanish and those that do not. */
#ifndef CORE_INVARIANTS_SEARCH_COLUMNS_H
#define CORE_INVARIANTS_SEARCH_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/invariants/analysis.h"
#include "core/numeric/vectors.h"

/* The columns taken so far. */
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

/* States beyond the number of unknowns, so that a combination is no accident. Convention. */
enum { SPARE_STATES = 32 };
/* Factor of an error bound of a search, which is one over the gap, or the error of a quadrature.
 * Convention. */
static const double ERROR_MARGIN = 10;
/* A gap in singular values (see echelon_gap()) from which a search counts as decided. No unit;
 * convention. */
static const double CLEAR_GAP = 1e4;

typedef struct ColumnSource {
    const AnalysisContext *context; /* polled every few columns; NULL: never */
    size_t n, rows;                 /* candidates; numbers in a column */
    const size_t *which;            /* [n_which]: the candidates to take; NULL: all n */
    size_t n_which;
    double tolerance; /* the remainder of a combination, a column being 1 long; 0: 1e-9 */
    size_t most;      /* stop after that many combinations; 0: take all */
    /* Writes the column of candidate k, column[rows], and returns its scale: its length, or more
     * if a short column is only rounding. A candidate whose scale is 0 or not finite is left
     * out. */
    double (*fill)(const void *self, size_t k, double *column);
    const void *self;
} ColumnSource;

typedef struct Columns {
    size_t n;      /* candidates */
    double *scale; /* [n]: divisors of the columns; 0: left out, or not taken */
    size_t n_kept;
    size_t *kept; /* independent candidates, in their order */
    size_t n_combinations;
    size_t *combined;     /* [n_combinations]: candidates that are combinations of kept ones */
    double *combinations; /* [n_combinations][n]: the sum of coefficient times column is 0; that of
                             the candidate itself is 1, those that are only rounding are 0 */
    double gap;           /* see echelon_gap() */
} Columns;

/* Everything found lives in the arena. */
Status columns_search(const ColumnSource *source, Arena *arena, Columns *ret,
                      Error *err) MUST_CHECK;

/* The combination that expresses candidate k by those before it; NULL: it is independent. */
const double *columns_combination(const Columns *columns, size_t k);

/* Combinations that may be added at will, to make another one short: rows of n coefficients. */
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
