/* Jacobi's rotations for small matrices: no work space, and small values are as accurate as the
 * matrix, while GSL's rotations set them to zero. Matrices are row-major. */
#ifndef CORE_NUMERIC_JACOBI_H
#define CORE_NUMERIC_JACOBI_H

#include <stdbool.h>
#include <stddef.h>

/* Entries should be about 1 at most, because they are squared. False if the rotations do not
 * converge, which has not been seen. The matrix is overwritten. */

/* Singular values of a (m <= n), descending: its rows are made orthogonal to each other. */
bool jacobi_singular_values(double *a, size_t m, size_t n, double *ret_s);

/* Eigenvalues of a symmetric matrix, ascending. */
bool jacobi_eigenvalues(double *a, size_t n, double *ret_values);

#endif
