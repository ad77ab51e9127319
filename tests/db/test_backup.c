/* Online copies: one moment of a store that goes on, no step done twice, nothing written to the
 * source; and directories that appear whole or not at all. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/stop_token.h"
#include "db/backup.h"
#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
#include "tests/suite.h"

enum { MIB = 1 << 20, COLUMNS = 16, CHUNK_ROWS = MIB / 8 / COLUMNS };

static Fixture f;
static char target[100], part[110]; /* of a copy */

static void setup(void)
{
    fixture_init(&f);
    snprintf(target, sizeof target, "%s-copy", f.directory);
    snprintf(part, sizeof part, "%s.part", target);
}

static void teardown(void)
{
    fixture_done(&f);
    remove_directory(target);
    remove_directory(part);
}

static double value_of(uint64_t row, size_t column)
{
    return column ? 0.5 * (double)row + (double)column : (double)row;
}

/* A job that has succeeded with a result of so many MiB. */
static JobRecord add_large(int mib)
{
    static double rows[CHUNK_ROWS][COLUMNS];
    add_job(&f, "{}");
    const JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, lease.job.id, lease.token, "[]", NULL, err));
    for (int i = 0; i < mib; i++) {
        for (int k = 0; k < CHUNK_ROWS; k++)
            for (size_t c = 0; c < COLUMNS; c++)
                rows[k][c] = value_of((uint64_t)i * CHUNK_ROWS + (uint64_t)k, c);
        ck_ok(store_result_append(f.store, lease.job.id, lease.token, -1, *rows, CHUNK_ROWS,
                                  COLUMNS, err));
    }
    finish_job(&f, &lease, JOB_SUCCEEDED);
    return get_job(&f, lease.job.id);
}

static void check_rows(Store *store, const JobRecord *job)
{
    for (uint64_t row = 0; row < job->rows;) {
        ResultBlock block;
        ck_ok(store_result_block(default_tenant(store), job->id, -1, row, f.arena, &block, err));
        for (uint64_t i = 0; i < block.n_rows; i++)
            for (size_t c = 0; c < COLUMNS; c++)
                ck_assert_double_eq(block.rows[i * COLUMNS + c], value_of(row + i, c));
        row += block.n_rows;
    }
}

/* The whole way of a copy, to `target`. */
static CopyFacts make_copy(CopyOptions options)
{
    Staging staging;
    CopyFacts facts;
    ck_ok(staging_begin(&staging, target, false, err));
    options.source = f.directory;
    options.target = staging.part;
    ck_ok(store_copy(&options, &facts, err));
    ck_ok(staging_publish(&staging, err));
    return facts;
}

static void ignore(void *self, const char *what)
{
    (void)self;
    printf("backup: %s\n", what);
}

static void check_sound(const char *directory)
{
    const ReportSink sink = {NULL, ignore};
    StoreReport report;
    ck_ok(store_verify(directory, &sink, &report, err));
    ck_assert_uint_eq(report.structure, 0);
    for (int kind = 0; kind < STORED_KINDS; kind++)
        ck_assert_uint_eq(report.kinds[kind].damaged, 0);
}

static Store *open_copy(void)
{
    const StoreOptions options = {.directory = target};
    Store *store;
    ck_ok(store_open(&options, &store, err));
    return store;
}

static off_t size_in(const char *directory, const char *name)
{
    char path[160];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return stat(path, &info) == 0 ? info.st_size : -1;
}

START_TEST(a_copy_has_every_job_with_its_rows)
{
    const JobRecord large = add_large(3), queued = add_job(&f, "{\"a\":1}");
    const CopyFacts facts = make_copy((CopyOptions){0});
    ck_assert_int_eq(facts.format, SCHEMA_NEWEST);
    ck_assert_int_eq(facts.revision, store_revision(default_tenant(f.store)));
    ck_assert_uint_eq(facts.counts.queued, 1);
    ck_assert_uint_eq(facts.counts.succeeded, 1);
    check_sound(target);
    Store *store = open_copy();
    JobRecord job;
    const char *request;
    size_t size;
    ck_ok(store_job_get(default_tenant(store), large.id, f.arena, &job, err));
    ck_assert_uint_eq(job.rows, 3 * CHUNK_ROWS);
    check_rows(store, &job);
    ck_ok(store_job_request(default_tenant(store), queued.id, f.arena, &request, &size, err));
    ck_assert_str_eq(request, "{\"a\":1}");
    store_close(store);
}
END_TEST

/* A job is added in every step of the copy. */
typedef struct Beside {
    uint64_t steps, last, total;
} Beside;

static void add_beside(void *self, uint64_t done, uint64_t total)
{
    Beside *beside = self;
    ck_assert_uint_gt(done, beside->last); /* never begun anew */
    beside->last = done;
    beside->total = total;
    beside->steps++;
    add_job(&f, "{}");
}

START_TEST(a_copy_is_one_moment_of_a_store_that_goes_on)
{
    Beside beside = {0};
    JobRecord job;
    const JobRecord before = add_large(12);
    const int64_t revision = store_revision(default_tenant(f.store));
    const CopyFacts facts = make_copy((CopyOptions){.self = &beside, .progress = add_beside});
    ck_assert_uint_ge(beside.steps, 12);
    ck_assert_uint_eq(beside.steps, (beside.total + MIB - 1) / MIB);
    ck_assert_int_eq(facts.revision, revision);
    ck_assert_int_gt(store_revision(default_tenant(f.store)), revision);
    check_sound(target);
    Store *store = open_copy();
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(store), &counts, err));
    ck_assert_uint_eq(counts.succeeded, 1);
    ck_assert_uint_eq(counts.queued, 0);
    ck_ok(store_job_get(default_tenant(store), before.id, f.arena, &job, err));
    check_rows(store, &job);
    store_close(store);
}
END_TEST

START_TEST(a_copy_changes_nothing_of_the_source)
{
    add_large(2);
    const off_t file = size_in(f.directory, "dalembert.db"),
                log = size_in(f.directory, "dalembert.db-wal");
    const uint64_t commits = store_commits(f.store);
    ck_assert_int_gt(log, 2 * MIB); /* it would be in the file if the copy had checkpointed */
    make_copy((CopyOptions){0});
    ck_assert_int_eq(size_in(f.directory, "dalembert.db"), file);
    ck_assert_int_eq(size_in(f.directory, "dalembert.db-wal"), log);
    ck_assert_uint_eq(store_commits(f.store), commits);
}
END_TEST

START_TEST(a_store_that_nobody_has_open_is_copied)
{
    const JobRecord job = add_large(1);
    store_close(f.store);
    f.store = NULL;
    make_copy((CopyOptions){0});
    Store *store = open_copy();
    check_rows(store, &job);
    store_close(store);
    ck_ok(store_open(&f.options, &f.store, err));
    check_rows(f.store, &job);
}
END_TEST

static void copy_old(const char *name)
{
    char from[100], to[100], bytes[4096];
    snprintf(from, sizeof from, "tests/db/old/%s/dalembert.db", name);
    snprintf(to, sizeof to, "%s/dalembert.db", f.directory);
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    ck_assert(in && out);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
        ck_assert_uint_eq(fwrite(bytes, 1, n, out), n);
    fclose(in);
    fclose(out);
}

START_TEST(older_formats_are_copied_as_they_are)
{
    static const int FORMATS[] = {1, 5, 12};
    char name[20];
    store_close(f.store);
    f.store = NULL;
    snprintf(name, sizeof name, "format-%d", FORMATS[_i]);
    copy_old(name);
    const CopyFacts facts = make_copy((CopyOptions){0});
    ck_assert_int_eq(facts.format, FORMATS[_i]);
    ck_assert_uint_gt(facts.counts.succeeded, 0);
    check_sound(target);
}
END_TEST

START_TEST(a_rate_makes_pauses)
{
    ck_assert_double_eq(copy_pause(MIB, 0.5, 0), 0.002);
    ck_assert_double_eq(copy_pause(MIB, 0.5, MIB), 0.5);
    ck_assert_double_eq(copy_pause(3 * MIB, 0.5, MIB), 2.5);
    ck_assert_double_eq(copy_pause(MIB, 5, MIB), 0.002); /* the disk is slower */
}
END_TEST

static void note_first(void *self, uint64_t done, uint64_t total)
{
    uint64_t *first = self;
    ck_assert_uint_le(done, total);
    if (*first == 0)
        *first = done;
}

START_TEST(a_low_rate_holds_small_stores_too)
{
    uint64_t first = 0;
    add_large(2);
    make_copy((CopyOptions){.rate = 4 * MIB, .self = &first, .progress = note_first});
    ck_assert_uint_gt(first, 0);
    ck_assert_uint_le(first, 4 * MIB / 10);
}
END_TEST

static Status fail_to_copy(CopyOptions *options, Error *ret_said)
{
    Staging staging;
    CopyFacts facts;
    ck_ok(staging_begin(&staging, target, false, err));
    options->source = options->source ? options->source : f.directory;
    options->target = staging.part;
    const Status status = store_copy(options, &facts, ret_said);
    staging_drop(&staging);
    ck_assert_int_ne(access(target, F_OK), 0);
    ck_assert_int_ne(access(part, F_OK), 0);
    return status;
}

/* The disk is found too full after the second step. */
static void fill_disk(void *self, uint64_t done, uint64_t total)
{
    CopyOptions *options = self;
    (void)total;
    if (done >= 2 * MIB)
        options->disk_reserve = UINT64_MAX / 2;
}

START_TEST(below_the_reserve_a_copy_is_given_up)
{
    CopyOptions options = {.disk_reserve = UINT64_MAX / 2};
    add_large(4);
    ck_fails(fail_to_copy(&options, err), ERR_NO_SPACE);
    options = (CopyOptions){.disk_reserve = 1, .self = &options, .progress = fill_disk};
    ck_fails(fail_to_copy(&options, err), ERR_NO_SPACE);
}
END_TEST

static Status stop_at_third(void *self, Error *err)
{
    int *asked = self;
    return ++*asked < 3 ? OK : error_set(err, ERR_CANCELLED, "enough");
}

START_TEST(a_copy_stops_when_it_is_told_to)
{
    StopToken token;
    CopyOptions options = {0};
    int asked = 0;
    add_large(8);
    stop_token_begin(&token, stop_at_third, &asked);
    ck_fails(fail_to_copy(&options, err), ERR_CANCELLED);
    stop_token_end(&token);
    ck_assert_int_eq(asked, 3);
}
END_TEST

START_TEST(verifying_stops_when_it_is_told_to)
{
    const ReportSink sink = {NULL, ignore};
    StoreReport report;
    StopToken token;
    int asked = 2; /* the first time is the third */
    for (int i = 0; i < 100; i++)
        add_job(&f, "{}");
    stop_token_begin(&token, stop_at_third, &asked);
    ck_fails(store_verify(f.directory, &sink, &report, err), ERR_CANCELLED);
    stop_token_end(&token);
}
END_TEST

START_TEST(a_directory_without_a_store_is_named)
{
    CopyOptions options = {.source = "/nonexistent"};
    char path[100];
    Error said = {0};
    ck_fails(fail_to_copy(&options, err), ERR_NOT_FOUND);
    store_close(f.store);
    f.store = NULL;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_assert_int_eq(truncate(path, 0), 0);
    snprintf(path, sizeof path, "%s/dalembert.lock", f.directory);
    ck_assert_int_eq(unlink(path), 0); /* it tells that there was a store */
    options = (CopyOptions){0};
    ck_assert_int_eq(fail_to_copy(&options, &said), ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(said.message, "no dalembert store in"));
    ck_assert_ptr_nonnull(strstr(said.message, f.directory));
}
END_TEST

static void write_in(const char *directory, const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fclose(file);
}

START_TEST(a_directory_appears_whole_under_its_name)
{
    Staging staging;
    struct stat info;
    char named[120];
    snprintf(named, sizeof named, "%s//", target);
    ck_ok(staging_begin(&staging, named, false, err));
    ck_assert_str_eq(staging.part, part);
    ck_ok(staging_write(&staging, "manifest.json", "{}\n", err));
    write_in(part, "dalembert.db-wal"); /* of a database that was read */
    ck_assert_int_ne(access(target, F_OK), 0);
    ck_ok(staging_publish(&staging, err));
    staging_drop(&staging);
    ck_assert_int_ne(access(part, F_OK), 0);
    ck_assert_int_eq(size_in(target, "manifest.json"), 3);
    ck_assert_int_eq(size_in(target, "dalembert.db-wal"), -1);
    ck_assert_int_eq(stat(target, &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0700);
}
END_TEST

START_TEST(what_is_there_is_not_replaced)
{
    Staging staging;
    ck_fails(staging_begin(&staging, "", false, err), ERR_INVALID);
    ck_fails(staging_begin(&staging, "/nonexistent/below", false, err), ERR_IO);
    ck_assert_int_eq(mkdir(target, 0700), 0);
    ck_fails(staging_begin(&staging, target, false, err), ERR_CONFLICT);
    ck_ok(staging_begin(&staging, target, true, err)); /* it is empty */
    ck_ok(staging_write(&staging, "manifest.json", "{}", err));
    ck_ok(staging_publish(&staging, err));
    ck_fails(staging_begin(&staging, target, true, err), ERR_CONFLICT);
    ck_assert_int_eq(size_in(target, "manifest.json"), 2);
}
END_TEST

START_TEST(what_a_killed_process_has_left_is_taken_over)
{
    Staging staging;
    ck_assert_int_eq(mkdir(part, 0700), 0);
    write_in(part, "dalembert.db");
    write_in(part, "manifest.json");
    ck_ok(staging_begin(&staging, target, false, err));
    ck_assert_int_eq(size_in(part, "dalembert.db"), -1);
    staging_drop(&staging);
    ck_assert_int_ne(access(part, F_OK), 0);
    /* files that are not ours stay */
    ck_assert_int_eq(mkdir(part, 0700), 0);
    write_in(part, "a letter");
    ck_ok(staging_begin(&staging, target, false, err));
    staging_drop(&staging);
    ck_assert_int_eq(size_in(part, "a letter"), 0);
}
END_TEST

START_TEST(two_processes_do_not_fill_one_directory)
{
    Staging first, second;
    ck_ok(staging_begin(&first, target, false, err));
    ck_ok(staging_write(&first, "manifest.json", "{}", err));
    ck_fails(staging_begin(&second, target, false, err), ERR_CONFLICT);
    ck_assert_int_eq(size_in(part, "manifest.json"), 2);
    ck_ok(staging_publish(&first, err));
}
END_TEST

START_TEST(a_replaced_file_is_the_old_or_the_new_one)
{
    char path[120];
    snprintf(path, sizeof path, "%s/last_backup", f.directory);
    ck_ok(file_replace(path, "one\n", err));
    ck_ok(file_replace(path, "a second\n", err));
    ck_assert_int_eq(size_in(f.directory, "last_backup"), 9);
    ck_assert_int_eq(size_in(f.directory, "last_backup.part"), -1);
    ck_fails(file_replace("/nonexistent/last_backup", "x", err), ERR_IO);
}
END_TEST

SUITE(backup)
{
    TCase *tc = suite_case(suite, "copies");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_copy_has_every_job_with_its_rows);
    tcase_add_test(tc, a_copy_is_one_moment_of_a_store_that_goes_on);
    tcase_add_test(tc, a_copy_changes_nothing_of_the_source);
    tcase_add_test(tc, a_store_that_nobody_has_open_is_copied);
    tcase_add_loop_test(tc, older_formats_are_copied_as_they_are, 0, 3);
    tcase_add_test(tc, a_rate_makes_pauses);
    tcase_add_test(tc, a_low_rate_holds_small_stores_too);
    tcase_add_test(tc, below_the_reserve_a_copy_is_given_up);
    tcase_add_test(tc, a_copy_stops_when_it_is_told_to);
    tcase_add_test(tc, verifying_stops_when_it_is_told_to);
    tcase_add_test(tc, a_directory_without_a_store_is_named);
    tc = suite_case(suite, "staging");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_directory_appears_whole_under_its_name);
    tcase_add_test(tc, what_is_there_is_not_replaced);
    tcase_add_test(tc, what_a_killed_process_has_left_is_taken_over);
    tcase_add_test(tc, two_processes_do_not_fill_one_directory);
    tcase_add_test(tc, a_replaced_file_is_the_old_or_the_new_one);
}
