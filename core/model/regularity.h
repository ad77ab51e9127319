/* Does M determine the accelerations that the constraints leave free? */
#ifndef CORE_MODEL_REGULARITY_H
#define CORE_MODEL_REGULARITY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

/* What M is on the kernel of the independent rows: N^T M N, N a basis of the kernel, measured
 * against |N|^T |M| |N|, whose rounding it is where masses cancel. Coordinates are scaled by
 * |M_ii|^(1/2), so that units do not matter. */
typedef struct Regularity {
    bool regular, positive; /* nondegenerate; positive definite */
    bool cancels;           /* N^T M N is zero, though M N is not: its terms cancel */
    bool clearly;           /* it is so by far, then with any other rows, too */
    double
        *direction; /* n, owned by the caller, may be NULL: where it degenerates, in these units */
} Regularity;

typedef struct RegularityMatrices {
    size_t n;
    const double *M;          /* n x n */
    const double *M_rounding; /* n: an M_ii of only a few units in the last place of it is zero */
    const double *A;          /* of n columns */
} RegularityMatrices;

/* rows[n_rows]: the rows of A that count. */
Status regularity_of(const RegularityMatrices *matrices, const size_t *rows, size_t n_rows,
                     Regularity *ret, Error *err) MUST_CHECK;

/* Whether equations that divide by M, positive definite, lose few digits. Then the pivots of
 * A M^-1 A^T, with M by its diagonal, are no small parts of its diagonal elements. They are small
 * if the constraints move a light body with heavy ones: its acceleration is a small difference of
 * large forces over a small mass. */
bool mass_divides(size_t n, const double *M, const double *A, const size_t *rows, size_t n_rows);

/* The condition of N^T M N, N an orthonormal basis of the kernel in the coordinates as they are; 1
 * when no motion is left. */
Status mass_condition(size_t n, const double *M, const double *A, const size_t *rows, size_t n_rows,
                      double *ret, Error *err) MUST_CHECK;

#endif
