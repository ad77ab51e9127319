/* dalembert backup and restore: the round trip, what they refuse, and a kill at any step. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/command/commands.h"
#include "tests/deadline.h"
#include "tests/server/copies.h"
#include "tests/suite.h"

static char backup[PATH_SIZE], restored[PATH_SIZE];

static void setup(void)
{
    copies_init();
    snprintf(backup, sizeof backup, "%s-backup", f.directory);
    snprintf(restored, sizeof restored, "%s-restored", f.directory);
}

static void teardown(void)
{
    copies_done();
    remove_directory(backup);
    remove_directory(below(backup, ".part"));
    remove_directory(restored);
    remove_directory(below(restored, ".part"));
}

static Run backup_run(void)
{
    return (Run){command_backup, {"--data", f.directory, backup}};
}

static Run restore_run(void)
{
    return (Run){command_restore, {backup, restored}};
}

START_TEST(a_backup_is_restored_with_every_job)
{
    struct stat info;
    ck_assert_int_eq(run(backup_run()), 0);
    ck_says(": 6 jobs, ");
    ck_assert_int_eq(stat(below(backup, "/dalembert.db"), &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0600);
    const char *manifest = text_of(below(backup, "/manifest.json"));
    static const char *const MEMBERS[] = {
        "{\"format\":", ",\"version\":\"" DALEMBERT_VERSION "\"", ",\"sha256\":\"",
        ",\"jobs\":{\"queued\":1,\"running\":0,\"succeeded\":5,\"failed\":0,\"cancelled\":0}",
        "Z\"}\n"};
    for (size_t i = 0; i < sizeof MEMBERS / sizeof *MEMBERS; i++)
        ck_assert_msg(strstr(manifest, MEMBERS[i]) != NULL, "%s: %s", MEMBERS[i], manifest);
    const char *revision = strstr(manifest, ",\"revision\":") + strlen(",\"revision\":");
    char line[60];
    snprintf(line, sizeof line, "Z\nrevision=%.*s\n", (int)strcspn(revision, ","), revision);
    ck_assert_ptr_nonnull(strstr(text_of(below(f.directory, "/last_backup")), line));
    ck_assert(!exists(below(backup, "/dalembert.db-wal")));

    ck_assert_int_eq(run(restore_run()), 0);
    ck_says("bytes restored");
    ck_assert(!exists(below(restored, "/manifest.json")));
    check_store(restored);
    check_store(f.directory);
    ck_assert_int_eq(run(restore_run()), 1); /* it is not empty any more */
    ck_says("is not empty");
}
END_TEST

START_TEST(a_backup_beside_an_open_store_has_what_was_acknowledged)
{
    int ends[2], status;
    char byte = 0;
    JobRecord found;
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork(); /* before the store is open: SQLite is not carried across forks */
    if (child == 0) {
        Run one = backup_run();
        if (read(ends[0], &byte, 1) != 1)
            _exit(3);
        _exit(run_body(&one));
    }
    ck_ok(store_open(&f.options, &f.store, err));
    const JobRecord job = add_job(&f, "{}");
    ck_assert_int_eq(write(ends[1], &byte, 1), 1);
    while (waitpid(child, &status, WNOHANG) == 0)
        add_job(&f, "{}"); /* the store goes on meanwhile */
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s", text_of(said));
    close(ends[0]);
    close(ends[1]);
    close_store();
    ck_assert_int_eq(run(restore_run()), 0);
    check_store(restored);
    const StoreOptions options = {.directory = restored};
    ck_ok(store_open(&options, &f.store, err));
    ck_ok(store_job_get(default_tenant(f.store), job.id, f.arena, &found, err));
}
END_TEST

START_TEST(a_backup_that_cannot_be_made_leaves_nothing)
{
    Run run_of = backup_run();
    ck_assert_int_eq(mkdir(backup, 0700), 0);
    ck_assert_int_eq(run(run_of), 1);
    ck_says("exists; give the name of a new directory");
    ck_assert_int_eq(rmdir(backup), 0);
    ck_assert_int_eq(
        run((Run){command_backup, {"--data", f.directory, "--disk-reserve", "900000G", backup}}),
        1);
    ck_says("--disk-reserve");
    ck_assert_int_eq(run((Run){command_backup, {"--data", "/nonexistent", backup}}), 1);
    ck_says("no dalembert store in '/nonexistent'");
    ck_assert_int_eq(run((Run){command_backup, {"--data", f.directory, "--rate", "x", backup}}), 2);
    ck_says("--rate must be a size such as 8M");
    ck_assert_int_eq(run((Run){command_backup, {"--data", f.directory}}), 2);
    ck_assert_int_eq(run((Run){command_backup, {"--help"}}), 0);
    ck_says("usage: dalembert backup");
    ck_says("one that was there\nbefore is as it was");
    ck_assert(!exists(backup) && !exists(below(backup, ".part")));
}
END_TEST

/* Changes the byte at so many bytes before the end of a file. */
static void flip(const char *path, long from_end)
{
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    fseek(file, -from_end, SEEK_END);
    const int byte = fgetc(file);
    fseek(file, -from_end, SEEK_END);
    fputc(byte ^ 4, file);
    fclose(file);
}

/* The place of a double that is stored once. */
static long find_value(const char *path, double value)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    char *bytes = malloc((size_t)size);
    rewind(file);
    ck_assert_uint_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    long at = 0;
    while (at + (long)sizeof value <= size && memcmp(bytes + at, &value, sizeof value) != 0)
        at++;
    free(bytes);
    ck_assert_int_lt(at, size - (long)sizeof value);
    return size - at;
}

START_TEST(a_damaged_store_gives_no_backup)
{
    const char *path = below(f.directory, "/dalembert.db");
    flip(path, find_value(path, value_of(2, 1234, 3)));
    ck_assert_int_eq(run(backup_run()), 1);
    ck_says("the data are damaged: blocks: row");
    ck_says("dalembert verify");
    ck_assert(!exists(backup) && !exists(below(backup, ".part")));
}
END_TEST

START_TEST(a_backup_that_has_changed_is_not_restored)
{
    ck_assert_int_eq(run(backup_run()), 0);
    const char *path = below(backup, "/dalembert.db");
    flip(path, 40);
    ck_assert_int_eq(run(restore_run()), 1);
    ck_says("is not what the manifest says (SHA-256 ");
    flip(path, 40);
    FILE *file = fopen(path, "ab");
    fputc(0, file);
    fclose(file);
    ck_assert_int_eq(run(restore_run()), 1);
    ck_says("bytes, but the manifest says");
    file = fopen(below(backup, "/manifest.json"), "wb");
    fputs("{\"bytes\":1,\"sha256\":7}", file);
    fclose(file);
    ck_assert_int_eq(run(restore_run()), 1);
    ck_says("is not the manifest of a backup");
    ck_assert(!exists(restored) && !exists(below(restored, ".part")));
}
END_TEST

START_TEST(a_file_without_a_manifest_is_restored_where_that_is_wished)
{
    const Run wish = {command_restore, {"--without-manifest", backup, restored}};
    ck_assert_int_eq(run(backup_run()), 0);
    ck_assert_int_eq(unlink(below(backup, "/manifest.json")), 0);
    ck_assert_int_eq(run(restore_run()), 1);
    ck_says("--without-manifest");
    const char *path = below(backup, "/dalembert.db");
    const long place = find_value(path, value_of(1, 17, 2));
    flip(path, place);
    ck_assert_int_eq(run(wish), 1);
    ck_says("the data are damaged: blocks: row");
    ck_assert(!exists(restored) && !exists(below(restored, ".part")));
    flip(path, place);
    ck_assert_int_eq(run(wish), 0);
    check_store(restored);
}
END_TEST

/* Its last commits are in the log. */
START_TEST(a_data_directory_is_not_taken_for_a_backup)
{
    FILE *file = fopen(below(f.directory, "/dalembert.db-wal"), "wb");
    fputs("frames", file);
    fclose(file);
    ck_assert_int_eq(run((Run){command_restore, {"--without-manifest", f.directory, restored}}), 1);
    ck_says("is a data directory, not a backup");
    ck_assert_int_eq(run((Run){command_restore, {"/nonexistent", restored}}), 1);
    ck_says("no backup in '/nonexistent'");
    ck_assert(!exists(restored));
}
END_TEST

START_TEST(a_signal_ends_a_backup_cleanly)
{
    int status;
    Run one = {command_backup, {"--data", f.directory, "--rate", "1", backup}};
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(run_body(&one));
    WAIT_UNTIL(exists(below(backup, ".part/dalembert.db")));
    ck_assert_int_eq(kill(child, SIGINT), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "status %x", (unsigned)status);
    ck_says("stopped by a signal");
    ck_assert(!exists(backup) && !exists(below(backup, ".part")));
}
END_TEST

static void look_at_backup(void *self)
{
    int *whole = self;
    if (exists(backup)) {
        (*whole)++;
    } else {
        ck_assert_int_eq(run(backup_run()), 0); /* a second run works */
        ck_assert(!exists(below(backup, ".part")));
    }
    ck_assert_int_eq(run(restore_run()), 0);
    check_store(restored);
    remove_directory(restored);
    remove_directory(backup);
}

START_TEST(a_backup_killed_at_any_step_is_whole_or_not_there)
{
    int whole = 0;
    const int killed = kill_at_steps(backup_run(), look_at_backup, &whole);
    check_store(f.directory);
    printf("backup: killed at %d steps, %d backups whole\n", killed, whole - 1);
    ck_assert_int_ge(killed, 6);
    ck_assert_int_gt(whole, 1);
}
END_TEST

static void look_at_restored(void *self)
{
    (void)self;
    if (!exists(restored))
        ck_assert_int_eq(run(restore_run()), 0);
    ck_assert(!exists(below(restored, ".part")));
    check_store(restored);
    remove_directory(restored);
}

START_TEST(a_restore_killed_at_any_step_is_whole_or_not_there)
{
    ck_assert_int_eq(run(backup_run()), 0);
    const int killed = kill_at_steps(restore_run(), look_at_restored, NULL);
    printf("restore: killed at %d steps\n", killed);
    ck_assert_int_ge(killed, 5);
}
END_TEST

SUITE(backup)
{
    TCase *tc = suite_case(suite, "backup");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_backup_is_restored_with_every_job);
    tcase_add_test(tc, a_backup_beside_an_open_store_has_what_was_acknowledged);
    tcase_add_test(tc, a_backup_that_cannot_be_made_leaves_nothing);
    tcase_add_test(tc, a_damaged_store_gives_no_backup);
    tcase_add_test(tc, a_backup_that_has_changed_is_not_restored);
    tcase_add_test(tc, a_file_without_a_manifest_is_restored_where_that_is_wished);
    tcase_add_test(tc, a_data_directory_is_not_taken_for_a_backup);
    tcase_add_test(tc, a_signal_ends_a_backup_cleanly);
    tcase_add_test(tc, a_backup_killed_at_any_step_is_whole_or_not_there);
    tcase_add_test(tc, a_restore_killed_at_any_step_is_whole_or_not_there);
}
