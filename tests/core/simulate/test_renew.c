/* A simulation that is given other numbers is that of a job with these numbers, to the bit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const TestModel BEAD = {
    .coordinates = {"x", "y"},
    .parameters = {{"g", 9.81, ""}, {"c", 0.1, ""}, {"l", 1, ""}},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - g*y",
    .constraints = {"x^2 + y^2 = l^2"},
    .forces = {{"x", "-c*sign(dot(x))", "", NULL}},
    .base = {"x"},
};
static const TestModel SLED = {
    .coordinates = {"x", "y", "th"},
    .parameters = {{"a", 0.3, ""}, {"g", 0.2, ""}},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + a*dot(th)*(dot(y)*cos(th) - dot(x)*sin(th)) + "
                  "0.3*dot(th)^2 - g*sin(x)",
    .constraints = {"dot(y)*cos(th) - dot(x)*sin(th)"},
};

typedef struct Numbers {
    NamedValue parameter, q[2], v;
    double mu, t0, end;
    bool admissible;
} Numbers;

/* The document of a job, whose numbers are put in. */
typedef struct Document {
    const TestModel *model;
    const char *formulation, *method;
    bool events, vakonomic, sensitive;
    Numbers numbers[3];
} Document;

/* clang-format off */
#define BEAD_NUMBERS \
    {{{"g", 9.81, ""}, {{"x", 0.6, ""}, {"y", -0.8, ""}}, {"x", 0, ""}, 0, 0, 2, true}, \
     {{"l", 1.3, ""}, {{"x", 0.5, ""}, {"y", -1.2, ""}}, {"x", -0.3, ""}, 0, 0.5, -1, true}, \
     {{"l", 1.3, ""}, {{"x", 0.6, ""}, {"y", -0.8, ""}}, {"x", 0, ""}, 0, 0, 2, false}}
#define SLED_NUMBERS \
    {{{"a", 0.3, ""}, {{"x", 0.6, ""}, {"th", 0.2, ""}}, {"th", 1, ""}, 0.4, 0, 3, true}, \
     {{"g", -0.7, ""}, {{"x", 0, ""}, {"th", 1.2, ""}}, {"th", -2, ""}, -1.5, 1, 2.5, true}, \
     {{"g", 1, ""}, {{"x", 0.6, ""}, {"th", NAN, ""}}, {"th", 0, ""}, 0, 0, 2, false}}
/* clang-format on */

static const Document DOCUMENTS[] = {
    {&BEAD, "lagrange-dalembert", "auto", true, false, false, BEAD_NUMBERS},
    {&BEAD, "voronec", "auto", true, false, false, BEAD_NUMBERS},
    {&BEAD, "hamel", "bdf", false, false, false, BEAD_NUMBERS},
    {&SLED, "vakonomic", "auto", false, true, false, SLED_NUMBERS},
    {&SLED, "lagrange-dalembert", "auto", false, false, true, SLED_NUMBERS},
    {&SLED, "hamiltonian", "auto", true, false, false, SLED_NUMBERS},
};

static JobSpec job_of(const Document *d, const Numbers *n, MultiplierSpec *mu)
{
    static const NamedText set[] = {{"dot(x)", "-0.7*dot(x)", "", NULL}};
    static const EventSpec events[] = {{.name = "wall",
                                        .when = {"wall", "x - 0.55*g/g", "", NULL},
                                        .set = set,
                                        .n_set = 1,
                                        .direction = 1},
                                       {.name = "clock", .kind = EVENT_EVERY, .every = 0.25}};
    static const NamedText observe[] = {{"E", "energy() + g", "/observe/E", NULL}};
    static const NamedText paths[] = {{NULL, "parameters.g", "/sensitivities/0", NULL},
                                      {NULL, "initial.q.x", "/sensitivities/1", NULL}};
    static const ReduceSpec reduce[] = {
        {.name = "high", .take = REDUCE_MAX, .of = {"high", "x*g", "", NULL}, .pointer = ""},
        {.name = "last",
         .take = REDUCE_LAST,
         .of = {"last", "multiplier(c1) + g", "", NULL},
         .pointer = ""}};
    JobSpec job;

    job_spec_init(&job);
    job.formulation = d->formulation;
    job.integrator.method = d->method;
    job.parameters = &n->parameter;
    job.n_parameters = 1;
    job.initial.t = n->t0;
    job.time = (TimeSpec){.kind = TIME_EVERY, .end = n->end, .every = 0.3};
    job.initial.q = n->q;
    job.initial.n_q = 2;
    job.initial.v = &n->v;
    job.initial.n_v = 1;
    job.observe = observe;
    job.n_observe = 1;
    job.events = events;
    job.n_events = d->events ? 2 : 0;
    job.sensitivities = paths;
    job.n_sensitivities = d->sensitive ? 2 : 0;
    job.reduce = reduce;
    job.n_reduce = 2;
    *mu = (MultiplierSpec){.name = "c1", .value = n->mu};
    job.initial.mu = mu;
    job.initial.n_mu = job.initial.mu_given = d->vakonomic;
    return job;
}

typedef struct Rows {
    size_t n, columns;
    double *values;
} Rows;

static Status take_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Rows *all = self;

    (void)err;
    if (table >= 0)
        return OK;
    all->values = realloc(all->values, (all->n + n_rows) * all->columns * sizeof *rows);
    memcpy(all->values + all->n * all->columns, rows, n_rows * all->columns * sizeof *rows);
    all->n += n_rows;
    return OK;
}

static void expect_same(const TestRun *fresh, Simulation *renewed)
{
    const char *const *names, *const *other;
    Rows rows = {.columns = simulation_columns(renewed, &names)};
    const SimulationSink sink = {.self = &rows, .rows = take_rows};
    const SimulationResult *a = &fresh->result;
    SimulationResult b;
    Error err;

    ck_assert_uint_eq(simulation_columns(fresh->simulation, &other), rows.columns);
    for (size_t c = 0; c < rows.columns; c++)
        ck_assert_str_eq(names[c], other[c]);
    ck_assert_int_eq(simulation_run(renewed, &sink, &b, &err), OK);
    ck_assert_int_eq(a->end.status, b.end.status);
    ck_assert_uint_eq(fresh->n_rows, rows.n);
    ck_assert_mem_eq(fresh->rows, rows.values, rows.n * rows.columns * sizeof *rows.values);
    ck_assert_mem_eq(a->reduced, b.reduced, 2 * sizeof *b.reduced);
    ck_assert_uint_eq(a->steps.accepted, b.steps.accepted);
    ck_assert_uint_eq(a->steps.evaluations, b.steps.evaluations);
    ck_assert_double_eq(a->energy.balance_scaled, b.energy.balance_scaled);
    ck_assert_double_eq(a->constraints[0].max, b.constraints[0].max);
    ck_assert_uint_eq(a->n_warnings, b.n_warnings);
    ck_assert_uint_eq(a->found.n_verdicts, b.found.n_verdicts);
    for (size_t k = 0; k < a->found.n_verdicts; k++)
        ck_assert_int_eq(a->found.verdicts[k].predicted, b.found.verdicts[k].predicted);
    free(rows.values);
}

START_TEST(a_renewed_simulation_is_that_of_its_numbers)
{
    /* there and back, the same again, and past numbers that have no motion */
    static const size_t COURSE[] = {1, 1, 0, 2, 1, 2, 1, 0, 0};
    const Document *d = &DOCUMENTS[_i];
    MultiplierSpec mu;
    JobSpec job = job_of(d, &d->numbers[0], &mu);
    TestRun first = test_run(d->model, &job);
    Error err;

    for (size_t k = 0; k < sizeof COURSE / sizeof *COURSE; k++) {
        const Numbers *n = &d->numbers[COURSE[k]];
        Diagnostics diag;
        job = job_of(d, n, &mu);
        diagnostics_init(&diag, first.arena);
        const Status status = simulation_renew(first.simulation, &job, NULL, &diag, &err);
        ck_assert_msg(status == (n->admissible ? OK : ERR_INVALID), "%zu: %s", COURSE[k],
                      diag.count ? diag.items[0].message : "");
        if (status != OK) {
            ck_assert_uint_gt(diag.total, 0);
            continue;
        }
        TestRun fresh = test_run(d->model, &job);
        expect_same(&fresh, first.simulation);
        test_run_done(&fresh);
    }
    test_run_done(&first);
}
END_TEST

SUITE(renew)
{
    TCase *tc = suite_case(suite, "renew");
    tcase_add_loop_test(tc, a_renewed_simulation_is_that_of_its_numbers, 0,
                        (int)(sizeof DOCUMENTS / sizeof *DOCUMENTS));
}
