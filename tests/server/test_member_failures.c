/* What failed members said: the first by number are kept, however they come. */
#include <stdio.h>

#include "core/base/random.h"
#include "server/work/member_failures.h"
#include "tests/suite.h"

enum { MEMBERS = 3 * MEMBER_TEXTS_MAX };

static MemberFailures *failures;
static const MemberText *said;
static size_t n_said;

static void setup(void)
{
    failures = member_failures_new();
    ck_assert_ptr_nonnull(failures);
}

static void teardown(void)
{
    member_failures_free(failures);
}

static void add(uint64_t member)
{
    char message[40];
    snprintf(message, sizeof message, "member %llu", (unsigned long long)member);
    member_failures_add(failures, member, message);
}

static void list(uint64_t end)
{
    Error err = {0};
    ck_assert_int_eq(member_failures_list(failures, end, &said, &n_said, &err), OK);
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
        add(order[i]);
    list(MEMBERS);
    ck_assert_uint_eq(n_said, MEMBER_TEXTS_MAX);
    for (uint64_t member = 0; member < MEMBER_TEXTS_MAX; member++) {
        char message[40];
        snprintf(message, sizeof message, "member %llu", (unsigned long long)member);
        ck_assert_uint_eq(said[member].member, member);
        ck_assert_str_eq(said[member].text, message);
    }
}
END_TEST

START_TEST(those_before_a_member_are_listed)
{
    list(MEMBERS);
    ck_assert_uint_eq(n_said, 0);
    add(7);
    add(3);
    member_failures_add(failures, 5, ""); /* says nothing */
    list(7);
    ck_assert_uint_eq(n_said, 1);
    ck_assert_uint_eq(said[0].member, 3);
    list(8);
    ck_assert_uint_eq(n_said, 2);
}
END_TEST

SUITE(member_failures)
{
    TCase *tc = suite_case(suite, "member_failures");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, the_first_by_number_are_kept);
    tcase_add_test(tc, those_before_a_member_are_listed);
}
