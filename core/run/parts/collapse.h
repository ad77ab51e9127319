/* Inside core/run/: steps that become shorter and shorter towards t = 0, about which numbers
 * are finer than anywhere else.
 *
 * At other instants steps end at some units of rounding of t, and with them a run whose velocities
 * have no bound, as with the constraint y = cbrt(t^2). Towards 0 they could go on to 1e-300. A
 * motion comes across if only a slope has no bound, as with dot(y) = cbrt(t). It ends if its
 * velocities grow or jump, or if it does not arrive. */
#ifndef CORE_RUN_PARTS_COLLAPSE_H
#define CORE_RUN_PARTS_COLLAPSE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/model/evaluate.h"

typedef struct StepCollapse {
    double t0;            /* start of the run */
    double t;             /* the last instant in it; NAN: not in it */
    double largest;       /* velocity where it went in, in units in which kinds can be compared */
    uint64_t steps;       /* towards 0 since */
    double *v;            /* n: of the last state in it */
    double *units, *rest; /* n: scratch */
} StepCollapse;

/* Arrays are the arena's. */
void collapse_init(StepCollapse *collapse, double t0, size_t n, Arena *arena);

/* True if a collapse lasted up to the last step. */
static inline bool collapse_was_in(const StepCollapse *collapse)
{
    return !isnan(collapse->t);
}
/* True if a step of this length to t is so short, beside t - t0, that rounding of t would forbid
 * it at any other instant. */
static inline bool collapse_has(double t0, double t, double h)
{
    return fabs(h) < 16 * DBL_EPSILON * fabs(t - t0);
}
static inline bool collapse_is_in(const StepCollapse *collapse, double t, double h)
{
    return collapse_has(collapse->t0, t, h);
}

/* Call it after a step of length h to this state, if the last step or this one belongs to a
 * collapse. ERR_NUMERIC if no step leads out of the collapse; the message names the constraint
 * that causes it. */
Status collapse_step(StepCollapse *collapse, ModelEval *eval, double t, double h, const double *q,
                     const double *v, Error *err) MUST_CHECK;

#endif
