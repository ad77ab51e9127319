/* Members beside each other: each is the job with its own numbers, prepared and run as any job is. */
#include "core/ensemble/ensemble.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/patience.h"
#include "core/ensemble/drifts.h"
#include "core/ensemble/instants.h"
#include "core/ensemble/latin.h"
#include "core/ensemble/member.h"
#include "core/ensemble/summary.h"

enum { MEMBER_ARENA_BYTES = 1 << 22 };
/* Only so many members are beside each other as end in so many seconds, as far as the longest of those before tell: who has
 * enough waits for them. What was long is forgotten by this factor with each that ends. */
static const double WAIT_SECONDS = 1, FORGET = 0.9;
/* Of so many members, one is looked for that can start, or whose times can be: what all have in common is seen by it.
 * Somebody waits: of large models, and of many instants, they are fewer, by operations. */
enum { PROBES_LEAST = 8, PROBES_MOST = 1024 };
static const double PROBE_WORK = 1e7;

struct Ensemble {
    Arena *arena;    /* owns the arrays */
    Arena *mistakes; /* of the member under way */
    Diagnostics diag;
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
    Dimension *reduced;         /* job.n_reduce */
    const char **table_units;   /* likewise; NULL: none are known */
    size_t n_table_columns;
    double *table_row;
    OverTimeShape over_time;
    size_t *over_columns; /* over_time.n_columns: their places in a row of the trajectory */
    double *cells;        /* of the members under way: [SIMULATION_LANES][cells] */
    /* Simulations that have ended: further members take them over, if that can be done. */
    bool renews;
    Simulation *spare[SIMULATION_LANES];
    size_t n_spare;
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

/* The numbers of members are numbers of a column. */
static const uint64_t MEMBERS_MOST = UINT64_C(1) << 53;

static Status make_design(Ensemble *e, const DesignSpec *spec, uint64_t most, Diagnostics *diag,
                          Error *err)
{
    const size_t before = diag->total;
    Error own = {0};

    check_counts(spec, diag);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the design has mistakes");
    Status status = design_new(spec, most ? most : MEMBERS_MOST, e->arena, &e->design, &own);
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

/* It is not run again as it is. */
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
        return simulation_new(e->compiled, job, limits_of(e), diag, ret_simulation, err);
    Simulation *s = e->spare[--e->n_spare];
    const Status status = simulation_renew(s, job, limits_of(e), diag, err);
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

static Status keep_table_units(Ensemble *e, const char *const *units, size_t n, Error *err)
{
    const char **kept = units ? ARENA_NEW(e->arena, n + 1, const char *) : NULL;

    for (size_t c = 0; kept && c < n; c++)
        kept[c + 1] = units[c] ? arena_strdup(e->arena, units[c]) : NULL;
    e->table_units = kept;
    return arena_status(e->arena, err);
}

/* All members, each once, the first of them first; no grid is in step with them. */
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
    const uint64_t most = (uint64_t)fmax(PROBES_LEAST, fmin(PROBES_MOST, PROBE_WORK / work));
    const uint64_t count = design_count(e->design);

    return count < most ? count : most;
}

/* Columns of the formulation's own are known once a member can start. */
static Status find_table_columns(Ensemble *e, Error *err)
{
    const uint64_t count = design_count(e->design), probes = count_probes(e);
    const char *const *names = NULL;
    Diagnostics *diag;
    Simulation *s = NULL;
    Status status = ERR_INVALID;

    for (uint64_t k = 0; k < probes && status != OK; k++) {
        status = prepare_member(e, probe(count, k), &diag, &s, err);
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
    status = keep_table_units(e, simulation_units(s), n, err);
    give_up(e, s);
    return status == OK ? arena_status(e->arena, err) : status;
}

/* Are rows of members looked at? */
static bool has_rows(const Ensemble *e)
{
    return e->keep != KEEP_SUMMARY || e->over_time.n_columns;
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
    e->n_tables = first + e->job.n_events;
    e->tables = ARENA_NEW(e->arena, e->n_tables, const char *);
    if (!e->tables)
        return arena_status(e->arena, err);
    if (first)
        e->tables[0] = "trajectory";
    for (size_t k = 0; k < e->job.n_events; k++)
        e->tables[first + k] = arena_strdup(e->arena, e->job.events[k].name);
    return arena_status(e->arena, err);
}

/* What would fit is told, too. */
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

/* Columns are known where a member can start; else no member has any. */
static void find_over_time(Ensemble *e, const EnsembleSpec *spec, Diagnostics *diag)
{
    const char *const *names = e->table_columns ? e->table_columns + 1 : NULL;
    const size_t n = names ? e->n_table_columns - 1 : 0;

    for (size_t k = 0; k < spec->n_over_time; k++) {
        const NamedText *wanted = &spec->over_time[k];
        size_t c = 0;
        for (size_t j = 0; j < k; j++)
            if (strcmp(spec->over_time[j].name, wanted->name) == 0)
                diagnostics_add(diag, wanted->pointer, -1, NULL, "\"%.80s\" is there twice",
                                wanted->name);
        while (c < n && strcmp(names[c], wanted->name) != 0)
            c++;
        e->over_columns[k] = c;
        if (c < n || !names)
            continue;
        const char *near = nearest_name(wanted->name, strlen(wanted->name), names, n);
        diagnostics_add(diag, wanted->pointer, -1,
                        near ? arena_printf(diag->arena, "did you mean \"%s\"?", near) : NULL,
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
    Status status = instants_of(&e->job, &spec->design, 0, e->arena, &instants, &own);
    if (status == ERR_INVALID)
        diagnostics_add(diag, "/ensemble/over_time", -1, NULL, "%s", own.message);
    else if (status != OK)
        return error_set(err, status, "%s", own.message);
    else if (instants.n > OVER_TIME_CELLS_MAX / n)
        say_too_many(spec, instants.n, diag);
    e->over_columns = arena_sizes(e->arena, n);
    if (e->over_columns)
        find_over_time(e, spec, diag);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the columns over time have mistakes");
    e->over_time.n_instants = (size_t)instants.n;
    e->cells = arena_doubles(e->arena, SIMULATION_LANES * over_time_cells(e->over_time));
    return arena_status(e->arena, err);
}

/* The member by which the document is judged. Where times are varied, one has them that are none: it fails alone, be it the
 * first. */
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

    /* what is not asked for is not worked out for every member */
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
        status = simulation_check(e->compiled, typical_member(e, design), limits_of(e), e->reduced,
                                  diag, err);
    return status;
}

/* Names of reductions stand beside those of other columns. */
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
    DesignSpec design = {0};

    Status status = copy_axes(&spec->design, e->arena, &design, err);
    if (status != OK)
        return status;
    e->inputs = arena_doubles(e->arena, design.n_axes);
    status = make_design(e, &design, most, diag, err);
    if (status == OK)
        status = check_members(e, job, &design, diag, err);
    if (status == OK)
        status = summary_init(&e->summary, compiled_model(e->compiled), &e->job,
                              e->job.n_reduce - job->n_reduce, e->reduced, &design, e->arena, err);
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
    e->over_time.n_columns = spec->n_over_time;
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
    return ensemble->table_units;
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

OverTimeShape ensemble_over_time(const Ensemble *ensemble)
{
    return ensemble->over_time;
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

/* A member on its way, as its simulation sees it. */
typedef struct Running {
    struct Members *members;
    Simulation *simulation; /* NULL: none */
    SimulationSink sink;
    uint64_t k;
    size_t instant;      /* of the sample that comes next */
    double *cells;       /* of the ensemble's, this lane's */
    double began, until; /* by the clock of all members; 0: no end */
} Running;

/* A range of members under way. */
typedef struct Members {
    Ensemble *e;
    const EnsembleSink *sink;
    uint64_t first, next, end; /* of the last range; the next one to begin */
    Status stopped;            /* what the sink's poll said */
    bool stop;                 /* no more are to be begun */
    /* Members beside each other share their thread's time: it goes on by their part of it. */
    double clock, last;
    bool told; /* that a member has ended: the clock was looked at since the last step */
    size_t n_running;
    double member_seconds; /* of such time: the longest of those that have ended lately */
    Running lanes[SIMULATION_LANES];
} Members;

static void note_sample(Running *r, const double *row)
{
    const Ensemble *e = r->members->e;

    for (size_t c = 0; c < e->over_time.n_columns && r->instant < e->over_time.n_instants; c++)
        r->cells[c * e->over_time.n_instants + r->instant] = row[e->over_columns[c]];
    r->instant++;
}

/* The last row was no sample. */
static void forget_sample(Running *r)
{
    const Ensemble *e = r->members->e;

    r->instant--;
    for (size_t c = 0; c < e->over_time.n_columns && r->instant < e->over_time.n_instants; c++)
        r->cells[c * e->over_time.n_instants + r->instant] = NAN;
}

static Status member_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Running *r = self;
    const EnsembleSink *sink = r->members->sink;
    Ensemble *e = r->members->e;
    const size_t n = e->n_table_columns;
    Status status = OK;

    for (size_t i = 0; i < n_rows && table < 0 && e->over_time.n_columns; i++)
        note_sample(r, rows + i * (n - 1));
    if (e->keep == KEEP_SUMMARY || !sink->rows || (table < 0 && e->keep == KEEP_EVENTS))
        return OK;
    const size_t place = (size_t)table + (e->keep == KEEP_TRAJECTORIES);
    for (size_t i = 0; i < n_rows && status == OK; i++) {
        e->table_row[0] = (double)r->k;
        memcpy(e->table_row + 1, rows + i * (n - 1), (n - 1) * sizeof *rows);
        status = sink->rows(sink->self, r->k, place, e->table_row, 1, err);
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

/* OK: the sink says nothing against going on. */
static Status poll_sink(Members *m, Error *err)
{
    if (m->stopped == OK && m->sink->poll)
        m->stopped = m->sink->poll(m->sink->self, err);
    return m->stopped == OK ? OK : error_set(err, ERR_CANCELLED, "cancelled");
}

static Status poll_members(void *self, Error *err)
{
    return poll_sink(self, err);
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

/* Tells e->row. */
static Status tell(Members *m, uint64_t k, MemberState state, const char *message, Error *err)
{
    m->stop = m->stop || m->stopped != OK || (m->e->stop_on_error && state != MEMBER_SUCCEEDED);
    return m->sink->member(m->sink->self, k, m->e->row, member_state_reason(state), message, err);
}

static Status tell_lost(Members *m, uint64_t k, MemberState state, const char *message, Error *err)
{
    ensemble_lost_row(m->e, k, state, m->e->row);
    return tell(m, k, state, message, err);
}

/* Rows of a table have one length. */
static bool same_columns(const Ensemble *e, const Simulation *s)
{
    const char *const *names;
    const size_t n = simulation_columns(s, &names);

    if (!has_rows(e))
        return true;
    if (n + 1 != e->n_table_columns)
        return false;
    for (size_t c = 0; c < n; c++)
        if (strcmp(names[c], e->table_columns[c + 1]) != 0)
            return false;
    return true;
}

/* One that cannot be run is told; then *ret_simulation is NULL. */
static Status begin_member(Members *m, uint64_t k, Simulation **ret_simulation, Error *err)
{
    Diagnostics *diag = NULL;
    Error own = {0};

    *ret_simulation = NULL;
    Status status = prepare_member(m->e, k, &diag, ret_simulation, &own);
    if (status == ERR_NO_MEMORY)
        return error_set(err, status, "%s", own.message);
    if (status != OK) {
        *ret_simulation = NULL;
        return tell_lost(m, k, member_state_of(status),
                         diag->count ? diag->items[0].message : own.message, err);
    }
    if (same_columns(m->e, *ret_simulation))
        return OK;
    give_up(m->e, *ret_simulation);
    *ret_simulation = NULL;
    return tell_lost(m, k, MEMBER_MODEL,
                     m->e->table_columns
                         ? "its tables would have other columns than those of the members before"
                         : "hardly any member can start: what columns its tables would have was "
                           "not found",
                     err);
}

/* Where all of a range have been begun, that of the next. */
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
    if (m->n_running && (double)m->n_running * m->member_seconds > WAIT_SECONDS)
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
    const double now = m->told ? m->clock : member_clock(m), most = m->sink->member_timeout;
    const size_t n_cells = over_time_cells(m->e->over_time);
    *r = (Running){.members = m,
                   .simulation = *ret_simulation,
                   .sink = {.self = r, .rows = member_rows, .poll = member_poll},
                   .k = m->next - 1,
                   .cells = n_cells ? m->e->cells + lane * n_cells : NULL,
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
    m->member_seconds = fmax(member_clock(m) - r->began, FORGET * m->member_seconds);
    m->told = true; /* lanes are filled only after some have ended */
    m->n_running--;
    const MemberState state = member_state_of(result->status);
    design_values(e->design, r->k, e->inputs);
    summary_row(&e->summary, r->k, e->inputs, state, result, e->row);
    if (result->ended_between && e->over_time.n_columns)
        forget_sample(r);
    Status status = e->over_time.n_columns && m->sink->over_time
                        ? m->sink->over_time(m->sink->self, r->k, r->cells, err)
                        : OK;
    if (status == OK)
        status = tell(m, r->k, state, result->message, err);
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

    Patience patience;

    patience_begin(&patience, poll_members, &m);
    Status status = simulations_run(&queue, SIMULATION_LANES, err);
    patience_end(&patience);
    for (size_t k = 0; k < SIMULATION_LANES; k++)
        simulation_free(m.lanes[k].simulation);
    if (status == OK)
        *ret_done = m.next - m.first;
    return status;
}
