/* A bound on the degree of a rational function. Private to core/exact. */
#ifndef CORE_EXACT_DEGREE_H
#define CORE_EXACT_DEGREE_H

#include "core/exact/multiples.h"

/* At most so large is the degree of the numerator of the sum of the terms in the free symbols and
 * the unknowns of the bases, as it is evaluated over a field; roots are counted by their norm,
 * which vanishes where they do. Negative when memory is out. */
double degree_bound(const Steps *steps, const Multiples *multiples);

#endif
