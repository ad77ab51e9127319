/* Two-point boundary problems against closed forms: oscillators, geodesics of the sphere. */
#include <math.h>
#include <string.h>

#include "core/numeric/numeric.h"
#include "tests/core/simulation/documents.h"
#include "tests/core/simulation/suites.h"

static const double PI = 3.14159265358979323846;

static const TestModel OSCILLATOR = {.coordinates = {"x"}, .lagrangian = "(dot(x)^2 - x^2)/2"};
static const TestModel ISOTROPIC = {.coordinates = {"x", "y"},
                                    .lagrangian = "(dot(x)^2 + dot(y)^2 - x^2 - y^2)/2"};
static const TestModel SPHERE = {.coordinates = {"x", "y", "z"},
                                 .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                                 .constraints = {"x^2 + y^2 + z^2 - 1"}};

static JobSpec problem(const NamedValue *q0, size_t n_q0, double t1, const NamedValue *q1,
                       size_t n_q1)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.formulation = "least-action";
    spec.rtol = 1e-12;
    spec.atol = 1e-14;
    spec.time.samples = 11;
    spec.boundary = (BoundarySpec){.given = true,
                                   .start = {.t = 0, .q = q0, .n_q = n_q0},
                                   .end = {.t = t1, .q = q1, .n_q = n_q1}};
    return spec;
}

/* x = a cos t + b sin t between x(0) = 1 and x(T) = 1/2. The index
 * is the number of multiples of pi before T, times the dimension (Jacobi). */
START_TEST(oscillators_have_the_action_and_the_index_of_jacobi)
{
    static const double ENDS[] = {1, 4, 7, 10};
    const NamedValue q0[] = {{"x", 1, ""}}, q1[] = {{"x", 0.5, ""}};
    const double T = ENDS[_i], c = cos(T), s = sin(T);
    JobSpec spec = problem(q0, 1, T, q1, 1);

    for (size_t dimension = 1; dimension <= 2; dimension++) {
        TestRun run = test_run(dimension == 1 ? &OSCILLATOR : &ISOTROPIC, &spec);
        ck_assert_msg(run.result.complete, "%s", run.result.message);
        ck_assert_uint_eq(run.result.n_solutions, 1);
        const BoundarySolution *found = &run.result.solutions[0];
        ck_assert_double_eq_tol(found->v[0], (0.5 - c) / s, 1e-10);
        /* Mehler's kernel: S = ((x0^2 + x1^2) cos T - 2 x0 x1) / (2 sin T) */
        ck_assert_double_eq_tol(found->action, (1.25 * c - 1) / (2 * s), 1e-10);
        ck_assert_double_eq_tol(found->jacobi_determinant, pow(s, (double)dimension), 1e-10);
        ck_assert_double_lt(found->first_variation, 1e-11);
        ck_assert_uint_eq(found->conjugate_points, dimension * (size_t)floor(T / PI));
        ck_assert_str_eq(found->kind, T < PI ? "minimum" : "saddle");
        ck_assert_double_eq_tol(test_value(&run, -1, "x"), 0.5, 1e-11);
        test_run_done(&run);
    }
}
END_TEST

/* Great circles from (1, 0, 0) to the point at angle 1.5: the short way, the long way, and once
 * around. The antipode and the start itself are conjugate, once each. */
START_TEST(great_circles_are_minimal_up_to_the_antipode)
{
    const NamedValue q0[] = {{"x", 1, ""}}, q1[] = {{"x", cos(1.5), ""}, {"y", sin(1.5), ""}};
    const NamedValue v[3][1] = {{{"y", 1, ""}}, {{"y", -4.5, ""}}, {{"y", 8, ""}}};
    const BoundaryGuess guesses[] = {{v[0], 1}, {v[1], 1}, {v[2], 1}};
    const double angles[] = {1.5, 1.5 - 2 * PI, 1.5 + 2 * PI};
    JobSpec spec = problem(q0, 1, 1, q1, 2);
    spec.boundary.guesses = guesses;
    spec.boundary.n_guesses = 3;
    TestRun run = test_run(&SPHERE, &spec);

    ck_assert_uint_eq(run.result.n_solutions, 3);
    for (size_t k = 0; k < 3; k++) {
        const BoundarySolution *found = &run.result.solutions[k];
        ck_assert_double_eq_tol(found->v[1], angles[k], 1e-9);
        ck_assert_double_eq_tol(found->action, angles[k] * angles[k] / 2, 1e-9);
        ck_assert_uint_eq(found->conjugate_points, k);
        ck_assert_str_eq(found->kind, k ? "saddle" : "minimum");
        ck_assert_double_lt(found->first_variation, 1e-10);
    }
    ck_assert_double_eq_tol(test_value(&run, -1, "y"), sin(1.5), 1e-11);
    test_run_done(&run);
}
END_TEST

START_TEST(conjugate_ends_have_no_path_and_say_so)
{
    const NamedValue q0[] = {{"x", 1, ""}}, q1[] = {{"x", 0.5, ""}};
    JobSpec spec = problem(q0, 1, PI, q1, 1);
    TestRun run = test_run(&OSCILLATOR, &spec);

    ck_assert(!run.result.complete);
    ck_assert_str_eq(run.result.reason, "numeric");
    ck_assert_ptr_nonnull(strstr(run.result.message, "no path between the ends"));
    ck_assert_ptr_nonnull(strstr(run.result.message, "conjugate"));
    test_run_done(&run);
}
END_TEST

static void expect_refused(const TestModel *model, const JobSpec *spec, const char *pointer,
                           const char *fragment)
{
    TestRun run = test_refused(model, spec);
    bool found = false;
    for (size_t i = 0; i < run.diag->count; i++)
        found = found || (strcmp(run.diag->items[i].pointer, pointer) == 0 &&
                          strstr(run.diag->items[i].message, fragment));
    ck_assert_msg(found, "%s: %s", run.diag->items[0].pointer, run.diag->items[0].message);
    test_run_done(&run);
}

START_TEST(wrong_boundary_problems_are_refused_at_their_place)
{
    const TestModel sleigh = {.coordinates = {"x", "y"},
                              .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                              .constraints = {"dot(y) - x*dot(x) - t"}};
    const TestModel damped = {.coordinates = {"x"},
                              .lagrangian = "(dot(x)^2 - x^2)/2",
                              .forces = {{"x", "-dot(x)", "", NULL}}};
    const NamedValue q0[] = {{"x", 1, ""}}, q1[] = {{"x", 0.5, ""}};
    JobSpec spec = problem(q0, 1, 1, q1, 1);

    expect_refused(&sleigh, &spec, "/formulation", "not holonomic");
    expect_refused(&damped, &spec, "/formulation", "force");
    expect_refused(&SPHERE, &spec, "/boundary/end", "c1");
    spec.boundary.end.t = 0;
    expect_refused(&OSCILLATOR, &spec, "/boundary/end/t", "differ");
    spec = problem(q0, 1, 1, q1, 1);
    const NamedText reversed = {"dot(x)", "-dot(x)", "", NULL};
    const EventSpec event = {.name = "wall",
                             .pointer = "/events/0",
                             .when = {"wall", "x - 3/4", "", NULL},
                             .set = &reversed,
                             .n_set = 1};
    spec.events = &event;
    spec.n_events = 1;
    expect_refused(&OSCILLATOR, &spec, "/events/0", "not reach its end");
    spec.n_events = 0;
    spec.boundary.given = false;
    expect_refused(&OSCILLATOR, &spec, "/boundary", "two ends");
    spec.boundary.given = true;
    spec.formulation = "lagrange-dalembert";
    expect_refused(&OSCILLATOR, &spec, "/boundary", "least-action");
}
END_TEST

Suite *boundary_suite(void)
{
    Suite *suite = suite_create("core/boundary");
    TCase *tc = tcase_create("least action");
    tcase_add_loop_test(tc, oscillators_have_the_action_and_the_index_of_jacobi, 0, 4);
    tcase_add_test(tc, great_circles_are_minimal_up_to_the_antipode);
    tcase_add_test(tc, conjugate_ends_have_no_path_and_say_so);
    tcase_add_test(tc, wrong_boundary_problems_are_refused_at_their_place);
    suite_add_tcase(suite, tc);
    return suite;
}
