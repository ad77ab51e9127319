/* Unit tests of core/: evidence at samples, for a sink that takes it. */
#include <math.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const TestModel PENDULUM = {
    .coordinates = {"x", "y"},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9.81*y",
    .constraints = {"x^2 + y^2 - 1"},
};
static const NamedValue Q[] = {{"x", 0.6, ""}, {"y", -0.8, ""}};

enum { MOST = 1000, LENGTH = 1 + 1 + EVIDENCE_REST };

typedef struct Taken {
    double rows[MOST][LENGTH];
    size_t n, n_rows;
    size_t fail_at;  /* row of evidence that is not taken */
    double residual; /* the largest of the result */
} Taken;

static Status take_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Taken *taken = self;

    (void)rows, (void)err;
    taken->n_rows += table < 0 ? n_rows : 0;
    return OK;
}

static Status take_evidence(void *self, const double *row, size_t n, Error *err)
{
    Taken *taken = self;

    ck_assert_uint_eq(n, LENGTH);
    if (taken->n == taken->fail_at)
        return error_set(err, ERR_NO_SPACE, "no room");
    for (size_t i = 0; i < n; i++)
        taken->rows[taken->n][i] = row[i];
    taken->n++;
    return OK;
}

static Status run(Taken *taken, uint64_t samples, SimulationResult *ret_result, Error *err)
{
    const SimulationSink sink = {.self = taken, .rows = take_rows, .evidence = take_evidence};
    Arena *arena = arena_new(1 << 24);
    Simulation *simulation;
    Diagnostics diag;
    JobSpec spec;

    diagnostics_init(&diag, arena);
    job_spec_init(&spec);
    spec.time.end = 2;
    spec.time.samples = samples;
    spec.initial.q = Q;
    spec.initial.n_q = 2;
    Compiled *compiled = test_compile(&PENDULUM, arena, &diag);
    ck_assert_int_eq(simulation_new(compiled, &spec, NULL, &diag, &simulation, err), OK);
    const Status status = simulation_run(simulation, &sink, ret_result, err);
    for (size_t k = 0; status == OK && k < ret_result->n_constraints; k++)
        taken->residual = fmax(taken->residual, ret_result->constraints[k].max);
    simulation_free(simulation);
    compiled_unref(compiled);
    arena_free(arena);
    return status;
}

/* However many samples there are: the steps are the same, and each of them counts once. */
START_TEST(the_worst_of_all_rows_is_that_of_the_run)
{
    static const uint64_t SAMPLES[] = {2, 5, 777};
    static Taken taken;
    SimulationResult result;
    Error err = {0};

    taken = (Taken){.fail_at = MOST};
    ck_assert_int_eq(run(&taken, SAMPLES[_i], &result, &err), OK);
    ck_assert_uint_eq(taken.n, SAMPLES[_i]);
    double energy = 0, residual = 0, rcond = INFINITY, step = INFINITY, last = -1;
    for (size_t k = 0; k < taken.n; k++) {
        const double *row = taken.rows[k], *rest = row + 2;
        ck_assert_double_gt(row[0], last);
        last = row[0];
        ck_assert_double_ge(row[1], 0);
        energy = fmax(energy, rest[EVIDENCE_ENERGY]);
        rcond = fmin(rcond, rest[EVIDENCE_RCOND]);
        step = fmin(step, rest[EVIDENCE_STEP]);
        ck_assert(k > 0 || isnan(rest[EVIDENCE_STEP]));
        residual = fmax(residual, row[1]);
    }
    ck_assert_double_eq(rcond, result.condition.rcond_min);
    ck_assert_double_eq(residual, taken.residual);
    ck_assert_double_le(step, result.steps.longest);
    ck_assert_double_gt(energy, 0);
    ck_assert_double_lt(energy, 1e-9);
}
END_TEST

START_TEST(a_sink_that_is_full_stops_the_run)
{
    static const size_t PLACES[] = {0, 3, 4};
    static Taken taken;
    SimulationResult result;
    Error err = {0};

    taken = (Taken){.fail_at = PLACES[_i]};
    ck_assert_int_eq(run(&taken, 5, &result, &err), ERR_NO_SPACE);
    ck_assert_uint_eq(taken.n, PLACES[_i]);
    ck_assert_str_eq(err.message, "no room");
    /* it is a row behind the trajectory */
    ck_assert_uint_eq(taken.n_rows, PLACES[_i] + 2 < 5 ? PLACES[_i] + 2 : 5);
}
END_TEST

SUITE(instants)
{
    TCase *tc = suite_case(suite, "instants");
    tcase_add_loop_test(tc, the_worst_of_all_rows_is_that_of_the_run, 0, 3);
    tcase_add_loop_test(tc, a_sink_that_is_full_stops_the_run, 0, 3);
}
