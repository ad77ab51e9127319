/* A bound on the degree of a rational function. Private to core/exact. */
#ifndef CORE_EXACT_DEGREE_H
#define CORE_EXACT_DEGREE_H

#include "core/exact/multiples.h"

/* An upper bound of the degree of the numerator of the terms' sum, in the free symbols and the
 * unknowns of the bases, as it is evaluated over a field. A root counts by its norm, which vanishes
 * where the root does. Negative if memory is out. */
double degree_bound(const Steps *steps, const Multiples *multiples);

#endif
