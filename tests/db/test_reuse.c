/* Results that several jobs own, against a model: who has which result, whoever is deleted in
 * whatever order, over restarts and kills; and nothing of a result is left when its last job is
 * gone. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/random.h"
#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
#include "tests/suite.h"

enum { KEYS = 3, JOBS_MAX = 4000, STEPS = 300, CYCLES = 12, HEARD_MAX = 60 };

static Fixture f;

static void setup(void)
{
    fixture_init(&f);
}

static void teardown(void)
{
    fixture_done(&f);
}

static const char *key_name(unsigned key)
{
    static const char *const NAMES[KEYS] = {"key-0", "key-1", "key-2"};
    return NAMES[key];
}

static const char *program_name_of(unsigned which)
{
    static const char *const NAMES[] = {"program a", "program b"};
    return which < 2 ? NAMES[which] : NULL;
}

/* What a run has stored says whose it was. */
static double value_of(const char *id)
{
    return (double)strtoull(id + 24, NULL, 16);
}

static JobRecord add_reusing(Store *store, Arena *arena, unsigned key, unsigned program)
{
    JobRecord job;
    bool replayed;
    JobDraft draft = draft_of("{\"request\": 1}");
    draft.labels = "{\"a\":\"b\"}";
    draft.reuse_key = key_name(key);
    draft.program = program_name_of(program);
    ck_ok(store_job_add(default_tenant(store), &draft, arena, &job, &replayed, err));
    return job;
}

/* The next job of the queue; false: there is none. */
static bool run_next(Store *store, Arena *arena, unsigned program, JobState state, char *ret_id)
{
    JobLease lease;
    if (store_job_claim(store, arena, &lease, NULL) != OK)
        return false;
    const char *id = lease.job.id;
    const double rows[] = {0, value_of(id), 1, value_of(id)};
    ck_ok(store_result_begin(store, id, lease.token, "[\"t\",\"x\"]", "[\"hit\"]", err));
    ck_ok(store_result_append(store, id, lease.token, -1, rows, 2, 2, err));
    ck_ok(store_result_append(store, id, lease.token, 0, rows, 1, 2, err));
    const JobFinish finish = {.state = state,
                              .complete = state == JOB_SUCCEEDED,
                              .reason = state == JOB_FAILED ? "numeric" : NULL,
                              .diagnostics = id,
                              .warnings = "[\"w\"]",
                              .result_hash = id,
                              .digest = "{}",
                              .program = state == JOB_SUCCEEDED ? program_name_of(program) : NULL};
    ck_ok(store_job_finish(store, id, lease.token, &finish, err));
    strcpy(ret_id, id);
    return true;
}

/* Everything of its result is there. */
static void check_result(const JobRecord *job)
{
    const char *run = job->reused.job ? job->reused.job : job->id, *text;
    ResultBlock block;
    ck_assert_int_eq(job->state, JOB_SUCCEEDED);
    ck_assert(job->complete && job->rows == 2 && job->finished_ms > 0);
    ck_assert((job->attempt == 0) == (job->reused.job != NULL));
    ck_assert_str_eq(job->columns, "[\"t\",\"x\"]");
    ck_assert_str_eq(job->warnings, "[\"w\"]");
    ck_assert_str_eq(job->result_hash, run);
    for (int table = -1; table < 1; table++) {
        ck_ok(store_result_block(default_tenant(f.store), job->id, table, 0, f.arena, &block, err));
        ck_assert_uint_eq(block.n_rows, table < 0 ? 2 : 1);
        ck_assert(block.rows[1] == value_of(run));
    }
    ck_ok(
        store_job_document(default_tenant(f.store), job->id, JOB_DIAGNOSTICS, f.arena, &text, err));
    ck_assert_str_eq(text, run);
}

static void on_damage(void *self, const char *what)
{
    (void)self;
    ck_abort_msg("%s", what);
}

/* Sound; and no row of a result, or of evidence, is there for nobody. */
static void check_rows(void)
{
    static const char *const TABLES[] = {"results", "evidence", "blocks"};
    const ReportSink sink = {NULL, on_damage};
    StoreReport report;
    Connection connection;
    char text[200];
    ck_ok(store_verify(f.directory, &sink, &report, err));
    snprintf(text, sizeof text, "%s/dalembert.db", f.directory);
    ck_ok(connection_open(&connection, text, false, err));
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        int64_t left = -1;
        snprintf(
            text, sizeof text,
            "SELECT count(*) FROM %s WHERE job NOT IN (SELECT coalesce(result, seq) FROM jobs)",
            TABLES[i]);
        ck_ok(connection_int(&connection, text, &left, err));
        ck_assert_msg(left == 0, "%s: %d rows of nobody", TABLES[i], (int)left);
    }
    connection_close(&connection);
}

/* A job as the model knows it. */
typedef struct Known {
    char id[JOB_ID_MAX], run[JOB_ID_MAX]; /* whose result it has; "": none yet, or a failure */
    unsigned key, program;
    bool gone;
} Known;

typedef struct History {
    Random random;
    Known jobs[JOBS_MAX];
    size_t n;
} History;

static unsigned below(History *history, unsigned n)
{
    return (unsigned)(random_bits(&history->random) % n);
}

static Known *find(History *history, const char *id)
{
    for (size_t k = 0; k < history->n; k++)
        if (strcmp(history->jobs[k].id, id) == 0)
            return &history->jobs[k];
    ck_abort_msg("nobody knows job %s", id);
    return NULL;
}

/* The youngest that is there with the same. */
static const Known *owner_of(const History *history, unsigned key, unsigned program)
{
    for (size_t k = history->n; k-- > 0;) {
        const Known *job = &history->jobs[k];
        if (!job->gone && *job->run && job->key == key && job->program == program)
            return job;
    }
    return NULL;
}

static void history_add(History *history)
{
    const unsigned key = below(history, KEYS), program = below(history, 3);
    const Known *owner = program < 2 ? owner_of(history, key, program) : NULL;
    const JobRecord job = add_reusing(f.store, f.arena, key, program);
    Known *known = &history->jobs[history->n++];
    *known = (Known){.key = key, .program = owner ? program : 2};
    strcpy(known->id, job.id);
    if (owner) {
        ck_assert_str_eq(job.reused.job, owner->run);
        strcpy(known->run, owner->run);
        check_result(&job);
    } else {
        ck_assert(!job.reused.job && job.state == JOB_QUEUED);
    }
}

static void history_run(History *history)
{
    char id[JOB_ID_MAX];
    const unsigned program = below(history, 3);
    const JobState state = below(history, 4) ? JOB_SUCCEEDED : JOB_FAILED;
    if (!run_next(f.store, f.arena, program, state, id))
        return;
    Known *known = find(history, id);
    known->program = program;
    if (state == JOB_SUCCEEDED)
        strcpy(known->run, id);
}

static void history_delete(History *history)
{
    const size_t k = below(history, (unsigned)history->n);
    Known *known = &history->jobs[k];
    if (known->gone || get_job(&f, known->id).state == JOB_QUEUED)
        return;
    ck_ok(store_job_delete(default_tenant(f.store), known->id, err));
    known->gone = true;
}

static void history_check(const History *history)
{
    for (size_t k = 0; k < history->n; k++) {
        const Known *known = &history->jobs[k];
        if (known->gone) {
            ck_fails(
                store_job_get(default_tenant(f.store), known->id, f.arena, &(JobRecord){0}, err),
                ERR_NOT_FOUND);
        } else if (*known->run) {
            const JobRecord job = get_job(&f, known->id);
            ck_assert_str_eq(job.reused.job ? job.reused.job : job.id, known->run);
            check_result(&job);
        }
    }
    check_rows();
}

START_TEST(whoever_is_deleted_the_others_keep_their_results)
{
    static History history;
    const uint64_t seed = (uint64_t)_i + 1;
    printf("reuse: seed %llu\n", (unsigned long long)seed);
    history = (History){0};
    random_init(&history.random, seed);
    for (int step = 0; step < STEPS; step++) {
        const unsigned what = below(&history, 100);
        if (history.n == 0 || what < 40)
            history_add(&history);
        else if (what < 70)
            history_run(&history);
        else if (what < 97)
            history_delete(&history);
        else
            fixture_reopen(&f);
        if (step % 25 == 24)
            history_check(&history);
        arena_reset(f.arena);
    }
    fixture_reopen(&f);
    history_check(&history);
    /* the last of each takes it along */
    for (size_t k = 0; k < history.n; k++)
        if (!history.jobs[k].gone && get_job(&f, history.jobs[k].id).state != JOB_QUEUED)
            ck_ok(store_job_delete(default_tenant(f.store), history.jobs[k].id, err));
    check_rows();
}
END_TEST

/* What the child says: 'a' added (and whose result it has), 'f' finished, 'b' and 'd' before and
 * after a deletion. */
typedef struct Said {
    char what, id[JOB_ID_MAX];
} Said;

static void say(int to, char what, const char *id)
{
    Said said = {.what = what};
    strcpy(said.id, id);
    if (write(to, &said, sizeof said) != sizeof said)
        _exit(1);
}

static void child_main(int to, uint64_t seed)
{
    static char done[JOBS_MAX][JOB_ID_MAX];
    size_t n = 0;
    Random random;
    Arena *arena = arena_new((size_t)1 << 30);
    ck_ok(store_open(&f.options, &f.store, err));
    random_init(&random, seed);
    while (n < JOBS_MAX) {
        const uint64_t what = random_bits(&random) % 100;
        char id[JOB_ID_MAX];
        arena_reset(arena);
        if (what < 45) {
            const JobRecord job = add_reusing(f.store, arena, (unsigned)(what % KEYS), 0);
            say(to, 'a', job.id);
            if (job.reused.job)
                strcpy(done[n++], job.id);
        } else if (what < 65 || n == 0) {
            if (run_next(f.store, arena, 0, JOB_SUCCEEDED, id)) {
                say(to, 'f', id);
                strcpy(done[n++], id);
            }
        } else {
            const size_t k = what % n--;
            strcpy(id, done[k]);
            memmove(done[k], done[n], sizeof done[k]);
            say(to, 'b', id);
            ck_ok(store_job_delete(default_tenant(f.store), id, err));
            say(to, 'd', id);
        }
    }
}

/* Runs a child until it has said so much, and reads what it said before it died. */
static size_t hear_child(uint64_t seed, size_t most, Said *ret_said)
{
    int ends[2];
    size_t n = 0;
    ck_assert_int_eq(pipe(ends), 0);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        child_main(ends[1], seed);
        _exit(0);
    }
    close(ends[1]);
    for (Said said; read(ends[0], &said, sizeof said) == sizeof said; n++) {
        if (n + 1 == most)
            kill(child, SIGKILL);
        ck_assert_uint_lt(n, JOBS_MAX);
        ret_said[n] = said;
    }
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    return n;
}

static bool was_said(const Said *said, size_t n, char what, const char *id)
{
    for (size_t k = 0; k < n; k++)
        if (said[k].what == what && strcmp(said[k].id, id) == 0)
            return true;
    return false;
}

START_TEST(kill_9_takes_no_result_from_anyone)
{
    static Said said[JOBS_MAX];
    uint64_t seed = 15;
    store_close(f.store);
    f.store = NULL;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        const size_t n =
            hear_child(seed + (uint64_t)cycle, 5 + (size_t)(7 * cycle) % HEARD_MAX, said);
        ck_ok(store_open(&f.options, &f.store, err));
        for (size_t k = 0; k < n; k++) {
            const char *id = said[k].id;
            JobRecord job;
            const bool deleted = was_said(said, n, 'd', id), maybe = was_said(said, n, 'b', id);
            const Status status = store_job_get(default_tenant(f.store), id, f.arena, &job, NULL);
            ck_assert_int_eq(status, deleted || (maybe && status != OK) ? ERR_NOT_FOUND : OK);
            if (status == OK && job.state == JOB_SUCCEEDED)
                check_result(&job);
            else if (status == OK)
                ck_assert(!was_said(said, n, 'f', id));
        }
        check_rows();
        store_close(f.store);
        f.store = NULL;
        arena_reset(f.arena);
    }
    ck_ok(store_open(&f.options, &f.store, err));
}
END_TEST

/* A result that is damaged is not handed on: the job is run. */
START_TEST(what_is_damaged_is_run_again)
{
    char id[JOB_ID_MAX], path[100];
    Connection connection;
    (void)add_reusing(f.store, f.arena, 0, 0);
    ck_assert(run_next(f.store, f.arena, 0, JOB_SUCCEEDED, id));
    ck_assert_int_eq(add_reusing(f.store, f.arena, 0, 0).state, JOB_SUCCEEDED);
    store_close(f.store);
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_ok(connection_open(&connection, path, true, err));
    ck_ok(connection_script(
        &connection, _i ? "DELETE FROM evidence" : "UPDATE results SET columns = '[\"t\",\"y\"]'",
        err));
    connection_close(&connection);
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_int_eq(add_reusing(f.store, f.arena, 0, 0).state, JOB_QUEUED);
}
END_TEST

SUITE(reuse)
{
    TCase *tc = suite_case(suite, "reuse");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, whoever_is_deleted_the_others_keep_their_results, 0, 4);
    tcase_add_test(tc, kill_9_takes_no_result_from_anyone);
    tcase_add_loop_test(tc, what_is_damaged_is_run_again, 0, 2);
}
