/* Whether M determines the accelerations, whatever its entries are measured in. */
#include <math.h>

#include "core/base/random.h"
#include "core/model/regularity.h"
#include "core/numeric/dense.h"
#include "tests/core/model/sketch.h"
#include "tests/suite.h"

enum { MAX_N = 3, MAX_R = 2 };

typedef struct Case {
    Sketch sketch;
    double q[MAX_N];
    bool regular, positive; /* on the constraints */
} Case;

#define PI 3.14159265358979324

/* Of the kinetic energy m (dot(x)^2 - c^2 dot(y)^2) nothing is left where dot(x) = c dot(y). */
#define CANCELLING(m, c)                                                                           \
    {                                                                                              \
        .coordinates = "x y", .lagrangian = m "*(dot(x)^2 - (" c ")^2*dot(y)^2)", .constraints = { \
            "dot(x) = (" c ")*dot(y)"                                                              \
        }                                                                                          \
    }

static const Case CASES[] = {
    /* masses as far apart as they like */
    {{.coordinates = "x y", .lagrangian = "dot(x)^2 + 1e30*dot(y)^2"}, {0}, true, true},
    {{.coordinates = "x y", .parameters = "m=1e-40", .lagrangian = "dot(x)^2 + m*dot(y)^2"},
     {0},
     true,
     true},
    {{.coordinates = "x y", .lagrangian = "dot(x)^2 - 1e-200*dot(y)^2"}, {0}, true, false},
    {{.coordinates = "x y", .lagrangian = "dot(x)^2 + 1e30*dot(y)^2 + 1e15*dot(x)*dot(y)"},
     {0},
     true,
     true},
    {{.coordinates = "x y", .lagrangian = "dot(x)^2 + 1e30*dot(y)^2 + 2e15*dot(x)*dot(y)"},
     {0},
     false,
     false},
    /* a planet in metres, and a charge in an atom */
    {{.coordinates = "r a", .lagrangian = "dot(r)^2 + r^2*dot(a)^2"}, {9e15}, true, true},
    {{.coordinates = "r a", .lagrangian = "dot(r)^2 + r^2*dot(a)^2"}, {1e-18}, true, true},
    /* the rounding of a place where the chart is singular is no mass */
    {{.coordinates = "r a", .lagrangian = "dot(r)^2 + sin(r)^2*dot(a)^2"}, {PI}, false, false},
    {{.coordinates = "r a", .lagrangian = "dot(r)^2 + (1 - cos(r)^2)*dot(a)^2"},
     {1e-8},
     false,
     false},
    {{.coordinates = "r a", .lagrangian = "dot(r)^2 + (1 - cos(r)^2)*dot(a)^2"},
     {1e-2},
     true,
     true},
    /* what has no mass moves with what has, beside heavy bodies too */
    {{.coordinates = "x y z",
      .lagrangian = "dot(x)^2 + 1e30*dot(y)^2",
      .constraints = {"z = 1e-9*x"}},
     {0},
     true,
     true},
    {{.coordinates = "x y z",
      .lagrangian = "dot(x)^2 + 1e30*dot(y)^2 + 1e5*dot(x)*dot(z)",
      .constraints = {"z = x"}},
     {0},
     true,
     true},
    {{.coordinates = "x y z", .lagrangian = "dot(x)^2 + 1e30*dot(y)^2", .constraints = {"y = x"}},
     {0},
     false,
     false},
    /* masses that cancel on the constraints: all of them, or in one of several directions; in other
     * units, beside a heavy body, with rounding in the constraint; and what is left of them if they
     * do not cancel */
    {CANCELLING("1", "1"), {0}, false, false},
    {CANCELLING("1e-9", "1"), {0}, false, false},
    {CANCELLING("1e300", "1"), {0}, false, false},
    {CANCELLING("1", "0.1"), {0}, false, false},
    {CANCELLING("1", "1/3"), {0}, false, false},
    {CANCELLING("1", "1e8"), {0}, false, false},
    {CANCELLING("1", "1e-8"), {0}, false, false},
    {{.coordinates = "x y z",
      .lagrangian = "dot(x)^2 - dot(y)^2 + 1e30*dot(z)^2",
      .constraints = {"dot(x) = dot(y)"}},
     {0},
     false,
     false},
    {{.coordinates = "x y z",
      .lagrangian = "dot(x)^2 + dot(y)^2 - 2*dot(z)^2",
      .constraints = {"dot(x) = dot(z)", "dot(y) = dot(z)"}},
     {0},
     false,
     false},
    {{.coordinates = "x y",
      .lagrangian = "dot(x)^2 - 2*dot(y)^2",
      .constraints = {"dot(x) = dot(y)"}},
     {0},
     true,
     false},
    {{.coordinates = "x y",
      .lagrangian = "dot(x)^2 - dot(y)^2 + 1e-9*dot(y)^2",
      .constraints = {"dot(x) = dot(y)"}},
     {0},
     true,
     true},
};

START_TEST(accelerations_are_determined_in_all_units)
{
    const Case *c = &CASES[_i];
    const size_t rows[MAX_R] = {0, 1};
    const double v[MAX_N] = {0};
    Regularity found = {0};
    Bench bench;

    bench_init(&bench, &c->sketch);
    const Model *model = bench.model;
    const ModelPoint point = model_point(bench.eval, 0, c->q, v);
    ck_assert_int_eq(
        regularity_of(&(RegularityMatrices){model->n, point.M, point.M_rounding, point.A}, rows,
                      model->r, &found, NULL),
        OK);
    ck_assert_int_eq(found.regular, c->regular);
    ck_assert_int_eq(found.positive, c->positive);
    bench_done(&bench);
}
END_TEST

enum { MOST = 9 };

/* G G^T - shift 1 in random units, G random: its smallest eigenvalue in units of its diagonal is
 * near zero or not. */
static void draw_mass(Random *random, size_t n, double shift, double *ret_scaled, double *ret_M)
{
    double G[MOST * MOST], unit[MOST], C[MOST * MOST];

    for (size_t i = 0; i < n * n; i++)
        G[i] = random_normal(random);
    for (size_t i = 0; i < n; i++) {
        unit[i] = exp(random_uniform(random, -20, 20));
        for (size_t j = 0; j < n; j++) {
            C[i * n + j] = i == j ? -shift : 0;
            for (size_t k = 0; k < n; k++)
                C[i * n + j] += G[i * n + k] * G[j * n + k];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            ret_M[i * n + j] = C[i * n + j] * unit[i] * unit[j];
            ret_scaled[i * n + j] =
                C[i * n + j] / sqrt(fabs(C[i * n + i])) / sqrt(fabs(C[j * n + j]));
        }
}

START_TEST(the_verdict_is_that_of_the_eigenvalues)
{
    const double none[MOST] = {0};
    size_t positive = 0, regular = 0, all = 0;
    Random random;

    random_init(&random, 7);
    for (int k = 0; k < 20000; k++) {
        const size_t n = 1 + (size_t)k % MOST;
        const double shift = k % 2 ? 0 : exp(random_uniform(&random, -30, 2));
        double M[MOST * MOST], scaled[MOST * MOST], values[MOST], largest = 0, smallest = INFINITY;
        Regularity found = {0};
        draw_mass(&random, n, shift, scaled, M);
        ck_assert_int_eq(dense_symmetric_eigenvalues(scaled, n, values, NULL), OK);
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(values[i]));
            smallest = fmin(smallest, fabs(values[i]));
        }
        if (smallest < 1e-6 * largest && smallest > 1e-14 * largest)
            continue; /* too near to tell from the rounding of either way */
        ck_assert_int_eq(
            regularity_of(&(RegularityMatrices){n, M, none, NULL}, NULL, 0, &found, NULL), OK);
        ck_assert_int_eq(found.regular, smallest > 1e-12 * largest);
        ck_assert_int_eq(found.positive, found.regular && values[0] > 0);
        positive += found.positive;
        regular += found.regular;
        all++;
    }
    ck_assert_uint_gt(positive, all / 2);
    ck_assert_uint_gt(regular - positive, all / 20);
}
END_TEST

SUITE(regularity)
{
    TCase *tc = suite_case(suite, "regularity");
    tcase_add_loop_test(tc, accelerations_are_determined_in_all_units, 0,
                        sizeof CASES / sizeof CASES[0]);
    tcase_add_test(tc, the_verdict_is_that_of_the_eigenvalues);
}
