/* The length of steps: a controller with the errors of two steps (Gustafsson, ACM TOMS 17 (1991)
 * 533), the first step by Hairer, Norsett and Wanner I, section II.4, and the noise of the
 * rates. */
#include "core/integrate/control.h"
#include "core/integrate/limits.h"

#include "core/integrate/rounding.h"
#include "core/integrate/sizes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The smallest error that the controller remembers, in units of the tolerance: a step that is
 * exact by accident is no guide (heuristic). */
static const double LEAST_ERROR = 1e-4;

double control_root(double x, unsigned order)
{
    for (; order % 2 == 0; order /= 2)
        x = sqrt(x);
    return order == 1 ? x : pow(x, 1.0 / order);
}

void control_start(Control *control, unsigned order)
{
    control->order = order;
    control->last = control->least = control_root(LEAST_ERROR, order);
    control->after_rejection = false;
    control->seen_error = NAN;
}

void control_see(Control *control, double error)
{
    control->seen_error = error;
    control->seen_last = control->last;
    control->root = control_root(error, control->order);
    control->pace = control_root(control->root * control->last, 8);
}

double control_accept(Control *control, double h, double error)
{
    if (error != control->seen_error || control->last != control->seen_last)
        control_see(control, error);
    const double root = control->root;
    double factor = CONTROL_LARGEST;
    if (root > 0)
        factor = CONTROL_SAFETY / root * control->pace;
    factor = ode_larger(CONTROL_SMALLEST, factor);
    if (factor > CONTROL_LARGEST)
        factor = CONTROL_LARGEST;
    if (control->after_rejection && factor > 1)
        factor = 1;
    control->last = ode_larger(control->least, root);
    control->after_rejection = false;
    return h * factor;
}

double control_reject(Control *control, double h, double error)
{
    control->after_rejection = true;
    if (!isfinite(error))
        return h * CONTROL_NOT_FINITE;
    return h * fmax(CONTROL_SMALLEST, CONTROL_SAFETY / control_root(error, control->order));
}

/* An Euler step over this fraction of the time of the state estimates the second derivative. The
 * first step is at most this many times the Euler step, a tenth of that time (heuristics). */
static const double EULER_FRACTION = 0.01, MAX_FIRST_EULER_STEPS = 10;
/* If the rates after the Euler step are not finite, the first step is the Euler step over this
 * (heuristic). */
static const double NOT_FINITE_FIRST_DIVISOR = 100;
/* The error of the first step in units of the tolerance (Hairer, Norsett, Wanner I, II.4). */
static const double FIRST_STEP_ERROR = 0.01;
/* The shortest step that rounding of t allows is a lower bound of the first step if it is at most
 * this fraction of the run; otherwise t cannot resolve the motion (heuristic). */
static const double RESOLVED_RUN_FRACTION = 1e-3;

/* Root mean squares of the rates at the start of a trial step and of their change over it, in units
 * of its weights: 1 / time. */
typedef struct Norms {
    double rate, change;
} Norms;

/* rates_new: at the end of an Euler step h. The weights are those of a step along these: of a
 * body at rest, they tell how far it comes. */
static Norms control_norms(const OdeStep *step, size_t lane, double h)
{
    Norms sum = {0};

    for (size_t r = 0, i = lane; r < step->dim; r++, i += step->lanes) {
        const double end = step->y[i] + h * step->rates_new[i];
        const double weight = ode_weight(step, i, end, h);
        if (!(weight > 0))
            continue; /* the component rests at zero */
        const double rate = step->rates[i] / weight;
        const double change = (step->rates_new[i] - step->rates[i]) / weight;
        sum.rate += rate * rate;
        sum.change += change * change;
    }
    const double n = (double)step->dim;
    return (Norms){.rate = sqrt(sum.rate / n), .change = sqrt(sum.change / n)};
}

/* |y'|; 0 if it is rounding. */
static double known_rate(const OdeStep *step, size_t i)
{
    const double rate = fabs(step->rates[i]);
    return rate > step->rounding.noise[i] ? rate : 0;
}

/* The time in which component r changes by itself: |y / y'|; for a coordinate, whose
 * acceleration is known, at most |y / y''|^(1/2). 0 if the component is below its tolerance or
 * rests. */
static double component_time(const OdeStep *step, size_t lane, size_t r, double acceleration)
{
    const size_t i = r * step->lanes + lane;
    const double value = fabs(step->y[i]), rate = known_rate(step, i);
    const double by_rate = rate > 0 ? value / rate : INFINITY;
    const double by_acceleration = acceleration > 0 ? sqrt(value / acceleration) : INFINITY;
    const double time = fmin(by_rate, by_acceleration);

    return isfinite(time) && value > step->atol * step->sizes.size[i] ? time : 0;
}

/* The longest of these times. A value that is rounding alone has a short one and does not matter: a
 * first step that is too long for others is rejected, no more. 0: the state tells none. */
static double state_time(const OdeStep *step, size_t lane)
{
    double *const accelerations = step->sizes.most;
    double longest = 0;

    memset(accelerations, 0, step->dim * sizeof *accelerations);
    for (size_t r = 0; step->sizes.nominal && r < step->dim; r++)
        if (step->sizes.integrals[r] < step->dim)
            accelerations[step->sizes.integrals[r]] = known_rate(step, r * step->lanes + lane);
    for (size_t r = 0; r < step->dim; r++)
        longest = fmax(longest, component_time(step, lane, r, accelerations[r]));
    return longest;
}

/* The largest power of FIRST_STEP_RATIO that fits twice into the run: not the length of the run,
 * so that a search from here ends at the same step in runs of all lengths. */
static double longest_guess(double longest)
{
    double h = 1;

    while (h > longest / 2)
        h /= FIRST_STEP_RATIO;
    while (h * FIRST_STEP_RATIO <= longest / 2)
        h *= FIRST_STEP_RATIO;
    return h;
}

/* An error of 1 % of the tolerance: if the rates change by themselves in a time tau, a method of
 * this order errs by |y'| tau (h / tau)^order. */
static double step_of_error(Norms norms, unsigned error_order)
{
    const double tau = norms.rate / norms.change;
    return tau * control_root(FIRST_STEP_ERROR / (norms.rate * tau), error_order);
}

bool control_first_step(OdeStep *step, bool *wanted, unsigned error_order)
{
    const size_t lanes = step->lanes;
    bool any = false;

    /* an Euler step over a part of the time of the state */
    for (size_t l = 0; l < lanes; l++) {
        const double longest = fabs(step->h[l]);
        const double euler = wanted[l] ? fmin(EULER_FRACTION * state_time(step, l), longest) : 0;
        const double h = copysign(euler, step->h[l]);
        step->error[l] = euler; /* until the first attempt */
        if (wanted[l] && euler == 0)
            step->h[l] = copysign(longest_guess(longest), step->h[l]);
        wanted[l] = euler > 0;
        any |= wanted[l];
        step->scratch.times[l] = step->t[l] + h;
        for (size_t i = l; i < step->rows * lanes; i += lanes)
            step->y_new[i] = wanted[l] ? step->y[i] + h * step->rates[i] : step->y[i];
    }
    if (any && !ode_rates(step, step->scratch.times, step->y_new, step->rates_new, wanted))
        return false;
    for (size_t l = 0; l < lanes; l++) {
        if (!wanted[l])
            continue;
        const double euler = step->error[l], longest = fabs(step->h[l]);
        const Norms norms = control_norms(step, l, copysign(euler, step->h[l]));
        double h = euler / NOT_FINITE_FIRST_DIVISOR; /* if the rates are not finite nearby */
        if (norms.change == 0)
            h = MAX_FIRST_EULER_STEPS * euler;
        else if (isfinite(norms.change) && norms.rate > 0)
            h = fmin(MAX_FIRST_EULER_STEPS * euler,
                     step_of_error((Norms){norms.rate, norms.change / euler}, error_order));
        /* if t is large, the step may be no step of t at all */
        const double told = 2 * MIN_STEP_ULPS * DBL_EPSILON * fabs(step->t[l]);
        if (told <= RESOLVED_RUN_FRACTION * longest)
            h = fmax(h, told);
        step->h[l] = copysign(fmin(h, longest), step->h[l]);
    }
    return true;
}

/* Noise of velocities moves what they are the rates of. */
static void carry_noise(OdeStep *step)
{
    for (size_t r = 0; step->sizes.nominal && r < step->dim; r++)
        for (size_t l = 0; step->sizes.integrals[r] < step->dim && l < step->lanes; l++) {
            double *carried = &step->rounding.carried[step->sizes.integrals[r] * step->lanes + l];
            *carried = ode_larger(*carried, step->rounding.noise[r * step->lanes + l]);
        }
}

static void raise_noise(OdeStep *step, size_t i, double noise, const bool *wanted)
{
    if (wanted[i % step->lanes] && noise > step->rounding.noise[i] && isfinite(noise))
        step->rounding.noise[i] = noise;
}

/* Half a step ahead, along the rates. */
static void midst_times(OdeStep *step, const bool *wanted)
{
    for (size_t l = 0; l < step->lanes; l++)
        step->scratch.times[l] = wanted[l] ? step->t[l] + step->h[l] / 2 : step->t[l];
}

/* What rounding of the state does to the rates at its start, into ret_noise. False: the pulse
 * stopped, here and below. */
static bool look_at_start(OdeStep *step, const bool *wanted, double *ret_noise)
{
    for (size_t row = 0; row < step->rows; row++)
        for (size_t l = 0, i = row * step->lanes; l < step->lanes; l++, i++) {
            const double way = row % 2 == 0 ? 1 : -1;
            step->y_new[i] = step->y[i] * (wanted[l] ? 1 + way * 2 * DBL_EPSILON : 1);
        }
    if (!ode_rates(step, step->t, step->y_new, step->rates_new, wanted))
        return false;
    for (size_t i = 0; i < step->dim * step->lanes; i++)
        ret_noise[i] = fabs(step->rates_new[i] - step->rates[i]);
    return true;
}

/* What rounding of t does there: at the start the rates may be nothing yet. The rates themselves
 * go to ret_rates. */
static bool look_at_time(OdeStep *step, const bool *wanted, double *ret_rates)
{
    const size_t lanes = step->lanes, n = step->rows * lanes;

    midst_times(step, wanted);
    for (size_t i = 0; i < n; i++)
        step->y_new[i] =
            step->y[i] + (step->scratch.times[i % lanes] - step->t[i % lanes]) * step->rates[i];
    if (!ode_rates(step, step->scratch.times, step->y_new, step->rates_new, wanted))
        return false;
    memcpy(ret_rates, step->rates_new, n * sizeof *ret_rates);
    for (size_t l = 0; l < lanes; l++)
        step->scratch.times[l] *= 1 + 2 * DBL_EPSILON;
    if (!ode_rates(step, step->scratch.times, step->y_new, step->rates_new, wanted))
        return false;
    for (size_t i = 0; i < step->dim * lanes; i++)
        raise_noise(step, i, ODE_NOISE_MARGIN * fabs(step->rates_new[i] - ret_rates[i]), wanted);
    return true;
}

/* And what rounding of the state does, beside what it does at the start. Where that is an edge
 * it is none of the step's. */
static bool look_at_state(OdeStep *step, const bool *wanted, const double *start,
                          const double *rates)
{
    midst_times(step, wanted);
    for (size_t i = 0; i < step->rows * step->lanes; i++)
        if (wanted[i % step->lanes])
            step->y_new[i] *= 1 + (i / step->lanes % 2 == 0 ? 2 : -2) * DBL_EPSILON;
    if (!ode_rates(step, step->scratch.times, step->y_new, step->rates_new, wanted))
        return false;
    for (size_t i = 0; i < step->dim * step->lanes; i++) {
        const double there = fabs(step->rates_new[i] - rates[i]);
        const bool edge = there > 0 && start[i] > ODE_EDGE * there;
        raise_noise(step, i, edge ? there : start[i], wanted);
    }
    return true;
}

bool control_measure_noise(OdeStep *step, const bool *wanted)
{
    double *const start = step->rounding.noise_before, *const rates = step->carry_new;

    for (size_t l = 0; l < step->lanes; l++)
        if (wanted[l])
            rounding_gather(step, l, step->rounding.noise);
    step->rounding.renoised = true;
    if (!look_at_start(step, wanted, start) || !look_at_time(step, wanted, rates) ||
        !look_at_state(step, wanted, start, rates))
        return false;
    carry_noise(step);
    return true;
}
