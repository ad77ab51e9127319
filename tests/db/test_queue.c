/* The order of the queue against a plain search; ids that increase. */
#include <stdio.h>

#include "core/base/random.h"
#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
#include "tests/suite.h"

/* The oracle: a plain array, searched from end to end. */
enum { N = 600, STEPS = 20000 };

static bool before(const QueueEntry *a, const QueueEntry *b)
{
    if ((a->attempt > 0 || b->attempt > 0) && a->attempt != b->attempt)
        return a->attempt < b->attempt;
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return strcmp(a->id, b->id) < 0;
}

static size_t oracle_rank(const QueueEntry *entries, const bool *present, const QueueEntry *entry)
{
    size_t rank = 0;
    for (int i = 0; i < N; i++)
        rank += present[i] && before(&entries[i], entry);
    return rank;
}

START_TEST(the_queue_is_in_order_after_any_changes)
{
    static QueueEntry entries[N];
    static bool present[N];
    const uint64_t seed = (uint64_t)_i + 1;
    printf("queue: seed %llu\n", (unsigned long long)seed);
    Random random;
    random_init(&random, seed);
    JobQueue queue = {0};
    size_t count = 0;
    for (int i = 0; i < N; i++) {
        char id[JOB_ID_MAX];
        snprintf(id, sizeof id, "id-%08x-%d", (unsigned)random_bits(&random), i);
        entries[i] = queue_entry(
            1, id, random_bits(&random) % 8 ? 0 : 1 + (unsigned)(random_bits(&random) % 3),
            (int)(random_bits(&random) % 5) - 2);
        present[i] = false;
    }
    for (int step = 0; step < STEPS; step++) {
        const int i = (int)(random_bits(&random) % N);
        const QueueEntry *entry = &entries[i];
        ck_assert_uint_eq(queue_rank(&queue, entry), oracle_rank(entries, present, entry));
        if (present[i]) {
            ck_assert(queue_remove(&queue, entry));
            queue_unseat(&queue);
            count--;
        } else {
            ck_assert(!queue_remove(&queue, entry));
            ck_assert(queue_seat(&queue));
            queue_insert(&queue, entry);
            count++;
        }
        present[i] = !present[i];
        ck_assert_uint_eq(queue.count, count);
        if (count)
            ck_assert_uint_eq(oracle_rank(entries, present, queue_first(&queue, 0, NULL)), 0);
        else
            ck_assert_ptr_null(queue_first(&queue, 0, NULL));
    }
    queue_done(&queue);
}
END_TEST

START_TEST(uuids_increase_whatever_the_clock_does)
{
    UuidSource source = {0};
    Random random;
    random_init(&random, 1);
    char last[UUID_TEXT_MAX] = "", text[UUID_TEXT_MAX];
    int64_t now = 1700000000000;
    for (int i = 0; i < 20000; i++) {
        if (random_bits(&random) % 1000 == 0)
            now += (int64_t)(random_bits(&random) % 2000) - 1000;
        ck_ok(uuid_next(&source, now, text, err));
        ck_assert_uint_eq(strlen(text), 36);
        ck_assert_str_gt(text, last);
        strcpy(last, text);
        if (i % 1000 == 999) { /* another process goes on */
            source = (UuidSource){0};
            uuid_resume(&source, last);
            uuid_resume(&source, "no uuid");
        }
    }
}
END_TEST

START_TEST(a_uuid_carries_its_cell)
{
    char text[UUID_TEXT_MAX];
    for (unsigned cell = 0; cell < 256; cell++) {
        UuidSource source = {.cell = (uint8_t)cell};
        bool differ[UUID_TEXT_MAX] = {false};
        char first[UUID_TEXT_MAX];
        for (int i = 0; i < 40; i++) {
            ck_ok(uuid_next(&source, 1645557742000, text, err));
            ck_assert_uint_eq(uuid_cell(text, NULL), cell);
            ck_assert_uint_eq(uuid_cell(text, "00000000-0000-7000-8000-000000000000"), cell);
            ck_assert_uint_eq(uuid_cell(text, text), 0); /* made before cells had numbers */
            ck_assert_int_eq(text[14], '7');
            ck_assert_ptr_nonnull(strchr("89ab", text[19]));
            if (i == 0)
                memcpy(first, text, sizeof first);
            for (int k = 0; k < UUID_TEXT_MAX; k++)
                differ[k] = differ[k] || text[k] != first[k];
        }
        for (int k = 22; k < UUID_TEXT_MAX - 1; k++) /* all behind the cell is random */
            ck_assert_msg(differ[k] || text[k] == '-', "digit %d", k);
    }
    ck_assert_uint_eq(uuid_cell("no uuid", NULL), 0);
    ck_assert_uint_eq(uuid_cell("", NULL), 0);
}
END_TEST

START_TEST(a_uuid_begins_with_its_time)
{
    /* RFC 9562, appendix A.6: 0x017F22E279B0 is 2022-02-22T19:22:22.000Z */
    UuidSource source = {0};
    char text[UUID_TEXT_MAX];
    ck_ok(uuid_next(&source, 1645557742000, text, err));
    ck_assert_mem_eq(text, "017f22e2-79b0-7", 15);
}
END_TEST

SUITE(queue)
{
    TCase *tc = suite_case(suite, "queue");
    tcase_add_loop_test(tc, the_queue_is_in_order_after_any_changes, 0, 3);
    tcase_add_test(tc, uuids_increase_whatever_the_clock_does);
    tcase_add_test(tc, a_uuid_begins_with_its_time);
    tcase_add_test(tc, a_uuid_carries_its_cell);
}
