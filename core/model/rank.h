/* Which constraints are independent at a state, and how the others depend on them.
 *
 * An orthonormal basis is built from rows, one after the other. It tells which rows are
 * independent, and it spans their orthogonal complement when unit vectors complete it. */
#ifndef CORE_MODEL_RANK_H
#define CORE_MODEL_RANK_H

#include "core/base/arena.h"
#include "core/base/text.h"
#include "core/model/state.h"

typedef struct RowBasis {
    size_t n, n_rows, n_chosen;
    double *rows;  /* n_rows x n: as added, minus their projection onto the basis */
    double *basis; /* n_chosen x n, orthonormal */
    bool *chosen;  /* n_rows */
} RowBasis;

/* The arrays live in the arena; ask it for its status. */
RowBasis row_basis(Arena *arena, size_t n, size_t max_rows);

/* Memory for the next row. All rows are added before the first is chosen. Their lengths should be 1
 * or 0: a remainder below n * eps * 1e3 counts as zero. */
double *row_basis_add(RowBasis *b);

/* Adds rows among the first n_rows to the basis until it has `most`. Earlier rows come first, but
 * nearly dependent rows are added only if no better ones are left. */
void row_basis_choose(RowBasis *b, size_t n_rows, size_t most);

/* Rank and independent rows of A at a point; for holonomic rows alone without singular values (both
 * are 1 then). The rows kept are the earliest well independent ones, holonomic ones before the
 * others, so that positions are projected, too. Computed in the coordinates as they are, or in the
 * units in which M_ii is 1 if the rows are more independent there. Allocates. Without
 * ret->independent only the rank is found, of all rows. */
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
/* "c1 and c2"; empty if no other constraint takes part. */
void combination_partners(const Model *model, const Combination *combination, Text *out);

#endif
