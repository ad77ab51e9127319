/* Inverses of small matrices of expressions, unrolled as far as that is sound. */
#ifndef CORE_MOTION_ALGEBRA_INVERT_H
#define CORE_MOTION_ALGEBRA_INVERT_H

#include "core/expr/calculus/calculus.h"

/* A step of Gauss and Jordan: divides row `pivot` by its entry in `column`, a nonzero number, and
 * makes the column vanish in the other rows. Numbers that cancel within rounding become 0. */
void eliminate_column(ExprPool *pool, Expr *work, size_t n_rows, size_t n_columns, size_t pivot,
                      size_t column);

/* Gauss-Jordan elimination of work (n_rows x n_columns) with numeric pivots only, which cannot
 * vanish, among the first n_pivots columns. ret_pivot[row] is the column of the row's pivot, which
 * becomes a unit vector, or SIZE_MAX if the row has none. `preferred` (n_pivots, may be NULL)
 * columns go first, then later ones. Returns the number of pivots. */
size_t eliminate_numeric(ExprPool *pool, Expr *work, size_t n_rows, size_t n_columns,
                         size_t n_pivots, const bool *preferred, size_t *ret_pivot);

/* Determinant of a matrix up to 3 x 3 with the given distance between rows; 1 for n = 0. */
Expr small_determinant(ExprPool *pool, size_t n, const Expr *matrix, size_t stride);

typedef struct Inverse {
    Expr *inverse;   /* n x n, the caller's */
    Expr singular;   /* vanishes if the matrix is singular: a determinant, or the reciprocal
                        condition of a pivoted solve */
    Expr regularity; /* in [0, 1], 0 if singular; EXPR_NONE if never singular */
} Inverse;

/* Numeric pivots first; the rest (at most 3 x 3) by cofactors, or pivoted at run time. False if the
 * rest is larger and `pivoted` is false, or if out of memory. */
bool invert_matrix(ExprPool *pool, size_t n, const Expr *matrix, bool pivoted,
                   Inverse *ret_inverse);

#endif
