/* Extremes along a step, by branch and bound. A part is left alone if interval arithmetic
 * (core/run/parts/enclosure.h) leaves no room above the best value, or if the rate keeps its sign
 * in it. Other parts are halved, so that no peak is passed, however narrow. The best place is moved
 * to the root of the derivative by parabolas through the dense output. */
#include "core/base/accuracy.h"
#include "core/run/tell/reduce_course.h"

#include <float.h>
#include <math.h>

/* Fraction of the step from which on a part is short: it is halved no more if it can exceed the
 * best value by REDUCE_UNSEEN_FRACTION at most. Convention. */
static const double SHORT_PART_FRACTION = 0x1p-6;

double along_sign(const Along *a)
{
    return a->take == REDUCE_MIN ? -1 : 1;
}

/* A value met at theta; nothing was looked at within `reach`. */
static void meet(Course *c, double theta, double reach)
{
    const double value = along_sign(c->a) * course_value(c, theta);

    if (value > c->a->best) {
        c->a->best = value;
        c->best_at = theta;
        c->best_reach = reach;
    }
}

/* The most there may be in a part; *ret_ends: it is at one of its ends; *ret_whole: nothing jumps
 * in it. */
static double bound(Course *c, const StepPart *part, bool *ret_ends, bool *ret_whole)
{
    Enclosure *e = &c->reduce->enclosure;
    const double s = part->from + part->to - 1, r = part->to - part->from;
    const Range all = enclosure_range(e, c->a->k, s, r, true);
    const double sign = along_sign(c->a);
    double most = fmax(sign * all.value.low, sign * all.value.high);

    *ret_whole = all.whole;
    *ret_ends = all.whole && (all.rate.low >= 0 || all.rate.high <= 0);
    if (!all.whole)
        return isnan(most) ? INFINITY : most;
    const Range middle = enclosure_range(e, c->a->k, s, 0, true);
    const double reach = fmax(fabs(all.rate.low), fabs(all.rate.high)) * r / 2;
    if (middle.whole)
        most = fmin(most, fmax(sign * middle.value.low, sign * middle.value.high) + reach);
    return isnan(most) ? INFINITY : most;
}

/* From the best place on the step to the root of the derivative beside it. */
static void climb(Course *c)
{
    double reach = c->best_reach;

    while (isfinite(c->best_at) && isnan(c->a->lost_t)) {
        const double at = c->best_at, middle = c->a->best;
        reach = fmin(reach, fmin(at, 1 - at));
        if (!(reach > DBL_EPSILON))
            return;
        const double before = along_sign(c->a) * course_value(c, at - reach);
        const double behind = along_sign(c->a) * course_value(c, at + reach);
        /* a parabola through three values; it ends when the values do not differ */
        const double bend = before - 2 * middle + behind;
        /* parabolas end here, unless the bend is no rounding: then the peak is narrower */
        if (!(reach > ACCURACY_COMPARED || fabs(bend) > ROUNDING_MANY * c->a->size))
            return;
        if (bend < 0 && before <= middle && behind <= middle)
            meet(c, at + reach * (before - behind) / (2 * bend), reach);
        else if (before > middle || behind > middle)
            meet(c, before > behind ? at - reach : at + reach, reach);
        reach /= 4;
    }
}

/* The excess that the remaining parts may have over the best value. Tails of a pulse below 1e-300
 * do not matter. */
static double left_over(Course *c)
{
    double most = c->a->best;
    bool ends, whole;

    for (size_t k = 0; k < c->parts.n; k++)
        most = fmax(most, bound(c, &c->items[k], &ends, &whole));
    return most - c->a->best;
}

void course_take_extreme(Course *c)
{
    const double little = course_doubt(c) + ROUNDING_FEW * c->a->size;
    StepPart part;
    bool ends, whole;

    c->best_at = NAN;
    meet(c, 0, 0);
    meet(c, 1, 0);
    course_begin(c);
    while (course_next(c, &part)) {
        const double most = bound(c, &part, &ends, &whole), length = part.to - part.from;
        if (ends || !(most > c->a->best + little))
            continue;
        if (part.halvings >= COURSE_HALVINGS) { /* a jump, or a pole */
            if (!isfinite(most))
                c->a->lost_t = c->arc->t + part.from * c->arc->h;
            continue;
        }
        if (whole && length <= SHORT_PART_FRACTION &&
            most <= c->a->best + REDUCE_UNSEEN_FRACTION * c->a->size)
            continue;
        meet(c, part.from + length / 2, length / 2);
        step_parts_halve(&c->parts, &part);
    }
    if (c->parts.n > 0)
        course_note_unsure(c, left_over(c));
    climb(c);
}
