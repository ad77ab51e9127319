/* Symmetric matrices that are positive definite by far: a cheap answer to what mostly is asked of
 * them, without allocation. */
#ifndef CORE_NUMERIC_DEFINITE_H
#define CORE_NUMERIC_DEFINITE_H

#include <stdbool.h>
#include <stddef.h>

/* Larger ones are none to this function. */
enum { DEFINITE_MOST = 8 };

/* Whether M[n x n], in units in which its diagonal is 1, has no eigenvalue below 3e-7, whatever
 * rounding has done; the largest is at most n. False says nothing. */
bool definite_clearly(size_t n, const double *M);

/* Whether M is positive definite and no pivot is less than so much of its diagonal element: no more
 * digits are lost in a solution. */
bool definite_with_pivots(size_t n, const double *M, double least);

#endif
