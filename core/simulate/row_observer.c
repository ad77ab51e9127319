/* Observables evaluated over the rows of a finished run. Each of their inputs must be a column. The
 * new observables are compiled behind those of the job, as if the job had been submitted with them.
 * Therefore their values have the same bits. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/prepare/column_units.h"
#include "core/prepare/prepare.h"

struct RowObserver {
    Simulation *simulation;
    size_t n_before, n_own; /* observables of the job; columns before them */
    double *all;            /* n_observe: scratch, in the simulation's arena */
};

void row_observer_free(RowObserver *observer)
{
    if (observer)
        simulation_free(observer->simulation);
    free(observer);
}

/* The job with more observables and without the parts that need a run: events, analyses etc. */
static Status extend(const JobSpec *spec, const NamedText *observe, size_t n, Arena *arena,
                     JobSpec *ret, Error *err)
{
    static const AnalysisSpec none;
    NamedText *all = ARENA_NEW(arena, spec->n_observe + n, NamedText);

    if (!all)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    if (spec->n_observe)
        memcpy(all, spec->observe, spec->n_observe * sizeof *all);
    memcpy(all + spec->n_observe, observe, n * sizeof *all);
    *ret = *spec;
    ret->observe = all;
    ret->n_observe += n;
    ret->n_events = ret->n_compare = ret->n_reduce = ret->n_sensitivities = ret->n_analyses = 0;
    ret->analyses = &none;
    ret->accuracy = false;
    return OK;
}

/* Checks the new expressions alone. Wrong units are forgiven in an accepted job, but not here. */
static Status check(const Compiled *compiled, const JobSpec *extended, const NamedText *observe,
                    size_t n, Diagnostics *diag, Error *err)
{
    const Model *model = compiled->model;
    const ObservedOf of = {
        .model = model, .formulation = compiled->formulation, .params = model->param_values};
    const JobSpec names = {.observe = extended->observe, .n_observe = extended->n_observe};
    Observed *observed = NULL;
    const ObservedTexts texts = {.texts = observe, .n = n};
    const Status status = observed_values_new(&of, &names, &texts, diag, &observed, err);

    observed_free(observed);
    return status;
}

/* The column of input i; 0 if the input is the time or has no column. */
static size_t column_of(const Simulation *s, size_t i)
{
    const Model *m = s->compiled->model;
    const bool kept = s->compiled->formulation->keeps_multipliers;
    const size_t first_own = 1 + 3 * m->n + (kept ? 2 : 1) * m->r;

    if (i >= first_own)
        return 1 + 2 * m->n + m->r + i - first_own;
    return i <= 2 * m->n ? i : i > 3 * m->n && i <= 3 * m->n + m->r ? i - m->n : 0;
}

/* Reports the reason why input i is not known from a row; false if it is known. */
static bool refuse_input(const Simulation *s, size_t i, const NamedText *observe, Diagnostics *diag)
{
    const Model *m = s->compiled->model;
    const size_t n = m->n, c = column_of(s, i);
    static const char HINT[] = "submit the job with it in \"observe\"";

    /* an input with a column is known, unless the column is shown in another unit */
    if (i == 0 || c > 0) {
        const Unit *unit = s->columns.units ? s->columns.units->units[c] : NULL;
        if (!unit || !unit->scales)
            return false;
        diagnostics_add(diag, observe->pointer, -1, HINT,
                        "it reads %s, of which the result has the value in %s: that of the SI is "
                        "known but for rounding",
                        s->columns.names[c], s->columns.units->texts[c]);
    } else if (i <= 3 * n) {
        diagnostics_add(diag, observe->pointer, -1, HINT,
                        "it reads ddot(%s), and results have no accelerations",
                        m->names.coordinates[i - 2 * n - 1]);
    } else {
        diagnostics_add(diag, observe->pointer, -1, HINT,
                        "it reads a reaction, which is made of the rates of the multipliers that "
                        "this motion keeps, and results do not have these");
    }
    return true;
}

/* Each input of an observable must have a column. Reports the first one that has none. */
static Status check_inputs(const RowObserver *observer, const NamedText *observe, size_t n,
                           Diagnostics *diag, Error *err)
{
    const Simulation *s = observer->simulation;
    const size_t n_inputs = observed_n_inputs(s->observed), before = diag->total;
    bool *reads = ARENA_NEW(s->arena, n_inputs, bool);
    Status status = arena_status(s->arena, err);

    for (size_t k = 0; status == OK && k < n; k++) {
        status = observed_reads(s->observed, false, observer->n_before + k, reads, err);
        for (size_t i = 0; status == OK && i < n_inputs; i++)
            if (reads[i] && refuse_input(s, i, &observe[k], diag))
                break;
    }
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the rows do not have these columns");
    return status;
}

static Status fill(RowObserver *observer, Compiled *compiled, const JobSpec *spec,
                   const NamedText *observe, size_t n, Diagnostics *diag, Error *err)
/* prepare the job with the new observables */
{
    Arena arena = {0};
    JobSpec extended;

    Status status = extend(spec, observe, n, &arena, &extended, err);
    if (status == OK)
        status = check(compiled, &extended, observe, n, diag, err);
    if (status == OK)
        status = simulation_prepare(compiled, &extended, NULL, diag, &observer->simulation, err);
    arena_done(&arena);
    if (status != OK)
        return status;
    /* set up the places of columns, and check that rows have all inputs */
    Simulation *s = observer->simulation;
    observer->n_before = spec->n_observe;
    observer->n_own = s->columns.n - s->n_observe;
    observer->all = arena_doubles(s->arena, s->n_observe);
    status = arena_status(s->arena, err);
    return status == OK ? check_inputs(observer, observe, n, diag, err) : status;
}

Status row_observer_new(Compiled *compiled, const JobSpec *spec, const NamedText *observe, size_t n,
                        Diagnostics *diag, RowObserver **ret_observer, Error *err)
{
    RowObserver *observer = alloc_array(1, sizeof *observer);

    if (!observer)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const Status status = fill(observer, compiled, spec, observe, n, diag, err);
    if (status == OK)
        *ret_observer = observer;
    else
        row_observer_free(observer);
    return status;
}

size_t row_observer_columns(const RowObserver *observer, const char *const **ret_names,
                            const char *const **ret_units)
{
    const Simulation *s = observer->simulation;

    *ret_names = s->columns.names;
    *ret_units = simulation_units(s);
    return observer->n_own + observer->n_before;
}

size_t row_observer_operations(const RowObserver *observer)
{
    return observed_length(observer->simulation->observed);
}

void row_observer_eval(RowObserver *observer, const double *row, double *ret_values)
{
    const Simulation *s = observer->simulation;
    const size_t n = s->compiled->model->n;
    const double *lambda = row + 1 + 2 * n;
    const ObservedState state = {.t = row[0],
                                 .q = row + 1,
                                 .v = row + 1 + n,
                                 .lambda = lambda,
                                 .own = lambda + s->compiled->model->r};

    observed_columns(s->observed, &state, observer->all);
    memcpy(ret_values, observer->all + observer->n_before,
           (s->n_observe - observer->n_before) * sizeof *ret_values);
}
