/* Prepared jobs between their submission and their run: each taken once, the oldest leave first. */
#include "tests/suite.h"

#include <string.h>

#include "api/prepared_jobs.h"

static const char DOCUMENT[] =
    "{\"model\": {\"name\": \"o\", \"coordinates\": [\"x\"], "
    "\"lagrangian\": \"dot(x)^2/2 - x^2/2\"}, \"initial\": {\"q\": {\"x\": 1}, \"v\": {\"x\": 0}}, "
    "\"time\": {\"end\": 1, \"samples\": 11}}";

/* The request's memory is gone when the job is run. */
static PreparedJob prepare(void)
{
    const JobSetting setting = {0};
    const JobSource source = {.bytes = DOCUMENT, .size = strlen(DOCUMENT)};
    Arena *arena = arena_new((size_t)1 << 20);
    Diagnostics diag;
    PreparedJob job;
    diagnostics_init(&diag, arena);
    ck_assert_int_eq(prepared_job_init(&job, &setting, &source, arena, &diag, NULL, NULL), OK);
    arena_free(arena);
    return job;
}

static bool keep(PreparedJobs *jobs, const char *id, size_t size, size_t n_warnings)
{
    PreparedJob job = prepare();
    job.input.n_warnings = n_warnings;
    prepared_jobs_keep(jobs, id, size, &job);
    const bool kept = !job.simulation;
    ck_assert(kept == !job.compiled);
    prepared_job_done(&job);
    return kept;
}

static bool take(PreparedJobs *jobs, const char *id)
{
    PreparedJob job;
    if (!prepared_jobs_take(jobs, id, &job))
        return false;
    ck_assert_uint_eq(simulation_n_samples(job.simulation), 11);
    ck_assert_uint_eq(job.input.n_warnings, 0);
    prepared_job_done(&job);
    return true;
}

START_TEST(a_prepared_job_is_taken_once)
{
    PreparedJobs *jobs = prepared_jobs_new(2);
    ck_assert(keep(jobs, "a", 100, 0));
    ck_assert(!take(jobs, "b"));
    ck_assert(take(jobs, "a"));
    ck_assert(!take(jobs, "a"));
    ck_assert_uint_eq(prepared_jobs_taken(jobs), 1);
    prepared_jobs_free(jobs);
}
END_TEST

START_TEST(the_oldest_prepared_job_leaves)
{
    PreparedJobs *jobs = prepared_jobs_new(2);
    ck_assert(keep(jobs, "a", 100, 0) && keep(jobs, "b", 100, 0) && keep(jobs, "c", 100, 0));
    ck_assert(!take(jobs, "a"));
    ck_assert(take(jobs, "c"));
    prepared_jobs_free(jobs); /* with b */
}
END_TEST

START_TEST(what_is_large_or_warned_of_is_prepared_again)
{
    PreparedJobs *jobs = prepared_jobs_new(2);
    ck_assert(!keep(jobs, "a", 100000, 0));
    ck_assert(!keep(jobs, "b", 100, 1));
    ck_assert(!keep(NULL, "c", 100, 0));
    ck_assert(!take(jobs, "a") && !take(jobs, "b") && !take(NULL, "c"));
    prepared_jobs_free(jobs);
}
END_TEST

SUITE(prepared_jobs)
{
    TCase *tc = suite_case(suite, "prepared_jobs");
    tcase_add_test(tc, a_prepared_job_is_taken_once);
    tcase_add_test(tc, the_oldest_prepared_job_leaves);
    tcase_add_test(tc, what_is_large_or_warned_of_is_prepared_again);
}
