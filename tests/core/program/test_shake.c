/* Programs with errors of rounding: how far results spread. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/random.h"
#include "tests/core/program/batch.h"
#include "tests/suite.h"

enum { N = 3, DRAWS = 50 };

typedef Expr Built(ExprPool *pool, const Expr *x);

/* What was built, bound. */
typedef struct Bound {
    ExprPool *pool;
    Program *program;
    double *work;
} Bound;

static Bound bind_built(Built *built)
{
    Bound bound = {.pool = expr_pool_new((ExprLimits){0})};
    Expr inputs[N];
    for (uint32_t k = 0; k < N; k++)
        inputs[k] = expr_symbol(bound.pool, k);
    const Expr output = built(bound.pool, inputs);
    const ProgramSpec spec = {
        .pool = bound.pool, .inputs = inputs, .n_inputs = N, .outputs = &output, .n_outputs = 1};
    bound.program = compile_or_fail(&spec, interpreter_best());
    bound.work = malloc(program_work_doubles(bound.program, 1) * sizeof *bound.work);
    program_bind(bound.program, NULL, bound.work, 1);
    return bound;
}

static void bound_done(Bound *bound)
{
    free(bound->work);
    program_free(bound->program);
    expr_pool_free(bound->pool);
}

/* The largest distance from the result as it is, of many draws. */
static double spread(Built *built, const double *at)
{
    Bound bound = bind_built(built);
    double exact, result, most = 0;
    Random random;

    random_init(&random, 1);
    for (int k = 0; k < DRAWS; k++) {
        program_eval_shaken(bound.program, at, &result, bound.work,
                            &(Shakes){.by = DBL_EPSILON, .random = &random});
        program_eval(bound.program, at, &exact, bound.work, 1);
        ck_assert(isfinite(result) == isfinite(exact));
        most = fmax(most, fabs(result - exact));
    }
    bound_done(&bound);
    return most;
}

/* Two results, one after the other. */
static void shake_twice(Built *built, const double *at, Shakes *shakes, double *ret)
{
    Bound bound = bind_built(built);

    for (int k = 0; k < 2; k++)
        program_eval_shaken(bound.program, at, &ret[k], bound.work, shakes);
    bound_done(&bound);
}

static Expr difference(ExprPool *pool, const Expr *x)
{
    return expr_sub(pool, expr_mul(pool, x[0], x[1]), x[2]);
}

static Expr smaller(ExprPool *pool, const Expr *x)
{
    const Expr less = expr_call(pool, EXPR_LT, x, 2), args[] = {less, x[2], expr_const(pool, 0)};
    return expr_call(pool, EXPR_IF, args, 3);
}

static Expr arc_of_one(ExprPool *pool, const Expr *x)
{
    return expr_call(pool, EXPR_ACOS, x, 1);
}

/* The first component of the solution of [x0 1; 1 x1] y = (x2, x2). */
static Expr solved(ExprPool *pool, const Expr *x)
{
    const Expr one = expr_const(pool, 1), matrix[] = {x[0], one, one, x[1]};
    const Expr rhs[] = {x[2], x[2]};
    Expr y[2];
    expr_solve(pool, expr_factor(pool, 2, matrix), 2, rhs, y);
    return y[0];
}

START_TEST(what_cancels_leaves_the_rounding_of_its_terms)
{
    const double at[] = {0.1, 3e10, 0.1 * 3e10};
    const double found = spread(difference, at), unit = at[2] * DBL_EPSILON;

    ck_assert_double_ge(found, unit / 4);
    ck_assert_double_le(found, 4 * unit);
    ck_assert_double_eq(spread(difference, (double[]){0, 3e10, 0}), 0);
}
END_TEST

START_TEST(a_comparison_of_equals_is_not_shaken)
{
    ck_assert_double_eq(spread(smaller, (double[]){0.1, 0.1, 5}), 0);
}
END_TEST

START_TEST(the_end_of_a_range_is_not_left)
{
    ck_assert_double_le(spread(arc_of_one, (double[]){1, 0, 0}), 4 * sqrt(DBL_EPSILON));
}
END_TEST

START_TEST(solutions_spread_with_the_condition_of_the_matrix)
{
    /* nearly singular: the condition is 4 / 1e-6; the solution is about 1/2 */
    const double found = spread(solved, (double[]){1, 1 + 1e-6, 1});

    ck_assert_double_ge(found, 0.01 * DBL_EPSILON / 1e-6);
    ck_assert_double_le(found, 100 * DBL_EPSILON / 1e-6);
}
END_TEST

/* Of a sum, a solution and a function, twice: with the first factors from tables of several
 * lengths. */
START_TEST(factors_that_were_kept_are_those_that_are_drawn)
{
    enum { KEPT = 20 };
    const double at[] = {0.3, 0.7, 1.1};
    Built *const builts[] = {difference, smaller, arc_of_one, solved};

    for (size_t b = 0; b < sizeof builts / sizeof *builts; b++)
        for (size_t n = 0; n <= KEPT; n++) {
            double drawn[2], kept[2], table[KEPT];
            Random random;
            random_init(&random, 1);
            shake_twice(builts[b], at, &(Shakes){.by = 0.01, .random = &random}, drawn);
            random_init(&random, 1);
            Shakes shakes = {.by = 0.01, .random = &random};
            for (size_t k = 0; k < n; k++)
                table[k] = shakes_next(&shakes);
            shakes.kept = table;
            shakes.n_kept = n;
            shake_twice(builts[b], at, &shakes, kept);
            ck_assert_mem_eq(kept, drawn, sizeof kept);
        }
}
END_TEST

SUITE(shake)
{
    TCase *tc = suite_case(suite, "shake");
    tcase_add_test(tc, what_cancels_leaves_the_rounding_of_its_terms);
    tcase_add_test(tc, a_comparison_of_equals_is_not_shaken);
    tcase_add_test(tc, the_end_of_a_range_is_not_left);
    tcase_add_test(tc, factors_that_were_kept_are_those_that_are_drawn);
    tcase_add_test(tc, solutions_spread_with_the_condition_of_the_matrix);
}
