/* Unit tests of core/motion: the eliminations against the equations they solve. */
#include <math.h>
#include <stdlib.h>

#include "core/base/random.h"
#include "core/motion/algebra/eliminate.h"
#include "tests/suite.h"

enum { MAX = 6, CASES = 200 };

/* A random system whose entries are symbols, and values for them: M positive definite, A of full
 * rank. Entries that are structurally zero or constant are mixed in. */
typedef struct Case {
    ExprPool *pool;
    KktSystem system;
    Expr M[MAX * MAX], b[MAX], A[MAX * MAX], psi[MAX];
    Expr vdot[MAX], lambda[MAX], regularity[2 * MAX];
    KktSolution solution;
    double values[4 * MAX * MAX];
    uint32_t n_symbols;
} Case;

static Expr entry(Case *c, double value)
{
    c->values[c->n_symbols] = value;
    return expr_symbol(c->pool, c->n_symbols++);
}

/* M = D + sparse symmetric part small enough to stay definite. */
static void random_mass(Case *c, Random *random, size_t n, bool definite)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            Expr e = random_uniform(random, 0, 1) < 0.4
                         ? expr_const(c->pool, 0)
                         : entry(c, random_uniform(random, -0.3, 0.3));
            c->M[i * n + j] = c->M[j * n + i] = e;
        }
        double diagonal = random_uniform(random, 2, 3);
        if (!definite && i + 1 == n)
            diagonal = 0;
        c->M[i * n + i] = i % 2 ? entry(c, diagonal) : expr_const(c->pool, diagonal);
    }
}

static void random_case(Case *c, Random *random, size_t n, size_t r, bool own_columns,
                        bool definite)
{
    *c = (Case){.pool = expr_pool_new((ExprLimits){0, 0})};
    random_mass(c, random, n, definite);
    for (size_t i = 0; i < n; i++)
        c->b[i] = entry(c, random_normal(random));
    for (size_t a = 0; a < r; a++) {
        for (size_t i = 0; i < n; i++) {
            bool own = own_columns && i >= n - r;
            c->A[a * n + i] = own ? expr_const(c->pool, i == n - r + a ? 2.5 : 0)
                                  : entry(c, random_normal(random));
        }
        c->psi[a] = entry(c, random_normal(random));
    }
    c->system = (KktSystem){.n = n, .r = r, .M = c->M, .b = c->b, .A = c->A, .psi = c->psi};
    c->solution = (KktSolution){.vdot = c->vdot, .lambda = c->lambda, .regularity = c->regularity};
}

static void evaluate(const Case *c, const Expr *e, size_t n, double *ret)
{
    if (n)
        ck_assert_int_eq(expr_eval(c->pool, e, n, c->values, ret, NULL), OK);
}

/* The largest residual of both rows of the system. */
static double residual(const Case *c)
{
    const size_t n = c->system.n, r = c->system.r;
    double M[MAX * MAX] = {0}, A[MAX * MAX] = {0}, b[MAX], psi[MAX], vdot[MAX], lambda[MAX];
    double worst = 0;

    evaluate(c, c->M, n * n, M);
    evaluate(c, c->b, n, b);
    evaluate(c, c->A, r * n, A);
    evaluate(c, c->psi, r, psi);
    evaluate(c, c->vdot, n, vdot);
    evaluate(c, c->lambda, r, lambda);
    for (size_t i = 0; i < n; i++) {
        double sum = -b[i];
        for (size_t j = 0; j < n; j++)
            sum += M[i * n + j] * vdot[j];
        for (size_t a = 0; a < r; a++)
            sum -= A[a * n + i] * lambda[a];
        worst = fmax(worst, fabs(sum));
    }
    for (size_t a = 0; a < r; a++) {
        double sum = psi[a];
        for (size_t i = 0; i < n; i++)
            sum += A[a * n + i] * vdot[i];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

START_TEST(every_elimination_solves_the_equations)
{
    Random random;
    Case c;
    random_init(&random, 7);
    for (int k = 0; k < CASES; k++) {
        size_t n = 1 + (size_t)k % MAX, r = (size_t)(k / MAX) % (n + 1);
        random_case(&c, &random, n, r, true, true);
        bool fits = eliminate_solve(c.pool, &c.system, (Elimination)_i, &c.solution);
        ck_assert_int_eq(expr_pool_status(c.pool, NULL), OK);
        bool null_space = _i == ELIMINATE_NULL_SPACE || _i == ELIMINATE_NULL_SPACE_EXPANDED;
        ck_assert_int_eq(fits, !(null_space && r == 0));
        if (fits) {
            ck_assert_double_lt(residual(&c), 1e-11);
            ck_assert_uint_le(c.solution.n_regularity, n + r);
        }
        expr_pool_free(c.pool);
    }
}
END_TEST

START_TEST(pivoting_solves_where_the_mass_matrix_is_singular)
{
    Random random;
    Case c;
    random_init(&random, 8);
    for (int k = 0; k < CASES; k++) {
        random_case(&c, &random, 4, 2, false, false);
        ck_assert(eliminate_solve(c.pool, &c.system, ELIMINATE_PIVOTED, &c.solution));
        ck_assert_double_lt(residual(&c), 1e-9);
        expr_pool_free(c.pool);
    }
}
END_TEST

START_TEST(the_null_space_needs_only_definiteness_on_the_constraints)
{
    Random random;
    Case c;
    random_init(&random, 9);
    random_case(&c, &random, 4, 2, true, false); /* M[3][3] = 0, but velocity 3 is dependent */
    ck_assert(eliminate_solve(c.pool, &c.system, ELIMINATE_NULL_SPACE, &c.solution));
    ck_assert_double_lt(residual(&c), 1e-11);
    expr_pool_free(c.pool);
}
END_TEST

START_TEST(a_constraint_without_a_velocity_of_its_own_has_no_null_space_form)
{
    Random random;
    Case c;
    random_init(&random, 10);
    random_case(&c, &random, 4, 2, false, true);
    ck_assert(!eliminate_solve(c.pool, &c.system, ELIMINATE_NULL_SPACE, &c.solution));
    expr_pool_free(c.pool);
}
END_TEST

START_TEST(regularity_falls_with_the_smallest_pivot)
{
    Random random;
    Case c;
    random_init(&random, 11);
    random_case(&c, &random, 2, 0, false, true);
    /* M = [a b; b d] with d -> b^2/a: nearly singular */
    ExprPool *pool = c.pool;
    c.M[0] = expr_const(pool, 1);
    c.M[1] = c.M[2] = expr_const(pool, 2);
    c.M[3] = expr_const(pool, 4 + 1e-9);
    ck_assert(eliminate_solve(pool, &c.system, ELIMINATE_SCHUR, &c.solution));
    double ratio[2];
    evaluate(&c, c.regularity, 2, ratio);
    ck_assert_double_lt(fmin(ratio[0], ratio[1]), 1e-8);
    ck_assert_double_gt(fmin(ratio[0], ratio[1]), 1e-11);
    expr_pool_free(pool);
}
END_TEST

SUITE(eliminate)
{
    TCase *tc = suite_case(suite, "eliminate");
    tcase_add_loop_test(tc, every_elimination_solves_the_equations, ELIMINATE_NULL_SPACE,
                        ELIMINATE_PIVOTED + 1);
    tcase_add_test(tc, pivoting_solves_where_the_mass_matrix_is_singular);
    tcase_add_test(tc, the_null_space_needs_only_definiteness_on_the_constraints);
    tcase_add_test(tc, a_constraint_without_a_velocity_of_its_own_has_no_null_space_form);
    tcase_add_test(tc, regularity_falls_with_the_smallest_pivot);
}
