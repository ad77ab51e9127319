/* Statistics of members: closed forms, order, what is missing, and Sobol indices of functions whose
 * are known. */
#include <float.h>
#include <math.h>

#include "core/base/random.h"
#include "core/ensemble/design.h"
#include "core/ensemble/statistics.h"
#include "tests/suite.h"

/* Far from zero a textbook's one pass loses everything. */
START_TEST(moments_far_from_zero_keep_their_digits)
{
    double x[1001], backwards[1001];

    for (size_t k = 0; k < 1001; k++) {
        x[k] = 1e9 + (double)k;
        backwards[1000 - k] = x[k];
    }
    const Moments m = statistics_moments(x, 1001), b = statistics_moments(backwards, 1001);
    ck_assert_uint_eq(m.count, 1001);
    ck_assert_double_eq(m.mean, 1e9 + 500);
    ck_assert_double_eq(m.variance, 1001. * 1002 / 12);
    ck_assert_double_eq(m.least, 1e9);
    ck_assert_double_eq(m.most, 1e9 + 1000);
    ck_assert_double_eq(m.mean, b.mean);
    ck_assert_double_eq(m.variance, b.variance);
    ck_assert_double_eq(statistics_covariance(x, backwards, 1001), -m.variance);
}
END_TEST

START_TEST(moments_do_not_depend_on_the_order)
{
    enum { N = 5000 };
    double x[N], y[N];
    Random random;

    random_init(&random, 1);
    for (size_t k = 0; k < N; k++)
        x[k] = random_normal(&random) * exp(10 * random_normal(&random));
    for (size_t k = 0; k < N; k++)
        y[k] = x[(k * 1237 + 11) % N];
    const Moments m = statistics_moments(x, N), s = statistics_moments(y, N);
    ck_assert_double_eq(m.mean, s.mean);
    ck_assert_double_eq(m.variance, s.variance);
}
END_TEST

START_TEST(missing_values_are_left_out)
{
    const double x[] = {NAN, 1, 2, NAN, 6}, y[] = {1, 2, NAN, 4, 7};
    const double levels[] = {0, 0.25, 0.5, 1};
    double q[4];
    Error err;

    const Moments m = statistics_moments(x, 5);
    ck_assert_uint_eq(m.count, 3);
    ck_assert_double_eq(m.mean, 3);
    ck_assert_double_eq(m.variance, 7);
    ck_assert_double_eq(statistics_covariance(x, y, 5), 12.5);
    ck_assert_int_eq(statistics_quantiles(x, 5, levels, 4, q, &err), OK);
    ck_assert_double_eq(q[0], 1);
    ck_assert_double_eq(q[1], 1.5);
    ck_assert_double_eq(q[2], 2);
    ck_assert_double_eq(q[3], 6);
    const Moments none = statistics_moments(x, 1);
    ck_assert(isnan(none.mean) && isnan(none.variance) && isnan(none.least));
    ck_assert_int_eq(statistics_quantiles(x, 1, levels, 1, q, &err), OK);
    ck_assert(isnan(q[0]));
    const Moments one = statistics_moments(x + 1, 1);
    ck_assert_double_eq(one.mean, 1);
    ck_assert(isnan(one.variance));
}
END_TEST

START_TEST(bins_have_their_lower_ends)
{
    const double x[] = {0, 0.1, 0.25, 0.5, 0.75, 1, -0.1, 1.1, NAN, INFINITY};
    uint64_t counts[4];

    ck_assert_uint_eq(statistics_histogram(x, 10, 0, 1, 4, counts), 3);
    ck_assert_uint_eq(counts[0], 2);
    ck_assert_uint_eq(counts[1], 1);
    ck_assert_uint_eq(counts[2], 1);
    ck_assert_uint_eq(counts[3], 2);
    ck_assert_uint_eq(statistics_histogram(x, 9, -DBL_MAX, DBL_MAX, 2, counts), 0);
    ck_assert_uint_eq(counts[0] + counts[1], 8);
}
END_TEST

/* Ishigami's function (T. Ishigami, T. Homma, ISUMA 1990) with a = 7, b = 0.1: V1 = (1 + b
 * pi^4/5)^2/2, V2 = a^2/8, V13 = 8 b^2 pi^8/225. */
START_TEST(sobol_indices_of_ishigami)
{
    enum { BASE = 1 << 13 };
    static double x[5 * BASE];
    const double pi = acos(-1), a = 7, b = 0.1;
    const DesignAxis axis = {.path = "x", .kind = AXIS_RANGE, .from = -pi, .to = pi};
    const DesignAxis axes[] = {axis, axis, axis};
    const DesignSpec spec = {
        .kind = DESIGN_SALTELLI, .axes = axes, .n_axes = 3, .count = BASE, .seed = 3};
    Arena *arena = arena_new(1 << 20);
    Design *design;
    Error err;

    ck_assert_int_eq(design_new(&spec, 5 * BASE, arena, &design, &err), OK);
    for (size_t k = 0; k < 5 * BASE; k++) {
        double at[3];
        design_values(design, k, at);
        x[k] = 1e6 + sin(at[0]) + a * pow(sin(at[1]), 2) + b * pow(at[2], 4) * sin(at[0]);
    }
    const double v1 = pow(1 + b * pow(pi, 4) / 5, 2) / 2, v2 = a * a / 8;
    const double v13 = 8 * b * b * pow(pi, 8) / 225, v = v1 + v2 + v13;
    const double first[] = {v1 / v, v2 / v, 0}, total[] = {(v1 + v13) / v, v2 / v, v13 / v};
    for (size_t i = 0; i < 3; i++) {
        const SobolIndex index = statistics_sobol(x, BASE, 3, i);
        ck_assert_uint_eq(index.count, BASE);
        ck_assert_double_eq_tol(index.first, first[i], 3 * index.first_error);
        ck_assert_double_eq_tol(index.total, total[i], 3 * index.total_error);
        ck_assert(index.first_error < 0.03 && index.total_error < 0.03);
    }
    /* a base point with a member that failed is left out */
    x[7] = NAN;
    ck_assert_uint_eq(statistics_sobol(x, BASE, 3, 0).count, BASE);
    ck_assert_uint_eq(statistics_sobol(x, BASE, 3, 1).count, BASE - 1);
    arena_free(arena);
}
END_TEST

SUITE(statistics)
{
    TCase *tc = suite_case(suite, "statistics");
    tcase_add_test(tc, moments_far_from_zero_keep_their_digits);
    tcase_add_test(tc, moments_do_not_depend_on_the_order);
    tcase_add_test(tc, missing_values_are_left_out);
    tcase_add_test(tc, bins_have_their_lower_ends);
    tcase_add_test(tc, sobol_indices_of_ishigami);
}
