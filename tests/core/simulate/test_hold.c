/* initial.hold: coordinates that keep their values while the others are projected. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* A crank th, the end of its bar at (x, y), which is a slider on a line. */
static const TestModel SLIDER = {
    .coordinates = {"th", "x", "y"},
    .parameters = {{"r", 1, ""}, {"l", 3, ""}},
    .lagrangian = "(dot(th)^2 + dot(x)^2 + dot(y)^2)/2 - 9.81*y",
    .constraints = {"(x - r*cos(th))^2 + (y - r*sin(th))^2 = l^2", "y = 0"},
    .base = {"th"},
};
static const NamedValue GUESS[] = {{"th", 0.7, ""}, {"x", 3.5, ""}, {"y", 0.2, ""}};
static const NamedText CRANK[] = {{.name = "th", .pointer = "/initial/hold/0"}};

static JobSpec held_job(const NamedText *hold, size_t n_hold)
{
    JobSpec spec = test_job(0.5, 3);

    spec.initial.q = GUESS, spec.initial.n_q = 3;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.initial.hold = hold, spec.initial.n_hold = n_hold;
    return spec;
}

static double change_of(const TestRun *run, const char *column)
{
    const Value *change = value_member(run->result.initial.change, column);
    return change ? change->number : 0;
}

START_TEST(the_rest_is_assembled_in_every_formulation)
{
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "voronec", "hamiltonian",
                                               "vakonomic"};
    const MultiplierSpec mu[] = {{.value = 0.1}, {.value = 0.2}};
    const double end = cos(0.7) + sqrt(9 - sin(0.7) * sin(0.7));
    JobSpec spec = held_job(CRANK, 1);

    spec.formulation = FORMULATIONS[_i];
    if (_i == 3)
        spec.initial.mu = mu, spec.initial.n_mu = 2, spec.initial.mu_given = true;
    TestRun run = test_run(&SLIDER, &spec);
    ck_assert(test_value(&run, 0, "th") == 0.7);
    ck_assert_double_eq_tol(test_value(&run, 0, "x"), end, 1e-14);
    ck_assert_double_eq_tol(test_value(&run, 0, "y"), 0, 1e-15);
    /* the answer tells what was moved, and nothing else */
    ck_assert_uint_eq(value_count(run.result.initial.change), 2);
    ck_assert_double_eq_tol(change_of(&run, "x"), end - 3.5, 1e-14);
    ck_assert_double_eq_tol(change_of(&run, "y"), -0.2, 1e-15);
    test_run_done(&run);
}
END_TEST

START_TEST(a_change_of_velocities_is_told_of_those_that_were_given)
{
    const NamedValue v[] = {{"th", 1, ""}, {"x", 0, ""}, {"y", 0, ""}};
    JobSpec spec = held_job(CRANK, 1);

    spec.initial.v = v, spec.initial.n_v = 1;
    TestRun run = test_run(&SLIDER, &spec);
    ck_assert(test_value(&run, 0, "dot(th)") == 1 &&
              !value_member(run.result.initial.change, "dot(x)"));
    test_run_done(&run);
    spec.initial.n_v = 3;
    run = test_run(&SLIDER, &spec);
    ck_assert_double_eq(change_of(&run, "dot(x)"), test_value(&run, 0, "dot(x)"));
    ck_assert_double_lt(change_of(&run, "dot(x)"), 0);
    ck_assert_double_eq(change_of(&run, "dot(th)"), test_value(&run, 0, "dot(th)") - 1);
    test_run_done(&run);
    /* of a state that is admissible nothing */
    const NamedValue q[] = {{"th", 0, ""}, {"x", 4, ""}};
    spec.initial.q = q, spec.initial.n_q = 2, spec.initial.n_v = 0;
    run = test_run(&SLIDER, &spec);
    ck_assert_uint_eq(value_count(run.result.initial.change), 0);
    test_run_done(&run);
}
END_TEST

START_TEST(what_cannot_be_held_is_refused_at_its_place)
{
    static const NamedText WRONG[] = {{.name = "th", .pointer = "/initial/hold/0"},
                                      {.name = "thet", .pointer = "/initial/hold/1"},
                                      {.name = "y", .pointer = "/initial/hold/2"},
                                      {.name = "th", .pointer = "/initial/hold/3"}};
    static const NamedText ALL[] = {{.name = "y", .pointer = "/initial/hold/0"},
                                    {.name = "x", .pointer = "/initial/hold/1"},
                                    {.name = "th", .pointer = "/initial/hold/2"}};
    JobSpec spec = held_job(WRONG, 4);

    spec.initial.n_q = 2;
    TestRun run = test_refused(&SLIDER, &spec);
    ck_assert_uint_eq(run.diag->total, 3);
    ck_assert(test_says(&run, "/initial/hold/1", "unknown coordinate \"thet\""));
    ck_assert(test_says(&run, "/initial/hold/2", "y is held, and has no value"));
    ck_assert(test_says(&run, "/initial/hold/3", "th is held twice"));
    test_run_done(&run);
    /* nothing is projected */
    spec = held_job(CRANK, 1);
    spec.initial.consistency = CONSISTENCY_REQUIRE;
    test_expect_refused(&SLIDER, &spec, "/initial/hold/0", "none is here");
    /* there is nothing left that could move */
    spec = held_job(ALL, 3);
    run = test_refused(&SLIDER, &spec);
    ck_assert_uint_eq(run.diag->total, 2);
    ck_assert(test_says(&run, "/initial/hold/1", "c1 is violated by"));
    ck_assert(test_says(&run, "/initial/hold/0", "c2 is violated by 0.2 "));
    test_run_done(&run);
    /* what is left cannot close the loop: 2 above the line, by a bar of 1 */
    const NamedValue q[] = {{"th", 1.5707963267948966, ""}, {"x", 1, ""}};
    const NamedValue shapes[] = {{"r", 2, ""}, {"l", 1, ""}};
    spec = held_job(CRANK, 1);
    spec.initial.q = q, spec.initial.n_q = 2;
    spec.parameters = shapes, spec.n_parameters = 2;
    run = test_refused(&SLIDER, &spec);
    ck_assert_uint_ge(run.diag->total, 1);
    ck_assert(test_says(&run, "/initial/hold", "c1 is violated by"));
    test_run_done(&run);
}
END_TEST

START_TEST(a_state_in_a_chart_holds_nothing)
{
    static const NamedText MAP[] = {{"x", "cos(a)", "", NULL}, {"y", "sin(a)", "", NULL}};
    static const CoordinateText ANGLE[] = {{.name = "a", .pointer = ""}};
    static const NamedText HELD[] = {{.name = "x", .pointer = "/initial/hold/0"}};
    const TestModel circle = {
        .coordinates = {"x", "y"},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
        .constraints = {"x^2 + y^2 = 1"},
        .chart = {.pointer = "", .coordinates = ANGLE, .n_coordinates = 1, .map = MAP, .n_map = 2},
    };
    const NamedValue chart_q[] = {{"a", 0.5, ""}};
    JobSpec spec = held_job(HELD, 1);

    spec.initial.n_q = 0;
    spec.initial.in_chart = true;
    spec.initial.chart_q = chart_q, spec.initial.n_chart_q = 1;
    test_expect_refused(&circle, &spec, "/initial/hold/0", "in its chart");
}
END_TEST

SUITE(hold)
{
    TCase *tc = suite_case(suite, "held coordinates");
    tcase_add_loop_test(tc, the_rest_is_assembled_in_every_formulation, 0, 4);
    tcase_add_test(tc, a_change_of_velocities_is_told_of_those_that_were_given);
    tcase_add_test(tc, what_cannot_be_held_is_refused_at_its_place);
    tcase_add_test(tc, a_state_in_a_chart_holds_nothing);
}
