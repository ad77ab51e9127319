/* Ensembles in process: the document with its members' summaries, as a worker of the service runs a
 * range. */
#include "bench/peers/ensemble.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/prepared_job.h"
#include "core/base/clock.h"

enum { ARENA_MOST = 64 << 20 };
static const double SPREAD = 1e-3;

typedef struct Sum {
    size_t steps_column;
    double steps;
} Sum;

static Status add_steps(void *self, uint64_t k, const double *row, const char *reason,
                        const char *message, Error *err)
{
    Sum *sum = self;
    (void)err;
    if (reason) {
        fprintf(stderr, "bench: member %llu: %s: %s\n", (unsigned long long)k, reason,
                message ? message : "");
        exit(EXIT_FAILURE);
    }
    sum->steps += row[sum->steps_column];
    return OK;
}

/* The first velocity that is not zero is varied; the others follow the constraints. */
static char *write_document(const Problem *problem, double tolerance, unsigned members)
{
    cJSON *job = cJSON_Parse(problem->document), *initial = cJSON_GetObjectItem(job, "initial");
    const cJSON *v = cJSON_GetObjectItem(initial, "v")->child;
    cJSON *time = cJSON_AddObjectToObject(job, "time");
    cJSON *integrator = cJSON_AddObjectToObject(job, "integrator");
    char path[64];

    while (v->next && v->valuedouble == 0)
        v = v->next;
    snprintf(path, sizeof path, "initial.v.%s", v->string);
    cJSON *range = cJSON_AddObjectToObject(cJSON_AddObjectToObject(job, "vary"), path);
    cJSON_AddNumberToObject(range, "from", v->valuedouble * (1 - SPREAD / 2));
    cJSON_AddNumberToObject(range, "to", v->valuedouble * (1 + SPREAD / 2));
    cJSON_AddNumberToObject(range, "count", members);
    cJSON_AddStringToObject(initial, "consistency", "project");
    cJSON_AddNumberToObject(time, "end", problem->end);
    cJSON_AddNumberToObject(time, "samples", 2);
    cJSON_AddStringToObject(integrator, "method", "dop853");
    cJSON_AddNumberToObject(integrator, "rtol", tolerance);
    cJSON_AddNumberToObject(integrator, "atol", tolerance);
    char *text = cJSON_PrintUnformatted(job);
    cJSON_Delete(job);
    return text;
}

static double turn(Ensemble *ensemble, unsigned members, Sum *sum)
{
    const EnsembleSink sink = {.self = sum, .member = add_steps};
    uint64_t done = 0;
    Error err = {0};
    const double start = clock_seconds();

    sum->steps = 0;
    if (ensemble_run(ensemble, 0, members, &sink, &done, &err) != OK || done != members) {
        fprintf(stderr, "bench: %s\n", err.message);
        exit(EXIT_FAILURE);
    }
    return (clock_seconds() - start) / members;
}

double ensemble_seconds(const Problem *problem, double tolerance, unsigned members, int turns,
                        double *ret_steps)
{
    char *document = write_document(problem, tolerance, members);
    const JobSource source = {.bytes = document, .size = strlen(document)};
    const JobSetting setting = {0};
    Arena *arena = arena_new(ARENA_MOST);
    const char *const *columns;
    double least = INFINITY;
    PreparedJob job = {0};
    Diagnostics diag;
    Error err = {0};
    Sum sum = {0};

    /* ready to run; a problem that cannot be is a mistake here */
    if (!arena)
        abort();
    diagnostics_init(&diag, arena);
    if (prepared_job_init(&job, &setting, &source, arena, &diag, NULL, &err) != OK) {
        fprintf(stderr, "bench: %s: %s\n", problem->id,
                diag.count > 0 ? diag.items[0].message : err.message);
        exit(EXIT_FAILURE);
    }
    /* where a member's row has its steps; then the turns */
    const size_t n = ensemble_columns(job.ensemble, &columns);
    while (sum.steps_column + 1 < n && strcmp(columns[sum.steps_column], "steps") != 0)
        sum.steps_column++;
    for (int k = 0; k < turns; k++)
        least = fmin(least, turn(job.ensemble, members, &sum));
    *ret_steps = sum.steps / members;
    prepared_job_done(&job);
    arena_free(arena);
    free(document);
    return least;
}
