/* Does M determine the accelerations that the constraints leave free? */
#ifndef CORE_MODEL_REGULARITY_H
#define CORE_MODEL_REGULARITY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

/* Properties of M on the kernel of the independent rows: N^T M N, N a basis of the kernel. They are
 * measured relative to |N|^T |M| |N|, because N^T M N is rounding of it if masses cancel.
 * Coordinates are scaled by |M_ii|^(1/2), so that units do not matter. */
typedef struct Regularity {
    bool regular, positive; /* nondegenerate; positive definite */
    bool cancels;           /* N^T M N is zero, though M N is not: its terms cancel */
    double *direction; /* n, the caller's, or NULL: a direction in which M is singular, in these
                       units */
} Regularity;

typedef struct RegularityMatrices {
    size_t n;
    const double *M;          /* n x n */
    const double *M_rounding; /* n: an M_ii within a few units in the last place of this is zero */
    const double *A;          /* of n columns */
} RegularityMatrices;

/* rows[n_rows]: the rows of A that count. */
Status regularity_of(const RegularityMatrices *matrices, const size_t *rows, size_t n_rows,
                     Regularity *ret, Error *err) MUST_CHECK;

/* Whether equations that divide by a positive definite M lose few digits: the pivots of A M^-1 A^T,
 * with the diagonal of M for M, are large relative to its diagonal elements. They are small if
 * constraints couple a light body to heavy ones: its acceleration is then a small difference of
 * large forces over a small mass. */
bool mass_divides(size_t n, const double *M, const double *A, const size_t *rows, size_t n_rows);

/* The condition number of N^T M N, N an orthonormal basis of the kernel in the coordinates as they
 * are; 1 if the kernel is zero. */
Status mass_condition(size_t n, const double *M, const double *A, const size_t *rows, size_t n_rows,
                      double *ret, Error *err) MUST_CHECK;

#endif
