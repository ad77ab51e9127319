/* Data directories of earlier formats, each written by the program of its time and killed while a
 * job ran, are carried on with. */
#include <stdio.h>
#include <sys/stat.h>

#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
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

/* A copy of tests/db/old/format-N in place of the store. */
static void copy_old(int format)
{
    char from[100], to[100];
    store_close(f.store);
    f.store = NULL;
    snprintf(from, sizeof from, "tests/db/old/format-%d/dalembert.db", format);
    snprintf(to, sizeof to, "%s/dalembert.db", f.directory);
    copy_file(from, to);
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

static const char MODEL[] = "5ed5df56b0c615f63bf444b24520ab21527a8ae8ac6da1e41931b5b68d27c619";

START_TEST(jobs_and_results_of_an_older_format_are_there)
{
    ResultBlock block;
    const char *text;
    open_old(_i);
    const JobRecord job = get_job(&f, "01a20248-861a-7484-9ee7-693afc1aba07");
    ck_assert_int_eq(job.state, JOB_SUCCEEDED);
    ck_assert_uint_eq(job.rows, 41);
    ck_assert_str_eq(job.labels, "{\"kind\":\"old\"}");
    ck_ok(store_result_block(f.store, job.id, -1, 40, f.arena, &block, err));
    ck_assert_uint_eq(block.n_rows, 41);
    ck_assert(block.rows[40 * 3] == 4.0);
    ck_ok(store_job_document(f.store, job.id, JOB_INVARIANTS, f.arena, &text, err));
    ck_assert_ptr_nonnull(strstr(text, "\"energy\""));
    ck_assert_int_eq(get_job(&f, "01a20248-861e-7150-ba0d-274c7ae022ec").state, JOB_FAILED);
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
    copy_old(_i);
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_eq(report.format, _i);
    ck_assert_uint_eq(report.kinds[STORED_BLOCKS].unchecked, 4);
    ck_assert_uint_eq(report.kinds[STORED_MODELS].unchecked, 1);
    ck_ok(store_open(&f.options, &f.store, err));
    add_job(&f, "{}");
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_eq(report.format, SCHEMA_NEWEST);
    ck_assert_uint_eq(report.kinds[STORED_REQUESTS].unchecked, 4);
    ck_assert_uint_eq(report.kinds[STORED_REQUESTS].sound, 1);
}
END_TEST

START_TEST(a_copy_of_an_older_format_is_kept_where_it_is_wished)
{
    char path[100], back[140];
    const ReportSink sink = {NULL, on_damage};
    StoreReport report;
    copy_old(_i);
    f.options.copy_old = true;
    ck_ok(store_open(&f.options, &f.store, err));
    fixture_reopen(&f); /* of the newest format no copy is made */
    store_close(f.store);
    f.store = NULL;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    snprintf(back, sizeof back, "%s.format-%d", path, _i);
    ck_assert_int_eq(rename(back, path), 0);
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_eq(report.format, _i);
    ck_assert_uint_eq(report.kinds[STORED_REQUESTS].unchecked, 4);
    ck_ok(store_open(&f.options, &f.store, err));
}
END_TEST

START_TEST(the_queue_of_an_older_format_is_carried_on_with)
{
    ModelRecord model;
    open_old(_i);
    /* the one that nobody has run yet, then the one whose process died */
    JobLease lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, "01a20248-868c-774f-b29b-9e24a73afb6c");
    finish_job(&f, &lease, JOB_SUCCEEDED);
    lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, "01a20248-8621-7331-9f8f-74c0002f3034");
    ck_assert_uint_eq(lease.job.attempt, 2);
    /* its stored model is kept when it is deleted now */
    ck_ok(store_model_delete(f.store, MODEL, err));
    ck_ok(store_model_kept(f.store, MODEL, f.arena, &model, err));
    fixture_reopen(&f);
}
END_TEST

SUITE(old)
{
    TCase *tc = suite_case(suite, "old");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, jobs_and_results_of_an_older_format_are_there, 1, 2);
    tcase_add_loop_test(tc, an_older_format_is_verified_as_it_is_and_after_its_steps, 1, 2);
    tcase_add_loop_test(tc, a_copy_of_an_older_format_is_kept_where_it_is_wished, 1, 2);
    tcase_add_loop_test(tc, the_queue_of_an_older_format_is_carried_on_with, 1, 2);
}
