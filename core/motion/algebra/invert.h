/* Inverses of small matrices of expressions, unrolled as far as that is sound. */
#ifndef CORE_MOTION_ALGEBRA_INVERT_H
#define CORE_MOTION_ALGEBRA_INVERT_H

#include "core/expr/calculus/calculus.h"

/* A step of Gauss and Jordan: row `pivot` is divided by its entry in `column`, a number other than
 * 0, and the column vanishes in the other rows; numbers that cancel but for rounding become 0. */
void eliminate_column(ExprPool *pool, Expr *work, size_t n_rows, size_t n_columns, size_t pivot,
                      size_t column);

/* Gauss-Jordan elimination of work (n_rows x n_columns) with numeric pivots only, which cannot
 * vanish, among the first n_pivots columns. ret_pivot[row] is the column of the row's pivot (there
 * the column is a unit vector afterwards), or SIZE_MAX where the row found none. `preferred`
 * (n_pivots, may be NULL) columns go first, then later ones. Returns the number of pivots. */
size_t eliminate_numeric(ExprPool *pool, Expr *work, size_t n_rows, size_t n_columns,
                         size_t n_pivots, const bool *preferred, size_t *ret_pivot);

/* Determinant of a matrix up to 3 x 3 with the given distance between rows; 1 for n = 0. */
Expr small_determinant(ExprPool *pool, size_t n, const Expr *matrix, size_t stride);

typedef struct Inverse {
    Expr *inverse;   /* n x n, the caller's */
    Expr singular;   /* vanishes where the matrix is singular: a determinant, or the reciprocal
                        condition of a pivoted solve */
    Expr regularity; /* in [0, 1], 0 where singular; EXPR_NONE where that cannot be */
} Inverse;

/* Numeric pivots first; what remains (at most 3 x 3) by cofactors, or pivoted at run time. False
 * when more remains and `pivoted` is not asked for, or memory is out. */
bool invert_matrix(ExprPool *pool, size_t n, const Expr *matrix, bool pivoted,
                   Inverse *ret_inverse);

#endif
