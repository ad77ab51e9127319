/* Errors that rounding of the rates has allowed, beside those that were asked for. */
#include "core/integrate/rounding.h"

#include <math.h>

/* Errors of so many tolerances are those of a motion that is not what was asked for. */
static const double MUCH = 1000;

void rounding_begin(OdeStep *step, size_t lane)
{
    step->rounded_t[lane] = step->t[lane];
}

/* The largest that a component, others of its kind and what it moves have been: beside these it may rest, and
 * be nothing but rounding. */
static double scale_of(const OdeStep *step, size_t lane, size_t r)
{
    const size_t lanes = step->lanes;
    double scale = fmax(step->size[r * lanes + lane], fabs(step->y[r * lanes + lane]));

    if (!step->nominal)
        return scale;
    scale = fmax(scale, step->most[step->kinds[r] * lanes + lane]);
    if (step->integrals[r] >= step->dim || !(step->span > 0))
        return scale;
    const size_t moved = step->integrals[r];
    const double most = step->most[step->kinds[moved] * lanes + lane];
    return fmax(scale, fmax(step->size[moved * lanes + lane], most) / step->span);
}

void rounding_gather(OdeStep *step, size_t lane, const double *before)
{
    const double t = step->t[lane], since = step->rounded_t[lane], h = fabs(step->h[lane]);

    step->rounded_t[lane] = t;
    for (size_t r = 0, i = lane; r < step->dim; r++, i += step->lanes) {
        const double least = fmin(before[i], step->noise[i]);
        /* mostly there is none */
        if (!(least > 0) ||
            !(h * least > MUCH * (step->atol + step->rtol) * scale_of(step, lane, r)))
            continue;
        if (step->rounded[i] == 0)
            step->rounded_since[i] = since;
        step->rounded[i] += fmax(before[i], step->noise[i]) * fabs(t - since);
    }
}

OdeRounding rounding_worst(const OdeStep *step, size_t lane)
{
    OdeRounding worst = {0};
    double most = MUCH;

    for (size_t r = 0, i = lane; r < step->dim; r++, i += step->lanes) {
        const double by = step->rounded[i];
        if (!(by > 0))
            continue;
        const double scale = scale_of(step, lane, r);
        const double ratio = by / ((step->atol + step->rtol) * scale);
        /* what has never been more than that is at rest */
        if (!(ratio > most) || by >= scale)
            continue;
        most = ratio;
        worst = (OdeRounding){.component = r, .t = step->rounded_since[i], .by = by};
    }
    return worst;
}
