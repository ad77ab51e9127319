/* What every method must do, on problems with known solutions. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/integrate/method.h"
#include "tests/core/integrate/problems.h"
#include "tests/suite.h"

static const OdeMethod *method_number(int i)
{
    const char *const *names; /* "auto" first */
    ck_assert_uint_lt((size_t)i + 1, ode_method_names(&names));
    return ode_method_find(names[i + 1]);
}

/* One step of length h from the exact state at t, whatever its error: the error at its end, and
 * with a sample the error there. */
static void one_step(const OdeMethod *method, const Problem *problem, double t, double h,
                     double *ret_end, double *ret_inside)
{
    Run *run = run_new(problem, method->name, 1e6);
    double times[1] = {t + 0.37 * h}, y[MAX_DIM];
    run->options.step = run->options.first_step = h;
    run->t0 = t;
    run->t_end = t + h;
    run->times = times;
    run->n_samples = 1;
    problem->exact(t, run->y);
    run_well(run);
    ck_assert_uint_eq(run->outcome.accepted, 1);
    *ret_end = run_error(run, problem->exact);
    *ret_inside = 0;
    problem->exact(times[0], y);
    for (size_t i = 0; i < run->system.dim; i++)
        *ret_inside = fmax(*ret_inside, fabs(run_row(run, 's', 0)->y[i] - y[i]));
    free(run);
}

/* Errors at the ends of steps of length h (even index) and h / 2 from several points, as some are
 * better than others. */
static void local_errors(const OdeMethod *method, const Problem *problem, double h, double *ret_end,
                         double *ret_inside)
{
    for (int halved = 0; halved < 2; halved++) {
        ret_end[halved] = ret_inside[halved] = 0;
        for (int k = 0; k < 8; k++) {
            double end, inside;
            one_step(method, problem, 0.5 + 0.7 * k, halved ? h / 2 : h, &end, &inside);
            ret_end[halved] += end;
            ret_inside[halved] += inside;
        }
    }
}

/* Local errors go with order + 1. */
START_TEST(local_errors_shrink_at_the_stated_order)
{
    const OdeMethod *method = method_number(_i);
    double end[2], inside[2];
    if (method->multistep)
        return; /* its order varies; see errors_follow_the_tolerance */
    local_errors(method, &kepler, method->order == 8 ? 0.15 : 0.1, end, inside);
    double order = log2(end[0] / end[1]) - 1;
    local_errors(method, &oscillator, method->order == 8 ? 0.5 : 0.1, end, inside);
    double dense = log2(inside[0] / inside[1]) - 1;
    ck_assert_double_gt(order, method->order - 0.4);
    ck_assert_double_lt(order, method->order + 1.0);
    ck_assert_double_eq_tol(dense, method->dense_order, 0.2);
}
END_TEST

START_TEST(errors_follow_the_tolerance)
{
    const OdeMethod *method = method_number(_i);
    if (method->fixed_step)
        return;
    for (size_t p = 0; p < N_SMOOTH; p++) {
        const double smallest = method->order == 8 ? 1e-13 : 1e-9;
        double last = INFINITY;
        for (double tolerance = 1e-4; tolerance > 0.5 * smallest; tolerance /= 10) {
            Run *run = run_new(SMOOTH[p], method->name, tolerance);
            run_well(run);
            double error = run_error(run, SMOOTH[p]->exact);
            ck_assert_msg(error < 5e3 * tolerance, "%s, %s: error %g at tolerance %g", method->name,
                          SMOOTH[p]->name, error, tolerance);
            ck_assert_msg(error < 3 * fmax(last, DBL_EPSILON), "%s, %s: error %g after %g",
                          method->name, SMOOTH[p]->name, error, last);
            last = error;
            free(run);
        }
    }
}
END_TEST

START_TEST(fixed_steps_have_their_order_over_many_steps_and_between_them)
{
    const OdeMethod *method = method_number(_i);
    double end[2], inside[2];
    if (!method->fixed_step)
        return;
    for (int halved = 0; halved < 2; halved++) {
        Run *run = run_new(&oscillator, method->name, 1);
        run->options.step = halved ? 0.05 : 0.1;
        run->n_samples = 148;
        run_well(run);
        end[halved] = run_error(run, oscillator.exact);
        inside[halved] = 0;
        for (size_t k = 0; k < run->n_samples; k++)
            inside[halved] = fmax(inside[halved],
                                  fabs(run_row(run, 's', k)->y[0] - cos(run_row(run, 's', k)->t)));
        free(run);
    }
    ck_assert_double_gt(log2(end[0] / end[1]), method->order - 0.2);
    ck_assert_double_gt(log2(inside[0] / inside[1]), method->order - 0.4);
}
END_TEST

START_TEST(going_back_returns_to_the_start)
{
    const OdeMethod *method = method_number(_i);
    Run *run = run_new(&kepler, method->name, method->order == 8 ? 1e-13 : 1e-9);
    run_well(run);
    run->t0 = run->t_end;
    run->t_end = 0;
    run_well(run);
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(run->y[i], kepler.y0[i], method->order == 8 ? 1e-9 : 1e-4);
    free(run);
}
END_TEST

START_TEST(samples_do_not_change_the_steps)
{
    const OdeMethod *method = method_number(_i);
    Run *few = run_new(&kepler, method->name, 1e-7), *many = run_new(&kepler, method->name, 1e-7);
    few->options.step = many->options.step = 0.05;
    few->n_samples = 2;
    many->n_samples = 1000;
    few->steps = many->steps = true;
    run_well(few);
    run_well(many);
    ck_assert_mem_eq(few->y, many->y, 4 * sizeof *few->y);
    ck_assert_uint_eq(few->outcome.accepted, many->outcome.accepted);
    for (size_t k = 0; k <= few->outcome.accepted; k++) {
        const Row *a = run_row(few, 'a', k), *b = run_row(many, 'a', k);
        ck_assert_mem_eq(&a->t, &b->t, sizeof a->t);
        ck_assert_mem_eq(a->y, b->y, 4 * sizeof *a->y);
    }
    free(few);
    free(many);
}
END_TEST

START_TEST(samples_are_as_good_as_steps)
{
    const OdeMethod *method = method_number(_i);
    for (size_t p = 0; p < N_SMOOTH; p++) {
        const double tolerance = method->order == 8 ? 1e-12 : 1e-8;
        Run *run = run_new(SMOOTH[p], method->name, tolerance);
        double worst = 0, y[MAX_DIM];
        run->n_samples = 501;
        run_well(run);
        for (size_t k = 0; k < run->n_samples; k++) {
            const Row *row = run_row(run, 's', k);
            SMOOTH[p]->exact(row->t, y);
            for (size_t i = 0; i < run->system.dim; i++)
                worst = fmax(worst, fabs(row->y[i] - y[i]));
        }
        ck_assert_msg(worst < 2e4 * tolerance, "%s, %s: %g", method->name, SMOOTH[p]->name, worst);
        free(run);
    }
}
END_TEST

/* A point on the unit circle in the plane, pushed by its own rates; angle = t + sin(t) / 2. */
static void circle_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    for (size_t l = 0; l < lanes; l++) {
        double speed = 1 + cos(t[l]) / 2;
        ret[l] = -speed * y[lanes + l];
        ret[lanes + l] = speed * y[l];
    }
}

static void circle_jacobian(void *self, double t, const double *y, double *ret_dfdy,
                            double *ret_dfdt)
{
    double speed = 1 + cos(t) / 2;
    (void)self;
    ret_dfdy[0] = ret_dfdy[3] = 0;
    ret_dfdy[1] = -speed;
    ret_dfdy[2] = speed;
    ret_dfdt[0] = sin(t) / 2 * y[1];
    ret_dfdt[1] = -sin(t) / 2 * y[0];
}

static Status circle_project(void *self, double t, double *y, bool on_step, Error *err)
{
    double r = sqrt(y[0] * y[0] + y[1] * y[1]);
    (void)self;
    (void)t;
    (void)on_step;
    (void)err;
    y[0] /= r;
    y[1] /= r;
    return OK;
}

static void circle_exact(double t, double *ret_y)
{
    ret_y[0] = cos(t + sin(t) / 2);
    ret_y[1] = sin(t + sin(t) / 2);
}

static const Problem circle = {.name = "circle",
                               .system = {.dim = 2,
                                          .rates = circle_rates,
                                          .jacobian = circle_jacobian,
                                          .project = circle_project},
                               .t_end = 50,
                               .y0 = {1, 0},
                               .exact = circle_exact};

START_TEST(projection_holds_the_constraint_and_the_order)
{
    const OdeMethod *method = method_number(_i);
    const double tolerance = method->order == 8 ? 1e-12 : 1e-8;
    const double h = method->order == 8 ? 0.5 : 0.1;
    Run *run = run_new(&circle, method->name, tolerance);
    Run *free_run = run_new(&circle, method->name, tolerance);
    run->options.step = free_run->options.step = 0.01;
    run->n_samples = 301;
    run->steps = true;
    free_run->system.project = NULL;
    run_well(run);
    run_well(free_run);
    for (size_t k = 0; k < run->n_rows; k++)
        ck_assert_double_eq_tol(hypot(run->rows[k].y[0], run->rows[k].y[1]), 1, 4e-16);
    ck_assert_double_lt(run_error(run, circle_exact), 1e3 * tolerance);
    /* as good as without, and no evaluation more than the steps that it may change */
    ck_assert_double_lt(run_error(run, circle_exact),
                        3 * run_error(free_run, circle_exact) + 1e-14);
    free(run);
    free(free_run);
    if (method->multistep)
        return;
    double long_end, short_end, inside;
    one_step(method, &circle, 0.3, h, &long_end, &inside);
    one_step(method, &circle, 0.3, h / 2, &short_end, &inside);
    ck_assert_double_gt(log2(long_end / short_end) - 1, method->order - 0.5);
}
END_TEST

/* Quadratures beside the oscillator: the integrals of y0^2 and of cos(t). */
static void with_integrals(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    oscillator.system.rates(self, t, y, ret, lanes);
    for (size_t l = 0; l < lanes; l++) {
        ret[2 * lanes + l] = y[l] * y[l];
        ret[3 * lanes + l] = cos(t[l]);
    }
}

START_TEST(quadratures_are_integrated_and_change_no_bits)
{
    const OdeMethod *method = method_number(_i);
    const double tolerance = method->order == 8 ? 1e-12 : 1e-8;
    Run *plain = run_new(&oscillator, method->name, tolerance);
    Run *more = run_new(&oscillator, method->name, tolerance);
    plain->steps = more->steps = true;
    plain->options.step = more->options.step = 0.01;
    plain->n_samples = more->n_samples = 33;
    more->system.extra = 2;
    more->system.rates = with_integrals;
    run_well(plain);
    run_well(more);
    ck_assert_uint_eq(plain->n_rows, more->n_rows);
    for (size_t k = 0; k < plain->n_rows; k++) {
        const Row *row = &more->rows[k];
        ck_assert_mem_eq(plain->rows[k].y, row->y, 2 * sizeof(double));
        ck_assert_double_eq_tol(row->y[2], row->t / 2 + sin(2 * row->t) / 4, 1e3 * tolerance);
        ck_assert_double_eq_tol(row->y[3], sin(row->t), 1e3 * tolerance);
    }
    free(plain);
    free(more);
}
END_TEST

START_TEST(tolerances_near_rounding_work)
{
    for (size_t p = 0; p < N_SMOOTH; p++) {
        static const double RTOL[] = {1e-13, 1e-14, 1e-15};
        for (int k = 0; k < 3; k++) {
            Run *run = run_new(SMOOTH[p], "dop853", RTOL[k]);
            run->options.atol = k == 0 ? 1e-15 : 1e-300;
            run_well(run);
            ck_assert_double_lt(run_error(run, SMOOTH[p]->exact), 1e-11);
            ck_assert_uint_lt(run->outcome.accepted, 1000);
            ck_assert_uint_lt(run->outcome.rejected, run->outcome.accepted);
            free(run);
        }
    }
}
END_TEST

/* Rates whose second component is the rounding error of large numbers: (1 + sin) - 1 - sin. */
static void noisy_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)t;
    for (size_t l = 0; l < lanes; l++) {
        ret[l] = y[lanes + l];
        ret[lanes + l] = -y[l];
        ret[2 * lanes + l] = ((y[l] + 3) - 3) - y[l];
    }
}

START_TEST(rounding_errors_of_rates_do_not_stop_a_run)
{
    Problem problem = {.system = {.dim = 3, .rates = noisy_rates}, .t_end = 10, .y0 = {1, 0, 0}};
    Run *run = run_new(&problem, "dop853", 1e-13);
    run->options.atol = 1e-25;
    run_well(run);
    ck_assert_double_eq_tol(run->y[0], cos(10), 1e-11);
    ck_assert_double_lt(fabs(run->y[2]), 1e-14);
    ck_assert_uint_lt(run->outcome.accepted + run->outcome.rejected, 2000);
    free(run);
}
END_TEST

START_TEST(rounding_does_not_grow_with_the_steps)
{
    Run *run = run_new(&oscillator, "rk4", 1);
    run->options.step = 1e-4;
    run->t_end = 100; /* a million steps; method error 1e-16 */
    run_well(run);
    ck_assert_uint_eq(run->outcome.accepted, 1000000);
    ck_assert_double_lt(run_error(run, oscillator.exact), 1e-14);
    free(run);
}
END_TEST

START_TEST(names_find_methods)
{
    const char *const *names;
    size_t n = ode_method_names(&names);
    for (size_t i = 0; i < n; i++)
        ck_assert_ptr_nonnull(ode_method_find(names[i]));
    ck_assert_ptr_null(ode_method_find("euler"));
    ck_assert_str_eq(ode_method_name(ode_method_find("auto")), "dop853");
    ck_assert(ode_method_fixed_step(ode_method_find("rk4")));
    ck_assert(ode_method_needs_jacobian(ode_method_find("bdf")));
}
END_TEST

SUITE(methods)
{
    const char *const *names;
    const int n = (int)ode_method_names(&names) - 1;
    TCase *tcase = suite_case(suite, "methods");
    tcase_add_loop_test(tcase, local_errors_shrink_at_the_stated_order, 0, n);
    tcase_add_loop_test(tcase, errors_follow_the_tolerance, 0, n);
    tcase_add_loop_test(tcase, fixed_steps_have_their_order_over_many_steps_and_between_them, 0, n);
    tcase_add_loop_test(tcase, going_back_returns_to_the_start, 0, n);
    tcase_add_loop_test(tcase, samples_do_not_change_the_steps, 0, n);
    tcase_add_loop_test(tcase, samples_are_as_good_as_steps, 0, n);
    tcase_add_loop_test(tcase, projection_holds_the_constraint_and_the_order, 0, n);
    tcase_add_loop_test(tcase, quadratures_are_integrated_and_change_no_bits, 0, n);
    tcase_add_test(tcase, tolerances_near_rounding_work);
    tcase_add_test(tcase, rounding_errors_of_rates_do_not_stop_a_run);
    tcase_add_test(tcase, rounding_does_not_grow_with_the_steps);
    tcase_add_test(tcase, names_find_methods);
}
