/* What happens along a motion: impacts, corners of the forces, terminal events. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* A ball that loses a tenth of its speed at each impact: impact times are a geometric series. */
START_TEST(impacts_are_located_to_round_off)
{
    const TestModel ball = {.coordinates = {"y"}, .lagrangian = "dot(y)^2/2 - 9.81*y"};
    const NamedValue q[] = {{"y", 2, ""}};
    const NamedText set[] = {{"dot(y)", "-0.9*dot(y)", "/events/0/set/dot(y)", NULL}};
    const EventSpec events[] = {{.name = "impact",
                                 .when = {NULL, "y", "/events/0/when", NULL},
                                 .direction = -1,
                                 .set = set,
                                 .n_set = 1,
                                 .pointer = "/events/0"}};
    JobSpec spec = test_job(5, 6);
    spec.initial.q = q;
    spec.initial.n_q = 1;
    spec.events = events;
    spec.n_events = 1;
    TestRun run = test_run(&ball, &spec);

    double t = sqrt(2 * 2 / 9.81), speed = 9.81 * t;
    ck_assert_uint_ge(run.n_event_rows, 4);
    for (size_t k = 0; k < run.n_event_rows; k++) {
        ck_assert_double_eq_tol(test_event_value(&run, k, "t"), t, 1e-13);
        ck_assert_double_eq_tol(test_event_value(&run, k, "y"), 0, 1e-13);
        ck_assert_double_eq_tol(test_event_value(&run, k, "dot(y)"), -speed, 1e-12);
        speed *= 0.9;
        t += 2 * speed / 9.81;
    }
    ck_assert_double_gt(t, 5);
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-13); /* the jumps are accounted for */
    ck_assert_uint_eq(run.result.impacts.count, run.n_event_rows);
    ck_assert_double_eq_tol(run.result.energy.impact_work,
                            run.result.energy.final - run.result.energy.initial, 1e-11);
    ck_assert(run.result.energy.projection_work == 0 && run.result.impacts.max_velocity == 0);
    test_run_done(&run);
}
END_TEST

/* A blow against a smooth line: the part of the new velocity across it is taken away, and said. */
START_TEST(states_after_events_are_made_admissible_and_it_is_said)
{
    const TestModel bead = {.coordinates = {"x", "y"},
                            .lagrangian = "2*(dot(x)^2 + dot(y)^2)",
                            .constraints = {"x - y"}};
    const NamedValue v[] = {{"x", 1, ""}};
    const NamedText set[] = {{"dot(x)", "4", "", NULL}, {"dot(y)", "-2", "", NULL}};
    const EventSpec events[] = {{.name = "blow",
                                 .when = {NULL, "x - 1", "/events/0/when", NULL},
                                 .set = set,
                                 .n_set = 2,
                                 .pointer = "/events/0"}};
    JobSpec spec = test_job(2, 3);
    spec.initial.v = v;
    spec.initial.n_v = 1;
    spec.events = events;
    spec.n_events = 1;
    TestRun run = test_run(&bead, &spec);

    /* (4, -2) becomes (1, 1): (3, -3) is off */
    ck_assert_uint_eq(run.result.impacts.count, 1);
    ck_assert_double_eq_tol(run.result.impacts.max_velocity, sqrt(18), 1e-12);
    ck_assert_double_eq_tol(run.result.energy.impact_work, 0, 1e-12);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), 2, 1e-12);
    test_run_done(&run);
}
END_TEST

/* A block on a floor with Coulomb friction stops at t = v/(mu g) and stays. */
START_TEST(coulomb_friction_stops_a_block_and_it_rests)
{
    const TestModel block = {.coordinates = {"x"},
                             .parameters = {{"mu", 0.3, ""}},
                             .lagrangian = "dot(x)^2/2",
                             .forces = {{"x", "-mu*9.81*sign(dot(x))", "/model/forces/x", NULL}}};
    const NamedValue v[] = {{"x", 2, ""}};
    JobSpec spec = test_job(2, 21);
    spec.initial.v = v;
    spec.initial.n_v = 1;
    TestRun run = test_run(&block, &spec);

    double stop = 2 / (0.3 * 9.81);
    for (long k = 0; k < 21; k++) {
        double t = fmin(test_value(&run, k, "t"), stop);
        ck_assert_double_eq_tol(test_value(&run, k, "x"), 2 * t - 0.15 * 9.81 * t * t, 1e-12);
    }
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), 0, 1e-14);
    ck_assert_uint_eq(run.result.steps.switches, 1);
    ck_assert_int_eq(run.result.found.verdicts[0].predicted, PREDICTED_NO);
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-12);
    test_run_done(&run);
}
END_TEST

/* Friction that would have to hold against a load is no smooth motion on either side. */
START_TEST(sticking_friction_fails_as_chattering)
{
    const TestModel block = {.coordinates = {"x"},
                             .lagrangian = "dot(x)^2/2",
                             .forces = {{"x", "1 - 3*sign(dot(x))", "/model/forces/x", NULL}}};
    const NamedValue v[] = {{"x", 1, ""}};
    JobSpec spec = test_job(2, 21);
    spec.initial.v = v;
    spec.initial.n_v = 1;
    TestRun run = test_run(&block, &spec);

    ck_assert(!run.result.end.complete);
    ck_assert_str_eq(run.result.end.reason, "limit");
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "chattering"));
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "the last by a corner"));
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "; dot(x) = "));
    ck_assert_double_eq_tol(run.result.end.t, 0.5, 1e-3);
    ck_assert_uint_ge(run.n_rows, 5); /* what was reached is kept */
    test_run_done(&run);
}
END_TEST

START_TEST(a_terminal_event_ends_the_run_whole)
{
    const TestModel ball = {.coordinates = {"y"}, .lagrangian = "dot(y)^2/2 - 9.81*y"};
    const NamedValue q[] = {{"y", 2, ""}};
    const EventSpec events[] = {
        {.name = "ground", .when = {NULL, "y", "", NULL}, .terminal = true, .pointer = ""}};
    JobSpec spec = test_job(5, 501);
    spec.initial.q = q;
    spec.initial.n_q = 1;
    spec.events = events;
    spec.n_events = 1;
    TestRun run = test_run(&ball, &spec);

    ck_assert(run.result.end.complete);
    ck_assert_str_eq(run.result.end.stopped_by, "ground");
    ck_assert_double_eq_tol(run.result.end.t, sqrt(4 / 9.81), 1e-14);
    ck_assert_uint_eq(run.n_event_rows, 1);
    ck_assert_uint_eq(run.n_rows, 2 + (size_t)floor(sqrt(4 / 9.81) / 0.01)); /* and the end */
    test_run_done(&run);
}
END_TEST

SUITE(happenings)
{
    TCase *tc = suite_case(suite, "happenings");
    tcase_add_test(tc, impacts_are_located_to_round_off);
    tcase_add_test(tc, states_after_events_are_made_admissible_and_it_is_said);
    tcase_add_test(tc, coulomb_friction_stops_a_block_and_it_rests);
    tcase_add_test(tc, sticking_friction_fails_as_chattering);
    tcase_add_test(tc, a_terminal_event_ends_the_run_whole);
}
