/* Where rounding of the rates, rather than the tolerances, has decided how long steps are: a
 * pulse so narrow that t, or a coordinate, hardly tells where in it the motion is.
 *
 * No tolerance is below what rounding makes of the rates (sizes.h). Where that is far above what
 * was asked for, the errors that it allows are added up: noise of the rates times the time for
 * which it was that of the steps. */
#ifndef CORE_INTEGRATE_ROUNDING_H
#define CORE_INTEGRATE_ROUNDING_H

#include "core/integrate/method.h"

/* The lane is at a start. */
void rounding_begin(OdeStep *step, size_t lane);

/* Its last steps have led to t, with noise `before` and what it is now. Told where it changes,
 * and where the lane breaks or ends. What is noisy at one of both alone was quiet for most of
 * the way, or the steps were short. */
void rounding_gather(OdeStep *step, size_t lane, const double *before);

/* What it has come to: of the component of which it is the most beside what was asked for. */
OdeRounding rounding_worst(const OdeStep *step, size_t lane);

#endif
