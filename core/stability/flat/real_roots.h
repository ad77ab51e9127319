/* Inside core/stability/: real roots that are simple numbers, and the sign beside them. */
#ifndef CORE_STABILITY_FLAT_REAL_ROOTS_H
#define CORE_STABILITY_FLAT_REAL_ROOTS_H

#include "core/stability/flat/flat.h"

enum { REAL_ROOTS_MOST = 12 }; /* coefficients, and so roots */

typedef struct RealRoots {
    size_t n;
    Expr root[REAL_ROOTS_MOST];
    unsigned multiplicity[REAL_ROOTS_MOST];
    /* EXACT_POSITIVE: the polynomial is positive at all other places, and these are all roots;
     * EXACT_NEGATIVE: somewhere negative. EXACT_NO_SIGN: it has roots that are no simple numbers,
     * or vanishes. */
    ExactSign sign;
} RealRoots;

/* Of the sum of coefs[k] u^k, k < n <= REAL_ROOTS_MOST, numbers of flat's pool. Roots are
 * searched among fractions and their square roots; each is proved by the exact tests. */
Status real_roots(const Flat *flat, const Expr *coefs, size_t n, RealRoots *ret,
                  Error *err) MUST_CHECK;

#endif
