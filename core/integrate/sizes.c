/* Sizes of the components of a state, and the noise of their rates. */
#include "core/integrate/sizes.h"

#include "core/integrate/rounding.h"
#include "core/program/block_of_one.h"

#include "core/integrate/step_blocks.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_given(const OdeStep *step, size_t r)
{
    return !step->sizes.nominal || step->sizes.nominal[r] > 0;
}

bool sizes_are_given(const double *nominal, size_t dim)
{
    size_t r = 0;

    while (nominal != NULL && r < dim && nominal[r] > 0)
        r++;
    return nominal == NULL || r == dim;
}

void sizes_start(OdeStep *step)
{
    for (size_t r = 0; r < step->rows; r++) {
        const bool given = r >= step->dim || is_given(step, r);
        step->sizes.unsized[r] = given ? 0 : 1;
        step->sizes.size[r] = !given                                 ? SIZES_LEAST
                              : step->sizes.nominal && r < step->dim ? step->sizes.nominal[r]
                                                                     : 1;
    }
    step->sizes.reweighed = true;
}

static void take_values(OdeStep *step)
{
    for (size_t i = 0; i < step->dim; i++) {
        const double value = step->sizes.unsized[i] * fabs(step->y[i]);
        if (!(value > step->sizes.size[i]))
            continue;
        step->sizes.size[i] = value;
        step->sizes.reweighed = true;
    }
}

double sizes_of_kind(const OdeStep *step, size_t r)
{
    ode_gather_kinds(step);
    const double size = step->sizes.most[step->sizes.kinds[r]];
    return size > SIZES_LEAST ? size : 1;
}

enum { SHAKES = 3 };

bool sizes_have_noise(const OdeStep *step)
{
    for (size_t r = 0; !step->sizes.given && step->system->shaken && r < step->dim; r++)
        if (!is_given(step, r))
            return true;
    return false;
}

/* The rounding error of the rate of component r at y, once the rates are shaken there. */
static double noise_of(const OdeStep *step, size_t r)
{
    double most = 0;

    for (size_t k = 1; k < SHAKES; k++) {
        const double noise = ODE_NOISE_MARGIN * fabs(step->rounding.shaken[k * step->rows + r] -
                                                     step->rounding.shaken[r]);
        most = isfinite(noise) ? fmax(most, noise) : most;
    }
    return most;
}

static void shake(OdeStep *step, double t, const double *y)
{
    for (size_t k = 0; k < SHAKES; k++)
        step->system->shaken(step->system->self, t, y, step->rounding.shaken + k * step->rows);
}

void sizes_carry_noise(OdeStep *step)
{
    step->sizes.reweighed = true;
    for (size_t r = 0; step->sizes.nominal && r < step->dim; r++)
        if (step->sizes.integrals[r] < step->dim)
            step->rounding.carried[step->sizes.integrals[r]] = step->rounding.noise[r];
}

void sizes_measure_noise(OdeStep *step, double least)
{
    shake(step, step->t[0], step->y);
    memcpy(step->rounding.noise_before, step->rounding.noise,
           step->dim * sizeof *step->rounding.noise);
    for (size_t r = 0; r < step->dim; r++)
        step->rounding.noise[r] = fmax(noise_of(step, r), least * step->rounding.noise_before[r]);
    sizes_carry_noise(step);
    rounding_gather(step, step->rounding.noise_before);
}

/* The rates are shaken at the end of an Euler step. */
static void shake_ahead(OdeStep *step, double h)
{
    for (size_t r = 0; r < step->rows; r++)
        step->y_new[r] = step->y[r] + h * step->rates[r];
    shake(step, step->t[0] + h, step->y_new);
}

double sizes_noise_over(const OdeStep *step, double h, double rest)
{
    double largest = 0;

    ode_gather_kinds(step);
    for (size_t r = 0; r < step->dim; r++) {
        const double noise = h * step->rounding.noise[r] / ODE_NOISE_MARGIN;
        const double size = step->sizes.most[step->sizes.kinds[r]];
        if (noise < rest * size)
            largest = ode_larger(largest, noise / size);
    }
    return largest;
}

/* Ratio to the largest of its kind in the step that was tried: a component that starts at zero is
 * not followed below this. If one grows like t^9, no step size of a method of order 8 makes its
 * relative error smaller. Convention. */
static const double LEAST_OF_KIND = 1e-9;

void sizes_guess(OdeStep *step)
{
    for (size_t r = 0; step->sizes.nominal && r < step->dim; r++) {
        const double end = fabs(step->y_new[r]);
        double *most = &step->sizes.most[step->sizes.kinds[r]];
        *most = step->sizes.kinds[r] == r ? end : ode_larger(*most, end);
    }
    for (size_t r = 0; step->sizes.nominal && r < step->dim; r++) {
        const double least = LEAST_OF_KIND * step->sizes.most[step->sizes.kinds[r]];
        if (step->sizes.unsized[r] > 0 && step->y[r] == 0 && isfinite(least))
            step->sizes.size[r] = ode_larger(SIZES_LEAST, least);
    }
    step->sizes.reweighed = true;
}

void sizes_begin(OdeStep *step)
{
    if (!step->sizes.given)
        take_values(step);
    if (sizes_have_noise(step))
        sizes_measure_noise(step, 0);
}

void sizes_begin_noise(OdeStep *step, double h)
{
    double *const start = step->rates_new;
    bool edge = false;

    step->rounding.paced_h = fabs(h);
    memcpy(start, step->rounding.noise, step->dim * sizeof *start);
    /* components that are zero here have no errors yet */
    shake_ahead(step, h);
    for (size_t r = 0; r < step->dim; r++) {
        const double there = noise_of(step, r);
        edge = edge || start[r] > ODE_EDGE * there;
        step->rounding.noise[r] = start[r] > ODE_EDGE * there ? there : fmax(start[r], there);
        start[r] = start[r] > ODE_EDGE * there ? start[r] : 0;
    }
    /* of an edge the errors are those of that place alone */
    if (edge)
        shake_ahead(step, h / 3);
    for (size_t r = 0; edge && r < step->dim; r++)
        step->rounding.noise[r] = fmax(step->rounding.noise[r], fmin(start[r], noise_of(step, r)));
    sizes_carry_noise(step);
}

/* Was the tolerance of some component lifted by the rounding of the rates? */
static bool noise_decides(const OdeStep *step)
{
    for (size_t i = 0; i < step->dim; i++)
        if (ode_rounding(step, i) > ode_weight_at(step, i))
            return true;
    return false;
}

void sizes_take(OdeStep *step, uint64_t steps, double next_h)
{
    if (step->sizes.given)
        return;
    take_values(step);
    if (!sizes_have_noise(step))
        return;
    if (step_outdates(next_h, step->rounding.paced_h)) {
        step->rounding.paced_h = fabs(next_h);
        step->rounding.paced_steps = steps;
        sizes_measure_noise(step, 0);
    } else if (sizes_noise_is_due(step, steps) || noise_decides(step)) {
        sizes_measure_noise(step, 1);
    }
}
