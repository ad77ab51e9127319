/* Frozen branches. */
#include <math.h>
#include <stdlib.h>

#include "core/expr/calculus/calculus.h"
#include "tests/core/expr/fixture.h"
#include "tests/core/expr/trees.h"
#include "tests/suite.h"

enum { FIRST_MODE = 20, MAX_MODES = 200 };

static bool is_cornered(ExprOp op)
{
    return op == EXPR_ABS || op == EXPR_SIGN || op == EXPR_MIN || op == EXPR_MAX;
}

/* Nothing under e changes its branch with anything but a mode. */
static void check_no_corners(const ExprPool *pool, Expr e)
{
    ExprNode node = expr_node(pool, e);
    bool used[FIRST_MODE] = {false};

    ck_assert(!is_cornered(node.op));
    if (node.op == EXPR_LT || node.op == EXPR_LE || node.op == EXPR_EQ) {
        ck_assert(expr_used_symbols(pool, &e, 1, used, FIRST_MODE, NULL) == OK);
        for (int i = 0; i < FIRST_MODE; i++)
            ck_assert(!used[i]);
    }
    for (uint32_t k = 0; k < node.n; k++)
        check_no_corners(pool, node.args[k]);
}

static double sign_of(double value)
{
    return (value > 0) - (value < 0);
}

START_TEST(frozen_equals_original_when_modes_are_the_signs_of_their_guards)
{
    Random random;
    Trees trees;
    int checked = 0;

    random_init(&random, 11);
    for (int i = 0; i < 3000; i++) {
        ExprPool *pool = expr_pool_new((ExprLimits){0});
        int root = tree_random(&trees, &random, 5);
        Expr e = tree_build(&trees, root, pool), frozen;
        ExprSwitch *switches = NULL;
        size_t n = 0;
        double at[FIRST_MODE + MAX_MODES] = {0}, values[2], largest = 0;
        if (expr_pool_status(pool, NULL) == OK) {
            ck_assert(expr_freeze_switches(pool, &e, 1, FIRST_MODE, &frozen, &switches, &n, NULL) ==
                      OK);
            ck_assert_uint_le(n, MAX_MODES);
            check_no_corners(pool, frozen);
            random_point(&random, at);
            for (size_t k = 0; k < n; k++) { /* a guard uses only modes before its own */
                double guard;
                ck_assert(expr_same(switches[k].mode, expr_symbol(pool, FIRST_MODE + (uint32_t)k)));
                ck_assert(expr_eval(pool, &switches[k].guard, 1, at, &guard, NULL) == OK);
                at[FIRST_MODE + k] = sign_of(guard);
            }
            tree_value(&trees, root, at, &largest);
            ck_assert(expr_eval(pool, (const Expr[]){e, frozen}, 2, at, values, NULL) == OK);
            if (largest < 1e3) {
                ck_assert_msg(fabs(values[0] - values[1]) <= 1e-9 * (1 + largest),
                              "case %d: %.17g frozen %.17g", i, values[0], values[1]);
                checked += n > 0;
            }
        }
        free(switches);
        expr_pool_free(pool);
    }
    ck_assert_int_gt(checked, 600);
}
END_TEST

static Expr freeze_one(Fixture *fixture, const char *text, ExprSwitch **switches, size_t *n)
{
    Expr e = fixture_read(fixture, text), frozen;
    ck_assert(expr_freeze_switches(fixture->pool, &e, 1, FIRST_MODE, &frozen, switches, n, NULL) ==
              OK);
    return frozen;
}

START_TEST(roots_without_corners_come_back_unchanged)
{
    Fixture fixture;
    ExprSwitch *switches;
    size_t n;
    fixture_init(&fixture, false);
    Expr frozen = freeze_one(&fixture, "m*sin(x)^2/(1 + l^x)", &switches, &n);
    ck_assert(expr_same(frozen, fixture_read(&fixture, "m*sin(x)^2/(1 + l^x)")));
    ck_assert_uint_eq(n, 0);
    free(switches);
    fixture_done(&fixture);
}
END_TEST

START_TEST(equal_and_opposite_switches_share_a_mode)
{
    Fixture fixture;
    ExprSwitch *switches;
    size_t n;
    fixture_init(&fixture, false);
    freeze_one(&fixture,
               "abs(x - m) + sign(m - x) + if(x < m, g, l) + if(m < x, l, 2*g) + max(x, m)",
               &switches, &n);
    ck_assert_uint_eq(n, 1);
    free(switches);
    fixture_done(&fixture);
}
END_TEST

START_TEST(the_guard_of_an_outer_switch_holds_inner_modes)
{
    Fixture fixture;
    ExprSwitch *switches;
    size_t n;
    fixture_init(&fixture, false);
    freeze_one(&fixture, "abs(abs(x) - m)", &switches, &n);
    ck_assert_uint_eq(n, 2);
    ck_assert(expr_same(switches[0].guard, fixture.symbols[1]));
    Expr inner = expr_mul(fixture.pool, switches[0].mode, fixture.symbols[1]);
    Expr difference = expr_sub(fixture.pool, inner, fixture.symbols[7]);
    ck_assert(expr_same(switches[1].guard, difference) ||
              expr_same(switches[1].guard, expr_neg(fixture.pool, difference)));
    free(switches);
    fixture_done(&fixture);
}
END_TEST

SUITE(switches)
{
    TCase *tc = suite_case(suite, "freeze");
    tcase_add_test(tc, frozen_equals_original_when_modes_are_the_signs_of_their_guards);
    tcase_add_test(tc, roots_without_corners_come_back_unchanged);
    tcase_add_test(tc, equal_and_opposite_switches_share_a_mode);
    tcase_add_test(tc, the_guard_of_an_outer_switch_holds_inner_modes);
}
