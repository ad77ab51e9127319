/* Names for what expressions have in common. */
#include <math.h>
#include <stdlib.h>

#include "core/expr/calculus/calculus.h"
#include "tests/core/expr/fixture.h"
#include "tests/core/expr/trees.h"
#include "tests/suite.h"

enum { FIRST_PART = 20, MAX_PARTS = 1000, ROOTS = 3 };

/* How often computed nodes (as opposed to numbers and symbols) are used in the texts of e. */
static void count_uses(const ExprPool *pool, Expr e, unsigned *uses)
{
    ExprNode node = expr_node(pool, e);

    uses[e.id]++;
    for (uint32_t k = 0; k < node.n; k++)
        count_uses(pool, node.args[k], uses);
}

START_TEST(parts_evaluated_in_order_give_the_roots)
{
    Random random;
    Trees trees;
    int checked = 0;

    random_init(&random, 17);
    for (int i = 0; i < 2000; i++) {
        ExprPool *pool = expr_pool_new((ExprLimits){0});
        int tree = tree_random(&trees, &random, 5);
        Expr whole = tree_build(&trees, tree, pool);
        /* roots that surely share, one of them shared itself */
        Expr roots[ROOTS] = {expr_call(pool, EXPR_SIN, &whole, 1),
                             expr_mul(pool, whole, expr_symbol(pool, 1)), whole};
        Expr now[ROOTS], *parts = NULL;
        size_t n = 0;
        double at[FIRST_PART + MAX_PARTS] = {0}, values[ROOTS], shared[ROOTS], largest = 0;
        if (expr_pool_status(pool, NULL) == OK) {
            ck_assert(expr_share(pool, roots, ROOTS, FIRST_PART, now, &parts, &n, NULL) == OK);
            ck_assert_uint_le(n, MAX_PARTS);
            random_point(&random, at);
            for (size_t k = 0; k < n; k++) /* a part uses only parts before its own */
                ck_assert(expr_eval(pool, &parts[k], 1, at, &at[FIRST_PART + k], NULL) == OK);
            tree_value(&trees, tree, at, &largest);
            ck_assert(expr_eval(pool, roots, ROOTS, at, values, NULL) == OK);
            ck_assert(expr_eval(pool, now, ROOTS, at, shared, NULL) == OK);
            for (int k = 0; k < ROOTS && largest < 1e3; k++)
                ck_assert_msg(fabs(values[k] - shared[k]) <= 1e-9 * (1 + largest),
                              "case %d: %.17g shared %.17g", i, values[k], shared[k]);
            checked += largest < 1e3 && n > 0;
        }
        free(parts);
        expr_pool_free(pool);
    }
    ck_assert_int_gt(checked, 500);
}
END_TEST

START_TEST(a_part_is_written_once_and_what_is_used_once_is_no_part)
{
    Fixture fixture;
    Expr *parts, now[2];
    size_t n;
    fixture_init(&fixture, false);
    Expr roots[2] = {fixture_read(&fixture, "m*sin(x)^2 + exp(l)/(1 + sin(x))"),
                     fixture_read(&fixture, "sin(x)*g")};
    ck_assert(expr_share(fixture.pool, roots, 2, FIRST_PART, now, &parts, &n, NULL) == OK);
    ck_assert_uint_eq(n, 1);
    ck_assert(expr_same(parts[0], fixture_read(&fixture, "sin(x)")));
    unsigned *uses = calloc(expr_pool_size(fixture.pool) + 1, sizeof *uses);
    for (int i = 0; i < 2; i++)
        count_uses(fixture.pool, now[i], uses);
    ck_assert_uint_eq(uses[parts[0].id], 0);
    ck_assert_uint_eq(uses[expr_symbol(fixture.pool, FIRST_PART).id], 3);
    free(uses);
    free(parts);
    fixture_done(&fixture);
}
END_TEST

START_TEST(systems_and_conditions_keep_their_place)
{
    Fixture fixture;
    Expr *parts, now[2], x[2];
    size_t n;
    fixture_init(&fixture, false);
    Expr matrix[4] = {fixture_read(&fixture, "m"), fixture_read(&fixture, "cos(x)"),
                      fixture_read(&fixture, "cos(x)"), fixture_read(&fixture, "g + 1")};
    Expr rhs[2] = {fixture_read(&fixture, "x"), fixture_read(&fixture, "l")};
    expr_solve(fixture.pool, expr_factor(fixture.pool, 2, matrix), 2, rhs, x);
    Expr condition = fixture_read(&fixture, "if(x < m, 1, 2) + if(x < m, 3, l)");
    Expr roots[2] = {expr_mul(fixture.pool, x[0], x[1]), expr_add(fixture.pool, x[0], condition)};
    ck_assert(expr_share(fixture.pool, roots, 2, FIRST_PART, now, &parts, &n, NULL) == OK);
    ck_assert_uint_eq(n, 2);
    for (size_t k = 0; k < n; k++) {
        ExprOp op = expr_node(fixture.pool, parts[k]).op;
        ck_assert(op == EXPR_COS || op == EXPR_ELEMENT);
    }
    free(parts);
    fixture_done(&fixture);
}
END_TEST

SUITE(share)
{
    TCase *tc = suite_case(suite, "share");
    tcase_add_test(tc, parts_evaluated_in_order_give_the_roots);
    tcase_add_test(tc, a_part_is_written_once_and_what_is_used_once_is_no_part);
    tcase_add_test(tc, systems_and_conditions_keep_their_place);
}
