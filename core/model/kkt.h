/* The linear system of a correction: least change in a metric, under linear conditions. */
#ifndef CORE_MODEL_KKT_H
#define CORE_MODEL_KKT_H

#include <stdbool.h>
#include <stddef.h>

/* Solves [M A^T; A 0] [x; k] = rhs (n + n_rows, overwritten by the solution); M (n x n) NULL is the
 * unit matrix; work: kkt_doubles(n + n_rows), zero at first: a matrix that is that of the last call
 * with this work is not factored again. False when singular, and rhs is of no use. */
size_t kkt_doubles(size_t size);
bool kkt_solve(size_t n, const double *M, size_t n_rows, const double *A, double *rhs,
               double *work);

/* How many solutions of that size are worth waiting for; between 10 and `most`. */
int kkt_budget(size_t size, int most);

#endif
