/* Small dense linear algebra off the hot path. Matrices are row-major, m x n.
 * Mostly thin wrappers over GSL; none of them aborts, logs or keeps state. */
#ifndef CORE_NUMERIC_DENSE_H
#define CORE_NUMERIC_DENSE_H

#include <stddef.h>

#include "core/base/status.h"

/* Singular values (min(m, n) of them, descending). */
Status dense_singular_values(const double *a, size_t m, size_t n, double *ret_s,
                             Error *err) MUST_CHECK;

/* Makes the columns of a (m >= n) orthonormal in place, in their order (QR): the first k columns
 * span the same space as before. */
Status dense_orthonormal_columns(double *a, size_t m, size_t n, Error *err) MUST_CHECK;

/* Rows of a that are independent, chosen by column-pivoted QR of the transposed, row-normalized
 * matrix: ret_rows[0..rank) in ascending order. The rank is the number of singular values of the
 * row-normalized matrix above tolerance times the largest. */
Status dense_independent_rows(const double *a, size_t m, size_t n, double tolerance,
                              size_t *ret_rows, size_t *ret_rank, Error *err) MUST_CHECK;

/* The least-norm least-squares solution x (n) of a x = b (m), singular values below
 * tolerance * largest taken as zero. */
Status dense_least_norm(const double *a, size_t m, size_t n, const double *b, double tolerance,
                        double *ret_x, Error *err) MUST_CHECK;

/* An orthonormal basis of the null space of a: ret_basis[n][*ret_dim] row-major with leading
 * dimension n (column j of the basis at ret_basis[i * n + j]). */
Status dense_null_space(const double *a, size_t m, size_t n, double tolerance, double *ret_basis,
                        size_t *ret_dim, Error *err) MUST_CHECK;

/* Eigenvalues of a symmetric matrix, ascending. */
Status dense_symmetric_eigenvalues(const double *a, size_t n, double *ret_values,
                                   Error *err) MUST_CHECK;

/* Eigenvalues of a square matrix: ret_re[n], ret_im[n], by descending real part. In a pair, the
 * eigenvalue with positive imaginary part comes first. */
Status dense_eigenvalues(const double *a, size_t n, double *ret_re, double *ret_im,
                         Error *err) MUST_CHECK;

/* Their order, for qsort() of elements that begin with the numbers re and im. */
int compare_eigenvalues(const void *a, const void *b);

/* Solves a x = b for the n_rhs columns of b[n][n_rhs] by LU (lu.h); the solutions replace b.
 * ERR_NUMERIC if the matrix is singular to the last bit or not finite. */
Status dense_solve(const double *a, size_t n, double *b, size_t n_rhs, Error *err) MUST_CHECK;

#endif
