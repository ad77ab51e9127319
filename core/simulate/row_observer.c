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
    double *in_si;          /* n_own: scratch, a row in the SI; NULL: rows are used as they are */
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

static const char SUBMIT_WITH[] = "submit the job with it in \"observe\"";

/* Whether input i has a column, perhaps shown in another unit than that of the SI. */
static bool has_column(const Simulation *s, size_t i)
{
    return i == 0 || column_of(s, i) > 0;
}

static void refuse_acceleration(const Model *m, size_t i, const NamedText *observe,
                                Diagnostics *diag)
{
    diagnostics_add(diag, observe->pointer, -1, SUBMIT_WITH,
                    "it reads ddot(%s), and results have no accelerations",
                    m->names.coordinates[i - 2 * m->n - 1]);
}

/* Reports the reason why input i has no column. */
static void refuse_input(const Simulation *s, size_t i, const NamedText *observe, Diagnostics *diag)
{
    const Model *m = s->compiled->model;

    if (i <= 3 * m->n)
        refuse_acceleration(m, i, observe, diag);
    else
        diagnostics_add(diag, observe->pointer, -1, SUBMIT_WITH,
                        "it reads a reaction, which is made of the rates of the multipliers that "
                        "this motion keeps, and results do not have these");
}

/* Reports the reason why the value of input i in the SI is not known to the bit; false if it is. */
static bool refuse_rounded(const Simulation *s, size_t i, const NamedText *observe,
                           Diagnostics *diag)
{
    const size_t c = column_of(s, i);
    const Unit *unit = s->columns.units ? s->columns.units->units[c] : NULL;

    if (!unit || !unit->scales)
        return false;
    diagnostics_add(diag, observe->pointer, -1, SUBMIT_WITH,
                    "it reads %s, of which the result has the value in %s: that of the SI is known "
                    "but for rounding",
                    s->columns.names[c], s->columns.units->texts[c]);
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
        for (size_t i = 0; status == OK && i < n_inputs; i++) {
            /* a column in a scaled unit does not tell the value in the SI to the bit */
            if (reads[i] && has_column(s, i) && refuse_rounded(s, i, &observe[k], diag))
                break;
            if (reads[i] && !has_column(s, i)) {
                refuse_input(s, i, &observe[k], diag);
                break;
            }
        }
    }
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the rows do not have these columns");
    return status;
}

/* Prepares the job with the new observables, and sets up the places of columns. */
static Status fill(RowObserver *observer, Compiled *compiled, const JobSpec *spec,
                   const JobSpec *extended, Diagnostics *diag, Error *err)
{
    const Status status =
        simulation_prepare(compiled, extended, NULL, diag, &observer->simulation, err);
    if (status != OK)
        return status;
    Simulation *s = observer->simulation;
    observer->n_before = spec->n_observe;
    observer->n_own = s->columns.n - s->n_observe;
    observer->all = arena_doubles(s->arena, s->n_observe);
    return arena_status(s->arena, err);
}

static Status finish(RowObserver *observer, Status status, RowObserver **ret_observer)
{
    if (status == OK)
        *ret_observer = observer;
    else
        row_observer_free(observer);
    return status;
}

Status row_observer_new(Compiled *compiled, const JobSpec *spec, const NamedText *observe, size_t n,
                        Diagnostics *diag, RowObserver **ret_observer, Error *err)
{
    RowObserver *observer = alloc_array(1, sizeof *observer);
    Arena arena = {0};
    JobSpec extended;

    if (!observer)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = extend(spec, observe, n, &arena, &extended, err);
    if (status == OK)
        status = check(compiled, &extended, observe, n, diag, err);
    if (status == OK)
        status = fill(observer, compiled, spec, &extended, diag, err);
    if (status == OK)
        status = check_inputs(observer, observe, n, diag, err);
    arena_done(&arena);
    return finish(observer, status, ret_observer);
}

Status row_observer_of_drawing(Compiled *compiled, const JobSpec *spec, const NamedText *texts,
                               size_t n, Diagnostics *diag, RowObserver **ret_observer, Error *err)
{
    RowObserver *observer = alloc_array(1, sizeof *observer);
    Arena arena = {0};
    JobSpec extended;

    if (!observer)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = extend(spec, texts, n, &arena, &extended, err);
    if (status == OK) {
        extended.n_named = spec->n_observe;
        status = fill(observer, compiled, spec, &extended, diag, err);
    }
    /* rows in other units are converted back */
    if (status == OK && observer->simulation->columns.units &&
        observer->simulation->columns.units->shown) {
        observer->in_si = arena_doubles(observer->simulation->arena, observer->n_own);
        status = arena_status(observer->simulation->arena, err);
    }
    arena_done(&arena);
    return finish(observer, status, ret_observer);
}

/* Reports the texts that read an acceleration, for no motion has columns of these. */
static Status refuse_accelerations(const Model *m, const Observed *observed, const NamedText *texts,
                                   size_t n, Diagnostics *diag, Error *err)
{
    const size_t n_inputs = observed_n_inputs(observed), first = 1 + 2 * m->n;
    Arena arena = {0};
    unsigned char *classes = ARENA_NEW(&arena, n_inputs, unsigned char);
    unsigned char *found = ARENA_NEW(&arena, n, unsigned char);
    bool *reads = ARENA_NEW(&arena, n_inputs, bool);
    Status status = arena_status(&arena, err);

    for (size_t i = first; status == OK && i < first + m->n; i++)
        classes[i] = 1;
    if (status == OK)
        status = observed_classes(observed, true, 0, n, classes, found, err);
    /* the first acceleration of each text that has one */
    for (size_t k = 0; status == OK && k < n; k++) {
        size_t i = first;
        if (!found[k])
            continue;
        status = observed_reads(observed, true, k, reads, err);
        while (status == OK && !reads[i])
            i++;
        if (status == OK)
            refuse_acceleration(m, i, &texts[k], diag);
    }
    arena_done(&arena);
    return status;
}

Status drawing_texts_check(const Compiled *compiled, const JobSpec *spec, const NamedText *texts,
                           const bool *conditions, size_t n, Diagnostics *diag, Error *err)
{
    const Model *m = compiled->model;
    const ObservedOf of = {
        .model = m, .formulation = compiled->formulation, .params = m->param_values};
    /* texts may name observables; the rest of the job does not matter */
    const JobSpec names = {
        .observe = spec->observe, .n_observe = spec->n_observe, .n_named = spec->n_observe};
    const size_t before = diag->total;
    Observed *observed = NULL;
    Arena arena = {0};
    ParseFlags *flags = ARENA_NEW(&arena, n, ParseFlags);

    for (size_t k = 0; flags && k < n; k++)
        flags[k] = conditions[k] ? PARSE_CONDITION : PARSE_EXPRESSION;
    Status status = arena_status(&arena, err);
    if (status == OK)
        status = observed_values_new(&of, &names,
                                     &(ObservedTexts){.texts = texts, .flags = flags, .n = n}, diag,
                                     &observed, err);
    if (status == OK)
        status = refuse_accelerations(m, observed, texts, n, diag, err);
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "results have no accelerations");
    observed_free(observed);
    arena_done(&arena);
    return status;
}

/* The first input that a text reads and rows do not have, in words. */
static Status find_gap(const Simulation *s, size_t k, const NamedText *text, Arena *arena,
                       const char **ret_gap, Error *err)
{
    const size_t n_inputs = observed_n_inputs(s->observed);
    bool *reads = ARENA_NEW(arena, n_inputs, bool);
    Diagnostics diag;
    size_t i = 0;

    if (!reads)
        return arena_status(arena, err);
    const Status status = observed_reads(s->observed, false, k, reads, err);
    while (status == OK && i < n_inputs && !(reads[i] && !has_column(s, i)))
        i++;
    if (status != OK)
        return status;
    diagnostics_init(&diag, arena);
    refuse_input(s, i, text, &diag);
    *ret_gap = diag.items[0].message;
    return arena_status(arena, err);
}

Status row_observer_knows(RowObserver *observer, const NamedText *texts, size_t n, Arena *arena,
                          RowKnowledge *ret, Error *err)
{
    enum { PLACE = 1, BEYOND_PLACE = 2, NO_COLUMN = 4 }; /* classes of inputs */
    const Simulation *s = observer->simulation;
    const size_t n_inputs = observed_n_inputs(s->observed), n_places = s->compiled->model->n + 1;
    double *row = arena_doubles(arena, observer->n_own), *values = arena_doubles(arena, n);
    unsigned char *classes = ARENA_NEW(arena, n_inputs, unsigned char);
    unsigned char *found = ARENA_NEW(arena, n, unsigned char);
    Status status = arena_status(arena, err);

    if (status != OK)
        return status;
    for (size_t i = 0; i < n_inputs; i++)
        classes[i] = i < n_places ? PLACE : has_column(s, i) ? BEYOND_PLACE : NO_COLUMN;
    status = observed_classes(s->observed, false, observer->n_before, n, classes, found, err);
    /* texts that read nothing have their value in every row */
    row_observer_eval(observer, row, values);
    for (size_t k = 0; status == OK && k < n; k++) {
        ret[k] = (RowKnowledge){
            .is_constant = found[k] == 0, .value = values[k], .has_rate = found[k] == PLACE};
        if (found[k] & NO_COLUMN)
            status = find_gap(s, observer->n_before + k, &texts[k], arena, &ret[k].gap, err);
    }
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

static const double *converted(const RowObserver *observer, const double *row)
{
    const Unit *const *units = (const Unit *const *)observer->simulation->columns.units->units;

    for (size_t c = 0; c < observer->n_own; c++)
        observer->in_si[c] = units[c] && units[c]->scales ? unit_to_si(units[c], row[c]) : row[c];
    return observer->in_si;
}

void row_observer_eval(RowObserver *observer, const double *row, double *ret_values)
{
    const Simulation *s = observer->simulation;
    const size_t n = s->compiled->model->n;

    if (observer->in_si)
        row = converted(observer, row);
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
