/* LU factors of a small square matrix, without allocation: P S A = L U with rows scaled by powers
 * of two (S, exact) and partial pivoting (P). Golub and Van Loan, Matrix Computations, section 3.4.
 *
 * A system lives in lu_doubles(n) numbers: the caller writes the matrix row by row into the first
 * n * n of them, lu_factor() the factors and what belongs to them. */
#ifndef CORE_NUMERIC_LU_H
#define CORE_NUMERIC_LU_H

#include <stdbool.h>
#include <stddef.h>

size_t lu_doubles(size_t n);

/* False if the matrix is singular to the last bit or not finite; solutions are then inf or NaN. */
bool lu_factor(size_t n, double *lu);

/* A x = rhs; ret_x may not overlap rhs. */
void lu_solve(size_t n, const double *lu, const double *rhs, double *ret_x);

double lu_determinant(size_t n, const double *lu);

/* 1 / (norm of S A times the norm of its inverse); a norm is the largest row sum. 0 if A is
 * singular. scratch: 2 n numbers. Of order n^3. */
double lu_rcond(size_t n, const double *lu, double *scratch);

#endif
