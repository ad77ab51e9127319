/* Discs that contain the eigenvalues of a matrix whose entries are known to a bound. */
#ifndef CORE_NUMERIC_SPECTRUM_H
#define CORE_NUMERIC_SPECTRUM_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

/* A computed eigenvalue and its disc. Discs that overlap make up a cluster, which contains as many
 * eigenvalues of every matrix within the bound as it has discs. */
typedef struct Eigenvalue {
    double re, im, radius;
    size_t cluster; /* index of its first disc */
} Eigenvalue;

/* GSL cannot be told to leave the eigenvalues of a block, so many rows that act on each other: of
 * some more they take many seconds. */
enum { SPECTRUM_MOST_ROWS = 512 };

/* Of all matrices within error[n x n] >= 0 of a[n x n], entry by entry: an entry with the error 0
 * is exact. By descending real part, of a pair that with positive imaginary part first. ERR_LIMIT
 * where a block is larger. */
Status spectrum_discs(const double *a, const double *error, size_t n, Eigenvalue *ret,
                      Error *err) MUST_CHECK;

/* A vector re + i im [n] that a[n x n] multiplies by the eigenvalue; of a multiple one which
 * depends on the seed. */
Status spectrum_vector(const double *a, size_t n, const Eigenvalue *value, uint64_t seed,
                       double *ret_re, double *ret_im, Error *err) MUST_CHECK;

#endif
