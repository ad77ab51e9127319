/* Two-point boundary problems against closed forms: oscillators, geodesics of the sphere. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

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
    spec.integrator.rtol = 1e-12;
    spec.integrator.atol = 1e-14;
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
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
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

/* Frequencies 1, 1 + d and 1 + e: each has conjugate points of its own at multiples of its half
 * period, however near those of the others are. */
START_TEST(conjugate_points_nearby_count_once_each)
{
    static const struct {
        double d, e;
    } APART[] = {{1e-2, 0.2}, {1e-3, 0.2},  {1e-4, 0.2},  {1e-5, 0.2}, {3e-6, 0.2},  {1e-6, 0.2},
                 {3e-7, 0.2}, {1e-7, 0.2},  {1e-8, 0.2},  {1e-9, 0.2}, {1e-10, 0.2}, {1e-12, 0.2},
                 {0, 0},      {1e-9, 1e-5}, {1e-5, 1e-5}, {1e-8, 2e-8}};
    const TestModel model = {
        .coordinates = {"x", "y", "z"},
        .parameters = {{"d", APART[_i].d, ""}, {"e", APART[_i].e, ""}},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2 - x^2 - (1 + d)^2*y^2 - (1 + e)^2*z^2)/2"};
    const NamedValue q0[] = {{"x", 1, ""}}, q1[] = {{"x", 0.5, ""}};

    for (int k = 1; k <= 3; k++) {
        JobSpec spec = problem(q0, 1, (k + 0.2) * PI, q1, 1);
        TestRun run = test_run(&model, &spec);
        const double z = (1 + APART[_i].e) * (k + 0.2);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        ck_assert_msg(run.result.solutions[0].conjugate_points == 2 * (size_t)k + (size_t)z,
                      "%zu points, not %zu, with d = %g, e = %g, k = %d",
                      run.result.solutions[0].conjugate_points, 2 * (size_t)k + (size_t)z,
                      APART[_i].d, APART[_i].e, k);
        test_run_done(&run);
    }
}
END_TEST

/* Oscillators that are coupled, at four frequencies that differ by `gap` or less: so many times
 * passed together, in any number, each counts. V = q.R diag(w^2) R^T q / 2, R the reflection at (1,
 * 1, 1, 1). */
START_TEST(conjugate_points_of_coupled_oscillators_count_once_each)
{
    static const double GAPS[] = {1e-3, 1e-4, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 0};
    const TestModel model = {
        .coordinates = {"a", "b", "c", "d"},
        .parameters = {{"g", GAPS[_i], ""}},
        .lagrangian = "(dot(a)^2 + dot(b)^2 + dot(c)^2 + dot(d)^2 - (a - b - c - d)^2/4"
                      " - (1 + g/3)^2*(b - a - c - d)^2/4 - (1 + g/2)^2*(c - a - b - d)^2/4"
                      " - (1 + g)^2*(d - a - b - c)^2/4)/2"};
    const NamedValue q0[] = {{"a", 1, ""}}, q1[] = {{"b", 0.5, ""}};

    for (size_t k = 0; k <= 3; k++) {
        JobSpec spec = problem(q0, 1, ((double)k + 0.3) * PI, q1, 1);
        TestRun run = test_run(&model, &spec);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        ck_assert_uint_eq(run.result.solutions[0].conjugate_points, 4 * k);
        test_run_done(&run);
    }
}
END_TEST

/* Oscillators of frequencies 1, 1 and 2 a little before or beyond their k-th common focus: the
 * points just before the end count, unless the ends are said to be conjugate (then there may be no
 * path). */
START_TEST(conjugate_points_just_before_the_end_count)
{
    static const double BEYOND[] = {1e-4, 1e-6, 3e-7, 1e-7, 6e-8, 4e-8, 2e-8, 1e-8, 1e-9, 0};
    const TestModel model = {.coordinates = {"x", "y", "z"},
                             .lagrangian =
                                 "(dot(x)^2 + dot(y)^2 + dot(z)^2 - x^2 - y^2 - 4*z^2)/2"};

    for (int k = 1; k <= 3; k++)
        for (int way = -1; way <= 1; way += 2) {
            const double beyond = k * PI * BEYOND[_i];
            const NamedValue q0[] = {{"x", 0, ""}}, q1[] = {{"x", k % 2 ? -beyond : beyond, ""}};
            JobSpec spec = problem(q0, 1, k * PI + way * beyond, q1, 1);
            TestRun run = test_run(&model, &spec);
            const size_t right = way > 0 ? 4 * (size_t)k : 4 * (size_t)k - 3;
            if (!run.result.end.complete) {
                ck_assert(BEYOND[_i] < 2e-8);
                ck_assert_ptr_nonnull(strstr(run.result.end.message, "conjugate to each other"));
                test_run_done(&run);
                continue;
            }
            const BoundarySolution *found = &run.result.solutions[0];
            ck_assert_msg(found->conjugate_points == right ||
                              (BEYOND[_i] < 2e-8 && strcmp(found->kind, "degenerate") == 0),
                          "k = %d, %g: %zu instead of %zu, %s", k, way * BEYOND[_i],
                          found->conjugate_points, right, found->kind);
            test_run_done(&run);
        }
}
END_TEST

/* In a magnetic field B the motions beside turn about each other while they come together: at the
 * multiples of pi over the root of 1 + (B/2)^2, two at a time. */
START_TEST(conjugate_points_in_a_magnetic_field_count_twice)
{
    static const double FIELDS[] = {0.1, 2, 15};
    const double rate = sqrt(1 + FIELDS[_i] * FIELDS[_i] / 4);
    const TestModel model = {.coordinates = {"x", "y"},
                             .parameters = {{"B", FIELDS[_i], ""}},
                             .lagrangian =
                                 "(dot(x)^2 + dot(y)^2 + B*(x*dot(y) - y*dot(x)) - x^2 - y^2)/2"};
    const NamedValue q0[] = {{"x", 1, ""}}, q1[] = {{"y", 0.5, ""}};

    for (size_t k = 0; k <= 3; k++) {
        JobSpec spec = problem(q0, 1, ((double)k + 0.3) * PI / rate, q1, 1);
        TestRun run = test_run(&model, &spec);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        ck_assert_uint_eq(run.result.solutions[0].conjugate_points, 2 * k);
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

    ck_assert(!run.result.end.complete);
    ck_assert_str_eq(run.result.end.reason, "numeric");
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "no path between the ends"));
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "conjugate"));
    test_run_done(&run);
}
END_TEST

/* L_vv = 1 - v^2 along the solution v = q1/t1. */
START_TEST(a_path_along_which_the_lagrangian_is_not_convex_is_no_minimum)
{
    const TestModel quartic = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 - dot(x)^4/12"};
    const NamedValue q0[] = {{"x", 0, ""}}, near[] = {{"x", 0.5, ""}}, far[] = {{"x", 2, ""}};
    JobSpec convex = problem(q0, 1, 1, near, 1), concave = problem(q0, 1, 1, far, 1);
    TestRun run = test_run(&quartic, &convex);

    ck_assert_str_eq(run.result.solutions[0].kind, "minimum");
    test_run_done(&run);
    run = test_run(&quartic, &concave);
    ck_assert_str_eq(run.result.solutions[0].kind, "undecided");
    test_run_done(&run);
}
END_TEST

/* Neither short times nor small constraints are conjugate ends. */
START_TEST(units_do_not_make_ends_conjugate)
{
    const TestModel free_particle = {.coordinates = {"x", "y", "z"},
                                     .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2"};
    const TestModel circle = {.coordinates = {"x", "y"},
                              .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                              .constraints = {"1e-9*(x^2 + y^2 - 1)"}};
    const NamedValue q0[] = {{"x", 1, ""}}, q1[] = {{"x", 0, ""}, {"y", 1, ""}};
    JobSpec brief = problem(q0, 1, 1e-3, q1, 2), small = problem(q0, 1, 1, q1, 2);
    TestRun run = test_run(&free_particle, &brief);

    ck_assert_str_eq(run.result.solutions[0].kind, "minimum");
    test_run_done(&run);
    run = test_run(&circle, &small);
    ck_assert_str_eq(run.result.solutions[0].kind, "minimum");
    ck_assert_uint_eq(run.result.solutions[0].conjugate_points, 0);
    test_run_done(&run);
}
END_TEST

/* sinh(20 t)/20 in one direction does not make t in the other one small. */
START_TEST(growth_in_one_direction_does_not_make_ends_conjugate)
{
    const TestModel ridge = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + 200*x^2"};
    const TestModel saddle = {.coordinates = {"x", "y"},
                              .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + 50*x^2 - 4.5e4*y^2"};
    const NamedValue q0[] = {{"x", 0, ""}}, q1[] = {{"x", 1, ""}, {"y", 0.1, ""}};
    JobSpec brief = problem(q0, 1, 1, q1, 2), longer = problem(q0, 1, 2, q1, 2);
    TestRun run = test_run(&ridge, &brief);

    ck_assert_str_eq(run.result.solutions[0].kind, "minimum");
    test_run_done(&run);
    run = test_run(&saddle, &longer);
    ck_assert_str_eq(run.result.solutions[0].kind, "saddle");
    ck_assert_uint_eq(run.result.solutions[0].conjugate_points, (size_t)(600 / PI));
    test_run_done(&run);
}
END_TEST

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

    test_expect_refused(&sleigh, &spec, "/formulation", "not holonomic");
    test_expect_refused(&damped, &spec, "/formulation", "force");
    test_expect_refused(&SPHERE, &spec, "/boundary/end", "c1");
    spec.boundary.end.t = 0;
    test_expect_refused(&OSCILLATOR, &spec, "/boundary/end/t", "later");
    spec.boundary.end.t = -1;
    test_expect_refused(&OSCILLATOR, &spec, "/boundary/end/t", "later");
    spec = problem(q0, 1, 1, q1, 1);
    const NamedText reversed = {"dot(x)", "-dot(x)", "", NULL};
    const EventSpec event = {.name = "wall",
                             .pointer = "/events/0",
                             .when = {"wall", "x - 3/4", "", NULL},
                             .set = &reversed,
                             .n_set = 1};
    spec.events = &event;
    spec.n_events = 1;
    test_expect_refused(&OSCILLATOR, &spec, "/events/0", "not reach its end");
    spec.n_events = 0;
    spec.boundary.given = false;
    test_expect_refused(&OSCILLATOR, &spec, "/boundary", "two ends");
    spec.boundary.given = true;
    spec.formulation = "lagrange-dalembert";
    test_expect_refused(&OSCILLATOR, &spec, "/boundary", "least-action");
}
END_TEST

/* In a chart. */

static JobSpec chart_problem(const NamedValue *x0, size_t n_x0, double t1, const NamedValue *x1,
                             size_t n_x1)
{
    JobSpec spec = problem(x0, n_x0, t1, x1, n_x1);
    spec.boundary.in_chart = true;
    return spec;
}

static const NamedText ON_SPHERE[] = {{"x", "cos(th)*cos(ph)", "", NULL},
                                      {"y", "cos(th)*sin(ph)", "", NULL},
                                      {"z", "sin(th)", "", NULL}};
static const CoordinateText ANGLES[] = {{.name = "th"}, {.name = "ph"}};

/* The geodesics of above, told apart by the turns of the longitude: one solution each. */
START_TEST(a_chart_counts_the_turns_of_great_circles)
{
    const NamedValue start[] = {{"ph", 0, ""}};
    const double turns[] = {0, -1, 1};
    TestModel sphere = SPHERE;
    sphere.chart = (ChartText){
        .coordinates = ANGLES, .n_coordinates = 2, .map = ON_SPHERE, .n_map = 3, .pointer = ""};

    for (size_t k = 0; k < 3; k++) {
        const double angle = 1.5 + 2 * PI * turns[k];
        const NamedValue end[] = {{"ph", angle, ""}};
        JobSpec spec = chart_problem(start, 1, 1, end, 1);
        TestRun run = test_run(&sphere, &spec);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        const BoundarySolution *found = &run.result.solutions[0];
        ck_assert_uint_eq(found->n_chart, 2);
        ck_assert_double_eq_tol(found->chart_v[1], angle, 1e-9);
        ck_assert_double_eq_tol(found->v[1], angle, 1e-9);
        ck_assert_double_eq_tol(found->action, angle * angle / 2, 1e-9);
        ck_assert_double_eq_tol(found->jacobi_determinant, sin(angle) / angle, 1e-9);
        ck_assert_uint_eq(found->conjugate_points, k);
        ck_assert_double_lt(found->first_variation, 1e-10);
        ck_assert_double_eq_tol(test_value(&run, -1, "ph"), angle, 1e-10);
        ck_assert_double_eq_tol(test_value(&run, -1, "y"), sin(1.5), 1e-10);
        ck_assert_double_eq_tol(test_value(&run, 5, "multiplier(c1)"), -angle * angle / 2, 1e-7);
        test_run_done(&run);
    }
}
END_TEST

/* A bead with gravity on a circle that grows with time: the chart and the multiplier agree. */
START_TEST(a_chart_and_multipliers_give_the_same_path)
{
    static const NamedText MAP[] = {{"x", "(1 + t/5)*sin(a)", "", NULL},
                                    {"y", "-(1 + t/5)*cos(a)", "", NULL}};
    static const CoordinateText ANGLE[] = {{.name = "a"}};
    const TestModel bead = {
        .coordinates = {"x", "y"},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 3*y",
        .constraints = {"x^2 + y^2 - (1 + t/5)^2"},
        .chart = {.coordinates = ANGLE, .n_coordinates = 1, .map = MAP, .n_map = 2, .pointer = ""}};
    const NamedValue a0[] = {{"a", 0.3, ""}}, a1[] = {{"a", 1, ""}};
    const NamedValue q0[] = {{"x", sin(0.3), ""}, {"y", -cos(0.3), ""}};
    const NamedValue q1[] = {{"x", 1.8 * sin(1), ""}, {"y", -1.8 * cos(1), ""}};
    JobSpec charted = chart_problem(a0, 1, 4, a1, 1), plain = problem(q0, 2, 4, q1, 2);
    TestRun one = test_run(&bead, &charted);
    const NamedValue guess[] = {{"x", one.result.solutions[0].v[0] + 0.1, ""},
                                {"y", one.result.solutions[0].v[1], ""}};
    const BoundaryGuess guesses[] = {{guess, 2}};
    plain.boundary.guesses = guesses;
    plain.boundary.n_guesses = 1;
    TestRun other = test_run(&bead, &plain);
    const BoundarySolution *a = &one.result.solutions[0], *b = &other.result.solutions[0];

    ck_assert_double_eq_tol(a->action, b->action, 1e-9);
    ck_assert_uint_eq(a->conjugate_points, b->conjugate_points);
    ck_assert_str_eq(a->kind, b->kind);
    ck_assert_uint_eq(b->n_chart, 0);
    for (long k = 0; k < 11; k++) {
        ck_assert_double_eq_tol(test_value(&one, k, "x"), test_value(&other, k, "x"), 1e-8);
        ck_assert_double_eq_tol(test_value(&one, k, "multiplier(c1)"),
                                test_value(&other, k, "multiplier(c1)"), 1e-7);
    }
    test_run_done(&one);
    test_run_done(&other);
}
END_TEST

/* The oscillator seen from a frame that swings, with a clock of its own: Mehler's action again. */
START_TEST(a_moving_frame_has_the_same_action)
{
    static const NamedText MAP[] = {{"x", "X + sin(2*t)", "", NULL}};
    static const CoordinateText NAMES[] = {{.name = "X"}};
    TestModel swinging = OSCILLATOR;
    swinging.chart = (ChartText){.coordinates = NAMES,
                                 .n_coordinates = 1,
                                 .map = MAP,
                                 .n_map = 1,
                                 .clock = 0.5,
                                 .pointer = ""};
    const double T = 4, c = cos(T), s = sin(T);
    const NamedValue start[] = {{"X", 1 - sin(-1), ""}}, end[] = {{"X", 0.5 - sin(2 * T - 1), ""}};
    JobSpec spec = chart_problem(start, 1, T, end, 1);
    TestRun run = test_run(&swinging, &spec);
    const BoundarySolution *found = &run.result.solutions[0];

    ck_assert_double_eq_tol(found->v[0], (0.5 - c) / s, 1e-10);
    ck_assert_double_eq_tol(found->chart_v[0], (0.5 - c) / s - 2 * cos(-1), 1e-10);
    ck_assert_double_eq_tol(found->action, (1.25 * c - 1) / (2 * s), 1e-10);
    ck_assert_uint_eq(found->conjugate_points, 1);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), 0.5, 1e-11);
    test_run_done(&run);
}
END_TEST

START_TEST(charts_that_do_not_fit_the_problem_are_refused)
{
    const NamedValue x0[] = {{"ph", 0, ""}}, x1[] = {{"ph", 1, ""}}, wrong[] = {{"x", 1, "/x"}};
    JobSpec spec = chart_problem(x0, 1, 1, x1, 1);
    TestModel sphere = SPHERE;

    test_expect_refused(&sphere, &spec, "/boundary/start/chart", "the model has no chart");
    sphere.chart = (ChartText){
        .coordinates = ANGLES, .n_coordinates = 2, .map = ON_SPHERE, .n_map = 3, .pointer = ""};
    sphere.constraints[1] = "z - 1/2";
    const NamedValue on0[] = {{"th", PI / 6, ""}}, on1[] = {{"th", PI / 6, ""}, {"ph", 1, ""}};
    spec = chart_problem(on0, 1, 1, on1, 2);
    test_expect_refused(&sphere, &spec, "/boundary/start/chart",
                        "freedom: 1, coordinates of the chart: 2");
    sphere.constraints[1] = NULL;
    spec = chart_problem(wrong, 1, 1, x1, 1);
    test_expect_refused(&sphere, &spec, "/x", "coordinate of the chart");
}
END_TEST

/* Newton's method went on until 1e-12 of 1, whatever the unit: a path of 1e-12 missed its end by a
 * tenth. Between these ends a quartic oscillator has two paths with up to one turn. */
START_TEST(paths_arrive_in_every_unit)
{
    static const double UNITS[] = {1e-12, 1e-9, 1, 1e9, 1e12};
    const double l = UNITS[_i];
    const TestModel quartic = {.coordinates = {"x"},
                               .parameters = {{"l", l, ""}},
                               .lagrangian = "dot(x)^2/2 - x^4/(4*l^2)"};
    const NamedValue q0[] = {{"x", l, ""}}, q1[] = {{"x", l / 2, ""}};
    const NamedValue v[] = {{"x", 0, ""}, {"x", 2 * l, ""}, {"x", 2.05 * l, ""}};
    const BoundaryGuess guesses[] = {{&v[0], 1}, {&v[1], 1}, {&v[2], 1}};
    JobSpec spec = problem(q0, 1, 4, q1, 1);
    spec.integrator.atol = 1e-12;
    spec.integrator.atol_given = false;
    spec.boundary.guesses = guesses;
    spec.boundary.n_guesses = 3;
    TestRun run = test_run(&quartic, &spec);

    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert_uint_eq(run.result.n_solutions, 2);
    ck_assert_double_eq_tol(run.result.solutions[0].v[0], -2.58319801857 * l, 1e-8 * l);
    ck_assert_double_eq_tol(run.result.solutions[1].v[0], 2.04925231204 * l, 1e-8 * l);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), l / 2, 1e-8 * l);
    test_run_done(&run);
}
END_TEST

/* A length beside an angle: an arc of a circular orbit, and a spring pendulum's path, of any size.
 * The guesses are some percent off. */
START_TEST(lengths_and_angles_weigh_the_same)
{
    static const double LENGTHS[] = {1e-9, 1e-6, 1, 7e6, 1.5e11, 1e12};
    const double r = LENGTHS[_i];
    char orbit[120], pendulum[160];
    snprintf(orbit, sizeof orbit, "(dot(r)^2 + r^2*dot(th)^2)/2 + %.17g/r", r * r * r);
    snprintf(pendulum, sizeof pendulum,
             "(dot(r)^2 + r^2*dot(th)^2)/2 + %.17g*r*cos(th) - 20*(r - %.17g)^2", 9.81 * r, r);
    const TestModel models[] = {{.coordinates = {"r", "th"}, .lagrangian = orbit},
                                {.coordinates = {"r", "th"}, .lagrangian = pendulum}};
    const NamedValue q0[][2] = {{{"r", r, ""}, {"th", 0, ""}},
                                {{"r", 1.1 * r, ""}, {"th", 0.4, ""}}};
    const NamedValue q1[][2] = {{{"r", r, ""}, {"th", 2, ""}},
                                {{"r", 1.3 * r, ""}, {"th", -0.2, ""}}};
    const NamedValue v[][2] = {{{"r", 0.02 * r, ""}, {"th", 0.97, ""}},
                               {{"r", 0.28 * r, ""}, {"th", -0.735, ""}}};

    for (size_t k = 0; k < 2; k++) {
        const BoundaryGuess guess = {v[k], 2};
        JobSpec spec = problem(q0[k], 2, k ? 3 : 2, q1[k], 2);
        spec.boundary.guesses = &guess;
        spec.boundary.n_guesses = 1;
        TestRun run = test_run(&models[k], &spec);
        ck_assert_msg(run.result.end.complete, "%g: %s", r, run.result.end.message);
        ck_assert_uint_eq(run.result.n_solutions, 1);
        const BoundarySolution *found = &run.result.solutions[0];
        ck_assert_str_eq(found->kind, k ? "saddle" : "minimum");
        if (k == 0) {
            ck_assert_double_eq_tol(found->v[0] / r, 0, 1e-9);
            ck_assert_double_eq_tol(found->v[1], 1, 1e-9);
            /* of Hill's equations after t = 2 */
            ck_assert_double_eq_tol(found->jacobi_determinant, 5.873390131423, 1e-8);
        }
        test_run_done(&run);
    }
}
END_TEST

SUITE(boundary)
{
    TCase *tc = suite_case(suite, "least action");
    tcase_add_loop_test(tc, oscillators_have_the_action_and_the_index_of_jacobi, 0, 4);
    tcase_add_loop_test(tc, conjugate_points_nearby_count_once_each, 0, 16);
    tcase_add_loop_test(tc, conjugate_points_of_coupled_oscillators_count_once_each, 0, 10);
    tcase_add_loop_test(tc, conjugate_points_just_before_the_end_count, 0, 10);
    tcase_add_loop_test(tc, conjugate_points_in_a_magnetic_field_count_twice, 0, 3);
    tcase_add_test(tc, great_circles_are_minimal_up_to_the_antipode);
    tcase_add_test(tc, conjugate_ends_have_no_path_and_say_so);
    tcase_add_test(tc, wrong_boundary_problems_are_refused_at_their_place);
    tcase_add_test(tc, a_path_along_which_the_lagrangian_is_not_convex_is_no_minimum);
    tcase_add_test(tc, units_do_not_make_ends_conjugate);
    tcase_add_test(tc, growth_in_one_direction_does_not_make_ends_conjugate);
    tcase_add_loop_test(tc, paths_arrive_in_every_unit, 0, 5);
    tcase_add_loop_test(tc, lengths_and_angles_weigh_the_same, 0, 6);
    tc = suite_case(suite, "least action in a chart");
    tcase_add_test(tc, a_chart_counts_the_turns_of_great_circles);
    tcase_add_test(tc, a_chart_and_multipliers_give_the_same_path);
    tcase_add_test(tc, a_moving_frame_has_the_same_action);
    tcase_add_test(tc, charts_that_do_not_fit_the_problem_are_refused);
}
