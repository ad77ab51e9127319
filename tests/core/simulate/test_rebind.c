/* Runs of one simulation use the same memory one after the other. However one of them ends, the
 * next one has the results of a fresh simulation, to the bit. */
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

enum { MOST = 4000, MEMBERS = 6, NO_FAILURE = 1000 };

/* With much energy it goes round: x says nothing of dot(y) at the left and at the right, so that
 * other equations take over there. With k > 0 its speed has a pole. */
static const TestModel BEAD = {
    .coordinates = {"x", "y"},
    .parameters = {{"k", 0, ""}, {"stop", 9, ""}},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 2*y",
    .constraints = {"x^2 + y^2 = 1"},
    .forces = {{"x", "k*dot(x)^3", "", NULL}},
    .base = {"x"},
};
/* The same without a base: the dependent coordinate is chosen anew. */
static const TestModel FREE_BEAD = {
    .coordinates = {"x", "y"},
    .parameters = {{"k", 0, ""}, {"stop", 9, ""}},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 2*y",
    .constraints = {"x^2 + y^2 = 1"},
    .forces = {{"x", "k*dot(x)^3", "", NULL}},
};
/* Its constraint loses rank at x = y = 0. */
static const TestModel HYPERBOLA = {
    .coordinates = {"x", "y"},
    .parameters = {{"k", 0, ""}, {"stop", 9, ""}},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
    .constraints = {"x*y = 0"},
    .forces = {{"x", "k*dot(x)^3", "", NULL}},
};

typedef struct Member {
    NamedValue parameters[2], v;
    double end;
    bool tells_evidence;
    unsigned fails_at; /* row of evidence that the sink does not take */
    Status status;     /* of the motion */
} Member;

typedef struct Case {
    const TestModel *model;
    const char *formulation;
    NamedValue q[2];
    Member members[MEMBERS];
    const char *says; /* a warning of the first member, or NULL */
} Case;

/* clang-format off */
#define BEAD_MEMBERS \
    {{{{"k", 0, ""}, {"stop", 9, ""}}, {"x", 4, ""}, 3, true, NO_FAILURE, OK}, \
     {{{"k", 0, ""}, {"stop", -0.5, ""}}, {"x", 4, ""}, 3, false, NO_FAILURE, OK}, \
     {{{"k", 3, ""}, {"stop", 9, ""}}, {"x", 1, ""}, 3, false, NO_FAILURE, ERR_NUMERIC}, \
     {{{"k", 0, ""}, {"stop", 9, ""}}, {"x", 1, ""}, 0.01, false, NO_FAILURE, OK}, \
     {{{"k", 0, ""}, {"stop", 9, ""}}, {"x", -4, ""}, 2, true, 5, OK}, \
     {{{"k", 3, ""}, {"stop", 9, ""}}, {"x", -1, ""}, 1, true, NO_FAILURE, ERR_NUMERIC}}
#define HYPERBOLA_MEMBERS \
    {{{{"k", 0, ""}, {"stop", 9, ""}}, {"x", 1, ""}, 2, true, NO_FAILURE, OK}, \
     {{{"k", 0, ""}, {"stop", 0.4, ""}}, {"x", 1, ""}, 2, false, NO_FAILURE, OK}, \
     {{{"k", 3, ""}, {"stop", 9, ""}}, {"x", 1, ""}, 2, false, NO_FAILURE, ERR_NUMERIC}, \
     {{{"k", 0, ""}, {"stop", 9, ""}}, {"x", 1, ""}, 1, true, NO_FAILURE, OK}, \
     {{{"k", 0, ""}, {"stop", 9, ""}}, {"x", 1, ""}, 2, true, 5, OK}, \
     {{{"k", 0, ""}, {"stop", 0, ""}}, {"x", 1, ""}, 1.5, false, NO_FAILURE, OK}}
/* clang-format on */

static const Case CASES[] = {
    {&BEAD, "voronec", {{"x", 0, ""}, {"y", -1, ""}}, BEAD_MEMBERS, "Voronec's equations"},
    {&FREE_BEAD, "voronec", {{"x", 0, ""}, {"y", -1, ""}}, BEAD_MEMBERS, NULL},
    {&FREE_BEAD, "lagrange-dalembert", {{"x", 0, ""}, {"y", -1, ""}}, BEAD_MEMBERS, NULL},
    {&HYPERBOLA,
     "lagrange-dalembert",
     {{"x", -1, ""}, {"y", 0, ""}},
     HYPERBOLA_MEMBERS,
     "singular configuration"},
};

static JobSpec job_of(const Case *c, const Member *m)
{
    static const EventSpec events[] = {
        {.name = "stop", .when = {"stop", "x - stop", "", NULL}, .terminal = true},
        {.name = "speed", .when = {"speed", "dot(x) - 2", "", NULL}},
    };
    static const NamedText observe[] = {{"E", "energy()", "/observe/E", NULL}};
    static const ReduceSpec reduce[] = {
        {.name = "high", .take = REDUCE_MAX, .of = {"high", "y", "", NULL}, .pointer = ""},
        {.name = "mean", .take = REDUCE_MEAN, .of = {"mean", "x^2", "", NULL}, .pointer = ""}};
    JobSpec job;

    job_spec_init(&job);
    job.formulation = c->formulation;
    job.integrator.rtol = job.integrator.atol = 1e-9;
    job.parameters = m->parameters;
    job.n_parameters = 2;
    job.initial.q = c->q;
    job.initial.n_q = 2;
    job.initial.v = &m->v;
    job.initial.n_v = 1;
    job.time = (TimeSpec){.end = m->end, .samples = 21};
    job.events = events;
    job.n_events = 2;
    job.observe = observe;
    job.n_observe = 1;
    job.reduce = reduce;
    job.n_reduce = 2;
    return job;
}

/* All numbers that have left a run, in their order. */
typedef struct Told {
    double numbers[MOST];
    size_t n, columns;
    unsigned rows_of_evidence, fails_at;
    Status status; /* of simulation_run() */
    SimulationResult result;
} Told;

static void add(Told *told, const double *numbers, size_t n)
{
    ck_assert_uint_le(told->n + n, MOST);
    memcpy(told->numbers + told->n, numbers, n * sizeof *numbers);
    told->n += n;
}

static Status take_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Told *told = self;

    (void)table, (void)err;
    add(told, rows, n_rows * told->columns);
    return OK;
}

static Status take_evidence(void *self, const double *row, size_t n, Error *err)
{
    Told *told = self;

    if (told->rows_of_evidence++ == told->fails_at)
        return error_set(err, ERR_NO_SPACE, "no room");
    add(told, row, n);
    return OK;
}

static void run(Simulation *simulation, const Member *m, Told *told)
{
    const SimulationSink sink = {
        .self = told, .rows = take_rows, .evidence = m->tells_evidence ? take_evidence : NULL};
    const char *const *names;
    Error err;

    *told = (Told){.columns = simulation_columns(simulation, &names), .fails_at = m->fails_at};
    told->status = simulation_run(simulation, &sink, &told->result, &err);
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void expect_same(const SimulationResult *a, const SimulationResult *b)
{
    ck_assert_int_eq(a->end.status, b->end.status);
    ck_assert(is_same_text(a->end.message, b->end.message));
    ck_assert(is_same_text(a->end.stopped_by, b->end.stopped_by));
    ck_assert_double_eq(a->end.t, b->end.t);
    ck_assert_mem_eq(a->final.q, b->final.q, 2 * sizeof *b->final.q);
    ck_assert_mem_eq(a->final.v, b->final.v, 2 * sizeof *b->final.v);
    ck_assert_mem_eq(a->reduced, b->reduced, 2 * sizeof *b->reduced);
    ck_assert_mem_eq(&a->energy, &b->energy, sizeof b->energy);
    ck_assert_mem_eq(&a->condition, &b->condition, sizeof b->condition);
    ck_assert_mem_eq(&a->steps, &b->steps, sizeof b->steps);
    ck_assert_uint_eq(a->n_constraints, b->n_constraints);
    for (size_t k = 0; k < a->n_constraints; k++) {
        ck_assert_double_eq(a->constraints[k].max, b->constraints[k].max);
        ck_assert_double_eq(a->constraints[k].rms, b->constraints[k].rms);
    }
    ck_assert_uint_eq(a->projection.count, b->projection.count);
    ck_assert_double_eq(a->projection.rms_velocity, b->projection.rms_velocity);
    ck_assert_uint_eq(a->n_singular, b->n_singular);
    ck_assert_uint_eq(a->found.n_verdicts, b->found.n_verdicts);
    for (size_t k = 0; k < a->found.n_verdicts; k++)
        ck_assert_int_eq(a->found.verdicts[k].observed, b->found.verdicts[k].observed);
    ck_assert_uint_eq(a->n_warnings, b->n_warnings);
    for (size_t k = 0; k < a->n_warnings; k++)
        ck_assert_str_eq(a->warnings[k], b->warnings[k]);
}

/* Compares with the member run by itself, which must end as the table says. */
static void compare_with_fresh(const Case *c, const Member *m, const Told *told)
{
    const JobSpec job = job_of(c, m);
    Arena *arena = arena_new(1 << 24);
    static Told fresh;
    Simulation *simulation = NULL;
    Diagnostics diag;
    Error err;

    Compiled *compiled = test_compile_in(c->model, c->formulation, arena, &diag);
    ck_assert_int_eq(simulation_new(compiled, &job, NULL, &diag, &simulation, &err), OK);
    run(simulation, m, &fresh);
    ck_assert_int_eq(fresh.status, m->fails_at == NO_FAILURE ? OK : ERR_NO_SPACE);
    ck_assert_int_eq(told->status, fresh.status);
    ck_assert_uint_eq(told->n, fresh.n);
    ck_assert_mem_eq(told->numbers, fresh.numbers, fresh.n * sizeof *fresh.numbers);
    if (fresh.status == OK) {
        ck_assert_int_eq(fresh.result.end.status, m->status);
        ck_assert_int_eq(fresh.result.end.stopped_by != NULL, m->parameters[1].value < 1);
        expect_same(&told->result, &fresh.result);
    }
    simulation_free(simulation);
    compiled_unref(compiled);
    arena_free(arena);
}

static bool says(const SimulationResult *result, const char *fragment)
{
    bool found = fragment == NULL;

    for (size_t k = 0; k < result->n_warnings; k++)
        found = found || strstr(result->warnings[k], fragment);
    return found;
}

START_TEST(however_a_run_ends_the_next_one_begins_as_new)
{
    /* each member behind each other one, or itself, at some place */
    static const size_t COURSE[] = {0, 0, 1, 2, 3, 4, 5, 0, 2, 0, 4, 1, 5, 5, 2, 2, 4,
                                    4, 3, 3, 0, 3, 1, 1, 0, 5, 1, 4, 2, 5, 3, 2, 1};
    const Case *c = &CASES[_i];
    Arena *arena = arena_new(1 << 24);
    static Told told;
    Simulation *simulation = NULL;
    Diagnostics diag;
    Error err;

    Compiled *compiled = test_compile_in(c->model, c->formulation, arena, &diag);
    JobSpec job = job_of(c, &c->members[0]);
    ck_assert_int_eq(simulation_new(compiled, &job, NULL, &diag, &simulation, &err), OK);
    for (size_t k = 0; k < sizeof COURSE / sizeof *COURSE; k++) {
        const Member *m = &c->members[COURSE[k]];
        job = job_of(c, m);
        ck_assert_int_eq(simulation_renew(simulation, &job, NULL, &diag, &err), OK);
        run(simulation, m, &told);
        if (COURSE[k] == 0)
            ck_assert(says(&told.result, c->says));
        compare_with_fresh(c, m, &told);
    }
    simulation_free(simulation);
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

SUITE(rebind)
{
    TCase *tc = suite_case(suite, "rebind");
    tcase_add_loop_test(tc, however_a_run_ends_the_next_one_begins_as_new, 0,
                        (int)(sizeof CASES / sizeof *CASES));
}
