/* Jobs: what is stored, in which states they are and how these change. */
#include <stdio.h>

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

START_TEST(state_names_read_back)
{
    for (int i = JOB_QUEUED; i <= JOB_CANCELLED; i++) {
        JobState state;
        ck_assert(job_state_parse(job_state_name((JobState)i), &state));
        ck_assert_int_eq((int)state, i);
        ck_assert(job_state_done(state) == (i >= JOB_SUCCEEDED));
    }
    JobState state;
    ck_assert(!job_state_parse("Queued", &state));
    ck_assert(!job_state_parse("", &state));
}
END_TEST

/* An id begins with the milliseconds since 1970 (RFC 9562). */
static int64_t time_of_id(const char *id)
{
    char digits[13];
    snprintf(digits, sizeof digits, "%.8s%.4s", id, id + 9);
    return (int64_t)strtoull(digits, NULL, 16);
}

START_TEST(an_added_job_is_stored_as_it_was_handed_in)
{
    static const char request[] = "{\"a\": \"\xc3\xa9\xe2\x82\xac\", \0 binary \xff}";
    JobDraft draft = {.request = request,
                      .request_size = sizeof request - 1,
                      .request_hash = "rh",
                      .model_id = "mid",
                      .model_name = "Foucault's \xf0\x9d\x9b\x91",
                      .labels = "{\"campaign\": \"autumn \\u00e9\"}",
                      .formulation = "hamel",
                      .method = "rk4",
                      .priority = -3,
                      .timeout_ms = 60000};
    JobRecord job;
    bool replayed = true;
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    ck_assert(!replayed);

    fixture_reopen(&f);
    JobRecord read = get_job(&f, job.id);
    const JobRecord *both[] = {&job, &read};
    for (int i = 0; i < 2; i++) {
        const JobRecord *r = both[i];
        ck_assert_str_eq(r->id, job.id);
        ck_assert_int_eq(r->state, JOB_QUEUED);
        ck_assert_int_eq(r->created_ms, time_of_id(r->id));
        ck_assert_int_eq(r->started_ms, 0);
        ck_assert_int_eq(r->finished_ms, 0);
        ck_assert_uint_eq(r->attempt, 0);
        ck_assert_int_eq(r->priority, -3);
        ck_assert(!r->cancel_requested && !r->complete);
        ck_assert_str_eq(r->request_hash, "rh");
        ck_assert_str_eq(r->model_id, "mid");
        ck_assert_str_eq(r->model_name, draft.model_name);
        ck_assert_str_eq(r->labels, draft.labels);
        ck_assert_str_eq(r->formulation, "hamel");
        ck_assert_str_eq(r->method, "rk4");
        ck_assert_uint_eq(r->timeout_ms, 60000);
        ck_assert(!r->reason && !r->error && !r->columns && !r->tables && !r->warnings);
        ck_assert(!r->result_hash && r->rows == 0);
        ck_assert_int_eq(r->revision, store_revision(default_tenant(f.store)));
    }
    const char *bytes;
    size_t size;
    ck_ok(store_job_request(default_tenant(f.store), job.id, f.arena, &bytes, &size, err));
    ck_assert_uint_eq(size, sizeof request - 1);
    ck_assert_mem_eq(bytes, request, size);
}
END_TEST

/* By a clock that has gone on: instants are compared with that of the calendar. */
static void wait_beyond(int64_t unix_ms)
{
    WAIT_UNTIL(instant_in(0) > unix_ms);
}

static const JobTrace TRACE = {"req-1", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"};

static void has_trace(const JobTrace *found)
{
    ck_assert_str_eq(found->request_id, TRACE.request_id);
    ck_assert_str_eq(found->traceparent, TRACE.traceparent);
}

static JobRecord add_until(const char *request, int64_t not_after_ms, uint64_t members)
{
    JobRecord added;
    bool replayed;
    JobDraft draft = draft_of(request);
    draft.not_after_ms = not_after_ms;
    draft.members = members;
    draft.trace = TRACE;
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &added, &replayed, err));
    return added;
}

static size_t expire(ExpiredJob **ret_jobs)
{
    size_t n;
    ck_ok(store_jobs_expire(f.store, f.arena, ret_jobs, &n, err));
    return n;
}

START_TEST(a_job_is_not_begun_after_its_instant)
{
    const uint64_t members = _i ? 8 : 0;
    const int64_t late = instant_in(3600000), soon = instant_in(0);
    const JobRecord never = add_until("{\"late\": 1}", soon, members);
    const JobRecord other = add_until("{}", late, members);
    ExpiredJob *expired;
    wait_beyond(soon);
    if (_i < 2)
        fixture_reopen(&f); /* known after a restart */
    const JobLease lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, other.id);
    ck_assert_int_eq(lease.job.not_after_ms, late);
    ck_assert_int_eq(get_job(&f, never.id).state, JOB_QUEUED);

    ck_assert_uint_eq(expire(&expired), 1);
    ck_assert_str_eq(expired[0].id, never.id);
    has_trace(&expired[0].trace);
    const JobRecord job = get_job(&f, never.id);
    ck_assert_int_eq(job.state, JOB_FAILED);
    ck_assert_str_eq(job.reason, "expired");
    ck_assert_ptr_nonnull(strstr(job.error, "\"code\":\"expired\""));
    ck_assert_int_eq(job.not_after_ms, soon);
    ck_assert(job.started_ms == 0 && job.attempt == 0 && job.finished_ms > soon);
    ck_assert_uint_eq(expire(&expired), 0);
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert(counts.queued == 0 && counts.failed == 1 && counts.running == 1);
    ck_ok(store_job_delete(default_tenant(f.store), never.id, err));
}
END_TEST

/* One that is claimed before its instant, which has passed then. The more time, the slower the
 * machine is. */
static JobLease claim_in_time(uint64_t members)
{
    for (int64_t ms = 10;; ms *= 4) {
        const JobRecord job = add_until("{}", instant_in(ms), members);
        ExpiredJob *expired;
        JobLease lease;
        const Status status = store_job_claim(f.store, f.arena, &lease, NULL);
        wait_beyond(job.not_after_ms);
        ck_assert_uint_eq(expire(&expired), status != OK);
        if (status == OK)
            return lease;
    }
}

START_TEST(an_ensemble_that_has_begun_is_held_to_no_instant)
{
    ExpiredJob *expired;
    UnitLease unit;
    const JobRecord job = claim_in_time(8).job;
    ck_ok(store_unit_claim(f.store, job.id, 4, &unit, err));
    ck_assert_uint_eq(expire(&expired), 0);
    /* nor when its process dies: its members are known to have been begun */
    store_close(f.store);
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_uint_eq(expire(&expired), 0);
    ck_assert_str_eq(claim_job(&f).job.id, job.id);
}
END_TEST

START_TEST(a_job_that_is_put_back_is_held_to_its_instant)
{
    ExpiredJob *expired;
    const JobLease lease = claim_in_time(0);
    ck_ok(store_job_release(f.store, lease.job.id, lease.token, err));
    ck_fails(store_job_claim(f.store, f.arena, &(JobLease){0}, err), ERR_NOT_FOUND);
    ck_assert_uint_eq(expire(&expired), 1);
    ck_assert_str_eq(get_job(&f, lease.job.id).reason, "expired");
}
END_TEST

/* More than end at once, with others between. */
START_TEST(many_jobs_expire)
{
    enum { N = 2100, OTHERS = N / 3 };
    const int64_t soon = instant_in(1);
    JobDraft drafts[N];
    JobRecord jobs[N];
    bool replayed;
    size_t ended = 0;
    for (int k = 0; k < N; k++) {
        drafts[k] = draft_of("{}");
        drafts[k].priority = k % 5;
        drafts[k].not_after_ms = k % 3 ? soon : 0;
    }
    ck_ok(store_jobs_add(default_tenant(f.store), drafts, N, f.arena, jobs, &replayed, err));
    wait_beyond(soon);
    ExpiredJob *expired;
    for (size_t n; (n = expire(&expired)) > 0;)
        ended += n;
    ck_assert_uint_eq(ended, N - OTHERS);
    for (int k = 0; k < OTHERS; k++)
        ck_assert_int_eq(claim_job(&f).job.not_after_ms, 0);
    ck_fails(store_job_claim(f.store, f.arena, &(JobLease){0}, err), ERR_NOT_FOUND);
}
END_TEST

START_TEST(a_job_keeps_the_trace_of_its_first_request)
{
    JobDraft draft = draft_of("{}");
    JobRecord job, again;
    bool replayed;
    draft.idempotency_key = "once";
    draft.trace = TRACE;
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    has_trace(&job.trace);
    draft.trace.request_id = "req-2";
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &again, &replayed, err));
    ck_assert(replayed);
    has_trace(&again.trace);
    fixture_reopen(&f);
    const JobLease lease = claim_job(&f);
    has_trace(&lease.job.trace);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    const JobRecord ended = get_job(&f, job.id);
    has_trace(&ended.trace);
    ck_assert_ptr_null(add_job(&f, "{}").trace.request_id);
}
END_TEST

START_TEST(an_empty_request_stays_empty)
{
    const char *bytes;
    size_t size = 7;
    JobRecord job = add_job(&f, "");
    ck_ok(store_job_request(default_tenant(f.store), job.id, f.arena, &bytes, &size, err));
    ck_assert_uint_eq(size, 0);
    ck_assert_str_eq(bytes, "");
}
END_TEST

START_TEST(ids_are_version_7_and_sort_by_age)
{
    char last[JOB_ID_MAX] = "";
    for (int i = 0; i < 50; i++) {
        JobRecord job = add_job(&f, "{}");
        ck_assert_uint_eq(strlen(job.id), 36);
        ck_assert_int_eq(job.id[14], '7');
        ck_assert_ptr_nonnull(strchr("89ab", job.id[19]));
        ck_assert_str_gt(job.id, last);
        strcpy(last, job.id);
        if (i % 10 == 9)
            fixture_reopen(&f);
    }
}
END_TEST

START_TEST(what_is_not_there_is_not_found)
{
    JobRecord job;
    const char *text;
    size_t size;
    uint64_t rows;
    ResultBlock block;
    const char *ids[] = {"00000000-0000-7000-8000-000000000000", "", "x",
                         "a text much longer than any id, to be cut in the message; and so on"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const char *id = ids[i];
        ck_fails(store_job_get(default_tenant(f.store), id, f.arena, &job, err), ERR_NOT_FOUND);
        ck_fails(store_job_request(default_tenant(f.store), id, f.arena, &text, &size, err),
                 ERR_NOT_FOUND);
        ck_fails(store_job_cancel(default_tenant(f.store), id, f.arena, &job, err), ERR_NOT_FOUND);
        ck_fails(store_job_delete(default_tenant(f.store), id, err), ERR_NOT_FOUND);
        ck_fails(
            store_job_document(default_tenant(f.store), id, JOB_DIAGNOSTICS, f.arena, &text, err),
            ERR_NOT_FOUND);
        ck_fails(store_result_rows(default_tenant(f.store), id, -1, &rows, err), ERR_NOT_FOUND);
        ck_fails(store_result_find(default_tenant(f.store), id, -1, 0, &rows, err), ERR_NOT_FOUND);
        ck_fails(store_result_block(default_tenant(f.store), id, -1, 0, f.arena, &block, err),
                 ERR_NOT_FOUND);
    }
    JobLease lease;
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND);
}
END_TEST

START_TEST(higher_priority_goes_first_then_the_older_job)
{
    static const struct {
        const char *name;
        int priority;
    } ADDED[] = {{"c", 0}, {"a", 5}, {"d", 0}, {"e", -1}, {"b", 5}, {"f", -2147483647 - 1}};
    JobRecord jobs[6];
    for (int i = 0; i < 6; i++)
        jobs[i] = add_priority(&f, ADDED[i].name, ADDED[i].priority);
    for (int i = 0; i < 6; i++) {
        uint64_t position;
        ck_ok(store_job_position(default_tenant(f.store), &jobs[i], &position, err));
        ck_assert_uint_eq(position, (uint64_t)(ADDED[i].name[0] - 'a'));
    }
    fixture_reopen(&f);
    for (int i = 0; i < 6; i++) {
        JobLease lease = claim_job(&f);
        ck_assert_int_eq(lease.request[0], 'a' + i);
        ck_assert_int_eq(lease.job.state, JOB_RUNNING);
        ck_assert_uint_eq(lease.job.attempt, 1);
        ck_assert_int_ne(lease.job.started_ms, 0);
    }
    JobLease lease;
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND);
}
END_TEST

START_TEST(a_finished_job_has_what_it_was_finished_with)
{
    const JobFinish finish = {.state = JOB_FAILED,
                              .reason = "numeric",
                              .error = "{\"code\":\"numeric\"}",
                              .diagnostics = "{\"d\":1}",
                              .invariants = "{\"i\":2}",
                              .warnings = "[\"w\"]",
                              .result_hash = "rh"};
    JobRecord job = add_job(&f, "{}");
    JobLease lease = claim_job(&f);
    ck_ok(store_job_finish(f.store, job.id, lease.token, &finish, err));
    fixture_reopen(&f);
    job = get_job(&f, job.id);
    ck_assert_int_eq(job.state, JOB_FAILED);
    ck_assert(!job.complete);
    ck_assert_str_eq(job.reason, "numeric");
    ck_assert_str_eq(job.error, finish.error);
    ck_assert_str_eq(job.warnings, finish.warnings);
    ck_assert_str_eq(job.result_hash, "rh");
    ck_assert_int_ne(job.finished_ms, 0);
    ck_assert_int_eq(job.started_ms, lease.job.started_ms);
    ck_assert_uint_eq(job.attempt, 1);
    const char *text;
    ck_ok(
        store_job_document(default_tenant(f.store), job.id, JOB_DIAGNOSTICS, f.arena, &text, err));
    ck_assert_str_eq(text, finish.diagnostics);
    ck_ok(store_job_document(default_tenant(f.store), job.id, JOB_INVARIANTS, f.arena, &text, err));
    ck_assert_str_eq(text, finish.invariants);
}
END_TEST

START_TEST(a_job_without_documents_has_none)
{
    const char *text = "before";
    JobRecord job = add_job(&f, "{}");
    ck_ok(store_job_document(default_tenant(f.store), job.id, JOB_INVARIANTS, f.arena, &text, err));
    ck_assert_ptr_null(text);
}
END_TEST

START_TEST(a_run_ends_in_a_final_state_only)
{
    JobRecord job = add_job(&f, "{}");
    JobLease lease = claim_job(&f);
    JobFinish finish = {.state = JOB_QUEUED};
    ck_fails(store_job_finish(f.store, job.id, lease.token, &finish, err), ERR_INVALID);
    finish.state = JOB_RUNNING;
    ck_fails(store_job_finish(f.store, job.id, lease.token, &finish, err), ERR_INVALID);
    finish_job(&f, &lease, JOB_CANCELLED);
    ck_assert_int_eq(get_job(&f, job.id).state, JOB_CANCELLED);
}
END_TEST

START_TEST(a_lost_lease_changes_nothing)
{
    const JobFinish finish = {.state = JOB_FAILED};
    const double row[] = {0, 1};
    JobRecord job = add_job(&f, "{}");
    JobLease lease = claim_job(&f);
    ck_assert(!store_job_stop_wanted(f.store, job.id, lease.token));
    ck_assert(store_job_stop_wanted(f.store, job.id, lease.token + 1));
    ck_fails(store_job_finish(f.store, job.id, lease.token + 1, &finish, err), ERR_CONFLICT);
    ck_fails(store_job_release(f.store, job.id, lease.token + 1, err), ERR_CONFLICT);
    ck_fails(store_result_begin(f.store, job.id, lease.token + 1, "[]", NULL, err), ERR_CONFLICT);
    finish_job(&f, &lease, JOB_SUCCEEDED);

    /* the late worker, with the token that was good once */
    const int64_t revision = store_revision(default_tenant(f.store));
    ck_assert(store_job_stop_wanted(f.store, job.id, lease.token));
    ck_fails(store_job_finish(f.store, job.id, lease.token, &finish, err), ERR_CONFLICT);
    ck_fails(store_job_release(f.store, job.id, lease.token, err), ERR_CONFLICT);
    ck_fails(store_result_begin(f.store, job.id, lease.token, "[]", NULL, err), ERR_CONFLICT);
    ck_fails(store_result_append(f.store, job.id, lease.token, -1, row, 1, 2, err), ERR_CONFLICT);
    ck_assert_int_eq(store_revision(default_tenant(f.store)), revision);
    ck_assert_int_eq(get_job(&f, job.id).state, JOB_SUCCEEDED);

    /* and after the process is another one */
    fixture_reopen(&f);
    ck_fails(store_job_finish(f.store, job.id, lease.token, &finish, err), ERR_CONFLICT);
    ck_assert_int_eq(get_job(&f, job.id).state, JOB_SUCCEEDED);
}
END_TEST

START_TEST(a_released_job_keeps_its_attempts_and_its_place)
{
    JobRecord first = add_job(&f, "first"), second = add_job(&f, "second");
    JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, first.id, lease.token, "[\"t\"]", NULL, err));
    const double row = 1;
    ck_ok(store_result_append(f.store, first.id, lease.token, -1, &row, 1, 1, err));
    ck_ok(store_job_release(f.store, first.id, lease.token, err));
    JobRecord job = get_job(&f, first.id);
    ck_assert_int_eq(job.state, JOB_QUEUED);
    ck_assert_uint_eq(job.attempt, 0);
    ck_assert_int_eq(job.started_ms, 0);
    ck_assert_uint_eq(job.rows, 0);
    ck_assert_ptr_null(job.columns);

    JobLease again = claim_job(&f);
    ck_assert_str_eq(again.job.id, first.id);
    ck_assert_int_ne(again.token, lease.token);
    ck_assert_uint_eq(again.job.attempt, 1);
    ck_assert_str_eq(claim_job(&f).job.id, second.id);
}
END_TEST

START_TEST(cancelling_a_queued_job_ends_it)
{
    JobRecord job = add_job(&f, "{}"), cancelled;
    JobLease lease;
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &cancelled, err));
    ck_assert_int_eq(cancelled.state, JOB_CANCELLED);
    ck_assert_int_ne(cancelled.finished_ms, 0);
    ck_assert_int_gt(cancelled.revision, job.revision);
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND);
    ck_fails(store_job_cancel(default_tenant(f.store), job.id, f.arena, &cancelled, err),
             ERR_CONFLICT);
}
END_TEST

START_TEST(cancelling_a_running_job_is_remembered)
{
    JobRecord job = add_job(&f, "{}"), cancelled;
    JobLease lease = claim_job(&f);
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &cancelled, err));
    ck_assert_int_eq(cancelled.state, JOB_RUNNING);
    ck_assert(cancelled.cancel_requested);
    ck_assert(store_job_stop_wanted(f.store, job.id, lease.token));
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &cancelled, err));
    finish_job(&f, &lease, JOB_CANCELLED);
    ck_assert_int_eq(get_job(&f, job.id).state, JOB_CANCELLED);
}
END_TEST

START_TEST(a_cancelled_run_that_is_released_is_cancelled)
{
    JobRecord job = add_job(&f, "{}"), cancelled;
    JobLease lease = claim_job(&f);
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &cancelled, err));
    ck_ok(store_job_release(f.store, job.id, lease.token, err));
    ck_assert_int_eq(get_job(&f, job.id).state, JOB_CANCELLED);
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND);
}
END_TEST

START_TEST(a_job_whose_process_died_runs_again_after_the_others)
{
    JobRecord dead = add_priority(&f, "dead", 9), other = add_job(&f, "other");
    JobLease lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, dead.id);
    fixture_reopen(&f); /* as if it had died: the job was not given back */
    JobRecord job = get_job(&f, dead.id);
    ck_assert_int_eq(job.state, JOB_QUEUED);
    ck_assert_uint_eq(job.attempt, 1);
    ck_assert_str_eq(claim_job(&f).job.id, other.id);
    lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, dead.id);
    ck_assert_uint_eq(lease.job.attempt, 2);
}
END_TEST

START_TEST(jobs_whose_process_died_run_one_at_a_time)
{
    JobLease lease;
    for (int i = 0; i < 2; i++) {
        add_job(&f, "{}");
        claim_job(&f);
    }
    fixture_reopen(&f);
    JobLease first = claim_job(&f);
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND);
    JobRecord fresh = add_job(&f, "{}");
    ck_assert_str_eq(claim_job(&f).job.id, fresh.id);
    finish_job(&f, &first, JOB_SUCCEEDED);
    ck_ok(store_job_claim(f.store, f.arena, &lease, err));
    ck_assert_str_gt(lease.job.id, first.job.id);
}
END_TEST

START_TEST(a_job_that_kills_its_process_again_and_again_fails)
{
    JobRecord job = add_job(&f, "{}");
    for (unsigned i = 1; i <= 5; i++) {
        ck_assert_uint_eq(claim_job(&f).job.attempt, i);
        fixture_reopen(&f);
    }
    job = get_job(&f, job.id);
    ck_assert_int_eq(job.state, JOB_FAILED);
    ck_assert_uint_eq(job.attempt, 5);
    ck_assert_str_eq(job.reason, "worker_lost");
    ck_assert_ptr_nonnull(strstr(job.error, "\"type\":\"/problems/worker_lost\""));
    ck_assert_ptr_nonnull(strstr(job.error, job.id));
    ck_assert_ptr_nonnull(strstr(job.error, "5 times"));
    ck_assert_uint_eq(store_opening(f.store)->lost_jobs, 1);
    ck_assert(!job.complete);
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.failed, 1);
    fixture_reopen(&f);
    ck_assert_uint_eq(store_opening(f.store)->lost_jobs, 0); /* told once */
    ck_assert_uint_eq(counts.queued, 0);
}
END_TEST

START_TEST(a_wish_to_cancel_outlives_the_process)
{
    JobRecord job = add_job(&f, "{}"), cancelled;
    claim_job(&f);
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &cancelled, err));
    fixture_reopen(&f);
    ck_assert_int_eq(get_job(&f, job.id).state, JOB_CANCELLED);
    JobLease lease;
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND);
}
END_TEST

START_TEST(a_retry_with_the_same_key_returns_the_first_job)
{
    JobDraft draft = draft_of("{\"x\": 1}");
    JobRecord first, second;
    bool replayed;
    draft.idempotency_key = "key-1";
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &first, &replayed, err));
    ck_assert(!replayed);
    fixture_reopen(&f);
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &second, &replayed, err));
    ck_assert(replayed);
    ck_assert_str_eq(second.id, first.id);
    ck_assert_int_eq(second.revision, first.revision);

    JobLease lease = claim_job(&f);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &second, &replayed, err));
    ck_assert(replayed);
    ck_assert_int_eq(second.state, JOB_SUCCEEDED);

    draft.request = "{\"x\": 2}";
    ck_fails(store_job_add(default_tenant(f.store), &draft, f.arena, &second, &replayed, err),
             ERR_CONFLICT);
    draft.idempotency_key = "key-2";
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &second, &replayed, err));
    ck_assert(!replayed);

    ck_ok(store_job_delete(default_tenant(f.store), first.id, err));
    draft.idempotency_key = "key-1"; /* free again */
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &second, &replayed, err));
    ck_assert(!replayed);
}
END_TEST

START_TEST(a_full_queue_refuses_but_answers_retries)
{
    JobDraft draft = draft_of("{}");
    JobRecord job;
    bool replayed;
    f.options.max_queued = 2;
    fixture_reopen(&f);
    draft.idempotency_key = "k";
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    add_job(&f, "{}");
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    ck_assert(replayed);
    draft.idempotency_key = NULL;
    ck_fails(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err),
             ERR_BUSY);
    JobLease lease = claim_job(&f);
    ck_ok(store_job_release(f.store, lease.job.id, lease.token, err));
    ck_fails(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err),
             ERR_BUSY);
    claim_job(&f);
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
}
END_TEST

START_TEST(only_a_job_that_is_done_can_be_deleted)
{
    JobRecord job = add_job(&f, "{}");
    ck_fails(store_job_delete(default_tenant(f.store), job.id, err), ERR_CONFLICT);
    JobLease lease = claim_job(&f);
    ck_fails(store_job_delete(default_tenant(f.store), job.id, err), ERR_CONFLICT);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    const int64_t revision = store_revision(default_tenant(f.store));
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err));
    ck_assert_int_gt(store_revision(default_tenant(f.store)), revision);
    ck_fails(store_job_get(default_tenant(f.store), job.id, f.arena, &job, err), ERR_NOT_FOUND);
    ck_fails(store_job_delete(default_tenant(f.store), job.id, err), ERR_NOT_FOUND);
    const int64_t deleted = store_revision(default_tenant(f.store));
    fixture_reopen(&f);
    ck_assert_int_eq(store_revision(default_tenant(f.store)), deleted); /* never falls back */
}
END_TEST

START_TEST(revisions_grow_with_every_change)
{
    JobRecord job = add_job(&f, "{}"), read;
    int64_t last = job.revision;
    ck_assert_int_gt(last, 0);
    JobLease lease = claim_job(&f);
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &read, err));
    ck_assert_int_gt(read.revision, last + 1); /* the claim had one of its own */
    last = read.revision;
    finish_job(&f, &lease, JOB_CANCELLED);
    read = get_job(&f, job.id);
    ck_assert_int_gt(read.revision, last);
    ck_assert_int_eq(read.revision, store_revision(default_tenant(f.store)));
    last = read.revision;
    fixture_reopen(&f);
    ck_assert_int_eq(store_revision(default_tenant(f.store)), last);
}
END_TEST

static void check_counts(uint64_t queued, uint64_t running, uint64_t succeeded, uint64_t failed,
                         uint64_t cancelled)
{
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.queued, queued);
    ck_assert_uint_eq(counts.running, running);
    ck_assert_uint_eq(counts.succeeded, succeeded);
    ck_assert_uint_eq(counts.failed, failed);
    ck_assert_uint_eq(counts.cancelled, cancelled);
}

START_TEST(counts_follow_every_change)
{
    JobRecord jobs[6], job;
    for (int i = 0; i < 6; i++)
        jobs[i] = add_job(&f, "{}");
    check_counts(6, 0, 0, 0, 0);
    JobLease a = claim_job(&f), b = claim_job(&f), c = claim_job(&f);
    ck_ok(store_job_cancel(default_tenant(f.store), jobs[5].id, f.arena, &job, err));
    check_counts(2, 3, 0, 0, 1);
    finish_job(&f, &a, JOB_SUCCEEDED);
    finish_job(&f, &b, JOB_FAILED);
    ck_ok(store_job_release(f.store, c.job.id, c.token, err));
    check_counts(3, 0, 1, 1, 1);
    ck_ok(store_job_delete(default_tenant(f.store), jobs[5].id, err));
    check_counts(3, 0, 1, 1, 0);
    fixture_reopen(&f);
    check_counts(3, 0, 1, 1, 0);
}
END_TEST

SUITE(jobs)
{
    TCase *tc = suite_case(suite, "jobs");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, state_names_read_back);
    tcase_add_test(tc, an_added_job_is_stored_as_it_was_handed_in);
    tcase_add_loop_test(tc, a_job_is_not_begun_after_its_instant, 0, 3);
    tcase_add_test(tc, an_ensemble_that_has_begun_is_held_to_no_instant);
    tcase_add_test(tc, a_job_that_is_put_back_is_held_to_its_instant);
    tcase_add_test(tc, many_jobs_expire);
    tcase_add_test(tc, a_job_keeps_the_trace_of_its_first_request);
    tcase_add_test(tc, an_empty_request_stays_empty);
    tcase_add_test(tc, ids_are_version_7_and_sort_by_age);
    tcase_add_test(tc, what_is_not_there_is_not_found);
    tcase_add_test(tc, higher_priority_goes_first_then_the_older_job);
    tcase_add_test(tc, a_finished_job_has_what_it_was_finished_with);
    tcase_add_test(tc, a_job_without_documents_has_none);
    tcase_add_test(tc, a_run_ends_in_a_final_state_only);
    tcase_add_test(tc, a_lost_lease_changes_nothing);
    tcase_add_test(tc, a_released_job_keeps_its_attempts_and_its_place);
    tcase_add_test(tc, cancelling_a_queued_job_ends_it);
    tcase_add_test(tc, cancelling_a_running_job_is_remembered);
    tcase_add_test(tc, a_cancelled_run_that_is_released_is_cancelled);
    tcase_add_test(tc, a_job_whose_process_died_runs_again_after_the_others);
    tcase_add_test(tc, jobs_whose_process_died_run_one_at_a_time);
    tcase_add_test(tc, a_job_that_kills_its_process_again_and_again_fails);
    tcase_add_test(tc, a_wish_to_cancel_outlives_the_process);
    tcase_add_test(tc, a_retry_with_the_same_key_returns_the_first_job);
    tcase_add_test(tc, a_full_queue_refuses_but_answers_retries);
    tcase_add_test(tc, only_a_job_that_is_done_can_be_deleted);
    tcase_add_test(tc, revisions_grow_with_every_change);
    tcase_add_test(tc, counts_follow_every_change);
}
