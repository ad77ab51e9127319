/* The ladder of core/base/accuracy.h: each level is above the measured error of the computation
 * that it is named after, and not 100 times above it. Oracles: exact sums, integer solutions,
 * closed forms. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/random.h"
#include "core/numeric/exact_sum.h"
#include "core/numeric/lu.h"
#include "tests/suite.h"

enum { N = 8, ROUNDS = 2000, LONGEST = 400, LU_DOUBLES = N * N + 2 * N + 2 };

/* The largest error of a sum of n products, relative to the sum of their sizes. All terms are
 * positive, so that the rounding errors of the partial sums are as large as they can be. */
static double error_of_sums(size_t n)
{
    double worst = 0;
    Random random;

    random_init(&random, 3);
    for (int round = 0; round < ROUNDS; round++) {
        ExactSum exact = {0};
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            const double a = random_uniform(&random, 0.5, 1), b = random_uniform(&random, 0.5, 1);
            sum += a * b;
            exact_sum_add_product(&exact, a, b);
        }
        worst = fmax(worst, fabs(sum / exact_sum_value(&exact) - 1));
    }
    return worst;
}

static double error_of_short_sums(void)
{
    return error_of_sums(24);
}

static double error_of_long_sums(void)
{
    return error_of_sums(LONGEST);
}

/* A random matrix of whole numbers with at least this reciprocal condition number; its factors. */
static void draw_factors(Random *random, double least, double *ret_a, double *ret_lu)
{
    double scratch[2 * N];

    do {
        for (size_t k = 0; k < N * N; k++)
            ret_a[k] = round(random_uniform(random, -100, 100));
        memcpy(ret_lu, ret_a, N * N * sizeof *ret_a);
    } while (!lu_factor(N, ret_lu) || lu_rcond(N, ret_lu, scratch) < least);
}

/* b = a x in whole numbers, so without rounding. */
static void draw_solution(Random *random, const double *a, double *ret_x, double *ret_b)
{
    for (size_t j = 0; j < N; j++)
        ret_x[j] = round(random_uniform(random, -100, 100));
    for (size_t i = 0; i < N; i++) {
        ret_b[i] = 0;
        for (size_t j = 0; j < N; j++)
            ret_b[i] += a[i * N + j] * ret_x[j];
    }
}

static double distance(const double *x, const double *y)
{
    double largest = 0, off = 0;

    for (size_t i = 0; i < N; i++) {
        largest = fmax(largest, fabs(x[i]));
        off = fmax(off, fabs(x[i] - y[i]));
    }
    return off / largest;
}

/* The largest error of a solution by factors. */
static double error_of_factors(void)
{
    double a[N * N], lu[LU_DOUBLES], x[N], b[N], found[N], worst = 0;
    Random random;

    random_init(&random, 5);
    for (int round = 0; round < ROUNDS; round++) {
        draw_factors(&random, 1e-3, a, lu);
        draw_solution(&random, a, x, b);
        lu_solve(N, lu, b, found);
        worst = fmax(worst, distance(x, found));
    }
    return worst;
}

/* Newton's iteration for the two roots of a pair of equations whose solution is known:
 * x^2 + c x y = .., y^3 - x = .. */
static double error_of_newton(void)
{
    double worst = 0;
    Random random;

    random_init(&random, 7);
    for (int round = 0; round < ROUNDS; round++) {
        const double x = random_uniform(&random, 1, 2), y = random_uniform(&random, 1, 2);
        const double c = random_uniform(&random, 0, 3);
        const double first = x * x + c * x * y, second = y * y * y - x;
        double u = 1.1 * x, v = 1.1 * y, change = 1;
        for (int k = 0; k < 50 && change > SETTLED_CHANGE; k++) {
            const double f = u * u + c * u * v - first, g = v * v * v - u - second;
            const double fu = 2 * u + c * v, fv = c * u, gu = -1, gv = 3 * v * v;
            const double det = fu * gv - fv * gu;
            const double du = (f * gv - g * fv) / det, dv = (fu * g - gu * f) / det;
            u -= du;
            v -= dv;
            change = fmax(fabs(du / u), fabs(dv / v));
        }
        worst = fmax(worst, fmax(fabs(u / x - 1), fabs(v / y - 1)));
    }
    return worst;
}

static double error_of_computations(void)
{
    return fmax(error_of_factors(), error_of_newton());
}

/* The largest error of a solution if the entries of the matrix have the errors of computed
 * numbers. */
static double error_of_solutions(void)
{
    double a[N * N], lu[LU_DOUBLES], x[N], b[N], found[N], worst = 0;
    Random random;

    random_init(&random, 11);
    for (int round = 0; round < ROUNDS; round++) {
        draw_factors(&random, 1e-2, a, lu);
        draw_solution(&random, a, x, b);
        for (size_t k = 0; k < N * N; k++)
            lu[k] = a[k] * (1 + random_uniform(&random, -1, 1) * ACCURACY_COMPUTED);
        if (!lu_factor(N, lu))
            return INFINITY;
        lu_solve(N, lu, b, found);
        worst = fmax(worst, distance(x, found));
    }
    return worst;
}

/* A classical step of order 4 of q'' = -q. */
static void step(double h, const double *y, double *ret)
{
    static const double PARTS[] = {0, 0.5, 0.5, 1}, WEIGHTS[] = {1, 2, 2, 1};
    double k[2] = {0}, sum[2] = {0};

    for (int stage = 0; stage < 4; stage++) {
        const double q = y[0] + PARTS[stage] * h * k[0], v = y[1] + PARTS[stage] * h * k[1];
        k[0] = v;
        k[1] = -q;
        sum[0] += WEIGHTS[stage] * k[0];
        sum[1] += WEIGHTS[stage] * k[1];
    }
    ret[0] = y[0] + h / 6 * sum[0];
    ret[1] = y[1] + h / 6 * sum[1];
}

/* An integration over a period in steps whose errors are as large as a tolerance of
 * ACCURACY_COMPUTED allows, compared with the closed form. */
static double error_of_integrations(void)
{
    static const double PERIOD = 6.2831853071795864769;
    /* the error of a step is h^5 / 120 */
    const double steps = ceil(PERIOD / pow(120 * ACCURACY_COMPUTED, 0.2));
    double y[] = {1, 0}, next[2];

    for (int k = 0; k < (int)steps; k++) {
        step(PERIOD / steps, y, next);
        memcpy(y, next, sizeof y);
    }
    return hypot(y[0] - 1, y[1]);
}

/* First-order differences of functions of size 1 by the best step; double roots of a polynomial in
 * its coefficients. */
static double error_of_differences(void)
{
    const double h = 0x1p-26; /* the root of DBL_EPSILON */
    double worst = 0;
    Random random;

    random_init(&random, 13);
    for (int round = 0; round < ROUNDS; round++) {
        const double x = random_uniform(&random, 0.5, 1.5);
        worst = fmax(worst, fabs((sin(x + h) - sin(x)) / h - cos(x)));
        worst = fmax(worst, fabs((exp(-x - h) - exp(-x)) / h + exp(-x)));
        /* z^2 - 2 x z + x^2 */
        const double product = x * x, square = x * x - product * (1 - DBL_EPSILON);
        worst = fmax(worst, sqrt(fabs(square)) / x);
    }
    return worst;
}

static const struct {
    const char *name;
    double level, (*error)(void);
} MEASURED[] = {
    {"rounded", ACCURACY_ROUNDED, error_of_short_sums},
    {"summed", ACCURACY_SUMMED, error_of_long_sums},
    {"computed", ACCURACY_COMPUTED, error_of_computations},
    {"solved", ACCURACY_SOLVED, error_of_solutions},
    {"compared", ACCURACY_COMPARED, error_of_integrations},
    {"differenced", ACCURACY_DIFFERENCED, error_of_differences},
};
enum { N_MEASURED = sizeof MEASURED / sizeof *MEASURED };

/* A level far above the error would take findings for rounding. */
START_TEST(each_level_is_above_the_error_of_its_computation_and_near_it)
{
    const double error = MEASURED[_i].error();

    ck_assert_msg(error < MEASURED[_i].level, "%s: error %.3g, level %.3g", MEASURED[_i].name,
                  error, MEASURED[_i].level);
    ck_assert_msg(error > MEASURED[_i].level / 100, "%s: error %.3g, level %.3g", MEASURED[_i].name,
                  error, MEASURED[_i].level);
}
END_TEST

/* volatile: computed when the test runs */
START_TEST(a_number_with_half_of_the_digits_is_lost_in_its_square)
{
    volatile double half = 1 + ACCURACY_HALF * ACCURACY_HALF;
    volatile double more = 1 + 2 * ACCURACY_HALF * (2 * ACCURACY_HALF);

    ck_assert(half == 1);
    ck_assert(more > 1);
}
END_TEST

START_TEST(levels_ascend_and_errors_of_integrations_are_those_of_steps_that_add_up)
{
    const double levels[] = {
        ROUNDING_FEW,    ACCURACY_ROUNDED,  ROUNDING_MANY, ACCURACY_SUMMED,      ACCURACY_COMPUTED,
        ACCURACY_SOLVED, ACCURACY_COMPARED, ACCURACY_HALF, ACCURACY_DIFFERENCED, ACCURACY_CLEAR};

    for (size_t k = 1; k < sizeof levels / sizeof *levels; k++)
        ck_assert_double_gt(levels[k], levels[k - 1]);
    ck_assert_double_le(ERROR_GROWTH * ACCURACY_COMPUTED, ACCURACY_COMPARED * (1 + DBL_EPSILON));
    ck_assert_double_lt(SETTLED_CHANGE, ACCURACY_ROUNDED);
}
END_TEST

SUITE(accuracy)
{
    TCase *tc = suite_case(suite, "accuracy");
    tcase_add_loop_test(tc, each_level_is_above_the_error_of_its_computation_and_near_it, 0,
                        N_MEASURED);
    tcase_add_test(tc, a_number_with_half_of_the_digits_is_lost_in_its_square);
    tcase_add_test(tc, levels_ascend_and_errors_of_integrations_are_those_of_steps_that_add_up);
}
