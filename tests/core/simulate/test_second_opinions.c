/* Second opinions of a whole run: the rows of events, the last row and the final state, against
 * motions that are known. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* x = cos t */
static const TestModel OSCILLATOR = {.coordinates = {"x"}, .lagrangian = "(dot(x)^2 - x^2)/2"};
static const NamedValue ONE[] = {{"x", 1, ""}};
static const double QUARTER = 1.57079632679489661923;
enum { X, V };

/* Swings up to where it would stand for ever: errors grow as e^t, 3e6 times in t = 15, 1e13 times
 * in t = 30. */
static const TestModel PENDULUM = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 + cos(x)"};
static const NamedValue ZERO[] = {{"x", 0, ""}}, UP[] = {{"x", 2, ""}};

static JobSpec job(double rtol)
{
    JobSpec spec = test_job(100, 2);

    spec.initial.q = ONE;
    spec.initial.n_q = 1;
    spec.integrator.rtol = rtol;
    spec.integrator.atol = rtol / 100;
    spec.accuracy = true;
    return spec;
}

static EventSpec event(const char *when, int direction)
{
    return (EventSpec){.name = "hit",
                       .when = {NULL, when, "/events/0/when", NULL},
                       .direction = direction,
                       .pointer = "/events/0"};
}

/* An estimate is the error but for a few per cent; rounding is 1e-15. */
static void expect_estimate(double found, double error)
{
    ck_assert_double_gt(error, 1e-13);
    ck_assert_double_ge(found, 0.9 * error);
    ck_assert_double_le(found, 1.1 * error);
}

static const char *warning(const TestRun *run, const char *name)
{
    for (size_t k = 0; k < run->result.n_warnings; k++)
        if (strncmp(run->result.warnings[k], name, strlen(name)) == 0)
            return run->result.warnings[k];
    return NULL;
}

START_TEST(an_end_between_samples_is_compared)
{
    static const double RTOLS[] = {1e-2, 1e-4, 1e-7};
    static const char *const OTHERS[] = {"hamiltonian", "hamel"};
    EventSpec stop = event("x", -1);
    JobSpec spec = job(RTOLS[_i]);

    stop.terminal = true;
    spec.events = &stop;
    spec.n_events = 1;
    spec.compare = OTHERS;
    spec.n_compare = 2;
    TestRun run = test_run(&OSCILLATOR, &spec);
    const Comparison *finer = &run.result.second.accuracy->finer;
    ck_assert_uint_eq(finer->samples, 2);
    ck_assert_uint_eq(finer->event_rows, 0);
    expect_estimate(finer->absolute[V], fabs(test_value(&run, -1, "dot(x)") + 1));
    ck_assert_double_eq(finer->instants[V], run.result.end.t);
    for (size_t k = 0; k < 2; k++)
        ck_assert_uint_eq(run.result.second.comparisons[k].samples, 2);
    test_run_done(&run);
}
END_TEST

/* The state behind the end knows the instant of the event, which no row compares. */
START_TEST(the_state_behind_the_end_is_compared)
{
    const NamedText set[] = {{"dot(x)", "t", "", NULL}};
    EventSpec stop = event("x", -1);
    JobSpec spec = job(1e-4);

    stop.terminal = true;
    stop.set = set;
    stop.n_set = 1;
    spec.events = &stop;
    spec.n_events = 1;
    TestRun run = test_run(&OSCILLATOR, &spec);
    const double row = fabs(test_value(&run, -1, "dot(x)") + 1);
    const double final = fabs(run.result.final.v[0] - QUARTER);
    ck_assert_double_eq(run.result.final.v[0], run.result.end.t);
    expect_estimate(run.result.second.accuracy->finer.absolute[V], fmax(row, final));
    test_run_done(&run);
}
END_TEST

/* Samples may end before the motion does. */
START_TEST(an_end_behind_the_last_sample_is_compared)
{
    JobSpec spec = job(1e-4);

    spec.time = (TimeSpec){.kind = TIME_EVERY, .every = 39.5, .end = 40};
    TestRun run = test_run(&OSCILLATOR, &spec);
    double errors[2] = {fabs(run.result.final.q[0] - cos(40)),
                        fabs(run.result.final.v[0] + sin(40))};
    const Comparison *finer = &run.result.second.accuracy->finer;
    ck_assert_uint_eq(finer->samples, 2);
    errors[X] = fmax(errors[X], fabs(test_value(&run, -1, "x") - cos(39.5)));
    errors[V] = fmax(errors[V], fabs(test_value(&run, -1, "dot(x)") + sin(39.5)));
    expect_estimate(finer->absolute[X], errors[X]);
    expect_estimate(finer->absolute[V], errors[V]);
    test_run_done(&run);
}
END_TEST

/* Thirteen crossings, between two samples. */
START_TEST(rows_of_events_are_compared)
{
    static const char *const METHODS[] = {"dop853", "bdf", "rk4"};
    const EventSpec hit = event("x", 0);
    JobSpec spec = job(1e-6);
    double worst = 0;

    spec.integrator.method = METHODS[_i];
    spec.integrator.step = _i == 2 ? 0.05 : 0;
    spec.time.end = 40;
    spec.events = &hit;
    spec.n_events = 1;
    TestRun run = test_run(&OSCILLATOR, &spec);
    for (size_t k = 0; k < run.n_event_rows; k++)
        worst = fmax(worst, fabs(fabs(test_event_value(&run, k, "dot(x)")) - 1));
    const Comparison *finer = &run.result.second.accuracy->finer;
    ck_assert_uint_eq(run.n_event_rows, 13);
    ck_assert_uint_eq(finer->samples, 2);
    ck_assert_uint_eq(finer->event_rows, 0);
    ck_assert_double_ge(finer->absolute[V],
                        0.8 * worst); /* of order 4, 15/16; bdf's orders change */
    ck_assert_double_gt(worst, 1e-13);
    test_run_done(&run);
}
END_TEST

/* Steps of rk4 lose h^6/144 of the amplitude each: roots near the top get lost, later if steps are
 * half as long. Rows that have no partner are not compared with others. */
START_TEST(rows_without_a_partner_are_counted)
{
    const EventSpec hit = event("x - 1 + 1e-4", 1);
    const NamedText observe[] = {{"clock", "t", "", NULL}};
    const ReduceSpec reduce[] = {
        {.name = "rows", .take = REDUCE_FINDING, .of = {NULL, "accuracy.event_rows", "", NULL}},
        {.name = "off",
         .take = REDUCE_FINDING,
         .of = {NULL, "accuracy.columns.clock.absolute", "", NULL}}};
    JobSpec spec = job(1e-10);

    spec.integrator.method = "rk4";
    spec.integrator.step = 0.25;
    spec.time.end = 99;
    spec.events = &hit;
    spec.n_events = 1;
    spec.observe = observe;
    spec.n_observe = 1;
    spec.reduce = reduce;
    spec.n_reduce = 2;
    TestRun run = test_run(&OSCILLATOR, &spec);
    const Comparison *finer = &run.result.second.accuracy->finer;
    ck_assert_uint_eq(finer->event_rows, 15 - run.n_event_rows);
    ck_assert_uint_gt(run.n_event_rows, 0);
    ck_assert_uint_lt(run.n_event_rows, 10);
    ck_assert_double_le(finer->absolute[2], 0.25);
    ck_assert_ptr_nonnull(warning(&run, "event_rows: the event hit has"));
    ck_assert_double_eq(run.result.reduced[0], (double)finer->event_rows);
    ck_assert_double_eq(run.result.reduced[1], finer->absolute[2]);
    test_run_done(&run);
}
END_TEST

/* A terminal event that one motion meets, and the other does not: the amplitude after half a period
 * of whole steps is too small for it, after half a period of half steps it is not. */
START_TEST(ends_that_are_not_the_same_differ)
{
    const NamedValue low[] = {{"x", -1 + 1e-4 - 4e-6, ""}};
    EventSpec stop = event("x - 1 + 1e-4", 1);
    JobSpec spec = job(1e-10);

    stop.terminal = true;
    spec.integrator.method = "rk4";
    spec.integrator.step = 0.25;
    spec.initial.q = low;
    spec.time.end = 4;
    spec.events = &stop;
    spec.n_events = 1;
    TestRun run = test_run(&OSCILLATOR, &spec);
    const Comparison *finer = &run.result.second.accuracy->finer;
    ck_assert_ptr_null(run.result.end.stopped_by);
    ck_assert_uint_eq(finer->event_rows, 1);
    ck_assert_double_lt(finer->t_reached, 4);
    ck_assert_ptr_nonnull(warning(&run, "event_rows"));
    ck_assert_ptr_nonnull(warning(&run, "inaccurate"));
    ck_assert_double_gt(finer->max_absolute, 0.1);
    test_run_done(&run);
}
END_TEST

START_TEST(a_motion_that_is_far_off_is_told_with_column_instant_and_number)
{
    JobSpec spec = job(1e-2);
    char instant[32];

    spec.time.samples = 101;
    TestRun run = test_run(&OSCILLATOR, &spec);
    const Comparison *finer = &run.result.second.accuracy->finer;
    const size_t worst = finer->relative[V] > finer->relative[X] ? V : X;
    const char *text = warning(&run, "inaccurate: the error of ");
    ck_assert_double_gt(finer->max_relative, 1e-3);
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(strstr(text, worst == V ? "of dot(x) " : "of x "));
    snprintf(instant, sizeof instant, "at t = %.9g", finer->instants[worst]);
    ck_assert_ptr_nonnull(strstr(text, instant));
    snprintf(instant, sizeof instant, "%.3g of its size", finer->max_relative);
    ck_assert_ptr_nonnull(strstr(text, instant));
    ck_assert_ptr_null(strstr(text, "bound"));
    test_run_done(&run);
}
END_TEST

/* 1e4 tolerances, and 1e-8 at least. */
START_TEST(a_motion_is_inaccurate_beyond_its_tolerance)
{
    static const struct {
        double rtol, end;
        bool told;
    } CASES[] = {{1e-10, 40, false}, {1e-7, 40, false}, {1e-10, 30, true}, {1e-13, 15, false}};
    JobSpec spec = job(CASES[_i].rtol);

    spec.time.end = CASES[_i].end;
    spec.initial.q = CASES[_i].end < 40 ? ZERO : ONE;
    spec.initial.v = UP;
    spec.initial.n_v = CASES[_i].end < 40;
    TestRun run = test_run(spec.initial.n_v ? &PENDULUM : &OSCILLATOR, &spec);
    const double error = run.result.second.accuracy->finer.max_relative;
    ck_assert_int_eq(CASES[_i].told, error > fmax(1e4 * spec.integrator.rtol, 1e-8));
    ck_assert_int_eq(CASES[_i].told, warning(&run, "inaccurate") != NULL);
    test_run_done(&run);
}
END_TEST

START_TEST(fixed_steps_have_no_tolerance)
{
    JobSpec spec = job(1e-10);

    spec.integrator.method = "rk4";
    spec.integrator.step = 0.2;
    spec.time.end = 40;
    TestRun run = test_run(&OSCILLATOR, &spec);
    const double error = run.result.second.accuracy->finer.max_relative;
    ck_assert(error > 1e-5 && error < 1e-3);
    ck_assert_ptr_null(warning(&run, "inaccurate"));
    test_run_done(&run);
    spec.integrator.step = 0.5;
    run = test_run(&OSCILLATOR, &spec);
    ck_assert_double_gt(run.result.second.accuracy->finer.max_relative, 1e-3);
    ck_assert_ptr_nonnull(warning(&run, "inaccurate"));
    test_run_done(&run);
}
END_TEST

START_TEST(a_bound_is_called_one)
{
    JobSpec spec = job(1e-14);

    spec.time.end = 30;
    spec.initial.q = ZERO;
    spec.initial.v = UP;
    spec.initial.n_v = 1;
    TestRun run = test_run(&PENDULUM, &spec);
    const char *text = warning(&run, "inaccurate");
    ck_assert(run.result.second.accuracy->coarser);
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(strstr(text, "this is a bound"));
    test_run_done(&run);
}
END_TEST

/* Rows of events are kept up to a limit of memory: a warning says how many are compared. */
START_TEST(more_rows_of_events_than_are_kept_are_told)
{
    enum { OBSERVED = 400 };
    const EventSpec tick = {
        .name = "tick", .kind = EVENT_EVERY, .every = 1e-4, .pointer = "/events/0"};
    NamedText observe[OBSERVED];
    char names[OBSERVED][8];
    JobSpec spec = job(1e-6);

    for (size_t k = 0; k < OBSERVED; k++) {
        snprintf(names[k], sizeof names[k], "o%zu", k);
        observe[k] = (NamedText){names[k], "x", "", NULL};
    }
    spec.time.end = 1.1;
    spec.observe = observe;
    spec.n_observe = OBSERVED;
    spec.events = &tick;
    spec.n_events = 1;
    TestRun run = test_run(&OSCILLATOR, &spec);
    const char *text = warning(&run, "the event tick is compared with");
    ck_assert_uint_eq(run.result.steps.events, 11000);
    ck_assert_uint_eq(run.result.second.accuracy->finer.event_rows, 0);
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(strstr(text, "in its first 9900 rows only")); /* 4e6 numbers, 404 a row */
    test_run_done(&run);
}
END_TEST

SUITE(second_opinions)
{
    TCase *tc = suite_case(suite, "second_opinions");
    tcase_add_loop_test(tc, an_end_between_samples_is_compared, 0, 3);
    tcase_add_test(tc, the_state_behind_the_end_is_compared);
    tcase_add_test(tc, an_end_behind_the_last_sample_is_compared);
    tcase_add_loop_test(tc, rows_of_events_are_compared, 0, 3);
    tcase_add_test(tc, rows_without_a_partner_are_counted);
    tcase_add_test(tc, ends_that_are_not_the_same_differ);
    tcase_add_test(tc, a_motion_that_is_far_off_is_told_with_column_instant_and_number);
    tcase_add_loop_test(tc, a_motion_is_inaccurate_beyond_its_tolerance, 0, 4);
    tcase_add_test(tc, fixed_steps_have_no_tolerance);
    tcase_add_test(tc, a_bound_is_called_one);
    tcase_add_test(tc, more_rows_of_events_than_are_kept_are_told);
}
