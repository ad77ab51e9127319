/* Singular configurations on the way, one by one: what is told of them, what happens beside them,
 * and where no motion goes on. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* x y = height from the left, at a speed that varies little. */
static TestRun run_hyperbola(double height, double t_end)
{
    static const NamedValue q[] = {{"x", -1, "/"}}, v[] = {{"x", 1, "/"}};
    static const AnalysisSpec none[1];
    const TestModel model = {.coordinates = {"x", "y"},
                             .parameters = {{"h", height, "/"}},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                             .constraints = {"x*y = h"}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 1;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.time = (TimeSpec){.end = t_end, .samples = 21};
    spec.integrator.rtol = 1e-9;
    spec.integrator.atol = 1e-9;
    spec.analyses = none;
    return test_run(&model, &spec);
}

START_TEST(a_passage_is_told_with_its_instant_and_a_sample_there_is_whole)
{
    TestRun run = run_hyperbola(0, 2);
    const SingularEvidence *passed = run.result.singular;

    ck_assert_int_eq(run.result.end.status, OK);
    ck_assert_uint_eq(run.result.n_singular, 1);
    ck_assert_double_eq_tol(passed->t, 1, 1e-5);
    ck_assert_uint_eq(passed->rank, 0);
    ck_assert_double_lt(passed->agreement, 1e-9);
    ck_assert_uint_eq(run.result.n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(run.result.warnings[0], "singular configuration"));
    /* row 10 is at t = 1 */
    ck_assert_double_eq_tol(test_value(&run, 10, "x"), 0, 1e-12);
    ck_assert_double_eq_tol(test_value(&run, 10, "dot(x)"), 1, 1e-12);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), 1, 1e-12);
    ck_assert_double_eq_tol(test_value(&run, -1, "y"), 0, 1e-12);
    test_run_done(&run);
}
END_TEST

/* Something happens right behind the configuration, inside the passage: a force sets in there. */
START_TEST(a_passage_is_left_where_the_motion_becomes_another_one)
{
    static const NamedValue q[] = {{"x", -1, "/"}}, v[] = {{"x", 1, "/"}};
    static const AnalysisSpec none[1];
    const TestModel model = {
        .coordinates = {"x", "y"},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
        .constraints = {"x*y = 0"},
        .forces = {{.name = "x", .text = "if(x < 0.02, 0, -0.5)", .pointer = "/model/forces/x"}}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 1;
    spec.time = (TimeSpec){.end = 2.02, .samples = 102};
    spec.analyses = none;
    TestRun run = test_run(&model, &spec);
    ck_assert_int_eq(run.result.end.status, OK);
    ck_assert_uint_eq(run.result.n_singular, 1);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), 0.02 + 1 - 0.25, 1e-9);
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), 0.5, 1e-9);
    test_run_done(&run);
}
END_TEST

/* Two curves that touch: the row, -x^2 dy there, vanishes and comes back as it was. */
START_TEST(a_rank_that_is_lost_and_found_again_in_one_step_is_told)
{
    static const AnalysisSpec none[1];
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                             .constraints = {"y*(y - x^2) = 0"}};

    for (int i = 0; i < 12; i++) {
        const double x0 = -0.3 * pow(1.3, i), speed = _i == 0 ? 1 : 1e-6;
        const NamedValue q[] = {{"x", x0, "/"}}, v[] = {{"x", speed, "/"}};
        JobSpec spec;

        job_spec_init(&spec);
        spec.initial.q = q;
        spec.initial.v = v;
        spec.initial.n_q = spec.initial.n_v = 1;
        spec.time = (TimeSpec){.end = 10 / speed, .samples = 3};
        spec.analyses = none;
        TestRun run = test_run(&model, &spec);
        ck_assert_msg(run.result.end.complete, "from %g: %s", x0, run.result.end.message);
        ck_assert_msg(run.result.n_singular == 1, "from %g: %zu", x0, run.result.n_singular);
        ck_assert_double_eq_tol(run.result.singular[0].t * speed, -x0, 1e-5);
        ck_assert_double_eq_tol(test_value(&run, -1, "x"), x0 + 10, 1e-9);
        test_run_done(&run);
    }
}
END_TEST

/* Along the cross x^2 = y^2 through its middle, at (0, 0) when t = 2. */
static TestRun run_cross(const char *lagrangian, const char *force, double place, double width)
{
    static const NamedValue q[] = {{"x", -2, "/"}, {"y", -2, "/"}};
    static const NamedValue v[] = {{"x", 1, "/"}, {"y", 1, "/"}};
    static const AnalysisSpec none[1];
    const TestModel model = {
        .coordinates = {"x", "y"},
        .parameters = {{"c", place, "/"}, {"w", width, "/"}},
        .lagrangian = lagrangian,
        .forces = {{.name = force ? "x" : NULL, .text = force, .pointer = "/model/forces/x"}},
        .constraints = {"x^2 - y^2 = 0"}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 2;
    spec.time = (TimeSpec){.end = 5, .samples = 51};
    spec.analyses = none;
    return test_run(&model, &spec);
}

/* What is narrow, in place or time, on either side of the configuration: its work 0.05 sqrt(pi) or
 * impulse 0.1 sqrt(pi) is seen as it is away from there. */
START_TEST(a_passage_swallows_nothing_narrow)
{
    static const double AWAY[] = {-0.7, -0.3, -0.1, 0.1, 0.3, 0.7}, WIDTHS[] = {1e-2, 1e-3, 1e-5};
    const double c = AWAY[_i % 6], w = WIDTHS[_i / 6], root = sqrt(acos(-1));
    const char *free = "(dot(x)^2 + dot(y)^2)/2";
    TestRun run = run_cross(free, "0.05/w*exp(-((x - c)/w)^2)", c, w);

    ck_assert_msg(run.result.end.complete, "at %g: %s", c, run.result.end.message);
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), sqrt(1 + 0.05 * root), 1e-6);
    test_run_done(&run);
    run = run_cross(free, "0.1/w*exp(-((t - 2 - c)/w)^2)", c, w);
    ck_assert_msg(run.result.end.complete, "at %g: %s", c, run.result.end.message);
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), 1 + 0.05 * root, 1e-6);
    test_run_done(&run);
    run = run_cross("(dot(x)^2 + dot(y)^2)/2 - 5*exp(-((x - c)/w)^2)", NULL, c, w);
    ck_assert_msg(run.result.end.complete, "at %g: %s", c, run.result.end.message);
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), -1, 1e-6);
    test_run_done(&run);
}
END_TEST

/* Too near to it: never in silence. */
START_TEST(what_is_narrow_at_the_configuration_itself_is_seen_or_ends_the_run)
{
    static const double AWAY[] = {-1e-2, -1e-3, -1e-4, 0, 1e-4, 1e-3, 1e-2};
    const double c = AWAY[_i % 7], root = sqrt(acos(-1));
    TestRun run = run_cross("(dot(x)^2 + dot(y)^2)/2", "50*exp(-((x - c)/w)^2)", c, 1e-3);

    if (run.result.end.complete)
        ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), sqrt(1 + 0.05 * root), 1e-6);
    else
        ck_assert_ptr_nonnull(strstr(run.result.end.message, "barrier"));
    test_run_done(&run);
}
END_TEST

/* Inside a passage its own variables say little: those of a frame are infinite at x = 0, t = 1. */
START_TEST(what_happens_in_a_passage_is_seen_in_every_formulation)
{
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "voronec", "hamel"};
    static const double PLACES[] = {-0.01, -1e-3, 1e-3, 0.01};
    static const NamedValue q[] = {{"x", -1, "/"}}, v[] = {{"x", 1, "/"}};
    static const AnalysisSpec none[1];
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                             .constraints = {"x*y = 0"}};
    const double place = PLACES[_i / 3];
    char when[40];
    (void)snprintf(when, sizeof when, "x - (%g)", place);
    const NamedText set = {"dot(x)", "dot(x)/2", "", NULL};
    const EventSpec slows = {
        .name = "slows", .when = {NULL, when, "", NULL}, .set = &set, .n_set = 1};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q, spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 1;
    spec.formulation = FORMULATIONS[_i % 3];
    spec.time = (TimeSpec){.end = 1 + place, .samples = 8};
    spec.analyses = none;
    TestRun ends = test_run(&model, &spec);
    ck_assert_msg(ends.result.end.complete, "%s", ends.result.end.message);
    ck_assert_double_eq_tol(test_value(&ends, -1, "x"), place, 1e-10);
    ck_assert_double_eq_tol(test_value(&ends, -1, "dot(x)"), 1, 1e-9);
    test_run_done(&ends);
    spec.time.end = 3 + place;
    spec.events = &slows;
    spec.n_events = 1;
    TestRun slowed = test_run(&model, &spec);
    ck_assert_msg(slowed.result.end.complete, "%s", slowed.result.end.message);
    ck_assert_double_eq_tol(test_value(&slowed, -1, "x"), place + 1, 1e-9);
    ck_assert_double_eq_tol(test_value(&slowed, -1, "dot(x)"), 0.5, 1e-9);
    test_run_done(&slowed);
}
END_TEST

/* Velocities in a frame become infinite at the crossing, of which steps of fixed length see
 * nothing: runs ended a little behind it, or were off by their size. */
START_TEST(fixed_steps_come_across_in_every_formulation)
{
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamiltonian", "voronec",
                                               "hamel"};
    static const double STEPS[] = {0.1, 0.03, 0.01}, BEYOND[] = {-0.03, -1e-6, 0, 1e-6, 0.03, 0.3};
    static const NamedValue q[] = {{"x", -1, "/"}}, v[] = {{"x", 1, "/"}};
    static const AnalysisSpec none[1];
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                             .constraints = {"x*y = 0"}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q, spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 1;
    spec.formulation = FORMULATIONS[_i / 3];
    spec.integrator.method = "rk4";
    spec.integrator.step = STEPS[_i % 3];
    spec.analyses = none;
    for (size_t k = 0; k < sizeof BEYOND / sizeof *BEYOND; k++) {
        spec.time = (TimeSpec){.end = 1 + BEYOND[k], .samples = 2};
        TestRun run = test_run(&model, &spec);
        ck_assert_msg(run.result.end.complete, "to %g: %s", spec.time.end, run.result.end.message);
        ck_assert_double_eq_tol(test_value(&run, -1, "x"), BEYOND[k], 1e-4);
        test_run_done(&run);
    }
}
END_TEST

START_TEST(what_lies_beyond_the_end_of_the_run_is_not_told)
{
    TestRun run = run_hyperbola(0, 0.97);

    ck_assert_int_eq(run.result.end.status, OK);
    ck_assert_uint_eq(run.result.n_singular, 0);
    ck_assert_uint_eq(run.result.n_warnings, 0);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), -0.03, 1e-12);
    test_run_done(&run);
}
END_TEST

/* The branches do not meet: the motion turns with its own, however narrow the bend. */
START_TEST(branches_that_come_close_are_not_confused)
{
    for (int k = 1; k <= 9; k++) {
        TestRun run = run_hyperbola(-pow(10, -k), 2);
        const bool through = run.result.end.status == OK;
        ck_assert_uint_eq(run.result.n_singular, 0);
        ck_assert_msg(through || k > 7, "1e-%d: %s", k, run.result.end.message);
        /* in the second quadrant from first to last */
        for (long row = 0; row < (long)run.n_rows; row++) {
            ck_assert_double_lt(test_value(&run, row, "x"), 0);
            ck_assert_double_gt(test_value(&run, row, "y"), 0);
        }
        test_run_done(&run);
    }
}
END_TEST

/* y^2 = x^3 towards its cusp: there the motion ends, for x < 0 there is none. */
START_TEST(where_no_motion_goes_on_the_run_ends_with_the_reason)
{
    static const NamedValue q[] = {{"x", 1, "/"}, {"y", 1, "/"}}, v[] = {{"x", -1, "/"}};
    static const AnalysisSpec none[1];
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                             .constraints = {"y^2 = x^3"}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = 2;
    spec.initial.n_v = 1;
    spec.time = (TimeSpec){.end = 3, .samples = 31};
    spec.analyses = none;
    TestRun run = test_run(&model, &spec);
    ck_assert_int_eq(run.result.end.status, ERR_NUMERIC);
    ck_assert_uint_eq(run.result.n_singular, 0);
    ck_assert_double_gt(test_value(&run, -1, "x"), 0);
    test_run_done(&run);
}
END_TEST

/* A crank and a rocker that never lie in line. */
START_TEST(a_regular_linkage_is_left_alone)
{
    static const NamedValue q[] = {{"x", 0.3, "/"}, {"z", 2, "/"}, {"w", 1.5, "/"}};
    static const NamedValue v[] = {{"x", 1, "/"}};
    static const AnalysisSpec none[1];
    const TestModel model = {
        .coordinates = {"x", "y", "z", "w"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(w)^2)/2 - y - w",
        .constraints = {"x^2 + y^2 = 0.09", "(z - 2)^2 + w^2 = 2.25", "(x - z)^2 + (y - w)^2 = 4"}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = 3;
    spec.initial.n_v = 1;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.time = (TimeSpec){.end = 20, .samples = 31};
    spec.analyses = none;
    TestRun run = test_run(&model, &spec);
    ck_assert_int_eq(run.result.end.status, OK);
    ck_assert_uint_eq(run.result.n_singular, 0);
    ck_assert_uint_eq(run.result.n_warnings, 0);
    test_run_done(&run);
}
END_TEST

/* A crank in line, an angle beside a length: th(2) by quadrature. Numbers alone, as units of length
 * leave them in a text; at 1e-6 and 1e-9 the run ended. */
START_TEST(a_passage_is_the_same_in_every_unit_of_length)
{
    static const double LENGTHS[] = {1e-12, 1e-9, 1e-6, 1e-3, 1, 1e6, 1e12};
    const double l = LENGTHS[_i];
    char lagrangian[100], constraint[100];
    (void)snprintf(lagrangian, sizeof lagrangian, "%.17g*dot(th)^2/2 + dot(x)^2/2", l * l);
    (void)snprintf(constraint, sizeof constraint, "x^2 - 2*%.17g*x*cos(th)", l);
    const TestModel model = {
        .coordinates = {"th", "x"}, .lagrangian = lagrangian, .constraints = {constraint}};
    const NamedValue q[] = {{"th", 0.5, "/"}, {"x", 2 * l * cos(0.5), "/"}};
    const NamedValue v[] = {{"th", 1, "/"}, {"x", -2 * l * sin(0.5), "/"}};
    static const AnalysisSpec none[1];
    JobSpec spec;
    job_spec_init(&spec);
    spec.initial.q = q, spec.initial.n_q = 2;
    spec.initial.v = v, spec.initial.n_v = 2;
    spec.time.end = 2;
    spec.integrator.rtol = 1e-10;
    spec.analyses = none;
    TestRun run = test_run(&model, &spec);
    const double th = 1.89105595032036;

    ck_assert_uint_eq(run.result.n_singular, 1);
    ck_assert_double_eq_tol(test_value(&run, -1, "th"), th, 1e-9);
    ck_assert_double_eq_tol(test_value(&run, -1, "x") / l, 2 * cos(th), 1e-9);
    test_run_done(&run);
}
END_TEST

/* Beside a crank whose angle is of size 1: a body that swings as far as the crank is long, with the
 * motion cos(w t), and one that rests but for rounding. At 1e-12 the passage did not look at what
 * swings: it was off by 1e-2. */
START_TEST(a_passage_computes_what_is_small_beside_an_angle)
{
    static const double LENGTHS[] = {1e-12, 1e-6, 1, 1e9};
    static const NamedText NONE[8],
        NOISE[8] = {{"y", "(dot(th)*sin(th)*l + dot(x)/2)/l", "", NULL}};
    const double l = LENGTHS[_i / 2];
    const bool rests = _i % 2;
    TestModel model = {.coordinates = {"th", "x", "y"},
                       .parameters = {{"l", l, ""}, {"m", 1, ""}, {"w", rests ? 0 : 10, ""}},
                       .lagrangian = "l^2*dot(th)^2/2 + dot(x)^2/2 + m*(dot(y)^2 - w^2*y^2)/2",
                       .constraints = {"x^2 - 2*l*x*cos(th)"}};
    const NamedValue q[] = {
        {"th", 0.5, "/"}, {"x", 2 * l * cos(0.5), "/"}, {"y", rests ? 0 : l, "/"}};
    const NamedValue v[] = {{"th", 1, "/"}, {"x", -2 * l * sin(0.5), "/"}};
    static const AnalysisSpec none[1];
    JobSpec spec;
    memcpy(model.forces, rests ? NOISE : NONE, sizeof model.forces);
    job_spec_init(&spec);
    spec.initial.q = q, spec.initial.n_q = 3;
    spec.initial.v = v, spec.initial.n_v = 2;
    spec.time.end = 2;
    spec.integrator.rtol = 1e-10;
    spec.analyses = none;
    TestRun run = test_run(&model, &spec);

    ck_assert_uint_eq(run.result.n_singular, 1);
    ck_assert_double_eq_tol(test_value(&run, -1, "th"), 1.89105595032036, 1e-9);
    ck_assert_double_eq_tol(test_value(&run, -1, "y") / (rests ? 1 : l), rests ? 0 : cos(20), 1e-8);
    test_run_done(&run);
}
END_TEST

/* A parallelogram that nothing moves but its own speed turns evenly, and steps are as long as they
 * like: they led over whole turns behind a passage, and two configurations of each were not
 * seen. */
START_TEST(steps_behind_a_passage_count_the_next_ones)
{
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamiltonian", "voronec",
                                               "hamel"};
    static const AnalysisSpec none[1];
    static const double STARTS[] = {0.3, 1, 2};
    const TestModel model = {
        .coordinates = {"p", "q", "s"},
        .lagrangian = "(dot(p)^2 + dot(q)^2 + dot(s)^2)/2",
        .constraints = {"cos(p) + 2*cos(q) - cos(s) = 2", "sin(p) + 2*sin(q) - sin(s) = 0"}};

    for (size_t k = 0; k < sizeof STARTS / sizeof *STARTS; k++) {
        const NamedValue q[] = {{"p", STARTS[k], "/"}, {"q", 0, "/"}, {"s", STARTS[k], "/"}};
        const NamedValue v[] = {{"p", 1, "/"}};
        JobSpec spec;

        job_spec_init(&spec);
        spec.formulation = FORMULATIONS[_i % 4];
        spec.integrator.rtol = _i / 4 == 0 ? 1e-3 : 1e-6;
        spec.initial.q = q, spec.initial.n_q = 3;
        spec.initial.v = v, spec.initial.n_v = 1;
        spec.time = (TimeSpec){.end = 20, .samples = 2};
        spec.analyses = none;
        TestRun run = test_run(&model, &spec);
        ck_assert_msg(run.result.end.complete, "from %g: %s", STARTS[k], run.result.end.message);
        ck_assert_uint_eq(run.result.n_singular, (size_t)((STARTS[k] + 20) / 3.14159265));
        test_run_done(&run);
    }
}
END_TEST

SUITE(singular)
{
    TCase *tc = suite_case(suite, "singular");
    tcase_add_test(tc, a_passage_is_told_with_its_instant_and_a_sample_there_is_whole);
    tcase_add_test(tc, a_passage_is_left_where_the_motion_becomes_another_one);
    tcase_add_loop_test(tc, a_rank_that_is_lost_and_found_again_in_one_step_is_told, 0, 2);
    tcase_add_loop_test(tc, a_passage_swallows_nothing_narrow, 0, 18);
    tcase_add_loop_test(tc, what_is_narrow_at_the_configuration_itself_is_seen_or_ends_the_run, 0,
                        7);
    tcase_add_loop_test(tc, what_happens_in_a_passage_is_seen_in_every_formulation, 0, 12);
    tcase_add_loop_test(tc, fixed_steps_come_across_in_every_formulation, 0, 12);
    tcase_add_test(tc, what_lies_beyond_the_end_of_the_run_is_not_told);
    tcase_add_test(tc, branches_that_come_close_are_not_confused);
    tcase_add_loop_test(tc, steps_behind_a_passage_count_the_next_ones, 0, 8);
    tcase_add_test(tc, where_no_motion_goes_on_the_run_ends_with_the_reason);
    tcase_add_test(tc, a_regular_linkage_is_left_alone);
    tcase_add_loop_test(tc, a_passage_is_the_same_in_every_unit_of_length, 0, 7);
    tcase_add_loop_test(tc, a_passage_computes_what_is_small_beside_an_angle, 0, 8);
}
