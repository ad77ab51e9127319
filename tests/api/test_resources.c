/* Answers that are kept. */
#include "api/resources.h"

#include <stdio.h>

#include "tests/suite.h"

static bool kept(ResourceCache *cache, const char *id, const char *expected)
{
    Text text = TEXT_INIT;
    const bool found = resource_cache_find(cache, 1, id, &text);
    if (found)
        ck_assert_str_eq(text_string(&text), expected);
    text_done(&text);
    return found;
}

static void keep(ResourceCache *cache, uint64_t mark, const char *id, const char *answer)
{
    Text text = TEXT_INIT;
    text_puts(&text, answer);
    resource_cache_keep(cache, mark, 1, id, &text);
    text_done(&text);
}

START_TEST(an_answer_is_kept_until_its_job_is_forgotten)
{
    ResourceCache *cache = resource_cache_new(8);
    ck_assert(!kept(cache, "", ""));
    ck_assert(!kept(cache, "a", ""));
    keep(cache, resource_cache_mark(cache), "a", "of a");
    ck_assert(kept(cache, "a", "of a"));
    resource_cache_forget(cache, "a");
    ck_assert(!kept(cache, "a", ""));
    resource_cache_free(cache);
    ck_assert(!kept(NULL, "a", ""));
}
END_TEST

/* Read before the job was deleted, made after. */
START_TEST(an_answer_does_not_outlive_its_job)
{
    ResourceCache *cache = resource_cache_new(8);
    const uint64_t mark = resource_cache_mark(cache);
    resource_cache_forget(cache, "a");
    keep(cache, mark, "a", "of a");
    ck_assert(!kept(cache, "a", ""));
    resource_cache_free(cache);
}
END_TEST

START_TEST(places_are_taken_by_those_who_come_later)
{
    ResourceCache *cache = resource_cache_new(64);
    char id[16], answer[16];
    int found = 0;
    for (int i = 0; i < 1000; i++) {
        snprintf(id, sizeof id, "job-%d", i);
        snprintf(answer, sizeof answer, "of %d", i);
        keep(cache, resource_cache_mark(cache), id, answer);
        ck_assert(kept(cache, id, answer));
    }
    for (int i = 0; i < 1000; i++) {
        snprintf(id, sizeof id, "job-%d", i);
        snprintf(answer, sizeof answer, "of %d", i);
        found += kept(cache, id, answer);
    }
    ck_assert_int_le(found, 64);
    ck_assert_int_gt(found, 48);
    resource_cache_free(cache);
}
END_TEST

SUITE(resources)
{
    TCase *tc = suite_case(suite, "resources");
    tcase_add_test(tc, an_answer_is_kept_until_its_job_is_forgotten);
    tcase_add_test(tc, an_answer_does_not_outlive_its_job);
    tcase_add_test(tc, places_are_taken_by_those_who_come_later);
}
