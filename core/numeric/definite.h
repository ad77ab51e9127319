/* Cheap tests of symmetric matrices for positive definiteness, without allocation. */
#ifndef CORE_NUMERIC_DEFINITE_H
#define CORE_NUMERIC_DEFINITE_H

#include <stdbool.h>
#include <stddef.h>

/* The largest side. Both functions return false for larger matrices. */
enum { DEFINITE_MOST = 8 };

/* Whether M[n x n], in units in which its diagonal is 1, has no eigenvalue below 3e-7, with
 * rounding allowed for. The largest eigenvalue is at most n. False proves nothing. */
bool definite_clearly(size_t n, const double *M);

/* Whether M is positive definite and each pivot is at least `least` times its diagonal element. A
 * solution then loses no more digits than that. */
bool definite_with_pivots(size_t n, const double *M, double least);

#endif
