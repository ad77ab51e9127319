/* Errors that rounding of the rates has added to those of the tolerance. */
#include "core/integrate/rounding.h"

#include <math.h>

/* Rounding is reported from this error on, in units of the tolerance. Convention. */
static const double REPORTED_TOLERANCES = 1000;

void rounding_begin(OdeStep *step)
{
    step->rounding.rounded_t = step->sizes.started = step->t[0];
}

/* The largest value so far of a component's kind, and of the coordinate that it moves over the time
 * elapsed: a component at rest is rounding beside these. step->sizes.most is gathered. */
static double scale_of(const OdeStep *step, size_t r)
{
    double scale = fmax(step->sizes.size[r], fabs(step->y[r]));

    if (!step->sizes.nominal)
        return scale;
    const size_t moved = step->sizes.integrals[r];
    const double elapsed = fabs(step->t[0] - step->sizes.started);
    scale = fmax(scale, step->sizes.most[step->sizes.kinds[r]]);
    return moved < step->dim && elapsed > 0
               ? fmax(scale, step->sizes.most[step->sizes.kinds[moved]] / elapsed)
               : scale;
}

void rounding_gather(OdeStep *step, const double *before)
{
    const double t = step->t[0], since = step->rounding.rounded_t, h = fabs(step->h[0]);

    step->rounding.rounded_t = t;
    ode_gather_kinds(step);
    for (size_t i = 0; i < step->dim; i++) {
        const double grown = h * (step->rounding.noise[i] + h * step->rounding.carried[i]);
        /* the part that an implicit method does not damp within a step */
        const double part = step->rounding.damped && grown > step->rounding.damped[i]
                                ? step->rounding.damped[i] / grown
                                : 1;
        const double least = part * fmin(before[i], step->rounding.noise[i]);
        /* no rounding above the tolerance, the usual case */
        if (!(least > 0) ||
            !(h * least > REPORTED_TOLERANCES * (step->atol + step->rtol) * scale_of(step, i)))
            continue;
        if (step->rounding.rounded[i] == 0)
            step->rounding.rounded_since[i] = since;
        step->rounding.rounded[i] +=
            part * fmax(before[i], step->rounding.noise[i]) * fabs(t - since);
    }
}

OdeRounding rounding_worst(const OdeStep *step)
{
    OdeRounding worst = {0};
    double most = REPORTED_TOLERANCES;

    ode_gather_kinds(step);
    for (size_t i = 0; i < step->dim; i++) {
        const double by = step->rounding.rounded[i];
        if (!(by > 0))
            continue;
        const double scale = scale_of(step, i);
        const double ratio = by / ((step->atol + step->rtol) * scale);
        /* a component that was never larger than this error is at rest */
        if (!(ratio > most) || by >= scale)
            continue;
        most = ratio;
        worst = (OdeRounding){.component = i, .t = step->rounding.rounded_since[i], .by = by};
    }
    return worst;
}
