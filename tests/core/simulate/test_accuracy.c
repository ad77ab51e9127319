/* The error estimate of a run against the true error of motions that are known. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const TestModel OSCILLATOR = {.coordinates = {"x"}, .lagrangian = "(dot(x)^2 - x^2)/2"};
static const NamedValue ONE[] = {{"x", 1, ""}};

static JobSpec job(double rtol)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.initial.q = ONE;
    spec.initial.n_q = 1;
    spec.time.end = 40;
    spec.time.samples = 21;
    spec.integrator.rtol = rtol;
    spec.integrator.atol = rtol / 100;
    spec.accuracy = true;
    return spec;
}

/* Columns x, dot(x): x = cos t. */
static void true_errors(const TestRun *run, double *ret)
{
    ret[0] = ret[1] = 0;
    for (long k = 0; k < 21; k++) {
        double t = test_value(run, k, "t");
        ret[0] = fmax(ret[0], fabs(test_value(run, k, "x") - cos(t)));
        ret[1] = fmax(ret[1], fabs(test_value(run, k, "dot(x)") + sin(t)));
    }
}

START_TEST(the_estimate_is_the_error_of_an_oscillator)
{
    static const double RTOLS[] = {1e-4, 1e-7, 1e-10};
    JobSpec spec = job(RTOLS[_i]);
    TestRun run = test_run(&OSCILLATOR, &spec);
    const Accuracy *found = run.result.second.accuracy;
    double errors[2];

    true_errors(&run, errors);
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(run.result.second.n_columns, 2);
    ck_assert_str_eq(run.result.second.columns[0], "x");
    ck_assert_double_eq(found->rtol, RTOLS[_i] * 1e-2);
    ck_assert(!found->coarser);
    ck_assert_uint_eq(found->finer.samples, 21);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_double_ge(found->finer.absolute[i], 0.9 * errors[i]);
        ck_assert_double_le(found->finer.absolute[i], 1.1 * errors[i]);
    }
    ck_assert_uint_eq(run.result.second.n_comparisons, 0);
    test_run_done(&run);
}
END_TEST

START_TEST(below_the_tightest_tolerance_the_estimate_is_a_bound)
{
    JobSpec spec = job(1e-14);
    TestRun run = test_run(&OSCILLATOR, &spec);
    const Accuracy *found = run.result.second.accuracy;
    double errors[2];

    true_errors(&run, errors);
    ck_assert(found->coarser);
    ck_assert_double_eq_tol(found->rtol, 1e-13, 1e-20);
    ck_assert_double_ge(found->finer.absolute[0] + 1e-15, errors[0]);
    ck_assert_double_lt(found->finer.max_absolute, 1e-11);
    test_run_done(&run);
}
END_TEST

/* States are kept with what rounding cuts off them, so that steps may err by less than it. */
START_TEST(the_tightest_tolerance_is_below_rounding)
{
    JobSpec spec = job(1e-15);
    spec.accuracy = false;
    TestRun run = test_run(&OSCILLATOR, &spec);
    double errors[2];

    true_errors(&run, errors);
    ck_assert_double_lt(errors[0], 3e-15);
    ck_assert_double_lt(errors[1], 3e-15);
    ck_assert_uint_lt(run.result.steps.rejected, run.result.steps.accepted);
    test_run_done(&run);
    spec.integrator.rtol = 0.9e-15;
    test_expect_refused(&OSCILLATOR, &spec, "/integrator/rtol", "[1e-15, 0.1]");
}
END_TEST

/* Of order 4: half the step has a sixteenth of the error. */
START_TEST(fixed_steps_are_halved)
{
    JobSpec spec = job(1e-10);
    double errors[2];

    spec.integrator.method = "rk4";
    spec.integrator.step = 0.02;
    TestRun run = test_run(&OSCILLATOR, &spec);
    const Accuracy *found = run.result.second.accuracy;
    true_errors(&run, errors);
    ck_assert_double_eq(found->step, 0.01);
    ck_assert_double_eq_tol(found->finer.absolute[0] / errors[0], 15.0 / 16, 0.02);
    test_run_done(&run);
}
END_TEST

/* The columns of the formulation's own, of the multipliers and of the observables have errors too,
 * and other opinions do not come in the way. */
START_TEST(every_column_has_its_estimate)
{
    const TestModel particle = {.coordinates = {"x", "y", "z"},
                                .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                                .constraints = {"dot(z) + x*dot(y)"}};
    const NamedValue v[] = {{"x", 0.75, ""}, {"y", 1, ""}};
    const NamedText observe[] = {{"speed", "hypot(dot(x), dot(y))", "", NULL}};
    const char *const others[] = {"voronec"};
    JobSpec spec = job(1e-8);
    spec.formulation = "hamiltonian";
    spec.initial.v = v;
    spec.initial.n_v = 2;
    spec.observe = observe;
    spec.n_observe = 1;
    spec.compare = others;
    spec.n_compare = 1;
    TestRun run = test_run(&particle, &spec);

    /* x y z, their rates, one multiplier, three momenta, speed */
    ck_assert_uint_eq(run.result.second.n_columns, 11);
    ck_assert_str_eq(run.result.second.columns[7], "p(x)");
    ck_assert_str_eq(run.result.second.columns[10], "speed");
    ck_assert_uint_eq(run.result.second.n_comparisons, 1);
    ck_assert_uint_eq(run.result.second.n_compared_columns, 8);
    ck_assert_str_eq(run.result.second.compared_columns[7], "speed");
    const Comparison *finer = &run.result.second.accuracy->finer;
    ck_assert_int_eq(finer->status, OK);
    for (size_t i = 0; i < 11; i++)
        ck_assert_double_le(finer->absolute[i], finer->max_absolute);
    ck_assert_double_gt(finer->max_absolute, 0);
    ck_assert_double_lt(finer->max_relative, 1e-6);
    test_run_done(&run);
}
END_TEST

START_TEST(without_asking_there_is_no_estimate_and_a_failed_run_has_none)
{
    const TestModel runaway = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 + x^4"};
    JobSpec spec = job(1e-8);

    spec.accuracy = false;
    TestRun run = test_run(&OSCILLATOR, &spec);
    ck_assert_ptr_null(run.result.second.accuracy);
    test_run_done(&run);
    spec.accuracy = true;
    run = test_run(&runaway, &spec);
    ck_assert(!run.result.end.complete);
    ck_assert_ptr_null(run.result.second.accuracy);
    test_run_done(&run);
}
END_TEST

/* A kick of width 0.01 in a motion that goes on in steps longer than it: v rises by 1 at t =
 * 5.3. */
static const TestModel KICKED = {
    .coordinates = {"x"},
    .parameters = {{"at", 5.3, ""}},
    .lagrangian = "dot(x)^2/2",
    .forces = {{"x", "exp(-((t - at)/0.01)^2)/(0.01*sqrt(pi))", "", NULL}}};

static JobSpec kicked_job(const char *method)
{
    JobSpec spec = job(1e-8);
    spec.integrator.method = method;
    spec.time.end = 10;
    spec.time.samples = 11;
    spec.accuracy = false;
    return spec;
}

START_TEST(what_is_narrower_than_a_step_is_met_by_shorter_ones)
{
    static const char *const METHODS[] = {"dop853", "bdf"}, *const OTHER[] = {"hamiltonian"};
    JobSpec spec = kicked_job(METHODS[_i]);
    TestRun run = test_run(&KICKED, &spec);

    /* met, though all else is done in long steps */
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), 1, 1e-5);
    ck_assert_double_gt(run.result.steps.longest, 1);
    ck_assert_uint_eq(run.result.features.passed, 0);
    test_run_done(&run);

    spec.integrator.max_step = 0.02;
    spec.compare = OTHER;
    spec.n_compare = 1;
    spec.accuracy = true;
    run = test_run(&KICKED, &spec);
    const double error = fabs(test_value(&run, -1, "dot(x)") - 1);
    ck_assert_double_lt(error, 1e-5);
    ck_assert_double_le(run.result.steps.longest, 0.02 * (1 + 1e-12));
    /* the others see it too */
    ck_assert_double_le(run.result.second.comparisons[0].longest_step, 0.02 * (1 + 1e-12));
    ck_assert_double_lt(run.result.second.comparisons[0].max_absolute, 1e-4);
    const Accuracy *found = run.result.second.accuracy;
    ck_assert_double_eq(found->max_step, run.result.steps.longest / 2);
    ck_assert_double_le(found->finer.longest_step, found->max_step * (1 + 1e-12));
    ck_assert_double_gt(found->finer.absolute[1], 0.5 * error);
    ck_assert_double_gt(found->finer.absolute[1], 0);
    test_run_done(&run);
}
END_TEST

/* The same kick by sines of sines, which are not known to be narrow: each is steeper than the one
 * in it. */
#define STEEPER(u) "sin(pi/2*" u ")"
#define STEEPER_BY_4(u) STEEPER(STEEPER(STEEPER(STEEPER(u))))
static const TestModel HIDDEN = {
    .coordinates = {"x"},
    .parameters = {{"at", 5.3, ""}},
    .lagrangian = "dot(x)^2/2",
    .forces = {{"x",
                "50.79*cos(pi/2*" STEEPER_BY_4(
                    STEEPER_BY_4(STEEPER_BY_4(STEEPER(STEEPER("sin(pi*(t - at)/20)"))))) ")",
                "", NULL}}};

/* Steps of half the length look where the first run did not: most of what was jumped over is
 * noticed (by steps of the same length, nothing). */
START_TEST(the_second_run_looks_elsewhere)
{
    unsigned jumped = 0, noticed = 0;

    for (unsigned k = 0; k < 60; k++) {
        JobSpec spec = kicked_job("dop853");
        const NamedValue at[] = {{"at", 1 + 0.15 * k, ""}};
        spec.parameters = at;
        spec.n_parameters = 1;
        spec.integrator.max_step = 1.6;
        spec.accuracy = true;
        TestRun run = test_run(&HIDDEN, &spec);
        if (fabs(test_value(&run, -1, "dot(x)") - 1) > 0.1) {
            jumped++;
            noticed += run.result.second.accuracy->finer.absolute[1] > 0.1;
        }
        test_run_done(&run);
    }
    ck_assert_uint_ge(jumped, 5);
    ck_assert_msg(4 * noticed >= 3 * jumped, "%u of %u noticed", noticed, jumped);
}
END_TEST

START_TEST(a_longest_step_must_mean_something)
{
    JobSpec spec = job(1e-8);

    spec.integrator.max_step = -1;
    test_expect_refused(&OSCILLATOR, &spec, "/integrator/max_step", "must be positive");
    spec.integrator.max_step = INFINITY;
    test_expect_refused(&OSCILLATOR, &spec, "/integrator/max_step", "must be positive");
    spec.integrator.max_step = 1e-14;
    test_expect_refused(&OSCILLATOR, &spec, "/integrator/max_step", "rounding of the times");
    spec.integrator.max_step = 1;
    spec.integrator.method = "rk4";
    spec.integrator.step = 0.02;
    test_expect_refused(&OSCILLATOR, &spec, "/integrator/max_step", "fixed step");
}
END_TEST

/* The second run may fail where the first did not: it says so. */
START_TEST(a_second_run_that_fails_tells_why)
{
    JobSpec spec = job(1e-6);
    spec.integrator.max_steps = 60;
    TestRun run = test_run(&OSCILLATOR, &spec);

    ck_assert(run.result.end.complete);
    ck_assert_str_eq(run.result.second.accuracy->finer.reason, "limit");
    ck_assert_uint_gt(run.result.second.accuracy->finer.samples, 0);
    ck_assert_uint_eq(run.result.n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(run.result.warnings[0], "the errors are not estimated"));
    test_run_done(&run);
}
END_TEST

SUITE(accuracy)
{
    TCase *tc = suite_case(suite, "estimates");
    tcase_add_loop_test(tc, the_estimate_is_the_error_of_an_oscillator, 0, 3);
    tcase_add_test(tc, below_the_tightest_tolerance_the_estimate_is_a_bound);
    tcase_add_test(tc, the_tightest_tolerance_is_below_rounding);
    tcase_add_test(tc, fixed_steps_are_halved);
    tcase_add_test(tc, every_column_has_its_estimate);
    tcase_add_test(tc, without_asking_there_is_no_estimate_and_a_failed_run_has_none);
    tcase_add_loop_test(tc, what_is_narrower_than_a_step_is_met_by_shorter_ones, 0, 2);
    tcase_add_test(tc, the_second_run_looks_elsewhere);
    tcase_add_test(tc, a_longest_step_must_mean_something);
    tcase_add_test(tc, a_second_run_that_fails_tells_why);
}
