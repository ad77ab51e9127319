/* The self-test: a difference of one bit is found and named. */
#include <string.h>

#include "server/command/selftest.h"
#include "tests/suite.h"

static Arena *arena;

static void set_up(void)
{
    arena = arena_new((size_t)256 << 20);
}

static void tear_down(void)
{
    arena_free(arena);
}

static const SelftestExpected *expected_of(const char *name)
{
    const SelftestExpected *expected = selftest_expected(name);
    ck_assert_msg(expected != NULL, "%s has no expected numbers", name);
    return expected;
}

/* A copy of the expected numbers, to be changed. */
static SelftestNumber *copy_of(const SelftestExpected *expected)
{
    SelftestNumber *copy = ARENA_NEW(arena, expected->n, SelftestNumber);
    memcpy(copy, expected->numbers, expected->n * sizeof *copy);
    return copy;
}

START_TEST(every_job_has_expected_numbers)
{
    ck_assert_uint_ge(SELFTEST_JOBS_COUNT, 12);
    ck_assert_uint_eq(SELFTEST_JOBS_COUNT, SELFTEST_EXPECTED_COUNT);
    for (size_t k = 0; k < SELFTEST_JOBS_COUNT; k++)
        ck_assert_uint_gt(expected_of(SELFTEST_JOBS[k].name)->n, 0);
    ck_assert_ptr_null(selftest_expected("none"));
}
END_TEST

START_TEST(one_changed_bit_in_any_number_is_named)
{
    for (size_t s = 0; s < SELFTEST_EXPECTED_COUNT; s++) {
        const SelftestExpected *expected = &SELFTEST_EXPECTED[s];
        for (size_t k = 0; k < expected->n; k++) {
            SelftestNumber *numbers = copy_of(expected);
            Error err = {0};
            ((unsigned char *)&numbers[k].value)[0] ^= 1;
            ck_assert_int_eq(selftest_compare(expected, numbers, expected->n, 0, &err),
                             ERR_INTERNAL);
            ck_assert_msg(strncmp(err.message, numbers[k].name, strlen(numbers[k].name)) == 0, "%s",
                          err.message);
            /* on a processor with other last bits it is no difference */
            ck_assert_int_eq(selftest_compare(expected, numbers, expected->n, 1e-7, NULL), OK);
        }
    }
}
END_TEST

START_TEST(a_wrong_digit_a_wrong_name_and_a_missing_number_are_found)
{
    const SelftestExpected *expected = expected_of("double-pendulum");
    Error err = {0};
    SelftestNumber *numbers = copy_of(expected);
    ck_assert_int_eq(selftest_compare(expected, numbers, expected->n, 0, &err), OK);
    ck_assert_int_eq(selftest_compare(expected, numbers, expected->n - 1, 0, &err), ERR_INTERNAL);
    numbers[2].value += 1e-5;
    ck_assert_int_eq(selftest_compare(expected, numbers, expected->n, 1e-7, &err), ERR_INTERNAL);
    numbers = copy_of(expected);
    numbers[2].name = "other";
    ck_assert_int_eq(selftest_compare(expected, numbers, expected->n, 0, &err), ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(err.message, "\"other\""));
}
END_TEST

START_TEST(a_job_that_cannot_run_says_why)
{
    static const char TEXT[] =
        "{\"model\": {\"catalog\": \"pendulum\"}, \"initial\": {}, \"time\": {\"end\": \"x\"}}";
    const CatalogEntry job = {"broken", TEXT, sizeof TEXT - 1};
    const SelftestNumber *numbers;
    size_t n;
    Error err = {0};
    ck_assert_int_eq(selftest_run(&job, arena, &numbers, &n, &err), ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(err.message, "/time"));
}
END_TEST

SUITE(selftest)
{
    TCase *tests = suite_case(suite, "selftest");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, every_job_has_expected_numbers);
    tcase_add_test(tests, one_changed_bit_in_any_number_is_named);
    tcase_add_test(tests, a_wrong_digit_a_wrong_name_and_a_missing_number_are_found);
    tcase_add_test(tests, a_job_that_cannot_run_says_why);
}
