/* Reductions: extremes (reduce_extreme.c), means (reduce_mean.c) and values at single instants.
 *
 * For runs on the fast path, the steps without a halving are done for all lanes at once
 * (inside_lanes.c). */
#include "core/run/tell/reduce.h"

#include <math.h>

#include "core/run/parts/result.h"
#include "core/run/state/extent.h"
#include "core/run/tell/reduce_course.h"
#include "core/run/tell/reduce_finding.h"
#include "core/run/watch/inside.h"

void reduce_init(Reduce *r, const Simulation *s, Arena *memory)
{
    const Reductions *x = s->reductions;

    if (x && x->along)
        enclosure_init(&r->enclosure, x->along, x->n_along,
                       s->motion->plain && !observed_guards_need_motion(x->along), memory);
}

Status reduce_begin(Reduce *r, const MotionState *at, Arena *memory, Error *err)
{
    const Reductions *x = at->s->reductions;

    if (!x)
        return OK;
    *r = (Reduce){.enclosure = r->enclosure,
                  .values = arena_doubles(memory, x->n),
                  .counts = ARENA_NEW(memory, x->n, uint64_t),
                  .starts = arena_doubles(memory, x->n),
                  .lost_t = arena_doubles(memory, x->n),
                  .y = arena_doubles(memory, at->size + 1),
                  .along = ARENA_NEW(memory, x->n_along, Along),
                  .along_values = arena_doubles(memory, x->n_along),
                  .at_values = arena_doubles(memory, x->n_at)};
    if (arena_failed(memory))
        return arena_status(memory, err);
    /* nothing is counted, met or lost yet */
    for (size_t i = 0; i < x->n; i++) {
        const Reduction *item = &x->items[i];
        r->values[i] = item->take == REDUCE_EVENT_COUNT ? 0 : NAN;
        r->lost_t[i] = NAN;
        if (reduction_is_along(item->take))
            r->along[item->expr] =
                (Along){.take = item->take, .k = item->expr, .best = -INFINITY, .lost_t = NAN};
    }
    return OK;
}

bool reduce_wants_steps(const Simulation *s)
{
    return s->reductions && s->reductions->along;
}

static const double *look_inside(void *self, const OdeArc *arc, double theta)
{
    const Course *c = self;
    Observed *along = c->at->s->reductions->along;

    arc->state(arc, theta, c->reduce->y);
    const ObservedState state =
        reduce_state_at(c->at, along, arc->t + theta * arc->h, c->reduce->y);
    return observed_inputs(along, &state);
}

/* A step is halved so often. */
enum { MOST_ARC_HALVINGS = 10 };

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

/* Notes the sizes of means within a step, because the values beside a pulse are judged by it. */
static void note_sizes(Reduce *r, MotionState *at, const OdeArc *arc, const double *ends,
                       size_t parts)
{
    const Reductions *x = at->s->reductions;

    for (size_t k = 0; k < x->n_along; k++) {
        Along *a = &r->along[k];
        Course course = {.reduce = r, .at = at, .arc = arc, .a = a};
        const bool mean = a->take == REDUCE_MEAN || a->take == REDUCE_RMS;
        for (size_t j = 1; mean && j < parts; j++)
            course_value(&course, ends[j]);
    }
}

static void take_part(const OdeArc *arc, double from, double to, PartOfArc *ret)
{
    *ret = (PartOfArc){.whole = arc, .from = from, .length = to - from};
    ret->arc = (OdeArc){
        .t = arc->t + from * arc->h, .h = ret->length * arc->h, .state = part_state, .step = ret};
}

/* If a chart turns within the step, the halves of the step are reduced one by one, each with its
 * own path.
 * NOLINTNEXTLINE(misc-no-recursion): `halvings` is bounded by MOST_ARC_HALVINGS */
static void reduce_part(Reduce *r, MotionState *at, const OdeArc *arc, bool known,
                        unsigned halvings)
{
    const Reductions *x = at->s->reductions;
    Course course = {.reduce = r, .at = at, .arc = arc};

    /* too many turns: reduce both halves */
    path_follow(&r->enclosure.path, look_inside, &course, arc);
    if (halvings < MOST_ARC_HALVINGS && extent_loses(at, &r->enclosure.path)) {
        static const double HALVES[] = {0, 0.5, 1};
        note_sizes(r, at, arc, HALVES, 2);
        for (size_t j = 0; j < 2; j++) {
            PartOfArc part;
            take_part(arc, HALVES[j], HALVES[j + 1], &part);
            reduce_part(r, at, &part.arc, known || j > 0, halvings + 1);
        }
        return;
    }
    for (size_t k = 0; k < x->n_along; k++) {
        Along *a = &r->along[k];
        if (isfinite(a->lost_t))
            continue;
        course = (Course){.reduce = r, .at = at, .arc = arc, .a = a, .left = COURSE_PARTS};
        if (!known)
            course_note_unsure(&course, INFINITY);
        if (a->take == REDUCE_MEAN || a->take == REDUCE_RMS)
            course_take_mean(&course, reduce_mean_error(at->s));
        else
            course_take_extreme(&course);
    }
}

/* Accelerations and multipliers follow narrow features of the equations though the motion may not.
 * If a feature is narrower than the step, they are followed part by part, because one polynomial
 * would not meet it. */
void reduce_step(Reduce *r, MotionState *at, Watch *features, const OdeArc *arc)
{
    const double *ends;
    bool known = true;
    const size_t parts = observed_guards_need_motion(at->s->reductions->along)
                             ? inside_divide(features, at, arc, &ends, &known)
                             : 1;

    if (parts == 1)
        reduce_part(r, at, arc, known, 0);
    else
        note_sizes(r, at, arc, ends, parts);
    for (size_t j = 0; parts > 1 && j < parts; j++) {
        PartOfArc part;
        take_part(arc, ends[j], ends[j + 1], &part);
        reduce_part(r, at, &part.arc, known || j > 0, 0);
    }
    r->elapsed += fabs(arc->h);
}

/* A value at one instant that is none. */
static void note_lost(Reduce *r, size_t i, double t)
{
    if (!isfinite(r->values[i]) && isnan(r->lost_t[i]))
        r->lost_t[i] = t;
}

void reduce_take_state(Reduce *r, MotionState *at, double t, const double *y)
{
    const Reductions *x = at->s->reductions;
    const ObservedState state = reduce_state_at(at, x->at, t, y);

    observed_guards(x->at, &state, r->at_values);
    reduce_drifts(r, x, t);
}

void reduce_drifts(Reduce *r, const Reductions *x, double t)
{
    for (size_t i = 0; i < x->n; i++) {
        if (x->items[i].take != REDUCE_DRIFT || !isnan(r->lost_t[i]))
            continue;
        const double value = r->at_values[x->items[i].expr];
        const bool first = isnan(r->values[i]);
        r->starts[i] = first ? value : r->starts[i];
        r->values[i] = first ? value - value : fmax(r->values[i], fabs(value - r->starts[i]));
        if (!isfinite(value))
            r->values[i] = NAN;
        note_lost(r, i, t);
    }
}

void reduce_event(Reduce *r, const MotionState *at, size_t k)
{
    const Reductions *x = at->s->reductions;
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
        /* one evaluation serves all reductions of this event */
        if (item->has_expr && !evaluated) {
            observed_guards(x->at, &at->state, r->at_values);
            evaluated = true;
        }
        r->values[i] = item->has_expr ? r->at_values[item->expr] : at->state.t;
        note_lost(r, i, at->state.t);
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
    const double mean = a->sum / elapsed;

    /* a lost reduction has no value */
    if (isfinite(a->lost_t) || !isfinite(value))
        return NAN;
    if (a->take == REDUCE_MIN || a->take == REDUCE_MAX)
        return along_sign(a) * fmax(a->best, along_sign(a) * value);
    if (a->take == REDUCE_RMS)
        return elapsed > 0 ? a->unit * sqrt(mean) : fabs(value);
    return elapsed > 0 ? mean : value;
}

void reduce_end(Reduce *r, MotionState *at, Arena *memory, double t, const double *y)
{
    const Reductions *x = at->s->reductions;

    if (reduce_wants_states(at->s))
        reduce_take_state(r, at, t, y);
    /* the values of all expressions at the end */
    if (x && x->along) {
        const ObservedState state = reduce_state_at(at, x->along, t, y);
        observed_guards(x->along, &state, r->along_values);
    }
    if (x && x->at) {
        const ObservedState state = reduce_state_at(at, x->at, t, y);
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
            note_lost(r, i, t);
    }
    finding_note_end(r, at, memory, t, y);
}

static void warn(const Reduce *r, const Simulation *s, size_t i, SimulationResult *result)
{
    const Reduction *item = &s->reductions->items[i];
    const Along *a = reduction_is_along(item->take) ? &r->along[item->expr] : NULL;

    if (!isnan(r->lost_t[i]))
        result_warn(s, result, "the reduction %s has no value: its expression is %s t = %.6g",
                    item->name, a && a->rough ? "too rough for an integral from" : "not finite at",
                    a && !isnan(a->lost_t) ? a->lost_t : r->lost_t[i]);
    else if (a && a->unsure_of >
                      REDUCE_UNSEEN_FRACTION * a->size) /* the largest may have been met later */
        result_warn(s, result,
                    "the reduction %s may have missed something in %llu steps, the first from t = "
                    "%.6g on: its expression is too rough there",
                    item->name, (unsigned long long)a->unsure, a->unsure_t);
}

void reduce_report(const Reduce *r, const Simulation *s, SimulationResult *result)
{
    const Reductions *x = s->reductions;
    double *reduced = x ? arena_doubles(s->arena, x->n) : NULL;

    for (size_t i = 0; reduced && i < x->n; i++) {
        const Reduction *item = &x->items[i];
        reduced[i] = r->values[i];
        if (item->take == REDUCE_FINDING)
            reduced[i] = finding_number(r, s, result->found.findings, item->path);
        if (result->end.status != OK || !isfinite(reduced[i]))
            reduced[i] = NAN;
        if (result->end.status == OK)
            warn(r, s, i, result);
    }
    result->reduced = reduced;
}
