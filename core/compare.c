#include "core/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/run.h"

/* Numbers of the motion that are kept for its comparison: 32 MB. */
enum { MOST_KEPT = 4000000 };

/* Every formulation has the time, the model's columns and the observables; what lies between them
 * is its own. */
static size_t model_columns(const Simulation *s)
{
    const Model *model = s->compiled->model;
    return 2 * model->n + model->r;
}

static size_t compared_columns(const Simulation *s)
{
    return model_columns(s) + s->n_observe;
}

/* The compared columns of a row of s. */
static void select_columns(const Simulation *s, const double *row, double *ret)
{
    memcpy(ret, row + 1, model_columns(s) * sizeof *row);
    if (s->n_observe)
        memcpy(ret + model_columns(s), row + s->n_columns - s->n_observe,
               s->n_observe * sizeof *row);
}

/* Preparation ---------------------------------------------------------------------------------- */

static void refuse(Diagnostics *diag, size_t k, const char *name, const Diagnostics *found,
                   const Error *failure)
{
    char pointer[32] = "/compare/";
    const Diagnostic *first = found->count ? &found->items[0] : NULL;
    char digits[24];
    size_t n = 0;

    do
        digits[n++] = (char)('0' + k % 10);
    while (k /= 10);
    for (size_t end = strlen(pointer); n > 0; end++)
        pointer[end] = digits[--n];
    diagnostics_add(diag, pointer, -1, first ? first->hint : NULL, "%s cannot be compared with: %s",
                    name, first ? first->message : failure->message);
}

static bool same_dynamics(const Simulation *s, const Formulation *formulation, Error *failure)
{
    if (s->compiled->formulation->keeps_multipliers == formulation->keeps_multipliers)
        return true;
    error_set(failure, ERR_INVALID,
              "its motions are others than those of %s, not the same in another description",
              s->compiled->formulation->name);
    return false;
}

static Status add_other(Simulation *s, const JobSpec *given, const SimulationLimits *limits,
                        size_t k, Diagnostics *diag, Error *err)
{
    JobSpec spec = *given;
    Compiled *other = NULL;
    Error failure = {0};
    Diagnostics *found = arena_alloc(diag->arena, 1, sizeof *found);
    if (!found)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    diagnostics_init(found, diag->arena);
    spec.formulation = given->compare[k];
    Status status = compiled_in(s->compiled, spec.formulation, &other, &failure);
    if (status == OK && !same_dynamics(s, other->formulation, &failure))
        status = ERR_INVALID;
    if (status == OK)
        status = simulation_new_one(other, &spec, limits, found, &s->others[s->n_others], &failure);
    compiled_unref(other);
    if (status == OK) {
        s->n_others++;
        return OK;
    }
    if (status == ERR_NO_MEMORY || status == ERR_INTERNAL)
        return error_set(err, status, "%s", failure.message);
    refuse(diag, k, spec.formulation, found, &failure);
    return OK;
}

Status compare_new(Simulation *s, const JobSpec *spec, const SimulationLimits *limits,
                   Diagnostics *diag, Error *err)
{
    const size_t before = diag->total, columns = compared_columns(s);
    Status status = OK;

    if (s->times.n > MOST_KEPT / columns)
        diagnostics_add(diag, "/compare", -1, "ask for fewer samples, or leave \"compare\" out",
                        "%llu samples of %zu columns are more than the %d numbers that are kept "
                        "for a comparison",
                        (unsigned long long)s->times.n, columns, MOST_KEPT);
    s->others = arena_alloc(s->arena, spec->n_compare, sizeof(Simulation *));
    if (!s->others)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; status == OK && k < spec->n_compare; k++)
        status = add_other(s, spec, limits, k, diag, err);
    if (status == OK && diag->total > before)
        status = error_set(err, ERR_INVALID, "a formulation to compare with does not apply");
    return status;
}

/* The runs ------------------------------------------------------------------------------------- */

/* What stands between a run and the job's sink. */
typedef struct Compare {
    const SimulationSink *sink;
    const Simulation *running;
    size_t part, parts;    /* of the job's progress */
    size_t columns;        /* compared */
    double *kept;          /* [n_kept][columns]: the job's own motion */
    size_t n_kept, n_rows; /* rows of it, and of the other motion that have come so far */
    double *selected;      /* columns */
    double *absolute, *relative;
} Compare;

static Status keep_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Compare *c = self;

    for (size_t k = 0; table < 0 && k < n_rows; k++)
        select_columns(c->running, rows + k * c->running->n_columns,
                       c->kept + c->n_kept++ * c->columns);
    return c->sink->rows(c->sink->self, table, rows, n_rows, err);
}

static Status compare_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Compare *c = self;

    (void)err;
    for (size_t k = 0; table < 0 && k < n_rows && c->n_rows < c->n_kept; k++, c->n_rows++) {
        const double *own = c->kept + c->n_rows * c->columns;
        select_columns(c->running, rows + k * c->running->n_columns, c->selected);
        for (size_t i = 0; i < c->columns; i++) {
            double difference = fabs(c->selected[i] - own[i]);
            c->absolute[i] = fmax(c->absolute[i], difference);
            c->relative[i] = fmax(c->relative[i], difference / (1 + fabs(own[i])));
        }
    }
    return OK;
}

static void pass_progress(void *self, double fraction, double t, uint64_t steps)
{
    const Compare *c = self;
    if (c->sink->progress)
        c->sink->progress(c->sink->self, ((double)c->part + fraction) / (double)c->parts, t, steps);
}

static Status pass_poll(void *self, Error *err)
{
    const Compare *c = self;
    return c->sink->poll ? c->sink->poll(c->sink->self, err) : OK;
}

static double largest(const double *values, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, values[i]);
    return most;
}

static Status run_other(Compare *c, Simulation *s, Simulation *other, Comparison *ret, Error *err)
{
    const SimulationSink sink = {c, compare_rows, pass_progress, pass_poll};
    SimulationResult result;
    double *most = arena_alloc(s->arena, 2 * c->columns, sizeof *most);
    if (!most)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    c->running = other;
    c->part++;
    c->n_rows = 0;
    c->absolute = most;
    c->relative = most + c->columns;
    Status status = run_motion(other, &sink, &result, err);
    if (status != OK)
        return status;
    *ret = (Comparison){.formulation = other->compiled->formulation->name,
                        .status = result.status,
                        .reason = result.reason,
                        .message = result.message,
                        .samples = c->n_rows,
                        .accepted = result.accepted,
                        .absolute = c->absolute,
                        .relative = c->relative,
                        .max_absolute = largest(c->absolute, c->columns),
                        .max_relative = largest(c->relative, c->columns),
                        .rcond_min = result.condition.rcond_min,
                        .t_reached = result.t_reached};
    return OK;
}

/* A job that is stopped while others are computed is stopped, though its own motion is whole. */
static bool was_stopped(const Comparison *comparison)
{
    return comparison->status == ERR_CANCELLED || comparison->status == ERR_TIMEOUT;
}

static Status run_others(Compare *c, Simulation *s, SimulationResult *result, Error *err)
{
    Comparison *items = arena_alloc(s->arena, s->n_others, sizeof *items);
    const char **names = arena_alloc(s->arena, c->columns, sizeof *names);
    if (!items || !names)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t i = 0; i < c->columns; i++)
        names[i] =
            i < model_columns(s) ? s->columns[1 + i] : s->columns[s->n_columns - c->columns + i];
    result->comparisons = items;
    result->compared_columns = names;
    result->n_compared_columns = c->columns;
    for (size_t k = 0; k < s->n_others; k++) {
        Status status = run_other(c, s, s->others[k], &items[k], err);
        if (status != OK)
            return status;
        result->n_comparisons++;
        if (was_stopped(&items[k])) {
            result->status = items[k].status;
            result->reason = items[k].reason;
            result->message = items[k].message;
            break;
        }
    }
    return OK;
}

Status compare_run(Simulation *s, const SimulationSink *sink, SimulationResult *ret_result,
                   Error *err)
{
    Compare c = {
        .sink = sink, .running = s, .parts = 1 + s->n_others, .columns = compared_columns(s)};
    const SimulationSink keep = {&c, keep_rows, pass_progress, pass_poll};
    SimulationResult result;

    /* no more rows than samples: see compare_new() */
    c.kept = alloc_array(c.columns * ((size_t)s->times.n + 1), sizeof *c.kept);
    if (!c.kept)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    c.selected = c.kept + c.columns * (size_t)s->times.n;
    Status status = run_motion(s, &keep, &result, err);
    if (status == OK && result.status == OK)
        status = run_others(&c, s, &result, err);
    free(c.kept);
    if (status == OK)
        *ret_result = result;
    return status;
}
