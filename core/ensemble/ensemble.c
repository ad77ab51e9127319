/* Members run side by side: each is the job with its own numbers, prepared and run as any job. */
#include "core/ensemble/ensemble.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/stop_token.h"
#include "core/ensemble/instants.h"
#include "core/ensemble/sequences.h"
#include "core/ensemble/summary.h"

/* Bytes of the errors of one member. Convention. */
enum { MEMBER_ARENA_BYTES = 1 << 22 };
/* Seconds in which the running members are to end: a further one begins only if the number of
 * running members times the longest recent duration stays below it. Convention; it changes no
 * result. */
static const double MAX_BATCH_SECONDS = 1;
/* The longest recent duration shrinks by this factor with each member that ends. Convention; it
 * changes no result. */
static const double DURATION_DECAY = 0.9;
/* Members that are tried until one can start, or has valid times: it stands for all in the
 * checks of the document. A client is waiting, so a large model or many instants allow fewer, by
 * PROBE_WORK operations (n + r cubed and the number of instants, for each member). Conventions. */
enum { MIN_PROBES = 8, MAX_PROBES = 1024 };
static const double PROBE_WORK = 1e7;

/* The table of rows of members: trajectories and events. */
typedef struct Tables {
    const char **names; /* n; then NULL */
    size_t n;
    const char **columns; /* n_columns; the first is "member" */
    const char **units;   /* n_columns; NULL: none are known */
    size_t n_columns;
    double *row; /* n_columns */
} Tables;

typedef struct OverTime {
    OverTimeShape shape;
    size_t *columns; /* shape.n_columns: their places in a row of the trajectory */
    double *cells;   /* of the running members: [SIMULATION_LANES][cells] */
} OverTime;

struct Ensemble {
    Arena *arena;    /* owns the arrays */
    Arena *mistakes; /* of the member that is being prepared */
    Diagnostics diag;
    Compiled *compiled;
    JobSpec job;             /* of all members */
    SimulationLimits limits; /* of each member */
    bool stop_on_error;
    EnsembleKeep keep;
    Design *design;
    Member *member;
    Summary summary;
    double *inputs, *row;
    Tables tables;
    Dimension *reduced; /* job.n_reduce */
    OverTime over_time;
    /* Simulations that have ended: later members reuse them if `renews`. */
    bool renews;
    Simulation *spare[SIMULATION_LANES];
    size_t n_spare;
};

/* The place in the document that describes the varied numbers. */
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

/* Members at most: their numbers are doubles in a column, and exact up to 2^53 (a theorem on IEEE
 * 754). */
static const uint64_t MAX_MEMBERS = UINT64_C(1) << 53;

static Status make_design(Ensemble *e, const DesignSpec *spec, uint64_t most, Diagnostics *diag,
                          Error *err)
{
    const size_t before = diag->total;
    Error own = {0};

    check_counts(spec, diag);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the design has mistakes");
    Status status = design_new(spec, most ? most : MAX_MEMBERS, e->arena, &e->design, &own);
    if (status == ERR_LIMIT || status == ERR_INVALID) {
        diagnostics_add(diag, place_of_design(spec), -1, NULL, "%s", own.message);
        return error_set(err, ERR_INVALID, "the design has mistakes");
    }
    return status == OK ? OK : error_set(err, status, "%s", own.message);
}

/* Keeps a simulation that has ended for a later member, or frees it. */
static void give_up(Ensemble *e, Simulation *s)
{
    if (s && e->renews && e->n_spare < SIMULATION_LANES)
        e->spare[e->n_spare++] = s;
    else
        simulation_free(s);
}

static Status renew_or_make(Ensemble *e, const JobSpec *job, Diagnostics *diag,
                            Simulation **ret_simulation, Error *err)
{
    if (e->n_spare == 0)
        return simulation_new(e->compiled, job, &e->limits, diag, ret_simulation, err);
    Simulation *s = e->spare[--e->n_spare];
    const Status status = simulation_renew(s, job, &e->limits, diag, err);
    if (status == OK)
        *ret_simulation = s;
    else
        give_up(e, s);
    return status;
}

/* A member's simulation; its mistakes go to *ret_diag, until the next call. */
static Status prepare_member(Ensemble *e, uint64_t k, Diagnostics **ret_diag,
                             Simulation **ret_simulation, Error *err)
{
    arena_clear(e->mistakes);
    diagnostics_init(&e->diag, e->mistakes);
    *ret_diag = &e->diag;
    return renew_or_make(e, ensemble_member(e, k), &e->diag, ret_simulation, err);
}

/* Member number k of an order of all members from the first on, unrelated to any grid. */
static uint64_t probe(uint64_t count, uint64_t k)
{
    const uint64_t place = k ? latin_stratum(0, 0, count, k) : 0;

    return place || k == 0 ? place : latin_stratum(0, 0, count, 0);
}

static uint64_t count_probes(const Ensemble *e)
{
    const Model *model = compiled_model(e->compiled);
    const double size = (double)(model->n + model->r);
    const double work = size * size * size + (double)e->job.time.n_at;
    const uint64_t most = (uint64_t)fmax(MIN_PROBES, fmin(MAX_PROBES, PROBE_WORK / work));
    const uint64_t count = design_count(e->design);

    return count < most ? count : most;
}

/* The formulation's own columns are known once a member can start. */
static Status find_table_columns(Ensemble *e, Error *err)
{
    const uint64_t count = design_count(e->design), probes = count_probes(e);
    const char *const *names = NULL;
    Diagnostics *diag;
    Simulation *s = NULL;
    Status status = ERR_INVALID;

    /* prepare members until one can start; if none can there will be no rows */
    for (uint64_t k = 0; k < probes && status != OK; k++) {
        status = prepare_member(e, probe(count, k), &diag, &s, err);
        if (status == ERR_NO_MEMORY || status == ERR_INTERNAL)
            return status;
    }
    if (status != OK)
        return OK;
    const size_t n = simulation_columns(s, &names);
    Tables *tables = &e->tables;
    tables->n_columns = n + 1;
    const char **columns = ARENA_NEW(e->arena, n + 1, const char *);
    const char *const *of_columns = simulation_units(s);
    const char **units = of_columns ? ARENA_NEW(e->arena, n + 1, const char *) : NULL;
    tables->row = arena_doubles(e->arena, n + 1);
    tables->columns = columns;
    tables->units = units;
    if (columns)
        columns[0] = "member";
    for (size_t c = 0; columns && c < n; c++)
        columns[c + 1] = arena_strdup(e->arena, names[c]);
    for (size_t c = 0; units && c < n; c++)
        units[c + 1] = of_columns[c] ? arena_strdup(e->arena, of_columns[c]) : NULL;
    give_up(e, s);
    return arena_status(e->arena, err);
}

static bool has_rows(const Ensemble *e)
{
    return e->keep != KEEP_SUMMARY || e->over_time.shape.n_columns;
}

static Status make_tables(Ensemble *e, Error *err)
{
    const size_t first = e->keep == KEEP_TRAJECTORIES;

    if (has_rows(e)) {
        const Status status = find_table_columns(e, err);
        if (status != OK)
            return status;
    }
    if (e->keep == KEEP_SUMMARY)
        return OK;
    /* the trajectory, if it is retained, then a table for each event */
    e->tables.n = first + e->job.n_events;
    e->tables.names = ARENA_NEW(e->arena, e->tables.n, const char *);
    if (!e->tables.names)
        return arena_status(e->arena, err);
    if (first)
        e->tables.names[0] = "trajectory";
    for (size_t k = 0; k < e->job.n_events; k++)
        e->tables.names[first + k] = arena_strdup(e->arena, e->job.events[k].name);
    return arena_status(e->arena, err);
}

/* The advice says how many columns, or samples, would fit. */
static void say_too_many(const EnsembleSpec *spec, uint64_t n_instants, Diagnostics *diag)
{
    const size_t n = spec->n_over_time;
    const uint64_t columns = OVER_TIME_CELLS_MAX / n_instants, instants = OVER_TIME_CELLS_MAX / n;

    diagnostics_add(diag, "/ensemble/over_time", -1,
                    columns ? arena_printf(diag->arena,
                                           "at most %" PRIu64 " of these columns, or %" PRIu64
                                           " samples",
                                           columns, instants)
                            : arena_printf(diag->arena, "at most %" PRIu64 " samples", instants),
                    "%zu columns at %" PRIu64 " instants are more than %d numbers", n, n_instants,
                    OVER_TIME_CELLS_MAX);
}

/* Columns are known if a member can start; otherwise no member has any. */
static void find_over_time(Ensemble *e, const EnsembleSpec *spec, Diagnostics *diag)
{
    /* the first column of the table is the number of the member */
    const char *const *names = e->tables.columns ? e->tables.columns + 1 : NULL;
    const size_t n = names ? e->tables.n_columns - 1 : 0;

    for (size_t k = 0; k < spec->n_over_time; k++) {
        const NamedText *wanted = &spec->over_time[k];
        size_t c = 0;
        for (size_t j = 0; j < k; j++)
            if (strcmp(spec->over_time[j].name, wanted->name) == 0)
                diagnostics_add(diag, wanted->pointer, -1, NULL, "\"%.80s\" is there twice",
                                wanted->name);
        while (c < n && strcmp(names[c], wanted->name) != 0)
            c++;
        e->over_time.columns[k] = c;
        if (c < n || !names)
            continue;
        const char *near = nearest_name(wanted->name, strlen(wanted->name), names, n);
        diagnostics_add(diag, wanted->pointer, -1,
                        near ? arena_printf(diag->arena, "did you mean \"%s\"?", near)
                             : "columns are the coordinates, dot(..) of each, multiplier(..) of "
                               "each constraint, and the names in \"observe\"",
                        "the trajectory has no column \"%.80s\"", wanted->name);
    }
}

static Status make_over_time(Ensemble *e, const EnsembleSpec *spec, Diagnostics *diag, Error *err)
{
    const size_t before = diag->total, n = spec->n_over_time;
    Instants instants;
    Error own = {0};

    if (n == 0)
        return OK;
    /* all members need the same instants, and few enough cells */
    Status status = instants_of(&e->job, &spec->design, 0, e->arena, &instants, &own);
    if (status == ERR_INVALID)
        diagnostics_add(diag, "/ensemble/over_time", -1, NULL, "%s", own.message);
    else if (status != OK)
        return error_set(err, status, "%s", own.message);
    else if (instants.n > OVER_TIME_CELLS_MAX / n)
        say_too_many(spec, instants.n, diag);
    e->over_time.columns = arena_sizes(e->arena, n);
    if (e->over_time.columns)
        find_over_time(e, spec, diag);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the columns over time have mistakes");
    e->over_time.shape.n_instants = (size_t)instants.n;
    e->over_time.cells =
        arena_doubles(e->arena, SIMULATION_LANES * over_time_cells(e->over_time.shape));
    return arena_status(e->arena, err);
}

/* The member that stands for all when the document is checked. If times are varied, some members
 * may have invalid times: each of these fails alone, even if it is the first. */
static const JobSpec *typical_member(Ensemble *e, const DesignSpec *design)
{
    const uint64_t count = design_count(e->design);
    const uint64_t probes = instants_vary(design) ? count_probes(e) : 0;
    const double *times;
    uint64_t n_times;
    Error none;

    for (uint64_t k = 0; k < probes; k++) {
        const JobSpec *job = ensemble_member(e, probe(count, k));
        arena_clear(e->mistakes);
        if (simulation_times(job, 0, e->mistakes, &times, &n_times, &none) == OK &&
            (!e->limits.max_samples || n_times <= e->limits.max_samples))
            return job;
    }
    return ensemble_member(e, 0);
}

static Status check_members(Ensemble *e, const JobSpec *job, const DesignSpec *design,
                            Diagnostics *diag, Error *err)
{
    static const AnalysisSpec NONE = {0};

    /* analyses that are not named are not run for every member */
    Status status = drifts_add(e->compiled, job, e->arena, &e->job, err);
    e->reduced = ARENA_NEW(e->arena, e->job.n_reduce, Dimension);
    if (status == OK)
        status = arena_status(e->arena, err);
    if (status != OK)
        return status;
    if (!e->job.analyses)
        e->job.analyses = &NONE;
    e->job.brief = true;
    e->renews = !job->n_compare && !job->accuracy;
    status = member_new(&e->job, design->axes, design->n_axes, e->arena, diag, &e->member, err);
    if (status == OK)
        status = simulation_check(e->compiled, typical_member(e, design), &e->limits, e->reduced,
                                  diag, err);
    return status;
}

/* No reduction may have the name of another column. */
static Status check_columns(const Ensemble *e, Diagnostics *diag, Error *err)
{
    const Summary *summary = &e->summary;
    const size_t first = 1 + summary->n_axes, before = diag->total;

    for (size_t k = 0; k < summary->n_reduce; k++)
        for (size_t c = 0; c < summary->n_columns; c++)
            if (c != first + k && strcmp(summary->columns[c], summary->columns[first + k]) == 0)
                diagnostics_add(diag, e->job.reduce[k].pointer, -1, "choose another name",
                                "there is a column \"%.80s\" already", summary->columns[c]);
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "columns of one name");
}

static Status ensemble_prepare(Ensemble *e, const JobSpec *job, const EnsembleSpec *spec,
                               uint64_t most, Diagnostics *diag, Error *err)
{
    DesignSpec design = spec->design;
    DesignAxis *axes = ARENA_NEW(e->arena, design.n_axes, DesignAxis);

    e->inputs = arena_doubles(e->arena, design.n_axes);
    Status status = arena_status(e->arena, err);
    if (status != OK)
        return status;
    /* the axes outlive the call; their paths belong to the document */
    if (design.n_axes)
        memcpy(axes, design.axes, design.n_axes * sizeof *axes);
    design.axes = axes;
    status = make_design(e, &design, most, diag, err);
    if (status == OK)
        status = check_members(e, job, &design, diag, err);
    /* the tables: summary, rows of members, statistics over time */
    const SummarySpec summary = {.job = &e->job,
                                 .n_drifts = e->job.n_reduce - job->n_reduce,
                                 .reduced = e->reduced,
                                 .design = &design};
    if (status == OK)
        status = summary_init(&e->summary, compiled_model(e->compiled), &summary, e->arena, err);
    if (status == OK)
        status = check_columns(e, diag, err);
    if (status == OK)
        status = make_tables(e, err);
    if (status == OK)
        status = make_over_time(e, spec, diag, err);
    e->row = arena_doubles(e->arena, e->summary.n_columns);
    return status == OK ? arena_status(e->arena, err) : status;
}

Status ensemble_new(Compiled *compiled, const JobSpec *job, const EnsembleSpec *spec,
                    const EnsembleLimits *limits, Diagnostics *diag, Ensemble **ret_ensemble,
                    Error *err)
{
    const SimulationLimits *each = limits->of_member;
    Ensemble *e = alloc_array(1, sizeof *e);
    if (!e)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    e->compiled = compiled_ref(compiled);
    e->arena = arena_new(0);
    e->mistakes = arena_new(MEMBER_ARENA_BYTES);
    e->keep = spec->keep;
    e->over_time.shape.n_columns = spec->n_over_time;
    e->stop_on_error = spec->stop_on_error;
    if (each)
        e->limits = *each;
    Status status = e->arena && e->mistakes ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = ensemble_prepare(e, job, spec, limits->most_members, diag, err);
    /* after a failure it is filled in part, which ensemble_free() accepts */
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
    for (size_t k = 0; k < e->n_spare; k++)
        simulation_free(e->spare[k]);
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

const char *const *ensemble_units(const Ensemble *ensemble)
{
    return ensemble->summary.units;
}

const char *const *ensemble_table_units(const Ensemble *ensemble)
{
    return ensemble->tables.units;
}

size_t ensemble_tables(const Ensemble *ensemble, const char *const **ret_names)
{
    *ret_names = ensemble->tables.names;
    return ensemble->tables.n;
}

size_t ensemble_table_columns(const Ensemble *ensemble, const char *const **ret_names)
{
    *ret_names = ensemble->tables.columns;
    return ensemble->tables.n_columns;
}

OverTimeShape ensemble_over_time(const Ensemble *ensemble)
{
    return ensemble->over_time.shape;
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

struct Members;

typedef struct Running {
    struct Members *members;
    Simulation *simulation; /* NULL: none */
    SimulationSink sink;
    uint64_t k;
    size_t instant;      /* of the next sample */
    double *cells;       /* this lane's part of the ensemble's cells */
    double began, until; /* on the clock of all members; 0: no end */
} Running;

/* A range of members that is being run. */
typedef struct Members {
    Ensemble *e;
    const EnsembleSink *sink;
    uint64_t first, next, end; /* of the last range; the next one to begin */
    Status stopped;            /* the last answer of the sink's poll */
    bool stop;                 /* begin no more members */
    /* Running members share the time of their thread: the clock advances by the time divided by
     * their number. */
    double clock, last;
    bool read_clock; /* the clock was read since the last step, because a member ended */
    size_t n_running;
    double member_seconds; /* on that clock: the longest recent duration of a member */
    Running lanes[SIMULATION_LANES];
} Members;

/* The cells at this instant, from a row of the trajectory; NULL: there is no sample. */
static void set_cells(Running *r, const double *row)
{
    const OverTime *o = &r->members->e->over_time;

    for (size_t c = 0; c < o->shape.n_columns && r->instant < o->shape.n_instants; c++)
        r->cells[c * o->shape.n_instants + r->instant] = row ? row[o->columns[c]] : NAN;
}

static Status member_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Running *r = self;
    const EnsembleSink *sink = r->members->sink;
    Ensemble *e = r->members->e;
    const size_t n = e->tables.n_columns;
    Status status = OK;

    /* statistics over time see every sample */
    const bool noted = table < 0 && e->over_time.shape.n_columns;
    for (size_t i = 0; noted && i < n_rows; i++, r->instant++)
        set_cells(r, rows + i * (n - 1));
    if (e->keep == KEEP_SUMMARY || !sink->rows || (table < 0 && e->keep == KEEP_EVENTS))
        return OK;
    /* pass the rows on, each behind the number of its member */
    const size_t place = (size_t)table + (e->keep == KEEP_TRAJECTORIES);
    for (size_t i = 0; i < n_rows && status == OK; i++) {
        e->tables.row[0] = (double)r->k;
        memcpy(e->tables.row + 1, rows + i * (n - 1), (n - 1) * sizeof *rows);
        status = sink->rows(sink->self, r->k, place, e->tables.row, 1, err);
    }
    return status;
}

static double member_clock(Members *m)
{
    const double now = clock_seconds();

    if (m->n_running)
        m->clock += (now - m->last) / (double)m->n_running;
    m->last = now;
    return m->clock;
}

/* OK: the sink lets the run continue. */
static Status poll_sink(void *self, Error *err)
{
    Members *m = self;

    if (m->stopped == OK && m->sink->poll)
        m->stopped = m->sink->poll(m->sink->self, err);
    return m->stopped == OK ? OK : error_set(err, ERR_CANCELLED, "cancelled");
}

static Status member_poll(void *self, Error *err)
{
    const Running *r = self;
    Members *m = r->members;

    Status status = poll_sink(m, err);
    if (status == OK && r->until > 0 && member_clock(m) > r->until)
        return error_set(err, ERR_TIMEOUT, "the member took longer than %g s",
                         m->sink->member_timeout);
    return status;
}

/* Passes e->row to the sink. */
static Status report(Members *m, uint64_t k, MemberState state, const char *message, Error *err)
{
    m->stop = m->stop || m->stopped != OK || (m->e->stop_on_error && state != MEMBER_SUCCEEDED);
    return m->sink->member(m->sink->self, k, m->e->row, member_state_reason(state), message, err);
}

static Status report_lost(Members *m, uint64_t k, MemberState state, const char *message,
                          Error *err)
{
    ensemble_lost_row(m->e, k, state, m->e->row);
    return report(m, k, state, message, err);
}

/* All rows of a table have the same columns. */
static bool same_columns(const Ensemble *e, const Simulation *s)
{
    const char *const *names;
    const size_t n = simulation_columns(s, &names);

    if (!has_rows(e))
        return true;
    if (n + 1 != e->tables.n_columns)
        return false;
    for (size_t c = 0; c < n; c++)
        if (strcmp(names[c], e->tables.columns[c + 1]) != 0)
            return false;
    return true;
}

/* A member that cannot be run is reported; *ret_simulation is NULL then. */
static Status begin_member(Members *m, uint64_t k, Simulation **ret_simulation, Error *err)
{
    Diagnostics *diag = NULL;
    Error own = {0};

    *ret_simulation = NULL;
    /* a failed preparation ends this member alone, but lack of memory ends the run */
    Status status = prepare_member(m->e, k, &diag, ret_simulation, &own);
    if (status == ERR_NO_MEMORY)
        return error_set(err, status, "%s", own.message);
    if (status != OK) {
        *ret_simulation = NULL;
        return report_lost(m, k, member_state_of(status),
                           diag->count ? diag->items[0].message : own.message, err);
    }
    if (same_columns(m->e, *ret_simulation))
        return OK;
    /* its rows would not fit into the tables */
    give_up(m->e, *ret_simulation);
    *ret_simulation = NULL;
    return report_lost(
        m, k, MEMBER_MODEL,
        m->e->tables.columns
            ? "its tables would have other columns than those of the members before"
            : "hardly any member can start: the columns of its tables were not found",
        err);
}

/* Asks for a further range if all members of this one have begun. */
static Status next_range(Members *m, Error *err)
{
    uint64_t first = 0, n = 0;

    if (m->next < m->end || m->stop || !m->sink->more)
        return OK;
    const Status status = m->sink->more(m->sink->self, &first, &n, err);
    if (status == OK && n > 0) {
        m->first = m->next = first;
        m->end = first + n;
    }
    return status;
}

static Status next_member(void *self, size_t lane, Simulation **ret_simulation,
                          const SimulationSink **ret_sink, Error *err)
{
    Members *m = self;
    Running *r = &m->lanes[lane];

    *ret_simulation = NULL;
    if (m->n_running && (double)m->n_running * m->member_seconds > MAX_BATCH_SECONDS)
        return OK;
    /* the next one that can begin, of this range or of further ones */
    Status status = next_range(m, err);
    while (status == OK && !*ret_simulation && m->next < m->end && !m->stop) {
        m->stop = (m->sink->enough && m->sink->enough(m->sink->self)) || poll_sink(m, err) != OK;
        if (!m->stop)
            status = begin_member(m, m->next++, ret_simulation, err);
        if (status == OK && !*ret_simulation)
            status = next_range(m, err);
    }
    if (status != OK || !*ret_simulation)
        return status;
    /* it runs in this lane, on a clock of its own, its cells empty */
    const double now = m->read_clock ? m->clock : member_clock(m), most = m->sink->member_timeout;
    const size_t n_cells = over_time_cells(m->e->over_time.shape);
    *r = (Running){.members = m,
                   .simulation = *ret_simulation,
                   .sink = {.self = r, .rows = member_rows, .poll = member_poll},
                   .k = m->next - 1,
                   .cells = n_cells ? m->e->over_time.cells + lane * n_cells : NULL,
                   .began = now,
                   .until = most > 0 ? now + most : 0};
    for (size_t c = 0; c < n_cells; c++)
        r->cells[c] = NAN;
    *ret_sink = &r->sink;
    m->n_running++;
    return OK;
}

static Status member_ended(void *self, Simulation *simulation, const SimulationResult *result,
                           Error *err)
{
    Members *m = self;
    Ensemble *e = m->e;
    Running *r = m->lanes;

    while (r->simulation != simulation)
        r++;
    m->member_seconds = fmax(member_clock(m) - r->began, DURATION_DECAY * m->member_seconds);
    m->read_clock = true; /* lanes are filled only after some have ended */
    m->n_running--;
    const MemberState state = member_state_of(result->end.status);
    design_values(e->design, r->k, e->inputs);
    summary_row(&e->summary, r->k, e->inputs, state, result, e->row);
    if (result->end.between && e->over_time.shape.n_columns) { /* the last row was no sample */
        r->instant--;
        set_cells(r, NULL);
    }
    Status status = e->over_time.shape.n_columns && m->sink->over_time
                        ? m->sink->over_time(m->sink->self, r->k, r->cells, err)
                        : OK;
    if (status == OK)
        status = report(m, r->k, state, result->end.message, err);
    r->simulation = NULL;
    give_up(e, simulation);
    return status;
}

Status ensemble_run(Ensemble *e, uint64_t first, uint64_t n, const EnsembleSink *sink,
                    uint64_t *ret_done, Error *err)
{
    Members m = {.e = e,
                 .sink = sink,
                 .first = first,
                 .next = first,
                 .end = first + n,
                 .last = clock_seconds()};
    const SimulationQueue queue = {
        .self = &m, .next = next_member, .ended = member_ended, .work = sink->work};

    StopToken stop_token;

    /* poll the sink in long preparations, too */
    stop_token_begin(&stop_token, poll_sink, &m);
    Status status = simulations_run(&queue, SIMULATION_LANES, err);
    stop_token_end(&stop_token);
    /* after a failure some are still running */
    for (size_t k = 0; k < SIMULATION_LANES; k++)
        simulation_free(m.lanes[k].simulation);
    if (status == OK)
        *ret_done = m.next - m.first;
    return status;
}
