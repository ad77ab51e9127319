/* The sizes of the components of a state, by which the absolute tolerance is multiplied. */
#ifndef CORE_INTEGRATE_SIZES_H
#define CORE_INTEGRATE_SIZES_H

#include "core/integrate/method.h"

/* The lane starts, or goes on from a break, with y, rates, and h up to which it may go: a component
 * that was zero up to now counts for the first step as what its rate may make of it. */
void sizes_begin(OdeStep *step, size_t lane);

/* The lane has come to y. */
void sizes_take(OdeStep *step, size_t lane);

#endif
