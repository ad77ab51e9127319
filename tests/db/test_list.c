/* Lists of jobs: filters, pages, changes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
#include "tests/suite.h"

static Fixture f;

static void setup(void)
{
    fixture_init(&f);
}

static void teardown(void)
{
    fixture_done(&f);
}

static JobFilter all(void)
{
    return (JobFilter){.since = -1, .limit = 1000};
}

static size_t list(const JobFilter *filter, JobRecord **ret_jobs)
{
    bool more;
    size_t n = 999999;
    ck_ok(store_job_list(default_tenant(f.store), filter, f.arena, ret_jobs, &n, &more, err));
    return n;
}

static JobRecord add(const char *labels, const char *model_id)
{
    JobDraft draft = draft_of("{}");
    JobRecord job;
    bool replayed;
    draft.labels = labels;
    draft.model_id = model_id;
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    return job;
}

/* A page of names as long as bodies may be would be gigabytes. */
START_TEST(a_list_of_long_texts_comes_in_pages_of_fewer)
{
    enum { LONG_JOBS = 20, LENGTH = 2 << 20, LEAST_PAGE = (16 << 20) / LENGTH };
    JobFilter filter = all();
    size_t seen = 0;
    bool more = true;
    char *name = malloc(LENGTH);
    memset(name, 'n', LENGTH - 1);
    name[LENGTH - 1] = '\0';
    for (int k = 0; k < LONG_JOBS; k++) {
        JobDraft draft = draft_of("{}");
        JobRecord job;
        bool replayed;
        draft.model_name = name;
        ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    }
    free(name);
    while (more) {
        JobRecord *jobs;
        size_t n;
        Arena page = {0};
        ck_ok(store_job_list(default_tenant(f.store), &filter, &page, &jobs, &n, &more, err));
        ck_assert_uint_le(n, LEAST_PAGE + 1);
        ck_assert(!more || n >= LEAST_PAGE);
        seen += n;
        const char *last = n > 0 ? arena_strdup(f.arena, jobs[n - 1].id) : NULL;
        filter.before = last;
        arena_done(&page);
    }
    ck_assert_uint_eq(seen, LONG_JOBS);
}
END_TEST

START_TEST(an_empty_store_lists_nothing)
{
    JobRecord *jobs;
    JobFilter filter = all();
    ck_assert_uint_eq(list(&filter, &jobs), 0);
    filter.limit = 0;
    ck_assert_uint_eq(list(&filter, &jobs), 0);
}
END_TEST

/* Every filter against a walk over all jobs, page by page. */
typedef struct Expected {
    char id[JOB_ID_MAX];
    JobState state;
    int model, colour; /* colour 0: no such label */
    int64_t revision;
} Expected;

enum { JOBS = 120 };

static bool matches(const Expected *job, const JobFilter *filter, const char *const *models,
                    const char *const *colours)
{
    if (filter->by_state && job->state != filter->state)
        return false;
    if (filter->model_id && strcmp(filter->model_id, models[job->model]) != 0)
        return false;
    if (filter->n_labels &&
        (job->colour == 0 || strcmp(filter->labels->value, colours[job->colour])))
        return false;
    return job->revision > filter->since;
}

static void check_pages(const Expected *jobs, JobFilter filter, const char *const *models,
                        const char *const *colours)
{
    int at = JOBS - 1;
    for (;;) {
        JobRecord *page;
        const size_t n = list(&filter, &page);
        for (size_t i = 0; i < n; i++, at--) {
            while (at >= 0 && !matches(&jobs[at], &filter, models, colours))
                at--;
            ck_assert_int_ge(at, 0);
            ck_assert_str_eq(page[i].id, jobs[at].id);
            ck_assert_int_eq(page[i].state, jobs[at].state);
            ck_assert_int_eq(page[i].revision, jobs[at].revision);
        }
        if (n < filter.limit)
            break;
        filter.before = page[n - 1].id;
    }
    while (at >= 0 && !matches(&jobs[at], &filter, models, colours))
        at--;
    ck_assert_int_eq(at, -1);
}

/* The changes since a revision, in their order. */
static void check_changes(const Expected *jobs, JobFilter filter, const char *const *models,
                          const char *const *colours)
{
    size_t expected = 0, seen = 0, n;
    for (int i = 0; i < JOBS; i++)
        expected += matches(&jobs[i], &filter, models, colours);
    do {
        JobRecord *page;
        n = list(&filter, &page);
        for (size_t i = 0; i < n; i++, seen++) {
            ck_assert_int_gt(page[i].revision, filter.since);
            filter.since = page[i].revision;
            int at = 0;
            while (strcmp(jobs[at].id, page[i].id) != 0)
                ck_assert_int_lt(++at, JOBS);
            ck_assert_int_eq(page[i].revision, jobs[at].revision);
            filter.since--;
            ck_assert(matches(&jobs[at], &filter, models, colours));
            filter.since++;
        }
    } while (n == filter.limit);
    ck_assert_uint_eq(seen, expected);
}

START_TEST(every_filter_lists_what_it_says_newest_first)
{
    static const char *const MODELS[] = {"m0", "m1"};
    static const char *const COLOURS[] = {"", "red", "blue \"1\"", "\xc3\xa9"};
    static const char *const LABELS[] = {"{}", "{\"colour\": \"red\", \"x\": \"1\"}",
                                         "{\"colour\":\"blue \\\"1\\\"\"}",
                                         "{\"x\":\"red\",\"colour\":\"\\u00e9\"}"};
    static Expected jobs[JOBS];
    Random random;
    random_init(&random, 5);
    for (int i = 0; i < JOBS; i++) {
        jobs[i].model = (int)(random_bits(&random) % 2);
        jobs[i].colour = (int)(random_bits(&random) % 4);
        strcpy(jobs[i].id, add(LABELS[jobs[i].colour], MODELS[jobs[i].model]).id);
        if (random_bits(&random) % 3 == 0) {
            JobLease lease = claim_job(&f);
            finish_job(&f, &lease, random_bits(&random) % 2 ? JOB_SUCCEEDED : JOB_FAILED);
        }
    }
    JobRecord job = add("{}", "m0"); /* the last write: every claim is visible now */
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &job, err));
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err));
    for (int i = 0; i < JOBS; i++) {
        job = get_job(&f, jobs[i].id);
        jobs[i].state = job.state;
        jobs[i].revision = job.revision;
    }
    for (unsigned mask = 0; mask < 16; mask++) {
        for (size_t limit = 1; limit <= 1000; limit = 7 * limit) {
            JobFilter filter = {.since =
                                    mask & 8 ? store_revision(default_tenant(f.store)) / 2 : -1,
                                .by_state = mask & 1,
                                .state = JOB_SUCCEEDED,
                                .model_id = mask & 2 ? "m1" : NULL,
                                .labels = &(JobLabel){"colour", COLOURS[1 + mask % 3]},
                                .n_labels = mask & 4 ? 1 : 0,
                                .limit = limit};
            if (filter.since < 0)
                check_pages(jobs, filter, MODELS, COLOURS);
            else
                check_changes(jobs, filter, MODELS, COLOURS);
        }
    }
}
END_TEST

START_TEST(a_page_goes_on_after_a_deleted_job)
{
    JobRecord jobs[3], *page;
    for (int i = 0; i < 3; i++)
        jobs[i] = add_job(&f, "{}");
    ck_ok(store_job_cancel(default_tenant(f.store), jobs[1].id, f.arena, &jobs[1], err));
    ck_ok(store_job_delete(default_tenant(f.store), jobs[1].id, err));
    JobFilter filter = all();
    filter.before = jobs[1].id;
    ck_assert_uint_eq(list(&filter, &page), 1);
    ck_assert_str_eq(page[0].id, jobs[0].id);
    filter.before = jobs[0].id;
    ck_assert_uint_eq(list(&filter, &page), 0);
}
END_TEST

START_TEST(what_has_changed_since_is_listed_once_more)
{
    JobRecord old = add_job(&f, "{}"), *page;
    add_job(&f, "{}");
    JobFilter filter = all();
    filter.since = store_revision(default_tenant(f.store));
    ck_assert_uint_eq(list(&filter, &page), 0);
    ck_ok(store_job_cancel(default_tenant(f.store), old.id, f.arena, &old, err));
    ck_assert_uint_eq(list(&filter, &page), 1);
    ck_assert_str_eq(page[0].id, old.id);
    filter.since = store_revision(default_tenant(f.store));
    ck_assert_uint_eq(list(&filter, &page), 0);
}
END_TEST

START_TEST(a_list_has_at_most_a_thousand_jobs)
{
    JobRecord *page;
    for (int i = 0; i < 1001; i++) {
        arena_reset(f.arena);
        add_job(&f, "{}");
    }
    JobFilter filter = all();
    filter.limit = (size_t)-1;
    ck_assert_uint_eq(list(&filter, &page), 1000);
}
END_TEST

/* ---- work among many jobs ---- */

enum { THREADS = 16, EACH = 500, MANY = THREADS * EACH, N_MODELS = 50, PAGE = 100 };

/* Adds EACH jobs; argument: the label that all have but no others. */
static void *add_many(void *argument)
{
    Arena *arena = arena_new(1 << 20);
    for (int i = 0; i < EACH; i++) {
        char labels[80], model[20];
        JobRecord job;
        bool replayed;
        JobDraft draft = draft_of("{}");
        snprintf(labels, sizeof labels, "{\"batch\":\"%s\",\"rare\":\"%s-%d\"}",
                 (const char *)argument, (const char *)argument, i);
        snprintf(model, sizeof model, "model-%d", i % N_MODELS);
        draft.labels = labels;
        draft.model_id = model;
        draft.priority = i % 3;
        ck_ok(store_job_add(default_tenant(f.store), &draft, arena, &job, &replayed, err));
        arena_reset(arena);
    }
    arena_free(arena);
    return NULL;
}

/* MANY jobs from several threads, so that they share commits. */
static void add_batch(char *name)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, add_many, name), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static uint64_t steps_of(const Connection *connection)
{
    uint64_t steps = 0;
    for (size_t i = 0; i < connection->n_statements; i++)
        steps +=
            (uint64_t)sqlite3_stmt_status(connection->statements[i], SQLITE_STMTSTATUS_VM_STEP, 0);
    return steps;
}

/* Steps of SQLite's machine since the store was opened: work, counted. */
static uint64_t steps(void)
{
    uint64_t sum = steps_of(&f.store->writer.connection);
    for (size_t i = 0; i < READERS; i++)
        sum += steps_of(&f.store->readers.connections[i]);
    return sum;
}

enum { FILTERS = 12 };
typedef struct Work {
    uint64_t open, lists[FILTERS];
} Work;

static Work measure(void)
{
    static const size_t COUNTS[FILTERS] = {PAGE, PAGE,    0,    PAGE, THREADS, PAGE,
                                           10,   THREADS, PAGE, PAGE, PAGE,    PAGE};
    JobFilter filters[FILTERS];
    JobRecord *page;
    Work work;
    fixture_reopen(&f);
    work.open = steps();
    for (int i = 0; i < FILTERS; i++)
        filters[i] = (JobFilter){.since = -1, .limit = PAGE};
    filters[1].by_state = true;
    filters[2].by_state = true;
    filters[2].state = JOB_FAILED;
    filters[3].model_id = "model-7";
    filters[4].labels = &(JobLabel){"rare", "first-77"};
    filters[4].n_labels = 1;
    filters[5].labels = &(JobLabel){"batch", "first"};
    filters[5].n_labels = 1;
    filters[6].since = store_revision(default_tenant(f.store)) - 10;
    filters[7] = filters[4];
    filters[7].by_state = true;
    filters[10].since = 0;
    filters[11] = filters[10];
    filters[11].labels = &(JobLabel){"batch", "first"};
    filters[11].n_labels = 1;
    ck_assert_uint_eq(list(&filters[0], &page), PAGE);
    filters[8].before = page[PAGE - 1].id;
    filters[9] = filters[3];
    filters[9].before = filters[8].before;
    for (int i = 0; i < FILTERS; i++) {
        const uint64_t before = steps();
        const size_t n = list(&filters[i], &page);
        work.lists[i] = steps() - before;
        ck_assert_msg(n == COUNTS[i], "filter %d: %zu", i, n);
    }
    return work;
}

START_TEST(lists_are_no_more_work_among_more_jobs)
{
    static char first[] = "first", second[] = "second";
    add_batch(first);
    const Work half = measure();
    add_batch(second);
    const Work all = measure();
    for (int i = 0; i < FILTERS; i++)
        ck_assert_msg(all.lists[i] <= half.lists[i] + half.lists[i] / 10,
                      "filter %d: %d steps among %d jobs, %d among twice as many", i,
                      (int)half.lists[i], MANY, (int)all.lists[i]);
    ck_assert_uint_le(10 * all.open, 22 * half.open);
}
END_TEST

START_TEST(counts_and_positions_cost_the_same_however_many_jobs_there_are)
{
    JobRecord job = {0};
    uint64_t position;
    StoreCounts counts;
    for (int i = 0; i < 10; i++)
        job = add_job(&f, "{}");
    const uint64_t before = steps();
    ck_ok(store_job_position(default_tenant(f.store), &job, &position, err));
    ck_assert_uint_eq(steps(), before);
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    const uint64_t few = steps();
    ck_assert_uint_eq(position, 9);
    ck_assert_uint_eq(counts.queued, 10);
    for (int i = 0; i < 90; i++)
        job = add_job(&f, "{}");
    const uint64_t again = steps();
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.queued, 100);
    ck_assert_uint_eq(steps() - again, few - before);
}
END_TEST

SUITE(list)
{
    TCase *tc = suite_case(suite, "list");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, an_empty_store_lists_nothing);
    tcase_add_test(tc, a_list_of_long_texts_comes_in_pages_of_fewer);
    tcase_add_test(tc, every_filter_lists_what_it_says_newest_first);
    tcase_add_test(tc, a_page_goes_on_after_a_deleted_job);
    tcase_add_test(tc, what_has_changed_since_is_listed_once_more);
    tcase_add_test(tc, a_list_has_at_most_a_thousand_jobs);
    tcase_add_test(tc, lists_are_no_more_work_among_more_jobs);
    tcase_add_test(tc, counts_and_positions_cost_the_same_however_many_jobs_there_are);
}
