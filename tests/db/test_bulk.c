/* Many jobs at once: added all or none, cancelled and deleted each for itself. */
#include "db/store.h"

#include "tests/db/fixture.h"
#include "tests/suite.h"

enum { N = 40 };

static Fixture f;

static void setup(void)
{
    fixture_init(&f);
}

static void teardown(void)
{
    fixture_done(&f);
}

static void make_drafts(JobDraft drafts[N], const char *key)
{
    for (size_t k = 0; k < N; k++) {
        drafts[k] = draft_of("{}");
        if (key)
            drafts[k].idempotency_key = arena_printf(f.arena, "%s %zu", key, k);
        drafts[k].idempotency_digest = "digest";
    }
}

static uint64_t queued(void)
{
    StoreCounts counts = {0};
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    return counts.queued;
}

START_TEST(jobs_are_added_in_order_and_queued_in_order)
{
    JobDraft drafts[N];
    JobRecord jobs[N];
    bool replayed = true;
    make_drafts(drafts, NULL);
    ck_ok(store_jobs_add(default_tenant(f.store), drafts, N, f.arena, jobs, &replayed, err));
    ck_assert(!replayed);
    ck_assert_uint_eq(queued(), N);
    fixture_reopen(&f);
    ck_assert_uint_eq(queued(), N);
    for (size_t k = 0; k < N; k++) {
        const JobLease lease = claim_job(&f);
        ck_assert_str_eq(lease.job.id, jobs[k].id);
        finish_job(&f, &lease, JOB_SUCCEEDED);
    }
}
END_TEST

START_TEST(one_that_cannot_be_added_keeps_out_all)
{
    JobDraft drafts[N];
    JobRecord jobs[N];
    bool replayed;
    make_drafts(drafts, NULL);
    drafts[N - 1].labels = "no JSON"; /* its labels cannot be written */
    const int64_t revision = store_revision(default_tenant(f.store));
    Error error = {0};
    ck_assert_int_ne(
        store_jobs_add(default_tenant(f.store), drafts, N, f.arena, jobs, &replayed, &error), OK);
    ck_assert_uint_eq(queued(), 0);
    ck_assert_int_eq(store_revision(default_tenant(f.store)), revision);
    ck_fails(store_job_claim(f.store, f.arena, &(JobLease){0}, err), ERR_NOT_FOUND);
    make_drafts(drafts, NULL);
    ck_ok(store_jobs_add(default_tenant(f.store), drafts, N, f.arena, jobs, &replayed, err));
    ck_assert_uint_eq(queued(), N);
}
END_TEST

START_TEST(a_queue_without_room_for_all_takes_none)
{
    JobDraft drafts[N];
    JobRecord jobs[N];
    bool replayed;
    f.options.max_queued = N;
    fixture_reopen(&f);
    add_job(&f, "{}");
    make_drafts(drafts, NULL);
    ck_fails(store_jobs_add(default_tenant(f.store), drafts, N, f.arena, jobs, &replayed, err),
             ERR_BUSY);
    ck_assert_uint_eq(queued(), 1);
    ck_ok(store_jobs_add(default_tenant(f.store), drafts, N - 1, f.arena, jobs, &replayed, err));
    ck_assert_uint_eq(queued(), N);
}
END_TEST

START_TEST(keys_stand_for_all_that_came_with_them)
{
    JobDraft drafts[N];
    JobRecord jobs[N], again[N];
    bool replayed;
    make_drafts(drafts, "key");
    ck_fails(store_jobs_replay(default_tenant(f.store), drafts, N, f.arena, again, err),
             ERR_NOT_FOUND);
    ck_ok(store_jobs_add(default_tenant(f.store), drafts, N, f.arena, jobs, &replayed, err));
    const char *first = jobs[0].id;
    ck_ok(store_jobs_cancel(default_tenant(f.store), &first, 1, (Status[1]){OK}, err));
    ck_ok(store_job_delete(default_tenant(f.store), first, err));
    for (int way = 0; way < 2; way++) {
        replayed = way == 0;
        if (way == 0)
            ck_ok(store_jobs_replay(default_tenant(f.store), drafts, N, f.arena, again, err));
        else
            ck_ok(
                store_jobs_add(default_tenant(f.store), drafts, N, f.arena, again, &replayed, err));
        ck_assert(replayed);
        ck_assert_str_eq(again[0].id, "");
        for (size_t k = 1; k < N; k++)
            ck_assert_str_eq(again[k].id, jobs[k].id);
    }
    ck_assert_uint_eq(queued(), N - 1);
    drafts[N - 1].idempotency_digest = "another";
    ck_fails(store_jobs_add(default_tenant(f.store), drafts, N, f.arena, again, &replayed, err),
             ERR_CONFLICT);
}
END_TEST

/* Cancels and deletes a waiting job. */
static void delete_waiting(const JobRecord *record)
{
    const char *id = record->id;
    ck_ok(store_jobs_cancel(default_tenant(f.store), &id, 1, (Status[1]){OK}, err));
    ck_ok(store_job_delete(default_tenant(f.store), id, err));
}

static void make_batch(JobDraft *drafts, size_t n, const char *digest)
{
    for (size_t k = 0; k < n; k++) {
        drafts[k] = draft_of("{}");
        drafts[k].idempotency_key = k == 0 ? "key" : batch_key("key", k, f.arena);
        drafts[k].idempotency_digest = digest;
    }
}

START_TEST(the_key_of_a_batch_is_taken_until_its_last_job_is_deleted)
{
    JobDraft drafts[3], other[1];
    JobRecord jobs[3], again[3];
    const TenantStore of = default_tenant(f.store);
    bool replayed;
    make_batch(drafts, 3, "digest");
    make_batch(other, 1, "another");
    ck_ok(store_jobs_add(of, drafts, 3, f.arena, jobs, &replayed, err));
    for (size_t k = 0; k < 3; k++) {
        ck_fails(store_jobs_add(of, other, 1, f.arena, again, &replayed, err), ERR_CONFLICT);
        ck_ok(store_jobs_replay(of, drafts, 3, f.arena, again, err));
        ck_assert_str_eq(again[2].id, jobs[2].id);
        delete_waiting(&jobs[k]);
    }
    ck_ok(store_jobs_add(of, other, 1, f.arena, again, &replayed, err));
    ck_assert(!replayed);
}
END_TEST

START_TEST(a_batch_of_an_older_program_is_found_by_its_keys)
{
    JobDraft drafts[2];
    JobRecord jobs[2], again[2];
    const TenantStore of = default_tenant(f.store);
    bool replayed;
    make_batch(drafts, 2, "digest");
    drafts[1].idempotency_key = "key\037"
                                "1";
    ck_ok(store_jobs_add(of, drafts, 2, f.arena, jobs, &replayed, err));
    delete_waiting(&jobs[0]);
    make_batch(drafts, 2, "digest");
    ck_ok(store_jobs_add(of, drafts, 2, f.arena, again, &replayed, err));
    ck_assert(replayed);
    ck_assert_str_eq(again[0].id, "");
    ck_assert_str_eq(again[1].id, jobs[1].id);
}
END_TEST

START_TEST(each_is_cancelled_and_deleted_for_itself)
{
    JobRecord queued_job = add_job(&f, "{}"), runs = add_priority(&f, "{}", 1),
              done = add_priority(&f, "{}", 2);
    JobLease lease = claim_job(&f);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, runs.id);
    const char *ids[] = {queued_job.id, runs.id, done.id, "none", queued_job.id};
    Status each[5];
    ck_ok(store_jobs_delete(default_tenant(f.store), ids, 2, each, err));
    ck_assert(each[0] == ERR_CONFLICT && each[1] == ERR_CONFLICT);
    ck_ok(store_jobs_cancel(default_tenant(f.store), ids, 5, each, err));
    ck_assert(each[0] == OK && each[1] == OK && each[2] == ERR_CONFLICT);
    ck_assert(each[3] == ERR_NOT_FOUND && each[4] == ERR_CONFLICT);
    ck_assert_int_eq(get_job(&f, queued_job.id).state, JOB_CANCELLED);
    ck_assert(store_job_stop_wanted(f.store, lease.job.id, lease.token));
    ck_fails(store_job_claim(f.store, f.arena, &(JobLease){0}, err), ERR_NOT_FOUND);
    finish_job(&f, &lease, JOB_CANCELLED);
    ck_ok(store_jobs_delete(default_tenant(f.store), ids, 5, each, err));
    ck_assert(each[0] == OK && each[1] == OK && each[2] == OK);
    ck_assert(each[3] == ERR_NOT_FOUND && each[4] == ERR_NOT_FOUND);
}
END_TEST

SUITE(bulk)
{
    TCase *tcase = suite_case(suite, "bulk");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, jobs_are_added_in_order_and_queued_in_order);
    tcase_add_test(tcase, one_that_cannot_be_added_keeps_out_all);
    tcase_add_test(tcase, a_queue_without_room_for_all_takes_none);
    tcase_add_test(tcase, keys_stand_for_all_that_came_with_them);
    tcase_add_test(tcase, the_key_of_a_batch_is_taken_until_its_last_job_is_deleted);
    tcase_add_test(tcase, a_batch_of_an_older_program_is_found_by_its_keys);
    tcase_add_test(tcase, each_is_cancelled_and_deleted_for_itself);
}
