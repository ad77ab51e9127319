/* Jobs of this program, in process: the document with its compiled model in the cache, as a worker
 * of the service meets it. The time is that of the integration, with all evidence and two samples;
 * what comes before and after is told apart (job_parts). */
#include "bench/peers/dalembert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/prepared_job.h"
#include "bench/peers/bare.h"
#include "core/base/clock.h"

enum { DOCUMENT_MOST = 8192, ARENA_MOST = 64 << 20 };

static Status no_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    (void)self, (void)table, (void)rows, (void)n_rows, (void)err;
    return OK;
}

static void write_document(const Problem *problem, const JobShape *shape, char *ret)
{
    snprintf(ret, DOCUMENT_MOST,
             "%.*s,\"time\":{\"end\":%.17g,\"samples\":2},"
             "\"integrator\":{\"method\":\"%s\",\"rtol\":%.17g,\"atol\":%.17g}}",
             (int)strlen(problem->document) - 1, problem->document, shape->end, shape->method,
             shape->tolerance, shape->tolerance);
}

static void keep_result(const SimulationResult *result, JobParts *ret)
{
    ret->done = result->end.complete;
    ret->integrate = result->provenance.seconds_integrate;
    ret->analyse = result->provenance.seconds_analyse;
    ret->work = (Work){result->steps.accepted + result->steps.rejected, result->steps.evaluations};
    memcpy(ret->q, result->final.q, result->final.n * sizeof *ret->q);
    memcpy(ret->v, result->final.v, result->final.n * sizeof *ret->v);
}

JobParts job_parts(const Problem *problem, const JobShape *shape, CompiledCache *cache)
{
    const JobSetting setting = {.cache = cache};
    const SimulationSink sink = {.rows = no_rows};
    char document[DOCUMENT_MOST];
    JobParts parts = {0};
    Diagnostics diag;
    PreparedJob job = {0};
    SimulationResult result;
    Error err = {0};

    /* from the text to a job that is ready, and to its result */
    write_document(problem, shape, document);
    const double start = clock_seconds();
    Arena *arena = arena_new(ARENA_MOST);
    if (!arena)
        abort();
    diagnostics_init(&diag, arena);
    const JobSource source = {.bytes = document, .size = strlen(document)};
    Status status = prepared_job_init(&job, &setting, &source, arena, &diag, NULL, &err);
    parts.prepare = clock_seconds() - start;
    if (status == OK && shape->bare_rounds > 0)
        parts.bare_step = bare_step_seconds(job.simulation, shape->bare_rounds);
    if (status == OK)
        status = simulation_run(job.simulation, &sink, &result, &err);
    parts.whole = clock_seconds() - start;
    /* a problem that cannot be run is a mistake here */
    if (status != OK) {
        fprintf(stderr, "bench: %s: %s\n", problem->id,
                diag.count > 0 ? diag.items[0].message : err.message);
        exit(EXIT_FAILURE);
    }
    keep_result(&result, &parts);
    prepared_job_done(&job);
    arena_free(arena);
    return parts;
}

static bool integrate(const Problem *problem, const char *method, double tolerance, double *q,
                      double *v, double *ret_seconds, Work *ret_work)
{
    static CompiledCache *cache; /* until the process ends */
    const JobShape shape = {.method = method, .tolerance = tolerance, .end = problem->end};

    if (!cache && !(cache = compiled_cache_new(16)))
        abort();
    const JobParts parts = job_parts(problem, &shape, cache);
    memcpy(q, parts.q, problem->n * sizeof *q);
    memcpy(v, parts.v, problem->n * sizeof *v);
    *ret_seconds = parts.integrate;
    *ret_work = parts.work;
    return parts.done;
}

bool dalembert_dop853(const Problem *problem, double tolerance, double *q, double *v,
                      double *ret_seconds, Work *ret_work)
{
    return integrate(problem, "dop853", tolerance, q, v, ret_seconds, ret_work);
}

bool dalembert_bdf(const Problem *problem, double tolerance, double *q, double *v,
                   double *ret_seconds, Work *ret_work)
{
    return integrate(problem, "bdf", tolerance, q, v, ret_seconds, ret_work);
}
