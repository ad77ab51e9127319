/* Events: where they are found, what they do, in which order they are told. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/integrate/problems.h"
#include "tests/suite.h"

static const double G = 9.81, RESTITUTION = 0.8;

static void falling_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)t;
    for (size_t l = 0; l < lanes; l++) {
        ret[l] = y[lanes + l];
        ret[lanes + l] = -G;
    }
}

static void falling_jacobian(void *self, double t, const double *y, double *ret_dfdy,
                             double *ret_dfdt)
{
    const double dfdy[4] = {0, 1, 0, 0};
    (void)self;
    (void)t;
    (void)y;
    memcpy(ret_dfdy, dfdy, sizeof dfdy);
    ret_dfdt[0] = ret_dfdt[1] = 0;
}

static void height(void *self, double t, const double *y, double *ret_values)
{
    (void)self;
    (void)t;
    ret_values[0] = y[0];
}

static Status bounce(Run *run, size_t guard, int direction, double t, double *y,
                     OdeAction *ret_action)
{
    (void)run;
    (void)guard;
    (void)t;
    ck_assert_int_eq(direction, -1);
    y[1] *= -RESTITUTION;
    *ret_action = ODE_RESTART;
    return OK;
}

static const Problem ball = {
    .name = "ball",
    .system = {.dim = 2,
               .rates = falling_rates,
               .jacobian = falling_jacobian,
               .n_guards = 1,
               .guards = height},
    .t_end = 3,
    .y0 = {1, 0},
};
static const OdeGuard falling_break = {.kind = ODE_GUARD_BREAK, .direction = -1};

START_TEST(bouncing_ball_hits_the_ground_when_it_must)
{
    static const char *const names[] = {"dop853", "rk4", "bdf"};
    const bool exact = _i < 2;
    Run *run = run_new(&ball, names[_i], 1e-9);
    double t = sqrt(2 / G), v = sqrt(2 * G);
    size_t k = 0;
    run->options.guards = &falling_break;
    run->options.step = 0.1;
    run->on_event = bounce;
    run_well(run);
    for (; t < run->t_end; k++) {
        const Row *row = run_row(run, 'e', k);
        ck_assert_ptr_nonnull(row);
        ck_assert_double_eq_tol(row->t, t, exact ? 1e-14 : 1e-7);
        ck_assert_double_eq_tol(row->y[1], -v, exact ? 1e-13 : 1e-6);
        ck_assert_double_lt(fabs(row->y[0]), 1e-14);
        v *= RESTITUTION;
        t += 2 * v / G;
    }
    ck_assert_uint_eq(run->outcome.breaks, k);
    ck_assert_ptr_null(run_row(run, 'e', k));
    free(run);
}
END_TEST

START_TEST(ball_that_stops_bouncing_ends_as_chattering)
{
    Run *run = run_new(&ball, _i == 0 ? "dop853" : "bdf", 1e-9);
    double end = sqrt(2 / G) * (1 + 2 * RESTITUTION / (1 - RESTITUTION));
    run->options.guards = &falling_break;
    run->on_event = bounce;
    run->t_end = 10;
    run_go(run);
    const OdeOutcome *outcome = &run->outcome;
    ck_assert_int_eq(outcome->status, ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(outcome->error.message, "chattering"));
    ck_assert_ptr_nonnull(strstr(outcome->error.message, " breaks, the last by guard[0]"));
    ck_assert_double_eq_tol(outcome->t, end, _i == 0 ? 1e-6 : 1e-3);
    ck_assert_double_gt(run->y[0], -1e-12);
    free(run);
}
END_TEST

START_TEST(ball_thrown_from_the_ground_does_not_hit_it_at_once)
{
    static const double speeds[] = {10, 1e-2, 1e-5};
    for (size_t k = 0; k < 3; k++) {
        Run *run = run_new(&ball, "dop853", 1e-9);
        run->options.guards = &falling_break;
        run->on_event = bounce;
        run->y[0] = 0;
        run->y[1] = speeds[k];
        run->t_end = 2.5 * speeds[k] / G;
        run_well(run);
        ck_assert_uint_eq(run->n_rows, 1);
        ck_assert_double_eq_tol(run_row(run, 'e', 0)->t / (2 * speeds[k] / G), 1, 1e-10);
        free(run);
    }
}
END_TEST

/* A block on a spring with dry friction: x'' = -x - MU sign(v). Between turns the motion is an
 * oscillation about -MU sign(v). */
static const double MU = 0.3;

static void friction_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    const Run *run = self;
    (void)t;
    for (size_t l = 0; l < lanes; l++) {
        ret[l] = y[lanes + l];
        ret[lanes + l] = -y[l] - MU * run->mode;
    }
}

static void speed(void *self, double t, const double *y, double *ret_values)
{
    (void)self;
    (void)t;
    ret_values[0] = y[1];
}

static Status switch_mode(Run *run, size_t guard, int direction, double t, double *y,
                          OdeAction *ret_action)
{
    (void)guard;
    (void)t;
    (void)y;
    run->mode = direction;
    *ret_action = ODE_RESTART;
    return OK;
}

static const OdeGuard any_break = {.kind = ODE_GUARD_BREAK};
static const Problem block = {
    .name = "block",
    .system = {.dim = 2, .rates = friction_rates, .n_guards = 1, .guards = speed},
    .t_end = 11,
    .y0 = {4, 0},
};

START_TEST(dry_friction_keeps_the_accuracy)
{
    /* three turns at pi, 2 pi, 3 pi, each closer by 2 MU */
    const double amplitude = 4 - 6 * MU - MU, phase = 11 - 3 * acos(-1);
    const double x = -MU - amplitude * cos(phase), v = amplitude * sin(phase);
    for (double tolerance = 1e-4; tolerance > 5e-14; tolerance /= 10) {
        Run *run = run_new(&block, "dop853", tolerance);
        run->options.guards = &any_break;
        run->on_event = switch_mode;
        run->mode = -1;
        run_well(run);
        ck_assert_uint_eq(run->outcome.breaks, 3);
        for (size_t k = 0; k < 3; k++)
            ck_assert_double_eq_tol(run_row(run, 'e', k)->t, (double)(k + 1) * acos(-1),
                                    3 * tolerance);
        ck_assert_double_eq_tol(run->y[0], x, 3 * tolerance);
        ck_assert_double_eq_tol(run->y[1], v, 3 * tolerance);
        ck_assert_uint_lt(run->outcome.evaluations, 2500);
        free(run);
    }
}
END_TEST

START_TEST(block_that_sticks_ends_as_chattering)
{
    Run *run = run_new(&block, "dop853", 1e-9);
    run->options.guards = &any_break;
    run->on_event = switch_mode;
    run->mode = -1;
    run->t_end = 100;
    run_go(run);
    /* 4, 3.4, .. 0.4, 0.2: there the spring is too weak */
    ck_assert_int_eq(run->outcome.status, ERR_LIMIT);
    ck_assert_double_eq_tol(run->outcome.t, 7 * acos(-1), 1e-3);
    ck_assert_ptr_nonnull(strstr(run->outcome.error.message, "chattering"));
    ck_assert_uint_lt(run->outcome.evaluations, 2000000);
    free(run);
}
END_TEST

/* A rounding error above zero, and falling: the mode was chosen by the sign, so it must change. */
START_TEST(a_side_as_small_as_rounding_counts_where_it_is_asked_for)
{
    static const OdeGuard kinds[2] = {{.kind = ODE_GUARD_BREAK},
                                      {.kind = ODE_GUARD_BREAK, .is_switch = true}};
    for (int k = 0; k < 2; k++) {
        Run *run = run_new(&block, "dop853", 1e-9);
        run->options.guards = &kinds[k];
        run->on_event = switch_mode;
        run->mode = 1;
        run->y[1] = 1e-17;
        run->t_end = 1;
        run_well(run);
        if (k == 0) {
            ck_assert_ptr_null(run_row(run, 'e', 0));
        } else {
            ck_assert_uint_eq(run->outcome.breaks, 1);
            ck_assert_double_eq_tol(run_row(run, 'e', 0)->t, 0, 1e-16);
            ck_assert_int_eq(run_row(run, 'e', 0)->direction, -1);
            ck_assert_double_eq_tol(run->y[0], MU + (4 - MU) * cos(1), 1e-8);
        }
        free(run);
    }
}
END_TEST

/* Guards on the oscillator y = cos(t), y' = -sin(t). */
static void oscillator_guards(void *self, double t, const double *y, double *ret_values)
{
    (void)self;
    ret_values[0] = y[0];
    ret_values[1] = y[1] - 0.25;
    ret_values[2] = y[0] - 0.98; /* two roots close together, at every turn */
    ret_values[3] = sin(5 * t) - 0.999;
}

static Run *oscillator_run(const OdeGuard *kinds, double tolerance)
{
    Run *run = run_new(&oscillator, "dop853", tolerance);
    run->system.n_guards = 4;
    run->system.guards = oscillator_guards;
    run->options.guards = kinds;
    run->t_end = 20;
    return run;
}

static size_t count_events(const Run *run, size_t guard)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n_rows; i++)
        n += run->rows[i].kind == 'e' && run->rows[i].index == guard;
    return n;
}

START_TEST(recorded_roots_are_found_in_both_directions_of_time)
{
    static const OdeGuard kinds[4] = {{.kind = ODE_GUARD_RECORD, .direction = 1},
                                      {.kind = ODE_GUARD_RECORD, .direction = -1},
                                      {.kind = ODE_GUARD_RECORD},
                                      {.kind = ODE_GUARD_RECORD}};
    for (int back = 0; back < 2; back++) {
        Run *run = oscillator_run(kinds, 1e-12);
        if (back) {
            run->t0 = 20;
            run->t_end = 0;
            oscillator.exact(20, run->y);
        }
        run->n_samples = 100;
        run_well(run);
        /* cos rises at 3 pi / 2 + 2 k pi; -sin - 1/4 falls where sin = -1/4 rises */
        ck_assert_uint_eq(count_events(run, 0), 3);
        ck_assert_uint_eq(count_events(run, 1), 3);
        ck_assert_uint_eq(count_events(run, 2), 7);
        ck_assert_uint_eq(count_events(run, 3), 32);
        for (size_t i = 0; i < run->n_rows; i++) {
            const Row *row = &run->rows[i];
            if (i > 0 && back)
                ck_assert_double_le(row->t, run->rows[i - 1].t);
            else if (i > 0)
                ck_assert_double_ge(row->t, run->rows[i - 1].t);
            if (row->kind == 's')
                continue;
            double values[4];
            const double rate[4] = {-sin(row->t), -cos(row->t), -sin(row->t), 5 * cos(5 * row->t)};
            oscillator_guards(NULL, row->t, row->y, values);
            ck_assert_double_lt(fabs(values[row->index]), 1e-14);
            ck_assert_int_eq(row->direction, rate[row->index] > 0 ? 1 : -1);
            ck_assert_double_eq_tol(row->y[0], cos(row->t), 1e-10);
        }
        free(run);
    }
}
END_TEST

static Status stop(Run *run, size_t guard, int direction, double t, double *y,
                   OdeAction *ret_action)
{
    (void)run;
    (void)direction;
    (void)t;
    (void)y;
    *ret_action = guard == 1 ? ODE_STOP : ODE_CONTINUE;
    return OK;
}

START_TEST(terminal_event_ends_the_run_in_good_order)
{
    static const OdeGuard kinds[4] = {{.kind = ODE_GUARD_RECORD},
                                      {.kind = ODE_GUARD_BREAK, .direction = 1},
                                      {.kind = ODE_GUARD_BREAK},
                                      {.kind = ODE_GUARD_RECORD}};
    /* -sin(t) rises through 1/4 at pi + asin(1/4) */
    const double t = acos(-1) + asin(0.25);
    for (double tolerance = 1e-3; tolerance > 5e-13; tolerance /= 10) {
        Run *run = oscillator_run(kinds, tolerance);
        run->on_event = stop;
        run->n_samples = 1001;
        run_well(run);
        ck_assert(run->outcome.stopped);
        ck_assert_double_eq_tol(run->outcome.t, t, 4 * tolerance);
        ck_assert_double_eq_tol(run->y[1], 0.25, 4e-15);
        ck_assert_double_le(run->last_sample_t, run->outcome.t);
        ck_assert_double_gt(run->last_sample_t, run->outcome.t - 0.02);
        const Row *last = &run->rows[run->n_rows - 1];
        ck_assert_int_eq(last->kind, 'e');
        ck_assert_uint_eq(last->index, 1);
        free(run);
    }
}
END_TEST

START_TEST(breaks_that_change_nothing_leave_the_solution)
{
    static const OdeGuard kinds[4] = {{.kind = ODE_GUARD_BREAK},
                                      {.kind = ODE_GUARD_BREAK},
                                      {.kind = ODE_GUARD_BREAK},
                                      {.kind = ODE_GUARD_BREAK}};
    Run *run = oscillator_run(kinds, 1e-12);
    run_well(run);
    ck_assert_uint_eq(count_events(run, 0), 6);
    ck_assert_uint_eq(count_events(run, 1), 6);
    ck_assert_uint_eq(count_events(run, 2), 7);
    ck_assert_uint_eq(count_events(run, 3), 32);
    ck_assert_double_lt(run_error(run, oscillator.exact), 2e-11);
    free(run);
}
END_TEST

static void twin_guards(void *self, double t, const double *y, double *ret_values)
{
    (void)self;
    (void)t;
    ret_values[0] = y[0];
    ret_values[1] = -3 * y[0];
    ret_values[2] = y[0] * (2 + y[1]);
}

START_TEST(guards_with_the_same_root_break_together)
{
    static const OdeGuard kinds[3] = {{.kind = ODE_GUARD_BREAK},
                                      {.kind = ODE_GUARD_BREAK},
                                      {.kind = ODE_GUARD_BREAK, .direction = -1}};
    Run *run = run_new(&oscillator, "dop853", 1e-10);
    run->system.n_guards = 3;
    run->system.guards = twin_guards;
    run->options.guards = kinds;
    run->t_end = 20;
    run_well(run);
    ck_assert_uint_eq(count_events(run, 0), 6);
    ck_assert_uint_eq(count_events(run, 1), 6);
    ck_assert_uint_eq(count_events(run, 2), 3);
    for (size_t i = 0; i < run->n_rows; i++) {
        double turn = floor(run->rows[i].t / acos(-1));
        ck_assert_double_eq_tol(run->rows[i].t, (turn + 0.5) * acos(-1), 1e-9);
        if (run->rows[i].index > 0)
            ck_assert_double_eq(run->rows[i].t, run->rows[i - 1].t);
    }
    free(run);
}
END_TEST

/* Starts exactly at a root: sin-like guard, zero up to rounding. */
START_TEST(guard_that_is_zero_at_the_start_does_not_fire)
{
    static const OdeGuard kinds[3] = {
        {.kind = ODE_GUARD_BREAK}, {.kind = ODE_GUARD_BREAK}, {.kind = ODE_GUARD_RECORD}};
    Run *run = run_new(&oscillator, "dop853", 1e-10);
    run->system.n_guards = 3;
    run->system.guards = twin_guards;
    run->options.guards = kinds;
    run->t0 = acos(-1) / 2;
    run->t_end = run->t0 + 3;
    run->y[0] = _i == 0 ? 0 : _i * 6e-17;
    run->y[1] = -1;
    run_well(run);
    ck_assert_uint_eq(run->n_rows, 0);
    free(run);
}
END_TEST

SUITE(events)
{
    TCase *tcase = suite_case(suite, "events");
    tcase_add_loop_test(tcase, bouncing_ball_hits_the_ground_when_it_must, 0, 3);
    tcase_add_loop_test(tcase, ball_that_stops_bouncing_ends_as_chattering, 0, 2);
    tcase_add_test(tcase, ball_thrown_from_the_ground_does_not_hit_it_at_once);
    tcase_add_test(tcase, dry_friction_keeps_the_accuracy);
    tcase_add_test(tcase, block_that_sticks_ends_as_chattering);
    tcase_add_test(tcase, a_side_as_small_as_rounding_counts_where_it_is_asked_for);
    tcase_add_test(tcase, recorded_roots_are_found_in_both_directions_of_time);
    tcase_add_test(tcase, terminal_event_ends_the_run_in_good_order);
    tcase_add_test(tcase, breaks_that_change_nothing_leave_the_solution);
    tcase_add_test(tcase, guards_with_the_same_root_break_together);
    tcase_add_loop_test(tcase, guard_that_is_zero_at_the_start_does_not_fire, -1, 2);
}
