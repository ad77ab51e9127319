/* Notifications: due with every end of a job that was asked for, until they are delivered or given
 * up. */
#include <stdio.h>

#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
#include "tests/suite.h"

static Fixture f;

enum { NOW_MS = 2000000000, EACH = 2, MOST = 32 };
static const int64_t LATER = INT64_C(1) << 50;

static void setup(void)
{
    fixture_init(&f);
}

static void teardown(void)
{
    fixture_done(&f);
}

static JobRecord add_notified(const char *origin, const char *on)
{
    JobRecord job;
    bool replayed;
    JobDraft draft = draft_of("{}");
    draft.notify = (JobNotify){.url = "https://example.org/x", .origin = origin, .on = on};
    draft.trace = (JobTrace){"req-1", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"};
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    ck_assert_str_eq(job.notify.url, "https://example.org/x");
    ck_assert_str_eq(job.notify.on, on);
    return job;
}

static DueCall *due_after(const char *origin, int64_t now, size_t *ret_n)
{
    DueCall *calls;
    ck_ok(store_calls_due(f.store, now, origin, EACH, MOST, f.arena, &calls, ret_n, err));
    return calls;
}

static uint64_t pending(void)
{
    uint64_t n;
    ck_ok(store_calls_pending(f.store, &n, err));
    return n;
}

static void end_next(JobState state)
{
    const JobLease lease = claim_job(&f);
    finish_job(&f, &lease, state);
}

static void made(const char *job_id, int status, const char *error, int64_t next)
{
    MadeCall call = {.status = status, .error = error, .made_ms = NOW_MS, .next_ms = next};
    snprintf(call.job_id, sizeof call.job_id, "%s", job_id);
    ck_ok(store_calls_made(f.store, &call, 1, err));
}

static const struct {
    const char *on;
    JobState state;
    bool due;
} ENDS[] = {
    {"[\"done\"]", JOB_SUCCEEDED, true},
    {"[\"done\"]", JOB_FAILED, true},
    {"[\"done\"]", JOB_CANCELLED, true},
    {"[\"failed\"]", JOB_FAILED, true},
    {"[\"failed\"]", JOB_SUCCEEDED, false},
    {"[\"failed\",\"cancelled\"]", JOB_CANCELLED, true},
    {"[\"failed\",\"cancelled\"]", JOB_SUCCEEDED, false},
    {"[\"succeeded\"]", JOB_SUCCEEDED, true},
};

START_TEST(an_end_that_was_asked_for_is_due_with_the_job)
{
    size_t n;
    const JobRecord job = add_notified("https://a:443", ENDS[_i].on);
    due_after("", LATER, &n);
    ck_assert_uint_eq(n, 0);
    end_next(ENDS[_i].state);
    for (int again = 0; again < 2; again++) {
        const DueCall *calls = due_after("", LATER, &n);
        const JobRecord now = get_job(&f, job.id);
        ck_assert_uint_eq(n, ENDS[_i].due);
        ck_assert_uint_eq(pending(), ENDS[_i].due);
        if (ENDS[_i].due) {
            ck_assert_str_eq(calls[0].job_id, job.id);
            ck_assert_int_eq(calls[0].state, ENDS[_i].state);
            ck_assert_int_eq(calls[0].revision, now.revision);
            ck_assert_str_eq(calls[0].trace.request_id, "req-1");
            ck_assert_str_eq(calls[0].trace.traceparent, now.trace.traceparent);
            ck_assert_int_eq(calls[0].finished_ms, now.finished_ms);
            ck_assert_int_eq(now.calls.next_ms, now.finished_ms);
        }
        fixture_reopen(&f);
    }
}
END_TEST

/* Whoever ends a job: a cancel while it waits, one carried out at a release, one carried out by the
 * next process, a job whose process died too often. */
START_TEST(every_way_to_end_makes_it_due)
{
    JobRecord jobs[4], ignored;
    JobLease lease;
    size_t n;
    f.options.max_attempts = 1;
    fixture_reopen(&f);
    for (int k = 0; k < 4; k++) {
        char origin[20];
        snprintf(origin, sizeof origin, "https://%d:443", k);
        jobs[k] = add_notified(origin, "[\"done\"]");
    }
    ck_ok(store_job_cancel(default_tenant(f.store), jobs[0].id, f.arena, &ignored, err));
    lease = claim_job(&f);
    ck_ok(store_job_cancel(default_tenant(f.store), jobs[1].id, f.arena, &ignored, err));
    ck_ok(store_job_release(f.store, lease.job.id, lease.token, err));
    claim_job(&f);
    ck_ok(store_job_cancel(default_tenant(f.store), jobs[2].id, f.arena, &ignored, err));
    claim_job(&f);
    due_after("", LATER, &n);
    ck_assert_uint_eq(n, 2);
    fixture_reopen(&f);
    const DueCall *calls = due_after("", LATER, &n);
    ck_assert_uint_eq(n, 4);
    for (int k = 0; k < 4; k++) {
        ck_assert_str_eq(calls[k].job_id, jobs[k].id);
        ck_assert_int_eq(calls[k].state, k < 3 ? JOB_CANCELLED : JOB_FAILED);
    }
}
END_TEST

START_TEST(what_has_become_of_it_is_in_the_job_and_no_new_revision)
{
    size_t n;
    const JobRecord job = add_notified("https://a:443", "[\"done\"]");
    end_next(JOB_SUCCEEDED);
    const int64_t revision = store_revision(default_tenant(f.store));
    const int64_t next = LATER - 1;
    made(job.id, 503, "answered 503", next);
    due_after("", next - 1, &n);
    ck_assert_uint_eq(n, 0);
    const DueCall *calls = due_after("", next, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(calls[0].attempts, 1);
    JobCalls found = get_job(&f, job.id).calls;
    ck_assert_str_eq(found.error, "answered 503");
    ck_assert_int_eq(found.status, 503);
    ck_assert_int_eq(found.next_ms, next);
    int64_t first = 0;
    ck_ok(store_calls_next(f.store, &first, err));
    ck_assert_int_eq(first, next);

    made(job.id, 204, NULL, next);
    for (int again = 0; again < 2; again++) {
        found = get_job(&f, job.id).calls;
        ck_assert_ptr_null(found.error);
        ck_assert_int_eq(found.delivered_ms, NOW_MS);
        ck_assert_int_eq(found.next_ms, 0);
        ck_assert_uint_eq(found.attempts, 2);
        ck_assert_uint_eq(pending(), 0);
        ck_assert_int_eq(store_revision(default_tenant(f.store)), revision);
        fixture_reopen(&f);
    }
    made(job.id, 0, "late news of what was settled", next);
    ck_assert_int_eq(get_job(&f, job.id).calls.delivered_ms, NOW_MS);
}
END_TEST

START_TEST(one_that_is_given_up_or_whose_job_is_deleted_is_due_no_more)
{
    const JobRecord given_up = add_notified("https://a:443", "[\"done\"]");
    const JobRecord deleted = add_notified("https://a:443", "[\"done\"]");
    end_next(JOB_SUCCEEDED);
    end_next(JOB_SUCCEEDED);
    ck_assert_uint_eq(pending(), 2);
    made(given_up.id, 0, "nobody there", 0);
    ck_ok(store_job_delete(default_tenant(f.store), deleted.id, err));
    ck_assert_uint_eq(pending(), 0);
    ck_assert_uint_eq(get_job(&f, given_up.id).calls.attempts, 1);
    made(deleted.id, 204, NULL, 0);
}
END_TEST

/* However many are due of one. */
START_TEST(every_origin_has_its_turn)
{
    size_t n;
    for (int k = 0; k < 100; k++)
        add_notified("https://b:443", "[\"done\"]");
    add_notified("https://a:443", "[\"done\"]");
    add_notified("https://c:443", "[\"done\"]");
    for (int k = 0; k < 102; k++)
        end_next(JOB_SUCCEEDED);
    const DueCall *calls = due_after("", LATER, &n);
    ck_assert_uint_eq(n, 4);
    static const char *const ORIGINS[] = {"https://a:443", "https://b:443", "https://b:443",
                                          "https://c:443"};
    for (size_t k = 0; k < n; k++)
        ck_assert_str_eq(calls[k].origin, ORIGINS[k]);
    ck_assert_int_lt(strcmp(calls[1].job_id, calls[2].job_id), 0);
    calls = due_after("https://b:443", LATER, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(calls[0].origin, "https://c:443");
}
END_TEST

static void write_sql(const char *sql)
{
    Connection connection;
    char path[100];
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    store_close(f.store);
    f.store = NULL;
    ck_ok(connection_open(&connection, path, true, err));
    ck_ok(connection_script(&connection, sql, err));
    connection_close(&connection);
    ck_ok(store_open(&f.options, &f.store, err));
}

static void ignore_damage(void *self, const char *what)
{
    (void)self;
    ck_assert_ptr_nonnull(strstr(what, "calls: row "));
}

START_TEST(a_url_that_was_changed_on_the_disk_is_not_called)
{
    const ReportSink sink = {NULL, ignore_damage};
    StoreReport report;
    JobRecord job;
    size_t n;
    const JobRecord changed = add_notified("https://a:443", "[\"done\"]");
    add_notified("https://b:443", "[\"done\"]");
    end_next(JOB_SUCCEEDED);
    end_next(JOB_SUCCEEDED);
    write_sql(
        "DROP TRIGGER calls_changed; UPDATE calls SET url = 'http://127.0.0.1/' WHERE job = 1");
    const DueCall *calls = due_after("", LATER, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(calls[0].origin, "https://b:443");
    ck_fails(store_job_get(default_tenant(f.store), changed.id, f.arena, &job, err), ERR_DAMAGED);
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_uint_eq(report.kinds[STORED_CALLS].damaged, 1);
    ck_assert_uint_eq(report.kinds[STORED_CALLS].sound, 1);
}
END_TEST

SUITE(calls)
{
    TCase *tc = suite_case(suite, "notifications");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, an_end_that_was_asked_for_is_due_with_the_job, 0,
                        sizeof ENDS / sizeof *ENDS);
    tcase_add_test(tc, every_way_to_end_makes_it_due);
    tcase_add_test(tc, what_has_become_of_it_is_in_the_job_and_no_new_revision);
    tcase_add_test(tc, one_that_is_given_up_or_whose_job_is_deleted_is_due_no_more);
    tcase_add_test(tc, every_origin_has_its_turn);
    tcase_add_test(tc, a_url_that_was_changed_on_the_disk_is_not_called);
}
