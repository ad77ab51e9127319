/* LU factors of a small matrix, for expr_eval(). Private to core/expr.
 *
 * Rows are scaled by their largest entry, then eliminated with partial pivoting. `lu` holds
 * lu_doubles(n) numbers: the matrix row by row and in its place the factors, then the row scales,
 * the row order and the norm. A singular matrix gives infinities and NaN, not a failure. */
#ifndef CORE_EXPR_LU_H
#define CORE_EXPR_LU_H

#include <stddef.h>

size_t lu_doubles(size_t n);
void lu_factor(size_t n, double *lu);
/* ret_x may not overlap rhs. */
void lu_solve(size_t n, const double *lu, const double *rhs, double *ret_x);
/* 1 / (norm of the scaled matrix * norm of its inverse), largest row sums; 0 when singular. */
double lu_rcond(size_t n, const double *lu, double *scratch); /* 2 n numbers of scratch */

#endif
