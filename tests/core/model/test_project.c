/* Projections after steps: onto the constraints, the shortest way, and not at all when there. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "core/model/rank.h"
#include "tests/core/model/references.h"
#include "tests/suite.h"

enum { MAX = 8 };

static size_t all_rows(const Bench *bench, size_t *rows)
{
    for (size_t a = 0; a < bench->model->r; a++)
        rows[a] = a;
    return bench->model->r;
}

START_TEST(admissible_states_keep_their_bits)
{
    Reference ref;
    Bench bench;
    double q[MAX], v[MAX], once_q[MAX], once_v[MAX], dq = 1, dv = 1;
    size_t rows[MAX];

    reference_init(&ref, &bench, _i);
    memcpy(q, ref.q, sizeof ref.q);
    memcpy(v, ref.v, sizeof ref.v);
    size_t n_rows = all_rows(&bench, rows);
    ck_assert_int_eq(model_project(bench.eval, ref.t, q, v, rows, n_rows, &dq, &dv, NULL), OK);
    memcpy(once_q, q, sizeof q);
    memcpy(once_v, v, sizeof v);
    /* whatever a projection leaves, the next one leaves it too */
    for (int k = 0; k < 3; k++)
        ck_assert_int_eq(model_project(bench.eval, ref.t, q, v, rows, n_rows, &dq, &dv, NULL), OK);
    ck_assert_double_le(dq, 4 * DBL_EPSILON);
    ck_assert_double_le(dv, 4 * DBL_EPSILON);
    for (size_t i = 0; i < bench.model->n; i++) {
        ck_assert_double_eq_tol(q[i], ref.q[i], 1e-14);
        ck_assert_double_eq_tol(v[i], ref.v[i], 1e-14);
    }
    bench_done(&bench);
}
END_TEST

/* Largest component of M (x - x0) outside the span of the rows: zero at the nearest point. */
static double off_normal(const Bench *bench, const double *M, const double *A, const size_t *rows,
                         size_t n_rows, const double *change)
{
    const size_t n = bench->model->n;
    double basis[MAX][MAX] = {{0}}, force[MAX], worst = 0;
    size_t dim = 0;

    for (size_t i = 0; i < n; i++) {
        force[i] = 0;
        for (size_t j = 0; j < n; j++)
            force[i] += M[i * n + j] * change[j];
    }
    for (size_t k = 0; k <= n_rows; k++) {
        double *x = k < n_rows ? basis[dim] : force;
        if (k < n_rows)
            memcpy(x, A + rows[k] * n, n * sizeof *x);
        for (int pass = 0; pass < 2; pass++)
            for (size_t d = 0; d < dim; d++) {
                double along = 0;
                for (size_t i = 0; i < n; i++)
                    along += x[i] * basis[d][i];
                for (size_t i = 0; i < n; i++)
                    x[i] -= along * basis[d][i];
            }
        double norm = 0;
        for (size_t i = 0; i < n; i++)
            norm = hypot(norm, x[i]);
        for (size_t i = 0; i < n && k < n_rows; i++)
            x[i] /= norm;
        dim += k < n_rows;
        worst = norm;
    }
    return worst;
}

/* Pushed off by 1e-6, a state comes back to round-off, by the shortest way in the metric of M. */
START_TEST(projections_are_the_shortest)
{
    Reference ref;
    Bench bench;
    double q[MAX], v[MAX], start[MAX], dq, dv, change[MAX];
    size_t rows[MAX];
    Random random;

    reference_init(&ref, &bench, _i);
    const size_t n = bench.model->n, n_rows = all_rows(&bench, rows);
    random_init(&random, 7 + (uint64_t)_i);
    printf("seed %d\n", 7 + _i);
    for (size_t i = 0; i < n; i++) {
        q[i] = ref.q[i] + 1e-6 * random_normal(&random);
        v[i] = start[i] = ref.v[i] + 1e-6 * random_normal(&random);
    }
    Status status = model_project(bench.eval, ref.t, q, v, rows, n_rows, &dq, &dv, NULL);
    ck_assert_int_eq(status, OK);
    ModelPoint point = model_point(bench.eval, ref.t, q, v);
    double size = 0;
    for (size_t a = 0; a < n_rows; a++) {
        ck_assert_double_le(point_position_residual(&point, a), 4 * DBL_EPSILON);
        ck_assert_double_le(point_velocity_residual(&point, a), 4 * DBL_EPSILON);
    }
    for (size_t i = 0; i < n; i++)
        size = hypot(size, change[i] = v[i] - start[i]);
    ck_assert_double_eq_tol(size, dv, 1e-20 + 1e-14 * dv);
    ck_assert_double_le(dq, 1e-5);
    ck_assert_double_le(dv, 1e-3);
    if (n_rows > 0) /* second order in the push for what is not linear */
        ck_assert_double_le(off_normal(&bench, point.M, point.A, rows, n_rows, change), 1e-9);
    bench_done(&bench);
}
END_TEST

START_TEST(failed_projections_leave_the_state)
{
    Sketch sketch = {.coordinates = "x y",
                     .lagrangian = "dot(x)^2 + dot(y)^2",
                     .constraints = {"x^2 + y^2 + 1", "dot(x) = 3"}};
    double q[] = {1, 2}, v[] = {3, 4}, dq, dv;
    size_t rows[] = {0, 1};
    Error err = {0};
    Bench bench;

    bench_init(&bench, &sketch);
    ck_assert_int_eq(model_project(bench.eval, 0, q, v, rows, 2, &dq, &dv, &err), ERR_NUMERIC);
    ck_assert(q[0] == 1 && q[1] == 2 && v[0] == 3 && v[1] == 4);
    q[0] = NAN;
    ck_assert_int_eq(model_project(bench.eval, 0, q, v, rows, 2, &dq, &dv, &err), ERR_NUMERIC);
    bench_done(&bench);
}
END_TEST

/* M is no metric here: what is nearest is told by the Euclidean one, in the KKT form throughout. */
START_TEST(singular_mass_matrices_are_no_obstacle)
{
    Sketch sketch = {.coordinates = "x y z",
                     .lagrangian = "dot(x)^2/2 + dot(y)^2/2",
                     .constraints = {"dot(z) = y*dot(x) - x*dot(y)"}};
    double q[] = {1, 2, 0}, v[] = {1, 1, 1.5}, dq, dv;
    size_t rows[] = {0};
    Bench bench;

    bench_init(&bench, &sketch);
    /* positive on the constraint: z alone takes the correction, it has no mass */
    ck_assert_int_eq(model_project(bench.eval, 0, q, v, rows, 1, &dq, &dv, NULL), OK);
    ck_assert_double_eq_tol(v[0], 1, 1e-15);
    ck_assert_double_eq_tol(v[2], 1, 1e-15);
    v[2] = 1.5;
    model_eval_set_metric(bench.eval, (ModelMetric){false, false});
    ck_assert_int_eq(model_project(bench.eval, 0, q, v, rows, 1, &dq, &dv, NULL), OK);
    double gradient = sqrt(1 + 4 + 1);
    ck_assert_double_eq_tol(dv, 0.5 / gradient, 1e-15);
    bench_done(&bench);
}
END_TEST

/* Of velocities that the constraints determine to be zero less than DBL_MIN is left. */
START_TEST(what_has_no_freedom_comes_to_rest)
{
    Sketch sketch = {.coordinates = "x y z",
                     .lagrangian = "dot(x)^2 + dot(y)^2 + 3*dot(z)^2",
                     .constraints = {"0.3*dot(x) + 0.7*dot(y) - 0.1*dot(z)",
                                     "x*dot(x) - 0.9*dot(y) + y*dot(z)",
                                     "y*dot(x) + x*dot(y) + 0.6*dot(z)"}};
    static const double SIZES[] = {1, 1e-17, 1e9, 1e-150, 1e-305, 5e-324};
    const size_t rows[] = {0, 1, 2};
    Bench bench;

    bench_init(&bench, &sketch);
    for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
        double q[] = {1.1, 0.7, 0.2}, v[] = {0.3 * SIZES[k], -SIZES[k], 0}, dq, dv;
        ck_assert_int_eq(model_project(bench.eval, 0, q, v, rows, 3, &dq, &dv, NULL), OK);
        for (size_t i = 0; i < 3; i++)
            ck_assert_msg(fabs(v[i]) < DBL_MIN, "size %g: v[%zu] = %g", SIZES[k], i, v[i]);
    }
    bench_done(&bench);
}
END_TEST

/* A driver may be slower than rounding of the velocities before. */
START_TEST(what_a_slow_driver_demands_is_met)
{
    Sketch sketch = {.coordinates = "x y",
                     .lagrangian = "dot(x)^2 + dot(y)^2",
                     .constraints = {"0.3*dot(x) + 0.7*dot(y) = 1e-40", "0.9*dot(x) = 0.2*dot(y)"}};
    double q[] = {1, 1}, v[] = {1, -2}, dq, dv;
    const size_t rows[] = {0, 1};
    Bench bench;

    bench_init(&bench, &sketch);
    ck_assert_int_eq(model_project(bench.eval, 0, q, v, rows, 2, &dq, &dv, NULL), OK);
    ck_assert_double_eq_tol(v[0] * 1e40, 0.2 / 0.69, 1e-14);
    ck_assert_double_eq_tol(v[1] * 1e40, 0.9 / 0.69, 1e-14);
    bench_done(&bench);
}
END_TEST

START_TEST(rank_is_that_of_the_rows)
{
    Sketch sketch = {
        .coordinates = "x y z",
        .lagrangian = "dot(x)^2 + dot(y)^2 + dot(z)^2",
        .constraints = {"1e-6*dot(x)", "1e6*dot(x) + 1e6*dot(y)", "dot(y)", "dot(z) = x*dot(y)"}};
    double q[] = {0, 0, 0}, v[] = {0, 0, 0};
    size_t independent[4];
    ConstraintRank rank = {.independent = independent};
    Bench bench;

    bench_init(&bench, &sketch);
    ModelPoint point = model_point(bench.eval, 0, q, v);
    ck_assert_int_eq(rank_find(bench.model, &point, false, &rank, NULL), OK);
    ck_assert_uint_eq(rank.rank, 3);
    ck_assert_uint_eq(independent[0], 0);
    ck_assert_uint_eq(independent[1], 1);
    ck_assert_uint_eq(independent[2], 3);
    ck_assert_double_ge(rank.smallest, 0.1);
    bench_done(&bench);
}
END_TEST

SUITE(project)
{
    TCase *tc = suite_case(suite, "project");
    tcase_add_loop_test(tc, admissible_states_keep_their_bits, 0, n_references());
    tcase_add_loop_test(tc, projections_are_the_shortest, 0, n_references());
    tcase_add_test(tc, failed_projections_leave_the_state);
    tcase_add_test(tc, singular_mass_matrices_are_no_obstacle);
    tcase_add_test(tc, what_has_no_freedom_comes_to_rest);
    tcase_add_test(tc, what_a_slow_driver_demands_is_met);
    tcase_add_test(tc, rank_is_that_of_the_rows);
}
