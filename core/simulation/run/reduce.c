/* Reductions: extremes, means and what is found at single instants.
 *
 * Extremes along a step are found by branch and bound: a part of it in which interval arithmetic
 * (core/simulation/run/enclosure.h) leaves no room for more than what was met is left alone, as is one in
 * which the rate keeps its sign; others are halved, so that nothing is passed, however narrow. What is found
 * is moved to the root of the derivative by parabolas through the dense output itself.
 *
 * Means are integrals over the step by the rule of Gauss and Kronrod (core/simulation/run/quadrature.h), halved where both of its
 * sums disagree, or where the expression may do more than the points see: how much that may be on the step tell extremes.
 *
 * Of runs that cruise the steps in which nothing is to be halved are done for all lanes at once (inside_lanes.c). */
#include "core/simulation/run/reduce.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/simulation/run/inside.h"
#include "core/simulation/run/look.h"
#include "core/simulation/run/projection.h"
#include "core/simulation/run/quadrature.h"
#include "core/simulation/run/result.h"

/* Parts of a step that are looked at, at most, and how often one is halved. */
enum { MOST_PARTS = 500, FEW_PARTS = 16, MOST_HALVINGS = 50, PIECES = 128 };
/* Of the largest value, what is none; and what may be in a part that is short and left alone: intervals of what hardly changes,
 * as an energy, are wider than that for long. */
static const double SAME = 4 * DBL_EPSILON, LITTLE = 1e-4, SHORT = 0x1p-6;
/* Where parabolas end, of the step, unless what is above both sides is that much of the largest value: a peak that is narrower. */
static const double LEAST_REACH = 1e-9, RESOLVED = 64 * DBL_EPSILON;
/* Errors of means, of the tolerance and at most and least; and of what rounding leaves. */
static const double SHARE = 1e-2, MOST_ERROR = 1e-10, LEAST_ERROR = 1e-13;
/* Of their unit, values of which squares are soon no numbers any more. */
static const double GROWN = 0x1p200;
/* Of the largest value, a mean that is next to nothing. */
static const double SLIGHT = 1e-8;
/* By how much values may be spread beyond those seen, of their spread, and of the largest. */
static const double SEEN = 16, UNSEEN = 1e-4;

/* A part of a step. */
typedef struct Part {
    double from, to;
    int halvings;
} Part;

/* One expression over one step. */
typedef struct Course {
    Run *run;
    const OdeArc *arc;
    Along *a;
    Part parts[MOST_HALVINGS + 2]; /* still to be looked at */
    size_t n;
    size_t left;       /* parts that may be looked at */
    double sum, mass;  /* mean: of theta on the step; of |the integrals| of its parts */
    double pole;       /* mean: the most that a part without a bound adds, .. */
    double pole_at;    /* .. and where it is */
    double blur;       /* mean: what rounding leaves open of values, where it has been asked for */
    double best_at;    /* max: where what was met last is, NAN: not on this step */
    double best_reach; /* and how far from it nothing was looked at */
} Course;

Status reduce_init(Run *run, Error *err)
{
    const Reductions *x = run->s->reductions;
    Arena *memory = &run->memory;
    Reduce *r = &run->reduce;

    if (!x)
        return OK;
    *r = (Reduce){.values = arena_doubles(memory, x->n),
                  .counts = ARENA_NEW(memory, x->n, uint64_t),
                  .starts = arena_doubles(memory, x->n),
                  .lost_t = arena_doubles(memory, x->n),
                  .y = arena_doubles(memory, run->size + 1),
                  .along = ARENA_NEW(memory, x->n_along, Along),
                  .along_values = arena_doubles(memory, x->n_along),
                  .at_values = arena_doubles(memory, x->n_at)};
    if (arena_failed(memory))
        return arena_status(memory, err);
    for (size_t i = 0; i < x->n; i++) {
        const Reduction *item = &x->items[i];
        r->values[i] = item->take == REDUCE_EVENT_COUNT ? 0 : NAN;
        r->lost_t[i] = NAN;
        if (reduction_is_along(item->take))
            r->along[item->expr] =
                (Along){.take = item->take, .k = item->expr, .best = -INFINITY, .lost_t = NAN};
    }
    if (x->along)
        enclosure_init(&r->enclosure, x->along, x->n_along,
                       run->s->motion->plain && !observed_guards_need_motion(x->along), memory);
    return arena_status(memory, err);
}

bool reduce_wants_steps(const Run *run)
{
    return run->s->reductions && run->s->reductions->along;
}

/* What expressions read at a state; without multipliers where they read none. */
static ObservedState state_at(Run *run, const Observed *observed, double t, const double *y)
{
    ObservedState state = {.t = t};
    Error ignored;

    if (observed_guards_need_motion(observed) && look_whole(run, t, y, &ignored) == OK)
        return run->state;
    run_locate(run, t, y, &state.q, &state.v);
    return state;
}

static const double *look_inside(void *self, const OdeArc *arc, double theta)
{
    Run *run = self;
    Observed *along = run->s->reductions->along;

    arc->state(arc, theta, run->reduce.y);
    const ObservedState state = state_at(run, along, arc->t + theta * arc->h, run->reduce.y);
    return observed_inputs(along, &state);
}

/* The size, and whether there is a value. */
static double note(Along *a, double value, double t)
{
    if (!isfinite(value)) {
        if (isnan(a->lost_t))
            a->lost_t = t;
        return NAN;
    }
    a->size = fmax(a->size, fabs(value));
    return value;
}

static double value_at(Course *c, double theta)
{
    Run *run = c->run;
    const Reductions *x = run->s->reductions;
    const double t = c->arc->t + theta * c->arc->h;

    c->arc->state(c->arc, theta, run->reduce.y);
    const ObservedState state = state_at(run, x->along, t, run->reduce.y);
    observed_guards(x->along, &state, run->reduce.along_values);
    return note(c->a, run->reduce.along_values[c->a->k], t);
}

static bool course_push(Course *c, double from, double to, int halvings)
{
    if (c->n == sizeof c->parts / sizeof *c->parts)
        return false;
    c->parts[c->n++] = (Part){from, to, halvings};
    return true;
}

/* Something in the step may have been missed, of that size at most. */
static void note_unsure(Course *c, double size)
{
    c->a->unsure_of = fmax(c->a->unsure_of, size);
    if (c->a->unsure++ == 0)
        c->a->unsure_t = c->arc->t;
}

/* The next part; false where none is left, or too many were looked at. */
static bool course_next(Course *c, Part *ret)
{
    if (c->n == 0 || isfinite(c->a->lost_t))
        return false;
    if (c->left == 0)
        return false;
    c->left--;
    *ret = c->parts[--c->n];
    return true;
}

static void course_halve(Course *c, const Part *part)
{
    const double middle = part->from + (part->to - part->from) / 2;

    (void)(course_push(c, middle, part->to, part->halvings + 1) &&
           course_push(c, part->from, middle, part->halvings + 1));
}

double along_sign(const Along *a)
{
    return a->take == REDUCE_MIN ? -1 : 1;
}

/* A value met at theta; nothing was looked at within `reach`. */
static void meet(Course *c, double theta, double reach)
{
    const double value = along_sign(c->a) * value_at(c, theta);

    if (value > c->a->best) {
        c->a->best = value;
        c->best_at = theta;
        c->best_reach = reach;
    }
}

/* The most there may be in a part; *ret_ends: it is at one of its ends; *ret_whole: nothing jumps in it. */
static double bound(Course *c, const Part *part, bool *ret_ends, bool *ret_whole)
{
    Enclosure *e = &c->run->reduce.enclosure;
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
        const double before = along_sign(c->a) * value_at(c, at - reach);
        const double behind = along_sign(c->a) * value_at(c, at + reach);
        const double bend = before - 2 * middle + behind;
        if (!(reach > LEAST_REACH || fabs(bend) > RESOLVED * c->a->size))
            return;
        if (bend < 0 && before <= middle && behind <= middle)
            meet(c, at + reach * (before - behind) / (2 * bend), reach);
        else if (before > middle || behind > middle)
            meet(c, before > behind ? at - reach : at + reach, reach);
        reach /= 4;
    }
}

/* What rounding and the path leave open at one place. */
static double doubt(Course *c)
{
    const Range at = enclosure_range(&c->run->reduce.enclosure, c->a->k, 0, 0, true);
    const double width = at.value.high - at.value.low;

    return at.whole && isfinite(width) ? width : 0;
}

static void take_extreme(Course *c)
{
    const double little = doubt(c) + SAME * c->a->size;
    Part part;
    bool ends, whole;

    c->best_at = NAN;
    meet(c, 0, 0);
    meet(c, 1, 0);
    course_push(c, 0, 1, 0);
    while (course_next(c, &part)) {
        const double most = bound(c, &part, &ends, &whole), length = part.to - part.from;
        if (ends || !(most > c->a->best + little))
            continue;
        if (part.halvings >= MOST_HALVINGS) { /* a jump, or a pole */
            if (!isfinite(most))
                c->a->lost_t = c->arc->t + part.from * c->arc->h;
            continue;
        }
        if (whole && length <= SHORT && most <= c->a->best + LITTLE * c->a->size)
            continue;
        meet(c, part.from + length / 2, length / 2);
        course_halve(c, &part);
    }
    if (c->n > 0)
        note_unsure(c, INFINITY);
    climb(c);
}

/* What is integrated. */
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
                        .noise = SEEN * DBL_EPSILON * late / fabs(h) * (all.high - all.low),
                        .seen = seen};
}

bool along_is_fine(const Along *a, const AlongRules *r, double h, double error)
{
    const double most = fabs(integrand(a, a->size));
    const double met = fmax(r->sums.size, a->absolute / fabs(h));

    if (r->sums.off <= r->noise)
        return r->sums.off <= error * most;
    return r->sums.off <= error * fmin(most, fmax(met, SLIGHT * most));
}

Interval along_enough(const Along *a, Interval seen, double blur)
{
    const double more = SEEN * (seen.high - seen.low) + UNSEEN * a->size + blur + DBL_MIN;

    return (Interval){seen.low - more, seen.high + more};
}

bool along_has_unit(const Along *a)
{
    return a->unit > 0 && (a->take != REDUCE_RMS || !(a->size > GROWN * a->unit));
}

/* Squares are summed in units of about the largest value, which may be any, and which what comes first may not show. */
static void choose_unit(Course *c)
{
    Along *a = c->a;
    int power;

    if (along_has_unit(a))
        return;
    const Range all = enclosure_range(&c->run->reduce.enclosure, a->k, 0, 1, true);
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

static AlongRules take_rules(Course *c, const Part *part)
{
    const double middle = part->from + (part->to - part->from) / 2;
    const double reach = (part->to - part->from) / 2;
    double values[QUADRATURE_NODES];

    for (int k = 0; k < QUADRATURE_NODES; k++)
        values[k] = value_at(c, middle + reach * quadrature_node(k));
    choose_unit(c);
    return along_rules(c->a, values, reach, c->arc->t, c->arc->h);
}

/* Is all that the expression may do between two places of the step in this interval? */
static bool is_within(Course *c, double from, double to, Interval seen)
{
    Enclosure *e = &c->run->reduce.enclosure;
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
        enclosure_range(&c->run->reduce.enclosure, c->a->k, from + to - 1, to - from, true);
    const double most = fmax(fabs(all.value.low), fabs(all.value.high));

    return isnan(most) ? INFINITY : most;
}

/* May the expression do more in a part than the points of a rule have seen? Pieces of the part are enclosed, without
 * looking at further points. *ret_size: how much at most, in the first piece where it may. */
static bool is_unseen(Course *c, const Part *part, Interval seen, double *ret_size)
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

/* Before a pulse is met all values are next to nothing, and what is next to nothing beside these matters nowhere: how large the
 * expression becomes on the step tell its extremes. */
static void find_size(Course *c)
{
    static const ReduceTake BOTH[] = {REDUCE_MAX, REDUCE_MIN};

    for (size_t i = 0; i < sizeof BOTH / sizeof *BOTH; i++) {
        Along extreme = {.take = BOTH[i], .k = c->a->k, .best = -INFINITY, .lost_t = NAN};
        Course search = {.run = c->run, .arc = c->arc, .a = &extreme, .left = MOST_PARTS / 2};
        take_extreme(&search);
        c->a->size = fmax(c->a->size, extreme.size);
    }
    c->blur = SEEN * doubt(c);
}

/* Does a part add to the error no more than it may, or than is looked for where too many parts are looked at? */
static bool is_fine(const Course *c, const AlongRules *r, double error)
{
    if (c->left <= MOST_PARTS / 2)
        return r->sums.off <= error * fabs(integrand(c->a, c->a->size));
    return along_is_fine(c->a, r, c->arc->h, error);
}

/* Whatever hides in a part, is it nothing for the integral: at a jump, of which a part has become so short that it shows but one
 * side? */
static bool hides_little(Course *c, const Part *part, double error)
{
    const double s = part->from + part->to - 1, length = part->to - part->from;
    const Range all = enclosure_range(&c->run->reduce.enclosure, c->a->k, s, length, true);

    return (all.value.high - all.value.low) * length <= error * c->a->size;
}

/* The parts that are no wider than rounding and in which the expression has no bound: where what they add does not vanish
 * with their width, as of tan at pi/2, there is no integral. */
static void note_pole(Course *c, const Part *part, Interval seen)
{
    const double value = fmax(fabs(seen.low), fabs(seen.high));
    const double adds = fabs(integrand(c->a, value)) * (part->to - part->from);

    if (adds > c->pole) {
        c->pole = adds;
        c->pole_at = part->from;
    }
}

/* Is the expression on the whole step as smooth as the motion? Then nothing hides between the points of a rule. */
static bool is_calm(Course *c)
{
    Enclosure *e = &c->run->reduce.enclosure;

    (void)enclosure_range(e, c->a->k, 0, 1, true);
    return observed_guard_calm(e->observed, c->a->k);
}

static void take_mean(Course *c, double error)
{
    Along *a = c->a;
    const double length = fabs(c->arc->h);
    const bool calm = is_calm(c);
    double size_unseen = 0;
    bool unseen = false, sized = false;
    Part part;

    course_push(c, 0, 1, 0);
    while (course_next(c, &part)) {
        const AlongRules r = take_rules(c, &part);
        if (!sized && c->left < MOST_PARTS - FEW_PARTS) {
            find_size(c);
            sized = true;
        }
        const bool fine = is_fine(c, &r, error) || part.halvings >= MOST_HALVINGS;
        double most = 0;
        bool doubtful = fine && !calm && is_unseen(c, &part, r.seen, &most);
        if (doubtful && !sized) {
            find_size(c);
            sized = true;
            doubtful = is_unseen(c, &part, r.seen, &most);
        }
        if (!fine || (doubtful && part.halvings < MOST_HALVINGS && c->left > MOST_PARTS / 2)) {
            course_halve(c, &part);
            continue;
        }
        c->sum += r.sums.integral;
        c->mass += fabs(r.sums.integral);
        a->absolute += length * r.sums.size;
        if (doubtful && isinf(most) && part.halvings >= MOST_HALVINGS)
            note_pole(c, &part, r.seen);
        if (doubtful && !hides_little(c, &part, error)) {
            size_unseen = fmax(size_unseen, most);
            unseen = true;
        }
    }
    a->sum += length * c->sum;
    if (c->n > 0 && isnan(a->lost_t)) { /* the rest of it was not integrated */
        a->lost_t = c->arc->t;
        a->rough = true;
    } else if (c->pole > error * c->mass && isnan(a->lost_t)) {
        a->lost_t = c->arc->t + c->pole_at * c->arc->h;
        a->rough = true;
    } else if (unseen) {
        note_unsure(c, size_unseen);
    }
}

double reduce_mean_error(const Simulation *s)
{
    return fmax(LEAST_ERROR, fmin(MOST_ERROR, SHARE * s->options.rtol));
}

/* A step is halved so often. */
enum { MOST_ARC_HALVINGS = 10 };

/* A part of a step, as an arc of its own. */
typedef struct PartOfArc {
    OdeArc arc;
    const OdeArc *whole;
    double from, length;
} PartOfArc;

static void part_state(const OdeArc *arc, double theta, double *ret_y)
{
    const PartOfArc *part = arc->step;
    part->whole->state(part->whole, part->from + theta * part->length, ret_y);
}

/* How large means get within a step: what lies beside a pulse is judged by it. */
static void note_sizes(Run *run, const OdeArc *arc, const double *ends, size_t parts)
{
    const Reductions *x = run->s->reductions;

    for (size_t k = 0; k < x->n_along; k++) {
        Along *a = &run->reduce.along[k];
        Course course = {.run = run, .arc = arc, .a = a};
        const bool mean = a->take == REDUCE_MEAN || a->take == REDUCE_RMS;
        for (size_t j = 1; mean && j < parts; j++)
            value_at(&course, ends[j]);
    }
}

static void take_part(const OdeArc *arc, double from, double to, PartOfArc *ret)
{
    *ret = (PartOfArc){.whole = arc, .from = from, .length = to - from};
    ret->arc = (OdeArc){.t = arc->t + from * arc->h,
                        .h = ret->length * arc->h,
                        .state = part_state,
                        .step = ret,
                        .lane = arc->lane};
}

/* Where a chart makes turns within the step, its halves are reduced, each with a path of its own. */
static void reduce_part(Run *run, const OdeArc *arc, bool known, unsigned halvings)
{
    const Reductions *x = run->s->reductions;
    Reduce *r = &run->reduce;

    path_follow(&r->enclosure.path, look_inside, run, arc);
    if (halvings < MOST_ARC_HALVINGS && run_loses(run, &r->enclosure.path)) {
        static const double HALVES[] = {0, 0.5, 1};
        note_sizes(run, arc, HALVES, 2);
        for (size_t j = 0; j < 2; j++) {
            PartOfArc part;
            take_part(arc, HALVES[j], HALVES[j + 1], &part);
            reduce_part(run, &part.arc, known || j > 0, halvings + 1);
        }
        return;
    }
    for (size_t k = 0; k < x->n_along; k++) {
        Along *a = &r->along[k];
        Course course = {.run = run, .arc = arc, .a = a, .left = MOST_PARTS};
        if (isfinite(a->lost_t))
            continue;
        if (!known)
            note_unsure(&course, INFINITY);
        if (a->take == REDUCE_MEAN || a->take == REDUCE_RMS)
            take_mean(&course, reduce_mean_error(run->s));
        else
            take_extreme(&course);
    }
}

/* Accelerations and multipliers do what is narrow in the equations though the motion may not: where it is narrower
 * than the step they are followed part by part, for one polynomial would not meet it. */
void reduce_step(Run *run, const OdeArc *arc)
{
    const double *ends;
    bool known = true;
    const size_t parts = observed_guards_need_motion(run->s->reductions->along)
                             ? run_divide(run, arc, &ends, &known)
                             : 1;

    if (parts == 1)
        reduce_part(run, arc, known, 0);
    else
        note_sizes(run, arc, ends, parts);
    for (size_t j = 0; parts > 1 && j < parts; j++) {
        PartOfArc part;
        take_part(arc, ends[j], ends[j + 1], &part);
        reduce_part(run, &part.arc, known || j > 0, 0);
    }
    run->reduce.elapsed += fabs(arc->h);
}

/* A value at one instant that is none. */
static void note_lost(Run *run, size_t i, double t)
{
    Reduce *r = &run->reduce;

    if (!isfinite(r->values[i]) && isnan(r->lost_t[i]))
        r->lost_t[i] = t;
}

bool reduce_wants_states(const Run *run)
{
    return run->s->reductions && run->s->reductions->drifts;
}

void reduce_state(Run *run, double t, const double *y)
{
    const Reductions *x = run->s->reductions;

    if (!reduce_wants_states(run))
        return;
    const ObservedState state = state_at(run, x->at, t, y);
    observed_guards(x->at, &state, run->reduce.at_values);
    reduce_drifts(run, t);
}

void reduce_drifts(Run *run, double t)
{
    const Reductions *x = run->s->reductions;
    Reduce *r = &run->reduce;

    for (size_t i = 0; i < x->n; i++) {
        if (x->items[i].take != REDUCE_DRIFT || !isnan(r->lost_t[i]))
            continue;
        const double value = r->at_values[x->items[i].expr];
        const bool first = isnan(r->values[i]);
        r->starts[i] = first ? value : r->starts[i];
        r->values[i] = first ? value - value : fmax(r->values[i], fabs(value - r->starts[i]));
        if (!isfinite(value))
            r->values[i] = NAN;
        note_lost(run, i, t);
    }
}

void reduce_event(Run *run, size_t k)
{
    const Reductions *x = run->s->reductions;
    Reduce *r = &run->reduce;
    bool evaluated = false;

    for (size_t i = 0; x && i < x->n; i++) {
        const Reduction *item = &x->items[i];
        const bool first = item->take == REDUCE_FIRST_EVENT;
        if (item->event != k || !(first || item->take == REDUCE_EVENT_COUNT))
            continue;
        r->counts[i]++;
        if (!first)
            r->values[i] = (double)r->counts[i];
        if (!first || r->counts[i] != item->nth)
            continue;
        if (item->has_expr && !evaluated) {
            observed_guards(x->at, &run->state, r->at_values);
            evaluated = true;
        }
        r->values[i] = item->has_expr ? r->at_values[item->expr] : run->state.t;
        note_lost(run, i, run->state.t);
    }
}

/* The number of the first condition that holds. */
static double label_of(const Reduction *item, const double *holds)
{
    for (size_t k = 0; k < item->n_cases; k++)
        if (holds[item->expr + k] != 0)
            return item->numbers[k];
    return item->otherwise;
}

/* At the end, also of a motion that has no steps. */
static double along_value(Along *a, double elapsed, double value)
{
    const double squares = a->sum / elapsed;

    if (isfinite(a->lost_t) || !isfinite(value))
        return NAN;
    switch (a->take) {
    case REDUCE_MIN:
        return -fmax(a->best, -value);
    case REDUCE_MAX:
        return fmax(a->best, value);
    case REDUCE_MEAN:
        return elapsed > 0 ? a->sum / elapsed : value;
    case REDUCE_RMS:
        return elapsed > 0 ? a->unit * sqrt(squares) : fabs(value);
    case REDUCE_LAST:
    case REDUCE_DRIFT:
    case REDUCE_FIRST_EVENT:
    case REDUCE_EVENT_COUNT:
    case REDUCE_LABEL:
    case REDUCE_FINDING:
        break;
    }
    return NAN;
}

void reduce_end(Run *run, double t, const double *y)
{
    const Reductions *x = run->s->reductions;
    Reduce *r = &run->reduce;

    reduce_state(run, t, y);
    if (x && x->along) {
        const ObservedState state = state_at(run, x->along, t, y);
        observed_guards(x->along, &state, r->along_values);
    }
    if (x && x->at) {
        const ObservedState state = state_at(run, x->at, t, y);
        observed_guards(x->at, &state, r->at_values);
    }
    for (size_t i = 0; x && i < x->n; i++) {
        const Reduction *item = &x->items[i];
        const double value = reduction_is_along(item->take) ? r->along_values[item->expr] : NAN;
        if (item->take == REDUCE_LAST)
            r->values[i] = r->at_values[item->expr];
        else if (item->take == REDUCE_LABEL)
            r->values[i] = label_of(item, r->at_values);
        else if (reduction_is_along(item->take))
            r->values[i] = along_value(&r->along[item->expr], r->elapsed, value);
        if (item->take == REDUCE_LAST || reduction_is_along(item->take))
            note_lost(run, i, t);
    }
}

/* A member of a record by its name, of a list by its place from 0. */
static const Value *find_member(const Value *value, const char *name, size_t length)
{
    const Value *member = value->first;
    char place[24];

    for (size_t k = 0; member; member = member->next, k++) {
        snprintf(place, sizeof place, "%zu", k);
        const char *own = value->kind == VALUE_LIST ? place : member->name;
        if (own && strlen(own) == length && strncmp(own, name, length) == 0)
            return member;
    }
    return NULL;
}

/* The number at a path; NAN where there is none. */
static double find_number(const Value *value, const char *path)
{
    while (value && *path) {
        const size_t length = strcspn(path, ".");
        value = find_member(value, path, length);
        path += length + (path[length] == '.');
    }
    return value && value->kind == VALUE_NUMBER ? value->number : NAN;
}

static void warn(Run *run, size_t i)
{
    const Simulation *s = run->s;
    const Reduction *item = &s->reductions->items[i];
    const Along *a = reduction_is_along(item->take) ? &run->reduce.along[item->expr] : NULL;

    if (!isnan(run->reduce.lost_t[i]))
        result_warn(s, &run->result,
                    arena_printf(s->arena,
                                 "the reduction %s has no value: its expression is %s t = %.6g",
                                 item->name,
                                 a && a->rough ? "too rough for an integral from" : "not finite at",
                                 a && !isnan(a->lost_t) ? a->lost_t : run->reduce.lost_t[i]));
    else if (a && a->unsure_of > UNSEEN * a->size) /* the largest may have been met later */
        result_warn(s, &run->result,
                    arena_printf(s->arena,
                                 "the reduction %s may have missed something in %llu steps, the "
                                 "first from t = %.6g on: its expression is too rough there",
                                 item->name, (unsigned long long)a->unsure, a->unsure_t));
}

void reduce_report(Run *run)
{
    const Simulation *s = run->s;
    const Reductions *x = s->reductions;
    SimulationResult *result = &run->result;
    double *reduced = x ? arena_doubles(s->arena, x->n) : NULL;

    for (size_t i = 0; reduced && i < x->n; i++) {
        const Reduction *item = &x->items[i];
        reduced[i] = run->reduce.values[i];
        if (item->take == REDUCE_FINDING)
            reduced[i] = find_number(result->findings, item->path);
        if (result->status != OK || !isfinite(reduced[i]))
            reduced[i] = NAN;
        if (result->status == OK)
            warn(run, i);
    }
    result->reduced = reduced;
}
