/* Which constraints are independent at a state, and how the others depend on them.
 *
 * Orthonormal bases are made from rows, one row after the other: they tell which rows are
 * independent, and what is orthogonal to them. */
#ifndef CORE_MODEL_RANK_H
#define CORE_MODEL_RANK_H

#include "core/base/arena.h"
#include "core/base/text.h"
#include "core/model/state.h"

typedef struct RowBasis {
    size_t n, n_rows, n_chosen;
    double *rows;  /* n_rows x n: as added, less what the basis explains */
    double *basis; /* n_chosen x n, orthonormal */
    bool *chosen;  /* n_rows */
} RowBasis;

/* The arrays live in the arena; ask it for its status. */
RowBasis row_basis(Arena *arena, size_t n, size_t max_rows);

/* Room for the next row; all are added before the first is chosen. Their sizes should be 1, or 0:
 * what is left of a row counts as nothing below n * eps * 1e3. */
double *row_basis_add(RowBasis *b);

/* Takes rows among the first n_rows into the basis until it has `most`: the earliest that are well
 * independent; what is nearly dependent has its turn only when nothing better is left. */
void row_basis_choose(RowBasis *b, size_t n_rows, size_t most);

/* Rank and independent rows of A at a point; of the holonomic rows alone without singular values (1
 * then). In the coordinates as they are, or, if that looks less independent, in the units in
 * which M_ii is 1. Allocates. If ret->independent is NULL, of all rows, only the rank is
 * found. */
Status rank_find(const Model *model, const ModelPoint *point, bool holonomic_only,
                 ConstraintRank *ret, Error *err) MUST_CHECK;

/* A row of A that depends on the independent ones: row = sum of coefs[k] * A[rows[k]]. */
typedef struct Combination {
    size_t constraint;
    const size_t *rows;
    size_t n_rows;
    double *coefs; /* n_rows */
} Combination;

/* coefs has room for n_rows. */
Status combination_find(const Model *model, const double *A, Combination *combination,
                        Error *err) MUST_CHECK;
/* values[constraint] - sum of coefs[k] values[rows[k]] */
double combination_gap(const Combination *combination, const double *values);
/* "c3 = c1 + 2*c2" */
void combination_print(const Model *model, const Combination *combination, Text *out);
/* "c1 and c2"; nothing when no other constraint takes part. */
void combination_partners(const Model *model, const Combination *combination, Text *out);

#endif
