/* Stiff problems with reference values from the literature. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/integrate/problems.h"
#include "tests/suite.h"

static void robertson_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)t;
    for (size_t l = 0; l < lanes; l++) {
        double a = y[l], b = y[lanes + l], c = y[2 * lanes + l];
        ret[l] = -0.04 * a + 1e4 * b * c;
        ret[2 * lanes + l] = 3e7 * b * b;
        ret[lanes + l] = -ret[l] - ret[2 * lanes + l];
    }
}

static void robertson_jacobian(void *self, double t, const double *y, double *ret_dfdy,
                               double *ret_dfdt)
{
    const double row0[3] = {-0.04, 1e4 * y[2], 1e4 * y[1]}, row2[3] = {0, 6e7 * y[1], 0};
    (void)self;
    (void)t;
    for (size_t j = 0; j < 3; j++) {
        ret_dfdy[j] = row0[j];
        ret_dfdy[3 + j] = -row0[j] - row2[j];
        ret_dfdy[6 + j] = row2[j];
        ret_dfdt[j] = 0;
    }
}

/* Test Set for IVP Solvers 2.4 (Mazzia, Magherini, 2008), problem ROBER, t = 1e11. */
START_TEST(robertson_reaches_its_reference)
{
    static const double reference[3] = {0.2083340149701255e-07, 0.8333360770334713e-13,
                                        0.9999999791665050e+00};
    Problem problem = {
        .system = {.dim = 3, .rates = robertson_rates, .jacobian = robertson_jacobian},
        .t_end = 1e11,
        .y0 = {1, 0, 0}};
    Run *run = run_new(&problem, "bdf", 1e-8);
    run->options.atol = 1e-18;
    run_well(run);
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol(run->y[i] / reference[i], 1, 1e-5);
    ck_assert_uint_lt(run->outcome.accepted, 3000);
    ck_assert_uint_lt(run->outcome.jacobians, 600);
    free(run);
}
END_TEST

static void van_der_pol_rates(void *self, const double *t, const double *y, double *ret,
                              size_t lanes)
{
    (void)self;
    (void)t;
    for (size_t l = 0; l < lanes; l++) {
        ret[l] = y[lanes + l];
        ret[lanes + l] = ((1 - y[l] * y[l]) * y[lanes + l] - y[l]) / 1e-6;
    }
}

static void van_der_pol_jacobian(void *self, double t, const double *y, double *ret_dfdy,
                                 double *ret_dfdt)
{
    (void)self;
    (void)t;
    ret_dfdy[0] = 0;
    ret_dfdy[1] = 1;
    ret_dfdy[2] = (-2 * y[0] * y[1] - 1) / 1e-6;
    ret_dfdy[3] = (1 - y[0] * y[0]) / 1e-6;
    ret_dfdt[0] = ret_dfdt[1] = 0;
}

/* The same test set, problem VDPOL: mu = 1000 in the scaled form, t = 2. */
static const Problem van_der_pol = {
    .system = {.dim = 2, .rates = van_der_pol_rates, .jacobian = van_der_pol_jacobian},
    .t_end = 2,
    .y0 = {2, 0}};

START_TEST(van_der_pol_reaches_its_reference)
{
    for (double tolerance = 1e-5; tolerance > 5e-10; tolerance /= 100) {
        Run *run = run_new(&van_der_pol, "bdf", tolerance);
        run_well(run);
        ck_assert_double_eq_tol(run->y[0], 1.706167732170483, 1e2 * tolerance);
        ck_assert_double_eq_tol(run->y[1], -0.8928097010247975, 1e2 * tolerance);
        ck_assert_uint_lt(run->outcome.accepted, 6000);
        free(run);
    }
}
END_TEST

START_TEST(bdf_refuses_a_system_without_jacobian)
{
    OdeSystem system = van_der_pol.system;
    OdeOptions options = {.rtol = 1e-6, .atol = 1e-6, .max_steps = 10};
    OdeSpan span = {.t_end = 1};
    OdeOutcome outcome;
    Error err = {0};
    double y[2] = {2, 0};
    system.jacobian = NULL;
    ck_assert_int_eq(ode_drive(&(OdeTask){.system = &system,
                                          .method = ode_method_find("bdf"),
                                          .options = &options,
                                          .span = &span,
                                          .outcome = &outcome},
                               y, &err),
                     ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(err.message, "Jacobian"));
}
END_TEST

SUITE(stiff)
{
    TCase *tcase = suite_case(suite, "stiff");
    tcase_add_test(tcase, robertson_reaches_its_reference);
    tcase_add_test(tcase, van_der_pol_reaches_its_reference);
    tcase_add_test(tcase, bdf_refuses_a_system_without_jacobian);
}
