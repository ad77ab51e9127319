/* The last row of a motion that a terminal event ends. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const TestModel BALL = {.coordinates = {"y"}, .lagrangian = "dot(y)^2/2 - 9.81*y"};
static const NamedValue HIGH[] = {{"y", 2, ""}};
static const NamedText BOUNCE[] = {{"dot(y)", "-dot(y)/2", "", NULL}};

static EventSpec ground(void)
{
    return (EventSpec){.name = "ground",
                       .when = {NULL, "y", "/events/0/when", NULL},
                       .direction = -1,
                       .terminal = true,
                       .pointer = "/events/0"};
}

static JobSpec fall(const EventSpec *event)
{
    JobSpec spec = test_job(5, 51);

    spec.initial.q = HIGH;
    spec.initial.n_q = 1;
    spec.events = event;
    spec.n_events = 1;
    return spec;
}

/* The row of the event, to the bit, behind the samples before it. */
static void expect_end_row(const TestRun *run, size_t n_samples)
{
    const double *end = run->rows + (run->n_rows - 1) * run->columns;

    ck_assert(run->result.end.complete && run->result.end.between);
    ck_assert_str_eq(run->result.end.stopped_by, "ground");
    ck_assert_uint_eq(run->n_rows, n_samples + 1);
    ck_assert_uint_eq(run->result.samples, run->n_rows);
    ck_assert_uint_eq(run->n_event_rows, 1);
    ck_assert_mem_eq(end, run->event_rows, run->columns * sizeof *end);
    ck_assert_double_eq(end[0], run->result.end.t);
}

START_TEST(the_last_row_is_that_of_the_event)
{
    static const char *const METHODS[] = {"dop853", "bdf", "rk4"};
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamiltonian", "hamel"};
    const NamedText observe[] = {{"energy", "energy()", "", NULL}, {"a", "ddot(y)", "", NULL}};
    const EventSpec event = ground();
    JobSpec spec = fall(&event);

    spec.integrator.method = METHODS[_i % 3];
    spec.formulation = FORMULATIONS[_i / 3];
    spec.integrator.step = _i % 3 == 2 ? 0.013 : 0;
    spec.observe = observe;
    spec.n_observe = 2;
    TestRun run = test_run(&BALL, &spec);
    expect_end_row(&run, 7); /* 0, 0.1, .. 0.6 */
    ck_assert_double_eq_tol(run.result.end.t, sqrt(4 / 9.81), 1e-10);
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(y)"), -sqrt(4 * 9.81), 1e-9);
    ck_assert_double_eq_tol(test_value(&run, -1, "energy"), 2 * 9.81, 1e-8);
    ck_assert_double_eq_tol(test_value(&run, -1, "a"), -9.81, 1e-10);
    test_run_done(&run);
}
END_TEST

/* The state behind it is the final one. */
START_TEST(the_row_is_the_state_before_the_change)
{
    EventSpec event = ground();
    JobSpec spec = fall(&event);

    event.set = BOUNCE;
    event.n_set = 1;
    TestRun run = test_run(&BALL, &spec);
    expect_end_row(&run, 7);
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(y)"), -sqrt(4 * 9.81), 1e-12);
    ck_assert_double_eq(run.result.final.v[0], -test_value(&run, -1, "dot(y)") / 2);
    test_run_done(&run);
}
END_TEST

START_TEST(an_instant_that_is_a_sample_has_one_row)
{
    static const double AT[] = {0.3};
    const EventSpec event = {.name = "ground",
                             .kind = EVENT_AT,
                             .at = AT,
                             .n_at = 1,
                             .terminal = true,
                             .pointer = "/events/0"};
    JobSpec spec = fall(&event);

    spec.time.end = 0.5; /* 0, 0.1, .. */
    spec.time.samples = 6;
    TestRun run = test_run(&BALL, &spec);
    ck_assert_str_eq(run.result.end.stopped_by, "ground");
    ck_assert(!run.result.end.between);
    ck_assert_uint_eq(run.n_rows, 4);
    ck_assert_double_eq(test_value(&run, -1, "t"), 0.3);
    test_run_done(&run);
}
END_TEST

/* Before the first sample, and behind the last one. */
START_TEST(samples_may_lie_elsewhere)
{
    static const double LATE[] = {1, 2};
    const EventSpec event = ground();
    JobSpec spec = fall(&event);

    spec.time = (TimeSpec){.kind = TIME_AT, .at = LATE, .n_at = 2};
    TestRun run = test_run(&BALL, &spec);
    expect_end_row(&run, 0);
    test_run_done(&run);
    spec.time = (TimeSpec){.kind = TIME_EVERY, .every = 0.4, .end = 0.7};
    run = test_run(&BALL, &spec);
    expect_end_row(&run, 2);
    test_run_done(&run);
}
END_TEST

START_TEST(backwards_in_time_the_row_is_the_last_too)
{
    const NamedValue v[] = {{"y", 1, ""}};
    EventSpec event = ground();
    JobSpec spec = fall(&event);

    event.direction = 0;
    spec.initial.v = v;
    spec.initial.n_v = 1;
    spec.time.end = -5;
    TestRun run = test_run(&BALL, &spec);
    expect_end_row(&run, 1 + (size_t)(-run.result.end.t / 0.1));
    ck_assert_double_lt(test_value(&run, -1, "t"), test_value(&run, -2, "t"));
    test_run_done(&run);
}
END_TEST

/* A run that fails where it would have ended was not ended by the event. */
START_TEST(a_failed_run_has_no_such_row)
{
    const NamedText nonsense[] = {{"dot(y)", "sqrt(y - 1)", "", NULL}};
    EventSpec event = ground();
    JobSpec spec = fall(&event);

    event.set = nonsense;
    event.n_set = 1;
    TestRun run = test_run(&BALL, &spec);
    ck_assert_int_eq(run.result.end.status, ERR_NUMERIC);
    ck_assert_ptr_null(run.result.end.stopped_by);
    ck_assert(!run.result.end.between);
    ck_assert_uint_eq(run.n_rows, 7);
    test_run_done(&run);
}
END_TEST

START_TEST(a_run_without_such_an_event_has_its_samples)
{
    EventSpec event = ground();
    JobSpec spec = fall(&event);

    event.terminal = false;
    TestRun run = test_run(&BALL, &spec);
    ck_assert_ptr_null(run.result.end.stopped_by);
    ck_assert(!run.result.end.between);
    ck_assert_uint_eq(run.n_rows, 51);
    test_run_done(&run);
}
END_TEST

SUITE(ends)
{
    TCase *tc = suite_case(suite, "ends");
    tcase_add_loop_test(tc, the_last_row_is_that_of_the_event, 0, 9);
    tcase_add_test(tc, the_row_is_the_state_before_the_change);
    tcase_add_test(tc, an_instant_that_is_a_sample_has_one_row);
    tcase_add_test(tc, samples_may_lie_elsewhere);
    tcase_add_test(tc, backwards_in_time_the_row_is_the_last_too);
    tcase_add_test(tc, a_failed_run_has_no_such_row);
    tcase_add_test(tc, a_run_without_such_an_event_has_its_samples);
}
