/* Members one after the other: each is the job with its own numbers, prepared and run as any job is. */
#include "core/ensemble/ensemble.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/ensemble/member.h"
#include "core/ensemble/summary.h"

enum { MEMBER_ARENA_BYTES = 1 << 22 };
/* Of so many members, one that can start is looked for to see what columns its tables have. */
enum { PROBED = 8 };

struct Ensemble {
    Arena *arena;    /* owns the arrays */
    Arena *mistakes; /* of the member under way */
    Compiled *compiled;
    JobSpec job; /* of all members */
    SimulationLimits limits;
    bool limited, stop_on_error;
    EnsembleKeep keep;
    Design *design;
    Member *member;
    Summary summary;
    double *inputs, *row;
    const char **tables; /* n_tables; then NULL */
    size_t n_tables;
    const char **table_columns; /* n_table_columns */
    size_t n_table_columns;
    double *table_row;
};

static const SimulationLimits *limits_of(const Ensemble *e)
{
    return e->limited ? &e->limits : NULL;
}

/* What the document varies, as a place in it. */
static const char *place_of_design(const DesignSpec *spec)
{
    static const char DESIGN[] = "/ensemble/design";
    const bool posted = spec->n_axes && strncmp(spec->axes[0].pointer, DESIGN, strlen(DESIGN)) == 0;

    return posted ? DESIGN : "/vary";
}

static void check_counts(const DesignSpec *spec, Diagnostics *diag)
{
    const bool listed = spec->kind == DESIGN_GRID || spec->kind == DESIGN_ZIP;

    if (spec->n_axes == 0)
        diagnostics_add(diag, place_of_design(spec), -1, NULL, "nothing is varied");
    if (!listed && spec->count == 0)
        diagnostics_add(diag, place_of_design(spec), -1, NULL, "the design has no members");
    for (size_t a = 0; listed && a < spec->n_axes; a++)
        if (spec->axes[a].count == 0)
            diagnostics_add(diag, spec->axes[a].pointer, -1, NULL, "\"%.80s\" has no values",
                            spec->axes[a].path);
}

static Status make_design(Ensemble *e, const DesignSpec *spec, uint64_t most, Diagnostics *diag,
                          Error *err)
{
    const size_t before = diag->total;
    Error own = {0};

    check_counts(spec, diag);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the design has mistakes");
    Status status = design_new(spec, most ? most : UINT64_MAX, e->arena, &e->design, &own);
    if (status == ERR_LIMIT || status == ERR_INVALID) {
        diagnostics_add(diag, place_of_design(spec), -1, NULL, "%s", own.message);
        return error_set(err, ERR_INVALID, "the design has mistakes");
    }
    return status == OK ? OK : error_set(err, status, "%s", own.message);
}

/* The axes outlive the call, their paths are the document's. */
static Status copy_axes(const DesignSpec *spec, Arena *arena, DesignSpec *ret, Error *err)
{
    DesignAxis *axes = ARENA_NEW(arena, spec->n_axes, DesignAxis);

    if (!axes)
        return arena_status(arena, err);
    if (spec->n_axes)
        memcpy(axes, spec->axes, spec->n_axes * sizeof *axes);
    *ret = *spec;
    ret->axes = axes;
    return OK;
}

/* A member's simulation; its mistakes go to *ret_diag, until the next call. */
static Status prepare_member(Ensemble *e, uint64_t k, Diagnostics **ret_diag,
                             Simulation **ret_simulation, Error *err)
{
    arena_reset(e->mistakes);
    Diagnostics *diag = ARENA_NEW(e->mistakes, 1, Diagnostics);
    if (!diag)
        return arena_status(e->mistakes, err);
    diagnostics_init(diag, e->mistakes);
    *ret_diag = diag;
    return simulation_new(e->compiled, ensemble_member(e, k), limits_of(e), diag, ret_simulation,
                          err);
}

/* Columns of the formulation's own are known once a member can start. */
static Status find_table_columns(Ensemble *e, Error *err)
{
    const uint64_t count = design_count(e->design);
    const char *const *names = NULL;
    Diagnostics *diag;
    Simulation *s = NULL;
    Status status = ERR_INVALID;

    for (uint64_t k = 0; k < PROBED && k < count && status != OK; k++) {
        status = prepare_member(e, k * (count / (count < PROBED ? count : PROBED)), &diag, &s, err);
        if (status == ERR_NO_MEMORY || status == ERR_INTERNAL)
            return status;
    }
    if (status != OK) /* none can: there will be no rows */
        return OK;
    const size_t n = simulation_columns(s, &names);
    e->n_table_columns = n + 1;
    e->table_columns = ARENA_NEW(e->arena, n + 1, const char *);
    e->table_row = arena_doubles(e->arena, n + 1);
    for (size_t c = 0; e->table_columns && c < n; c++)
        e->table_columns[c + 1] = arena_strdup(e->arena, names[c]);
    if (e->table_columns)
        e->table_columns[0] = "member";
    simulation_free(s);
    return arena_status(e->arena, err);
}

static Status make_tables(Ensemble *e, Error *err)
{
    const size_t first = e->keep == KEEP_TRAJECTORIES;

    if (e->keep == KEEP_SUMMARY)
        return OK;
    e->n_tables = first + e->job.n_events;
    e->tables = ARENA_NEW(e->arena, e->n_tables, const char *);
    if (!e->tables)
        return arena_status(e->arena, err);
    if (first)
        e->tables[0] = "trajectory";
    for (size_t k = 0; k < e->job.n_events; k++)
        e->tables[first + k] = arena_strdup(e->arena, e->job.events[k].name);
    return find_table_columns(e, err);
}

static Status check_members(Ensemble *e, const JobSpec *job, const DesignSpec *design,
                            Diagnostics *diag, Error *err)
{
    static const AnalysisSpec NONE = {0};

    /* what is not asked for is not worked out for every member */
    e->job = *job;
    if (!e->job.analyses)
        e->job.analyses = &NONE;
    Status status =
        member_new(&e->job, design->axes, design->n_axes, e->arena, diag, &e->member, err);
    if (status == OK)
        status = simulation_check(e->compiled, ensemble_member(e, 0), limits_of(e), diag, err);
    return status;
}

/* Names of reductions stand beside those of other columns. */
static Status check_columns(const Ensemble *e, Diagnostics *diag, Error *err)
{
    const Summary *summary = &e->summary;
    const size_t first = 1 + summary->n_axes, before = diag->total;

    for (size_t k = 0; k < e->job.n_reduce; k++)
        for (size_t c = 0; c < summary->n_columns; c++)
            if (c != first + k && strcmp(summary->columns[c], summary->columns[first + k]) == 0)
                diagnostics_add(diag, e->job.reduce[k].pointer, -1, "choose another name",
                                "there is a column \"%.80s\" already", summary->columns[c]);
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "columns of one name");
}

static Status ensemble_prepare(Ensemble *e, const JobSpec *job, const EnsembleSpec *spec,
                               uint64_t most, Diagnostics *diag, Error *err)
{
    DesignSpec design;

    Status status = copy_axes(&spec->design, e->arena, &design, err);
    if (status != OK)
        return status;
    e->inputs = arena_doubles(e->arena, design.n_axes);
    status = make_design(e, &design, most, diag, err);
    if (status == OK)
        status = check_members(e, job, &design, diag, err);
    if (status == OK)
        status =
            summary_init(&e->summary, compiled_model(e->compiled), &e->job, &design, e->arena, err);
    if (status == OK)
        status = check_columns(e, diag, err);
    if (status == OK)
        status = make_tables(e, err);
    e->row = arena_doubles(e->arena, e->summary.n_columns);
    return status == OK ? arena_status(e->arena, err) : status;
}

Status ensemble_new(Compiled *compiled, const JobSpec *job, const EnsembleSpec *spec,
                    const SimulationLimits *limits, uint64_t most_members, Diagnostics *diag,
                    Ensemble **ret_ensemble, Error *err)
{
    Ensemble *e = alloc_array(1, sizeof *e);
    if (!e)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    e->compiled = compiled_ref(compiled);
    e->arena = arena_new(0);
    e->mistakes = arena_new(MEMBER_ARENA_BYTES);
    e->keep = spec->keep;
    e->stop_on_error = spec->stop_on_error;
    e->limited = limits != NULL;
    if (limits)
        e->limits = *limits;
    Status status = e->arena && e->mistakes ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = ensemble_prepare(e, job, spec, most_members, diag, err);
    if (status == OK)
        *ret_ensemble = e;
    else
        ensemble_free(e);
    return status;
}

void ensemble_free(Ensemble *e)
{
    if (!e)
        return;
    arena_free(e->mistakes);
    arena_free(e->arena);
    compiled_unref(e->compiled);
    free(e);
}

const Design *ensemble_design(const Ensemble *ensemble)
{
    return ensemble->design;
}

size_t ensemble_columns(const Ensemble *ensemble, const char *const **ret_names)
{
    *ret_names = ensemble->summary.columns;
    return ensemble->summary.n_columns;
}

size_t ensemble_tables(const Ensemble *ensemble, const char *const **ret_names)
{
    *ret_names = ensemble->tables;
    return ensemble->n_tables;
}

size_t ensemble_table_columns(const Ensemble *ensemble, const char *const **ret_names)
{
    *ret_names = ensemble->table_columns;
    return ensemble->n_table_columns;
}

void ensemble_lost_row(const Ensemble *e, uint64_t member, MemberState state, double *ret_row)
{
    design_values(e->design, member, e->inputs);
    summary_blank(&e->summary, member, e->inputs, state, ret_row);
}

const JobSpec *ensemble_member(Ensemble *e, uint64_t k)
{
    design_values(e->design, k, e->inputs);
    return member_job(e->member, e->inputs);
}

/* A member on its way, as its simulation sees it. */
typedef struct Running {
    Ensemble *e;
    const EnsembleSink *sink;
    uint64_t k;
    double until;   /* 0: no end */
    Status stopped; /* what the sink's poll said */
} Running;

static Status member_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    const Running *r = self;
    Ensemble *e = r->e;
    const size_t n = e->n_table_columns;
    Status status = OK;

    if (e->keep == KEEP_SUMMARY || !r->sink->rows || (table < 0 && e->keep == KEEP_EVENTS))
        return OK;
    const size_t place = (size_t)(table + (e->keep == KEEP_TRAJECTORIES));
    for (size_t i = 0; i < n_rows && status == OK; i++) {
        e->table_row[0] = (double)r->k;
        memcpy(e->table_row + 1, rows + i * (n - 1), (n - 1) * sizeof *rows);
        status = r->sink->rows(r->sink->self, r->k, place, e->table_row, 1, err);
    }
    return status;
}

static Status member_poll(void *self, Error *err)
{
    Running *r = self;

    r->stopped = r->sink->poll ? r->sink->poll(r->sink->self, err) : OK;
    if (r->stopped != OK)
        return error_set(err, ERR_CANCELLED, "cancelled");
    if (r->until > 0 && clock_seconds() > r->until)
        return error_set(err, ERR_TIMEOUT, "the member took longer than %g s",
                         r->sink->member_timeout);
    return OK;
}

static Status tell(const Running *r, MemberState state, const char *message, Error *err)
{
    return r->sink->member(r->sink->self, r->k, r->e->row, member_state_reason(state), message,
                           err);
}

/* Rows of a table have one length. */
static bool same_columns(const Ensemble *e, const Simulation *s)
{
    const char *const *names;
    const size_t n = simulation_columns(s, &names);

    if (e->keep == KEEP_SUMMARY)
        return true;
    if (n + 1 != e->n_table_columns)
        return false;
    for (size_t c = 0; c < n; c++)
        if (strcmp(names[c], e->table_columns[c + 1]) != 0)
            return false;
    return true;
}

static Status run_prepared(Running *r, Simulation *s, MemberState *ret_state, Error *err)
{
    Ensemble *e = r->e;
    const SimulationSink sink = {.self = r, .rows = member_rows, .poll = member_poll};
    SimulationResult result;

    if (!same_columns(e, s)) {
        *ret_state = MEMBER_MODEL;
        summary_blank(&e->summary, r->k, e->inputs, *ret_state, e->row);
        return tell(r, *ret_state,
                    "its tables would have other columns than those of the members before", err);
    }
    Status status = simulation_run(s, &sink, &result, err);
    if (status != OK)
        return status;
    *ret_state = member_state_of(result.status);
    summary_row(&e->summary, r->k, e->inputs, *ret_state, &result, e->row);
    return tell(r, *ret_state, result.message, err);
}

static Status run_member(Running *r, MemberState *ret_state, Error *err)
{
    Ensemble *e = r->e;
    Simulation *s = NULL;
    Diagnostics *diag = NULL;
    Error own = {0};

    if (r->sink->member_timeout > 0)
        r->until = clock_seconds() + r->sink->member_timeout;
    Status status = prepare_member(e, r->k, &diag, &s, &own);
    if (status == OK) {
        status = run_prepared(r, s, ret_state, err);
        simulation_free(s);
        return status;
    }
    if (status == ERR_NO_MEMORY)
        return error_set(err, status, "%s", own.message);
    *ret_state = member_state_of(status);
    summary_blank(&e->summary, r->k, e->inputs, *ret_state, e->row);
    return tell(r, *ret_state, diag->count ? diag->items[0].message : own.message, err);
}

Status ensemble_run(Ensemble *e, uint64_t first, uint64_t n, const EnsembleSink *sink,
                    uint64_t *ret_done, Error *err)
{
    Running r = {.e = e, .sink = sink};
    Status status = OK;
    uint64_t done = 0;
    bool stop = false;

    while (done < n && !stop && status == OK) {
        MemberState state = MEMBER_SUCCEEDED;
        r.until = 0;
        if ((sink->enough && sink->enough(sink->self)) || member_poll(&r, err) != OK)
            break;
        r.k = first + done;
        status = run_member(&r, &state, err);
        done += status == OK;
        stop = r.stopped != OK || (e->stop_on_error && state != MEMBER_SUCCEEDED);
    }
    if (status == OK)
        *ret_done = done;
    return status;
}
