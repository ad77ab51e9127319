/* Samples: when they are taken, and which states are kept for the analyses. */
#include <float.h>
#include <math.h>

#include "core/prepare/simulation.h"
#include "core/run/parts/state_samples.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const TestModel PARTICLE = {
    .coordinates = {"x", "y", "z"},
    .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
    .constraints = {"dot(z) + x*dot(y)"},
};

START_TEST(samples_backwards_return_to_the_start)
{
    JobSpec spec = test_job(5, 2);
    const NamedValue q[] = {{"x", 0.5, ""}};
    const NamedValue v[] = {{"x", 0.75, ""}, {"y", 1, ""}};
    spec.initial.q = q;
    spec.initial.n_q = 1;
    spec.initial.v = v;
    spec.initial.n_v = 2;
    TestRun forth = test_run(&PARTICLE, &spec);

    JobSpec back = test_job(0, 6);
    back.initial.t = 5;
    static const char *const NAMES[] = {"x", "y", "z"};
    NamedValue q1[3], v1[3];
    for (int i = 0; i < 3; i++) {
        q1[i] = (NamedValue){NAMES[i], forth.result.final.q[i], ""};
        v1[i] = (NamedValue){NAMES[i], forth.result.final.v[i], ""};
    }
    back.initial.q = q1;
    back.initial.v = v1;
    back.initial.n_q = back.initial.n_v = 3;
    TestRun home = test_run(&PARTICLE, &back);
    ck_assert_double_eq(test_value(&home, -1, "t"), 0);
    ck_assert_double_eq_tol(test_value(&home, -1, "x"), 0.5, 1e-11);
    ck_assert_double_eq_tol(test_value(&home, -1, "y"), 0, 1e-11);
    ck_assert_double_eq_tol(test_value(&home, -1, "dot(y)"), 1, 1e-11);
    test_run_done(&forth);
    test_run_done(&home);
}
END_TEST

static Status ignore_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    (void)self;
    (void)table;
    (void)rows;
    (void)n_rows;
    (void)err;
    return OK;
}

/* Work is counted: points of the model evaluated by the run, beside its steps. */
START_TEST(without_analyses_no_state_is_evaluated_for_them)
{
    static const AnalysisSpec SOME = {.name = "reactions", .pointer = ""}, NONE = {0};
    JobSpec spec = test_job(5, 6);
    spec.analyses = &SOME;
    spec.n_analyses = 1;
    TestRun with = test_run(&PARTICLE, &spec);
    spec.analyses = &NONE;
    spec.n_analyses = 0;
    Simulation *simulation = NULL;
    SimulationResult result;
    const SimulationSink sink = {.rows = ignore_rows};

    ck_assert_int_eq(simulation_new(with.compiled, &spec, NULL, with.diag, &simulation, NULL), OK);
    const uint64_t prepared = model_eval_points(simulation->eval);
    ck_assert_int_eq(simulation_run(simulation, &sink, &result, NULL), OK);
    const uint64_t alone = model_eval_points(simulation->eval);
    /* the ranks at the samples, and what projections ask */
    ck_assert_uint_le(alone - prepared, 6 * (result.steps.accepted + result.samples));
    ck_assert_uint_ge(model_eval_points(with.simulation->eval), alone + 64);
    ck_assert_uint_eq(result.found.n_verdicts, 0);
    ck_assert_uint_gt(with.result.found.n_verdicts, 0);
    ck_assert_ptr_nonnull(result.found.findings);
    ck_assert_ptr_null(result.found.findings->first);
    simulation_free(simulation);
    test_run_done(&with);
}
END_TEST

/* Nor is one kept. */
START_TEST(samples_without_room_want_no_step)
{
    Arena *arena = arena_new(1 << 20);
    StateSamples none, some;

    state_samples_init(&none, 0, 2, 1, arena);
    state_samples_init(&some, 4, 2, 1, arena);
    for (uint64_t step = 0; step < 8; step++) {
        ck_assert(!state_samples_want(&none, step));
        ck_assert(state_samples_want(&some, step));
    }
    arena_free(arena);
}
END_TEST

/* Of many steps, room / 2 to room are kept. */
START_TEST(samples_are_kept_evenly)
{
    enum { ROOM = 512, STEPS = 3000 };
    Arena *arena = arena_new(1 << 20);
    StateSamples samples;
    double q[] = {0, 0}, v[] = {1, 0}, vdot[] = {0, 0}, lambda[] = {0};
    ObservedState state = {.q = q, .v = v, .vdot = vdot, .lambda = lambda};

    state_samples_init(&samples, ROOM, 2, 1, arena);
    for (uint64_t step = 0; step < STEPS; step++) {
        if (!state_samples_want(&samples, step))
            continue;
        state.t = q[0] = vdot[1] = lambda[0] = (double)step;
        state_samples_add(&samples, &state);
    }
    const Trajectory kept = state_samples_trajectory(&samples);
    ck_assert_uint_ge(kept.n_states, ROOM / 2);
    ck_assert_uint_le(kept.n_states, ROOM);
    for (size_t k = 0; k < kept.n_states; k++) {
        ck_assert_double_eq(kept.t[k], (double)(k * samples.stride));
        ck_assert_double_eq(kept.q[2 * k], kept.t[k]);
        ck_assert_double_eq(kept.v[2 * k], 1);
        ck_assert_double_eq(kept.vdot[2 * k + 1], kept.t[k]);
        ck_assert_double_eq(kept.lambda[k], kept.t[k]);
    }
    arena_free(arena);
}
END_TEST

START_TEST(sample_times_are_the_requested_doubles)
{
    const double at[] = {0, 0.1, 0.7, 1.0 / 3 + 1};
    JobSpec spec = test_job(0, 2);
    spec.time = (TimeSpec){.kind = TIME_AT, .at = at, .n_at = 4};
    TestRun run = test_run(&PARTICLE, &spec);
    ck_assert_uint_eq(run.n_rows, 4);
    for (long k = 0; k < 4; k++)
        ck_assert(test_value(&run, k, "t") == at[k]);
    test_run_done(&run);

    spec = test_job(1, 2);
    spec.time.kind = TIME_EVERY;
    spec.time.every = 0.1;
    run = test_run(&PARTICLE, &spec);
    ck_assert_uint_eq(run.n_rows, 11); /* 10 * 0.1 = 1 within rounding */
    test_run_done(&run);
}
END_TEST

/* However long: 200 times the span is no double here. */
START_TEST(no_sample_of_a_long_time_is_lost)
{
    static const double ENDS[] = {1e306, 1e307, -1e308, DBL_MAX};
    const double end = ENDS[_i / 2];
    JobSpec spec = test_job(end, 201);
    if (_i % 2) {
        spec.time.kind = TIME_EVERY;
        spec.time.every = fabs(end) / 200;
    }
    static const TestModel REST = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2"};
    TestRun run = test_run(&REST, &spec);

    ck_assert_uint_eq(run.n_rows, 201);
    for (long k = 0; k < 201; k++)
        ck_assert_double_le(fabs(test_value(&run, k, "t") - end * ((double)k / 200)),
                            1e-15 * fabs(end));
    test_run_done(&run);
}
END_TEST

SUITE(samples)
{
    TCase *tc = suite_case(suite, "samples");
    tcase_add_test(tc, samples_backwards_return_to_the_start);
    tcase_add_test(tc, without_analyses_no_state_is_evaluated_for_them);
    tcase_add_test(tc, samples_without_room_want_no_step);
    tcase_add_test(tc, samples_are_kept_evenly);
    tcase_add_test(tc, sample_times_are_the_requested_doubles);
    tcase_add_loop_test(tc, no_sample_of_a_long_time_is_lost, 0, 8);
}
