/* kill -9 at random moments: what was acknowledged is there, once and whole. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/random.h"
#include "tests/db/fixture.h"
#include "tests/deadline.h"
#include "tests/suite.h"

enum { CYCLES = 60, JOBS_MAX = 200000, COLUMNS = 3 };

static Fixture f;

/* What the child says, in one write each: a pipe keeps it whole. */
typedef struct Said {
    char what; /* 'o' open, 'a' added, 'f' finished, 'u' a unit finished */
    char id[JOB_ID_MAX];
} Said;

static int said_to;

static void say(char what, const char *id)
{
    Said said = {.what = what};
    strcpy(said.id, id);
    if (write(said_to, &said, sizeof said) != sizeof said)
        _exit(1);
}

/* As many rows as the id says, so that whoever looks at the result knows. */
static uint64_t rows_of(const char *id)
{
    return 1 + (uint64_t)strtoul(id + 24, NULL, 16) % 300;
}

static double value_of(const char *id, uint64_t row, size_t column)
{
    return column ? (double)id[30 + column] + (double)row : (double)row;
}

static void *child_add(void *argument)
{
    Store *store = argument;
    Arena *arena = arena_new(1 << 20);
    for (unsigned i = 0;; i++) {
        JobDraft draft = draft_of("{\"request\": 1}");
        JobRecord job;
        bool replayed;
        draft.labels = "{\"a\":\"b\"}";
        draft.priority = (int)(i % 2);
        if (store_job_add(default_tenant(store), &draft, arena, &job, &replayed, NULL) != OK)
            _exit(2);
        say('a', job.id);
        arena_reset(arena);
    }
    return NULL;
}

static void run_job(Store *store, const JobLease *lease)
{
    const char *id = lease->job.id;
    const uint64_t rows = rows_of(id);
    Status status = store_result_begin(store, id, lease->token, "[]", NULL, NULL);
    for (uint64_t i = 0; i < rows && status == OK; i++) {
        double row[COLUMNS];
        for (size_t k = 0; k < COLUMNS; k++)
            row[k] = value_of(id, i, k);
        status = store_result_append(store, id, lease->token, -1, row, 1, COLUMNS, NULL);
    }
    const JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true, .diagnostics = "{}"};
    if (status == OK)
        status = store_job_finish(store, id, lease->token, &finish, NULL);
    if (status != OK)
        _exit(3);
    say('f', id);
}

static void *child_run(void *argument)
{
    Store *store = argument;
    Arena *arena = arena_new(1 << 20);
    for (;;) {
        JobLease lease;
        Status status = store_job_claim(store, arena, &lease, NULL);
        if (status == OK)
            run_job(store, &lease);
        else if (status != ERR_NOT_FOUND)
            _exit(4);
        arena_reset(arena);
    }
    return NULL;
}

static void child_main(int to)
{
    Store *store;
    pthread_t thread;
    said_to = to;
    if (store_open(&f.options, &store, NULL) != OK)
        _exit(5);
    say('o', "");
    for (int i = 0; i < 3; i++)
        if (pthread_create(&thread, NULL, i < 2 ? child_add : child_run, store) != 0)
            _exit(6);
    child_run(store);
}

typedef struct Acknowledged {
    char (*added)[JOB_ID_MAX], (*finished)[JOB_ID_MAX];
    int n_added, n_finished;
} Acknowledged;

static void hear(Acknowledged *ack, const Said *said)
{
    if (said->what == 'a')
        strcpy(ack->added[ack->n_added++], said->id);
    else if (said->what == 'f')
        strcpy(ack->finished[ack->n_finished++], said->id);
    ck_assert_int_lt(ack->n_added, JOBS_MAX);
    ck_assert_int_lt(ack->n_finished, JOBS_MAX);
}

/* Lets the child say some things and go on for a moment; in some cycles it is not even open. */
static void live_and_die(Random *random, Acknowledged *ack)
{
    int ends[2];
    Said said;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        close(ends[0]);
        child_main(ends[1]);
    }
    close(ends[1]);
    for (uint64_t left = random_bits(random) % 5 ? 1 + random_bits(random) % 100 : 0; left;
         left--) {
        ck_assert_int_eq(read(ends[0], &said, sizeof said), sizeof said);
        hear(ack, &said);
    }
    /* the pipe holds 64 KiB: the child may wait for us, its writes stay whole */
    pause_ms((long)(random_bits(random) % 40));
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status), "the child ended by itself: %d", status);
    while (read(ends[0], &said, sizeof said) == sizeof said)
        hear(ack, &said);
    close(ends[0]);
}

static void check_whole(const JobRecord *job)
{
    ck_assert(job->complete);
    ck_assert_uint_eq(job->rows, rows_of(job->id));
    for (uint64_t row = 0; row < job->rows;) {
        ResultBlock block;
        ck_ok(store_result_block(default_tenant(f.store), job->id, -1, row, f.arena, &block, err));
        ck_assert_uint_eq(block.n_columns, COLUMNS);
        for (uint64_t i = 0; i < block.n_rows; i++)
            for (size_t k = 0; k < COLUMNS; k++)
                ck_assert_double_eq(block.rows[i * COLUMNS + k], value_of(job->id, row + i, k));
        row += block.n_rows;
    }
}

/* Every job the store has: done and whole, or queued without a trace of a result. */
static int check_all(void)
{
    bool more;
    JobFilter filter = {.since = -1, .limit = 1000};
    char before[JOB_ID_MAX];
    int total = 0;
    for (size_t n = 1000; n == 1000;) {
        JobRecord *jobs;
        arena_reset(f.arena);
        ck_ok(store_job_list(default_tenant(f.store), &filter, f.arena, &jobs, &n, &more, err));
        for (size_t i = 0; i < n; i++) {
            if (total + (int)i)
                ck_assert_str_lt(jobs[i].id, before); /* newest first, each once */
            strcpy(before, jobs[i].id);
            if (jobs[i].state == JOB_SUCCEEDED) {
                check_whole(&jobs[i]);
            } else {
                ck_assert_int_eq(jobs[i].state, JOB_QUEUED);
                ck_assert_uint_eq(jobs[i].rows, 0);
            }
        }
        total += (int)n;
        filter.before = before;
    }
    return total;
}

START_TEST(kill_9_loses_and_doubles_nothing)
{
    const char *given = getenv("SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 0;
    if (!given)
        ck_assert_int_eq(getrandom(&seed, sizeof seed, 0), sizeof seed);
    printf("crash: SEED=%llu\n", (unsigned long long)seed);
    Random random;
    random_init(&random, seed);
    fixture_init(&f);
    store_close(f.store);
    f.store = NULL;
    f.options.max_attempts = 1000000;
    Acknowledged ack = {.added = calloc(JOBS_MAX, JOB_ID_MAX),
                        .finished = calloc(JOBS_MAX, JOB_ID_MAX)};
    int checked_added = 0, checked_finished = 0, total = 0;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        live_and_die(&random, &ack);
        if (cycle % 4 != 3 && cycle != CYCLES - 1)
            continue; /* the next child opens what this one left */
        ck_ok(store_open(&f.options, &f.store, err));
        for (; checked_added < ack.n_added; checked_added++) {
            get_job(&f, ack.added[checked_added]);
            arena_reset(f.arena);
        }
        for (; checked_finished < ack.n_finished; checked_finished++) {
            JobRecord job = get_job(&f, ack.finished[checked_finished]);
            ck_assert_int_eq(job.state, JOB_SUCCEEDED);
            check_whole(&job);
            arena_reset(f.arena);
        }
        if (cycle == CYCLES - 1)
            total = check_all();
        store_close(f.store);
        f.store = NULL;
    }
    printf("crash: %d cycles, %d added, %d finished, %d in the store\n", CYCLES, ack.n_added,
           ack.n_finished, total);
    ck_assert_int_ge(total, ack.n_added);
    ck_assert_int_gt(ack.n_finished, 0);
    free(ack.added);
    free(ack.finished);
    fixture_done(&f);
}
END_TEST

enum { ENSEMBLE_CYCLES = 20, ENSEMBLE_MEMBERS = 30000, HITS = 2 };

static double value_of_member(uint64_t member, size_t column)
{
    return column ? (double)(member % 1000) + (double)column : (double)member;
}

static Status run_unit(Store *store, const char *id, const UnitLease *unit)
{
    Status status = OK;
    for (uint64_t member = unit->first; member < unit->first + unit->n && status == OK; member++) {
        double row[COLUMNS];
        for (size_t k = 0; k < COLUMNS; k++)
            row[k] = value_of_member(member, k);
        for (int i = 0; i < HITS && status == OK; i++)
            status = store_unit_append(store, id, unit->token, 0, member, row, 1, COLUMNS, NULL);
        if (status == OK)
            status = store_unit_append(store, id, unit->token, -1, member, row, 1, COLUMNS, NULL);
    }
    const UnitFinish finish = {.done = unit->n};
    return status == OK ? store_unit_finish(store, id, unit->token, &finish, NULL) : status;
}

/* Units until there are none; whoever is given the end of the ensemble puts it back. */
static void *child_units(void *argument)
{
    Store *store = argument;
    Arena *arena = arena_new(1 << 20);
    for (;;) {
        JobLease lease;
        UnitLease unit;
        arena_reset(arena);
        if (store_job_claim(store, arena, &lease, NULL) != OK)
            continue;
        while (lease.in_units && store_unit_claim(store, lease.job.id, 50, &unit, NULL) == OK) {
            if (run_unit(store, lease.job.id, &unit) != OK)
                _exit(3);
            char first[JOB_ID_MAX];
            snprintf(first, sizeof first, "%llu", (unsigned long long)unit.first);
            say('u', first);
        }
        if (!lease.in_units && store_job_release(store, lease.job.id, lease.token, NULL) != OK)
            _exit(4);
    }
    return NULL;
}

static void child_ensemble(int to)
{
    Store *store;
    pthread_t thread;
    said_to = to;
    if (store_open(&f.options, &store, NULL) != OK)
        _exit(5);
    say('o', "");
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread, NULL, child_units, store) != 0)
            _exit(6);
    child_units(store);
}

/* Every row of a table once, in order. */
static void check_table(const char *id, int table, uint64_t rows_each)
{
    ResultBlock block;
    uint64_t place = 0, row = 0;
    while (store_table_next(default_tenant(f.store), id, table, &place, f.arena, &block, NULL) ==
           OK) {
        for (uint64_t i = 0; i < block.n_rows; i++, row++)
            for (size_t k = 0; k < COLUMNS; k++)
                ck_assert_double_eq(block.rows[i * COLUMNS + k],
                                    value_of_member(row / rows_each, k));
        arena_reset(f.arena);
    }
    ck_assert_uint_eq(row, ENSEMBLE_MEMBERS * rows_each);
}

START_TEST(kill_9_loses_and_doubles_no_member)
{
    static bool acknowledged[ENSEMBLE_MEMBERS];
    Random random;
    uint64_t seed;
    ResultBlock block;
    JobRecord job;
    bool replayed;
    Said said;
    ck_assert_int_eq(getrandom(&seed, sizeof seed, 0), sizeof seed);
    const char *given = getenv("SEED");
    if (given)
        seed = strtoull(given, NULL, 10);
    printf("crash: SEED=%llu\n", (unsigned long long)seed);
    random_init(&random, seed);
    fixture_init(&f);
    f.options.max_attempts = 1000000;
    fixture_reopen(&f);
    JobDraft draft = draft_of("{}");
    draft.members = ENSEMBLE_MEMBERS;
    draft.tables = "[\"hits\"]";
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    for (int cycle = 0; cycle < ENSEMBLE_CYCLES; cycle++) {
        int ends[2], status;
        store_close(f.store);
        f.store = NULL;
        ck_assert_int_eq(pipe(ends), 0);
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            close(ends[0]);
            child_ensemble(ends[1]);
        }
        close(ends[1]);
        uint64_t left = random_bits(&random) % 30;
        ck_assert_int_eq(read(ends[0], &said, sizeof said), sizeof said);
        for (; left && read(ends[0], &said, sizeof said) == sizeof said; left--)
            acknowledged[strtoul(said.id, NULL, 10)] = true;
        ck_assert_int_eq(kill(child, SIGKILL), 0);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(WIFSIGNALED(status), "the child ended by itself: %d", status);
        while (read(ends[0], &said, sizeof said) == sizeof said)
            acknowledged[strtoul(said.id, NULL, 10)] = true;
        close(ends[0]);
        ck_ok(store_open(&f.options, &f.store, err));
        for (uint64_t i = 0; i < ENSEMBLE_MEMBERS; i++)
            if (acknowledged[i])
                ck_ok(store_member_block(default_tenant(f.store), job.id, -1, i, 0, f.arena, &block,
                                         err));
        arena_reset(f.arena);
    }
    const uint64_t before = get_job(&f, job.id).members.done;
    ck_assert_uint_gt(before, 0);
    ck_assert_uint_lt(before, ENSEMBLE_MEMBERS);
    UnitLease unit;
    claim_job(&f); /* its units */
    while (store_unit_claim(f.store, job.id, 1000, &unit, NULL) == OK)
        ck_assert_int_eq(run_unit(f.store, job.id, &unit), OK);
    const JobLease lease = claim_job(&f);
    ck_assert(!lease.in_units);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    ck_assert_uint_eq(get_job(&f, job.id).members.done, ENSEMBLE_MEMBERS);
    check_table(job.id, -1, 1);
    check_table(job.id, 0, HITS);
    printf("crash: %d cycles, %llu members before the last\n", ENSEMBLE_CYCLES,
           (unsigned long long)before);
    fixture_done(&f);
}
END_TEST

SUITE(crash)
{
    TCase *tc = suite_case(suite, "crash");
    tcase_add_test(tc, kill_9_loses_and_doubles_nothing);
    tcase_add_test(tc, kill_9_loses_and_doubles_no_member);
}
