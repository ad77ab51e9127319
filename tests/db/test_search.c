/* Searches by name look at so many jobs, and counts stop at so many: both say what is left. */
#include "tests/db/fixture.h"
#include "tests/suite.h"

enum { JOBS = 5 };

static void named_jobs(Fixture *fixture, char ids[JOBS][JOB_ID_MAX])
{
    static const char *const NAMES[JOBS] = {"old Ball", "ball", "disc", "ball", "disc"};
    for (int i = 0; i < JOBS; i++) {
        JobDraft draft = draft_of("{}");
        JobRecord job;
        bool created;
        draft.model_name = NAMES[i];
        ck_ok(store_job_add((TenantStore){fixture->store, TENANT_DEFAULT}, &draft, fixture->arena,
                            &job, &created, err));
        memcpy(ids[i], job.id, JOB_ID_MAX);
    }
}

START_TEST(a_search_ends_after_so_many_jobs_and_says_where)
{
    Fixture fixture;
    char ids[JOBS][JOB_ID_MAX], end[JOB_ID_MAX];
    JobRecord *jobs;
    size_t n;
    bool more;
    fixture_init(&fixture);
    const TenantStore of = {fixture.store, TENANT_DEFAULT};
    named_jobs(&fixture, ids);
    JobFilter filter = {.since = -1, .name = "BALL", .searched = 3, .limit = 10};
    /* the newest three have one, and there are older ones */
    ck_ok(store_job_list(of, &filter, fixture.arena, &jobs, &n, &more, err));
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(jobs[0].id, ids[3]);
    ck_ok(store_job_searched(of, &filter, end, err));
    ck_assert_str_eq(end, ids[2]);
    /* from there on, the rest */
    filter.before = end;
    ck_ok(store_job_list(of, &filter, fixture.arena, &jobs, &n, &more, err));
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(jobs[1].id, ids[0]);
    char last[JOB_ID_MAX];
    ck_ok(store_job_searched(of, &filter, last, err));
    ck_assert_str_eq(last, "");
    fixture_done(&fixture);
}
END_TEST

START_TEST(a_count_with_a_filter_ends_after_so_many_jobs)
{
    Fixture fixture;
    char ids[JOBS][JOB_ID_MAX];
    StoreCounts counts;
    bool more;
    fixture_init(&fixture);
    const TenantStore of = {fixture.store, TENANT_DEFAULT};
    named_jobs(&fixture, ids);
    JobFilter filter = {.since = -1, .name = "ball", .searched = JOBS};
    ck_ok(store_job_counts(of, &filter, 3, &counts, &more, err));
    ck_assert_uint_eq(counts.queued, 3);
    ck_assert(!more);
    ck_ok(store_job_counts(of, &filter, 2, &counts, &more, err));
    ck_assert_uint_eq(counts.queued, 2);
    ck_assert(more);
    /* without a filter the counters tell, of any number */
    filter.name = NULL;
    ck_ok(store_job_counts(of, &filter, 2, &counts, &more, err));
    ck_assert_uint_eq(counts.queued, JOBS);
    ck_assert(!more);
    fixture_done(&fixture);
}
END_TEST

SUITE(search)
{
    TCase *tc = suite_case(suite, "search");
    tcase_add_test(tc, a_search_ends_after_so_many_jobs_and_says_where);
    tcase_add_test(tc, a_count_with_a_filter_ends_after_so_many_jobs);
}
