/* Sizes of the components of a state, and the noise of their rates. */
#include "core/integrate/sizes.h"

#include "core/integrate/rounding.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A velocity counts at least so much of what it moves, over the time of the motion. */
static const double LEAST_OF_MOVED = 1e-9;

/* Tails of what is still far ahead (a pulse, exp(-t^2)) are nothing; no unit is so large. */
static const double LEAST_SIZE = 1e-100;

static bool is_given(const OdeStep *step, size_t r)
{
    return step->nominal[r] > 0;
}

bool sizes_are_given(const double *nominal, size_t dim)
{
    size_t r = 0;

    while (nominal != NULL && r < dim && nominal[r] > LEAST_SIZE)
        r++;
    return nominal != NULL && r == dim;
}

/* While the largest of a kind has not grown by more than this, it need not be asked what it makes of the sizes of
 * others, where these are farther above that than it grows. */
static const double QUIET = 2;

/* From the largest values met, of the component itself and of its kind. */
static void sizes_of_kinds(OdeStep *step, size_t lane)
{
    const size_t lanes = step->lanes;

    for (size_t r = 0; r < step->dim; r++) {
        const size_t i = r * lanes + lane, kind = step->kinds[r] * lanes + lane;
        const double of_kind = step->least_of_kind * step->most[kind];
        if (is_given(step, r)) {
            step->size[i] = step->nominal[r];
            continue;
        }
        step->size[i] = ode_larger(LEAST_SIZE, ode_larger(step->largest[i], of_kind));
        if (step->largest[i] < QUIET * of_kind)
            step->quiet[kind] = 0;
    }
}

/* A velocity that is nearly zero beside what it moves is not resolved either. */
static void sizes_of_moving(OdeStep *step, size_t lane)
{
    const size_t lanes = step->lanes;
    const double time = step->span;

    for (size_t r = 0; r < step->dim && time > 0; r++) {
        if (step->integrals[r] >= step->dim || is_given(step, r))
            continue;
        const size_t of = step->integrals[r] * lanes + lane;
        const size_t kind = step->kinds[step->integrals[r]] * lanes + lane;
        double *size = &step->size[r * lanes + lane];
        /* its coordinate may grow up to the largest of the kind, and with it */
        const double most = ode_larger(step->size[of], step->most[kind]);
        if (*size < QUIET * LEAST_OF_MOVED * most / time)
            step->quiet[kind] = 0;
        *size = ode_larger(*size, LEAST_OF_MOVED * step->size[of] / time);
    }
}

/* Each kind's largest value is gathered at its first component. */
void sizes_make(OdeStep *step, size_t lane)
{
    const size_t lanes = step->lanes;

    for (size_t r = 0; r < step->dim; r++) {
        const size_t kind = step->kinds[r] * lanes + lane;
        const double value = step->largest[r * lanes + lane];
        step->most[kind] = step->kinds[r] == r ? value : ode_larger(step->most[kind], value);
    }
    for (size_t r = 0; r < step->dim; r++)
        step->quiet[r * lanes + lane] = QUIET * step->most[r * lanes + lane];
    sizes_of_kinds(step, lane);
    sizes_of_moving(step, lane);
}

static void take_values(OdeStep *step, size_t lane)
{
    const size_t lanes = step->lanes;
    bool anew = !step->sized[lane];

    for (size_t r = 0, i = lane; r < step->dim; r++, i += lanes) {
        const double value = fabs(step->y[i]);
        if (!(value > step->largest[i]))
            continue;
        const size_t kind = step->kinds[r] * lanes + lane;
        step->largest[i] = value;
        if (!is_given(step, r))
            step->size[i] = ode_larger(step->size[i], value);
        step->most[kind] = ode_larger(step->most[kind], value);
        anew |= step->most[kind] > step->quiet[kind];
        step->resized = true;
    }
    if (anew) {
        sizes_make(step, lane);
        step->resized = true;
    }
    step->sized[lane] = true;
}

/* What is smaller than this part of what its rate may make of it is zero, but for rounding. */
static const double NOTHING = 1e-10;

/* The shortest time in which a component changes by itself; `longest` where all are zero or rest. */
static double time_scale(const OdeStep *step, size_t lane, double longest)
{
    double shortest = longest;

    for (size_t i = lane; i < step->dim * step->lanes; i += step->lanes) {
        const double change = fabs(step->rates[i]), value = fabs(step->y[i]);
        if (change > 0 && value > NOTHING * longest * change)
            shortest = fmin(shortest, value / change);
    }
    return shortest;
}

/* Of what was expected, so much is believed from then on: methods of low order take steps that are
 * short beside the time for which something has been growing from zero. */
static const double EXPECTED = 1e-3;

static void expect(OdeStep *step, size_t lane, size_t r, double size)
{
    const size_t i = r * step->lanes + lane;

    if (!is_given(step, r) && step->largest[i] <= NOTHING * size) {
        step->size[i] = fmax(step->size[i], size);
        step->largest[i] = fmax(step->largest[i], EXPECTED * size);
    }
}

double sizes_of_kind(const OdeStep *step, size_t lane, size_t r)
{
    double size = 0;

    for (size_t other = 0; other < step->dim; other++)
        if (step->kinds[other] == step->kinds[r])
            size = fmax(size, step->size[other * step->lanes + lane]);
    return size > 0 ? size : 1;
}

/* Sizes of what is not given, as the first step may make them. */
static void expect_all(OdeStep *step, size_t lane)
{
    const double time = time_scale(step, lane, fabs(step->h[lane]));

    for (size_t r = 0; r < step->dim; r++)
        expect(step, lane, r, time * fabs(step->rates[r * step->lanes + lane]));
    for (size_t r = 0; r < step->dim; r++)
        if (step->integrals[r] < step->dim)
            expect(step, lane, step->integrals[r], time * step->size[r * step->lanes + lane]);
}

void sizes_begin(OdeStep *step, size_t lane)
{
    if (step->nominal == NULL)
        return;
    step->resized = true;
    if (step->given) {
        for (size_t r = 0, i = lane; r < step->dim; r++, i += step->lanes)
            step->size[i] = step->reach[i] = step->nominal[r];
        step->sized[lane] = true;
        return;
    }
    take_values(step, lane);
    expect_all(step, lane);
    for (size_t r = 0; r < step->dim; r++)
        if (step->size[r * step->lanes + lane] <= LEAST_SIZE)
            step->size[r * step->lanes + lane] = sizes_of_kind(step, lane, r);
    for (size_t i = lane; i < step->dim * step->lanes; i += step->lanes)
        step->reach[i] = step->size[i];
    step->sized[lane] = false; /* what was expected is not what they are made of */
}

/* |y''| of a component, as an Euler step h tells it. */
static double curvature(const OdeStep *step, size_t i, double h)
{
    return fabs(step->rates_new[i] - step->rates[i]) / h;
}

/* The shortest time in which a component changes by itself, at its rate or from rest. */
static double time_scale_from_rest(const OdeStep *step, size_t lane, double h)
{
    double shortest = time_scale(step, lane, fabs(step->h[lane]));

    for (size_t i = lane; i < step->dim * step->lanes; i += step->lanes) {
        const double change = shortest * shortest * curvature(step, i, h), value = fabs(step->y[i]);
        if (value < change && value > NOTHING * change)
            shortest *= sqrt(value / change);
    }
    return shortest;
}

/* Whether all of the kind is nothing beside this size. */
static bool kind_is_nothing(const OdeStep *step, size_t lane, size_t r, double size)
{
    for (size_t other = 0; other < step->dim; other++)
        if (step->kinds[other] == step->kinds[r] &&
            !(step->largest[other * step->lanes + lane] <= NOTHING * size))
            return false;
    return true;
}

void sizes_begin_at_rest(OdeStep *step, size_t lane, double h)
{
    double *const expected = step->y_new;

    if (step->nominal == NULL || step->given || !(h > 0))
        return;
    const double time = time_scale_from_rest(step, lane, h);
    const bool told = time < fabs(step->h[lane]);
    for (size_t r = 0, i = lane; r < step->dim; r++, i += step->lanes) {
        const double size = time * time * curvature(step, i, h);
        /* without a time that others tell, zero that does not move is left at that */
        const bool rests = (told || step->largest[i] > 0) && !is_given(step, r) &&
                           size > LEAST_SIZE && isfinite(size) &&
                           kind_is_nothing(step, lane, r, size);
        expected[i] = rests ? size : 0;
    }
    for (size_t r = 0, i = lane; r < step->dim; r++, i += step->lanes)
        if (expected[i] > 0) {
            step->size[i] = step->reach[i] = expected[i];
            /* what grows as t^2 is so much of it after the same time */
            step->largest[i] = fmax(step->largest[i], EXPECTED * EXPECTED * expected[i]);
        }
}

enum { SHAKES = 3 };

bool sizes_have_noise(const OdeStep *step)
{
    for (size_t r = 0; step->nominal && !step->given && step->system->shaken && r < step->dim; r++)
        if (!is_given(step, r))
            return step->lanes == 1;
    return false;
}

/* 1 / the time in which some component changes by its size. */
static double pace_of(const OdeStep *step)
{
    double pace = 0;

    for (size_t r = 0; r < step->dim; r++)
        if (step->size[r] > 0)
            pace = ode_larger(pace, fabs(step->rates[r]) / step->size[r]);
    return pace;
}

/* What rounding does to the rates at y, of component r, once they are shaken there. */
static double noise_of(const OdeStep *step, size_t r)
{
    double most = 0;

    for (size_t k = 1; k < SHAKES; k++) {
        const double noise =
            ODE_NOISE_MARGIN * fabs(step->shaken[k * step->rows + r] - step->shaken[r]);
        most = isfinite(noise) ? fmax(most, noise) : most;
    }
    return most;
}

static void shake(OdeStep *step, double t, const double *y)
{
    for (size_t k = 0; k < SHAKES; k++)
        step->system->shaken(step->system->self, t, y, step->shaken + k * step->rows);
}

/* What moves others by its noise carries that on. */
static void carry_noise(OdeStep *step)
{
    step->renoised = true;
    for (size_t r = 0; r < step->dim; r++)
        if (step->integrals[r] < step->dim)
            step->carried[step->integrals[r]] = step->noise[r];
}

void sizes_measure_noise(OdeStep *step)
{
    step->pace = pace_of(step);
    shake(step, step->t[0], step->y);
    memcpy(step->noise_before, step->noise, step->dim * sizeof *step->noise);
    for (size_t r = 0; r < step->dim; r++)
        step->noise[r] = noise_of(step, r);
    carry_noise(step);
    rounding_gather(step, 0, step->noise_before);
}

/* The rates are shaken at the end of an Euler step. */
static void shake_ahead(OdeStep *step, size_t lane, double h)
{
    for (size_t r = 0; r < step->rows; r++)
        step->y_new[r] = step->y[r] + h * step->rates[r];
    shake(step, step->t[lane] + h, step->y_new);
}

double sizes_noise_over(const OdeStep *step, double h, double rest)
{
    double largest = 0;

    for (size_t r = 0; r < step->dim; r++) {
        const double noise = h * step->noise[r] / ODE_NOISE_MARGIN;
        const double size = step->most[step->kinds[r] * step->lanes];
        if (noise < rest * size)
            largest = ode_larger(largest, noise / size);
    }
    return largest;
}

void sizes_begin_noise(OdeStep *step, size_t lane, double h)
{
    double *const start = step->rates_new;
    bool edge = false;

    if (!sizes_have_noise(step))
        return;
    sizes_measure_noise(step);
    memcpy(start, step->noise, step->dim * sizeof *start);
    /* what is zero here has no errors yet */
    shake_ahead(step, lane, h);
    for (size_t r = 0; r < step->dim; r++) {
        const double there = noise_of(step, r);
        edge = edge || start[r] > ODE_EDGE * there;
        step->noise[r] = start[r] > ODE_EDGE * there ? there : fmax(start[r], there);
        start[r] = start[r] > ODE_EDGE * there ? start[r] : 0;
    }
    /* of an edge the errors are those of that place alone */
    if (edge)
        shake_ahead(step, lane, h / 3);
    for (size_t r = 0; edge && r < step->dim; r++)
        step->noise[r] = fmax(step->noise[r], fmin(start[r], noise_of(step, r)));
    carry_noise(step);
}

void sizes_begin_reach(OdeStep *step, double h, double elapsed)
{
    if (!sizes_have_noise(step) || elapsed > sqrt(NOTHING) * step->span)
        return;
    for (size_t r = 0; r < step->dim; r++) {
        const double change = fabs(step->shaken[r] - step->rates[r]) / fabs(h);
        const double reach = step->span * (fabs(step->rates[r]) + step->span * change);
        if (!is_given(step, r) && fabs(step->y[r]) <= NOTHING * reach && isfinite(reach))
            step->reach[r] = fmax(step->reach[r], reach);
    }
}

void sizes_take(OdeStep *step, size_t lane, uint64_t steps)
{
    if (step->nominal == NULL || step->given)
        return;
    take_values(step, lane);
    if (!sizes_have_noise(step))
        return;
    const double pace = pace_of(step);
    if (sizes_noise_is_due(steps) || pace > SIZES_OUTDATED * step->pace ||
        pace < step->pace / SIZES_OUTDATED)
        sizes_measure_noise(step);
}
