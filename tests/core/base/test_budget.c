/* What many users may hold of a budget. */
#include "core/base/budget.h"
#include "tests/suite.h"

START_TEST(nobody_gets_more_than_is_left)
{
    Budget budget;
    size_t a = 0, b = 0;
    budget_init(&budget, 100);
    ck_assert(budget_take(&budget, &a, 60));
    ck_assert(!budget_take(&budget, &b, 41));
    ck_assert_uint_eq(b, 0);
    ck_assert_uint_eq(budget_left(&budget), 40);
    ck_assert(budget_take(&budget, &b, 40));
    ck_assert(!budget_take(&budget, &a, 61)); /* what it holds already stays */
    ck_assert_uint_eq(a, 60);
    budget_give(&budget, &b);
    ck_assert(budget_take(&budget, &a, 100));
    ck_assert(budget_take(&budget, &a, 50)); /* less than it holds: nothing to do */
    budget_give(&budget, &a);
    ck_assert_uint_eq(atomic_load(&budget.used), 0);
}
END_TEST

START_TEST(who_is_alone_gets_any_amount)
{
    Budget budget;
    size_t a = 0, b = 0;
    budget_init(&budget, 100);
    ck_assert(budget_take(&budget, &a, 10));
    ck_assert(budget_take(&budget, &a, 1000)); /* alone with what it held */
    ck_assert(!budget_take(&budget, &b, 1));
    budget_take_anyway(&budget, &b, 5);
    ck_assert_uint_eq(b, 5);
    ck_assert_uint_eq(budget_left(&budget), 0);
    budget_give(&budget, &a);
    ck_assert(!budget_take(&budget, &a, 101));
    budget_give(&budget, &b);
    ck_assert_uint_eq(atomic_load(&budget.used), 0);
}
END_TEST

SUITE(budget)
{
    TCase *tc = suite_case(suite, "budget");
    tcase_add_test(tc, nobody_gets_more_than_is_left);
    tcase_add_test(tc, who_is_alone_gets_any_amount);
}
