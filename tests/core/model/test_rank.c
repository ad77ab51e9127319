/* The rank of the constraints, where it is settled without singular values and where it is not. */
#include <math.h>

#include "core/base/random.h"
#include "core/model/initial.h"
#include "core/model/rank.h"
#include "tests/core/model/sketch.h"
#include "tests/suite.h"

/* Two rows, the second the first in other units and moved by less and less: with numbers about its
 * edge the short way has the rank and the rows of the long one. An evaluator that is given other
 * parameters is as a new one. */
START_TEST(the_rank_is_that_of_the_singular_values)
{
    static const Sketch SKETCH = {
        .coordinates = "x y z",
        .parameters = "a=1, b=2, c=3, d=4, e=5, f=7",
        .lagrangian = "dot(x)^2 + dot(y)^2 + dot(z)^2",
        .constraints = {"a*dot(x) + b*dot(y) + c*dot(z)", "d*dot(x) + e*dot(y) + f*dot(z)"}};
    const double q[3] = {0}, v[3] = {0};
    size_t full = 0, less = 0;
    Random random;
    Bench bench;

    bench_init(&bench, &SKETCH);
    ck_assert_uint_eq(bench.model->n_params, 6);
    random_init(&random, 3);
    for (int k = 0; k < 4000; k++) {
        double params[6];
        size_t rows[2][2] = {{9, 9}, {9, 9}};
        const double unit = exp(random_uniform(&random, -30, 30));
        const double apart = k % 3 ? exp(random_uniform(&random, -40, 0)) : 0;
        for (size_t i = 0; i < 3; i++) {
            params[i] = random_normal(&random);
            params[3 + i] = unit * (params[i] + apart * random_normal(&random));
        }
        ModelEval *fresh = NULL;
        ck_assert_int_eq(model_eval_new(bench.programs, params, &fresh, NULL), OK);
        model_eval_renew(bench.eval, params);
        const ModelPoint point = model_point(bench.eval, 0, q, v);
        const ModelPoint same = model_point(fresh, 0, q, v);
        ck_assert_mem_eq(point.A, same.A, 6 * sizeof *point.A);
        ConstraintRank all = {.independent = rows[0]};
        ConstraintRank only = {.independent = rows[1], .rank_only = true};
        ck_assert_int_eq(rank_find(bench.model, &point, false, &all, NULL), OK);
        ck_assert_int_eq(rank_find(bench.model, &point, false, &only, NULL), OK);
        ck_assert_uint_eq(all.rank, only.rank);
        ck_assert_mem_eq(rows[0], rows[1], sizeof rows[0]);
        full += all.rank == 2;
        less += all.rank == 1;
        model_eval_free(fresh);
    }
    ck_assert_uint_gt(full, 1000);
    ck_assert_uint_gt(less, 1000);
    bench_done(&bench);
}
END_TEST

/* The row of a nonlinear constraint changes with the velocities: rank 2 at the given ones, and 1 at
 * those that the constraints leave. */
START_TEST(the_rank_at_the_start_is_that_of_the_corrected_velocities)
{
    static const Sketch SKETCH = {.coordinates = "x y",
                                  .lagrangian = "dot(x)^2 + dot(y)^2",
                                  .constraints = {"dot(x)", "dot(x)*dot(y)"}};
    double q[2] = {0}, v[2] = {1, 2};
    const bool given[2] = {true, true};
    size_t independent[2];
    InitialState state = {.q = q,
                          .v = v,
                          .v_given = given,
                          .consistency = CONSISTENCY_PROJECT,
                          .pointer = "/initial"};
    InitialReport report = {.independent = independent};
    Error err = {0};
    Bench bench;

    bench_init(&bench, &SKETCH);
    ck_assert_msg(model_initial_state(bench.eval, &state, &report, &bench.diag, &err) == OK, "%s",
                  err.message);
    ck_assert_double_eq(v[0], 0);
    ck_assert_double_eq(v[1], 2);
    ck_assert_uint_eq(report.rank, 1);
    ck_assert_uint_eq(report.n_redundant, 1);
    bench_done(&bench);
}
END_TEST

SUITE(rank)
{
    TCase *tc = suite_case(suite, "rank");

    tcase_add_test(tc, the_rank_is_that_of_the_singular_values);
    tcase_add_test(tc, the_rank_at_the_start_is_that_of_the_corrected_velocities);
}
