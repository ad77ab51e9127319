/* The linear system of a correction: least change in a metric, under linear conditions. */
#ifndef CORE_MODEL_KKT_H
#define CORE_MODEL_KKT_H

#include <stdbool.h>
#include <stddef.h>

/* Solves [M A^T; A 0] [x; k] = rhs (n + n_rows, overwritten by the solution). If M (n x n) is NULL,
 * it is the unit matrix. work: kkt_doubles(n + n_rows) numbers, zero before the first call; they
 * keep the factors for the next call. False if the matrix is singular; rhs is then undefined. */
size_t kkt_doubles(size_t size);
bool kkt_solve(size_t n, const double *M, size_t n_rows, const double *A, double *rhs,
               double *work);

/* The number of solutions of that size within 1e9 operations (about 1 s), but 10 to `most`. */
int kkt_budget(size_t size, int most);

#endif
