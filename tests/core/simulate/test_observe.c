/* Unit tests of core/: states for the analyses, which wait until the run is over. */
#include <math.h>
#include <string.h>

#include "core/run/run.h"
#include "core/run/watch/observe.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* A bead on the line where a cylinder meets a saddle. */
static const TestModel BEAD = {
    .coordinates = {"x", "y", "z"},
    .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - 9.81*y",
    .constraints = {"x^2 + y^2 - 1", "z - x*y"},
};
static const NamedValue Q[] = {{"x", 0.6, ""}, {"y", -0.8, ""}, {"z", -0.48, ""}};
enum { N = 3, R = 2 };

/* A motion of some dozen steps, of some hundred, and of more than there is room for. */
static const double ENDS[] = {2, 10, 120};

static Status no_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    (void)self, (void)table, (void)rows, (void)n_rows, (void)err;
    return OK;
}

static Status no_evidence(void *self, const double *row, size_t n, Error *err)
{
    (void)self, (void)row, (void)n, (void)err;
    return OK;
}

typedef struct Finished {
    Arena *arena;
    Diagnostics diag;
    Compiled *compiled;
    Simulation *simulation;
    Run run;
} Finished;

static void start(Finished *m, double end, const SimulationSink *sink)
{
    JobSpec spec;
    Error err;

    m->arena = arena_new(1 << 26);
    diagnostics_init(&m->diag, m->arena);
    job_spec_init(&spec);
    spec.time.end = end;
    spec.time.samples = 2;
    spec.initial.q = Q;
    spec.initial.n_q = N;
    m->compiled = test_compile(&BEAD, m->arena, &m->diag);
    ck_assert_int_eq(simulation_new(m->compiled, &spec, NULL, &m->diag, &m->simulation, &err), OK);
    ck_assert_int_eq(run_start(&m->run, m->simulation, sink, &err), OK);
    while (run_under_way(&m->run))
        drive_step(&m->run.drive);
}

static void finish_looks(Run *run)
{
    observe_end(&run->at, &run->evidence.motion, &run->rows.states, &run->outcome);
}

static void finish(Finished *m)
{
    run_done(&m->run);
    simulation_free(m->simulation);
    compiled_unref(m->compiled);
    arena_free(m->arena);
}

static void expect_same_rows(const double *a, const double *b, size_t n)
{
    ck_assert_mem_eq(a, b, n * sizeof *a);
}

/* Whoever asks for evidence at samples has each state looked at when it is met: what is found is
 * the same. */
START_TEST(a_state_that_waited_says_what_it_would_have_said_at_once)
{
    const SimulationSink waiting = {.rows = no_rows},
                         at_once = {.rows = no_rows, .evidence = no_evidence};
    Finished later, before;

    start(&later, ENDS[_i], &waiting);
    start(&before, ENDS[_i], &at_once);
    const StateSamples *a = &later.run.rows.states, *b = &before.run.rows.states;
    ck_assert_uint_lt(a->n_told, a->n_states);
    ck_assert_uint_eq(b->n_told, b->n_states);
    finish_looks(&later.run);
    ck_assert_int_eq(later.run.outcome.status, OK);
    ck_assert_uint_eq(a->n_told, a->n_states);
    ck_assert_uint_eq(a->n_states, b->n_states);
    ck_assert_uint_eq(a->stride, b->stride);
    expect_same_rows(a->t, b->t, a->n_states);
    expect_same_rows(a->q, b->q, N * a->n_states);
    expect_same_rows(a->v, b->v, N * a->n_states);
    expect_same_rows(a->vdot, b->vdot, N * a->n_states);
    expect_same_rows(a->lambda, b->lambda, R * a->n_states);
    ck_assert_mem_eq(&later.run.evidence.motion.rcond_min, &before.run.evidence.motion.rcond_min,
                     sizeof(double));
    finish(&later);
    finish(&before);
}
END_TEST

/* One state among many, which the motion has not come to: on the axis the cylinder has no
 * normal. */
START_TEST(a_singular_state_that_waited_ends_the_run)
{
    const SimulationSink sink = {.rows = no_rows};
    Finished m;

    start(&m, ENDS[_i], &sink);
    StateSamples *samples = &m.run.rows.states;
    const size_t k = samples->n_told + (samples->n_states - samples->n_told) / 2;
    samples->q[N * k] = samples->q[N * k + 1] = 0;
    finish_looks(&m.run);
    ck_assert_int_eq(m.run.outcome.status, ERR_NUMERIC);
    ck_assert_ptr_nonnull(strstr(m.run.outcome.error.message, "became singular"));
    ck_assert_uint_eq(samples->n_told, k);
    finish(&m);
}
END_TEST

SUITE(observe)
{
    TCase *tc = suite_case(suite, "observe");
    tcase_add_loop_test(tc, a_state_that_waited_says_what_it_would_have_said_at_once, 0, 3);
    tcase_add_loop_test(tc, a_singular_state_that_waited_ends_the_run, 0, 3);
}
