/* Jobs that were deleted are remembered, for as long as it is wished. */
#include "db/store.h"

#include "tests/db/fixture.h"
#include "tests/deadline.h"
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

static JobRecord done_job(void)
{
    const JobRecord job = add_job(&f, "{}");
    const JobLease lease = claim_job(&f);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    return job;
}

static size_t deleted_since(int64_t since, DeletedJob **ret_jobs, int64_t *ret_forgotten)
{
    size_t n = 0;
    ck_ok(store_deleted_list(default_tenant(f.store), since, 100, f.arena, ret_jobs, &n,
                             ret_forgotten, err));
    return n;
}

START_TEST(deletions_are_told_in_their_order_also_later)
{
    JobRecord jobs[5];
    DeletedJob *deleted;
    int64_t forgotten, before = 0;
    for (int k = 0; k < 5; k++)
        jobs[k] = done_job();
    for (int k = 4; k >= 0; k--) {
        if (k == 2)
            before = store_revision(default_tenant(f.store));
        ck_ok(store_job_delete(default_tenant(f.store), jobs[k].id, err));
    }
    for (int again = 0; again < 2; again++) {
        ck_assert_uint_eq(deleted_since(0, &deleted, &forgotten), 5);
        ck_assert_int_eq(forgotten, 0);
        for (int k = 0; k < 5; k++)
            ck_assert_str_eq(deleted[k].id, jobs[4 - k].id);
        ck_assert_uint_eq(deleted_since(before, &deleted, &forgotten), 3);
        ck_assert_uint_eq(deleted_since(deleted[2].revision, &deleted, &forgotten), 0);
        fixture_reopen(&f);
    }
    ck_fails(store_job_delete(default_tenant(f.store), jobs[0].id, err), ERR_NOT_FOUND);
    ck_assert_uint_eq(deleted_since(0, &deleted, &forgotten), 5);
}
END_TEST

/* What is forgotten after one more was deleted. */
static int64_t forgotten_after_another(void)
{
    DeletedJob *deleted;
    int64_t forgotten;
    const JobRecord job = done_job();
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err));
    const size_t n = deleted_since(0, &deleted, &forgotten);
    ck_assert_uint_ge(n, 1);
    ck_assert_str_eq(deleted[n - 1].id, job.id);
    ck_assert_int_gt(deleted[0].revision, forgotten);
    return forgotten;
}

START_TEST(what_is_older_than_wished_is_forgotten_and_that_is_told)
{
    DeletedJob *deleted;
    int64_t forgotten;
    f.options.keep_deleted_ms = 1;
    fixture_reopen(&f);
    ck_assert_int_eq(forgotten_after_another(), 0);
    ck_assert_uint_eq(deleted_since(0, &deleted, &forgotten), 1);
    const int64_t first = deleted[0].revision;
    WAIT_UNTIL(forgotten_after_another() >= first);
}
END_TEST

START_TEST(a_deletion_that_fails_leaves_no_trace)
{
    DeletedJob *deleted;
    int64_t forgotten;
    const JobRecord job = add_job(&f, "{}");
    ck_fails(store_job_delete(default_tenant(f.store), job.id, err), ERR_CONFLICT);
    ck_fails(store_job_delete(default_tenant(f.store), "nothing", err), ERR_NOT_FOUND);
    ck_assert_uint_eq(deleted_since(0, &deleted, &forgotten), 0);
}
END_TEST

SUITE(deleted)
{
    TCase *tcase = suite_case(suite, "deleted");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, deletions_are_told_in_their_order_also_later);
    tcase_add_test(tcase, what_is_older_than_wished_is_forgotten_and_that_is_told);
    tcase_add_test(tcase, a_deletion_that_fails_leaves_no_trace);
}
