/* The writer: commits that are shared, failures of one, readers beside it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/sqlite/sqlite_store.h"
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

/* ---- a gate: the writer stands in the middle of a transaction until it opens ---- */

typedef struct Gate {
    WriteOp op;
    pthread_t thread;
    atomic_bool entered, open;
} Gate;

static Status gate_run(Store *store, WriteOp *op, Error *err)
{
    Gate *gate = (Gate *)op;
    (void)store;
    (void)err;
    atomic_store(&gate->entered, true);
    WAIT_UNTIL(atomic_load(&gate->open));
    return OK;
}

static void *gate_main(void *argument)
{
    Gate *gate = argument;
    ck_ok(writer_do(f.store, &gate->op, err));
    return NULL;
}

static void gate_close(Gate *gate)
{
    memset(gate, 0, sizeof *gate);
    gate->op.run = gate_run;
    ck_assert_int_eq(pthread_create(&gate->thread, NULL, gate_main, gate), 0);
    WAIT_UNTIL(atomic_load(&gate->entered));
}

static void gate_open(Gate *gate)
{
    atomic_store(&gate->open, true);
    pthread_join(gate->thread, NULL);
}

/* A member of the store that its mutex guards. */
static size_t guarded(const size_t *member)
{
    pthread_mutex_lock(&f.store->mutex);
    const size_t value = *member;
    pthread_mutex_unlock(&f.store->mutex);
    return value;
}

static void wait_for_awaited(size_t n)
{
    WAIT_UNTIL(guarded(&f.store->n_awaited) == n);
}

/* ---- commits ---- */

START_TEST(a_short_job_costs_two_commits)
{
    const double rows[] = {0, 1, 0.5, 2};
    const uint64_t before = store_commits(f.store);
    add_job(&f, "{}");
    JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, lease.job.id, lease.token, "[]", NULL, err));
    ck_ok(store_result_append(f.store, lease.job.id, lease.token, -1, rows, 2, 2, err));
    finish_job(&f, &lease, JOB_SUCCEEDED);
    ck_assert_uint_eq(store_commits(f.store), before + 2);
    ck_assert_uint_eq(get_job(&f, lease.job.id).rows, 2);
}
END_TEST

START_TEST(each_commit_that_changes_something_is_timed)
{
    const Histogram *times = store_commit_times(f.store);
    Gate gate;
    add_job(&f, "{}");
    const uint64_t before = histogram_count(times);
    ck_assert_uint_gt(before, 0);
    gate_close(&gate); /* its group changes nothing */
    gate_open(&gate);
    ck_assert_uint_eq(histogram_count(times), before);
    add_job(&f, "{}");
    ck_assert_uint_eq(histogram_count(times), before + 1);
}
END_TEST

typedef struct Adder {
    pthread_t thread;
    const char *key, *body;
    Status status;
    JobRecord job;
    bool replayed;
    Arena *arena;
} Adder;

static void *add_one(void *argument)
{
    Adder *adder = argument;
    JobDraft draft = draft_of(adder->body);
    draft.idempotency_key = adder->key;
    adder->status = store_job_add(default_tenant(f.store), &draft, adder->arena, &adder->job,
                                  &adder->replayed, NULL);
    return NULL;
}

static void start_adder(Adder *adder, const char *key, const char *body)
{
    *adder = (Adder){.key = key, .body = body, .arena = arena_new(1 << 20)};
    ck_assert_int_eq(pthread_create(&adder->thread, NULL, add_one, adder), 0);
}

static void join_adder(Adder *adder)
{
    pthread_join(adder->thread, NULL);
    arena_free(adder->arena);
}

START_TEST(what_comes_while_the_disk_is_busy_shares_one_commit)
{
    enum { N = 20 };
    Adder adders[N];
    Gate gate;
    const uint64_t before = store_commits(f.store);
    gate_close(&gate);
    for (int i = 0; i < N; i++)
        start_adder(&adders[i], NULL, "{}");
    wait_for_awaited(N);
    gate_open(&gate);
    for (int i = 0; i < N; i++) {
        join_adder(&adders[i]);
        ck_assert_int_eq(adders[i].status, OK);
    }
    ck_assert_uint_eq(store_commits(f.store), before + 1); /* the gate's group changed nothing */
}
END_TEST

START_TEST(one_failure_in_a_group_is_its_own)
{
    enum { N = 6 };
    static const char *const KEYS[N] = {NULL, "used", "used", "twice", "twice", NULL};
    static const char *const BODIES[N] = {"{}", "other", "first", "same", "same", "{}"};
    Adder adders[N], first;
    Gate gate;
    start_adder(&first, "used", "first");
    join_adder(&first);
    gate_close(&gate);
    for (int i = 0; i < N; i++) {
        start_adder(&adders[i], KEYS[i], BODIES[i]);
        wait_for_awaited((size_t)i + 1); /* in this order */
    }
    gate_open(&gate);
    for (int i = 0; i < N; i++)
        join_adder(&adders[i]);
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(adders[i].status, i == 1 ? ERR_CONFLICT : OK);
    ck_assert(adders[2].replayed && adders[4].replayed && !adders[3].replayed);
    ck_assert_str_eq(adders[2].job.id, first.job.id);
    ck_assert_str_eq(adders[4].job.id, adders[3].job.id);
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.queued, 4);
}
END_TEST

static Status write_then_fail(Store *store, WriteOp *op, Error *err)
{
    (void)op;
    writer_revision(store, TENANT_DEFAULT);
    Status status = connection_exec(
        &store->writer.connection,
        "INSERT INTO models (id, name, created_ms, document) VALUES ('id', 'name', 0, x'00')", err);
    return status == OK ? error_set(err, ERR_CONFLICT, "changed its mind") : status;
}

START_TEST(a_writer_that_hangs_is_seen)
{
    Gate gate;
    add_job(&f, "{}");
    WAIT_UNTIL(store_busy_seconds(f.store) == 0);
    gate_close(&gate);
    const double first = store_busy_seconds(f.store);
    WAIT_UNTIL(store_busy_seconds(f.store) > first);
    gate_open(&gate);
    WAIT_UNTIL(store_busy_seconds(f.store) == 0);
}
END_TEST

START_TEST(a_failed_operation_leaves_no_trace)
{
    WriteOp op = {.run = write_then_fail};
    StoreCounts counts;
    ModelRecord model;
    add_job(&f, "{}");
    const int64_t revision = store_revision(default_tenant(f.store));
    ck_fails(writer_do(f.store, &op, err), ERR_CONFLICT);
    ck_assert_int_eq(store_revision(default_tenant(f.store)), revision);
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.failed, 0);
    ck_fails(store_model_get(default_tenant(f.store), "id", f.arena, &model, err), ERR_NOT_FOUND);
    ck_ok(store_ready(f.store, err));
}
END_TEST

START_TEST(a_claim_reaches_the_disk_by_itself)
{
    JobRecord job = add_job(&f, "{}");
    claim_job(&f);
    WAIT_UNTIL(get_job(&f, job.id).state == JOB_RUNNING);
    ck_assert_uint_eq(get_job(&f, job.id).attempt, 1);
}
END_TEST

START_TEST(closing_writes_what_was_not_waited_for)
{
    const double row = 1;
    JobRecord job = add_job(&f, "{}");
    JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, job.id, lease.token, "[]", NULL, err));
    ck_ok(store_result_append(f.store, job.id, lease.token, -1, &row, 1, 1, err));
    fixture_reopen(&f);
    ck_assert_uint_eq(get_job(&f, job.id).attempt, 1); /* so the claim was there */
}
END_TEST

/* A job that is claimed and finished before its claim is written. */
START_TEST(a_claim_and_an_end_in_one_group_are_right)
{
    Gate gate;
    JobRecord job = add_job(&f, "{}");
    gate_close(&gate);
    JobLease lease = claim_job(&f);
    ck_assert_int_eq(get_job(&f, job.id).state, JOB_QUEUED);
    gate_open(&gate);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    job = get_job(&f, job.id);
    ck_assert_int_eq(job.state, JOB_SUCCEEDED);
    ck_assert_uint_eq(job.attempt, 1);
}
END_TEST

static void *cancel_one(void *argument)
{
    Adder *canceller = argument;
    canceller->status = store_job_cancel(default_tenant(f.store), canceller->key, canceller->arena,
                                         &canceller->job, NULL);
    return NULL;
}

START_TEST(a_cancel_that_overtakes_the_claim_reaches_the_run)
{
    Gate gate;
    Adder canceller = {.arena = arena_new(1 << 20)};
    JobRecord job = add_job(&f, "{}");
    gate_close(&gate);
    canceller.key = job.id;
    ck_assert_int_eq(pthread_create(&canceller.thread, NULL, cancel_one, &canceller), 0);
    wait_for_awaited(1);
    JobLease lease = claim_job(&f); /* written after the cancel */
    gate_open(&gate);
    join_adder(&canceller);
    ck_assert_int_eq(canceller.status, OK);
    ck_assert(store_job_stop_wanted(f.store, job.id, lease.token));
    finish_job(&f, &lease, JOB_CANCELLED);
    job = get_job(&f, job.id);
    ck_assert_int_eq(job.state, JOB_CANCELLED);
    ck_assert(job.cancel_requested);
}
END_TEST

/* Somebody else took the job, as far as the database goes. */
static Status change_token(Store *store, WriteOp *op, Error *err)
{
    (void)op;
    return connection_exec(&store->writer.connection, "UPDATE jobs SET token = token + 1", err);
}

START_TEST(rows_that_cannot_be_stored_keep_the_job_from_succeeding)
{
    const double row = 1;
    const JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true};
    WriteOp theft = {.run = change_token};
    JobRecord job = add_job(&f, "{}");
    JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, job.id, lease.token, "[]", NULL, err));
    ck_ok(writer_do(f.store, &theft, err));
    ck_ok(store_result_append(f.store, job.id, lease.token, -1, &row, 1, 1, err));
    ck_fails(store_job_finish(f.store, job.id, lease.token, &finish, err), ERR_CONFLICT);
    ck_assert(store_job_stop_wanted(f.store, job.id, lease.token));
    ck_fails(store_job_finish(f.store, job.id, lease.token, &finish, err), ERR_CONFLICT);
    ck_fails(store_job_release(f.store, job.id, lease.token, err), ERR_CONFLICT);
    ck_fails(store_result_append(f.store, job.id, lease.token, -1, &row, 1, 1, err), ERR_CONFLICT);
    job = get_job(&f, job.id);
    ck_assert_int_eq(job.state, JOB_RUNNING);
    ck_assert_uint_eq(job.rows, 0);
}
END_TEST

/* ---- many threads ---- */

enum { ADDERS = 8, CLAIMERS = 2, EACH = 150, TOTAL = ADDERS * EACH };

typedef struct Race {
    pthread_mutex_t mutex;
    char added[TOTAL][JOB_ID_MAX], claimed[TOTAL][JOB_ID_MAX];
    int n_added, n_claimed;
} Race;

static Race race = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void note(char (*ids)[JOB_ID_MAX], int *count, const char *id)
{
    pthread_mutex_lock(&race.mutex);
    ck_assert_int_lt(*count, TOTAL);
    strcpy(ids[(*count)++], id);
    pthread_mutex_unlock(&race.mutex);
}

static void *race_add(void *argument)
{
    Arena *arena = arena_new(1 << 20);
    for (int i = 0; i < EACH; i++) {
        JobDraft draft = draft_of("{}");
        JobRecord job;
        bool replayed;
        draft.priority = i % 3;
        ck_ok(store_job_add(default_tenant(f.store), &draft, arena, &job, &replayed, err));
        note(race.added, &race.n_added, job.id);
        arena_reset(arena);
    }
    arena_free(arena);
    return argument;
}

static void *race_claim(void *argument)
{
    const JobFinish finish = {.state = JOB_SUCCEEDED};
    Arena *arena = arena_new(1 << 20);
    for (int done = 0; done < TOTAL;) {
        JobLease lease;
        Status status = store_job_claim(f.store, arena, &lease, NULL);
        if (status == OK) {
            note(race.claimed, &race.n_claimed, lease.job.id);
            ck_ok(store_job_finish(f.store, lease.job.id, lease.token, &finish, err));
        } else {
            ck_assert_int_eq(status, ERR_NOT_FOUND);
            pause_ms(1);
        }
        arena_reset(arena);
        pthread_mutex_lock(&race.mutex);
        done = race.n_claimed;
        pthread_mutex_unlock(&race.mutex);
    }
    arena_free(arena);
    return argument;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

START_TEST(eight_add_two_claim_none_is_lost_or_doubled)
{
    pthread_t threads[ADDERS + CLAIMERS];
    const uint64_t before = store_commits(f.store);
    for (int i = 0; i < ADDERS + CLAIMERS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, i < ADDERS ? race_add : race_claim, NULL), 0);
    for (int i = 0; i < ADDERS + CLAIMERS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(race.n_added, TOTAL);
    ck_assert_int_eq(race.n_claimed, TOTAL);
    qsort(race.added, TOTAL, JOB_ID_MAX, by_text);
    qsort(race.claimed, TOTAL, JOB_ID_MAX, by_text);
    for (int i = 0; i < TOTAL; i++) {
        ck_assert_str_eq(race.added[i], race.claimed[i]);
        if (i)
            ck_assert_str_ne(race.added[i], race.added[i - 1]);
    }
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.succeeded, TOTAL);
    ck_assert_uint_eq(counts.queued + counts.running, 0);
    ck_assert_uint_lt(store_commits(f.store) - before, 2 * TOTAL);
    printf("writer: %d jobs in %d commits\n", TOTAL, (int)(store_commits(f.store) - before));
}
END_TEST

/* ---- back-pressure ---- */

enum { CHUNK_ROWS = 4096, CHUNK_COLUMNS = 16, CHUNKS = 128 }; /* 512 KiB each, 64 MiB */
enum { CHUNK_BYTES = CHUNK_ROWS * CHUNK_COLUMNS * sizeof(double) };

typedef struct Producer {
    JobLease lease;
    atomic_int chunks;
} Producer;

static void *produce(void *argument)
{
    Producer *producer = argument;
    double *rows = calloc((size_t)CHUNK_ROWS * CHUNK_COLUMNS, sizeof *rows);
    for (int i = 0; i < CHUNKS; i++) {
        for (int k = 0; k < CHUNK_ROWS; k++)
            rows[k * CHUNK_COLUMNS] = i * CHUNK_ROWS + k;
        ck_ok(store_result_append(f.store, producer->lease.job.id, producer->lease.token, -1, rows,
                                  CHUNK_ROWS, CHUNK_COLUMNS, err));
        atomic_fetch_add(&producer->chunks, 1);
    }
    free(rows);
    return NULL;
}

START_TEST(a_fast_producer_waits_for_the_disk)
{
    Gate gate;
    pthread_t thread;
    add_job(&f, "{}");
    Producer producer = {.lease = claim_job(&f)};
    const char *id = producer.lease.job.id;
    ck_ok(store_result_begin(f.store, id, producer.lease.token, "[]", NULL, err));
    gate_close(&gate);
    ck_assert_int_eq(pthread_create(&thread, NULL, produce, &producer), 0);
    WAIT_UNTIL(guarded(&f.store->relaxed_bytes) + CHUNK_BYTES > RELAXED_MAX_BYTES);
    ck_assert_uint_le(guarded(&f.store->relaxed_bytes), RELAXED_MAX_BYTES);
    ck_assert_int_le(atomic_load(&producer.chunks), RELAXED_MAX_BYTES / CHUNK_BYTES);
    gate_open(&gate);
    pthread_join(thread, NULL);
    finish_job(&f, &producer.lease, JOB_SUCCEEDED);

    uint64_t row = 0;
    while (row < (uint64_t)CHUNKS * CHUNK_ROWS) {
        ResultBlock block;
        arena_reset(f.arena);
        ck_ok(store_result_block(default_tenant(f.store), id, -1, row, f.arena, &block, err));
        for (uint64_t i = 0; i < block.n_rows; i++)
            ck_assert_double_eq(block.rows[i * CHUNK_COLUMNS], (double)(row + i));
        row += block.n_rows;
    }
}
END_TEST

START_TEST(the_log_does_not_grow_with_the_result)
{
    char path[100];
    struct stat info;
    add_job(&f, "{}");
    Producer producer = {.lease = claim_job(&f)};
    ck_ok(
        store_result_begin(f.store, producer.lease.job.id, producer.lease.token, "[]", NULL, err));
    produce(&producer);
    finish_job(&f, &producer.lease, JOB_SUCCEEDED);
    snprintf(path, sizeof path, "%s/dalembert.db-wal", f.directory);
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_lt(info.st_size, 40 << 20);
}
END_TEST

/* ---- readers ---- */

START_TEST(a_reader_does_not_wait_for_the_writer)
{
    Gate gate;
    JobRecord job = add_job(&f, "{}");
    gate_close(&gate);
    ck_assert_str_eq(get_job(&f, job.id).id, job.id);
    ck_assert_int_eq(store_revision(default_tenant(f.store)), job.revision);
    gate_open(&gate);
}
END_TEST

START_TEST(the_writer_does_not_wait_for_a_reader)
{
    for (int i = 0; i < 3; i++)
        add_job(&f, "{}");
    Connection *reader = reader_take(f.store);
    Query query = query_new(reader, "SELECT id FROM jobs");
    ck_assert(query_next(&query)); /* a read transaction is open */
    for (int i = 0; i < 50; i++)
        add_job(&f, "{}");
    int more = 0;
    while (query_next(&query))
        more++;
    ck_assert_int_eq(more, 2); /* it sees what was there when it began */
    ck_ok(query_end(&query, err));
    reader_give(f.store, reader);
}
END_TEST

/* SQLite's file system, which counts how often a connection waits: the busy handler does that for
 * another connection, and nothing else. */
static sqlite3_vfs waiting_vfs, *plain_vfs;
static atomic_int waits;

static int count_wait(sqlite3_vfs *vfs, int microseconds)
{
    (void)vfs;
    atomic_fetch_add(&waits, 1);
    return plain_vfs->xSleep(plain_vfs, microseconds);
}

/* A store whose connections use it. */
static void reopen_counting_waits(void)
{
    plain_vfs = sqlite3_vfs_find(NULL);
    waiting_vfs = *plain_vfs;
    waiting_vfs.zName = "waiting";
    waiting_vfs.xSleep = count_wait;
    sqlite3_vfs_register(&waiting_vfs, 1);
    fixture_reopen(&f);
    sqlite3_vfs_register(plain_vfs, 1);
    atomic_store(&waits, 0);
}

/* A reader with an open snapshot, which keeps the log from starting anew. */
static Query open_snapshot(Connection *reader)
{
    Query query = query_new(reader, "SELECT id FROM jobs");
    ck_assert(query_next(&query));
    return query;
}

START_TEST(a_checkpoint_of_a_long_log_waits_for_no_reader)
{
    const off_t long_log = (off_t)32000 * 4096; /* from here on the log is told to start anew */
    char path[100];
    struct stat info;
    reopen_counting_waits();
    add_job(&f, "{}");
    Connection *reader = reader_take(f.store);
    Query query = open_snapshot(reader);
    Producer producer = {.lease = claim_job(&f)};
    ck_ok(
        store_result_begin(f.store, producer.lease.job.id, producer.lease.token, "[]", NULL, err));
    for (int i = 0; i < 3; i++)
        produce(&producer);
    finish_job(&f, &producer.lease, JOB_SUCCEEDED);
    snprintf(path, sizeof path, "%s/dalembert.db-wal", f.directory);
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_gt(info.st_size, long_log + 16 * (1 << 20));
    ck_assert_int_eq(atomic_load(&waits), 0);
    ck_ok(query_end(&query, err));
    reader_give(f.store, reader);
    ck_assert_int_eq(get_job(&f, producer.lease.job.id).state, JOB_SUCCEEDED);
}
END_TEST

/* On a full disk the log is cut after every commit; the second commit is behind the first cut. */
START_TEST(a_cut_of_the_log_waits_for_no_reader)
{
    const JobRecord jobs[] = {add_job(&f, "{}"), add_job(&f, "{}")};
    JobRecord job;
    f.options.disk_reserve = UINT64_MAX / 4;
    reopen_counting_waits();
    Connection *reader = reader_take(f.store);
    Query query = open_snapshot(reader);
    for (int i = 0; i < 2; i++)
        ck_ok(store_job_cancel(default_tenant(f.store), jobs[i].id, f.arena, &job, err));
    ck_assert_int_eq(atomic_load(&waits), 0);
    ck_ok(query_end(&query, err));
    reader_give(f.store, reader);
}
END_TEST

START_TEST(readers_cannot_write)
{
    Connection *reader = reader_take(f.store);
    ck_fails(connection_exec(reader, "DELETE FROM jobs", err), ERR_IO);
    reader_give(f.store, reader);
}
END_TEST

START_TEST(more_readers_than_connections_take_turns)
{
    pthread_t threads[3 * READERS];
    Adder readers[3 * READERS];
    JobRecord job = add_job(&f, "{}");
    for (int i = 0; i < 3 * READERS; i++) {
        readers[i] = (Adder){.key = job.id, .arena = arena_new(1 << 20)};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, cancel_one, &readers[i]), 0);
    }
    int cancelled = 0;
    for (int i = 0; i < 3 * READERS; i++) {
        pthread_join(threads[i], NULL);
        cancelled += readers[i].status == OK;
        ck_assert(readers[i].status == OK || readers[i].status == ERR_CONFLICT);
        arena_free(readers[i].arena);
    }
    ck_assert_int_eq(cancelled, 1);
}
END_TEST

SUITE(writer)
{
    TCase *tc = suite_case(suite, "writer");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_short_job_costs_two_commits);
    tcase_add_test(tc, each_commit_that_changes_something_is_timed);
    tcase_add_test(tc, what_comes_while_the_disk_is_busy_shares_one_commit);
    tcase_add_test(tc, one_failure_in_a_group_is_its_own);
    tcase_add_test(tc, a_writer_that_hangs_is_seen);
    tcase_add_test(tc, a_failed_operation_leaves_no_trace);
    tcase_add_test(tc, a_claim_reaches_the_disk_by_itself);
    tcase_add_test(tc, closing_writes_what_was_not_waited_for);
    tcase_add_test(tc, a_claim_and_an_end_in_one_group_are_right);
    tcase_add_test(tc, a_cancel_that_overtakes_the_claim_reaches_the_run);
    tcase_add_test(tc, rows_that_cannot_be_stored_keep_the_job_from_succeeding);
    tcase_add_test(tc, eight_add_two_claim_none_is_lost_or_doubled);
    tcase_add_test(tc, a_fast_producer_waits_for_the_disk);
    tcase_add_test(tc, the_log_does_not_grow_with_the_result);
    tcase_add_test(tc, a_reader_does_not_wait_for_the_writer);
    tcase_add_test(tc, the_writer_does_not_wait_for_a_reader);
    tcase_add_test(tc, a_checkpoint_of_a_long_log_waits_for_no_reader);
    tcase_add_test(tc, a_cut_of_the_log_waits_for_no_reader);
    tcase_add_test(tc, readers_cannot_write);
    tcase_add_test(tc, more_readers_than_connections_take_turns);
}
