/* The space on the disk: a reserve that only ends and deletions use, space given back, files
 * compacted. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "db/look.h"
#include "db/sqlite/sqlite_store.h"
#include "db/sqlite/unit_rows.h"
#include "tests/db/fixture.h"
#include "tests/db/members.h"
#include "tests/deadline.h"
#include "tests/suite.h"

enum { RESERVE = 4 << 20 };
static Fixture f;

static void setup(void)
{
    fixture_init(&f);
    f.store->disk_reserve = RESERVE; /* before the writer has any work */
}

static void teardown(void)
{
    fixture_done(&f);
}

static off_t size_of(const char *name)
{
    char path[100];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", f.directory, name);
    return stat(path, &info) == 0 ? info.st_size : 0;
}

static off_t size_of_all(void)
{
    return size_of("dalembert.db") + size_of("dalembert.db-wal");
}

/* A disk of its own for the directory, of so many bytes; 0: the one that is there. */
static _Atomic off_t disk;
static _Atomic off_t lowest = LONG_MAX; /* free bytes that were seen */

static off_t disk_free(void)
{
    const off_t free = disk - size_of_all();
    if (free < lowest)
        lowest = free;
    return free;
}

/* In the place of libc's. */
int statvfs(const char *path, struct statvfs *info)
{
    const int directory = open(path, O_RDONLY | O_DIRECTORY);
    const int failed = directory < 0 || fstatvfs(directory, info) != 0;
    if (directory >= 0)
        close(directory);
    if (failed || disk == 0)
        return failed ? -1 : 0;
    const off_t free = disk_free();
    info->f_frsize = 1;
    info->f_bavail = free > 0 ? (fsblkcnt_t)free : 0;
    return 0;
}

static void fill_disk(void)
{
    disk = 1;
}

static void make_room(void)
{
    disk = 0;
}

static Status add(const char *key, JobRecord *ret_job, bool *ret_replayed, Error *err)
{
    JobDraft draft = draft_of("{}");
    draft.idempotency_key = key;
    return store_job_add(default_tenant(f.store), &draft, f.arena, ret_job, ret_replayed, err);
}

START_TEST(below_the_reserve_nothing_new_is_taken_and_all_else_goes_on)
{
    JobRecord job;
    bool flag;
    ck_ok(add("key", &job, &flag, err));
    const JobRecord queued = add_job(&f, "{}"), done = add_job(&f, "{}");
    JobLease lease = claim_job(&f);
    ck_ok(store_job_cancel(default_tenant(f.store), done.id, f.arena, &job, err));
    fill_disk();
    ck_fails(add(NULL, &job, &flag, err), ERR_NO_SPACE);
    ck_fails(store_model_put(default_tenant(f.store), "id", "name", "{}", 2, &flag, err),
             ERR_NO_SPACE);
    ck_fails(store_ready(f.store, err), ERR_NO_SPACE);
    /* a retry is told of its first job */
    ck_ok(add("key", &job, &flag, err));
    ck_assert(flag);
    ck_assert_str_eq(job.id, lease.job.id);
    /* ends, deletions, cancellations and claims */
    ck_ok(store_job_delete(default_tenant(f.store), done.id, err));
    finish_job(&f, &lease, JOB_SUCCEEDED);
    ck_ok(store_job_delete(default_tenant(f.store), lease.job.id, err));
    lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, queued.id);
    ck_ok(store_job_cancel(default_tenant(f.store), queued.id, f.arena, &job, err));
    finish_job(&f, &lease, JOB_CANCELLED);
    make_room();
    ck_ok(store_ready(f.store, err));
    ck_ok(add(NULL, &job, &flag, err));
}
END_TEST

START_TEST(below_half_the_reserve_rows_wait)
{
    static const double ROWS[200] = {0};
    const JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true};
    add_job(&f, "{}");
    const JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, lease.job.id, lease.token, "[]", NULL, err));
    fill_disk();
    ck_ok(store_result_append(f.store, lease.job.id, lease.token, -1, ROWS, 100, 2, err));
    ck_fails(store_job_finish(f.store, lease.job.id, lease.token, &finish, err), ERR_NO_SPACE);
    ck_assert(!store_job_waits(default_tenant(f.store), lease.job.id));
    make_room();
    WAIT_UNTIL(store_ready(f.store, NULL) == OK);
    ck_ok(store_job_finish(f.store, lease.job.id, lease.token, &finish, err));
    ck_assert_uint_eq(get_job(&f, lease.job.id).rows, 100);
}
END_TEST

/* Both give up what cannot be stored, as workers do. */
static void give_up_a_run(const JobLease *lease)
{
    static const double ROWS[200] = {0};
    const JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true};

    ck_ok(store_result_begin(f.store, lease->job.id, lease->token, "[]", NULL, err));
    fill_disk();
    ck_ok(store_result_append(f.store, lease->job.id, lease->token, -1, ROWS, 100, 2, err));
    ck_fails(store_job_finish(f.store, lease->job.id, lease->token, &finish, err), ERR_NO_SPACE);
    ck_fails(store_job_release(f.store, lease->job.id, lease->token, err), ERR_NO_SPACE);
}

static void give_up_a_unit(const JobLease *lease)
{
    enum { ROWS = UNIT_HELD_MAX / 2 / 16 + 2 }; /* twice as many are more than a unit holds */
    static double rows[ROWS][2];
    UnitLease unit;
    const UnitFinish finish = {0};

    ck_ok(store_unit_claim(f.store, lease->job.id, 10, &unit, err));
    fill_disk();
    ck_ok(store_unit_append(f.store, lease->job.id, unit.token, 0, 0, *rows, ROWS, 2, err));
    ck_ok(store_unit_append(f.store, lease->job.id, unit.token, 0, 0, *rows, ROWS, 2, err));
    WAIT_UNTIL(store_ready(f.store, NULL) != OK);
    ck_fails(store_unit_finish(f.store, lease->job.id, unit.token, &finish, err), ERR_NO_SPACE);
    ck_ok(store_unit_release(f.store, lease->job.id, unit.token, err));
}

/* It is the one whose deletion makes room. */
START_TEST(a_job_whose_rows_wait_is_cancelled_and_deleted)
{
    const bool units = _i;
    JobRecord job = units ? add_ensemble(&f, 10, 0) : add_job(&f, "{}");
    const JobLease lease = claim_job(&f);
    if (units)
        give_up_a_unit(&lease);
    else
        give_up_a_run(&lease);
    ck_assert(store_job_waits(default_tenant(f.store), job.id));
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &job, err));
    if (units) {
        JobLease end;
        WAIT_UNTIL(store_job_claim(f.store, f.arena, &end, NULL) == OK);
        finish_job(&f, &end, JOB_CANCELLED);
    }
    WAIT_UNTIL(get_job(&f, job.id).state == JOB_CANCELLED);
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err));
}
END_TEST

/* What has been written of a group, and what the log holds that the file does not, counts. */
START_TEST(rows_come_to_half_of_the_reserve_and_no_farther)
{
    static double rows[1 << 16];
    const JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true};
    Status status = OK;
    uint64_t n = 0;
    add_job(&f, "{}");
    const JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, lease.job.id, lease.token, "[]", NULL, err));
    disk = 24 << 20;
    for (; status == OK; n++) {
        status = store_result_append(f.store, lease.job.id, lease.token, -1, rows,
                                     sizeof rows / sizeof *rows, 1, NULL);
        disk_free();
    }
    ck_assert_int_eq(status, ERR_NO_SPACE);
    ck_assert_int_ge(lowest, RESERVE / 4);
    make_room();
    WAIT_UNTIL(store_ready(f.store, NULL) == OK);
    ck_ok(store_job_finish(f.store, lease.job.id, lease.token, &finish, err));
    ck_assert_uint_eq(get_job(&f, lease.job.id).rows, (n - 1) * (sizeof rows / sizeof *rows));
}
END_TEST

enum { BIG = 40 << 20 };

/* A finished job of 40 MiB. */
static const char *add_big(void)
{
    static double rows[1 << 16];
    add_job(&f, "{}");
    const JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, lease.job.id, lease.token, "[]", NULL, err));
    for (size_t bytes = 0; bytes < BIG; bytes += sizeof rows)
        ck_ok(store_result_append(f.store, lease.job.id, lease.token, -1, rows,
                                  sizeof rows / sizeof *rows, 1, err));
    finish_job(&f, &lease, JOB_SUCCEEDED);
    return arena_strdup(f.arena, lease.job.id);
}

START_TEST(deleting_gives_space_back)
{
    const char *id = add_big();
    ck_assert_int_gt(size_of_all(), BIG);
    fill_disk(); /* then the log is cut too */
    ck_ok(store_job_delete(default_tenant(f.store), id, err));
    WAIT_UNTIL(size_of_all() < BIG / 4);
    make_room();
    ck_assert_int_eq(get_job(&f, add_big()).state, JOB_SUCCEEDED);
}
END_TEST

START_TEST(an_old_file_gives_space_back_once_it_is_compacted)
{
    char command[300];
    store_close(f.store);
    f.store = NULL;
    snprintf(command, sizeof command, "cp tests/db/old/format-1/dalembert.db %s/dalembert.db",
             f.directory);
    ck_assert_int_eq(system(command), 0);
    ck_ok(store_open(&f.options, &f.store, err));
    const char *id = add_big();
    ck_fails(store_compact(f.directory, err), ERR_CONFLICT);
    ck_ok(store_job_delete(default_tenant(f.store), id, err));
    store_close(f.store);
    f.store = NULL;
    ck_assert_int_gt(size_of("dalembert.db"), BIG);

    ck_ok(store_compact(f.directory, err));
    ck_assert_int_lt(size_of("dalembert.db"), BIG / 10);
    ck_ok(store_compact(f.directory, err));
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_int_eq(get_job(&f, "01a20248-861a-7484-9ee7-693afc1aba07").state, JOB_SUCCEEDED);
    id = add_big();
    ck_ok(store_job_delete(default_tenant(f.store), id, err));
    WAIT_UNTIL(size_of("dalembert.db") < BIG / 4);
    ck_fails(store_compact("/nonexistent", err), ERR_NOT_FOUND);
}
END_TEST

/* 20,000 jobs that have hardly any bytes: their indexes are large beside them. */
static const char MANY_JOBS[] =
    "BEGIN;"
    "INSERT INTO jobs (id, state, revision, priority, created_ms, timeout_ms, model_id, "
    "model_name, labels, formulation, method, request_hash) "
    "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 20000) "
    "SELECT printf('%036d', k), 'queued', 1000 + k, 0, 0, 0, printf('%064d', k), '', '{}', '', '', "
    "'' FROM n;"
    "INSERT INTO labels (job, key, value) SELECT seq, 'k', seq FROM jobs WHERE revision > 1000;"
    "COMMIT";

/* A data directory of an older format in place of the test's; the room that its upgrade needs. */
static UpgradeSpace become_old(int format, const char *script)
{
    char command[300], path[100];
    Connection connection;
    UpgradeSpace need;
    store_close(f.store);
    f.store = NULL;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    snprintf(command, sizeof command, "cp tests/db/old/format-%d/dalembert.db %s", format, path);
    ck_assert_int_eq(system(command), 0);
    ck_ok(connection_open(&connection, path, true, err));
    ck_ok(connection_script(&connection, script, err));
    ck_ok(upgrade_space(&connection, &need, err));
    connection_close(&connection);
    ck_assert_int_eq(size_of("dalembert.db-wal"), 0);
    ck_assert_uint_eq(need.copy, (uint64_t)size_of("dalembert.db"));
    return need;
}

START_TEST(an_upgrade_takes_no_more_room_than_it_asks_for)
{
    static const int FORMATS[] = {1, 15, 17};
    const UpgradeSpace need = become_old(FORMATS[_i / 2], _i % 2 ? MANY_JOBS : "");
    const off_t before = size_of_all();
    ck_ok(store_open(&f.options, &f.store, err));
    const off_t opened = size_of_all();
    store_close(f.store); /* the log goes into the file */
    f.store = NULL;
    const off_t grown = size_of_all() - before;
    ck_assert_uint_le((uint64_t)(opened - before + grown), need.steps);
}
END_TEST

/* One byte too few, for the steps and for the copy before them. */
START_TEST(an_upgrade_without_room_is_refused_and_changes_nothing)
{
    UpgradeSpace need = become_old(15, "");
    char path[100], asks[100];
    Error error = {0};
    StoreLook look;
    f.options.copy_old = _i;
    const uint64_t bytes = need.steps + (_i ? need.copy : 0);
    disk = size_of("dalembert.db") + (off_t)bytes - 1;
    ck_assert_int_eq(store_open(&f.options, &f.store, &error), ERR_NO_SPACE);
    snprintf(asks, sizeof asks, "needs %llu bytes free", (unsigned long long)bytes);
    ck_assert_msg(strstr(error.message, asks) != NULL, "%s", error.message);
    ck_assert_msg(strstr(error.message, "the disk has 1") != NULL, "%s", error.message);
    ck_ok(store_look(f.directory, &look, err));
    ck_assert_int_eq(look.format, 15);
    ck_assert_uint_eq(look.upgrade_bytes, need.steps);
    snprintf(path, sizeof path, "%s/dalembert.db.format-15", f.directory);
    ck_assert_int_ne(access(path, F_OK), 0);
    disk += 2 * 4152; /* opening has written a frame to the log */
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_int_eq(access(path, F_OK) == 0, _i);
}
END_TEST

/* A large file is one of results, which stay where they are. */
START_TEST(results_are_no_part_of_the_room_for_an_upgrade)
{
    const UpgradeSpace before = become_old(15, "");
    const UpgradeSpace after =
        become_old(15, "INSERT INTO blocks (job, tab, first_row, n_rows, n_columns, t_first, "
                       "t_last, data) SELECT job, -1, 1000000, 1000000, 1, 0, 0, "
                       "zeroblob(8000000) FROM results LIMIT 1");
    ck_assert_uint_ge(after.copy, before.copy + 8000000);
    ck_assert_uint_le(after.steps, before.steps + 100000);
}
END_TEST

START_TEST(the_file_is_for_its_owner_alone)
{
    static const char *const NAMES[] = {"dalembert.db", "dalembert.db-wal", "dalembert.db-shm",
                                        "dalembert.lock"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        char path[100];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", f.directory, NAMES[i]);
        ck_assert_int_eq(stat(path, &info), 0);
        ck_assert_msg((info.st_mode & 0777) == 0600, "%s: %o", path, info.st_mode & 0777);
    }
}
END_TEST

SUITE(space)
{
    TCase *tc = suite_case(suite, "space");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, below_the_reserve_nothing_new_is_taken_and_all_else_goes_on);
    tcase_add_test(tc, below_half_the_reserve_rows_wait);
    tcase_add_loop_test(tc, a_job_whose_rows_wait_is_cancelled_and_deleted, 0, 2);
    tcase_add_test(tc, rows_come_to_half_of_the_reserve_and_no_farther);
    tcase_add_test(tc, deleting_gives_space_back);
    tcase_add_test(tc, an_old_file_gives_space_back_once_it_is_compacted);
    tcase_add_loop_test(tc, an_upgrade_takes_no_more_room_than_it_asks_for, 0, 6);
    tcase_add_loop_test(tc, an_upgrade_without_room_is_refused_and_changes_nothing, 0, 2);
    tcase_add_test(tc, results_are_no_part_of_the_room_for_an_upgrade);
    tcase_add_test(tc, the_file_is_for_its_owner_alone);
}
