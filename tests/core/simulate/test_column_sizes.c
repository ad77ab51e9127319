/* What differences of two motions are measured by: the sizes of columns, in every unit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const char *const HAMEL[] = {"hamel"}, *const HAMILTONIAN[] = {"hamiltonian"};

static const char *const LENGTHS[] = {"1e-12", "1e-9", "1", "1e9", "1e12"};
enum { N_LENGTHS = sizeof LENGTHS / sizeof *LENGTHS };

static JobSpec job_to(double end)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.time.end = end;
    spec.time.samples = 21;
    return spec;
}

static size_t column(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    ck_abort_msg("no column %s", name);
}

static double relative(const TestRun *run, const char *name)
{
    const SimulationResult *r = &run->result;
    return r->second.comparisons[0]
        .relative[column(r->second.compared_columns, r->second.n_compared_columns, name)];
}

/* Of the more accurate motion. */
static double size(const TestRun *run, const char *name)
{
    const SimulationResult *r = &run->result;
    return r->second.accuracy->finer.size[column(r->second.columns, r->second.n_columns, name)];
}

static double error(const TestRun *run, const char *name)
{
    const SimulationResult *r = &run->result;
    return r->second.accuracy->finer.relative[column(r->second.columns, r->second.n_columns, name)];
}

static bool warned(const TestRun *run)
{
    for (size_t i = 0; i < run->result.n_warnings; i++)
        if (strstr(run->result.warnings[i], "differs from this motion"))
            return true;
    return false;
}

/* A pendulum of length l, in Cartesian coordinates. */
static TestRun pendulum(const char *l, const char *const *compare, double step)
{
    const double length = strtod(l, NULL);
    const NamedValue q[] = {{"x", 0.6 * length, ""}, {"y", -0.8 * length, ""}};
    const TestModel model = {.coordinates = {"x", "y"},
                             .parameters = {{"l", length, ""}, {"g", 9.81 * length, ""}},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - g*y",
                             .constraints = {"x^2 + y^2 = l^2"}};
    JobSpec spec = job_to(10);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.compare = compare;
    spec.n_compare = 1;
    spec.accuracy = true;
    if (step > 0) {
        spec.integrator.method = "rk4";
        spec.integrator.step = step;
    }
    return test_run(&model, &spec);
}

START_TEST(motions_that_differ_do_so_in_every_unit)
{
    TestRun metres = pendulum("1", HAMEL, 0.25), other = pendulum(LENGTHS[_i], HAMEL, 0.25);
    const double found = metres.result.second.comparisons[0].max_relative;

    ck_assert_msg(found > 1e-3, "%g", found);
    ck_assert(warned(&metres) && warned(&other));
    ck_assert_double_eq_tol(other.result.second.comparisons[0].max_relative, found, 1e-6 * found);
    ck_assert_double_eq_tol(error(&other, "dot(x)"), error(&metres, "dot(x)"), 1e-6);
    test_run_done(&metres);
    test_run_done(&other);
}
END_TEST

START_TEST(motions_that_agree_do_so_in_every_unit)
{
    TestRun run = pendulum(LENGTHS[_i], HAMEL, 0);

    ck_assert_double_lt(run.result.second.comparisons[0].max_relative, 1e-7);
    ck_assert_double_lt(run.result.second.accuracy->finer.max_relative, 1e-7);
    ck_assert_uint_eq(run.result.n_warnings, 0);
    test_run_done(&run);
}
END_TEST

/* A mass on a spring of so many kilogrammes, with what vanishes but for errors. */
static TestRun oscillator(double mass, const NamedText *observe, size_t n, double rtol)
{
    static const NamedValue Q = {"x", 1, ""};
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"m", mass, ""}},
                             .lagrangian = "m*(dot(x)^2 - x^2)/2"};
    JobSpec spec = job_to(40);
    spec.initial.q = &Q;
    spec.initial.n_q = 1;
    spec.integrator.rtol = rtol;
    spec.compare = HAMILTONIAN;
    spec.n_compare = 1;
    spec.accuracy = true;
    spec.observe = observe;
    spec.n_observe = n;
    return test_run(&model, &spec);
}

START_TEST(what_vanishes_but_for_errors_counts_as_its_terms)
{
    static const double MASSES[] = {1e-12, 1, 1e12}, RTOLS[] = {1e-6, 1e-10};
    static const NamedText DRIFT = {"drift", "energy() - m/2", "", NULL};
    const double mass = MASSES[_i % 3];
    TestRun run = oscillator(mass, &DRIFT, 1, RTOLS[_i / 3]);

    ck_assert(!warned(&run));
    ck_assert_double_lt(relative(&run, "drift"), 1e3 * RTOLS[_i / 3] + 1e-5);
    ck_assert_double_gt(error(&run, "drift"), 0);
    ck_assert_double_gt(size(&run, "drift"), 1e-3 * mass);
    ck_assert_double_le(size(&run, "drift"), 10 * mass);
    test_run_done(&run);
}
END_TEST

START_TEST(a_small_difference_of_large_terms_keeps_its_size)
{
    static const NamedText SMALL = {"small", "x + 1000 - 1000.5", "", NULL};
    static const NamedText TINY = {"tiny", "1e-6*x", "", NULL};
    const NamedText observe[] = {SMALL, TINY};
    TestRun run = oscillator(1, observe, 2, 1e-12);

    ck_assert_double_eq_tol(size(&run, "small"), 1.5, 0.1);
    ck_assert_double_eq_tol(size(&run, "tiny"), 1e-6, 1e-8);
    test_run_done(&run);
}
END_TEST

START_TEST(a_jump_is_no_size)
{
    static const NamedText SIDE = {"side", "if(x < 0, 1, 2)", "", NULL};
    static const NamedText START = {"start", "if(dot(x) < 0, 1, 2)", "", NULL};
    const NamedText observe[] = {SIDE, START};
    TestRun run = oscillator(1, observe, 2, 1e-10);

    ck_assert_double_eq(size(&run, "side"), 2);
    ck_assert_double_eq(size(&run, "start"), 2);
    test_run_done(&run);
}
END_TEST

/* A rod that hangs at rest, whose x is rounding: its size is a part of that of y. */
START_TEST(a_coordinate_at_rest_counts_by_its_kind)
{
    static const NamedValue Q[] = {{"x", 0, ""}, {"y", -1e9, ""}};
    static const TestModel MODEL = {.coordinates = {"x", "y"},
                                    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9.81e9*y",
                                    .constraints = {"x^2 + y^2 = 1e18"}};
    JobSpec spec = job_to(10);
    spec.initial.q = Q;
    spec.initial.n_q = 2;
    spec.compare = HAMEL;
    spec.n_compare = 1;
    spec.accuracy = true;
    TestRun run = test_run(&MODEL, &spec);

    ck_assert_double_ge(size(&run, "x"), 99);
    ck_assert_double_le(size(&run, "x"), 101);
    ck_assert_double_lt(run.result.second.comparisons[0].max_relative, 1e-6);
    ck_assert_uint_eq(run.result.n_warnings, 0);
    test_run_done(&run);
}
END_TEST

START_TEST(sizes_do_not_depend_on_which_samples_there_are)
{
    JobSpec spec = job_to(300);
    static const NamedValue Q = {"x", 1, ""};
    static const TestModel MODEL = {.coordinates = {"x"},
                                    .lagrangian = "(dot(x)^2 - 3*x^2)/2",
                                    .forces = {{"x", "-dot(x)/2", "", NULL}}};
    spec.initial.q = &Q;
    spec.initial.n_q = 1;
    spec.time.samples = 5;
    spec.accuracy = true;
    TestRun run = test_run(&MODEL, &spec);

    ck_assert_double_gt(size(&run, "dot(x)"), 1);
    ck_assert_double_lt(error(&run, "dot(x)"), 1e-8);
    test_run_done(&run);
}
END_TEST

START_TEST(comparing_does_not_change_the_motion)
{
    TestRun run = oscillator(1, NULL, 0, 1e-10);
    JobSpec spec = job_to(40);
    static const NamedValue Q = {"x", 1, ""};
    static const TestModel MODEL = {
        .coordinates = {"x"}, .parameters = {{"m", 1, ""}}, .lagrangian = "m*(dot(x)^2 - x^2)/2"};
    spec.initial.q = &Q;
    spec.initial.n_q = 1;
    TestRun alone = test_run(&MODEL, &spec);

    ck_assert_uint_eq(alone.result.steps.evaluations, run.result.steps.evaluations);
    ck_assert_int_eq(memcmp(alone.rows, run.rows, 21 * 3 * sizeof *run.rows), 0);
    test_run_done(&run);
    test_run_done(&alone);
}
END_TEST

SUITE(column_sizes)
{
    TCase *tc = suite_case(suite, "sizes of columns");
    tcase_add_loop_test(tc, motions_that_differ_do_so_in_every_unit, 0, N_LENGTHS);
    tcase_add_loop_test(tc, motions_that_agree_do_so_in_every_unit, 0, N_LENGTHS);
    tcase_add_loop_test(tc, what_vanishes_but_for_errors_counts_as_its_terms, 0, 6);
    tcase_add_test(tc, a_small_difference_of_large_terms_keeps_its_size);
    tcase_add_test(tc, a_jump_is_no_size);
    tcase_add_test(tc, a_coordinate_at_rest_counts_by_its_kind);
    tcase_add_test(tc, sizes_do_not_depend_on_which_samples_there_are);
    tcase_add_test(tc, comparing_does_not_change_the_motion);
}
