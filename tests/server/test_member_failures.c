/* What failed members said: the first by number are kept, however they come, each ensemble apart. */
#include <stdio.h>

#include "core/base/random.h"
#include "server/member_failures.h"
#include "tests/suite.h"

enum { MEMBERS = 3 * MEMBER_FAILURES_MAX };

static MemberFailures *failures;
static Arena *arena;

static void setup(void)
{
    failures = member_failures_new();
    arena = arena_new(1 << 22);
    ck_assert(failures && arena);
}

static void teardown(void)
{
    member_failures_free(failures);
    arena_free(arena);
}

static void add(const char *job_id, uint64_t member)
{
    char message[40];
    snprintf(message, sizeof message, "%s: member %llu", job_id, (unsigned long long)member);
    member_failures_add(failures, job_id, member, message);
}

START_TEST(the_first_by_number_are_kept)
{
    static uint64_t order[MEMBERS];
    Random random;
    random_init(&random, 1);
    for (uint64_t i = 0; i < MEMBERS; i++)
        order[i] = i;
    for (uint64_t i = MEMBERS; i-- > 1;) {
        const uint64_t k = random_bits(&random) % (i + 1), member = order[i];
        order[i] = order[k];
        order[k] = member;
    }
    for (uint64_t i = 0; i < MEMBERS; i++)
        add("a", order[i]);
    for (uint64_t member = 0; member < MEMBERS; member++) {
        char message[40];
        const char *found = member_failures_find(failures, "a", member, arena);
        snprintf(message, sizeof message, "a: member %llu", (unsigned long long)member);
        if (member < MEMBER_FAILURES_MAX)
            ck_assert_str_eq(found, message);
        else
            ck_assert_ptr_null(found);
    }
}
END_TEST

START_TEST(each_ensemble_has_its_own)
{
    add("a", 7);
    add("b", 7);
    ck_assert_str_eq(member_failures_find(failures, "b", 7, arena), "b: member 7");
    ck_assert_ptr_null(member_failures_find(failures, "c", 7, arena));
    member_failures_drop(failures, "a");
    member_failures_drop(failures, "c");
    ck_assert_ptr_null(member_failures_find(failures, "a", 7, arena));
    ck_assert_str_eq(member_failures_find(failures, "b", 7, arena), "b: member 7");
}
END_TEST

START_TEST(a_member_that_is_run_again_is_told_once)
{
    for (int i = 0; i < 2 * MEMBER_FAILURES_MAX; i++)
        add("a", 5);
    add("a", 9);
    ck_assert_str_eq(member_failures_find(failures, "a", 9, arena), "a: member 9");
}
END_TEST

SUITE(member_failures)
{
    TCase *tc = suite_case(suite, "member_failures");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, the_first_by_number_are_kept);
    tcase_add_test(tc, each_ensemble_has_its_own);
    tcase_add_test(tc, a_member_that_is_run_again_is_told_once);
}
