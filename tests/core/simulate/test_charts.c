/* Whole jobs in a chart: the same motion as in the model's coordinates, the chart's own columns,
 * initial states in the chart, and charts that are refused. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define POINTER "/model/chart"

static JobSpec job(const char *formulation, double end, uint64_t samples)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.formulation = formulation;
    spec.time.end = end;
    spec.time.samples = samples;
    spec.integrator.rtol = 1e-12;
    spec.integrator.atol = 1e-14;
    return spec;
}

static const CoordinateText ANGLE[] = {{.name = "a", .pointer = POINTER}};
static const NamedText CIRCLE_MAP[] = {{"x", "sin(a)", POINTER, NULL},
                                       {"y", "-cos(a)", POINTER, NULL}};
#define PENDULUM                                                \
    .coordinates = {"x", "y"}, .parameters = {{"g", 9.81, ""}}, \
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - g*y", .constraints = {"(x^2 + y^2 - 1)/2"}

static const TestModel PENDULUM_BY_ANGLE = {PENDULUM,
                                            .chart = {POINTER, ANGLE, 1, CIRCLE_MAP, 2, 0}};

START_TEST(a_pendulum_by_its_angle_is_the_cartesian_one)
{
    static const char *const NAMES[] = {"x", "y", "dot(x)", "dot(y)", "multiplier(c1)"};
    const NamedValue q[] = {{"x", 0.6, ""}, {"y", -0.8, ""}}, v[] = {{"x", 1.6, ""}};
    JobSpec spec = job("intrinsic", 5, 51);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.initial.v = v;
    spec.initial.n_v = 1;
    TestRun chart = test_run(&PENDULUM_BY_ANGLE, &spec);
    spec.formulation = "lagrange-dalembert";
    TestRun cartesian = test_run(&PENDULUM_BY_ANGLE, &spec);

    ck_assert_double_lt(test_difference(&chart, &cartesian, NAMES, COUNT(NAMES)), 1e-9);
    ck_assert_double_eq_tol(test_value(&chart, 0, "a"), atan2(0.6, 0.8), 1e-15);
    ck_assert_double_eq_tol(test_value(&chart, 0, "dot(a)"), 2, 1e-14);
    for (long k = 0; k < 51; k++) {
        double a = test_value(&chart, k, "a"), rate = test_value(&chart, k, "dot(a)");
        ck_assert_double_eq_tol(test_value(&chart, k, "x"), sin(a), 1e-15);
        ck_assert_double_eq_tol(test_value(&chart, k, "dot(y)"), sin(a) * rate, 1e-14);
        /* the tension of the rod */
        ck_assert_double_eq_tol(test_value(&chart, k, "multiplier(c1)"),
                                -rate * rate - 9.81 * cos(a), 1e-12);
    }
    ck_assert_double_lt(chart.result.constraints[0].max, 1e-15);
    ck_assert_double_lt(chart.result.energy.balance_scaled, 1e-13);
    test_run_done(&chart);
    test_run_done(&cartesian);
}
END_TEST

/* Zero is where the search for the angle starts, and from there it would not get anywhere. */
START_TEST(the_chart_state_is_found_from_positions_alone)
{
    static const double STARTS[][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {-0.6, 0.8}};
    const NamedValue q[] = {{"x", STARTS[_i][0], ""}, {"y", STARTS[_i][1], ""}};
    JobSpec spec = job("intrinsic", 1, 2);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    TestRun run = test_run(&PENDULUM_BY_ANGLE, &spec);

    ck_assert_double_eq_tol(test_value(&run, 0, "x"), STARTS[_i][0], 1e-15);
    ck_assert_double_eq_tol(test_value(&run, 0, "y"), STARTS[_i][1], 1e-15);
    ck_assert_double_le(fabs(test_value(&run, 0, "a")), 3.1416);
    test_run_done(&run);
}
END_TEST

/* A blade on a plane that rises and falls: z is built in, the blade's constraint is left. */
START_TEST(nonholonomic_constraints_may_be_left_in_the_chart)
{
    static const char *const NAMES[] = {
        "x", "y", "z", "ph", "dot(x)", "dot(z)", "dot(ph)", "multiplier(c1)", "multiplier(c2)"};
    static const CoordinateText PLANE[] = {{.name = "x", .pointer = POINTER},
                                           {.name = "y", .pointer = POINTER},
                                           {.name = "ph", .pointer = POINTER}};
    static const NamedText MAP[] = {{"z", "0.3*x + 0.2*sin(t)", POINTER, NULL}};
    const TestModel blade = {
        .coordinates = {"x", "y", "z", "ph"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2 + 0.4*dot(ph)^2)/2 - 9.81*z",
        .constraints = {"dot(x)*sin(ph) - dot(y)*cos(ph)", "2*z = 0.6*x + 0.4*sin(t)"},
        .forces = {{"ph", "-0.1*dot(ph)", "", NULL}},
        .chart = {POINTER, PLANE, 3, MAP, 1, 0}};
    const NamedValue q[] = {{"ph", 0.5, ""}}, v[] = {{"x", 0.3, ""}, {"ph", 1, ""}};
    JobSpec spec = job("intrinsic", 4, 41);
    spec.initial.q = q;
    spec.initial.n_q = 1;
    spec.initial.v = v;
    spec.initial.n_v = 2;
    TestRun chart = test_run(&blade, &spec);
    spec.formulation = "lagrange-dalembert";
    TestRun all = test_run(&blade, &spec);

    ck_assert_double_lt(test_difference(&chart, &all, NAMES, COUNT(NAMES)), 1e-10);
    ck_assert_uint_eq(chart.columns, all.columns); /* all coordinates are the model's own */
    ck_assert_double_lt(chart.result.energy.balance_scaled, 1e-12);
    test_run_done(&chart);
    test_run_done(&all);
}
END_TEST

/* A frame that turns and drifts, whose coordinates have the model's names, on another clock. */
static const CoordinateText SAME_NAMES[] = {{.name = "x", .pointer = POINTER},
                                            {.name = "y", .pointer = POINTER}};
static const NamedText TURN_MAP[] = {{"x", "x*cos(t) - y*sin(t) + 0.3*t", POINTER, NULL},
                                     {"y", "x*sin(t) + y*cos(t)", POINTER, NULL}};
static const TestModel BELT = {.coordinates = {"x", "y"},
                               .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - (x^2 + 2*y^2)/2 + y*sin(t)",
                               .constraints = {"dot(y) = 0.5*x*dot(x) + cos(t)"},
                               .forces = {{"x", "-0.1*dot(x)^3", "", NULL}},
                               .chart = {POINTER, SAME_NAMES, 2, TURN_MAP, 2, 0.5}};

START_TEST(fixed_and_moving_frame_agree)
{
    static const char *const NAMES[] = {"x", "y", "dot(x)", "dot(y)", "multiplier(c1)"};
    const NamedValue q[] = {{"x", 0.5, ""}, {"y", -0.25, ""}}, v[] = {{"x", 1, ""}};
    JobSpec spec = job("moving-frame", 7, 71);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.initial.v = v;
    spec.initial.n_v = 1;
    TestRun moving = test_run(&BELT, &spec);
    spec.formulation = "lagrange-dalembert";
    TestRun fixed = test_run(&BELT, &spec);

    ck_assert_double_lt(test_difference(&moving, &fixed, NAMES, COUNT(NAMES)), 1e-10);
    for (long k = 0; k < 71; k++) {
        double t = test_value(&moving, k, "t'"), c = cos(t), s = sin(t);
        double x = test_value(&moving, k, "x'"), y = test_value(&moving, k, "y'");
        double dx = test_value(&moving, k, "dot(x')"), dy = test_value(&moving, k, "dot(y')");
        ck_assert_double_eq(t, test_value(&moving, k, "t") - 0.5);
        ck_assert_double_eq_tol(test_value(&moving, k, "x"), x * c - y * s + 0.3 * t, 1e-14);
        ck_assert_double_eq_tol(test_value(&moving, k, "dot(y)"), dx * s + x * c + dy * c - y * s,
                                1e-14);
    }
    ck_assert_double_lt(moving.result.constraints[0].max, 1e-15);
    ck_assert_double_lt(moving.result.energy.balance_scaled, 1e-12);
    test_run_done(&moving);
    test_run_done(&fixed);
}
END_TEST

START_TEST(an_initial_state_may_be_given_in_the_chart)
{
    static const char *const FORMULATIONS[] = {"intrinsic", "lagrange-dalembert"};
    const NamedValue q[] = {{"a", 7, ""}}, v[] = {{"a", -0.5, ""}};
    JobSpec spec = job(FORMULATIONS[_i], 1, 2);
    spec.initial.in_chart = true;
    spec.initial.chart_q = q;
    spec.initial.chart_v = v;
    spec.initial.n_chart_q = spec.initial.n_chart_v = 1;
    TestRun run = test_run(&PENDULUM_BY_ANGLE, &spec);

    ck_assert_double_eq_tol(test_value(&run, 0, "x"), sin(7), 1e-15);
    ck_assert_double_eq_tol(test_value(&run, 0, "dot(x)"), -0.5 * cos(7), 1e-15);
    if (_i == 0)
        ck_assert_double_eq_tol(test_value(&run, 0, "a"), 7, 1e-14); /* not 7 - 2 pi */
    test_run_done(&run);
}
END_TEST

/* The constraint is left to determine dot(y'); dot(x') makes v.v least: v is normal to ker A. */
START_TEST(chart_velocities_left_out_solve_the_constraints_with_least_energy)
{
    const NamedValue q[] = {{"x", 0.5, ""}, {"y", -0.25, ""}};
    JobSpec spec = job("moving-frame", 1, 2);
    spec.initial.in_chart = true;
    spec.initial.chart_q = q;
    spec.initial.n_chart_q = 2;
    TestRun run = test_run(&BELT, &spec);

    double x = test_value(&run, 0, "x"), dx = test_value(&run, 0, "dot(x)");
    double dy = test_value(&run, 0, "dot(y)");
    ck_assert_double_eq_tol(test_value(&run, 0, "x'"), 0.5, 1e-15);
    ck_assert_double_eq_tol(dy, 0.5 * x * dx + 1, 1e-14);
    ck_assert_double_eq_tol(dx + 0.5 * x * dy, 0, 1e-14);
    test_run_done(&run);
}
END_TEST

/* A pendulum that hits a wall at its lowest point: the jump is of the model's velocities. */
START_TEST(impacts_are_carried_into_the_chart)
{
    const NamedText set[] = {{"dot(x)", "-dot(x)", "/events/0/set", NULL}};
    const EventSpec events[] = {{.name = "wall",
                                 .when = {NULL, "x", "/events/0/when", NULL},
                                 .direction = -1,
                                 .set = set,
                                 .n_set = 1,
                                 .pointer = "/events/0"}};
    const NamedValue q[] = {{"x", 0.6, ""}, {"y", -0.8, ""}};
    JobSpec spec = job("intrinsic", 6, 61);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.events = events;
    spec.n_events = 1;
    TestRun run = test_run(&PENDULUM_BY_ANGLE, &spec);

    ck_assert_uint_ge(run.n_event_rows, 2);
    for (size_t k = 0; k < run.n_event_rows; k++) {
        ck_assert_double_eq_tol(test_event_value(&run, k, "a"), 0, 1e-14);
        ck_assert_double_eq_tol(test_event_value(&run, k, "dot(a)"), -sqrt(2 * 9.81 * 0.2), 1e-10);
    }
    for (long k = 0; k < 61; k++)
        ck_assert_double_gt(test_value(&run, k, "a"), -1e-12);
    ck_assert_double_lt(run.result.energy.max_drift, 1e-10);
    test_run_done(&run);
}
END_TEST

/* The lowest point of the circle is infinitely far in this chart. */
START_TEST(the_end_of_a_chart_is_not_taken_for_a_contradiction)
{
    static const CoordinateText SLOPE[] = {{.name = "s", .pointer = POINTER}};
    static const NamedText MAP[] = {{"x", "2*s/(1 + s^2)", POINTER, NULL},
                                    {"y", "(1 - s^2)/(1 + s^2)", POINTER, NULL}};
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
                             .constraints = {"x^2 + y^2 = 1"},
                             .chart = {POINTER, SLOPE, 1, MAP, 2, 0}};
    const NamedValue q[] = {{"x", 0, ""}, {"y", 1, ""}}, v[] = {{"x", 1, ""}};
    JobSpec spec = job("intrinsic", 6, 61);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.initial.v = v;
    spec.initial.n_v = 1;
    TestRun run = test_run(&model, &spec);

    ck_assert(!run.result.end.complete);
    ck_assert_msg(
        strstr(run.result.end.message, "the constraint c1 is no longer satisfied at t = 2.0"), "%s",
        run.result.end.message);
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "(relative residual "));
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "where a chart ends"));
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "lagrange-dalembert"));
    test_run_done(&run);
    spec.formulation = "lagrange-dalembert";
    run = test_run(&model, &spec);
    ck_assert(run.result.end.complete);
    test_run_done(&run);
}
END_TEST

/* The lower half of the circle by x: beyond its ends the root has no value. */
START_TEST(a_chart_whose_root_ends_says_that_it_is_no_number_there)
{
    static const CoordinateText WIDTH[] = {{.name = "u", .pointer = POINTER}};
    static const NamedText MAP[] = {{"x", "u", POINTER, NULL},
                                    {"y", "-sqrt(1 - u^2)", POINTER, NULL}};
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
                             .constraints = {"x^2 + y^2 = 1"},
                             .chart = {POINTER, WIDTH, 1, MAP, 2, 0}};
    const NamedValue q[] = {{"x", 0, ""}, {"y", -1, ""}}, v[] = {{"x", 2.3, ""}};
    JobSpec spec = job("intrinsic", 5, 21);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.initial.v = v;
    spec.initial.n_v = 1;
    spec.integrator.rtol = 1e-10;
    spec.integrator.atol = 1e-12;
    TestRun run = test_run(&model, &spec);

    ck_assert_str_eq(run.result.end.reason, "numeric");
    /* the motion is level with the center at t = 0.74078 (quadrature of the energy) */
    ck_assert_double_gt(run.result.end.t, 0.7407);
    ck_assert_msg(!strstr(run.result.end.message, "nan"), "%s", run.result.end.message);
    test_run_done(&run);
}
END_TEST

/* x' is the chart's, y the model's own, and both are told apart from q. */
START_TEST(the_c_function_names_the_state_as_its_columns)
{
    static const NamedText MAP[] = {{"x", "2*x + t", POINTER, NULL}};
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - x^2*y",
                             .chart = {POINTER, SAME_NAMES, 2, MAP, 1, 0.5}};
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile_in(&model, "moving-frame", arena, diag);
    PrintedEquations code;

    ck_assert_int_eq(compiled_print(compiled, PRINT_C, arena, diag, &code, NULL), OK);
    ck_assert_msg(strstr(code.whole, "state: y[0] x', y[1] y, y[2] dot(x'), y[3] dot(y)\n") != NULL,
                  "%s", code.whole);
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

/* A wavy surface in coordinates that drift: the equations of motion written out are megabytes, and
 * share nearly everything. */
#define X "(1.3*a + 0.2*sin(b + t))"
#define Y "(1.3*b + 0.2/(1 + (a + t)^2))"
#define WAVES(x, y) "sin(" x " - " y ")*exp(-(" x "^2 + " y "^2))/(1 + (" x "*" y ")^2)"
static const CoordinateText A_AND_B[] = {{.name = "a", .pointer = POINTER},
                                         {.name = "b", .pointer = POINTER}};
static const NamedText WAVES_MAP[] = {
    {"x", X, POINTER, NULL}, {"y", Y, POINTER, NULL}, {"z", WAVES(X, Y), POINTER, NULL}};
static const TestModel WAVES_IN_CHART = {.coordinates = {"x", "y", "z"},
                                         .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - z",
                                         .constraints = {"z = " WAVES("x", "y")},
                                         .chart = {POINTER, A_AND_B, 2, WAVES_MAP, 3, 0}};

START_TEST(an_equation_that_is_too_long_is_left_out_alone)
{
    static const char *const WHOLE[] = {
        [PRINT_TEXT] = "\n  a: (left out: longer than the 200000 bytes",
        [PRINT_LATEX] = "\n\\[ \\text{left out: longer than the 200000 bytes",
        [PRINT_C] = "void rates("};
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile_in(&WAVES_IN_CHART, "intrinsic", arena, diag);
    PrintedEquations page;
    Error err = {0};
    size_t left_out = 0;

    ck_assert_msg(compiled_print(compiled, (PrintFormat)_i, arena, diag, &page, &err) == OK, "%s",
                  err.message);
    ck_assert_msg(strstr(page.whole, WHOLE[_i]) != NULL, "%.2000s", page.whole);
    for (size_t k = 0; k < page.n; k++) {
        const bool note = strstr(page.items[k].text, "left out") != NULL;
        ck_assert(!note || strcmp(page.items[k].role, "motion in the chart") == 0);
        left_out += note;
    }
    ck_assert_uint_eq(left_out, 2);
    ck_assert_uint_gt(page.n, 5);
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

/* Charts that are refused. */

static const CoordinateText TWO[] = {{.name = "r", .pointer = POINTER},
                                     {.name = "a", .pointer = POINTER}};
static const NamedText ELLIPSE_MAP[] = {{"x", "2*sin(a)", POINTER, NULL},
                                        {"y", "-cos(a)", POINTER, NULL}};
static const NamedText ARC_MAP[] = {{"x", "sin(sin(a))", POINTER, NULL},
                                    {"y", "-cos(sin(a))", POINTER, NULL}};
static const NamedText POLAR_MAP[] = {{"x", "r*cos(a)", POINTER, NULL},
                                      {"y", "r*sin(a)", POINTER, NULL}};
static const NamedText CORNER_MAP[] = {{"x", "r + abs(a)", POINTER, NULL},
                                       {"y", "a", POINTER, NULL}};
static const NamedText FLAT_MAP[] = {{"x", "r + a", POINTER, NULL},
                                     {"y", "2*r + 2*a", POINTER, NULL}};
static const NamedText HALF_MAP[] = {{"x", "-exp(r)", POINTER, NULL}, {"y", "a", POINTER, NULL}};

#define FREE .coordinates = {"x", "y"}, .lagrangian = "(dot(x)^2 + dot(y)^2)/2"

static const struct {
    const char *formulation;
    TestModel model;
    double x, y;
    const char *pointer, *message;
} REFUSED[] = {
    {"intrinsic", {PENDULUM}, 0, -1, "/formulation", "needs a \"chart\""},
    {"moving-frame", {FREE}, 0, -1, "/formulation", "needs a \"chart\""},
    {"moving-frame",
     {PENDULUM, .chart = {POINTER, ANGLE, 1, CIRCLE_MAP, 2, 0}},
     0,
     -1,
     "/formulation",
     "as many coordinates as the model (2), and its chart has 1"},
    {"intrinsic",
     {FREE, .chart = {POINTER, TWO, 2, POLAR_MAP, 2, 0}},
     1,
     0,
     "/formulation",
     "fewer coordinates than the model (2), and its chart has 2"},
    {"intrinsic",
     {PENDULUM, .chart = {POINTER, ANGLE, 1, ELLIPSE_MAP, 2, 0}},
     0,
     -1,
     "/model/chart/map",
     "does not satisfy the constraint c1: its residual is"},
    {"intrinsic",
     {FREE, .chart = {POINTER, ANGLE, 1, CIRCLE_MAP, 2, 0}},
     0,
     -1,
     "/model/chart",
     "would forbid motions that the model allows"},
    {"intrinsic",
     {PENDULUM, .chart = {POINTER, ANGLE, 1, ARC_MAP, 2, 0}},
     0,
     1,
     "/initial",
     "does not reach the initial state"},
    {"moving-frame",
     {FREE, .chart = {POINTER, TWO, 2, FLAT_MAP, 2, 0}},
     0,
     0,
     "/model/chart/map",
     "not invertible at any state"},
    {"moving-frame",
     {FREE, .chart = {POINTER, TWO, 2, CORNER_MAP, 2, 0}},
     0,
     1,
     "/model/chart/map",
     "the chart's map has corners"},
    {"moving-frame",
     {FREE, .chart = {POINTER, TWO, 2, POLAR_MAP, 2, 0}},
     0,
     0,
     "/model/chart/map",
     "not invertible at the initial state, t = 0, r = 0"},
    {"moving-frame",
     {FREE, .chart = {POINTER, TWO, 2, HALF_MAP, 2, 0}},
     1,
     0,
     "/initial",
     "does not reach the initial state"},
    {"moving-frame",
     {FREE, .chart = {POINTER, TWO, 2, HALF_MAP, 2, 0}},
     1e-12,
     0,
     "/initial",
     "does not reach the initial state"},
};

START_TEST(wrong_charts_are_refused_with_the_reason)
{
    const NamedValue q[] = {{"x", REFUSED[_i].x, ""}, {"y", REFUSED[_i].y, ""}};
    JobSpec spec = job(REFUSED[_i].formulation, 1, 2);
    spec.initial.q = q;
    spec.initial.n_q = 2;

    test_expect_refused(&REFUSED[_i].model, &spec, REFUSED[_i].pointer, REFUSED[_i].message);
}
END_TEST

START_TEST(an_initial_state_in_a_missing_chart_is_refused)
{
    const TestModel pendulum = {PENDULUM};
    JobSpec spec = job("lagrange-dalembert", 1, 2);
    spec.initial.in_chart = true;

    test_expect_refused(&pendulum, &spec, "/initial/chart", "");
}
END_TEST

SUITE(charts)
{
    TCase *tc = suite_case(suite, "jobs");
    tcase_add_test(tc, a_pendulum_by_its_angle_is_the_cartesian_one);
    tcase_add_loop_test(tc, the_chart_state_is_found_from_positions_alone, 0, 5);
    tcase_add_test(tc, nonholonomic_constraints_may_be_left_in_the_chart);
    tcase_add_test(tc, fixed_and_moving_frame_agree);
    tcase_add_loop_test(tc, an_initial_state_may_be_given_in_the_chart, 0, 2);
    tcase_add_test(tc, chart_velocities_left_out_solve_the_constraints_with_least_energy);
    tcase_add_test(tc, impacts_are_carried_into_the_chart);
    tcase_add_test(tc, a_chart_whose_root_ends_says_that_it_is_no_number_there);
    tcase_add_test(tc, the_end_of_a_chart_is_not_taken_for_a_contradiction);
    tcase_add_test(tc, the_c_function_names_the_state_as_its_columns);
    tcase_add_loop_test(tc, an_equation_that_is_too_long_is_left_out_alone, PRINT_TEXT,
                        PRINT_C + 1);
    tcase_add_loop_test(tc, wrong_charts_are_refused_with_the_reason, 0, (int)COUNT(REFUSED));
    tcase_add_test(tc, an_initial_state_in_a_missing_chart_is_refused);
}
