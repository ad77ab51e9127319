/* Places at which rounding of the rates, rather than the tolerances, has decided the lengths of
 * steps: a pulse so narrow that t, or a coordinate, hardly tells the place of the motion in it.
 *
 * No tolerance is below the rounding errors of the rates (sizes.h). If these are far above the one
 * asked for, the allowed errors are added up: noise of the rates times the time with it. */
#ifndef CORE_INTEGRATE_ROUNDING_H
#define CORE_INTEGRATE_ROUNDING_H

#include "core/integrate/method.h"

/* The lane is at a start. */
void rounding_begin(OdeStep *step);

/* The last steps have led to t; the noise was `before`, and is the present one. Called when the
 * noise changes, and when the lane breaks or ends. A component with noise at one end alone was
 * without noise for most of the way, or the steps were short. */
void rounding_gather(OdeStep *step, const double *before);

/* The sum of the errors, of the component with the largest sum in units of its tolerance. */
OdeRounding rounding_worst(const OdeStep *step);

#endif
