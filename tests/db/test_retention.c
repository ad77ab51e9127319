/* Retention: which finished jobs go, in which order, how many at once; and a kill at any step. */
#include <stdio.h>
#include <unistd.h>

#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
#include "tests/db/killing.h"
#include "tests/suite.h"

enum { HOUR = 3600000, MIB = 1 << 20, COLUMNS = 16, CHUNK_ROWS = MIB / 8 / COLUMNS };
enum { THEIRS = 2 }; /* the number of another tenant */

static Fixture f;

static void setup(void)
{
    fixture_init(&f);
}

static void teardown(void)
{
    fixture_done(&f);
}

/* A job with a result of so many MiB that has ended in this state. */
static JobRecord add_ended_of(int64_t tenant, JobState state, int mib)
{
    static const double ROWS[CHUNK_ROWS * COLUMNS] = {1};
    const JobDraft draft = draft_of("{}");
    JobRecord job;
    bool replayed;
    ck_ok(store_job_add((TenantStore){f.store, tenant}, &draft, f.arena, &job, &replayed, err));
    const JobLease lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, job.id);
    if (mib > 0)
        ck_ok(store_result_begin(f.store, job.id, lease.token, "[]", NULL, err));
    for (int i = 0; i < mib; i++)
        ck_ok(
            store_result_append(f.store, job.id, lease.token, -1, ROWS, CHUNK_ROWS, COLUMNS, err));
    finish_job(&f, &lease, state);
    return job;
}

static JobRecord add_ended(JobState state, int mib)
{
    return add_ended_of(TENANT_DEFAULT, state, mib);
}

/* Moves a job into the past, as if the clock had been so much earlier. */
typedef struct Aging {
    WriteOp op;
    JobRecord *job;
    int64_t ms;
    bool end; /* it has ended earlier, too */
} Aging;

static Status age_run(Store *store, WriteOp *op, Error *err)
{
    const Aging *aging = (const Aging *)op;
    char id[JOB_ID_MAX];
    unsigned high, low;
    ck_assert_int_eq(sscanf(aging->job->id, "%8x-%4x", &high, &low), 2);
    const uint64_t ms = ((uint64_t)high << 16 | low) - (uint64_t)aging->ms;
    snprintf(id, sizeof id, "%08x-%04x%s", (unsigned)(ms >> 16), (unsigned)(ms & 0xffff),
             aging->job->id + 13);
    Query query = query_new(&store->writer.connection,
                            "UPDATE jobs SET id = ?2, created_ms = created_ms - ?3, finished_ms = "
                            "finished_ms - iif(?4, ?3, 0) WHERE id = ?1");
    query_text(&query, 1, aging->job->id);
    query_text(&query, 2, id);
    query_int(&query, 3, aging->ms);
    query_int(&query, 4, aging->end);
    const Status status = query_run(&query, err);
    strcpy(aging->job->id, id);
    return status;
}

static void make_older(JobRecord *job, int64_t ms, bool end)
{
    Aging aging = {.op = {.run = age_run}, .job = job, .ms = ms, .end = end};
    ck_ok(writer_do(f.store, &aging.op, err));
}

static size_t retire(StoreKeep keep, RetiredJob *ret_jobs)
{
    size_t n;
    ck_ok(store_jobs_retire(f.store, &keep, ret_jobs, &n, err));
    return n;
}

static bool is_there(const JobRecord *job)
{
    JobRecord found;
    Status status = store_job_get(default_tenant(f.store), job->id, f.arena, &found, NULL);
    if (status == ERR_NOT_FOUND)
        status = store_job_get((TenantStore){f.store, THEIRS}, job->id, f.arena, &found, NULL);
    ck_assert(status == OK || status == ERR_NOT_FOUND);
    return status == OK;
}

static void expect_gone(const RetiredJob *retired, const JobRecord *job, RetireRule rule)
{
    ck_assert_str_eq(retired->id, job->id);
    ck_assert_int_eq(retired->rule, rule);
    ck_assert(!is_there(job));
}

START_TEST(jobs_go_when_their_time_has_passed)
{
    RetiredJob gone[RETIRE_MAX];
    JobRecord done = add_ended(JOB_SUCCEEDED, 0), cancelled = add_ended(JOB_CANCELLED, 0),
              failed = add_ended(JOB_FAILED, 0), young = add_ended(JOB_SUCCEEDED, 0),
              running = add_job(&f, "{}");
    claim_job(&f);
    JobRecord queued = add_job(&f, "{}");
    JobRecord *const old[] = {&done, &cancelled, &failed, &running, &queued};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        make_older(old[i], 3 * HOUR, true);
    ck_assert_uint_eq(retire((StoreKeep){0}, gone), 0);
    ck_assert_uint_eq(retire((StoreKeep){.done_ms = 4 * HOUR, .failed_ms = 4 * HOUR}, gone), 0);
    ck_assert_uint_eq(retire((StoreKeep){.done_ms = 2 * HOUR}, gone), 2);
    expect_gone(&gone[0], &done, RETIRE_DONE);
    expect_gone(&gone[1], &cancelled, RETIRE_DONE);
    ck_assert_uint_eq(retire((StoreKeep){.failed_ms = 2 * HOUR}, gone), 1);
    expect_gone(&gone[0], &failed, RETIRE_FAILED);
    ck_assert_uint_eq(retire((StoreKeep){.done_ms = 2 * HOUR, .failed_ms = 2 * HOUR}, gone), 0);
    ck_assert(is_there(&young) && is_there(&running) && is_there(&queued));
}
END_TEST

START_TEST(the_time_counts_from_the_end)
{
    RetiredJob gone[RETIRE_MAX];
    JobRecord slow = add_ended(JOB_SUCCEEDED, 0); /* waited and ran for three hours */
    make_older(&slow, 3 * HOUR, false);
    ck_assert_uint_eq(retire((StoreKeep){.done_ms = 2 * HOUR}, gone), 0);
    ck_assert(is_there(&slow));
}
END_TEST

START_TEST(a_deletion_is_told_and_counted_as_any_other)
{
    RetiredJob gone[RETIRE_MAX];
    JobRecord job = add_ended(JOB_SUCCEEDED, 0);
    DeletedJob *deleted;
    StoreCounts counts;
    int64_t forgotten;
    size_t n;
    make_older(&job, 3 * HOUR, true);
    const int64_t before = store_revision(default_tenant(f.store));
    ck_assert_uint_eq(retire((StoreKeep){.done_ms = HOUR}, gone), 1);
    ck_ok(store_deleted_list(default_tenant(f.store), before, 10, f.arena, &deleted, &n, &forgotten,
                             err));
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(deleted[0].id, job.id);
    ck_assert_int_eq(deleted[0].revision, store_revision(default_tenant(f.store)));
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.succeeded, 0);
}
END_TEST

START_TEST(a_job_whose_notification_is_due_stays)
{
    RetiredJob gone[RETIRE_MAX];
    JobDraft draft = draft_of("{}");
    JobRecord job;
    bool replayed;
    draft.notify = (JobNotify){.url = "https://e.org/", .origin = "e.org", .on = "[\"done\"]"};
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    const JobLease lease = claim_job(&f);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    make_older(&job, 3 * HOUR, true);
    const StoreKeep keep = {.done_ms = HOUR, .bytes = 1};
    ck_assert_uint_eq(retire(keep, gone), 0);
    MadeCall call = {.status = 204, .made_ms = 1};
    strcpy(call.job_id, job.id);
    ck_ok(store_calls_made(f.store, &call, 1, err));
    ck_assert_uint_eq(retire(keep, gone), 1);
    ck_assert(!is_there(&job));
}
END_TEST

static Status damage_run(Store *store, WriteOp *op, Error *err)
{
    (void)op;
    return connection_script(&store->writer.connection,
                             "DROP TRIGGER jobs_changed; UPDATE jobs SET checksum = checksum + 1",
                             err);
}

/* Its row might say that it has finished while it waits. */
START_TEST(a_damaged_job_stays)
{
    RetiredJob gone[RETIRE_MAX];
    WriteOp op = {.run = damage_run};
    JobRecord job = add_ended(JOB_SUCCEEDED, 0), found;
    make_older(&job, 3 * HOUR, true);
    ck_ok(writer_do(f.store, &op, err));
    ck_assert_uint_eq(retire((StoreKeep){.done_ms = HOUR, .bytes = 1}, gone), 0);
    ck_fails(store_job_get(default_tenant(f.store), job.id, f.arena, &found, err), ERR_DAMAGED);
}
END_TEST

START_TEST(many_go_in_transactions_of_two_hundred_the_oldest_first)
{
    enum { N = 450 };
    static JobRecord jobs[N];
    RetiredJob gone[RETIRE_MAX];
    size_t total = 0;
    for (int i = 0; i < N; i++)
        jobs[i] = add_ended(JOB_SUCCEEDED, 0);
    for (int i = 0; i < N; i++)
        make_older(&jobs[i], 3 * HOUR, true);
    for (size_t n = 1; n > 0; total += n) {
        const uint64_t before = store_commits(f.store);
        n = retire((StoreKeep){.done_ms = HOUR}, gone);
        ck_assert_uint_eq(n, total + RETIRE_MAX <= N ? RETIRE_MAX : N - total);
        ck_assert_uint_eq(store_commits(f.store), before + (n > 0));
        for (size_t k = 0; k < n; k++)
            ck_assert_str_eq(gone[k].id, jobs[total + k].id);
    }
    ck_assert_uint_eq(total, N);
}
END_TEST

static uint64_t bytes_in_use(void)
{
    int64_t pages, unused;
    Connection *reader = reader_take(f.store);
    ck_ok(connection_int(reader, "PRAGMA page_count", &pages, err));
    ck_ok(connection_int(reader, "PRAGMA freelist_count", &unused, err));
    reader_give(f.store, reader);
    return (uint64_t)(pages - unused) * 4096;
}

START_TEST(beyond_a_size_the_oldest_go_whatever_their_state)
{
    static const JobState STATES[] = {JOB_FAILED, JOB_SUCCEEDED, JOB_CANCELLED};
    enum { N = 6 };
    JobRecord jobs[N];
    RetiredJob gone[RETIRE_MAX];
    const JobRecord first = add_priority(&f, "{}", -1); /* waits, and is the oldest */
    for (int i = 0; i < N; i++)
        jobs[i] = add_ended(STATES[i % 3], 1);
    const StoreKeep keep = {.bytes = bytes_in_use() - 5 * MIB / 2};
    size_t total = 0;
    for (size_t n = 1; n > 0; total += n) {
        n = retire(keep, gone);
        for (size_t k = 0; k < n; k++)
            expect_gone(&gone[k], &jobs[total + k], RETIRE_BYTES_BEYOND);
    }
    ck_assert_uint_eq(total, 3); /* 3 MiB: no more than it takes */
    ck_assert_uint_le(bytes_in_use(), keep.bytes);
    ck_assert(is_there(&first) && is_there(&jobs[3]));
}
END_TEST

static void add_theirs(TenantKeep keep)
{
    TenantRecord tenant = {.name = "theirs", .keep = keep};
    ck_ok(store_tenant_add(f.store, &tenant, err));
    ck_assert_int_eq(tenant.number, THEIRS);
}

START_TEST(a_tenant_has_times_of_its_own)
{
    RetiredJob gone[RETIRE_MAX];
    add_theirs((TenantKeep){.done_ms = HOUR, .failed_ms = KEEP_FOR_EVER});
    JobRecord ours = add_ended(JOB_SUCCEEDED, 0), ours_failed = add_ended(JOB_FAILED, 0);
    JobRecord theirs = add_ended_of(THEIRS, JOB_SUCCEEDED, 0),
              theirs_failed = add_ended_of(THEIRS, JOB_FAILED, 0);
    JobRecord *const old[] = {&ours, &ours_failed, &theirs, &theirs_failed};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        make_older(old[i], 3 * HOUR, true);
    /* the service keeps all, the tenant does not; also in the next process */
    fixture_reopen(&f);
    ck_assert_uint_eq(retire((StoreKeep){0}, gone), 1);
    expect_gone(&gone[0], &theirs, RETIRE_DONE);
    /* the service keeps failed jobs shorter than the tenant */
    ck_assert_uint_eq(retire((StoreKeep){.failed_ms = HOUR}, gone), 1);
    expect_gone(&gone[0], &ours_failed, RETIRE_FAILED);
    ck_assert(is_there(&ours) && is_there(&theirs_failed));
    /* without times of its own the tenant has those of the service */
    ck_ok(store_tenant_set(f.store, &(TenantRecord){.name = "theirs"}, err));
    ck_assert_uint_eq(retire((StoreKeep){.failed_ms = HOUR}, gone), 1);
    expect_gone(&gone[0], &theirs_failed, RETIRE_FAILED);
}
END_TEST

START_TEST(beyond_the_bytes_of_a_tenant_its_oldest_go)
{
    RetiredJob gone[RETIRE_MAX];
    add_theirs((TenantKeep){.bytes = 5 * MIB / 2});
    const JobRecord ours = add_ended(JOB_SUCCEEDED, 4);
    JobRecord theirs[4];
    for (int i = 0; i < 4; i++)
        theirs[i] = add_ended_of(THEIRS, JOB_SUCCEEDED, 1);
    ck_assert_uint_eq(retire((StoreKeep){0}, gone), 2);
    expect_gone(&gone[0], &theirs[0], RETIRE_BYTES_BEYOND);
    expect_gone(&gone[1], &theirs[1], RETIRE_BYTES_BEYOND);
    ck_assert_uint_eq(retire((StoreKeep){0}, gone), 0);
    ck_assert(is_there(&ours) && is_there(&theirs[2]) && is_there(&theirs[3]));
}
END_TEST

START_TEST(jobs_are_kept_if_the_row_of_their_tenant_is_damaged)
{
    RetiredJob gone[RETIRE_MAX];
    Connection connection;
    char path[100];
    add_theirs((TenantKeep){.done_ms = 4 * HOUR});
    JobRecord theirs = add_ended_of(THEIRS, JOB_SUCCEEDED, 0);
    make_older(&theirs, 3 * HOUR, true);
    store_close(f.store);
    f.store = NULL;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_ok(connection_open(&connection, path, true, err));
    ck_ok(connection_script(&connection,
                            "DROP TRIGGER tenants_changed; UPDATE tenants SET keep_ms = 1", err));
    connection_close(&connection);
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_uint_eq(retire((StoreKeep){.done_ms = HOUR}, gone), 0);
    ck_assert(is_there(&theirs));
}
END_TEST

/* A transaction that frees very much would keep others waiting. */
START_TEST(large_results_go_in_smaller_transactions)
{
    RetiredJob gone[RETIRE_MAX];
    JobRecord jobs[4];
    for (int i = 0; i < 4; i++)
        jobs[i] = add_ended(JOB_SUCCEEDED, 33);
    for (int i = 0; i < 4; i++)
        make_older(&jobs[i], 3 * HOUR, true);
    const StoreKeep keep = {.done_ms = HOUR};
    ck_assert_uint_eq(retire(keep, gone), 2);
    ck_assert_uint_eq(retire(keep, gone), 2);
    ck_assert_uint_eq(retire(keep, gone), 0);
}
END_TEST

START_TEST(a_result_stays_while_another_job_owns_it)
{
    const double rows[] = {0, 7, 1, 8};
    RetiredJob gone[RETIRE_MAX];
    JobDraft draft = draft_of("{}");
    JobRecord first, second;
    ResultBlock block;
    bool replayed;
    draft.reuse_key = "key";
    draft.program = "program";
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &first, &replayed, err));
    const JobLease lease = claim_job(&f);
    const JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true, .program = "program"};
    ck_ok(store_result_begin(f.store, first.id, lease.token, "[]", NULL, err));
    ck_ok(store_result_append(f.store, first.id, lease.token, -1, rows, 2, 2, err));
    ck_ok(store_job_finish(f.store, first.id, lease.token, &finish, err));
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &second, &replayed, err));
    ck_assert_int_eq(second.state, JOB_SUCCEEDED);
    make_older(&first, 3 * HOUR, true);
    ck_assert_uint_eq(retire((StoreKeep){.done_ms = HOUR}, gone), 1);
    expect_gone(&gone[0], &first, RETIRE_DONE);
    ck_ok(store_result_block(default_tenant(f.store), second.id, -1, 0, f.arena, &block, err));
    ck_assert_uint_eq(block.n_rows, 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_double_eq(block.rows[i], rows[i]);
}
END_TEST

/* SQLite's own count of its work for statements of the readers. */
static int work_of_readers(void)
{
    int work = 0;
    for (size_t i = 0; i < READERS; i++) {
        const Connection *reader = &f.store->readers.connections[i];
        for (size_t k = 0; k < reader->n_statements; k++)
            work += sqlite3_stmt_status(reader->statements[k], SQLITE_STMTSTATUS_VM_STEP, 1);
    }
    return work;
}

START_TEST(kept_jobs_cost_no_work)
{
    const StoreKeep keep = {.done_ms = HOUR, .failed_ms = HOUR, .bytes = UINT64_C(1) << 40};
    RetiredJob gone[RETIRE_MAX];
    int work[2];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 20 + 280 * round; i++)
            add_ended(i % 2 ? JOB_SUCCEEDED : JOB_FAILED, 0);
        work_of_readers();
        ck_assert_uint_eq(retire(keep, gone), 0);
        work[round] = work_of_readers();
    }
    printf("retention: %d and %d steps\n", work[0], work[1]);
    ck_assert_int_gt(work[0], 0);
    ck_assert_int_le(work[1], work[0] + 20);
}
END_TEST

/* Killed at any step: a job is there with its rows, or it is told as deleted. */

enum { KILLED_JOBS = 230, KILLS = 18, MANY_KILLS = 300 };
static JobRecord of_killed[KILLED_JOBS];
static char database[100], kept[100]; /* a file, and a copy of what it was at first */

static int retire_all(void *argument)
{
    const StoreKeep keep = {.done_ms = HOUR};
    RetiredJob gone[RETIRE_MAX];
    Store *store;
    (void)argument;
    if (store_open(&f.options, &store, NULL) != OK)
        return 2;
    for (size_t n = 1; n > 0;)
        if (store_jobs_retire(store, &keep, gone, &n, NULL) != OK)
            return 3;
    store_close(store);
    return 0;
}

static void copy_file(const char *from, const char *to)
{
    static char bytes[MIB];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    ck_assert(in && out);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
        ck_assert_uint_eq(fwrite(bytes, 1, n, out), n);
    fclose(in);
    ck_assert_int_eq(fclose(out), 0);
}

static void fill_store(void)
{
    fixture_init(&f);
    for (int i = 0; i < KILLED_JOBS; i++)
        of_killed[i] = add_ended(JOB_SUCCEEDED, i % 20 == 0);
    for (int i = 0; i < KILLED_JOBS - 5; i++)
        make_older(&of_killed[i], 3 * HOUR, true);
    store_close(f.store);
    f.store = NULL;
    snprintf(database, sizeof database, "%s/dalembert.db", f.directory);
    snprintf(kept, sizeof kept, "%s/kept", f.directory);
    copy_file(database, kept);
}

static void ignore(void *self, const char *what)
{
    (void)self;
    printf("retention: %s\n", what);
}

/* How many of the old jobs are there. */
static int check_jobs(void)
{
    const ReportSink sink = {NULL, ignore};
    StoreReport report;
    DeletedJob *deleted;
    int64_t forgotten;
    size_t n;
    int there = 0;
    arena_reset(f.arena);
    ck_ok(store_open(&f.options, &f.store, err));
    ck_ok(store_deleted_list(default_tenant(f.store), 0, 1000, f.arena, &deleted, &n, &forgotten,
                             err));
    for (int i = 0; i < KILLED_JOBS; i++) {
        ResultBlock block;
        bool told = false;
        for (size_t k = 0; k < n; k++)
            told = told || strcmp(deleted[k].id, of_killed[i].id) == 0;
        ck_assert_int_eq(is_there(&of_killed[i]), !told);
        there += !told && i < KILLED_JOBS - 5;
        ck_assert(!told || i < KILLED_JOBS - 5);
        if (!told && i % 20 == 0)
            ck_ok(store_result_block(default_tenant(f.store), of_killed[i].id, -1, CHUNK_ROWS - 1,
                                     f.arena, &block, err));
    }
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_uint_eq(report.structure, 0);
    for (int kind = 0; kind < STORED_KINDS; kind++)
        ck_assert_uint_eq(report.kinds[kind].damaged, 0);
    store_close(f.store);
    f.store = NULL;
    return there;
}

START_TEST(a_kill_at_any_step_deletes_all_of_a_job_or_nothing)
{
    const Killing killing = {.body = retire_all, .in_the_middle = true};
    int steps, code, stride = 1, killed = 0, whole = 0;
    const int kills = getenv("POINTS") ? MANY_KILLS : KILLS;
    bool goes_on = true;
    fill_store();
    for (int n = 0; goes_on; n += stride) {
        const bool was_killed = killed_at(&killing, n, &code, &steps);
        if (n == 0)
            stride = (steps + kills - 1) / kills;
        goes_on = n == 0 || was_killed;
        killed += was_killed;
        const int there = check_jobs();
        ck_assert(was_killed || there == 0);
        whole += there == KILLED_JOBS - 5;
        /* a second one ends what the first has begun */
        ck_assert(!killed_at(&killing, 0, &code, &steps));
        ck_assert_int_eq(code, 0);
        ck_assert_int_eq(check_jobs(), 0);
        copy_file(kept, database);
    }
    fixture_done(&f);
    printf("retention: killed at %d steps, %d before the first commit\n", killed, whole);
    ck_assert_int_ge(killed, KILLS / 2);
    ck_assert_int_lt(whole, killed);
}
END_TEST

SUITE(retention)
{
    TCase *tc = suite_case(suite, "retention");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, jobs_go_when_their_time_has_passed);
    tcase_add_test(tc, the_time_counts_from_the_end);
    tcase_add_test(tc, a_deletion_is_told_and_counted_as_any_other);
    tcase_add_test(tc, a_job_whose_notification_is_due_stays);
    tcase_add_test(tc, a_damaged_job_stays);
    tcase_add_test(tc, many_go_in_transactions_of_two_hundred_the_oldest_first);
    tcase_add_test(tc, beyond_a_size_the_oldest_go_whatever_their_state);
    tcase_add_test(tc, a_tenant_has_times_of_its_own);
    tcase_add_test(tc, beyond_the_bytes_of_a_tenant_its_oldest_go);
    tcase_add_test(tc, jobs_are_kept_if_the_row_of_their_tenant_is_damaged);
    tcase_add_test(tc, large_results_go_in_smaller_transactions);
    tcase_add_test(tc, a_result_stays_while_another_job_owns_it);
    tcase_add_test(tc, kept_jobs_cost_no_work);
    tc = suite_case(suite, "kills");
    tcase_add_test(tc, a_kill_at_any_step_deletes_all_of_a_job_or_nothing);
}
