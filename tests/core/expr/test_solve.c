/* Linear systems: values against their residual, derivatives against differences. */
#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "tests/core/expr/fixture.h"
#include "tests/suite.h"

enum { N = 3 };

/* Not symmetric, needs pivoting (a zero in the corner), every entry moves with x or theta. */
static const char *const MATRIX[N * N] = {"0",  "x",   "1 + theta", "2 + sin(x)", "theta*x",
                                          "-1", "x^2", "3",         "exp(theta)"};
static const char *const RHS[N] = {"x*theta", "1", "cos(x)"};

typedef struct System {
    Fixture fixture;
    Expr matrix[N * N], rhs[N], x[N], factor;
} System;

static void system_init(System *system)
{
    fixture_init(&system->fixture, false);
    for (int i = 0; i < N * N; i++)
        system->matrix[i] = fixture_read(&system->fixture, MATRIX[i]);
    for (int i = 0; i < N; i++)
        system->rhs[i] = fixture_read(&system->fixture, RHS[i]);
    system->factor = expr_factor(system->fixture.pool, N, system->matrix);
    expr_solve(system->fixture.pool, system->factor, N, system->rhs, system->x);
}

static double value(const System *system, Expr e, double x, double theta)
{
    double symbols[FIXTURE_SYMBOLS] = {0, x, theta}, result;
    ck_assert(expr_eval(system->fixture.pool, &e, 1, symbols, &result, NULL) == OK);
    return result;
}

static const double X = 0.7, THETA = -0.4, H = 1e-3;

/* Fourth-order central difference. */
static double difference(const System *system, Expr e)
{
    return (8 * (value(system, e, X + H, THETA) - value(system, e, X - H, THETA)) -
            (value(system, e, X + 2 * H, THETA) - value(system, e, X - 2 * H, THETA))) /
           (12 * H);
}

START_TEST(the_solution_has_no_residual)
{
    System system;
    system_init(&system);
    for (int i = 0; i < N; i++) {
        double residual = -value(&system, system.rhs[i], X, THETA);
        for (int j = 0; j < N; j++)
            residual += value(&system, system.matrix[i * N + j], X, THETA) *
                        value(&system, system.x[j], X, THETA);
        ck_assert_double_eq_tol(residual, 0, 1e-14);
    }
    fixture_done(&system.fixture);
}
END_TEST

START_TEST(derivatives_of_solutions_equal_differences)
{
    System system;
    system_init(&system);
    ExprPool *pool = system.fixture.pool;
    Expr x = system.fixture.symbols[1], d[N], gradient;
    Expr one = expr_const(pool, 1.0), sum = expr_dot(pool, N, system.x, system.x);

    expr_directional(pool, system.x, N, &x, &one, 1, d);
    for (int i = 0; i < N; i++) {
        ck_assert_double_eq_tol(value(&system, d[i], X, THETA), difference(&system, system.x[i]),
                                1e-9);
        Expr second = expr_diff(pool, d[i], x);
        ck_assert_double_eq_tol(value(&system, second, X, THETA), difference(&system, d[i]), 1e-8);
    }
    expr_gradient(pool, sum, &x, 1, &gradient);
    ck_assert_double_eq_tol(value(&system, gradient, X, THETA), difference(&system, sum), 1e-8);
    fixture_done(&system.fixture);
}
END_TEST

static size_t count_factors(const ExprPool *pool)
{
    size_t n = 0;
    for (uint32_t id = 1; id <= expr_pool_size(pool); id++)
        n += expr_node(pool, (Expr){id}).op == EXPR_FACTOR;
    return n;
}

START_TEST(forward_derivatives_reuse_the_factor)
{
    System system;
    Expr d;
    system_init(&system);
    ExprPool *pool = system.fixture.pool;
    Expr one = expr_const(pool, 1.0);
    expr_directional(pool, system.x, 1, &system.fixture.symbols[1], &one, 1, &d);
    ck_assert_uint_eq(count_factors(pool), 1);
    fixture_done(&system.fixture);
}
END_TEST

START_TEST(a_zero_right_hand_side_has_a_zero_solution)
{
    System system;
    Expr zeros[N], x[N];
    system_init(&system);
    for (int i = 0; i < N; i++)
        zeros[i] = expr_const(system.fixture.pool, 0.0);
    expr_solve(system.fixture.pool, system.factor, N, zeros, x);
    for (int i = 0; i < N; i++)
        ck_assert(expr_is_zero(system.fixture.pool, x[i]));
    fixture_done(&system.fixture);
}
END_TEST

START_TEST(substitution_reaches_into_systems)
{
    System system;
    Expr ret;
    system_init(&system);
    ExprPool *pool = system.fixture.pool;
    Expr to = expr_const(pool, X);
    expr_substitute(pool, &system.x[1], 1, &system.fixture.symbols[1], &to, 1, &ret);
    ck_assert_double_eq_tol(value(&system, ret, 99, THETA), value(&system, system.x[1], X, THETA),
                            1e-15);
    fixture_done(&system.fixture);
}
END_TEST

START_TEST(rcond_is_one_for_rows_scaled_by_powers_of_two_and_zero_when_singular)
{
    Fixture fixture;
    double symbols[FIXTURE_SYMBOLS] = {0, 4096.0}, values[2];
    fixture_init(&fixture, false);
    ExprPool *pool = fixture.pool;
    Expr x = fixture.symbols[1], zero = expr_const(pool, 0.0), two = expr_const(pool, 2.0);
    Expr scaled = expr_factor(pool, 2, (const Expr[]){x, zero, zero, two});
    Expr singular = expr_factor(pool, 2, (const Expr[]){x, two, x, two});
    Expr rcond[] = {expr_rcond(pool, scaled), expr_rcond(pool, singular)};
    ck_assert(expr_eval(pool, rcond, 2, symbols, values, NULL) == OK);
    ck_assert_double_eq_tol(values[0], 1, 1e-15);
    ck_assert_double_eq_tol(values[1], 0, 1e-15);
    ck_assert(expr_is_zero(pool, expr_diff(pool, rcond[0], x)));
    fixture_done(&fixture);
}
END_TEST

SUITE(solve)
{
    TCase *tc = suite_case(suite, "systems");
    tcase_add_test(tc, the_solution_has_no_residual);
    tcase_add_test(tc, derivatives_of_solutions_equal_differences);
    tcase_add_test(tc, forward_derivatives_reuse_the_factor);
    tcase_add_test(tc, a_zero_right_hand_side_has_a_zero_solution);
    tcase_add_test(tc, substitution_reaches_into_systems);
    tcase_add_test(tc, rcond_is_one_for_rows_scaled_by_powers_of_two_and_zero_when_singular);
}
