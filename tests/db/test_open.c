/* Opening and closing: one daemon a store, and what is no store is left alone. */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/sqlite/checksum.h"
#include "tests/db/fixture.h"
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

static Status open_again(Error *err)
{
    Store *store = NULL;
    Status status = store_open(&f.options, &store, err);
    store_close(store);
    return status;
}

START_TEST(a_second_daemon_is_refused_and_told_of_the_first)
{
    Error err = {0};
    char pid[40];
    ck_assert_int_eq(open_again(&err), ERR_CONFLICT);
    snprintf(pid, sizeof pid, "process %ld ", (long)getpid());
    ck_assert_msg(strstr(err.message, pid) != NULL, "%s", err.message);
    ck_assert_msg(strstr(err.message, f.directory) != NULL, "%s", err.message);
    ck_assert_msg(strstr(err.message, "only one daemon") != NULL, "%s", err.message);

    const pid_t child = fork();
    if (child == 0)
        _exit(open_again(NULL) == ERR_CONFLICT ? 0 : 1);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    add_job(&f, "{}"); /* the first is not disturbed */
}
END_TEST

/* The rights of a file of the store. */
static unsigned mode_of(const char *name)
{
    char path[300];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", f.directory, name);
    ck_assert_msg(stat(path, &info) == 0, "%s", path);
    return info.st_mode & 0777;
}

START_TEST(new_files_are_their_owners_alone)
{
    const mode_t before = umask(0);
    char path[300], lock[300];
    store_close(f.store);
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_assert_int_eq(unlink(path), 0);
    snprintf(lock, sizeof lock, "%s/dalembert.lock", f.directory);
    ck_assert_int_eq(unlink(lock), 0);
    ck_assert_int_eq(store_open(&f.options, &f.store, NULL), OK);
    add_job(&f, "{}");
    ck_assert_uint_eq(mode_of("dalembert.db"), 0600);
    ck_assert_uint_eq(mode_of("dalembert.db-wal"), 0600);
    ck_assert_uint_eq(mode_of("dalembert.db-shm"), 0600);
    ck_assert_uint_eq(mode_of("dalembert.lock"), 0600);
    /* what somebody has opened to a group stays as it is */
    store_close(f.store);
    ck_assert_int_eq(chmod(path, 0640), 0);
    ck_assert_int_eq(store_open(&f.options, &f.store, NULL), OK);
    ck_assert_uint_eq(mode_of("dalembert.db"), 0640);
    umask(before);
}
END_TEST

START_TEST(a_killed_daemon_leaves_no_lock)
{
    int ready[2];
    char byte;
    store_close(f.store);
    f.store = NULL;
    ck_assert_int_eq(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        Store *store;
        if (store_open(&f.options, &store, NULL) != OK || write(ready[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    ck_fails(open_again(err), ERR_CONFLICT);
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ck_ok(store_open(&f.options, &f.store, err));
    close(ready[0]);
    close(ready[1]);
}
END_TEST

START_TEST(a_missing_directory_is_made_for_the_owner_alone)
{
    char path[100];
    struct stat info;
    snprintf(path, sizeof path, "%s/new", f.directory);
    const StoreOptions options = {.directory = path};
    Store *store;
    ck_ok(store_open(&options, &store, err));
    store_close(store);
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_eq((int)(info.st_mode & 0777), 0700);
    remove_directory(path);
}
END_TEST

START_TEST(a_directory_that_cannot_be_used_is_named)
{
    char path[100];
    Store *store;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    StoreOptions options = {.directory = path};
    ck_fails(store_open(&options, &store, err), ERR_IO);
    options.directory = "/nonexistent/place";
    ck_fails(store_open(&options, &store, err), ERR_IO);
    options.directory = "";
    ck_fails(store_open(&options, &store, err), ERR_INVALID);
}
END_TEST

/* Runs SQL on the closed database as any other program would. */
static void tamper(const char *sql, int expected)
{
    char path[100];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(checksum_register(db), SQLITE_OK);
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    ck_assert_msg(code == expected, "%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void reopen_is_refused(const char *because)
{
    Error err = {0};
    ck_assert_int_eq(open_again(&err), ERR_INVALID);
    ck_assert_msg(strstr(err.message, because) != NULL, "%s", err.message);
}

START_TEST(a_database_of_a_newer_version_is_left_alone)
{
    store_close(f.store);
    f.store = NULL;
    char back[60];
    snprintf(back, sizeof back, "PRAGMA user_version = %d", SCHEMA_NEWEST);
    tamper("PRAGMA user_version = 99", SQLITE_OK);
    reopen_is_refused("newer dalembert (format 99");
    tamper(back, SQLITE_OK);
    ck_ok(open_again(err));
}
END_TEST

/* A bit of the file's header: no step leads from there. */
START_TEST(a_format_that_never_was_is_damage)
{
    static const char *const FORMATS[] = {"-2147483648", "-1", "0"};
    char sql[60];
    StoreReport report;
    const ReportSink sink = {NULL, NULL};
    store_close(f.store);
    f.store = NULL;
    snprintf(sql, sizeof sql, "PRAGMA user_version = %s", FORMATS[_i]);
    tamper(sql, SQLITE_OK);
    ck_fails(open_again(err), ERR_DAMAGED);
    ck_fails(store_verify(f.directory, &sink, &report, err), ERR_DAMAGED);
}
END_TEST

START_TEST(the_database_of_another_program_is_left_alone)
{
    store_close(f.store);
    f.store = NULL;
    tamper("PRAGMA application_id = 7", SQLITE_OK);
    reopen_is_refused("is not a dalembert database");
    remove_directory(f.directory);
    ck_assert_int_eq(mkdir(f.directory, 0700), 0);
    tamper("CREATE TABLE other (x)", SQLITE_OK);
    reopen_is_refused("is not a dalembert database");
}
END_TEST

START_TEST(a_file_of_one_byte_is_no_empty_database)
{
    char path[100];
    StoreReport report;
    const ReportSink sink = {NULL, NULL};
    Error error = {0};
    struct stat info;
    store_close(f.store);
    f.store = NULL;
    remove_directory(f.directory);
    ck_assert_int_eq(mkdir(f.directory, 0700), 0);
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    FILE *file = fopen(path, "w");
    fputc('x', file);
    fclose(file);
    ck_assert_int_eq(store_verify(f.directory, &sink, &report, &error), ERR_INVALID);
    ck_assert_msg(strstr(error.message, "is not a dalembert database"), "%s", error.message);
    reopen_is_refused("is not a dalembert database");
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_eq(info.st_size, 1);
}
END_TEST

START_TEST(a_file_that_is_no_database_is_refused)
{
    char path[100];
    store_close(f.store);
    f.store = NULL;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 10000; i++)
        fputs("no database", file);
    fclose(file);
    ck_fails(open_again(err), ERR_IO);
}
END_TEST

START_TEST(the_schema_guards_itself)
{
    add_job(&f, "{}");
    store_close(f.store);
    f.store = NULL;
    tamper("UPDATE jobs SET state = 'lost'", SQLITE_CONSTRAINT);
    tamper("UPDATE jobs SET state = 'running'", SQLITE_CONSTRAINT); /* without a token */
    tamper("UPDATE jobs SET state = 'succeeded'", SQLITE_CONSTRAINT);
    tamper("UPDATE jobs SET priority = 'high'", SQLITE_CONSTRAINT);
    tamper("INSERT INTO blocks VALUES (1, 1, -1, 0, 1, 1, 0, 0, x'00', NULL)", SQLITE_CONSTRAINT);
    ck_ok(store_open(&f.options, &f.store, err));
}
END_TEST

static Status look(Store *store, WriteOp *op, Error *err)
{
    static const struct {
        const char *pragma;
        int64_t value;
    } SETTINGS[] = {
        {"PRAGMA secure_delete", 2},      {"PRAGMA synchronous", 2},
        {"PRAGMA trusted_schema", 0},     {"PRAGMA foreign_keys", 1},
        {"PRAGMA wal_autocheckpoint", 0}, {"PRAGMA application_id", 0x64416c6d},
    };
    (void)op;
    Status status = OK;
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS && status == OK; i++) {
        int64_t value = -1;
        status = connection_int(&store->writer.connection, SETTINGS[i].pragma, &value, err);
        if (status == OK && value != SETTINGS[i].value)
            status = error_set(err, ERR_INTERNAL, "%s: %d", SETTINGS[i].pragma, (int)value);
    }
    return status;
}

START_TEST(the_writer_has_the_settings_that_make_it_safe)
{
    WriteOp op = {.run = look};
    ck_ok(writer_do(f.store, &op, err));
}
END_TEST

START_TEST(a_directory_that_was_moved_away_or_replaced_is_not_ready)
{
    char moved[100];
    snprintf(moved, sizeof moved, "%s-moved", f.directory);
    ck_ok(store_ready(f.store, err));
    ck_assert_int_eq(rename(f.directory, moved), 0);
    ck_fails(store_ready(f.store, err), ERR_IO);
    ck_assert_int_eq(mkdir(f.directory, 0700), 0);
    tamper("CREATE TABLE other (x)", SQLITE_OK);
    ck_fails(store_ready(f.store, err), ERR_IO);
    remove_directory(f.directory);
    ck_assert_int_eq(rename(moved, f.directory), 0);
    ck_ok(store_ready(f.store, err));
}
END_TEST

START_TEST(a_closed_store_is_one_sound_file)
{
    char path[100];
    struct stat info;
    for (int i = 0; i < 50; i++)
        add_job(&f, "{}");
    store_close(f.store);
    f.store = NULL;
    snprintf(path, sizeof path, "%s/dalembert.db-wal", f.directory);
    ck_assert_int_ne(stat(path, &info), 0);
    tamper("CREATE TEMP TABLE t (x CHECK (x = 'ok'));"
           "INSERT INTO t SELECT integrity_check FROM pragma_integrity_check;"
           "CREATE TEMP TABLE u (x CHECK (x = 'none'));"
           "INSERT INTO u SELECT \"table\" FROM pragma_foreign_key_check",
           SQLITE_OK);
    store_close(NULL);
}
END_TEST

SUITE(open)
{
    TCase *tc = suite_case(suite, "open");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_second_daemon_is_refused_and_told_of_the_first);
    tcase_add_test(tc, new_files_are_their_owners_alone);
    tcase_add_test(tc, a_killed_daemon_leaves_no_lock);
    tcase_add_test(tc, a_missing_directory_is_made_for_the_owner_alone);
    tcase_add_test(tc, a_directory_that_cannot_be_used_is_named);
    tcase_add_test(tc, a_database_of_a_newer_version_is_left_alone);
    tcase_add_loop_test(tc, a_format_that_never_was_is_damage, 0, 3);
    tcase_add_test(tc, the_database_of_another_program_is_left_alone);
    tcase_add_test(tc, a_file_of_one_byte_is_no_empty_database);
    tcase_add_test(tc, a_file_that_is_no_database_is_refused);
    tcase_add_test(tc, the_schema_guards_itself);
    tcase_add_test(tc, the_writer_has_the_settings_that_make_it_safe);
    tcase_add_test(tc, a_directory_that_was_moved_away_or_replaced_is_not_ready);
    tcase_add_test(tc, a_closed_store_is_one_sound_file);
}
