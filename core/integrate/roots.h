/* The roots of guards within a step. ode.h says which roots are found and which can be missed. */
#ifndef CORE_INTEGRATE_ROOTS_H
#define CORE_INTEGRATE_ROOTS_H

#include "core/integrate/events.h"

/* Looks inside the step (after guards_see_end()); true when only the dense output tells more. */
bool guards_suspect(Guards *guards, const OdeStep *step);

/* The roots within the step, by the dense output, in order of time: guards->roots[0..count).
 * Unless `whole`, only those up to the first break without a direction are needed. *ret_cut: 1, or
 * the part of the step, above `least`, that can be looked through; then the step is to be taken
 * again up to there, and the roots are not whole. Nor are they when the thread is to stop
 * (core/base/stop_token.h). */
size_t guards_roots(Guards *guards, const OdeStep *step, const OdeMethod *method, bool whole,
                    double least, double *ret_cut);

#endif
