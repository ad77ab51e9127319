/* Errors that rounding of the rates has added to those of the tolerance. */
#include "core/integrate/rounding.h"

#include <math.h>

/* Rounding is reported from this many tolerances on (heuristic; docs/explanation/numerics.md). */
static const double REPORTED_TOLERANCES = 1000;

void rounding_begin(OdeStep *step, size_t lane)
{
    step->rounding.rounded_t[lane] = step->sizes.started[lane] = step->t[lane];
}

/* The largest value so far of a component and of others of its kind, and of the coordinate that
 * it moves over the time elapsed. Beside these a component that rests is rounding alone.
 * step->sizes.most is gathered. */
static double scale_of(const OdeStep *step, size_t lane, size_t r)
{
    const size_t i = r * step->lanes + lane;
    double scale = fmax(step->sizes.size[i], fabs(step->y[i]));

    if (!step->sizes.nominal)
        return scale;
    const size_t moved = step->sizes.integrals[r];
    const double elapsed = fabs(step->t[lane] - step->sizes.started[lane]);
    scale = fmax(scale, step->sizes.most[step->sizes.kinds[r]]);
    return moved < step->dim && elapsed > 0
               ? fmax(scale, step->sizes.most[step->sizes.kinds[moved]] / elapsed)
               : scale;
}

void rounding_gather(OdeStep *step, size_t lane, const double *before)
{
    const double t = step->t[lane], since = step->rounding.rounded_t[lane], h = fabs(step->h[lane]);

    step->rounding.rounded_t[lane] = t;
    ode_gather_kinds(step, lane);
    for (size_t r = 0, i = lane; r < step->dim; r++, i += step->lanes) {
        const double grown = h * (step->rounding.noise[i] + h * step->rounding.carried[i]);
        /* the part that an implicit method does not damp within a step */
        const double part = step->rounding.damped && grown > step->rounding.damped[i]
                                ? step->rounding.damped[i] / grown
                                : 1;
        const double least = part * fmin(before[i], step->rounding.noise[i]);
        /* no rounding above the tolerance, the usual case */
        if (!(least > 0) || !(h * least > REPORTED_TOLERANCES * (step->atol + step->rtol) *
                                              scale_of(step, lane, r)))
            continue;
        if (step->rounding.rounded[i] == 0)
            step->rounding.rounded_since[i] = since;
        step->rounding.rounded[i] +=
            part * fmax(before[i], step->rounding.noise[i]) * fabs(t - since);
    }
}

OdeRounding rounding_worst(const OdeStep *step, size_t lane)
{
    OdeRounding worst = {0};
    double most = REPORTED_TOLERANCES;

    ode_gather_kinds(step, lane);
    for (size_t r = 0, i = lane; r < step->dim; r++, i += step->lanes) {
        const double by = step->rounding.rounded[i];
        if (!(by > 0))
            continue;
        const double scale = scale_of(step, lane, r);
        const double ratio = by / ((step->atol + step->rtol) * scale);
        /* a component that was never larger than this error is at rest */
        if (!(ratio > most) || by >= scale)
            continue;
        most = ratio;
        worst = (OdeRounding){.component = r, .t = step->rounding.rounded_since[i], .by = by};
    }
    return worst;
}
