/* One search over random states: which candidates are combinations of others there?
 *
 * The column of a candidate is what is known of it at random states: its values, its rates, what it
 * lacks of a condition. Candidates come in order of complexity, and their columns are taken in this
 * order: each is divided by its scale, and then either is independent of those kept before it and
 * is kept, or is a combination of these up to `tolerance` (Householder's QR without pivoting,
 * echelon.h). So what is proposed is made of the simplest candidates that will do.
 *
 * Columns only propose: that a combination vanishes at these states makes it no identity and no
 * first integral yet. Whoever wants to say so asks verdict_predict() (core/invariants/analysis.h)
 * at other states. `gap` tells how far from each other what vanishes and what does not are. */
#ifndef CORE_INVARIANTS_SEARCH_COLUMNS_H
#define CORE_INVARIANTS_SEARCH_COLUMNS_H

#include "core/invariants/analysis.h"

typedef struct ColumnSource {
    const AnalysisContext *context; /* polled every few columns; NULL: never */
    size_t n, rows;                 /* candidates; numbers in a column */
    const size_t *which;            /* [n_which]: the candidates to take; NULL: all n */
    size_t n_which;
    double tolerance; /* what is left of a combination, a column being 1 long; 0: 1e-9 */
    size_t most;      /* stop after that many combinations; 0: take all */
    /* Writes the column of candidate k, column[rows], and returns its scale: its length, or more
     * where a short column is only rounding. A candidate whose scale is 0 or not finite is left
     * out. */
    double (*fill)(const void *self, size_t k, double *column);
    const void *self;
} ColumnSource;

typedef struct Columns {
    size_t n;      /* candidates */
    double *scale; /* [n]: what the columns were divided by; 0: left out, or not taken */
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

/* The combination that tells candidate k by those before it; NULL where it is none. */
const double *columns_combination(const Columns *columns, size_t k);

double column_length(const double *column, size_t rows);

#endif
