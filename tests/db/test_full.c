/* A full disk, by a limit on the size of files: writes beyond it fail as those to a full disk
 * do. */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/db/fixture.h"
#include "tests/deadline.h"
#include "tests/suite.h"

static Fixture f;
static struct rlimit unlimited;

static void setup(void)
{
    fixture_init(&f);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &unlimited);
}

static void empty_disk(void)
{
    setrlimit(RLIMIT_FSIZE, &unlimited);
}

static void teardown(void)
{
    empty_disk();
    fixture_done(&f);
}

/* No file may become larger than the log is now, and so much more. */
static void fill_disk(rlim_t more)
{
    char path[100];
    struct stat info;
    snprintf(path, sizeof path, "%s/dalembert.db-wal", f.directory);
    ck_assert_int_eq(stat(path, &info), 0);
    struct rlimit limit = unlimited;
    limit.rlim_cur = (rlim_t)info.st_size + more;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* No file can be written beyond its first page: not even a checkpoint makes room. */
static void fill_disk_for_good(void)
{
    struct rlimit limit = unlimited;
    limit.rlim_cur = 6000;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static Status add(JobRecord *ret_job, Error *err)
{
    static char request[20000];
    JobDraft draft = draft_of("");
    bool replayed;
    draft.request = request;
    draft.request_size = sizeof request;
    return store_job_add(default_tenant(f.store), &draft, f.arena, ret_job, &replayed, err);
}

/* Adds until the disk is full; how many were accepted. */
static int add_until_full(char (*ids)[JOB_ID_MAX], int max)
{
    for (int i = 0; i < max; i++) {
        JobRecord job;
        Error err = {0};
        Status status = add(&job, &err);
        if (status != OK) {
            ck_assert_msg(status == ERR_NO_SPACE, "%s", err.message);
            return i;
        }
        strcpy(ids[i], job.id);
    }
    ck_abort_msg("the disk does not fill");
    return 0;
}

START_TEST(a_full_disk_refuses_jobs_and_keeps_those_accepted)
{
    bool more;
    static char ids[1000][JOB_ID_MAX];
    JobRecord *jobs, job;
    size_t n;
    add(&job, NULL);
    fill_disk((rlim_t)_i * 3001); /* full at different places of a transaction */
    const int accepted = add_until_full(ids, 1000);
    ck_fails(store_ready(f.store, err), ERR_NO_SPACE);
    ck_assert_str_eq(get_job(&f, job.id).id, job.id); /* reading goes on */
    JobLease lease;
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NO_SPACE);

    empty_disk();
    WAIT_UNTIL(store_ready(f.store, NULL) == OK);
    ck_ok(add(&job, err));
    fixture_reopen(&f);
    JobFilter filter = {.since = -1, .limit = 1000};
    ck_ok(store_job_list(default_tenant(f.store), &filter, f.arena, &jobs, &n, &more, err));
    ck_assert_uint_eq(n, (size_t)accepted + 2); /* and none of the refused */
    for (int i = 0; i < accepted; i++)
        ck_assert_int_eq(get_job(&f, ids[i]).state, JOB_QUEUED);
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.queued, n);
}
END_TEST

START_TEST(what_runs_outlives_a_full_disk)
{
    enum { ROWS = 20000, COLUMNS = 8 }; /* 1.2 MiB */
    static double rows[ROWS * COLUMNS];
    static char ids[1000][JOB_ID_MAX];
    JobRecord job;
    const JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true};
    for (int i = 0; i < ROWS; i++)
        rows[i * COLUMNS] = i;
    ck_ok(add(&job, err));
    JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, job.id, lease.token, "[]", NULL, err));
    ck_ok(store_result_append(f.store, job.id, lease.token, -1, rows, ROWS / 2, COLUMNS, err));
    JobRecord other;
    ck_ok(add(&other, err));
    fill_disk_for_good();
    add_until_full(ids, 1000);

    ck_ok(store_result_append(f.store, job.id, lease.token, -1, rows + ROWS / 2 * COLUMNS, ROWS / 2,
                              COLUMNS, err));
    ck_fails(store_job_finish(f.store, job.id, lease.token, &finish, err), ERR_NO_SPACE);
    ck_fails(store_job_finish(f.store, job.id, lease.token, &finish, err), ERR_NO_SPACE);
    ck_assert_int_eq(get_job(&f, job.id).state, JOB_RUNNING);
    ck_assert(!store_job_stop_wanted(f.store, job.id, lease.token));

    empty_disk();
    WAIT_UNTIL(store_ready(f.store, NULL) == OK);
    ck_ok(store_job_finish(f.store, job.id, lease.token, &finish, err));
    for (uint64_t row = 0; row < ROWS;) {
        ResultBlock block;
        ck_ok(store_result_block(default_tenant(f.store), job.id, -1, row, f.arena, &block, err));
        for (uint64_t i = 0; i < block.n_rows; i++)
            ck_assert_double_eq(block.rows[i * COLUMNS], (double)(row + i));
        row += block.n_rows;
    }
    ck_assert_uint_eq(get_job(&f, job.id).rows, ROWS);
}
END_TEST

START_TEST(a_producer_is_told_when_the_disk_stays_full)
{
    enum { ROWS = 65536, COLUMNS = 8 }; /* 4 MiB */
    static double rows[ROWS * COLUMNS];
    static char ids[1000][JOB_ID_MAX];
    JobRecord job;
    ck_ok(add(&job, err));
    JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, job.id, lease.token, "[]", NULL, err));
    ck_ok(add(&job, err));
    fill_disk_for_good();
    add_until_full(ids, 1000);
    uint64_t accepted = 0;
    Status status = OK;
    while (status == OK && accepted < 10) {
        status =
            store_result_append(f.store, lease.job.id, lease.token, -1, rows, ROWS, COLUMNS, NULL);
        accepted += status == OK;
    }
    ck_assert_int_eq(status, ERR_NO_SPACE);
    ck_assert_uint_ge(accepted, 3);
    ck_assert_uint_le(accepted, 4);
    empty_disk();
    WAIT_UNTIL(store_ready(f.store, NULL) == OK);
    ck_ok(store_result_append(f.store, lease.job.id, lease.token, -1, rows, ROWS, COLUMNS, err));
    finish_job(&f, &lease, JOB_SUCCEEDED);
    ck_assert_uint_eq(get_job(&f, lease.job.id).rows, (accepted + 1) * ROWS);
}
END_TEST

START_TEST(a_job_released_on_a_full_disk_is_queued_when_there_is_room)
{
    static char ids[1000][JOB_ID_MAX];
    const double row = 1;
    JobRecord job, other;
    ck_ok(add(&job, err));
    JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, job.id, lease.token, "[]", NULL, err));
    ck_ok(add(&other, err));
    fill_disk_for_good();
    add_until_full(ids, 1000);
    ck_ok(store_result_append(f.store, job.id, lease.token, -1, &row, 1, 1, err));
    ck_fails(store_job_release(f.store, job.id, lease.token, err), ERR_NO_SPACE);
    ck_fails(store_job_release(f.store, job.id, lease.token, err), ERR_CONFLICT);
    ck_assert(store_job_stop_wanted(f.store, job.id, lease.token));
    empty_disk();
    WAIT_UNTIL(store_ready(f.store, NULL) == OK);
    job = get_job(&f, job.id);
    ck_assert_int_eq(job.state, JOB_QUEUED);
    ck_assert_uint_eq(job.attempt, 0);
    ck_assert_uint_eq(job.rows, 0);
    ck_assert_str_eq(claim_job(&f).job.id, job.id);
}
END_TEST

START_TEST(closing_on_a_full_disk_ends_and_loses_nothing_promised)
{
    static char ids[1000][JOB_ID_MAX];
    static double rows[100000];
    JobRecord job;
    ck_ok(add(&job, err));
    JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, job.id, lease.token, "[]", NULL, err));
    JobRecord other;
    ck_ok(add(&other, err));
    fill_disk_for_good();
    const int accepted = add_until_full(ids, 1000);
    ck_ok(store_result_append(f.store, job.id, lease.token, -1, rows, 100000, 1, err));
    store_close(f.store);
    f.store = NULL;
    empty_disk();
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_int_eq(get_job(&f, job.id).state, JOB_QUEUED);
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.queued, (uint64_t)accepted + 2);
}
END_TEST

/* A unit's end is refused, and can be tried again; one that is given up goes back when there is
 * room. */
START_TEST(a_unit_outlives_a_full_disk)
{
    enum { MEMBERS = 4000, COLUMNS = 12 };
    static char ids[1000][JOB_ID_MAX];
    JobRecord job, other;
    bool replayed;
    UnitLease unit, again;
    JobDraft draft = draft_of("{}");
    draft.members = MEMBERS + 100;
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    ck_assert(claim_job(&f).in_units);
    ck_ok(store_unit_claim(f.store, job.id, MEMBERS, &unit, err));
    ck_ok(store_unit_claim(f.store, job.id, 100, &again, err));
    ck_ok(add(&other, err));
    fill_disk_for_good();
    add_until_full(ids, 1000);
    Status status = OK; /* asked for once: the test's own words go to a file, too */
    for (uint64_t i = 0; i < MEMBERS && status == OK; i++) {
        const double row[COLUMNS] = {(double)i};
        status = store_unit_append(f.store, job.id, unit.token, -1, i, row, 1, COLUMNS, NULL);
    }
    ck_assert_int_eq(status, OK);
    const UnitFinish finish = {.done = MEMBERS};
    for (int i = 0; i < 2; i++)
        ck_fails(store_unit_finish(f.store, job.id, unit.token, &finish, err), ERR_NO_SPACE);
    ck_ok(store_unit_release(f.store, job.id, again.token, err));
    ck_assert_uint_eq(get_job(&f, job.id).members.done, 0);
    ck_assert(!store_job_stop_wanted(f.store, job.id, unit.token));

    empty_disk();
    WAIT_UNTIL(store_ready(f.store, NULL) == OK);
    ck_ok(store_unit_finish(f.store, job.id, unit.token, &finish, err));
    ck_assert_uint_eq(get_job(&f, job.id).members.done, MEMBERS);
    WAIT_UNTIL(store_unit_claim(f.store, job.id, 100, &again, NULL) == OK);
    ck_assert_uint_eq(again.first, MEMBERS);
}
END_TEST

SUITE(full)
{
    TCase *tc = suite_case(suite, "full");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, a_full_disk_refuses_jobs_and_keeps_those_accepted, 0, 8);
    tcase_add_test(tc, what_runs_outlives_a_full_disk);
    tcase_add_test(tc, a_unit_outlives_a_full_disk);
    tcase_add_test(tc, a_producer_is_told_when_the_disk_stays_full);
    tcase_add_test(tc, a_job_released_on_a_full_disk_is_queued_when_there_is_room);
    tcase_add_test(tc, closing_on_a_full_disk_ends_and_loses_nothing_promised);
}
