/* Passages across instants at which the rates are singular: an oscillator whose rates, around an
 * instant, are known the worse the nearer it is, and not at all there. */
#include <math.h>
#include <stdlib.h>

#include "tests/core/integrate/problems.h"
#include "tests/suite.h"

/* When, how large the error of the rates is, and whether the system lets pass. */
typedef struct Obstacle {
    double t, noise, told_t;
    unsigned passed;
    bool closed;
} Obstacle;

static Obstacle obstacle;

static void noisy_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)lanes;
    const double off = t[0] - obstacle.t;
    const double error = obstacle.noise * sin(1e6 * (y[0] + 3 * y[1])) / (off * off * off);
    ret[0] = y[1] + error;
    ret[1] = -y[0] - error;
}

static bool suspect(void *self, double t, const double *y, double ahead)
{
    (void)self;
    (void)y;
    (void)ahead;
    return fabs(t - obstacle.t) < 0.5;
}

static double horizon(void *self, double *ret_margin)
{
    (void)self;
    *ret_margin = 1;
    return 0.1;
}

static double singular(void *self, const OdeArc *arc, double most)
{
    const double theta = (obstacle.t - arc->t) / arc->h;
    (void)self;
    return theta >= 0 && theta <= most ? theta : NAN;
}

static bool pass(void *self, const OdeArc *arc, double agreement)
{
    (void)self;
    ck_assert_double_eq_tol(arc->t + arc->h / 2, obstacle.t, 1e-9);
    ck_assert_double_lt(agreement, 1e-9);
    obstacle.passed++;
    return !obstacle.closed;
}

static Run *obstructed(const char *method, double t, double noise, bool closed)
{
    Run *run = run_new(&oscillator, method, 1e-10);
    obstacle = (Obstacle){.t = t, .noise = noise, .closed = closed};
    run->system.rates = noisy_rates;
    run->system.suspect = suspect;
    run->system.horizon = horizon;
    run->system.singular = singular;
    run->system.pass = pass;
    run->options.max_steps = 100000;
    run->n_samples = 201;
    return run;
}

static void cosine(double t, double *ret_y)
{
    oscillator.exact(t, ret_y);
}

START_TEST(the_motion_goes_on_as_if_nothing_were_singular)
{
    static const double PLACES[] = {1.3, 0.05, 2.0}; /* 2: a sample is exactly there */
    Run *run = obstructed("dop853", PLACES[_i % 3], 1e-16, false);

    run_well(run);
    ck_assert_uint_eq(obstacle.passed, 1);
    ck_assert_double_lt(run_error(run, cosine), 1e-8);
    free(run);
}
END_TEST

START_TEST(where_the_system_lets_nothing_pass_the_lane_ends_before)
{
    Run *run = obstructed("dop853", 1.3, 0, true);

    run_go(run);
    ck_assert_int_eq(run->outcome.status, ERR_NUMERIC);
    ck_assert(run->outcome.singular);
    ck_assert_double_lt(run->outcome.t, 1.3);
    ck_assert_double_gt(run->outcome.t, 1.2);
    free(run);
}
END_TEST

SUITE(passage)
{
    TCase *tc = suite_case(suite, "passage");
    tcase_add_loop_test(tc, the_motion_goes_on_as_if_nothing_were_singular, 0, 3);
    tcase_add_test(tc, where_the_system_lets_nothing_pass_the_lane_ends_before);
}
