/* Guards: on which side of zero each is, how much of its value may be rounding, and what
 * touches. */
#include "core/integrate/events.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Heuristics, unless another origin is given. */

/* A guard's value has jumped if it has changed by this many times its rounding error. */
static const double JUMP_NOISE_RATIO = 1e3;
/* A value that is at most this many times the value before a change is still about zero. */
static const double SAME_VALUE_RATIO = 10;
/* Fractions of the guard's scale: a value above the first is not about zero; a value below the
 * second is rounding, about 450 units in the last place. */
static const double FAR_FRACTION = 0.1, ROUNDING_FRACTION = 1e-13;
/* Rounding that accumulates while bodies touch, in units of the rounding of one evaluation. */
static const double CONTACT_NOISE_FACTOR = 4;
/* If a value is taken as zero, its noise becomes this many times the value. */
static const double ZERO_NOISE_FACTOR = 4;
/* The relative change of a state that measures rounding errors: 4 units in the last place. */
static const double NUDGE = 4 * DBL_EPSILON;
/* Rates of guards at the end of a step are differences over a fraction of the step, or over a
 * fraction of t if that is longer: rounding of t then leaves about 9 digits of the difference. */
static const double RATE_STEP_FRACTION = 1e-4, RATE_TIME_FRACTION = 1e-7;
/* The factor by which the recent size of a guard decays with each step. */
static const double RECENT_DECAY = 0.9;
/* Differences at the start of a step are over this fraction of it (a power of 2: exact). */
static const double START_STEP_FRACTION = 0x1p-10;
/* Rates are differenced over at least this fraction of the time of a fall, even if the first step
 * is short. */
static const double FALL_TIME_FRACTION = 1e-8;
/* guards_outlook() tries the lengths h, h/4, .. down to this fraction of h. */
static const double MIN_OUTLOOK_FRACTION = 0x1p-40;

size_t guards_size(const OdeSystem *system, size_t lanes)
{
    const size_t n = system->n_guards, rows = system->dim + system->extra;
    return (8 * lanes * n + (QUARTERS + 2) * n + 2 * rows) * sizeof(double) +
           lanes * n * sizeof(size_t) + ROOTS * n * sizeof(Root) + 10 * lanes * n + 2 * lanes;
}

void guards_init(Guards *guards, const OdeSystem *system, const OdeGuard *kinds, size_t lanes,
                 void *memory)
{
    const size_t n = system->n_guards, rows = system->dim + system->extra;
    double *next = memory;
    signed char *bytes;

    /* numbers first, then what needs less alignment */
    guards->n = n;
    guards->kinds = kinds;
    guards->start = next;
    guards->end = next += lanes * n;
    guards->noise = next += lanes * n;
    guards->scale = next += lanes * n;
    guards->scale_start = next += lanes * n;
    guards->recent = next += lanes * n;
    guards->unsure = next += lanes * n;
    guards->lost = next += lanes * n;
    guards->scratch.grid = next += lanes * n;
    guards->scratch.values = next += QUARTERS * n;
    guards->scratch.rates = next += n;
    guards->scratch.state = next += n;
    guards->scratch.other = next += rows;
    guards->ticks = (size_t *)(void *)(next + rows);
    guards->roots = (Root *)(void *)(guards->ticks + lanes * n);
    bytes = (signed char *)(guards->roots + ROOTS * n);
    guards->side = bytes;
    guards->side_end = bytes += lanes * n;
    guards->fired = bytes += lanes * n;
    guards->jumped = bytes += lanes * n;
    guards->contact = bytes += lanes * n;
    guards->silent = bytes += lanes * n;
    guards->silent_end = bytes += lanes * n;
    guards->brink = (bool *)(void *)(bytes += lanes * n);
    guards->brink_end = (bool *)(void *)(bytes += lanes * n);
    guards->by_value = (bool *)(void *)(bytes += lanes * n);
    guards->fresh = (bool *)(void *)(bytes + lanes * n);
    guards->scratch.chosen = guards->fresh + lanes;
}

/* +1 or -1 by component, so that of any two components some pattern moves them apart; patterns are
 * 1, 2, 4, .. below the number of components, and 1 at least. */
static double way_of(size_t component, size_t pattern)
{
    return (component & pattern) != 0 ? 1 : -1;
}

/* A move of a state along rates: over a time delta, each rate off by a relative error, the way the
 * pattern says. */
typedef struct Move {
    double t;
    const double *rates; /* [row][lane] */
    double delta, relative;
    size_t pattern;
} Move;

/* The values at guards->scratch.state after the move. */
static void evaluate_moved(Guards *guards, const OdeStep *step, size_t lane, const Move *move)
{
    for (size_t r = 0; r < step->rows; r++)
        guards->scratch.other[r] =
            guards->scratch.state[r] + move->delta * move->rates[r * step->lanes + lane] *
                                           (1 + way_of(r, move->pattern) * move->relative);
    guards_evaluate(step, lane, move->t + move->delta, guards->scratch.other,
                    guards->scratch.values);
}

/* The guard at guards->scratch.state with each component off by its tolerance, the way the
 * pattern says or, `way` -1, the other; or by so many tolerances as the errors so far are, where
 * these add up. */
static double value_off(Guards *guards, const OdeStep *step, size_t lane, double t, size_t guard,
                        size_t pattern, double way)
{
    const double tolerances = way * (1 + step->added[lane]);

    for (size_t r = 0; r < step->rows; r++) {
        const double y = guards->scratch.state[r];
        const double tolerance =
            r < step->dim ? ode_larger(step->rtol * fabs(y),
                                       step->atol * step->sizes.size[r * step->lanes + lane])
                          : 0;
        guards->scratch.other[r] = y + tolerances * way_of(r, pattern) * tolerance;
    }
    guards_evaluate(step, lane, t, guards->scratch.other, guards->scratch.values);
    return guards->scratch.values[guard];
}

double guards_error(Guards *guards, const OdeStep *step, size_t lane, double t, size_t guard)
{
    double error = 0;

    for (size_t pattern = 1; pattern == 1 || pattern < step->rows; pattern *= 2)
        error += fabs(value_off(guards, step, lane, t, guard, pattern, 1) -
                      value_off(guards, step, lane, t, guard, pattern, -1)) /
                 2;
    return error;
}

/* The rounding of the values: how much they change if each component of the state, and t, moves by
 * 4 eps of itself. guards->scratch.state holds the state, guards->start the values. */
static void guards_measure_noise(Guards *guards, const OdeStep *step, size_t lane, double t)
{
    const double *start = guards->start + lane * guards->n;
    double *noise = guards->noise + lane * guards->n;
    for (size_t k = 0; k < guards->n; k++)
        noise[k] = 0;
    for (size_t pattern = 1; pattern == 1 || pattern < step->rows; pattern *= 2) {
        for (size_t r = 0; r < step->rows; r++)
            guards->scratch.other[r] = guards->scratch.state[r] * (1 + way_of(r, pattern) * NUDGE);
        guards_evaluate(step, lane, t * (1 + NUDGE), guards->scratch.other, guards->scratch.values);
        for (size_t k = 0; k < guards->n; k++)
            noise[k] += fabs(guards->scratch.values[k] - start[k]);
    }
}

/* Where guards that are zero go: for each, twice the change over a short time in grid row 0, and
 * in row 1 what of it is no motion: the bend over it, and what rounding of the rates makes of it.
 * h: the next step. A root within the rounding of t is one at the start. */
static void measure_motion(Guards *guards, const OdeStep *step, size_t lane, double h)
{
    /* central differences along the rates */
    const double delta = h * START_STEP_FRACTION, t = step->t[lane];
    const double scale = fmax(fabs(t), fabs(h));
    double *change = guards->scratch.grid, *doubt = guards->scratch.grid + guards->n;
    double *there = guards->scratch.grid + 2 * guards->n;
    const double *start = guards->start + lane * guards->n;
    double *noise = guards->noise + lane * guards->n;
    evaluate_moved(guards, step, lane, &(Move){.t = t, .rates = step->rates, .delta = -delta});
    memcpy(change, guards->scratch.values, guards->n * sizeof *change);
    evaluate_moved(guards, step, lane, &(Move){.t = t, .rates = step->rates, .delta = delta});
    memcpy(there, guards->scratch.values, guards->n * sizeof *there);
    for (size_t k = 0; k < guards->n; k++) {
        doubt[k] = fabs(there[k] + change[k] - 2 * start[k]);
        change[k] = there[k] - change[k];
        noise[k] = fmax(noise[k], NUDGE * scale * fabs(change[k] / (2 * delta)));
    }
    for (size_t pattern = 1; pattern == 1 || pattern < step->rows; pattern *= 2) {
        evaluate_moved(guards, step, lane,
                       &(Move){.t = t,
                               .rates = step->rates,
                               .delta = delta,
                               .relative = NUDGE,
                               .pattern = pattern});
        for (size_t k = 0; k < guards->n; k++)
            doubt[k] += 2 * fabs(guards->scratch.values[k] - there[k]);
    }
}

/* What jumps next to the state, or is undefined there, is no rounding. The value before the cap
 * goes into grid row 2. */
static void cap_noise(Guards *guards, size_t lane)
{
    for (size_t k = 0; k < guards->n; k++) {
        const size_t i = lane * guards->n + k;
        guards->scratch.grid[2 * guards->n + k] = guards->noise[i];
        if (!isfinite(guards->noise[i]))
            guards->noise[i] = 0;
        else if (guards->side[i] != 0)
            guards->noise[i] = fmin(guards->noise[i], FAR_FRACTION * guards->scale[i]);
    }
}

bool guards_far(const Guards *guards, size_t lane, size_t guard, double value)
{
    return fabs(value) > FAR_FRACTION * guards->scale[lane * guards->n + guard];
}

/* The side a guard moves to from (about) zero; `otherwise` where it does not clearly move. */
static int side_of_motion(const Guards *guards, size_t lane, size_t k, int otherwise)
{
    const double change = guards->scratch.grid[k], doubt = guards->scratch.grid[guards->n + k];
    const double noise = guards->noise[lane * guards->n + k];
    return fabs(change) > doubt + noise ? sign(change) : otherwise;
}

/* The side on which an impact keeps the motion, in the direction of this integration; 0: none. */
static int kept_side(const Guards *guards, const OdeStep *step, size_t lane, size_t k)
{
    const OdeGuard *kind = &guards->kinds[k];
    if (!kind->is_impact)
        return 0;
    return step->h[lane] < 0 ? kind->direction : -kind->direction;
}

/* The side by the value, if nothing else is known. An impact is at its guard within all that may
 * be rounding: bodies that touch have not been farther apart, so the cap knows no size of the
 * guard. */
static int side_of_value(Guards *guards, const OdeStep *step, size_t lane, size_t k)
{
    const size_t i = lane * guards->n + k;
    const double value = guards->start[i];
    const int kept = kept_side(guards, step, lane, k);
    guards->by_value[i] = true;
    if (kept != 0 && fabs(value) <= guards->scratch.grid[2 * guards->n + k])
        guards->noise[i] = fmax(guards->noise[i], ZERO_NOISE_FACTOR * fabs(value));
    if (fabs(value) > guards->noise[i])
        return sign(value);
    return kept != 0 ? kept : side_of_motion(guards, lane, k, 0);
}

/* The side at the start, or after a change of the state; guards->end holds the values before. A
 * guard whose value was not moved keeps its side, a root that is still to come included. */
static void side_from_state(Guards *guards, const OdeStep *step, size_t lane, size_t k)
{
    const size_t i = lane * guards->n + k;
    const double value = guards->start[i], before = guards->end[i];
    const int fired = guards->fired[i];
    double *noise = &guards->noise[i];
    int side = guards->side[i];

    /* a switch is where its value says; a guard that fired and is still about zero goes on to the
     * side it moves to; one whose value has jumped, or that had no side, is looked at anew */
    if (guards->kinds[k].is_switch) {
        side = sign(value);
    } else if (guards->contact[i] == CONTACT_WAITS && !guards_far(guards, lane, k, before) &&
               fabs(value) <= SAME_VALUE_RATIO * fabs(before) + JUMP_NOISE_RATIO * *noise) {
        if (side_of_motion(guards, lane, k, side) == side)
            *noise = fmax(*noise, ZERO_NOISE_FACTOR * fabs(value));
    } else if (fired != 0 &&
               fabs(value) <= SAME_VALUE_RATIO * fabs(before) + JUMP_NOISE_RATIO * *noise &&
               !guards_far(guards, lane, k, before)) {
        *noise = fmax(*noise, ZERO_NOISE_FACTOR * fabs(value));
        side = side_of_motion(guards, lane, k, -fired);
    } else if (fired != 0 || fabs(value - before) > JUMP_NOISE_RATIO * *noise || side == 0) {
        guards->contact[i] = CONTACT_NONE;
        side = side_of_value(guards, step, lane, k);
    }
    guards->side[i] = (signed char)side;
}

/* Does the impact hold a contact, with the sides and noise at the start of the step known? */
static void see_contact(Guards *guards, const OdeStep *step, size_t lane, size_t k)
{
    const size_t i = lane * guards->n + k;
    const int kept = kept_side(guards, step, lane, k);
    const bool touches = kept != 0 && guards->side[i] == kept &&
                         fabs(guards->start[i]) <= CONTACT_NOISE_FACTOR * guards->noise[i];
    if (touches)
        guards->noise[i] *= CONTACT_NOISE_FACTOR;
    guards->contact[i] = touches ? CONTACT_CLOSED : CONTACT_NONE;
}

bool guards_leaves(const Guards *guards, size_t lane, size_t guard)
{
    const size_t i = lane * guards->n + guard;
    return guards->contact[i] == CONTACT_CLOSED && !guards->jumped[i] &&
           guards->side_end[i] == guards->side[i] && fabs(guards->end[i]) > guards->noise[i];
}

/* The side after a break that has not changed the state. What rounding, or the tolerance of the
 * step that led to the root, has left on the wrong side is no crossing. */
static void side_from_crossing(Guards *guards, size_t lane, size_t k)
{
    const size_t i = lane * guards->n + k;
    const double value = fabs(guards->start[i]);
    const bool fired = guards->fired[i] != 0;

    if (fired)
        guards->side[i] = guards->fired[i];
    if (fired || guards->contact[i] == CONTACT_WAITS
            ? !guards_far(guards, lane, k, value)
            : value <=
                  fmax(JUMP_NOISE_RATIO * guards->noise[i], ROUNDING_FRACTION * guards->scale[i]))
        guards->noise[i] = fmax(guards->noise[i], ZERO_NOISE_FACTOR * value);
}

void guards_begin(Guards *guards, const OdeStep *step, size_t lane, bool changed)
{
    const size_t first = lane * guards->n;
    if (guards->n == 0)
        return;
    /* values before and after the change */
    memcpy(guards->end + first, guards->start + first, guards->n * sizeof *guards->end);
    ode_gather(step, step->y, lane, guards->scratch.state);
    guards_evaluate(step, lane, step->t[lane], guards->scratch.state, guards->start + first);
    /* rounding and motion of the values */
    guards_measure_noise(guards, step, lane, step->t[lane]);
    if (changed)
        measure_motion(guards, step, lane, step->h[lane]);
    cap_noise(guards, lane);
    /* the side of each guard */
    for (size_t i = first; i < first + guards->n; i++) {
        guards->brink[i] = guards->brink[i] && !changed;
        guards->silent[i] = 0;
        guards->by_value[i] = false;
        if (changed)
            side_from_state(guards, step, lane, i - first);
        else
            side_from_crossing(guards, lane, i - first);
        see_contact(guards, step, lane, i - first);
        guards->fired[i] = 0;
    }
    guards->fresh[lane] = true;
}

/* Is the impact beyond its guard, on the side that it does not keep, as its value alone tells? */
static bool is_behind(const Guards *guards, const OdeStep *step, size_t lane, size_t k)
{
    const int kept = kept_side(guards, step, lane, k);
    const size_t i = lane * guards->n + k;
    return kept != 0 && guards->by_value[i] && guards->side[i] == -kept;
}

/* The guards move where each component of the state moves by `way` times its rate. */
static void evaluate_along(Guards *guards, const OdeStep *step, size_t lane, const double *rates,
                           double way)
{
    for (size_t r = 0; r < step->rows; r++)
        guards->scratch.other[r] = guards->scratch.state[r] + way * rates[r * step->lanes + lane];
    guards_evaluate(step, lane, step->t[lane], guards->scratch.other, guards->scratch.values);
}

/* Into guards->scratch.grid: how far the guards move over `time`, |g'| time + |g''| time^2 / 2.
 * False: the pulse stopped. */
static bool measure_fall(Guards *guards, OdeStep *step, size_t lane, double time)
{
    const double delta = fmax(fabs(step->h[lane]) * START_STEP_FRACTION, FALL_TIME_FRACTION * time);
    const double *start = guards->start + lane * guards->n;
    double *fall = guards->scratch.grid;

    /* the derivative of the rates along the motion */
    memcpy(step->scratch.times, step->t, step->lanes * sizeof *step->scratch.times);
    memcpy(step->y_new, step->y, step->rows * step->lanes * sizeof *step->y);
    step->scratch.times[lane] += copysign(delta, step->h[lane]);
    for (size_t i = lane; i < step->rows * step->lanes; i += step->lanes)
        step->y_new[i] += copysign(delta, step->h[lane]) * step->rates[i];
    for (size_t l = 0; l < step->lanes; l++)
        guards->scratch.chosen[l] = l == lane;
    if (!ode_rates(step, step->scratch.times, step->y_new, step->rates_new, guards->scratch.chosen))
        return false;
    for (size_t i = lane; i < step->rows * step->lanes; i += step->lanes)
        step->rates_new[i] = (step->rates_new[i] - step->rates[i]) / delta;
    /* the guards where the rates, and their derivative, lead */
    evaluate_along(guards, step, lane, step->rates, copysign(time, step->h[lane]));
    for (size_t k = 0; k < guards->n; k++)
        fall[k] = fabs(guards->scratch.values[k] - start[k]);
    evaluate_along(guards, step, lane, step->rates_new, time * time / 2);
    for (size_t k = 0; k < guards->n; k++)
        fall[k] += fabs(guards->scratch.values[k] - start[k]);
    return true;
}

bool guards_begin_contacts(Guards *guards, OdeStep *step, size_t lane, double time)
{
    bool any = false;

    for (size_t k = 0; k < guards->n; k++)
        any = any || is_behind(guards, step, lane, k);
    if (!any)
        return true;
    /* how far the guards move until the next sample */
    if (!measure_fall(guards, step, lane, time))
        return false;
    for (size_t k = 0; k < guards->n; k++) {
        const size_t i = lane * guards->n + k;
        const double depth = fabs(guards->start[i]), fall = guards->scratch.grid[k];
        if (!is_behind(guards, step, lane, k) || !(depth <= step->rtol * fall) || !isfinite(fall))
            continue;
        /* the depth is below the tolerance: the impact is at its guard */
        guards->side[i] = (signed char)-guards->side[i];
        guards->noise[i] = fmax(guards->noise[i], ZERO_NOISE_FACTOR * depth);
        see_contact(guards, step, lane, k);
    }
    return true;
}

static bool has_switches(const Guards *guards)
{
    size_t k = 0;

    while (k < guards->n && !guards->kinds[k].is_switch)
        k++;
    return k < guards->n;
}

double guards_outlook(Guards *guards, const OdeStep *step, size_t lane, double h, bool begun)
{
    const signed char *side = (begun ? guards->side : guards->fired) + lane * guards->n;
    double *near = guards->scratch.grid, length = h;

    if (!has_switches(guards))
        return h;
    /* the sides just after the start */
    ode_gather(step, step->y, lane, guards->scratch.state);
    evaluate_moved(
        guards, step, lane,
        &(Move){.t = step->t[lane], .rates = step->rates, .delta = MIN_OUTLOOK_FRACTION * h});
    for (size_t k = 0; k < guards->n; k++)
        near[k] = side[k] != 0 ? side[k] : guards->scratch.values[k];
    /* shorten until no switch crosses */
    for (; fabs(length) > MIN_OUTLOOK_FRACTION * fabs(h); length /= 4) {
        bool crosses = false;
        evaluate_moved(guards, step, lane,
                       &(Move){.t = step->t[lane], .rates = step->rates, .delta = length});
        for (size_t k = 0; k < guards->n; k++)
            crosses = crosses || (guards->kinds[k].is_switch &&
                                  sign(guards->scratch.values[k]) * sign(near[k]) < 0);
        if (!crosses)
            break;
    }
    return length;
}

bool guards_passed(Guards *guards, const OdeStep *step, size_t lane)
{
    const signed char *side = guards->side + lane * guards->n;
    bool passed = false;

    if (!has_switches(guards))
        return false;
    ode_gather(step, step->y_new, lane, guards->scratch.state);
    guards_evaluate(step, lane, step->t[lane] + step->h[lane], guards->scratch.state,
                    guards->scratch.values);
    for (size_t k = 0; k < guards->n; k++)
        passed = passed || (guards->kinds[k].is_switch && side[k] != 0 &&
                            sign(guards->scratch.values[k]) == -side[k]);
    return passed;
}

void guards_see_end(Guards *guards, const OdeStep *step, size_t lane)
{
    guards->scratch.rated = 0;
    ode_gather(step, step->y_new, lane, guards->scratch.state);
    guards_evaluate(step, lane, step->t[lane] + step->h[lane], guards->scratch.state,
                    guards->end + lane * guards->n);
}

/* How fast guards change at the end of a step, by differences over +-delta. */
static void difference_at_end(Guards *guards, const OdeStep *step, size_t lane, double delta,
                              double *ret_rates)
{
    const double end = step->t[lane] + step->h[lane];

    evaluate_moved(guards, step, lane,
                   &(Move){.t = end, .rates = step->rates_new, .delta = -delta});
    memcpy(ret_rates, guards->scratch.values, guards->n * sizeof *ret_rates);
    evaluate_moved(guards, step, lane, &(Move){.t = end, .rates = step->rates_new, .delta = delta});
    for (size_t k = 0; k < guards->n; k++)
        ret_rates[k] = (guards->scratch.values[k] - ret_rates[k]) / (2 * delta);
}

/* Into guards->scratch.rates, unless they are known. What rounding of t leaves of differences
 * asks for a delta that a guard may turn in, where t is large beside the step: the first is
 * taken that leads to about the same rate as the one before it. */
static void rates_at_end(Guards *guards, const OdeStep *step, size_t lane)
{
    const double h = fabs(step->h[lane]), t = fabs(step->t[lane] + step->h[lane]);
    double *rates = guards->scratch.rates, *last = guards->scratch.grid,
           *closer = guards->scratch.grid + guards->n;
    double delta = fmax(RATE_STEP_FRACTION * h, RATE_TIME_FRACTION * fmax(t, DBL_MIN));
    bool settled = false;

    if (guards->scratch.rated == 1 + lane)
        return;
    guards->scratch.rated = 1 + lane;
    ode_gather(step, step->y_new, lane, guards->scratch.state);
    difference_at_end(guards, step, lane, delta, rates);
    memcpy(last, rates, guards->n * sizeof *last);
    while (!settled && delta > RATE_STEP_FRACTION * h) {
        settled = true;
        delta = fmax(delta / 8, RATE_STEP_FRACTION * h);
        difference_at_end(guards, step, lane, delta, closer);
        for (size_t k = 0; k < guards->n; k++) {
            const bool agrees =
                fabs(closer[k] - last[k]) <= fmax(fabs(closer[k]), fabs(last[k])) / 4;
            if (agrees && !isnan(last[k]))
                rates[k] = last[k];
            settled = settled && (agrees || isnan(last[k]));
            last[k] = agrees ? NAN : closer[k]; /* known from here on */
        }
    }
}

double guards_distance(Guards *guards, const OdeStep *step, size_t lane, size_t guard)
{
    rates_at_end(guards, step, lane);
    return -guards->end[lane * guards->n + guard] / guards->scratch.rates[guard];
}

size_t guards_roots_at_end(Guards *guards, const OdeStep *step, size_t lane, double limit,
                           size_t n_roots)
{
    rates_at_end(guards, step, lane);
    for (size_t k = 0; k < guards->n; k++) {
        const size_t i = lane * guards->n + k;
        const double onward =
            step->h[lane] < 0 ? -guards->scratch.rates[k] : guards->scratch.rates[k];
        const int side = guards->side_end[i];
        if (side == 0 || sign(onward) != -side || fabs(guards->end[i]) > limit * fabs(onward) ||
            guards_far(guards, lane, k, guards->end[i])) /* behind a pole */
            continue;
        guards->side_end[i] = (signed char)-side;
        guards->roots[n_roots++] = (Root){1, k, -side};
    }
    return n_roots;
}

/* Impacts that fire though their guards clearly move back: where states owe more to the tolerance
 * than to the motion a root may be none, and an impact there would turn the motion across it. */
static size_t hold_returning(Guards *guards, size_t lane)
{
    size_t held = 0;
    for (size_t k = 0; k < guards->n; k++) {
        const size_t i = lane * guards->n + k;
        if (guards->kinds[k].is_impact && guards->fired[i] != 0 &&
            !guards_far(guards, lane, k, guards->start[i]) &&
            side_of_motion(guards, lane, k, 0) == -guards->fired[i]) {
            guards_wait(guards, lane, k);
            held++;
        }
    }
    return held;
}

size_t guards_hold_returning(Guards *guards, const OdeStep *step, size_t lane, double h)
{
    bool any = false;
    for (size_t k = 0; k < guards->n; k++)
        any = any || (guards->kinds[k].is_impact && guards->fired[lane * guards->n + k] != 0);
    if (!any)
        return 0;
    ode_gather(step, step->y, lane, guards->scratch.state);
    measure_motion(guards, step, lane, h);
    return hold_returning(guards, lane);
}

void guards_wait(Guards *guards, size_t lane, size_t guard)
{
    const size_t i = lane * guards->n + guard;
    guards->side[i] = (signed char)-guards->fired[i];
    guards->fired[i] = 0;
    guards->contact[i] = CONTACT_WAITS;
}

/* Has the step not led the guard out of the rounding in which bodies touch? One that ends at its
 * next root has. */
static bool still_touches(const Guards *guards, size_t i, double noise)
{
    return guards->contact[i] == CONTACT_CLOSED && guards->fired[i] == 0 &&
           fabs(guards->start[i]) <= noise;
}

/* A guard that has left its contact: the next step is to look through the rounding at the end of
 * this one. */
static void renew_contacts(Guards *guards, const OdeStep *step, size_t lane)
{
    const size_t first = lane * guards->n;
    bool any = false;
    /* which contacts have opened? */
    for (size_t i = first; i < first + guards->n; i++) {
        guards->jumped[i] = guards->jumped[i] && still_touches(guards, i, guards->noise[i]);
        any = any ||
              (guards->contact[i] != CONTACT_NONE && !still_touches(guards, i, guards->noise[i]));
    }
    if (!any)
        return;
    /* measure the noise anew; contacts that hold keep theirs */
    memcpy(guards->scratch.grid, guards->noise + first, guards->n * sizeof *guards->scratch.grid);
    ode_gather(step, step->y_new, lane, guards->scratch.state);
    guards_measure_noise(guards, step, lane, step->t[lane] + step->h[lane]);
    for (size_t k = 0; k < guards->n; k++) {
        if (still_touches(guards, first + k, guards->scratch.grid[k]))
            guards->noise[first + k] = guards->scratch.grid[k];
        else if (guards->contact[first + k] != CONTACT_NONE)
            see_contact(guards, step, lane, k);
    }
}

bool guards_rest(const Guards *guards, size_t lane)
{
    bool rest = guards->n == 0 || !guards->fresh[lane];

    for (size_t i = lane * guards->n; i < (lane + 1) * guards->n; i++)
        rest = rest && guards->side[i] != 0 && guards->side[i] == sign(guards->start[i]) &&
               guards->contact[i] == CONTACT_NONE && guards->fired[i] == 0 && !guards->brink[i] &&
               guards->silent[i] == 0 && !guards->jumped[i];
    return rest;
}

void guards_accept(Guards *guards, const OdeStep *step, size_t lane)
{
    const size_t first = lane * guards->n;
    if (guards->n == 0)
        return;
    memcpy(guards->start + first, guards->end + first, guards->n * sizeof *guards->start);
    memcpy(guards->scale_start + first, guards->scale + first, guards->n * sizeof *guards->scale);
    memcpy(guards->side + first, guards->side_end + first, guards->n);
    memcpy(guards->silent + first, guards->silent_end + first, guards->n);
    memcpy(guards->brink + first, guards->brink_end + first, guards->n * sizeof *guards->brink);
    for (size_t i = first; step->added[lane] > 0 && i < first + guards->n; i++)
        guards->recent[i] = ode_larger(RECENT_DECAY * guards->recent[i], fabs(guards->end[i]));
    guards->fresh[lane] = false;
    renew_contacts(guards, step, lane);
}
