/* Discs that contain the eigenvalues of a matrix whose entries are known to a bound. */
#ifndef CORE_NUMERIC_SPECTRUM_H
#define CORE_NUMERIC_SPECTRUM_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

/* A computed eigenvalue and its disc. Overlapping discs form a cluster. For every matrix within the
 * bound, a cluster contains as many eigenvalues as it has discs. */
typedef struct Eigenvalue {
    double re, im, radius;
    size_t cluster; /* index of its first disc */
} Eigenvalue;

/* The largest block: GSL cannot be interrupted, and larger ones take many seconds. */
enum { SPECTRUM_MOST_ROWS = 512 };

/* Discs of the eigenvalues of all matrices within error[n x n] >= 0 of a[n x n], entry by entry. An
 * entry with the error 0 is exact. The order is by descending real part; in a pair, the eigenvalue
 * with positive imaginary part comes first. ERR_LIMIT if a block is too large. */
Status spectrum_discs(const double *a, const double *error, size_t n, Eigenvalue *ret,
                      Error *err) MUST_CHECK;

/* An eigenvector re + i im [n] of a[n x n]. That of a multiple eigenvalue depends on the seed. */
Status spectrum_vector(const double *a, size_t n, const Eigenvalue *value, uint64_t seed,
                       double *ret_re, double *ret_im, Error *err) MUST_CHECK;

#endif
