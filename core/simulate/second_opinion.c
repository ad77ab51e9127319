/* Other runs of a job, and their differences. */
#include "core/simulate/second_opinion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/memory.h"
#include "core/numeric/vectors.h"
#include "core/prepare/column_units.h"
#include "core/prepare/prepare.h"
#include "core/run/parts/result.h"
#include "core/run/run.h"
#include "core/run/tell/reduce_finding.h"

/* Most numbers kept for a comparison: 32 MB. */
enum { MOST_KEPT = 4000000 };

/* Factors of the tolerances. A more accurate run multiplies them by TIGHTER. The relative tolerance
 * may not be less than ACCURACY_ROUNDED (the job document); if it already is that small, both are
 * multiplied by LOOSER instead. Conventions. */
static const double TIGHTER = 1e-2, LOOSER = 10;

/* Every formulation has the time, the model's columns and the observables. The columns between them
 * belong to the formulation. */
static size_t model_columns(const Simulation *s)
{
    const Model *model = s->compiled->model;
    return 2 * model->n + model->r;
}

static size_t compared_columns(const Simulation *s)
{
    return model_columns(s) + s->n_observe;
}

/* The place of compared column i in a row of s. */
static size_t compared_place(const Simulation *s, size_t i)
{
    const size_t first_observable = s->columns.n - s->columns.n_sensitivities - s->n_observe;
    return i < model_columns(s) ? 1 + i : first_observable + i - model_columns(s);
}

static void refuse_formulation(Diagnostics *diag, size_t k, const char *name,
                               const Diagnostics *found, const Error *failure)
{
    const Diagnostic *first = found->count ? &found->items[0] : NULL;
    char pointer[32];

    snprintf(pointer, sizeof pointer, "/compare/%zu", k);
    diagnostics_add(diag, pointer, -1, first ? first->hint : NULL, "%s cannot be compared with: %s",
                    name, first ? first->message : failure->message);
}

/* Whether a formulation has the same motions, and the columns that the job's expressions read. */
static bool is_comparable(const Simulation *s, const Formulation *formulation, Error *failure)
{
    const Formulation *own = s->compiled->formulation;

    if (own->keeps_multipliers != formulation->keeps_multipliers)
        error_set(failure, ERR_INVALID,
                  "its motions are others than those of %s, not the same in another description",
                  own->name);
    else if (formulation != own && observed_reads_own(s->observed))
        error_set(failure, ERR_INVALID,
                  "expressions of the job read columns of %s's own, which it does not have",
                  own->name);
    else
        return true;
    return false;
}

/* Removes analyses and reductions, because only the job's own run computes them. */
static void leave_to_the_job(JobSpec *spec)
{
    static const AnalysisSpec NONE = {0};

    spec->analyses = &NONE;
    spec->n_analyses = 0;
    spec->n_reduce = 0;
}

static Status add_other(Simulation *s, const JobSpec *given, const SimulationLimits *limits,
                        size_t k, Diagnostics *diag, Error *err)
{
    JobSpec spec = *given;
    Compiled *other = NULL;
    Error failure = {0};
    Diagnostics found;

    diagnostics_init(&found, diag->arena);
    spec.formulation = given->compare[k];
    leave_to_the_job(&spec);
    spec.n_sensitivities = 0;
    Status status = compiled_in(s->compiled, spec.formulation, &other, &failure);
    if (status == OK && !is_comparable(s, other->formulation, &failure))
        status = ERR_INVALID;
    if (status == OK)
        status = simulation_prepare(other, &spec, limits, &found,
                                    &s->second.others[s->second.n_others], &failure);
    compiled_unref(other);
    if (status == OK) {
        s->second.n_others++;
        return OK;
    }
    /* errors of the process end the preparation; objections are reported */
    if (status == ERR_NO_MEMORY || status == ERR_INTERNAL)
        return error_set(err, status, "%s", failure.message);
    refuse_formulation(diag, k, spec.formulation, &found, &failure);
    return OK;
}

/* Prepares the job more accurately: with other tolerances for adaptive methods, half the step for
 * the others. */
static Status add_finer(Simulation *s, const JobSpec *given, const SimulationLimits *limits,
                        Diagnostics *diag, Error *err)
{
    JobSpec spec = *given;

    leave_to_the_job(&spec);
    /* a step longer than the motion is cut to its length, so halving it would change nothing */
    spec.integrator.step = fmin(spec.integrator.step, fabs(s->times.end - s->times.t0)) / 2;
    spec.integrator.atol *= TIGHTER;
    spec.integrator.rtol = fmax(spec.integrator.rtol * TIGHTER, ACCURACY_ROUNDED);
    if (spec.integrator.rtol >= given->integrator.rtol) {
        spec.integrator.rtol = given->integrator.rtol * LOOSER;
        spec.integrator.atol = given->integrator.atol * LOOSER;
    }
    return simulation_prepare(s->compiled, &spec, limits, diag, &s->second.finer, err);
}

static void check_room(const Simulation *s, const JobSpec *spec, Diagnostics *diag)
{
    const char *why = spec->n_compare ? "compare" : "accuracy";

    if (s->times.n > MOST_KEPT / s->columns.n)
        diagnostics_add(diag, spec->n_compare ? "/compare" : "/accuracy", -1,
                        "ask for fewer samples",
                        "%llu samples of %zu columns are more than the %d numbers that are kept "
                        "for \"%s\"",
                        (unsigned long long)s->times.n, s->columns.n, MOST_KEPT, why);
}

/* Allocates the sizes of the motion's columns; a run fills them. */
static Status size_columns(Simulation *s, Error *err)
{
    s->second.terms = arena_doubles(s->arena, s->columns.n);
    return arena_status(s->arena, err);
}

Status second_opinion_prepare(Simulation *s, const JobSpec *spec, const SimulationLimits *limits,
                              Diagnostics *diag, Error *err)
{
    const size_t before = diag->total;
    Status status;

    check_room(s, spec, diag);
    s->second.others = ARENA_NEW(s->arena, spec->n_compare, Simulation *);
    status = arena_status(s->arena, err);
    for (size_t k = 0; status == OK && k < spec->n_compare; k++)
        status = add_other(s, spec, limits, k, diag, err);
    if (status == OK && spec->accuracy)
        status = add_finer(s, spec, limits, diag, err);
    /* and the sizes of all their columns */
    if (status == OK)
        status = size_columns(s, err);
    for (size_t k = 0; status == OK && k < s->second.n_others; k++)
        status = size_columns(s->second.others[k], err);
    if (status == OK && s->second.finer)
        status = size_columns(s->second.finer, err);
    if (status == OK && diag->total > before)
        status = error_set(err, ERR_INVALID, "\"compare\" has mistakes");
    return status;
}

/* The rows of one event; each is kept with the length of the step in which the event happened. */
typedef struct EventRows {
    double *values; /* [n_kept][n_columns + 1] */
    size_t n, n_kept, capacity;
} EventRows;

/* The rows of a motion as they come. */
typedef struct Rows {
    const Simulation *s;
    double *last; /* n_columns: last row of the trajectory */
    size_t n;     /* number of rows of the trajectory */
    EventRows *events;
    size_t n_numbers; /* numbers kept of all events: at most MOST_KEPT */
} Rows;

/* An observer between the runs and the job's sink. */
typedef struct SecondOpinion {
    const SimulationSink *sink;
    Rows own, other;
    const SimulationResult *result;                /* of the job's own run */
    size_t part, parts;                            /* of the job's progress */
    double *kept;                                  /* [own.n][columns]: the job's own trajectory */
    bool all;                                      /* compare all columns: both runs have the same
                                                      formulation */
    uint64_t n_compared;                           /* rows of the trajectory */
    double *absolute, *relative, *size, *instants; /* for each compared column */
} SecondOpinion;

static size_t compared_width(const SecondOpinion *c)
{
    return c->all ? c->own.s->columns.n - 1 : compared_columns(c->own.s);
}

static Status rows_init(Rows *rows, const Simulation *s, Error *err)
{
    *rows = (Rows){.s = s,
                   .last = arena_doubles(s->arena, s->columns.n),
                   .events = ARENA_NEW(s->arena, s->n_events, EventRows)};
    return arena_status(s->arena, err);
}

static void rows_done(Rows *rows)
{
    for (size_t k = 0; rows->events && k < rows->s->n_events; k++)
        free(rows->events[k].values);
}

static Status keep_event(Rows *rows, EventRows *event, const double *row, Error *err)
{
    const size_t n = rows->s->columns.n, used = event->n_kept * (n + 1);

    event->n++;
    if (rows->n_numbers + n + 1 > MOST_KEPT)
        return OK;
    if (!grow_array(&event->values, &event->capacity, used + n + 1, sizeof *event->values))
        return error_set(err, ERR_NO_MEMORY, "out of memory for the rows of events");
    memcpy(event->values + used, row, n * sizeof *row);
    event->values[used + n] = rows->s->second.event_step;
    rows->n_numbers += n + 1;
    event->n_kept++;
    return OK;
}

/* Keeps rows of events. Table -1 is the trajectory, whose rows the caller keeps. */
static Status keep_events(Rows *rows, int table, const double *values, size_t n_rows, Error *err)
{
    Status status = OK;

    for (size_t k = 0; table >= 0 && status == OK && k < n_rows; k++)
        status = keep_event(rows, &rows->events[table], values + k * rows->s->columns.n, err);
    return status;
}

static Status keep_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    SecondOpinion *c = self;
    const size_t width = c->own.s->columns.n;

    if (table < 0) {
        memcpy(c->kept + c->own.n * width, rows, n_rows * width * sizeof *rows);
        c->own.n += n_rows;
        c->own.last = c->kept + (c->own.n - 1) * width;
    }
    const Status status = keep_events(&c->own, table, rows, n_rows, err);
    return status == OK ? c->sink->rows(c->sink->self, table, rows, n_rows, err) : status;
}

static size_t place_in(const SecondOpinion *c, const Simulation *s, size_t i)
{
    return c->all ? 1 + i : compared_place(s, i);
}

static void compare_values(SecondOpinion *c, size_t i, double t, double own, double other)
{
    const double difference = fabs(other - own);

    if (difference > c->absolute[i]) {
        c->absolute[i] = difference;
        c->instants[i] = t;
    }
    c->size[i] = fmax(c->size[i], fmax(fabs(own), fabs(other)));
}

static void compare_row(SecondOpinion *c, const double *own, const double *other)
{
    for (size_t i = 0; i < compared_width(c); i++)
        compare_values(c, i, own[0], own[place_in(c, c->own.s, i)],
                       other[place_in(c, c->other.s, i)]);
}

/* Compares the ends of both motions: the last rows, unless both are the same sample, and the final
 * states. */
static void compare_ends(SecondOpinion *c, const SimulationResult *other)
{
    const SimulationResult *own = c->result;

    if (c->own.n != c->other.n || c->own.last[0] != c->other.last[0]) {
        compare_row(c, c->own.last, c->other.last);
        c->n_compared++;
    }
    for (size_t i = 0; i < own->final.n; i++) {
        compare_values(c, i, own->end.t, own->final.q[i], other->final.q[i]);
        compare_values(c, own->final.n + i, own->end.t, own->final.v[i], other->final.v[i]);
    }
}

/* Compares the rows of an event in their order. If one motion has more rows, two rows belong
 * together if their instants differ by at most a step. */
static void compare_event(SecondOpinion *c, const EventRows *own, const EventRows *other)
{
    const size_t n_own = c->own.s->columns.n, n_other = c->other.s->columns.n;

    for (size_t k = 0; k < own->n_kept && k < other->n_kept; k++) {
        const double *a = own->values + k * (n_own + 1), *b = other->values + k * (n_other + 1);
        if (own->n != other->n && fabs(b[0] - a[0]) > fmax(a[n_own], b[n_other]))
            return;
        compare_row(c, a, b);
    }
}

/* Sizes of the derivatives of columns by one number. A derivative counts as zero, apart from
 * errors, if it is small relative to its column times the largest relative change of a coordinate
 * or velocity. */
static void size_sensitivities(SecondOpinion *c, size_t first, size_t n_columns)
{
    const size_t n_state = 2 * c->own.s->compiled->model->n;
    const double share = result_share_of_terms(c->own.s);
    double largest = 0;

    for (size_t i = 0; i < n_state; i++)
        if (c->size[i] > 0)
            largest = fmax(largest, c->size[first + i] / c->size[i]);
    for (size_t i = 0; i < n_columns; i++)
        c->size[first + i] = fmax(c->size[first + i], share * c->size[i] * largest);
}

static double terms_of(const Simulation *s, size_t column)
{
    return column_shown(s, column, s->second.terms[column]);
}

/* The size of a column is the largest of its values and of the sizes of its terms. */
static void finish_sizes(SecondOpinion *c)
{
    const Simulation *own = c->own.s, *other = c->other.s;
    const size_t width = compared_width(c), n = width - (c->all ? own->columns.n_sensitivities : 0);

    for (size_t i = 0; i < n; i++)
        c->size[i] = fmax(c->size[i], fmax(terms_of(own, place_in(c, own, i)),
                                           terms_of(other, place_in(c, other, i))));
    for (size_t first = n; first < width; first += n)
        size_sensitivities(c, first, n);
    for (size_t i = 0; i < width; i++)
        c->relative[i] = c->absolute[i] > 0 ? c->absolute[i] / c->size[i] : 0;
}

/* Compares samples, which both motions have at the same instants. A last row between two samples is
 * compared at the end of the other motion. */
static Status compare_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    SecondOpinion *c = self;
    const size_t n_own = c->own.s->columns.n, n_other = c->other.s->columns.n;

    for (size_t k = 0; table < 0 && k < n_rows; k++, c->other.n++) {
        const double *own = c->kept + c->other.n * n_own, *other = rows + k * n_other;
        if (c->other.n < c->own.n && own[0] == other[0]) {
            compare_row(c, own, other);
            c->n_compared++;
        }
        memcpy(c->other.last, other, n_other * sizeof *other);
    }
    return keep_events(&c->other, table, rows, n_rows, err);
}

static void pass_progress(void *self, double fraction, double t, uint64_t steps)
{
    const SecondOpinion *c = self;
    if (c->sink->progress)
        c->sink->progress(c->sink->self, ((double)c->part + fraction) / (double)c->parts, t, steps);
}

static Status pass_poll(void *self, Error *err)
{
    const SecondOpinion *c = self;
    return c->sink->poll ? c->sink->poll(c->sink->self, err) : OK;
}

static Status pass_evidence(void *self, const double *row, size_t n, Error *err)
{
    const SecondOpinion *c = self;
    return c->sink->evidence(c->sink->self, row, n, err);
}

static size_t place_of_largest(const double *values, size_t n)
{
    size_t place = 0;

    for (size_t i = 1; i < n; i++)
        if (values[i] > values[place])
            place = i;
    return place;
}

/* The number of event rows without a partner, over all events. */
static uint64_t count_unmatched(const SecondOpinion *c)
{
    uint64_t count = 0;

    for (size_t k = 0; k < c->own.s->n_events; k++) {
        const size_t own = c->own.events[k].n, other = c->other.events[k].n;
        count += own > other ? own - other : other - own;
    }
    return count;
}

/* Allocates the results of the comparison with another run. */
static Status begin_other(SecondOpinion *c, const Simulation *other, Error *err)
{
    Arena *arena = c->own.s->arena;
    const size_t n = compared_width(c);

    c->part++;
    c->n_compared = 0;
    c->absolute = arena_doubles(arena, n);
    c->relative = arena_doubles(arena, n);
    c->size = arena_doubles(arena, n);
    c->instants = arena_doubles(arena, n);
    rows_done(&c->other);
    const Status status = rows_init(&c->other, other, err);
    return status == OK ? arena_status(arena, err) : status;
}

static Status run_other(SecondOpinion *c, Simulation *other, Comparison *ret, Error *err)
{
    const SimulationSink sink = {
        .self = c, .rows = compare_rows, .progress = pass_progress, .poll = pass_poll};
    const size_t n = compared_width(c);
    SimulationResult result;

    Status status = begin_other(c, other, err);
    if (status == OK)
        status = run_motion(other, &sink, &result, err);
    if (status != OK)
        return status;
    /* at its end, compare the rest and compute the relative differences */
    if (result.end.status == OK)
        compare_ends(c, &result);
    for (size_t k = 0; k < other->n_events; k++)
        compare_event(c, &c->own.events[k], &c->other.events[k]);
    finish_sizes(c);
    *ret = (Comparison){.formulation = other->compiled->formulation->name,
                        .status = result.end.status,
                        .reason = result.end.reason,
                        .message = result.end.message,
                        .samples = c->n_compared,
                        .accepted = result.steps.accepted,
                        .event_rows = count_unmatched(c),
                        .longest_step = result.steps.longest,
                        .absolute = c->absolute,
                        .relative = c->relative,
                        .size = c->size,
                        .instants = c->instants,
                        .max_absolute = vector_largest(c->absolute, n),
                        .max_relative = vector_largest(c->relative, n),
                        .rcond_min = result.condition.rcond_min,
                        .t_reached = result.end.t};
    return OK;
}

/* A cancellation or timeout of another run stops the job, even if the job's own motion is
 * complete. */
static bool was_stopped(const Comparison *comparison, SimulationResult *result)
{
    if (comparison->status != ERR_CANCELLED && comparison->status != ERR_TIMEOUT)
        return false;
    result->end.status = comparison->status;
    result->end.reason = comparison->reason;
    result->end.message = comparison->message;
    return true;
}

/* Warns of the first event that has more rows in one motion, or of which not all rows are kept. */
static void warn_of_events(const SecondOpinion *c, const char *other, SimulationResult *result)
{
    const Simulation *s = c->own.s;
    bool told = false;

    for (size_t k = 0; k < s->n_events && !told; k++) {
        const EventRows *a = &c->own.events[k], *b = &c->other.events[k];
        told = a->n != b->n || a->n_kept < a->n || b->n_kept < b->n;
        if (a->n != b->n)
            result_warn(s, result,
                        "event_rows: the event %s has %zu rows in this motion and %zu in %s: one "
                        "of the two has missed it, or it depends on less than their errors",
                        s->columns.tables[k], a->n, b->n, other);
        else if (told)
            result_warn(s, result, "the event %s is compared with %s in its first %zu rows only",
                        s->columns.tables[k], other, a->n_kept < b->n_kept ? a->n_kept : b->n_kept);
    }
}

static void warn_of(const SecondOpinion *c, const Comparison *other, SimulationResult *result)
{
    const Simulation *s = c->own.s;
    const size_t worst = place_of_largest(other->relative, result->second.n_compared_columns);

    if (other->status == ERR_NUMERIC || other->status == ERR_LIMIT)
        result_warn(s, result, "the comparison with %s ended at t = %.6g: %s", other->formulation,
                    other->t_reached, other->message);
    else if (other->max_relative > result_believable(s))
        result_warn(s, result,
                    "%s differs from this motion by up to %.3g of the size of %s: the motion "
                    "amplifies errors, or one of the two is wrong",
                    other->formulation, other->max_relative,
                    result->second.compared_columns[worst]);
    if (other->status == OK)
        warn_of_events(c, other->formulation, result);
}

static Status run_others(SecondOpinion *c, Simulation *s, SimulationResult *result, Error *err)
{
    const size_t n = compared_columns(s);
    Comparison *items = arena_alloc(s->arena, s->second.n_others, sizeof *items);
    const char **names = arena_alloc(s->arena, n, sizeof *names);
    if (!items || !names)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t i = 0; i < n; i++)
        names[i] = s->columns.names[compared_place(s, i)];
    result->second.comparisons = items;
    result->second.compared_columns = names;
    result->second.n_compared_columns = n;
    /* a job that is stopped here keeps the comparisons made so far */
    for (size_t k = 0; k < s->second.n_others; k++) {
        Status status = run_other(c, s->second.others[k], &items[k], err);
        if (status != OK)
            return status;
        result->second.n_comparisons++;
        warn_of(c, &items[k], result);
        if (was_stopped(&items[k], result))
            break;
    }
    return OK;
}

/* Warns of the column with the largest relative error. */
static void warn_inaccurate(const Simulation *s, SimulationResult *result)
{
    const Comparison *finer = &result->second.accuracy->finer;
    const size_t worst = place_of_largest(finer->relative, result->second.n_columns);

    if (finer->max_relative > result_accurate(s))
        result_warn(
            s, result,
            "inaccurate: the error of %s is about %.3g of its size (%.3g of %.3g) at t = %.9g%s",
            result->second.columns[worst], finer->max_relative, finer->absolute[worst],
            finer->size[worst], finer->instants[worst],
            result->second.accuracy->coarser
                ? "; this is a bound, for the second run had to be the looser one"
                : "");
}

static void warn_of_finer(const SecondOpinion *c, SimulationResult *result)
{
    const Comparison *finer = &result->second.accuracy->finer;
    const Simulation *s = c->own.s;

    if (finer->status != OK) {
        result_warn(
            s, result,
            "the errors are not estimated: the second, more accurate run ended at t = %.6g: %s",
            finer->t_reached, finer->message);
        return;
    }
    warn_inaccurate(s, result);
    warn_of_events(c, "the run that estimates the errors", result);
}

static Status run_finer(SecondOpinion *c, Simulation *s, SimulationResult *result, Error *err)
{
    OdeOptions *options = &s->second.finer->integration.options;
    Accuracy *accuracy = arena_alloc(s->arena, 1, sizeof *accuracy);
    if (!accuracy)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    c->all = true;
    /* a shorter step, so that the second run also evaluates the motion at other instants */
    if (options->step == 0)
        options->max_step = result->steps.longest / 2;
    Status status = run_other(c, s->second.finer, &accuracy->finer, err);
    if (status != OK)
        return status;
    accuracy->rtol = options->rtol;
    accuracy->atol = options->atol;
    accuracy->step = options->step;
    accuracy->max_step = options->max_step;
    accuracy->coarser = options->step == 0 && options->rtol > s->integration.options.rtol;
    result->second.accuracy = accuracy;
    result->second.columns = s->columns.names + 1;
    result->second.n_columns = s->columns.n - 1;
    if (!was_stopped(&accuracy->finer, result))
        warn_of_finer(c, result);
    return OK;
}

static Status run_all(SecondOpinion *c, Simulation *s, const SimulationSink *sink,
                      SimulationResult *result, Error *err)
{
    Status status = rows_init(&c->own, s, err);

    if (status == OK)
        status = run_motion(s, sink, result, err);
    if (status == OK && result->end.status == OK && s->second.n_others)
        status = run_others(c, s, result, err);
    if (status == OK && result->end.status == OK && s->second.finer)
        status = run_finer(c, s, result, err);
    return status == OK ? finding_take_opinions(s, result, err) : status;
}

Status second_opinion_run(Simulation *s, const SimulationSink *sink, SimulationResult *ret_result,
                          Error *err)
{
    SimulationResult result;
    SecondOpinion c = {
        .sink = sink,
        .result = &result,
        .parts = 1 + s->second.n_others + (s->second.finer ? 1 : 0),
        /* at most one row for each sample (see check_room()), and one at an end between samples */
        .kept = alloc_array(s->columns.n * ((size_t)s->times.n + 1), sizeof *c.kept)};
    const SimulationSink keep = {.self = &c,
                                 .rows = keep_rows,
                                 .progress = pass_progress,
                                 .poll = pass_poll,
                                 .evidence = sink->evidence ? pass_evidence : NULL};
    if (!c.kept)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    const Status status = run_all(&c, s, &keep, &result, err);
    rows_done(&c.own);
    rows_done(&c.other);
    free(c.kept);
    if (status == OK)
        *ret_result = result;
    return status;
}
