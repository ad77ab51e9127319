/* Models of any size: tolerances take the sizes that a job gives, or those of the motion. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

typedef enum Sizes { OF_MOTION, GIVEN, NONE } Sizes;

/* A rod at rest, horizontal, of length l = 10^exponent; time in units of (l/g)^(1/2). */
static TestRun swing(int exponent, const char *method, Sizes sizes_are, const char *formulation)
{
    const double l = pow(10, exponent);
    const TestModel rod = {.coordinates = {"x", "y"},
                           .parameters = {{"l", l, ""}},
                           .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - l*y",
                           .constraints = {"x^2 + y^2 = l^2"}};
    const NamedValue q[] = {{"x", l, ""}, {"y", 0, ""}};
    const NamedValue sizes[] = {{"x", l, ""}, {"dot(x)", l, ""}, {"y", l, ""}, {"dot(y)", l, ""}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.integrator.rtol = 1e-8;
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.integrator.nominal = sizes;
    spec.integrator.n_nominal = sizes_are == GIVEN ? 4 : 0;
    spec.integrator.atol_given = sizes_are == NONE;
    spec.integrator.atol = spec.integrator.atol_given ? 1e-12 : 0;
    spec.integrator.method = method;
    spec.formulation = formulation;
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 200, .samples = 3};
    return test_run(&rod, &spec);
}

START_TEST(a_rod_of_any_length_swings_the_same)
{
    static const char *const METHODS[] = {"dop853", "bdf"};
    static const int EXPONENTS[] = {-15, -8, 3, 16};
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamiltonian", "hamel",
                                               "voronec"};
    const Sizes sizes = _i % 4 < 2 ? OF_MOTION : GIVEN;
    const char *formulation = FORMULATIONS[_i / 4];
    TestRun one = swing(0, METHODS[_i % 2], sizes, formulation);

    for (size_t k = 0; k < sizeof EXPONENTS / sizeof *EXPONENTS; k++) {
        const double length = pow(10, EXPONENTS[k]);
        TestRun other = swing(EXPONENTS[k], METHODS[_i % 2], sizes, formulation);
        const double steps = (double)one.result.steps.accepted;
        ck_assert_double_le(fabs((double)other.result.steps.accepted - steps), 0.02 * steps);
        ck_assert_uint_eq(other.result.n_warnings, one.result.n_warnings);
        for (size_t a = 0; a < other.result.n_constraints; a++)
            ck_assert_double_le(other.result.constraints[a].max, 1e-14);
        ck_assert_double_eq_tol(test_value(&other, -1, "x") / length, test_value(&one, -1, "x"),
                                1e-4);
        ck_assert_double_eq_tol(other.result.energy.balance_scaled, 0, 1e-4);
        test_run_done(&other);
    }
    test_run_done(&one);
}
END_TEST

/* A sleigh that begins to turn on the spot: x and y are zero, their velocities zero or rounding,
 * and momenta grow like t^2 or slower. */
static TestRun turn_on_the_spot(double l, double th, const char *method, const char *formulation)
{
    const TestModel sleigh = {
        .coordinates = {"x", "y", "th"},
        .parameters = {{"a", 0.1 * l, ""}, {"J", 0.5 * l * l, ""}},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + a*dot(th)*(dot(y)*cos(th) - dot(x)*sin(th)) + "
                      "(J + a^2)/2*dot(th)^2",
        .constraints = {"dot(y)*cos(th) - dot(x)*sin(th) = 0"}};
    const NamedValue q[] = {{"th", th, ""}}, v[] = {{"th", 2, ""}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 1;
    spec.integrator.method = method;
    spec.formulation = formulation;
    spec.integrator.max_steps = 4000;
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 4, .samples = 2};
    return test_run(&sleigh, &spec);
}

START_TEST(a_start_from_zero_takes_few_steps_in_every_formulation)
{
    static const double LENGTHS[] = {1e-9, 1, 1e3}, HEADINGS[] = {0, 0.5, 1.1, 2.3};
    static const char *const FORMULATIONS[] = {"hamiltonian", "hamel"};
    const char *const method = _i / 2 == 0 ? "bdf" : "dop853", *own = FORMULATIONS[_i % 2];

    for (size_t k = 0; k < 12; k++) {
        const double l = LENGTHS[k / 4], th = HEADINGS[k % 4];
        TestRun run = turn_on_the_spot(l, th, method, own);
        TestRun other = turn_on_the_spot(l, th, method, "lagrange-dalembert");
        ck_assert(run.result.end.complete);
        ck_assert_uint_eq(run.result.n_warnings, 0);
        ck_assert_double_le(
            (double)(run.result.steps.accepted + run.result.steps.rejected),
            1.5 * (double)(other.result.steps.accepted + other.result.steps.rejected));
        ck_assert_double_eq_tol(test_value(&run, -1, "x") / l, test_value(&other, -1, "x") / l,
                                1e-7);
        test_run_done(&other);
        test_run_done(&run);
    }
}
END_TEST

START_TEST(a_given_tolerance_without_sizes_is_absolute)
{
    TestRun one = swing(0, "dop853", NONE, "lagrange-dalembert");
    TestRun small = swing(-8, "dop853", NONE, "lagrange-dalembert");
    TestRun lost = swing(-13, "dop853", NONE, "lagrange-dalembert");

    /* 1e-12 of 1e-8 is coarse, and of 1e-13 too coarse for any motion */
    ck_assert_double_lt((double)small.result.steps.accepted,
                        0.8 * (double)one.result.steps.accepted);
    ck_assert_uint_ge(lost.result.n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(lost.result.warnings[0], "the energy balance is off"));
    test_run_done(&lost);
    test_run_done(&small);
    test_run_done(&one);
}
END_TEST

/* Small motions beside a long way, and far from the origin, keep their own digits. */
START_TEST(a_vibration_beside_a_long_way_keeps_its_digits)
{
    const TestModel car = {.coordinates = {"x", "y"},
                           .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 100*y^2/2"};
    const NamedValue q[] = {{"x", 1e9, ""}, {"y", 1e-6, ""}}, v = {"x", 1e3, ""};
    JobSpec spec;

    job_spec_init(&spec);
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 100, .samples = 2};
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.initial.v = &v;
    spec.initial.n_v = 1;
    TestRun run = test_run(&car, &spec);
    ck_assert_double_eq_tol(test_value(&run, -1, "y") / 1e-6, cos(1000), 1e-6);
    test_run_done(&run);
}
END_TEST

/* Pendulums of lengths 1 and s, each of its own pace, hardly coupled: u/s in the end. */
static double swings_of_small(double s, const char *formulation, uint64_t *ret_steps)
{
    const TestModel pendulums = {
        .coordinates = {"x", "y", "u", "w"},
        .parameters = {{"s", s, ""}},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + (dot(u)^2 + dot(w)^2)/2 - 9.81*y - 9810*s*w"
                      " - 1e-12*(x - u)^2",
        .constraints = {"x^2 + y^2 = 1", "u^2 + w^2 = s^2"}};
    const NamedValue q[] = {
        {"x", 0.8, ""}, {"y", -0.6, ""}, {"u", 0.8 * s, ""}, {"w", -0.6 * s, ""}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 1, .samples = 2};
    spec.initial.q = q;
    spec.initial.n_q = 4;
    spec.formulation = formulation;
    TestRun run = test_run(&pendulums, &spec);
    const double end = test_value(&run, -1, "u") / s;
    ck_assert_uint_eq(run.result.n_warnings, 0);
    *ret_steps = run.result.steps.accepted;
    test_run_done(&run);
    return end;
}

START_TEST(a_mechanism_beside_a_much_larger_one_keeps_its_digits)
{
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamel", "voronec"};
    static const double SIZES[] = {1e-5, 1e-7, 1e-9};
    uint64_t steps, as_large;
    const double end = swings_of_small(1, FORMULATIONS[_i], &as_large);

    for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
        ck_assert_double_eq_tol(swings_of_small(SIZES[k], FORMULATIONS[_i], &steps), end, 1e-6);
        ck_assert_double_le((double)steps, 1.02 * (double)as_large);
    }
}
END_TEST

START_TEST(sizes_are_positive_and_of_the_state)
{
    const TestModel free = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2"};
    NamedValue size = {"z", 1, "/integrator/nominal/z"};
    JobSpec spec;

    job_spec_init(&spec);
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 1, .samples = 3};
    spec.integrator.nominal = &size;
    spec.integrator.n_nominal = 1;
    test_expect_refused(&free, &spec, "/integrator/nominal/z", "unknown coordinate or velocity");
    size.name = "dot(x)";
    size.value = 0;
    test_expect_refused(&free, &spec, "/integrator/nominal/z", "must be positive");
    size.value = INFINITY;
    test_expect_refused(&free, &spec, "/integrator/nominal/z", "not a finite number");
}
END_TEST

START_TEST(lengths_whose_squares_are_no_numbers_are_told_with_what_to_do)
{
    TestRun run = swing(-160, "dop853", OF_MOTION, "lagrange-dalembert");

    ck_assert(!run.result.end.complete);
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "x = 1e-160"));
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "Choose units"));
    test_run_done(&run);
}
END_TEST

SUITE(scale)
{
    TCase *tc = suite_case(suite, "scale");
    tcase_add_loop_test(tc, a_rod_of_any_length_swings_the_same, 0, 16);
    tcase_add_loop_test(tc, a_start_from_zero_takes_few_steps_in_every_formulation, 0, 4);
    tcase_add_test(tc, a_given_tolerance_without_sizes_is_absolute);
    tcase_add_test(tc, a_vibration_beside_a_long_way_keeps_its_digits);
    tcase_add_loop_test(tc, a_mechanism_beside_a_much_larger_one_keeps_its_digits, 0, 3);
    tcase_add_test(tc, sizes_are_positive_and_of_the_state);
    tcase_add_test(tc, lengths_whose_squares_are_no_numbers_are_told_with_what_to_do);
}
