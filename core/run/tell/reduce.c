/* Reductions: extremes (reduce_extreme.c), means (reduce_mean.c) and values at single instants.
 *
 * For runs on the fast path, the steps without a halving are done for all lanes at once
 * (inside_lanes.c). */
#include "core/run/tell/reduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/run/parts/result.h"
#include "core/run/state/extent.h"
#include "core/run/tell/reduce_course.h"
#include "core/run/tell/reduce_finding.h"
#include "core/run/watch/inside.h"
#include "core/run/watch/look.h"

void reduce_init(Run *run)
{
    const Reductions *x = run->at.s->reductions;

    if (x && x->along)
        enclosure_init(&run->rows.reduce.enclosure, x->along, x->n_along,
                       run->at.s->motion->plain && !observed_guards_need_motion(x->along),
                       &run->lasting);
}

Status reduce_begin(Run *run, Error *err)
{
    const Reductions *x = run->at.s->reductions;
    Arena *memory = &run->memory;
    Reduce *r = &run->rows.reduce;

    if (!x)
        return OK;
    *r = (Reduce){.enclosure = r->enclosure,
                  .values = arena_doubles(memory, x->n),
                  .counts = ARENA_NEW(memory, x->n, uint64_t),
                  .starts = arena_doubles(memory, x->n),
                  .lost_t = arena_doubles(memory, x->n),
                  .y = arena_doubles(memory, run->at.size + 1),
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

bool reduce_wants_steps(const Run *run)
{
    return run->at.s->reductions && run->at.s->reductions->along;
}

static const double *look_inside(void *self, const OdeArc *arc, double theta)
{
    Run *run = self;
    Observed *along = run->at.s->reductions->along;

    arc->state(arc, theta, run->rows.reduce.y);
    const ObservedState state =
        reduce_state_at(run, along, arc->t + theta * arc->h, run->rows.reduce.y);
    return observed_inputs(along, &state);
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

/* Notes the sizes of means within a step, because the values beside a pulse are judged by it. */
static void note_sizes(Run *run, const OdeArc *arc, const double *ends, size_t parts)
{
    const Reductions *x = run->at.s->reductions;

    for (size_t k = 0; k < x->n_along; k++) {
        Along *a = &run->rows.reduce.along[k];
        Course course = {.run = run, .arc = arc, .a = a};
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
static void reduce_part(Run *run, const OdeArc *arc, bool known, unsigned halvings)
{
    const Reductions *x = run->at.s->reductions;
    Reduce *r = &run->rows.reduce;

    /* too many turns: reduce both halves */
    path_follow(&r->enclosure.path, look_inside, run, arc);
    if (halvings < MOST_ARC_HALVINGS && extent_loses(&run->at, &r->enclosure.path)) {
        static const double HALVES[] = {0, 0.5, 1};
        note_sizes(run, arc, HALVES, 2);
        for (size_t j = 0; j < 2; j++) {
            PartOfArc part;
            take_part(arc, HALVES[j], HALVES[j + 1], &part);
            reduce_part(run, &part.arc, known || j > 0, halvings + 1);
        }
        return;
    }
    /* each expression over the part */
    for (size_t k = 0; k < x->n_along; k++) {
        Along *a = &r->along[k];
        Course course = {.run = run, .arc = arc, .a = a, .left = COURSE_PARTS};
        if (isfinite(a->lost_t))
            continue;
        if (!known)
            course_note_unsure(&course, INFINITY);
        if (a->take == REDUCE_MEAN || a->take == REDUCE_RMS)
            course_take_mean(&course, reduce_mean_error(run->at.s));
        else
            course_take_extreme(&course);
    }
}

/* Accelerations and multipliers follow narrow features of the equations though the motion may not.
 * If a feature is narrower than the step, they are followed part by part, because one polynomial
 * would not meet it. */
void reduce_step(Run *run, const OdeArc *arc)
{
    const double *ends;
    bool known = true;
    const size_t parts = observed_guards_need_motion(run->at.s->reductions->along)
                             ? inside_divide(&run->watch.features, &run->at, arc, &ends, &known)
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
    run->rows.reduce.elapsed += fabs(arc->h);
}

/* A value at one instant that is none. */
static void note_lost(Run *run, size_t i, double t)
{
    Reduce *r = &run->rows.reduce;

    if (!isfinite(r->values[i]) && isnan(r->lost_t[i]))
        r->lost_t[i] = t;
}

void reduce_take_state(Run *run, double t, const double *y)
{
    const Reductions *x = run->at.s->reductions;
    const ObservedState state = reduce_state_at(run, x->at, t, y);

    observed_guards(x->at, &state, run->rows.reduce.at_values);
    reduce_drifts(run, t);
}

void reduce_drifts(Run *run, double t)
{
    const Reductions *x = run->at.s->reductions;
    Reduce *r = &run->rows.reduce;

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
    const Reductions *x = run->at.s->reductions;
    Reduce *r = &run->rows.reduce;
    bool evaluated = false;

    for (size_t i = 0; x && i < x->n; i++) {
        const Reduction *item = &x->items[i];
        const bool first = item->take == REDUCE_FIRST_EVENT;
        if (item->event != k || !(first || item->take == REDUCE_EVENT_COUNT))
            continue;
        /* counts, and the value at the event of the wanted number */
        r->counts[i]++;
        if (!first)
            r->values[i] = (double)r->counts[i];
        if (!first || r->counts[i] != item->nth)
            continue;
        if (item->has_expr && !evaluated) {
            observed_guards(x->at, &run->at.state, r->at_values);
            evaluated = true;
        }
        r->values[i] = item->has_expr ? r->at_values[item->expr] : run->at.state.t;
        note_lost(run, i, run->at.state.t);
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

    /* a lost reduction has no value */
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
    const Reductions *x = run->at.s->reductions;
    Reduce *r = &run->rows.reduce;

    /* the values of all expressions at the end */
    reduce_state(run, t, y);
    if (x && x->along) {
        const ObservedState state = reduce_state_at(run, x->along, t, y);
        observed_guards(x->along, &state, r->along_values);
    }
    if (x && x->at) {
        const ObservedState state = reduce_state_at(run, x->at, t, y);
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
    finding_note_end(run, t, y);
}

static void warn(Run *run, size_t i)
{
    const Simulation *s = run->at.s;
    const Reduction *item = &s->reductions->items[i];
    const Along *a = reduction_is_along(item->take) ? &run->rows.reduce.along[item->expr] : NULL;

    if (!isnan(run->rows.reduce.lost_t[i]))
        result_warn(s, &run->result,
                    arena_printf(s->arena,
                                 "the reduction %s has no value: its expression is %s t = %.6g",
                                 item->name,
                                 a && a->rough ? "too rough for an integral from" : "not finite at",
                                 a && !isnan(a->lost_t) ? a->lost_t : run->rows.reduce.lost_t[i]));
    else if (a && a->unsure_of >
                      REDUCE_UNSEEN_FRACTION * a->size) /* the largest may have been met later */
        result_warn(s, &run->result,
                    arena_printf(s->arena,
                                 "the reduction %s may have missed something in %llu steps, the "
                                 "first from t = %.6g on: its expression is too rough there",
                                 item->name, (unsigned long long)a->unsure, a->unsure_t));
}

void reduce_report(Run *run)
{
    const Simulation *s = run->at.s;
    const Reductions *x = s->reductions;
    SimulationResult *result = &run->result;
    double *reduced = x ? arena_doubles(s->arena, x->n) : NULL;

    for (size_t i = 0; reduced && i < x->n; i++) {
        const Reduction *item = &x->items[i];
        reduced[i] = run->rows.reduce.values[i];
        if (item->take == REDUCE_FINDING)
            reduced[i] = finding_number(run, item->path);
        if (result->end.status != OK || !isfinite(reduced[i]))
            reduced[i] = NAN;
        if (result->end.status == OK)
            warn(run, i);
    }
    result->reduced = reduced;
}
