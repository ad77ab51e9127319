/* Guards: the side of zero of each, the rounding error of its value, and contacts. */
#include "core/integrate/events.h"
#include "core/base/accuracy.h"
#include "core/base/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Ratio: a value that is at most this many times the value before a change is still about zero.
 * Convention. */
static const double SAME_VALUE_RATIO = 10;
/* Ratio to the guard's scale: a value above it is not about zero. Convention. */
static const double FAR_FRACTION = 0.1;
/* Rates of guards at the end of a step are differences over this fraction of the step, or over this
 * fraction of t if that is longer: rounding of t then leaves about 9 digits of the difference. No
 * units; conventions. */
static const double RATE_STEP_FRACTION = 1e-4, RATE_TIME_FRACTION = 1e-7;
/* Factor by which the recent size of a guard decays with each step. Convention. */
static const double RECENT_DECAY = 0.9;
/* Fraction of a step over which differences at its start are taken. Convention; a power of 2 is
 * exact. */
static const double START_STEP_FRACTION = 0x1p-10;
/* Fraction of h: guards_outlook() tries the lengths h, h/4, .. down to this. Convention. */
static const double MIN_OUTLOOK_FRACTION = 0x1p-40;

void guards_lay_out(Guards *guards, const OdeSystem *system, const OdeGuard *kinds, Cutter *cutter)
{
    const size_t n = system->n_guards, rows = system->dim + system->extra;

    guards->n = n;
    guards->kinds = kinds;
    guards->each = cut(cutter, n, sizeof *guards->each);
    guards->start = cut(cutter, n, sizeof *guards->start);
    guards->end = cut(cutter, n, sizeof *guards->end);
    guards->roots = cut(cutter, ROOTS * n, sizeof *guards->roots);
    guards->scratch.grid = cut(cutter, QUARTERS * n, sizeof(double));
    guards->scratch.values = cut(cutter, n, sizeof(double));
    guards->scratch.rates = cut(cutter, n, sizeof(double));
    guards->scratch.state = cut(cutter, rows, sizeof(double));
    guards->scratch.other = cut(cutter, rows, sizeof(double));
}

/* +1 or -1 by component, so that of any two components some pattern moves them apart; patterns are
 * 1, 2, 4, .. below the number of components, and 1 at least. */
static double way_of(size_t component, size_t pattern)
{
    return (component & pattern) != 0 ? 1 : -1;
}

/* A move of a state by delta along rates, each off by a relative error by the pattern; t: then. */
typedef struct Move {
    double t;
    const double *rates; /* [row][0] */
    double delta, relative;
    size_t pattern;
} Move;

/* The values at guards->scratch.state after the move. */
static void evaluate_moved(Guards *guards, const OdeStep *step, const Move *move)
{
    for (size_t r = 0; r < step->rows; r++)
        guards->scratch.other[r] =
            guards->scratch.state[r] +
            move->delta * move->rates[r] * (1 + way_of(r, move->pattern) * move->relative);
    guards_evaluate(step, move->t, guards->scratch.other, guards->scratch.values);
}

/* The guard at guards->scratch.state with each component off by its tolerance, the way the pattern
 * says or, `way` -1, the other. If errors add up, it is off by all errors so far. */
static double value_off(Guards *guards, const OdeStep *step, double t, size_t guard, size_t pattern,
                        double way)
{
    const double tolerances = way * (1 + step->added);

    for (size_t r = 0; r < step->rows; r++) {
        const double y = guards->scratch.state[r];
        const double tolerance =
            r < step->dim ? ode_larger(step->rtol * fabs(y), step->atol * step->sizes.size[r]) : 0;
        guards->scratch.other[r] = y + tolerances * way_of(r, pattern) * tolerance;
    }
    guards_evaluate(step, t, guards->scratch.other, guards->scratch.values);
    return guards->scratch.values[guard];
}

double guards_error(Guards *guards, const OdeStep *step, double t, size_t guard)
{
    double error = 0;

    for (size_t pattern = 1; pattern == 1 || pattern < step->rows; pattern *= 2)
        error += fabs(value_off(guards, step, t, guard, pattern, 1) -
                      value_off(guards, step, t, guard, pattern, -1)) /
                 2;
    return error;
}

/* The rounding of the values: how much they change if each component of the state, and t, moves by
 * 4 eps of itself. guards->scratch.state holds the state, guards->start the values. */
static void guards_measure_noise(Guards *guards, const OdeStep *step, double t)
{
    for (size_t k = 0; k < guards->n; k++)
        guards->each[k].noise = 0;
    for (size_t pattern = 1; pattern == 1 || pattern < step->rows; pattern *= 2) {
        for (size_t r = 0; r < step->rows; r++)
            guards->scratch.other[r] =
                guards->scratch.state[r] * (1 + way_of(r, pattern) * ROUNDING_FEW);
        guards_evaluate(step, t * (1 + ROUNDING_FEW), guards->scratch.other,
                        guards->scratch.values);
        for (size_t k = 0; k < guards->n; k++)
            guards->each[k].noise += fabs(guards->scratch.values[k] - guards->start[k]);
    }
}

/* The motion of guards that are zero: for each, twice the change over a short time in grid row 0,
 * and in row 1 the part of it that is no motion: the bend, and the rounding of the rates. h: the
 * next step. A root within the rounding of t is one at the start. */
static void measure_motion(Guards *guards, const OdeStep *step, double h)
{
    const double delta = h * START_STEP_FRACTION, t = step->t[0];
    const double scale = fmax(fabs(t), fabs(h));
    double *change = guards->scratch.grid, *doubt = guards->scratch.grid + guards->n;
    double *there = guards->scratch.grid + 2 * guards->n;
    evaluate_moved(guards, step, &(Move){.t = t - delta, .rates = step->rates, .delta = -delta});
    memcpy(change, guards->scratch.values, guards->n * sizeof *change);
    evaluate_moved(guards, step, &(Move){.t = t + delta, .rates = step->rates, .delta = delta});
    memcpy(there, guards->scratch.values, guards->n * sizeof *there);
    for (size_t k = 0; k < guards->n; k++) {
        double *noise = &guards->each[k].noise;
        doubt[k] = fabs(there[k] + change[k] - 2 * guards->start[k]);
        change[k] = there[k] - change[k];
        *noise = fmax(*noise, ROUNDING_FEW * scale * fabs(change[k] / (2 * delta)));
    }
    /* the rounding of the rates: each is off by a few eps, with signs by the pattern */
    for (size_t pattern = 1; pattern == 1 || pattern < step->rows; pattern *= 2) {
        evaluate_moved(guards, step,
                       &(Move){.t = t + delta,
                               .rates = step->rates,
                               .delta = delta,
                               .relative = ROUNDING_FEW,
                               .pattern = pattern});
        for (size_t k = 0; k < guards->n; k++)
            doubt[k] += 2 * fabs(guards->scratch.values[k] - there[k]);
    }
}

/* A jump next to the state, or no value there, is no rounding. Before the cap: grid row 2. */
static void cap_noise(Guards *guards)
{
    for (size_t k = 0; k < guards->n; k++) {
        GuardWatch *g = &guards->each[k];
        guards->scratch.grid[2 * guards->n + k] = g->noise;
        if (!isfinite(g->noise))
            g->noise = 0;
        else if (g->side != 0)
            g->noise = fmin(g->noise, FAR_FRACTION * g->scale);
    }
}

bool guards_far(const Guards *guards, size_t guard, double value)
{
    return fabs(value) > FAR_FRACTION * guards->each[guard].scale;
}

/* The side a guard moves to from (about) zero; `otherwise` where it does not clearly move. */
static int side_of_motion(const Guards *guards, size_t k, int otherwise)
{
    const double change = guards->scratch.grid[k], doubt = guards->scratch.grid[guards->n + k];
    const double noise = guards->each[k].noise;
    return fabs(change) > doubt + noise ? sign(change) : otherwise;
}

/* The side on which an impact keeps the motion, in the direction of this integration; 0: none. */
static int kept_side(const Guards *guards, const OdeStep *step, size_t k)
{
    const OdeGuard *kind = &guards->kinds[k];
    if (!kind->is_impact)
        return 0;
    return step->h[0] < 0 ? kind->direction : -kind->direction;
}

/* The side by the value, if nothing else is known. An impact is at its guard within all that may be
 * rounding: bodies that touch were never farther apart, so the cap knows no size of the guard. */
static int side_of_value(Guards *guards, const OdeStep *step, size_t k)
{
    const double value = guards->start[k];
    const int kept = kept_side(guards, step, k);
    GuardWatch *g = &guards->each[k];
    g->by_value = true;
    if (kept != 0 && fabs(value) <= guards->scratch.grid[2 * guards->n + k])
        g->noise = fmax(g->noise, ESTIMATE_MARGIN * fabs(value));
    if (fabs(value) > g->noise)
        return sign(value);
    return kept != 0 ? kept : side_of_motion(guards, k, 0);
}

/* The side at the start, or after a change of the state; guards->end holds the values before. A
 * guard whose value was not moved keeps its side, a root that is still to come included. */
static void side_from_state(Guards *guards, const OdeStep *step, size_t k)
{
    const double value = guards->start[k], before = guards->end[k];
    GuardWatch *g = &guards->each[k];
    const int fired = g->fired;
    double *noise = &g->noise;
    int side = g->side;

    /* a switch is where its value says; a guard that fired and is still about zero goes on to the
     * side it moves to; one whose value has jumped, or that had no side, is looked at anew */
    if (guards->kinds[k].is_switch) {
        side = sign(value);
    } else if (g->contact == CONTACT_WAITS && !guards_far(guards, k, before) &&
               fabs(value) <= SAME_VALUE_RATIO * fabs(before) + CLEAR_OF_ROUNDING * *noise) {
        if (side_of_motion(guards, k, side) == side)
            *noise = fmax(*noise, ESTIMATE_MARGIN * fabs(value));
    } else if (fired != 0 &&
               fabs(value) <= SAME_VALUE_RATIO * fabs(before) + CLEAR_OF_ROUNDING * *noise &&
               !guards_far(guards, k, before)) {
        *noise = fmax(*noise, ESTIMATE_MARGIN * fabs(value));
        side = side_of_motion(guards, k, -fired);
    } else if (fired != 0 || fabs(value - before) > CLEAR_OF_ROUNDING * *noise || side == 0) {
        g->contact = CONTACT_NONE;
        side = side_of_value(guards, step, k);
    }
    g->side = side;
}

/* Does the impact hold a contact, with the sides and noise at the start of the step known? */
static void see_contact(Guards *guards, const OdeStep *step, size_t k)
{
    const int kept = kept_side(guards, step, k);
    GuardWatch *g = &guards->each[k];
    const bool touches =
        kept != 0 && g->side == kept && fabs(guards->start[k]) <= ESTIMATE_MARGIN * g->noise;
    if (touches)
        g->noise *= ESTIMATE_MARGIN;
    g->contact = touches ? CONTACT_CLOSED : CONTACT_NONE;
}

bool guards_leaves(const Guards *guards, size_t guard)
{
    const GuardWatch *g = &guards->each[guard];
    return g->contact == CONTACT_CLOSED && !g->jumped && g->side_end == g->side &&
           fabs(guards->end[guard]) > g->noise;
}

/* The side after a break that has not changed the state. A value on the wrong side by rounding, or
 * by the tolerance of the step that led to the root, is no crossing. */
static void side_from_crossing(Guards *guards, size_t k)
{
    const double value = fabs(guards->start[k]);
    GuardWatch *g = &guards->each[k];
    const bool fired = g->fired != 0;

    if (fired)
        g->side = g->fired;
    /* a smaller value is rounding */
    if (fired || g->contact == CONTACT_WAITS
            ? !guards_far(guards, k, value)
            : value <= fmax(CLEAR_OF_ROUNDING * g->noise, ACCURACY_SUMMED * g->scale))
        g->noise = fmax(g->noise, ESTIMATE_MARGIN * value);
}

void guards_begin(Guards *guards, const OdeStep *step, bool changed)
{
    if (guards->n == 0)
        return;
    /* values before and after the change */
    memcpy(guards->end, guards->start, guards->n * sizeof *guards->end);
    numbers_copy(guards->scratch.state, step->y, step->rows);
    guards_evaluate(step, step->t[0], guards->scratch.state, guards->start);
    guards_measure_noise(guards, step, step->t[0]);
    if (changed)
        measure_motion(guards, step, step->h[0]);
    cap_noise(guards);
    for (size_t k = 0; k < guards->n; k++) {
        GuardWatch *g = &guards->each[k];
        g->brink = g->brink && !changed;
        g->silent = 0;
        g->by_value = false;
        if (changed)
            side_from_state(guards, step, k);
        else
            side_from_crossing(guards, k);
        see_contact(guards, step, k);
        g->fired = 0;
    }
    guards->fresh = true;
}

/* Is the impact beyond its guard, on the side that it does not keep, as its value alone tells? */
static bool is_behind(const Guards *guards, const OdeStep *step, size_t k)
{
    const int kept = kept_side(guards, step, k);
    return kept != 0 && guards->each[k].by_value && guards->each[k].side == -kept;
}

/* Into the grid: how far guards move in `time`, |g'| time + |g''| time^2 / 2. False: stopped. */
static bool measure_fall(Guards *guards, OdeStep *step, double time)
{
    /* if the first step is short: half of the digits are left for the difference */
    const double delta = fmax(fabs(step->h[0]) * START_STEP_FRACTION, ACCURACY_HALF * time);
    const double *start = guards->start, *values = guards->scratch.values, t = step->t[0];
    double *fall = guards->scratch.grid;

    /* the derivative of the rates along the motion */
    const double signed_delta = copysign(delta, step->h[0]);
    step->scratch.times[0] = step->t[0] + signed_delta;
    for (size_t r = 0; r < step->rows; r++)
        step->y_new[r] = step->y[r] + signed_delta * step->rates[r];
    if (!ode_rates_one(step, step->scratch.times, step->y_new, step->rates_new))
        return false;
    for (size_t i = 0; i < step->rows; i++)
        step->rates_new[i] = (step->rates_new[i] - step->rates[i]) / delta;
    const double along = copysign(time, step->h[0]), bend = time * time / 2;
    evaluate_moved(guards, step, &(Move){.t = t, .rates = step->rates, .delta = along});
    for (size_t k = 0; k < guards->n; k++)
        fall[k] = fabs(values[k] - start[k]);
    evaluate_moved(guards, step, &(Move){.t = t, .rates = step->rates_new, .delta = bend});
    for (size_t k = 0; k < guards->n; k++)
        fall[k] += fabs(values[k] - start[k]);
    return true;
}

bool guards_begin_contacts(Guards *guards, OdeStep *step, double time)
{
    bool any = false;

    for (size_t k = 0; k < guards->n; k++)
        any = any || is_behind(guards, step, k);
    if (!any)
        return true;
    if (!measure_fall(guards, step, time))
        return false;
    for (size_t k = 0; k < guards->n; k++) {
        const double depth = fabs(guards->start[k]), fall = guards->scratch.grid[k];
        if (!is_behind(guards, step, k) || !(depth <= step->rtol * fall) || !isfinite(fall))
            continue;
        /* the depth is below the tolerance: the impact is at its guard */
        GuardWatch *g = &guards->each[k];
        g->side = -g->side;
        g->noise = fmax(g->noise, ESTIMATE_MARGIN * depth);
        see_contact(guards, step, k);
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

double guards_outlook(Guards *guards, const OdeStep *step, double h, bool begun)
{
    double *near = guards->scratch.grid, length = h;

    if (!has_switches(guards))
        return h;
    numbers_copy(guards->scratch.state, step->y, step->rows);
    const double soon = MIN_OUTLOOK_FRACTION * h, t = step->t[0];
    evaluate_moved(guards, step, &(Move){.t = t + soon, .rates = step->rates, .delta = soon});
    for (size_t k = 0; k < guards->n; k++) {
        const int side = begun ? guards->each[k].side : guards->each[k].fired;
        near[k] = side != 0 ? side : guards->scratch.values[k];
    }
    /* shorten until no switch crosses */
    for (; fabs(length) > fabs(soon); length /= 4) {
        bool crosses = false;
        evaluate_moved(guards, step,
                       &(Move){.t = t + length, .rates = step->rates, .delta = length});
        for (size_t k = 0; k < guards->n; k++)
            crosses = crosses || (guards->kinds[k].is_switch &&
                                  sign(guards->scratch.values[k]) * sign(near[k]) < 0);
        if (!crosses)
            break;
    }
    return length;
}

bool guards_passed(Guards *guards, const OdeStep *step)
{
    bool passed = false;

    if (!has_switches(guards))
        return false;
    numbers_copy(guards->scratch.state, step->y_new, step->rows);
    guards_evaluate(step, step->t[0] + step->h[0], guards->scratch.state, guards->scratch.values);
    for (size_t k = 0; k < guards->n; k++) {
        const int side = guards->each[k].side;
        passed = passed || (guards->kinds[k].is_switch && side != 0 &&
                            sign(guards->scratch.values[k]) == -side);
    }
    return passed;
}

void guards_see_end(Guards *guards, const OdeStep *step)
{
    guards->scratch.rated = false;
    numbers_copy(guards->scratch.state, step->y_new, step->rows);
    guards_evaluate(step, step->t[0] + step->h[0], guards->scratch.state, guards->end);
}

static void difference_at_end(Guards *guards, const OdeStep *step, double delta, double *ret_rates)
{
    const double end = step->t[0] + step->h[0];

    evaluate_moved(guards, step,
                   &(Move){.t = end - delta, .rates = step->rates_new, .delta = -delta});
    memcpy(ret_rates, guards->scratch.values, guards->n * sizeof *ret_rates);
    evaluate_moved(guards, step,
                   &(Move){.t = end + delta, .rates = step->rates_new, .delta = delta});
    for (size_t k = 0; k < guards->n; k++)
        ret_rates[k] = (guards->scratch.values[k] - ret_rates[k]) / (2 * delta);
}

/* Into guards->scratch.rates, unless known. If t is large beside the step, its rounding asks for a
 * delta so long that a guard may turn in it: the first that agrees with the one before is taken. */
static void rates_at_end(Guards *guards, const OdeStep *step)
{
    const double h = fabs(step->h[0]), t = fabs(step->t[0] + step->h[0]);
    double *rates = guards->scratch.rates, *last = guards->scratch.grid,
           *closer = guards->scratch.grid + guards->n;
    double delta = fmax(RATE_STEP_FRACTION * h, RATE_TIME_FRACTION * fmax(t, DBL_MIN));
    bool settled = false;

    if (guards->scratch.rated)
        return;
    guards->scratch.rated = true;
    numbers_copy(guards->scratch.state, step->y_new, step->rows);
    difference_at_end(guards, step, delta, rates);
    memcpy(last, rates, guards->n * sizeof *last);
    while (!settled && delta > RATE_STEP_FRACTION * h) {
        settled = true;
        delta = fmax(delta / 8, RATE_STEP_FRACTION * h);
        difference_at_end(guards, step, delta, closer);
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

double guards_distance(Guards *guards, const OdeStep *step, size_t guard)
{
    rates_at_end(guards, step);
    return -guards->end[guard] / guards->scratch.rates[guard];
}

size_t guards_roots_at_end(Guards *guards, const OdeStep *step, double limit, size_t n_roots)
{
    rates_at_end(guards, step);
    for (size_t k = 0; k < guards->n; k++) {
        const double onward = step->h[0] < 0 ? -guards->scratch.rates[k] : guards->scratch.rates[k];
        const int side = guards->each[k].side_end;
        if (side == 0 || sign(onward) != -side || fabs(guards->end[k]) > limit * fabs(onward) ||
            guards_far(guards, k, guards->end[k])) /* behind a pole */
            continue;
        guards->each[k].side_end = -side;
        guards->roots[n_roots++] = (Root){1, k, -side};
    }
    return n_roots;
}

/* Impacts that fire though their guards clearly move back: where states owe more to the tolerance
 * than to the motion a root may be none, and an impact there would turn the motion across it. */
size_t guards_hold_returning(Guards *guards, const OdeStep *step, double h)
{
    size_t held = 0;
    bool any = false;

    for (size_t k = 0; k < guards->n; k++)
        any = any || (guards->kinds[k].is_impact && guards->each[k].fired != 0);
    if (!any)
        return 0;
    numbers_copy(guards->scratch.state, step->y, step->rows);
    measure_motion(guards, step, h);
    for (size_t k = 0; k < guards->n; k++) {
        /* near zero at the start, and the motion goes against the crossing */
        if (guards->kinds[k].is_impact && guards->each[k].fired != 0 &&
            !guards_far(guards, k, guards->start[k]) &&
            side_of_motion(guards, k, 0) == -guards->each[k].fired) {
            guards_wait(guards, k);
            held++;
        }
    }
    return held;
}

void guards_wait(Guards *guards, size_t guard)
{
    GuardWatch *g = &guards->each[guard];
    g->side = -g->fired;
    g->fired = 0;
    g->contact = CONTACT_WAITS;
}

/* Has the step kept the guard within the rounding in which bodies touch, and is it no root? */
static bool still_touches(const Guards *guards, size_t k, double noise)
{
    const GuardWatch *g = &guards->each[k];
    return g->contact == CONTACT_CLOSED && g->fired == 0 && fabs(guards->start[k]) <= noise;
}

/* If a guard has left its contact, the next step looks through the rounding at this end. */
static void renew_contacts(Guards *guards, const OdeStep *step)
{
    double *before = guards->scratch.grid;
    bool any = false;

    for (size_t k = 0; k < guards->n; k++) {
        GuardWatch *g = &guards->each[k];
        const bool touches = still_touches(guards, k, g->noise);
        before[k] = g->noise;
        g->jumped = g->jumped && touches;
        any = any || (g->contact != CONTACT_NONE && !touches);
    }
    if (!any)
        return;
    /* measure the noise anew; contacts that hold keep theirs */
    numbers_copy(guards->scratch.state, step->y_new, step->rows);
    guards_measure_noise(guards, step, step->t[0] + step->h[0]);
    for (size_t k = 0; k < guards->n; k++) {
        if (still_touches(guards, k, before[k]))
            guards->each[k].noise = before[k];
        else if (guards->each[k].contact != CONTACT_NONE)
            see_contact(guards, step, k);
    }
}

bool guards_rest(const Guards *guards)
{
    bool rest = guards->n == 0 || !guards->fresh;

    for (size_t k = 0; k < guards->n; k++) {
        const GuardWatch *g = &guards->each[k];
        rest = rest && g->side != 0 && g->side == sign(guards->start[k]) &&
               g->contact == CONTACT_NONE && g->fired == 0 && !g->brink && g->silent == 0 &&
               !g->jumped;
    }
    return rest;
}

void guards_accept(Guards *guards, const OdeStep *step)
{
    if (guards->n == 0)
        return;
    for (size_t k = 0; k < guards->n; k++) {
        GuardWatch *g = &guards->each[k];
        guards->start[k] = guards->end[k];
        g->scale_start = g->scale;
        g->side = g->side_end;
        g->silent = g->silent_end;
        g->brink = g->brink_end;
        if (step->added > 0)
            g->recent = ode_larger(RECENT_DECAY * g->recent, fabs(guards->end[k]));
    }
    guards->fresh = false;
    renew_contacts(guards, step);
}
