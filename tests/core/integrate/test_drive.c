/* The drive: samples, failures, limits, cancelling. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/integrate/drive.h"
#include "tests/core/integrate/problems.h"
#include "tests/deadline.h"
#include "tests/suite.h"

START_TEST(samples_are_at_the_times_that_were_asked)
{
    static const double forward[] = {0, 1e-9, 0.1, 1.0 / 3, 9.75, 10};
    static const double backward[] = {10, 9.9, 2.5, 1e-300, 0};
    Run *run = run_new(&oscillator, _i == 0 ? "dop853" : _i == 1 ? "rk4" : "bdf", 1e-9);
    run->times = forward;
    run->n_samples = 6;
    run_well(run);
    ck_assert_uint_eq(run->n_rows, 6);
    for (size_t k = 0; k < 6; k++) {
        ck_assert_uint_eq(run->rows[k].index, k);
        ck_assert_double_eq(run->rows[k].t, forward[k]);
        ck_assert_double_eq_tol(run->rows[k].y[0], cos(forward[k]), 1e-6);
    }
    ck_assert_mem_eq(run->rows[0].y, oscillator.y0, 2 * sizeof(double));
    ck_assert_mem_eq(run->rows[5].y, run->y, 2 * sizeof(double));
    run->times = backward;
    run->n_samples = 5;
    run->n_rows = 0;
    run->t0 = 10;
    run->t_end = 0;
    run_well(run);
    ck_assert_uint_eq(run->n_rows, 5);
    for (size_t k = 0; k < 5; k++)
        ck_assert_double_eq_tol(run->rows[k].y[0], cos(backward[k]), 1e-6);
    free(run);
}
END_TEST

START_TEST(span_of_no_length_is_one_sample)
{
    static const double times[] = {0};
    Run *run = run_new(&oscillator, "dop853", 1e-9);
    run->t_end = 0;
    run->times = times;
    run->n_samples = 1;
    run_well(run);
    ck_assert_uint_eq(run->n_rows, 1);
    ck_assert_uint_eq(run->outcome.evaluations, 0);
    free(run);
}
END_TEST

START_TEST(last_step_is_no_splinter)
{
    for (double t_end = 1; t_end < 8; t_end += 0.173) {
        Run *run = run_new(&oscillator, "dop853", 1e-9);
        run->t_end = t_end;
        run->steps = true;
        run_well(run);
        const Row *last = &run->rows[run->n_rows - 1], *before = &run->rows[run->n_rows - 2];
        ck_assert_double_eq(last->t, t_end);
        ck_assert_double_gt(last->h, 0.15 * before->h);
        free(run);
    }
}
END_TEST

/* y' = y^2 from 1: y = 1 / (1 - t). */
static void blow_up(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)t;
    for (size_t l = 0; l < lanes; l++)
        ret[l] = y[l] * y[l];
}

static void blow_up_jacobian(void *self, double t, const double *y, double *ret_dfdy,
                             double *ret_dfdt)
{
    (void)self;
    (void)t;
    ret_dfdy[0] = 2 * y[0];
    ret_dfdt[0] = 0;
}

START_TEST(blow_up_fails_with_its_place)
{
    const Problem problem = {.system = {.dim = 1, .rates = blow_up, .jacobian = blow_up_jacobian},
                             .t_end = 3,
                             .y0 = {1}};
    Run *run = run_new(&problem, _i == 0 ? "dop853" : "bdf", 1e-9);
    run_go(run);
    const OdeOutcome *outcome = &run->outcome;
    ck_assert_int_eq(outcome->status, ERR_NUMERIC);
    ck_assert_double_eq_tol(outcome->t, 1, 1e-6);
    ck_assert_msg(strstr(outcome->error.message, "a singularity or blow-up near t = ") != NULL,
                  "%s", outcome->error.message);
    ck_assert_ptr_nonnull(strstr(outcome->error.message, "state[0]"));
    ck_assert(isfinite(run->y[0]));
    free(run);
}
END_TEST

/* y' = sin t, of which steps from one double to the next see nothing. */
static void swing(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)y;
    for (size_t l = 0; l < lanes; l++)
        ret[l] = sin(t[l]);
}

START_TEST(times_too_far_from_zero_are_no_blow_up)
{
    const Problem problem = {.system = {.dim = 1, .rates = swing}, .t_end = 1e15 + 10};
    Run *run = run_new(&problem, "dop853", 1e-12);
    run->t0 = 1e15;
    run_go(run);
    const OdeOutcome *outcome = &run->outcome;
    ck_assert_int_eq(outcome->status, ERR_NUMERIC);
    ck_assert_msg(strstr(outcome->error.message, "numbers near t = 1e+15 are 0.22 apart") != NULL,
                  "%s", outcome->error.message);
    free(run);
}
END_TEST

/* y' = -1 / (2 y), y = sqrt(1 - t): not a number behind t = 1. */
static void square_root(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)y;
    for (size_t l = 0; l < lanes; l++)
        ret[l] = -1 / (2 * sqrt(1 - t[l]));
}

START_TEST(rates_that_end_fail_with_their_place)
{
    const Problem problem = {.system = {.dim = 1, .rates = square_root}, .t_end = 3, .y0 = {1}};
    Run *run = run_new(&problem, _i == 0 ? "dop853" : "rk4", 1e-9);
    run->options.step = 0.125;
    run_go(run);
    const OdeOutcome *outcome = &run->outcome;
    ck_assert_int_eq(outcome->status, ERR_NUMERIC);
    ck_assert_double_eq_tol(outcome->t, 1, _i == 0 ? 1e-6 : 0.2);
    ck_assert_msg(strstr(outcome->error.message, "not finite") != NULL ||
                      strstr(outcome->error.message, "too small") != NULL,
                  "%s", outcome->error.message);
    run->t0 = 2;
    run_go(run);
    ck_assert_int_eq(outcome->status, ERR_NUMERIC);
    ck_assert_ptr_nonnull(strstr(outcome->error.message, "state[0] is not finite at t = 2"));
    free(run);
}
END_TEST

/* v' = -v/|v| in the plane: beyond |v0| nothing moves, and the rates have no value. */
static void plane_friction(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)t;
    for (size_t l = 0; l < lanes; l++) {
        const double speed = hypot(y[l], y[lanes + l]);
        ret[l] = -y[l] / speed;
        ret[lanes + l] = -y[lanes + l] / speed;
    }
}

START_TEST(steps_that_lead_nowhere_end_the_motion)
{
    const double tolerances[] = {1e-8, 1e-11, 1e-13};
    const Problem problem = {
        .system = {.dim = 2, .rates = plane_friction}, .t_end = 40, .y0 = {3, 4}};
    Run *run = run_new(&problem, "dop853", tolerances[_i]);
    run_go(run);
    const OdeOutcome *outcome = &run->outcome;
    ck_assert_int_eq(outcome->status, ERR_NUMERIC);
    ck_assert(outcome->stuck);
    ck_assert_ptr_nonnull(strstr(outcome->error.message, "the motion stays where it is"));
    ck_assert_double_eq_tol(outcome->t, 5, 1e5 * tolerances[_i]);
    ck_assert_uint_lt(outcome->accepted + outcome->rejected, 4000);
    free(run);
}
END_TEST

/* y' = 1e4 (cos t - y): many short steps, with which t goes on all the same. */
static void stiff(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    for (size_t l = 0; l < lanes; l++)
        ret[l] = 1e4 * (cos(t[l]) - y[l]);
}

START_TEST(short_steps_that_lead_on_reach_the_end)
{
    const Problem problem = {.system = {.dim = 1, .rates = stiff}, .t_end = 10, .y0 = {1}};
    Run *run = run_new(&problem, "dop853", 1e-6);
    run_well(run);
    ck_assert_uint_gt(run->outcome.accepted, 10000);
    ck_assert_double_eq_tol(run->y[0], cos(10) + 1e-4 * sin(10), 1e-5);
    free(run);
}
END_TEST

/* y' = -1e4 y: at rest soon, with an end that is farther than steps will lead. */
static void settling(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)t;
    for (size_t l = 0; l < lanes; l++)
        ret[l] = -1e4 * y[l];
}

START_TEST(what_has_come_to_rest_goes_on)
{
    const Problem problem = {.system = {.dim = 1, .rates = settling}, .t_end = 1e9, .y0 = {1}};
    Run *run = run_new(&problem, "dop853", 1e-6);
    run->options.max_steps = 20000;
    run_go(run);
    ck_assert_int_eq(run->outcome.status, ERR_LIMIT);
    ck_assert(!run->outcome.stuck);
    free(run);
}
END_TEST

START_TEST(max_steps_is_a_limit)
{
    Run *run = run_new(&kepler, "dop853", 1e-9);
    run->options.max_steps = 20;
    run_go(run);
    ck_assert_int_eq(run->outcome.status, ERR_LIMIT);
    ck_assert_uint_eq(run->outcome.accepted + run->outcome.rejected, 20);
    ck_assert_double_gt(run->outcome.t, 0);
    free(run);
}
END_TEST

/* Not even the first, the last, or one that is taken again to end at a root; and what is taken is
 * told. */
START_TEST(no_step_is_longer_than_the_longest_asked_for)
{
    static const char *const METHODS[] = {"dop853", "bdf"};
    static const double LONGEST[] = {0.09, 1e-3, 1e-9};
    const char *method = METHODS[_i / 3];
    const double longest = LONGEST[_i % 3];
    Run *run = run_new(&oscillator, method, 1e-3);

    run->options.max_step = longest;
    run->t_end = run->t0 + 1000.7 * longest;
    run->steps = true;
    run_well(run);
    for (size_t k = 0; k < run->n_rows; k++)
        if (run->rows[k].kind == 'a')
            ck_assert_double_le(run->rows[k].h, longest * (1 + 1e-15) + 1e-15 * run->t_end);
    ck_assert_double_le(run->outcome.longest, longest * (1 + 1e-15) + 1e-15 * run->t_end);
    ck_assert_double_ge(run->outcome.longest, 0.99 * longest);
    ck_assert_uint_ge(run->outcome.accepted, 1001);
    ck_assert_uint_le(run->outcome.accepted, 1030);
    free(run);
}
END_TEST

/* A bound that no step comes up to changes no bit. */
START_TEST(a_loose_bound_of_the_step_changes_nothing)
{
    Run *free_run = run_new(&kepler, _i ? "bdf" : "dop853", 1e-8);
    Run *bounded = run_new(&kepler, _i ? "bdf" : "dop853", 1e-8);

    bounded->options.max_step = 10 * fabs(bounded->t_end - bounded->t0);
    run_well(free_run);
    run_well(bounded);
    ck_assert_mem_eq(free_run->y, bounded->y, 4 * sizeof(double));
    ck_assert_uint_eq(free_run->outcome.accepted, bounded->outcome.accepted);
    free(free_run);
    free(bounded);
}
END_TEST

static Status refuse(Run *run, size_t guard, int direction, double t, double *y,
                     OdeAction *ret_action)
{
    (void)run;
    (void)guard;
    (void)direction;
    (void)t;
    (void)y;
    (void)ret_action;
    return ERR_NO_SPACE;
}

static void first_component(void *self, double t, const double *y, double *ret_values)
{
    (void)self;
    (void)t;
    ret_values[0] = y[0];
}

START_TEST(error_of_the_observer_ends_the_lane)
{
    static const OdeGuard kind = {.kind = ODE_GUARD_RECORD};
    Run *run = run_new(&oscillator, "dop853", 1e-9);
    run->system.n_guards = 1;
    run->system.guards = first_component;
    run->options.guards = &kind;
    run->on_event = refuse;
    run_go(run);
    ck_assert_int_eq(run->outcome.status, ERR_NO_SPACE);
    ck_assert_double_lt(run->outcome.t, 2);
    free(run);
}
END_TEST

/* The tenth poll cancels. */
enum { CANCELLING_POLL = 10 };
static unsigned polls;
static uint64_t evaluations, evaluations_then, samples_then;

static Status cancel(void *self, Error *err)
{
    const Run *run = self;
    if (++polls < CANCELLING_POLL)
        return OK;
    evaluations_then = evaluations;
    samples_then = run->n_seen;
    return error_set(err, ERR_CANCELLED, "cancelled");
}

static void counted_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    evaluations++;
    oscillator.system.rates(self, t, y, ret, lanes);
}

static void slow_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    pause_ms(3);
    counted_rates(self, t, y, ret, lanes);
}

static Run *run_to_cancel(void)
{
    Run *run = run_new(&oscillator, "dop853", 1e-9);
    polls = 0;
    evaluations = 0;
    run->system.rates = counted_rates;
    run->poll = cancel;
    run->t_end = 1e7;
    return run;
}

START_TEST(a_cancelled_run_does_nothing_more)
{
    Run *run = run_to_cancel();
    if (_i == 1)
        run->n_samples = 2000000000;
    run_go(run);
    ck_assert_int_eq(run->outcome.status, ERR_CANCELLED);
    ck_assert_str_eq(run->outcome.error.message, "cancelled");
    ck_assert_uint_eq(polls, CANCELLING_POLL);
    ck_assert_uint_eq(evaluations, evaluations_then);
    ck_assert_uint_eq(run->n_seen, samples_then);
    free(run);
}
END_TEST

/* The first two evaluations are not yet known to be slow. */
START_TEST(slow_rates_are_followed_by_a_poll_each)
{
    Run *run = run_to_cancel();
    run->system.rates = slow_rates;
    run_go(run);
    ck_assert_int_eq(run->outcome.status, ERR_CANCELLED);
    ck_assert_uint_le(evaluations, CANCELLING_POLL + 2);
    free(run);
}
END_TEST

START_TEST(a_million_samples_take_no_memory)
{
    struct rusage before, after;
    Run *run = run_new(&oscillator, "dop853", 1e-9);
    getrusage(RUSAGE_SELF, &before);
    run->n_samples = 1000000;
    run_well(run);
    getrusage(RUSAGE_SELF, &after);
    ck_assert_uint_eq(run->n_seen, 1000000);
    ck_assert_double_eq(run->last_sample_t, 10);
    ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 4096);
    free(run);
}
END_TEST

START_TEST(nothing_to_integrate_is_refused)
{
    OdeOptions options = {.rtol = 1e-6, .atol = 1e-6, .max_steps = 10};
    OdeSpan span = {.t_end = 1};
    OdeOutcome outcome;
    Error err = {0};
    double y[2] = {1, 0};
    ck_assert_int_eq(ode_drive(&(OdeTask){.system = &oscillator.system,
                                          .method = ode_method_find("rk4"),
                                          .options = &options,
                                          .span = &span,
                                          .outcome = &outcome},
                               y, &err),
                     ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(err.message, "step"));
    options.rtol = options.atol = 0;
    ck_assert_int_eq(ode_drive(&(OdeTask){.system = &oscillator.system,
                                          .method = ode_method_find("auto"),
                                          .options = &options,
                                          .span = &span,
                                          .outcome = &outcome},
                               y, &err),
                     ERR_INVALID);
}
END_TEST

START_TEST(drive_needs_no_observer)
{
    OdeOptions options = {.rtol = 1e-10, .atol = 1e-10, .max_steps = 1000};
    OdeSpan span = {.t_end = 1};
    OdeOutcome outcome;
    double y[2] = {1, 0};
    ck_assert_int_eq(ode_drive(&(OdeTask){.system = &oscillator.system,
                                          .method = ode_method_find("auto"),
                                          .options = &options,
                                          .span = &span,
                                          .outcome = &outcome},
                               y, NULL),
                     OK);
    ck_assert_int_eq(outcome.status, OK);
    ck_assert_double_eq_tol(y[0], cos(1), 1e-9);
}
END_TEST

/* y_i' = y_(i+1), and of the last one -y_0. self: how many. */
static void ring_rates(void *self, const double *t, const double *y, double *ret_rates,
                       size_t lanes)
{
    const size_t dim = *(const size_t *)self;

    (void)t;
    ck_assert_uint_eq(lanes, 1);
    for (size_t i = 0; i < dim; i++)
        ret_rates[i] = i + 1 < dim ? y[i + 1] : -y[0];
}

static OdeOutcome drive_ring(size_t dim, DriveWorkspace *workspace, double *y)
{
    const OdeSystem system = {.self = &dim, .dim = dim, .rates = ring_rates};
    const OdeOptions options = {.rtol = 1e-10, .atol = 1e-10, .max_steps = 1000};
    const OdeSpan span = {.t_end = 2};
    OdeOutcome outcome;

    for (size_t i = 0; i < dim; i++)
        y[i] = 1 / (1 + (double)i);
    ck_assert_int_eq(ode_drive(&(OdeTask){.system = &system,
                                          .method = ode_method_find("dop853"),
                                          .options = &options,
                                          .span = &span,
                                          .outcome = &outcome,
                                          .workspace = workspace},
                               y, NULL),
                     OK);
    return outcome;
}

START_TEST(drives_of_any_size_share_their_memory)
{
    static const size_t SIZES[] = {3, 3, 40, 2, 41, 40};
    enum { MOST = 41 };
    DriveWorkspace workspace = {0};

    for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
        double y[MOST], alone[MOST];
        const size_t before = workspace.size;
        const OdeOutcome shared = drive_ring(SIZES[k], &workspace, y);
        const OdeOutcome own = drive_ring(SIZES[k], NULL, alone);

        ck_assert_mem_eq(y, alone, SIZES[k] * sizeof *y);
        ck_assert_uint_eq(shared.evaluations, own.evaluations);
        /* the memory grows where it has to, and the clock is not read anew for each drive */
        ck_assert_int_eq(workspace.size > before, k == 0 || k == 2 || k == 4);
        ck_assert_uint_gt(workspace.interval, 1);
    }
    drive_workspace_done(&workspace);
}
END_TEST

SUITE(drive)
{
    TCase *tcase = suite_case(suite, "drive");
    tcase_add_loop_test(tcase, samples_are_at_the_times_that_were_asked, 0, 3);
    tcase_add_test(tcase, span_of_no_length_is_one_sample);
    tcase_add_test(tcase, last_step_is_no_splinter);
    tcase_add_loop_test(tcase, blow_up_fails_with_its_place, 0, 2);
    tcase_add_test(tcase, times_too_far_from_zero_are_no_blow_up);
    tcase_add_loop_test(tcase, rates_that_end_fail_with_their_place, 0, 2);
    tcase_add_loop_test(tcase, steps_that_lead_nowhere_end_the_motion, 0, 3);
    tcase_add_test(tcase, short_steps_that_lead_on_reach_the_end);
    tcase_add_test(tcase, what_has_come_to_rest_goes_on);
    tcase_add_test(tcase, max_steps_is_a_limit);
    tcase_add_loop_test(tcase, no_step_is_longer_than_the_longest_asked_for, 0, 6);
    tcase_add_loop_test(tcase, a_loose_bound_of_the_step_changes_nothing, 0, 2);
    tcase_add_test(tcase, error_of_the_observer_ends_the_lane);
    tcase_add_loop_test(tcase, a_cancelled_run_does_nothing_more, 0, 2);
    tcase_add_test(tcase, slow_rates_are_followed_by_a_poll_each);
    tcase_add_test(tcase, a_million_samples_take_no_memory);
    tcase_add_test(tcase, nothing_to_integrate_is_refused);
    tcase_add_test(tcase, drive_needs_no_observer);
    tcase_add_test(tcase, drives_of_any_size_share_their_memory);
}
