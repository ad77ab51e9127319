/* The length of steps: a controller with the errors of two steps (Gustafsson, ACM TOMS 17 (1991)
 * 533), the first step (Hairer, Norsett and Wanner I, section II.4), and the noise of the rates. */
#include "core/integrate/control.h"

#include "core/integrate/rounding.h"
#include "core/integrate/sizes.h"
#include "core/program/block_of_one.h"

#include "core/integrate/step_blocks.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The smallest error that the controller remembers, in units of the tolerance: a step that is
 * exact by accident is no guide (that of the code DOP853, Hairer, Norsett, Wanner 1993). */
static const double LEAST_ERROR = 1e-4;

/* x^(1/order). */
static double root_of_order(double x, unsigned order)
{
    const double root = step_root(x, order);

    while (order % 2 == 0)
        order /= 2;
    return order == 1 ? root : pow(root, 1.0 / order);
}

void control_start(Control *control, unsigned order)
{
    control->order = order;
    control->last = control->least = root_of_order(LEAST_ERROR, order);
    control->after_rejection = false;
}

double control_accept(Control *control, double h, double error)
{
    const double root = root_of_order(error, control->order);
    const double pace = root_of_order(root * control->last, 8);
    const double next = step_after_accepted(h, root, pace, control->after_rejection);

    control->last = ode_larger(control->least, root);
    control->after_rejection = false;
    return next;
}

double control_reject(Control *control, double h, double error)
{
    control->after_rejection = true;
    return step_after_rejected(h, error, root_of_order(error, control->order));
}

/* Ratio: an Euler step over this part of the time of the state estimates the second derivative,
 * and the first step is at most the second ratio times the Euler step. Conventions; in II.4 they
 * are 0.01 and 100 (Hairer, Norsett, Wanner 1993). */
static const double EULER_FRACTION = 0.01, MAX_FIRST_EULER_STEPS = 10;
/* Ratio: if the rates after the Euler step are not finite, the first step is the Euler step over
 * this. Convention. */
static const double NOT_FINITE_FIRST_DIVISOR = 100;
/* The error of the first step in units of the tolerance (II.4 of Hairer, Norsett, Wanner 1993). */
static const double FIRST_STEP_ERROR = 0.01;
/* Ratio: the shortest step that rounding of t allows is a lower bound of the first step if it is
 * at most this part of the run; otherwise t cannot resolve the motion. Convention. */
static const double RESOLVED_RUN_FRACTION = 1e-3;

/* Root mean squares of the rates at the start of a trial step and of their change, 1 / time. */
typedef struct Norms {
    double rate, change;
} Norms;

/* rates_new: at the end of an Euler step h. Its weights tell how far a body at rest comes. */
static Norms control_norms(const OdeStep *step, double h)
{
    const double n = (double)step->dim;
    Norms sum = {0};

    for (size_t r = 0; r < step->dim; r++) {
        const double weight = ode_weight(step, r, step->y[r] + h * step->rates_new[r], h);
        if (!(weight > 0))
            continue; /* the component rests at zero */
        const double rate = step->rates[r] / weight;
        const double change = (step->rates_new[r] - step->rates[r]) / weight;
        sum.rate += rate * rate;
        sum.change += change * change;
    }
    return (Norms){.rate = sqrt(sum.rate / n), .change = sqrt(sum.change / n)};
}

/* |y'|; 0 if it is rounding. */
static double known_rate(const OdeStep *step, size_t i)
{
    const double rate = fabs(step->rates[i]);
    return rate > step->rounding.noise[i] ? rate : 0;
}

/* The time in which component r changes by itself: |y / y'|; if its acceleration is known, at most
 * |y / y''|^(1/2). 0 if the component is below its tolerance or rests. */
static double component_time(const OdeStep *step, size_t r, double acceleration)
{
    const double value = fabs(step->y[r]), rate = known_rate(step, r);
    const double by_rate = rate > 0 ? value / rate : INFINITY;
    const double by_acceleration = acceleration > 0 ? sqrt(value / acceleration) : INFINITY;
    const double time = fmin(by_rate, by_acceleration);

    return isfinite(time) && value > step->atol * step->sizes.size[r] ? time : 0;
}

/* The longest of these times. A value that is rounding alone has a short one and does not matter: a
 * first step that is too long for others is rejected, no more. 0: the state tells none. */
static double state_time(const OdeStep *step)
{
    double *const accelerations = step->sizes.most;
    double longest = 0;

    memset(accelerations, 0, step->dim * sizeof *accelerations);
    for (size_t r = 0; step->sizes.nominal && r < step->dim; r++)
        if (step->sizes.integrals[r] < step->dim)
            accelerations[step->sizes.integrals[r]] = known_rate(step, r);
    for (size_t r = 0; r < step->dim; r++)
        longest = fmax(longest, component_time(step, r, accelerations[r]));
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
    return tau * root_of_order(FIRST_STEP_ERROR / (norms.rate * tau), error_order);
}

bool control_first_step(OdeStep *step, unsigned error_order, bool *ret_guessed)
{
    const double longest = fabs(step->h[0]);
    const double euler = fmin(EULER_FRACTION * state_time(step), longest);
    const double signed_euler = copysign(euler, step->h[0]);
    double h = euler / NOT_FINITE_FIRST_DIVISOR; /* if the rates are not finite nearby */

    *ret_guessed = !(euler > 0);
    if (*ret_guessed) {
        step->h[0] = copysign(longest_guess(longest), step->h[0]);
        return true;
    }
    /* an Euler step over a part of the time of the state */
    step->scratch.times[0] = step->t[0] + signed_euler;
    for (size_t r = 0; r < step->rows; r++)
        step->y_new[r] = step->y[r] + signed_euler * step->rates[r];
    if (!ode_rates_one(step, step->scratch.times, step->y_new, step->rates_new))
        return false;
    const Norms norms = control_norms(step, signed_euler);
    if (norms.change == 0)
        h = MAX_FIRST_EULER_STEPS * euler;
    else if (isfinite(norms.change) && norms.rate > 0)
        h = fmin(MAX_FIRST_EULER_STEPS * euler,
                 step_of_error((Norms){norms.rate, norms.change / euler}, error_order));
    /* if t is large, the step may be no step of t at all */
    const double told = 2 * MIN_STEP_ULPS * DBL_EPSILON * fabs(step->t[0]);
    if (told <= RESOLVED_RUN_FRACTION * longest)
        h = fmax(h, told);
    step->h[0] = copysign(fmin(h, longest), step->h[0]);
    return true;
}

static void raise_noise(OdeStep *step, size_t r, double noise)
{
    if (noise > step->rounding.noise[r] && isfinite(noise))
        step->rounding.noise[r] = noise;
}

/* The rates at y_new with an error of rounding: component r off by 2 units in the last place, up
 * if r is even, else down. False: the pulse stopped, here and below. */
static bool shift_state(OdeStep *step, const double *t)
{
    for (size_t r = 0; r < step->rows; r++)
        step->y_new[r] *= 1 + (r % 2 == 0 ? 2 : -2) * DBL_EPSILON;
    return ode_rates_one(step, t, step->y_new, step->rates_new);
}

/* The change of the rates by rounding of the state at the start, into ret_noise. */
static bool look_at_start(OdeStep *step, double *ret_noise)
{
    memcpy(step->y_new, step->y, step->rows * sizeof *step->y);
    if (!shift_state(step, step->t))
        return false;
    for (size_t r = 0; r < step->dim; r++)
        ret_noise[r] = fabs(step->rates_new[r] - step->rates[r]);
    return true;
}

/* The change by rounding of t half a step ahead, along the rates: at the start the rates may be
 * nothing yet. The rates themselves go to ret_rates. */
static bool look_at_time(OdeStep *step, double *ret_rates)
{
    const double middle = step->t[0] + step->h[0] / 2, beside = middle * (1 + 2 * DBL_EPSILON);

    for (size_t r = 0; r < step->rows; r++)
        step->y_new[r] = step->y[r] + (middle - step->t[0]) * step->rates[r];
    if (!ode_rates_one(step, &middle, step->y_new, step->rates_new))
        return false;
    memcpy(ret_rates, step->rates_new, step->rows * sizeof *ret_rates);
    if (!ode_rates_one(step, &beside, step->y_new, step->rates_new))
        return false;
    for (size_t r = 0; r < step->dim; r++)
        raise_noise(step, r, ODE_NOISE_MARGIN * fabs(step->rates_new[r] - ret_rates[r]));
    return true;
}

/* The change by rounding of the state there, compared with that at the start. If the start is an
 * edge, its rounding is none of the step's. */
static bool look_at_state(OdeStep *step, const double *start, const double *rates)
{
    const double middle = step->t[0] + step->h[0] / 2;

    if (!shift_state(step, &middle))
        return false;
    for (size_t r = 0; r < step->dim; r++) {
        const double there = fabs(step->rates_new[r] - rates[r]);
        raise_noise(step, r, there > 0 && start[r] > ODE_EDGE * there ? there : start[r]);
    }
    return true;
}

bool control_measure_noise(OdeStep *step)
{
    double *const start = step->rounding.noise_before, *const rates = step->carry_new;

    rounding_gather(step, step->rounding.noise);
    if (!look_at_start(step, start) || !look_at_time(step, rates) ||
        !look_at_state(step, start, rates))
        return false;
    sizes_carry_noise(step);
    return true;
}
