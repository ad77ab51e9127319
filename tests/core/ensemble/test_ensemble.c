/* Ensembles: each member's row is that of its job run alone, and what is wrong with one is no one
 * else's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ensemble/ensemble.h"
#include "tests/suite.h"

/* A bead on a circle with dry friction, which has a corner, and a wall that it bounces off. */
static const CoordinateText PLANE[] = {{.name = "x", .pointer = "/model/coordinates/0"},
                                       {.name = "y", .pointer = "/model/coordinates/1"}};
static const NamedValue CIRCLE_PARAMETERS[] = {{"g", 9.81, ""}, {"l", 1, ""}, {"c", 0.1, ""}};
static const NamedText CIRCLE[] = {{.text = "x^2 + y^2 = l^2", .pointer = "/model/constraints/0"}};
static const NamedText FRICTION[] = {{"x", "-c*sign(dot(x))", "/model/forces/x", NULL}};
static const ModelDocument BEAD = {
    .name = "bead",
    .description = "",
    .coordinates = PLANE,
    .n_coordinates = 2,
    .parameters = CIRCLE_PARAMETERS,
    .n_parameters = 3,
    .lagrangian = {NULL, "(dot(x)^2 + dot(y)^2)/2 - g*y", "/model/lagrangian", NULL},
    .constraints = CIRCLE,
    .n_constraints = 1,
    .forces = FRICTION,
    .n_forces = 1,
};
static const NamedText BOUNCE[] = {{"dot(x)", "-0.7*dot(x)", "/events/0/set/x", NULL},
                                   {"dot(y)", "-0.7*dot(y)", "/events/0/set/y", NULL}};
static const EventSpec EVENTS[] = {
    {.name = "wall",
     .when = {"wall", "x + 0.4", "/events/0/when", NULL},
     .direction = -1,
     .set = BOUNCE,
     .n_set = 2,
     .pointer = "/events/0"},
    {.name = "low", .when = {"low", "y + 0.95*l", "/events/1/when", NULL}, .pointer = "/events/1"}};
static const NamedText OBSERVE[] = {{"E", "energy()", "/observe/E", NULL}};
static const NamedValue START[] = {{"x", 0.6, "/initial/q/x"}, {"y", -0.8, "/initial/q/y"}};

/* The second l leaves the start off the circle; the last speed takes too many steps. */
static const double LENGTHS[] = {1, 1.25}, SPEEDS[] = {0, 0.5, 3, 40};
static const DesignAxis AXES[] = {{.path = "parameters.l",
                                   .pointer = "/vary/parameters.l",
                                   .kind = AXIS_LIST,
                                   .list = LENGTHS,
                                   .count = 2},
                                  {.path = "initial.v.x",
                                   .pointer = "/vary/initial.v.x",
                                   .kind = AXIS_LIST,
                                   .list = SPEEDS,
                                   .count = 4}};
enum { MEMBERS = 8, COLUMNS = 3 + 1 + 4 + 6, TABLE_COLUMNS = 1 + 1 + 4 + 1 + 1 };

typedef struct Kept {
    size_t columns; /* of a row; 0: COLUMNS */
    uint64_t n, k[64];
    double rows[64][COLUMNS];
    char reasons[64][16], messages[64][200];
    size_t n_rows;
    double *table_rows; /* [n_rows][1 + TABLE_COLUMNS]: the table first */
    uint64_t most;      /* enough, from so many on */
    unsigned polls;     /* cancelled by this one; 0: never */
} Kept;

/* Members come in any order, and are kept in theirs. */
static size_t make_room(Kept *kept, uint64_t k)
{
    size_t at = kept->n++;

    for (; at > 0 && kept->k[at - 1] > k; at--) {
        kept->k[at] = kept->k[at - 1];
        memcpy(kept->rows[at], kept->rows[at - 1], sizeof kept->rows[0]);
        memcpy(kept->reasons[at], kept->reasons[at - 1], sizeof kept->reasons[0]);
        memcpy(kept->messages[at], kept->messages[at - 1], sizeof kept->messages[0]);
    }
    return at;
}

static Status keep_member(void *self, uint64_t k, const double *row, const char *reason,
                          const char *message, Error *err)
{
    Kept *kept = self;

    const size_t at = make_room(kept, k);

    (void)err;
    kept->k[at] = k;
    memcpy(kept->rows[at], row, (kept->columns ? kept->columns : COLUMNS) * sizeof *row);
    ck_assert((reason != NULL) == (message != NULL));
    snprintf(kept->reasons[at], sizeof kept->reasons[0], "%s", reason ? reason : "");
    snprintf(kept->messages[at], sizeof kept->messages[0], "%s", message ? message : "");
    return OK;
}

static Status keep_rows(void *self, uint64_t k, size_t table, const double *rows, size_t n_rows,
                        Error *err)
{
    Kept *kept = self;
    const size_t width = 1 + TABLE_COLUMNS;

    (void)err;
    /* behind the others of the member */
    size_t at = kept->n_rows;
    while (at > 0 && kept->table_rows[(at - 1) * width + 1] > (double)k)
        at--;
    kept->n_rows += n_rows;
    kept->table_rows = realloc(kept->table_rows, kept->n_rows * width * sizeof *kept->table_rows);
    double *place = kept->table_rows + at * width;
    memmove(place + n_rows * width, place,
            (kept->n_rows - n_rows - at) * width * sizeof *kept->table_rows);
    for (size_t i = 0; i < n_rows; i++, place += width) {
        place[0] = (double)table;
        memcpy(place + 1, rows + i * TABLE_COLUMNS, TABLE_COLUMNS * sizeof *rows);
        ck_assert_double_eq(rows[i * TABLE_COLUMNS], (double)k);
    }
    return OK;
}

static bool enough(void *self)
{
    const Kept *kept = self;
    return kept->n >= kept->most;
}

static Status poll(void *self, Error *err)
{
    Kept *kept = self;
    return kept->polls && --kept->polls == 0 ? error_set(err, ERR_CANCELLED, "cancelled") : OK;
}

static JobSpec bead_job(void)
{
    JobSpec job;

    job_spec_init(&job);
    job.initial.q = START;
    job.initial.n_q = 2;
    job.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 2, .samples = 5};
    job.observe = OBSERVE;
    job.n_observe = 1;
    job.events = EVENTS;
    job.n_events = 2;
    job.integrator.max_steps = 100;
    return job;
}

typedef struct Setting {
    Arena *arena;
    Diagnostics *diag;
    Compiled *compiled;
    Ensemble *ensemble;
    Error err;
} Setting;

static Setting compile_in(const ModelDocument *model, const char *formulation)
{
    Setting s = {.arena = arena_new(1 << 24)};

    s.diag = arena_alloc(s.arena, 1, sizeof *s.diag);
    diagnostics_init(s.diag, s.arena);
    ck_assert_int_eq(compiled_new(model, formulation, s.diag, &s.compiled, &s.err), OK);
    return s;
}

static Setting compile(const ModelDocument *model)
{
    return compile_in(model, NULL);
}

static Status prepare(Setting *s, const JobSpec *job, const DesignAxis *axes, size_t n_axes,
                      EnsembleKeep keep)
{
    const EnsembleSpec spec = {.design = {.kind = DESIGN_GRID, .axes = axes, .n_axes = n_axes},
                               .keep = keep};
    return ensemble_new(s->compiled, job, &spec, &(EnsembleLimits){0}, s->diag, &s->ensemble,
                        &s->err);
}

static void release(Setting *s)
{
    ensemble_free(s->ensemble);
    compiled_unref(s->compiled);
    arena_free(s->arena);
}

static EnsembleSink sink_of(Kept *kept)
{
    if (!kept->most)
        kept->most = UINT64_MAX;
    return (EnsembleSink){
        .self = kept, .member = keep_member, .rows = keep_rows, .poll = poll, .enough = enough};
}

/* The member's job, written down by hand and run by the facade; rows of all tables, the
 * trajectory's first, go behind those of the members before. */
typedef struct Alone {
    Kept kept;
    double member;
} Alone;

static Status alone_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Alone *alone = self;
    double row[TABLE_COLUMNS];
    Status status = OK;

    for (size_t i = 0; i < n_rows && status == OK; i++) {
        row[0] = alone->member;
        memcpy(row + 1, rows + i * (TABLE_COLUMNS - 1), (TABLE_COLUMNS - 1) * sizeof *rows);
        status = keep_rows(&alone->kept, (uint64_t)alone->member, (size_t)table + 1, row, 1, err);
    }
    return status;
}

static Status run_alone(Setting *s, size_t k, Alone *alone, double *ret_row)
{
    const NamedValue l[] = {{"l", LENGTHS[k / 4], "/parameters/l"}};
    const NamedValue v[] = {{"x", SPEEDS[k % 4], "/initial/v/x"}};
    const SimulationSink sink = {.self = alone, .rows = alone_rows};
    static const AnalysisSpec NONE = {0};
    JobSpec job = bead_job();
    Simulation *simulation;
    SimulationResult result;
    Diagnostics diag;

    job.parameters = l;
    job.n_parameters = 1;
    job.initial.v = v;
    job.initial.n_v = 1;
    job.analyses = &NONE;
    diagnostics_init(&diag, s->arena);
    alone->member = (double)k;
    const Status status = simulation_new(s->compiled, &job, NULL, &diag, &simulation, &s->err);
    if (status != OK)
        return status;
    ck_assert_int_eq(simulation_run(simulation, &sink, &result, &s->err), OK);
    const bool ok = result.end.status == OK;
    const double row[COLUMNS] = {(double)k,
                                 LENGTHS[k / 4],
                                 SPEEDS[k % 4],
                                 result.end.t,
                                 ok ? result.final.q[0] : NAN,
                                 ok ? result.final.q[1] : NAN,
                                 ok ? result.final.v[0] : NAN,
                                 ok ? result.final.v[1] : NAN,
                                 fmax(result.constraints[0].max, result.constraints[1].max),
                                 result.energy.balance_scaled,
                                 result.energy.max_drift,
                                 (double)result.steps.accepted,
                                 (double)result.n_warnings,
                                 ok ? MEMBER_SUCCEEDED : MEMBER_LIMIT};
    memcpy(ret_row, row, sizeof row);
    simulation_free(simulation);
    return result.end.status;
}

/* Over the base x others stand in where the bead is level with the centre. */
START_TEST(a_member_is_its_job_run_alone)
{
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "voronec"};
    static const NamedText BASE = {.name = "x", .pointer = "/model/base/0"};
    const JobSpec job = bead_job();
    ModelDocument bead = BEAD;
    bead.base = &BASE;
    bead.n_base = 1;
    Setting s = compile_in(&bead, FORMULATIONS[_i]);
    Kept kept = {0};
    Alone alone = {0};
    uint64_t done;
    unsigned states[MEMBER_STATES] = {0};

    ck_assert_int_eq(prepare(&s, &job, AXES, 2, KEEP_TRAJECTORIES), OK);
    const EnsembleSink sink = sink_of(&kept);
    ck_assert_int_eq(ensemble_run(s.ensemble, 0, MEMBERS, &sink, &done, &s.err), OK);
    ck_assert_uint_eq(done, MEMBERS);
    ck_assert_uint_eq(kept.n, MEMBERS);
    for (size_t k = 0; k < MEMBERS; k++) {
        double row[COLUMNS];
        const Status status = run_alone(&s, k, &alone, row);
        ck_assert_uint_eq(kept.k[k], k);
        states[(MemberState)kept.rows[k][COLUMNS - 1]]++;
        if (status == ERR_INVALID) {
            ck_assert_str_eq(kept.reasons[k], "model");
            ck_assert_ptr_nonnull(strstr(kept.messages[k], "the constraint c1 is violated"));
            for (size_t c = 3; c < COLUMNS - 1; c++)
                ck_assert(isnan(kept.rows[k][c]));
            continue;
        }
        // NOLINTNEXTLINE(clang-analyzer-core.*): run_alone() wrote the row
        ck_assert_mem_eq(kept.rows[k], row, sizeof row);
        ck_assert_str_eq(kept.reasons[k], status == OK ? "" : "limit");
    }
    /* all of it happens: bounces and corners, too many steps, no admissible start */
    ck_assert_uint_eq(states[MEMBER_SUCCEEDED], 3);
    ck_assert_uint_eq(states[MEMBER_LIMIT], 1);
    ck_assert_uint_eq(states[MEMBER_MODEL], 4);
    ck_assert_uint_gt(kept.n_rows, 3 * 5);
    ck_assert_uint_eq(kept.n_rows, alone.kept.n_rows);
    ck_assert_mem_eq(kept.table_rows, alone.kept.table_rows,
                     kept.n_rows * (1 + TABLE_COLUMNS) * sizeof(double));
    free(kept.table_rows);
    free(alone.kept.table_rows);
    release(&s);
}
END_TEST

START_TEST(columns_and_tables_have_names)
{
    static const char *const SUMMARY[COLUMNS] = {
        "member",       "parameters.l", "initial.v.x", "final.t",        "final.q.x",
        "final.q.y",    "final.v.x",    "final.v.y",   "worst_residual", "energy_balance",
        "drift.energy", "steps",        "warnings",    "state"};
    static const char *const TABLE[TABLE_COLUMNS] = {
        "member", "t", "x", "y", "dot(x)", "dot(y)", "multiplier(c1)", "E"};
    static const char *const TABLES[] = {"trajectory", "wall", "low"};
    const EnsembleKeep keep = (EnsembleKeep)_i;
    const size_t skipped = keep == KEEP_TRAJECTORIES ? 0 : 1;
    const JobSpec job = bead_job();
    Setting s = compile(&BEAD);
    const char *const *names;
    double row[COLUMNS];

    ck_assert_int_eq(prepare(&s, &job, AXES, 2, keep), OK);
    ck_assert_uint_eq(design_count(ensemble_design(s.ensemble)), MEMBERS);
    ck_assert_uint_eq(ensemble_columns(s.ensemble, &names), COLUMNS);
    for (size_t c = 0; c < COLUMNS; c++)
        ck_assert_str_eq(names[c], SUMMARY[c]);
    const size_t n_tables = ensemble_tables(s.ensemble, &names);
    ck_assert_uint_eq(n_tables, keep == KEEP_SUMMARY ? 0 : 3 - skipped);
    for (size_t k = 0; k < n_tables; k++)
        ck_assert_str_eq(names[k], TABLES[k + skipped]);
    const size_t n = ensemble_table_columns(s.ensemble, &names);
    ck_assert_uint_eq(n, keep == KEEP_SUMMARY ? 0 : TABLE_COLUMNS);
    for (size_t c = 0; c < n; c++)
        ck_assert_str_eq(names[c], TABLE[c]);

    ensemble_lost_row(s.ensemble, 6, MEMBER_WORKER_LOST, row);
    ck_assert_double_eq(row[0], 6);
    ck_assert_double_eq(row[1], 1.25);
    ck_assert_double_eq(row[2], 3);
    ck_assert(isnan(row[3]));
    ck_assert_double_eq(row[COLUMNS - 1], MEMBER_WORKER_LOST);
    ck_assert_str_eq(member_state_reason(MEMBER_WORKER_LOST), "worker_lost");
    ck_assert_ptr_null(member_state_reason(MEMBER_SUCCEEDED));
    release(&s);
}
END_TEST

START_TEST(events_are_kept_without_the_trajectory)
{
    const JobSpec job = bead_job();
    Setting s = compile(&BEAD);
    Kept kept = {0};
    uint64_t done;

    ck_assert_int_eq(prepare(&s, &job, AXES, 2, (EnsembleKeep)_i), OK);
    const EnsembleSink sink = sink_of(&kept);
    ck_assert_int_eq(ensemble_run(s.ensemble, 1, 1, &sink, &done, &s.err), OK);
    ck_assert_uint_eq(kept.k[0], 1);
    if (_i == KEEP_SUMMARY)
        ck_assert_uint_eq(kept.n_rows, 0);
    else
        ck_assert_uint_gt(kept.n_rows, 2);
    for (size_t i = 0; i < kept.n_rows; i++) {
        const double *row = kept.table_rows + i * (1 + TABLE_COLUMNS);
        if (row[0] == 0) /* the wall */
            ck_assert_double_eq_tol(row[3], -0.4, 1e-9);
        else
            ck_assert_double_eq_tol(row[4], -0.95, 1e-9);
    }
    free(kept.table_rows);
    release(&s);
}
END_TEST

START_TEST(a_range_ends_early_where_it_is_told_to)
{
    const JobSpec job = bead_job();
    Setting s = compile(&BEAD);
    Kept kept = {.most = 2};
    uint64_t done;

    ck_assert_int_eq(prepare(&s, &job, AXES, 2, KEEP_SUMMARY), OK);
    EnsembleSink sink = sink_of(&kept);
    ck_assert_int_eq(ensemble_run(s.ensemble, 0, MEMBERS, &sink, &done, &s.err), OK);
    /* two that could not start were told; those that run beside each other by then are run to their
     * end */
    ck_assert_uint_eq(done, 6);
    ck_assert_uint_eq(kept.n, 6);
    kept = (Kept){.polls = 1};
    sink = sink_of(&kept);
    ck_assert_int_eq(ensemble_run(s.ensemble, 0, MEMBERS, &sink, &done, &s.err), OK);
    ck_assert_uint_eq(done, 0);
    ck_assert_uint_eq(kept.n, 0);
    release(&s);
}
END_TEST

static Status refuse_second(void *self, uint64_t k, const double *row, const char *reason,
                            const char *message, Error *err)
{
    (void)self, (void)row, (void)reason, (void)message;
    return k == 1 ? error_set(err, ERR_NO_SPACE, "full") : OK;
}

START_TEST(what_the_sink_fails_with_is_what_the_range_fails_with)
{
    const JobSpec job = bead_job();
    const EnsembleSink sink = {.member = refuse_second};
    Setting s = compile(&BEAD);
    uint64_t done = 77;

    ck_assert_int_eq(prepare(&s, &job, AXES, 2, KEEP_SUMMARY), OK);
    ck_assert_int_eq(ensemble_run(s.ensemble, 0, MEMBERS, &sink, &done, &s.err), ERR_NO_SPACE);
    ck_assert_uint_eq(done, 77);
    release(&s);
}
END_TEST

START_TEST(a_failure_stops_the_ensemble_where_asked)
{
    const JobSpec job = bead_job();
    const EnsembleSpec spec = {.design = {.kind = DESIGN_GRID, .axes = AXES, .n_axes = 2},
                               .stop_on_error = true};
    Setting s = compile(&BEAD);
    Kept kept = {0};
    uint64_t done;

    ck_assert_int_eq(
        ensemble_new(s.compiled, &job, &spec, &(EnsembleLimits){0}, s.diag, &s.ensemble, &s.err),
        OK);
    const EnsembleSink sink = sink_of(&kept);
    ck_assert_int_eq(ensemble_run(s.ensemble, 0, MEMBERS, &sink, &done, &s.err), OK);
    /* the first that is told is one that could not start; those beside it are run to their end */
    ck_assert_uint_eq(done, 5);
    ck_assert_uint_eq(kept.n, 5);
    ck_assert_str_eq(kept.reasons[3], "limit");
    ck_assert_str_eq(kept.reasons[4], "model");
    release(&s);
}
END_TEST

/* Mistakes that members have in common, each with its place. */
static const NamedText UNKNOWN_OBSERVABLE[] = {{"E", "nothing", "/observe/E", NULL}};
static const char *const UNKNOWN_FORMULATION[] = {"newton"};
static const EquilibriumSpec AT_REST = {.given = true};
static const BoundarySpec BOUNDARY = {.given = true};

static const ReduceSpec CLASH[] = {{.name = "steps",
                                    .take = REDUCE_LAST,
                                    .of = {"steps", "x", "/ensemble/reduce/steps/of", NULL},
                                    .pointer = "/ensemble/reduce/steps"}};
static const ReduceSpec UNKNOWN[] = {{.name = "high",
                                      .take = REDUCE_MAX,
                                      .of = {"high", "z", "/ensemble/reduce/high/of", NULL},
                                      .pointer = "/ensemble/reduce/high"}};

static void mistake(JobSpec *job, int i)
{
    if (i == 0)
        job->observe = UNKNOWN_OBSERVABLE;
    else if (i == 1)
        job->integrator.method = "euler";
    else if (i == 2)
        job->time.samples = 1;
    else if (i == 3)
        job->integrator.max_steps = 0, job->integrator.rtol = 2;
    else if (i == 4)
        job->compare = UNKNOWN_FORMULATION, job->n_compare = 1;
    else if (i == 5)
        job->initial.equilibrium = AT_REST;
    else if (i == 6)
        job->boundary = BOUNDARY;
    else if (i == 7)
        job->initial.mu_given = true;
    else if (i == 8)
        job->reduce = CLASH, job->n_reduce = 1;
    else
        job->reduce = UNKNOWN, job->n_reduce = 1;
}

static const char *const PLACES[] = {"/observe/E",
                                     "/integrator/method",
                                     "/time/samples",
                                     "/integrator/rtol",
                                     "/compare/0",
                                     "/vary/initial.v.x",
                                     "/boundary",
                                     "/initial/mu",
                                     "/ensemble/reduce/steps",
                                     "/ensemble/reduce/high/of"};

START_TEST(mistakes_of_all_members_are_told_before_they_run)
{
    JobSpec job = bead_job();
    Setting s = compile(&BEAD);
    bool told = false;

    mistake(&job, _i);
    ck_assert_int_eq(prepare(&s, &job, AXES, 2, KEEP_SUMMARY), ERR_INVALID);
    for (size_t i = 0; i < s.diag->count; i++)
        told = told || strcmp(s.diag->items[i].pointer, PLACES[_i]) == 0;
    ck_assert_msg(told, "%s: %s", PLACES[_i], s.diag->items[0].message);
    release(&s);
}
END_TEST

/* Axes that make no design, or lead nowhere. */
static const struct {
    DesignAxis axis;
    const char *message;
} WRONG_AXES[] = {
    {{.path = "parameters.k", .pointer = "/vary/X", .list = LENGTHS, .count = 2},
     "unknown parameter \"k\""},
    {{.path = "initial.q.z", .pointer = "/vary/X", .list = LENGTHS, .count = 2},
     "unknown coordinate \"z\""},
    {{.path = "initial.chart.q.z", .pointer = "/vary/X", .list = LENGTHS, .count = 2},
     "\"initial.chart.q.z\" is varied, and other values are given outside the chart"},
    {{.path = "integrator.rtol", .pointer = "/vary/X", .list = LENGTHS, .count = 2},
     "\"integrator.rtol\" is no number that can be varied"},
    {{.path = "parameters.l", .pointer = "/vary/X", .list = LENGTHS, .count = 0},
     "\"parameters.l\" has no values"},
};

START_TEST(axes_that_lead_nowhere_are_mistakes)
{
    const JobSpec job = bead_job();
    Setting s = compile(&BEAD);

    ck_assert_int_eq(prepare(&s, &job, &WRONG_AXES[_i].axis, 1, KEEP_SUMMARY), ERR_INVALID);
    ck_assert_uint_eq(s.diag->total, 1);
    ck_assert_str_eq(s.diag->items[0].pointer, "/vary/X");
    ck_assert_str_eq(s.diag->items[0].message, WRONG_AXES[_i].message);
    release(&s);
}
END_TEST

START_TEST(more_members_than_allowed_are_a_mistake)
{
    const EnsembleSpec spec = {.design = {.kind = DESIGN_GRID, .axes = AXES, .n_axes = 2}};
    const JobSpec job = bead_job();
    Setting s = compile(&BEAD);

    ck_assert_int_eq(ensemble_new(s.compiled, &job, &spec, &(EnsembleLimits){.most_members = 7},
                                  s.diag, &s.ensemble, &s.err),
                     ERR_INVALID);
    ck_assert_str_eq(s.diag->items[0].pointer, "/vary");
    ck_assert_ptr_nonnull(strstr(s.diag->items[0].message, "more than 7 members"));
    ck_assert_int_eq(ensemble_new(s.compiled, &job, &spec, &(EnsembleLimits){.most_members = 8},
                                  s.diag, &s.ensemble, &s.err),
                     OK);
    release(&s);
}
END_TEST

/* x'' = x^3 leaves all bounds; the start x = 0 does not. */
START_TEST(a_motion_that_ends_is_no_one_elses)
{
    static const ModelDocument RUNAWAY = {
        .name = "runaway",
        .description = "",
        .coordinates = PLANE,
        .n_coordinates = 1,
        .lagrangian = {NULL, "dot(x)^2/2 + x^4/4", "/model/lagrangian", NULL}};
    static const double X[] = {1, 0};
    static const DesignAxis AXIS = {.path = "initial.q.x",
                                    .pointer = "/vary/initial.q.x",
                                    .kind = AXIS_LIST,
                                    .list = X,
                                    .count = 2};
    Setting s = compile(&RUNAWAY);
    Kept kept = {.columns = 2 + 1 + 2 + 3 + 3};
    JobSpec job;
    uint64_t done;

    job_spec_init(&job);
    job.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 100, .samples = 2};
    ck_assert_int_eq(prepare(&s, &job, &AXIS, 1, KEEP_SUMMARY), OK);
    const EnsembleSink sink = sink_of(&kept);
    ck_assert_int_eq(ensemble_run(s.ensemble, 0, 2, &sink, &done, &s.err), OK);
    ck_assert_str_eq(kept.reasons[0], "numeric");
    ck_assert_double_lt(kept.rows[0][2], 10); /* final.t */
    ck_assert(isnan(kept.rows[0][3]));
    ck_assert_str_eq(kept.reasons[1], "");
    ck_assert_double_eq(kept.rows[1][2], 100);
    ck_assert_double_eq(kept.rows[1][3], 0);
    release(&s);
}
END_TEST

/* Rows by member, of so many columns. */
typedef struct Table {
    size_t columns;
    double rows[MEMBERS][COLUMNS + 2];
} Table;

static Status keep_row(void *self, uint64_t k, const double *row, const char *reason,
                       const char *message, Error *err)
{
    Table *table = self;

    (void)reason, (void)message, (void)err;
    memcpy(table->rows[k], row, table->columns * sizeof *row);
    return OK;
}

static Status drop_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    (void)self, (void)table, (void)rows, (void)n_rows, (void)err;
    return OK;
}

/* The member's job by itself has the bits of its row. */
static void expect_reduced_alone(Setting *s, uint64_t k, const double *row)
{
    const SimulationSink sink = {.rows = drop_rows};
    Simulation *simulation = NULL;
    SimulationResult result;

    if (row[COLUMNS + 1] != MEMBER_SUCCEEDED)
        return;
    ck_assert_int_eq(simulation_new(s->compiled, ensemble_member(s->ensemble, k), NULL, s->diag,
                                    &simulation, &s->err),
                     OK);
    ck_assert_int_eq(simulation_run(simulation, &sink, &result, &s->err), OK);
    ck_assert_mem_eq(result.reduced, row + 3, 2 * sizeof *row);
    simulation_free(simulation);
}

START_TEST(reductions_are_columns_of_those_who_succeed)
{
    const ReduceSpec reduce[] = {{.name = "high",
                                  .take = REDUCE_MAX,
                                  .of = {"high", "y", "/ensemble/reduce/high/of", NULL},
                                  .pointer = "/ensemble/reduce/high"},
                                 {.name = "hits",
                                  .take = REDUCE_EVENT_COUNT,
                                  .event = "wall",
                                  .pointer = "/ensemble/reduce/hits"}};
    enum { MORE = COLUMNS + 2 };
    JobSpec job = bead_job();
    Setting s = compile(&BEAD);
    const char *const *names;
    Table table = {.columns = MORE};
    uint64_t done;
    const EnsembleSink sink = {.self = &table, .member = keep_row};

    job.reduce = reduce;
    job.n_reduce = 2;
    ck_assert_int_eq(prepare(&s, &job, AXES, 2, KEEP_SUMMARY), OK);
    ck_assert_uint_eq(ensemble_columns(s.ensemble, &names), MORE);
    ck_assert_str_eq(names[3], "high");
    ck_assert_str_eq(names[4], "hits");
    ck_assert_int_eq(ensemble_run(s.ensemble, 0, MEMBERS, &sink, &done, &s.err), OK);
    for (size_t k = 0; k < MEMBERS; k++) {
        const bool ok = table.rows[k][MORE - 1] == MEMBER_SUCCEEDED;
        ck_assert_int_eq(isnan(table.rows[k][3]) ? 0 : 1, ok);
        ck_assert_int_eq(isnan(table.rows[k][4]) ? 0 : 1, ok);
    }
    for (size_t k = 0; k < MEMBERS; k++)
        expect_reduced_alone(&s, k, table.rows[k]);
    /* from rest it never comes higher, and hits the wall */
    ck_assert_double_eq_tol(table.rows[0][3], -0.8, 1e-9);
    ck_assert_double_ge(table.rows[0][4], 1);
    release(&s);
}
END_TEST

/* Thrown upwards: what moves sideways keeps its momentum, that upwards changes by g t. */
START_TEST(momenta_of_named_symmetries_have_drifts)
{
    static const NamedText side[] = {{"x", "1", "", NULL}}, up[] = {{"y", "1", "", NULL}};
    static const FieldText fields[] = {{"side", "", side, 1}, {"up", "", up, 1}};
    static const NamedValue g = {"g", 9.81, ""}, v[] = {{"x", 2, ""}, {"y", 3, ""}};
    static const ModelDocument THROWN = {
        .name = "thrown",
        .description = "",
        .coordinates = PLANE,
        .n_coordinates = 2,
        .parameters = &g,
        .n_parameters = 1,
        .symmetries = fields,
        .n_symmetries = 2,
        .lagrangian = {NULL, "(dot(x)^2 + dot(y)^2)/2 - g*y", "/model/lagrangian", NULL}};
    static const double ENDS[] = {0.5, 2};
    static const DesignAxis AXIS = {.path = "time.end",
                                    .pointer = "/vary/time.end",
                                    .kind = AXIS_LIST,
                                    .list = ENDS,
                                    .count = 2};
    enum { AT = 2 + 5 + 3 };
    Setting s = compile(&THROWN);
    const char *const *names;
    Table table = {.columns = AT + 5};
    uint64_t done;
    const EnsembleSink sink = {.self = &table, .member = keep_row};
    JobSpec job;

    job_spec_init(&job);
    job.initial.v = v;
    job.initial.n_v = 2;
    job.time.samples = 2;
    ck_assert_int_eq(prepare(&s, &job, &AXIS, 1, KEEP_SUMMARY), OK);
    ck_assert_uint_eq(ensemble_columns(s.ensemble, &names), AT + 5);
    ck_assert_str_eq(names[AT], "drift.side");
    ck_assert_str_eq(names[AT + 1], "drift.up");
    ck_assert_int_eq(ensemble_run(s.ensemble, 0, 2, &sink, &done, &s.err), OK);
    for (size_t k = 0; k < 2; k++) {
        ck_assert_double_eq_tol(table.rows[k][AT], 0, 1e-12);
        ck_assert_double_eq_tol(table.rows[k][AT + 1], 9.81 * ENDS[k], 1e-9);
    }
    release(&s);
}
END_TEST

SUITE(ensemble)
{
    TCase *tc = suite_case(suite, "ensemble");
    tcase_add_loop_test(tc, a_member_is_its_job_run_alone, 0, 2);
    tcase_add_loop_test(tc, columns_and_tables_have_names, 0, 3);
    tcase_add_loop_test(tc, events_are_kept_without_the_trajectory, 0, 2);
    tcase_add_test(tc, a_range_ends_early_where_it_is_told_to);
    tcase_add_test(tc, what_the_sink_fails_with_is_what_the_range_fails_with);
    tcase_add_test(tc, a_failure_stops_the_ensemble_where_asked);
    tcase_add_loop_test(tc, mistakes_of_all_members_are_told_before_they_run, 0,
                        (int)(sizeof PLACES / sizeof *PLACES));
    tcase_add_loop_test(tc, axes_that_lead_nowhere_are_mistakes, 0,
                        (int)(sizeof WRONG_AXES / sizeof *WRONG_AXES));
    tcase_add_test(tc, more_members_than_allowed_are_a_mistake);
    tcase_add_test(tc, reductions_are_columns_of_those_who_succeed);
    tcase_add_test(tc, momenta_of_named_symmetries_have_drifts);
    tcase_add_test(tc, a_motion_that_ends_is_no_one_elses);
}
