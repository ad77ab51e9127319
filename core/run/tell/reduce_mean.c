/* Means along a step: integrals by the rule of Gauss and Kronrod (core/run/parts/quadrature.h). A
 * part is halved if both sums disagree, or if the expression may do more than the points see. */
#include "core/base/accuracy.h"
#include "core/run/tell/reduce_course.h"

#include <float.h>
#include <math.h>

#include "core/run/parts/quadrature.h"
#include "core/run/tell/reduce.h"

/* Parts after which it is asked how large the expression becomes; pieces of one in which it is
 * asked what it may do. */
enum { FEW_PARTS = 16, PIECES = 128 };
/* Ratio of a value to the unit of its squares beyond which a new unit is chosen. Convention: the
 * square of the ratio is far from overflow. */
static const double MAX_UNIT_RATIO = 0x1p200;
/* Ratio of the hidden part of an integral to the error of the mean up to which there is no warning.
 * Convention. */
static const double HIDDEN_ERROR_RATIO = 1e4;
/* Ratio to the spread of the values seen, by which other values may exceed them. Convention. */
static const double UNSEEN_SPREAD_RATIO = 16;

static double integrand(const Along *a, double value)
{
    return a->take == REDUCE_RMS ? value / a->unit * (value / a->unit) : value;
}

AlongRules along_rules(const Along *a, const double *values, double reach, double t, double h)
{
    double of[QUADRATURE_NODES];
    Interval seen = {INFINITY, -INFINITY}, all = seen;

    for (int k = 0; k < QUADRATURE_NODES; k++) {
        seen = (Interval){fmin(seen.low, values[k]), fmax(seen.high, values[k])};
        of[k] = integrand(a, values[k]);
        all = (Interval){fmin(all.low, of[k]), fmax(all.high, of[k])};
    }
    const double late = fmax(fabs(t), fabs(t + h));
    return (AlongRules){.sums = quadrature_sums(of, reach),
                        .noise = UNSEEN_SPREAD_RATIO * DBL_EPSILON * late / fabs(h) *
                                 (all.high - all.low),
                        .seen = seen};
}

bool along_is_fine(const Along *a, const AlongRules *r, double h, double error)
{
    const double most = fabs(integrand(a, a->size));
    const double met = fmax(r->sums.size, a->absolute / fabs(h));

    if (r->sums.off <= r->noise)
        return r->sums.off <= error * most;
    /* a smaller mean needs no relative accuracy */
    return r->sums.off <= error * fmin(most, fmax(met, ACCURACY_HALF * most));
}

Interval along_enough(const Along *a, Interval seen, double blur)
{
    const double more = UNSEEN_SPREAD_RATIO * (seen.high - seen.low) +
                        REDUCE_UNSEEN_FRACTION * a->size + blur + DBL_MIN;

    return (Interval){seen.low - more, seen.high + more};
}

bool along_has_unit(const Along *a)
{
    return a->unit > 0 && (a->take != REDUCE_RMS || !(a->size > MAX_UNIT_RATIO * a->unit));
}

/* Squares are summed in units of about the largest value. The first values may not show how large
 * that is. */
static void choose_unit(Course *c)
{
    Along *a = c->a;
    int power;

    if (along_has_unit(a))
        return;
    const Range all = enclosure_range(&c->reduce->enclosure, a->k, 0, 1, true);
    const double most = fmax(fabs(all.value.low), fabs(all.value.high));
    frexp(isfinite(most) ? most : a->size, &power);
    const double unit = a->take == REDUCE_RMS && (most > 0 || a->size > 0) ? ldexp(1, power) : 1;
    const double less = a->unit / unit;
    c->sum *= less * less;
    c->mass *= less * less;
    c->pole *= less * less;
    a->sum *= less * less;
    a->absolute *= less * less;
    a->unit = unit;
}

static AlongRules take_rules(Course *c, const StepPart *part)
{
    const double middle = part->from + (part->to - part->from) / 2;
    const double reach = (part->to - part->from) / 2;
    double values[QUADRATURE_NODES];

    for (int k = 0; k < QUADRATURE_NODES; k++)
        values[k] = course_value(c, middle + reach * quadrature_node(k));
    choose_unit(c);
    return along_rules(c->a, values, reach, c->arc->t, c->arc->h);
}

/* Is all that the expression may do between two places of the step in this interval? */
static bool is_within(Course *c, double from, double to, Interval seen)
{
    Enclosure *e = &c->reduce->enclosure;
    const double s = from + to - 1, r = to - from;
    const Range all = enclosure_range(e, c->a->k, s, r, true);

    if (all.value.low >= seen.low && all.value.high <= seen.high)
        return true;
    const Range middle = enclosure_range(e, c->a->k, s, 0, true);
    const double reach = fmax(fabs(all.rate.low), fabs(all.rate.high)) * r / 2;
    return all.whole && middle.value.low - reach >= seen.low &&
           middle.value.high + reach <= seen.high;
}

/* The largest that there may be between two places of the step. */
static double largest_of(Course *c, double from, double to)
{
    const Range all =
        enclosure_range(&c->reduce->enclosure, c->a->k, from + to - 1, to - from, true);
    const double most = fmax(fabs(all.value.low), fabs(all.value.high));

    return isnan(most) ? INFINITY : most;
}

/* May the expression do more in a part than the points of a rule have seen? Pieces of the part are
 * enclosed, without looking at further points. *ret_size: how much at most, in the first piece
 * where it may. */
static bool is_unseen(Course *c, const StepPart *part, Interval seen, double *ret_size)
{
    const Interval enough = along_enough(c->a, seen, c->blur);
    double from = part->from, length = part->to - part->from;
    const double least = length / PIECES;

    /* from left to right; pieces grow again behind those that had to be short */
    while (from < part->to) {
        const double to = fmin(from + length, part->to);
        *ret_size = INFINITY;
        if (!(to > from)) /* no number is between: at a singularity */
            return true;
        if (is_within(c, from, to, enough)) {
            from = to;
            length *= 2;
        } else if (length <= least) {
            *ret_size = largest_of(c, from, part->to);
            return true;
        } else {
            length /= 2;
        }
    }
    return false;
}

/* Before a pulse is met, all values are nearly zero, and values far below the pulse do not matter.
 * The extremes of the expression on the step tell its size. */
static void find_size(Course *c)
{
    static const ReduceTake BOTH[] = {REDUCE_MAX, REDUCE_MIN};

    for (size_t i = 0; i < sizeof BOTH / sizeof *BOTH; i++) {
        Along extreme = {.take = BOTH[i], .k = c->a->k, .best = -INFINITY, .lost_t = NAN};
        Course search = {.reduce = c->reduce,
                         .at = c->at,
                         .arc = c->arc,
                         .a = &extreme,
                         .left = COURSE_PARTS / 2};
        course_take_extreme(&search);
        c->a->size = fmax(c->a->size, extreme.size);
    }
    c->blur = UNSEEN_SPREAD_RATIO * course_doubt(c);
}

/* Does a part add to the error no more than it may, or than is looked for where too many parts are
 * looked at? */
static bool is_fine(const Course *c, const AlongRules *r, double error)
{
    if (c->left <= COURSE_PARTS / 2)
        return r->sums.off <= error * fabs(integrand(c->a, c->a->size));
    return along_is_fine(c->a, r, c->arc->h, error);
}

/* How much a part may hide of the integral, at most: at a jump, of which no part is so short that
 * it shows but one side, not much. */
static double hidden_in(Course *c, const StepPart *part)
{
    const double s = part->from + part->to - 1, length = part->to - part->from;
    const Range all = enclosure_range(&c->reduce->enclosure, c->a->k, s, length, true);
    const double most = integrand(c->a, fmax(fabs(all.value.low), fabs(all.value.high)));
    const bool squares = c->a->take == REDUCE_RMS;
    const double hidden = (squares ? most : all.value.high - all.value.low) * length;

    return isnan(hidden) ? INFINITY : hidden;
}

/* Is it nothing beside the largest value, or beside the mean so far? */
static bool is_little(const Course *c, double hidden, double error)
{
    const Along *a = c->a;
    const double met = fmax(c->mass, a->absolute / fabs(c->arc->h));

    return hidden <= error * fmax(fabs(integrand(a, a->size)), HIDDEN_ERROR_RATIO * met);
}

/* Notes a part that is no wider than rounding and in which the expression has no bound. If its
 * contribution does not vanish with its width, as for tan at pi/2, there is no integral. */
static void note_pole(Course *c, const StepPart *part, Interval seen)
{
    const double value = fmax(fabs(seen.low), fabs(seen.high));
    const double adds = fabs(integrand(c->a, value)) * (part->to - part->from);

    if (adds > c->pole) {
        c->pole = adds;
        c->pole_at = part->from;
    }
}

/* Is the expression on the whole step as smooth as the motion? Then no feature hides between the
 * points of a rule. */
static bool is_calm(Course *c)
{
    Enclosure *e = &c->reduce->enclosure;

    (void)enclosure_range(e, c->a->k, 0, 1, true);
    return observed_guard_calm(e->observed, c->a->k);
}

void course_take_mean(Course *c, double error)
{
    Along *a = c->a;
    const double length = fabs(c->arc->h);
    const bool calm = is_calm(c);
    double size_unseen = 0, hidden = 0;
    bool sized = false;
    StepPart part;

    course_begin(c);
    while (course_next(c, &part)) {
        const AlongRules r = take_rules(c, &part);
        if (!sized && c->left < COURSE_PARTS - FEW_PARTS) {
            find_size(c);
            sized = true;
        }
        const bool fine = is_fine(c, &r, error) || part.halvings >= COURSE_HALVINGS;
        double most = 0;
        bool doubtful = fine && !calm && is_unseen(c, &part, r.seen, &most);
        if (doubtful && !sized) {
            find_size(c);
            sized = true;
            doubtful = is_unseen(c, &part, r.seen, &most);
        }
        if (!fine || (doubtful && part.halvings < COURSE_HALVINGS && c->left > COURSE_PARTS / 2)) {
            step_parts_halve(&c->parts, &part);
            continue;
        }
        c->sum += r.sums.integral;
        c->mass += fabs(r.sums.integral);
        a->absolute += length * r.sums.size;
        if (doubtful && isinf(most) && part.halvings >= COURSE_HALVINGS)
            note_pole(c, &part, r.seen);
        if (doubtful) {
            size_unseen = fmax(size_unseen, most);
            hidden += hidden_in(c, &part);
        }
    }
    a->sum += length * c->sum;
    if (c->parts.n > 0 && isnan(a->lost_t)) { /* the rest of it was not integrated */
        a->lost_t = c->arc->t;
        a->rough = true;
    } else if (c->pole > error * c->mass && isnan(a->lost_t)) {
        a->lost_t = c->arc->t + c->pole_at * c->arc->h;
        a->rough = true;
    } else if (!is_little(c, hidden, error)) {
        course_note_unsure(c, size_unseen);
    }
}

double reduce_mean_error(const Simulation *s)
{
    /* small beside the error of the motion, and above rounding */
    return fmax(ACCURACY_SUMMED,
                fmin(ACCURACY_SOLVED, NEGLIGIBLE_PART * s->integration.options.rtol));
}
