/* Data directories of earlier formats, each written by the program of its time and killed while a
 * job ran, are carried on with. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
#include "tests/db/killing.h"
#include "tests/suite.h"

static Fixture f;

static void copy_file(const char *from, const char *to)
{
    char bytes[4096];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    ck_assert_msg(in && out, "%s to %s", from, to);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
        ck_assert_uint_eq(fwrite(bytes, 1, n, out), n);
    fclose(in);
    ck_assert_int_eq(fclose(out), 0);
}

/* A copy of a store in tests/db/old in place of the test's. */
static void copy_store(const char *name)
{
    char from[100], to[100];
    store_close(f.store);
    f.store = NULL;
    snprintf(from, sizeof from, "tests/db/old/%s/dalembert.db", name);
    snprintf(to, sizeof to, "%s/dalembert.db", f.directory);
    copy_file(from, to);
}

static void copy_old(int format)
{
    char name[20];
    snprintf(name, sizeof name, "format-%d", format);
    copy_store(name);
}

static void open_old(int format)
{
    copy_old(format);
    ck_ok(store_open(&f.options, &f.store, err));
}

static void setup(void)
{
    fixture_init(&f);
}

static void teardown(void)
{
    fixture_done(&f);
}

static const int FORMATS[] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17};
enum { N_FORMATS = sizeof FORMATS / sizeof FORMATS[0] };

/* The newest job in a state. */
static JobRecord one_of(JobState state)
{
    bool more;
    const JobFilter filter = {.by_state = true, .state = state, .since = -1, .limit = 1};
    JobRecord *jobs;
    size_t n;
    ck_ok(store_job_list(default_tenant(f.store), &filter, f.arena, &jobs, &n, &more, err));
    ck_assert_uint_eq(n, 1);
    return jobs[0];
}

static const char MODEL[] = "5ed5df56b0c615f63bf444b24520ab21527a8ae8ac6da1e41931b5b68d27c619";

START_TEST(jobs_and_results_of_an_older_format_are_there)
{
    ResultBlock block;
    const char *text;
    open_old(FORMATS[_i]);
    const JobRecord job = one_of(JOB_SUCCEEDED);
    ck_assert_uint_eq(job.rows, 41);
    ck_assert((job.digest != NULL) == (FORMATS[_i] >= 13) && job.not_after_ms == 0);
    ck_assert_str_eq(job.labels, "{\"kind\":\"old\"}");
    ck_assert_ptr_null(job.trace.request_id);
    ck_ok(store_result_block(default_tenant(f.store), job.id, -1, 40, f.arena, &block, err));
    ck_assert_uint_eq(block.n_rows, 41);
    ck_assert(block.rows[40 * 3] == 4.0);
    ck_ok(store_job_document(default_tenant(f.store), job.id, JOB_INVARIANTS, f.arena, &text, err));
    ck_assert_ptr_nonnull(strstr(text, "\"energy\""));
    ck_assert_str_eq(one_of(JOB_FAILED).reason, "limit");
    ck_assert_uint_eq(store_job_cell(f.store, job.id), 0);
}
END_TEST

static void on_damage(void *self, const char *what)
{
    (void)self;
    ck_abort_msg("%s", what);
}

START_TEST(an_older_format_is_verified_as_it_is_and_after_its_steps)
{
    const ReportSink sink = {NULL, on_damage};
    StoreReport report;
    copy_old(FORMATS[_i]);
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_eq(report.format, FORMATS[_i]);
    const bool checked = FORMATS[_i] >= 3;
    ck_assert_uint_eq(report.kinds[STORED_BLOCKS].unchecked, checked ? 0 : 4);
    ck_assert_uint_eq(report.kinds[STORED_MODELS].unchecked, checked ? 0 : 1);
    ck_assert_uint_eq(report.kinds[STORED_MODELS].sound, checked ? 1 : 0);
    ck_assert_uint_eq(report.kinds[STORED_JOBS].unchecked, FORMATS[_i] >= 6 ? 0 : 4);
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_int_eq(store_opening(f.store)->from, FORMATS[_i]);
    ck_assert(!store_opening(f.store)->copied);
    add_job(&f, "{}");
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_eq(report.format, SCHEMA_NEWEST);
    ck_assert_uint_eq(report.kinds[STORED_REQUESTS].unchecked, checked ? 0 : 4);
    ck_assert_uint_eq(report.kinds[STORED_REQUESTS].sound, checked ? 5 : 1);
    const bool rows = FORMATS[_i] >= 5;
    ck_assert_uint_eq(report.kinds[STORED_JOBS].unchecked, rows ? 0 : 4);
    ck_assert_uint_eq(report.kinds[STORED_JOBS].sound, rows ? 5 : 1);
}
END_TEST

START_TEST(a_copy_of_an_older_format_is_kept_where_it_is_wished)
{
    char path[100], back[140];
    struct stat info;
    const ReportSink sink = {NULL, on_damage};
    StoreReport report;
    copy_old(FORMATS[_i]);
    f.options.copy_old = true;
    ck_ok(store_open(&f.options, &f.store, err));
    const StoreOpening *opening = store_opening(f.store);
    ck_assert_int_eq(opening->from, FORMATS[_i]);
    ck_assert_int_eq(opening->to, SCHEMA_NEWEST);
    ck_assert(opening->copied);
    fixture_reopen(&f); /* of the newest format no copy is made */
    ck_assert_int_eq(store_opening(f.store)->from, 0);
    store_close(f.store);
    f.store = NULL;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    snprintf(back, sizeof back, "%s.format-%d", path, FORMATS[_i]);
    ck_assert_int_eq(stat(back, &info), 0);
    ck_assert_uint_eq(info.st_mode & 0777, 0600);
    ck_assert_int_eq(rename(back, path), 0);
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_eq(report.format, FORMATS[_i]);
    ck_assert_uint_eq(report.kinds[STORED_REQUESTS].unchecked + report.kinds[STORED_REQUESTS].sound,
                      4);
    ck_ok(store_open(&f.options, &f.store, err));
}
END_TEST

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* What a kill leaves in the copy, behind it, and what an earlier upgrade has left. */
START_TEST(a_copy_that_is_there_is_replaced_only_by_the_same)
{
    char path[100], back[140], part[150];
    struct stat info;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    snprintf(back, sizeof back, "%s.format-16", path);
    snprintf(part, sizeof part, "%s.part", back);
    f.options.copy_old = true;
    /* a part of a copy is no obstacle */
    copy_old(16);
    write_file(part, "SQLite format 3");
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_int_ne(stat(part, &info), 0);
    ck_assert_int_eq(stat(back, &info), 0);
    /* nor is the same copy */
    copy_old(16);
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_int_eq(store_opening(f.store)->from, 16);
    /* another one stays, and so does the older file */
    copy_old(16);
    write_file(back, "of an earlier upgrade");
    Error error = {0};
    ck_assert_int_eq(store_open(&f.options, &f.store, &error), ERR_CONFLICT);
    ck_assert_msg(strstr(error.message, back) != NULL, "%s", error.message);
    ck_assert_int_eq(stat(back, &info), 0);
    ck_assert_int_eq(info.st_size, strlen("of an earlier upgrade"));
    ck_assert_int_ne(stat(part, &info), 0);
    ck_assert_int_eq(unlink(back), 0);
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_int_eq(store_opening(f.store)->from, 16);
}
END_TEST

START_TEST(the_queue_of_an_older_format_is_carried_on_with)
{
    ModelRecord model;
    open_old(FORMATS[_i]);
    /* the one that nobody has run yet, then the one whose process died */
    JobLease lease = claim_job(&f);
    ck_assert_uint_eq(lease.job.attempt, 1);
    ck_assert_ptr_nonnull(strstr(lease.request, MODEL));
    finish_job(&f, &lease, JOB_SUCCEEDED);
    lease = claim_job(&f);
    ck_assert_uint_eq(lease.job.attempt, 2);
    /* its stored model is kept when it is deleted now */
    ck_ok(store_model_delete(default_tenant(f.store), MODEL, err));
    ck_ok(store_model_kept(default_tenant(f.store), MODEL, f.arena, &model, err));
    fixture_reopen(&f);
}
END_TEST

static int open_and_close(void *argument)
{
    Store *store;
    (void)argument;
    const Status status = store_open(&f.options, &store, NULL);
    if (status == OK)
        store_close(store);
    return status == OK ? 0 : 1;
}

/* A kill leaves one of the formats on the way, whole; the next start goes on from there. */
START_TEST(a_migration_killed_at_any_step_loses_nothing)
{
    enum { KILLS = 12, MANY_KILLS = 60 };
    const Killing killing = {.body = open_and_close, .in_the_middle = true};
    const ReportSink sink = {NULL, on_damage};
    const int kills = getenv("POINTS") ? MANY_KILLS : KILLS;
    int steps, code, killed = 0;
    bool goes_on = true;
    copy_old(FORMATS[_i]);
    ck_assert(!killed_at(&killing, 0, &code, &steps));
    ck_assert_int_eq(code, 0);
    const int stride = (steps + kills - 1) / kills;
    for (int n = 1; goes_on; n += stride) {
        StoreReport report;
        remove_directory(f.directory);
        ck_assert_int_eq(mkdir(f.directory, 0700), 0);
        copy_old(FORMATS[_i]);
        goes_on = killed_at(&killing, n, &code, &steps);
        killed += goes_on;
        ck_ok(store_verify(f.directory, &sink, &report, err));
        ck_assert_int_ge(report.format, FORMATS[_i]);
        ck_ok(store_open(&f.options, &f.store, err));
        ck_assert_uint_eq(one_of(JOB_SUCCEEDED).rows, 41);
        ck_assert_str_eq(one_of(JOB_FAILED).reason, "limit");
        store_close(f.store);
        f.store = NULL;
    }
    ck_assert_int_ge(killed, kills / 2);
}
END_TEST

/* One has ended, with 17 of its 40 members failed; of the other 64 of 128 members had, when its
 * process was killed. */
START_TEST(ensembles_of_format_7_are_carried_on_with)
{
    const ReportSink sink = {NULL, on_damage};
    StoreReport report;
    MemberText *said;
    const char *text;
    size_t n;
    copy_store("format-7-ensembles");
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_eq(report.format, 7);
    ck_ok(store_open(&f.options, &f.store, err));
    const JobRecord ended = one_of(JOB_SUCCEEDED);
    ck_assert_uint_eq(ended.members.failed, 17);
    ck_ok(store_job_document(default_tenant(f.store), ended.id, JOB_DIAGNOSTICS, f.arena, &text,
                             err));
    ck_assert_ptr_nonnull(strstr(text, "the limit of 150 steps"));
    const JobLease lease = claim_job(&f);
    ck_assert(lease.in_units);
    ck_assert_uint_eq(lease.job.members.done, 64);
    ck_ok(store_member_texts(default_tenant(f.store), lease.job.id, 0, MEMBER_TEXTS_MAX, f.arena,
                             &said, &n, err));
    ck_assert_uint_eq(n, 0);
    UnitLease unit;
    ck_ok(store_unit_claim(f.store, lease.job.id, 1, &unit, err));
    ck_assert_uint_ge(unit.first, 64);
    ck_ok(store_unit_release(f.store, lease.job.id, unit.token, err));
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_eq(report.format, SCHEMA_NEWEST);
}
END_TEST

SUITE(old)
{
    TCase *tc = suite_case(suite, "old");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, jobs_and_results_of_an_older_format_are_there, 0, N_FORMATS);
    tcase_add_loop_test(tc, an_older_format_is_verified_as_it_is_and_after_its_steps, 0, N_FORMATS);
    tcase_add_loop_test(tc, a_copy_of_an_older_format_is_kept_where_it_is_wished, 0, N_FORMATS);
    tcase_add_test(tc, a_copy_that_is_there_is_replaced_only_by_the_same);
    tcase_add_loop_test(tc, the_queue_of_an_older_format_is_carried_on_with, 0, N_FORMATS);
    tcase_add_loop_test(tc, a_migration_killed_at_any_step_loses_nothing, N_FORMATS - 2, N_FORMATS);
    tcase_add_test(tc, ensembles_of_format_7_are_carried_on_with);
}
