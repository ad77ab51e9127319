/* The service about itself: index, health, readiness, limits, metrics and the contract. */
#include <math.h>
#include <string.h>

#include "api/documents/batch.h"
#include "api/json/validate.h"
#include "api/json/writer.h"
#include "api/openapi.h"
#include "api/routes/common.h"
#include "api/routes/jobs_page.h"
#include "api/routes/routes.h"
#include "api/routes/ui.h"
#include "core/base/clock.h"
#include "core/ensemble/over_time.h"
#include "core/ensemble/sequences.h"
#include "core/exact/exact.h"
#include "core/expr/parse/parse.h"
#include "core/model/model.h"
#include "core/simulate.h"

/* The links of the index. */
static const struct {
    const char *name, *path, *what;
} DOORS[] = {
    {"jobs", "/v1/jobs", "submitted jobs; POST a job here"},
    {"models", "/v1/models", "stored models"},
    {"catalog", "/v1/catalog", "built-in systems, each with a job that is ready to post"},
    {"queue", "/v1/queue", "number of waiting jobs, and speed of the service"},
    {"limits", "/v1/limits", "every limit in force"},
    {"language", "/v1/language", "names for documents: functions, methods, analyses"},
    {"openapi", "/openapi.json", "the contract of this interface"},
    {"ready", "/readyz", "readiness of the service for jobs"},
    {"metrics", "/metrics", "counters for Prometheus"},
};

enum { N_DOORS = sizeof DOORS / sizeof DOORS[0] };

static void index_json(Text *out)
{
    JsonWriter writer;
    json_writer_init(&writer, out);
    json_open_object(&writer);
    json_member_string(&writer, "service", "dalembert");
    json_member_string(&writer, "version", DALEMBERT_VERSION);
    json_member_object(&writer, "links");
    for (size_t i = 0; i < N_DOORS; i++)
        json_member_string(&writer, DOORS[i].name, DOORS[i].path);
    json_close_object(&writer);
    json_close_object(&writer);
}

/* A first job: a pendulum. A test posts it. */
static const char FIRST_JOB[] = "{\"model\": {\n"
                                "   \"coordinates\": [\"a\"],\n"
                                "   \"parameters\": {\"g\": 9.81, \"l\": 1},\n"
                                "   \"lagrangian\": \"l^2*dot(a)^2/2 + g*l*cos(a)\"},\n"
                                " \"initial\": {\"q\": {\"a\": 2}},\n"
                                " \"time\": {\"end\": 10, \"samples\": 101}}\n";

/* The page of a program that was built without the web page. */
static void index_html(ApiResponse *res)
{
    Text *out = &res->body;
    reply_html(res);
    text_puts(out,
              "<title>dalembert</title>\n<h1>dalembert " DALEMBERT_VERSION "</h1>\n"
              "<p>Simulates constrained mechanical systems: send a model and a time interval as "
              "JSON, and get the motion with evidence of its accuracy.</p>\n<ul>\n");
    for (size_t i = 0; i < N_DOORS; i++)
        text_printf(out, "<li><a href=\"%s\">%s</a>: %s\n", DOORS[i].path, DOORS[i].path,
                    DOORS[i].what);
    text_printf(out,
                "</ul>\n<p>A first job, to POST to /v1/jobs (Content-Type: application/json):</p>\n"
                "<pre>%s</pre>\n</html>\n",
                FIRST_JOB);
}

Status service_index(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    const char *type = api_type(req);
    (void)ctx;
    api_add_header(res, "Vary", "Accept");
    if (type && strcmp(type, "text/html") == 0) {
        Status status = ui_page(req, res, err);
        if (status != ERR_NOT_FOUND)
            return status;
        index_html(res);
    } else {
        index_json(&res->body);
    }
    return OK;
}

/* Limits that no flag changes. */
static const ApiLimit FIXED_LIMITS[] = {
    {"coordinates", "count", "coordinates of a model, and values or expressions by coordinate",
     MODEL_MAX_COORDINATES},
    {"state", "count", "values by coordinate and velocity: integrator.nominal, set of an event",
     2 * MODEL_MAX_COORDINATES},
    {"linearise", "count", "coordinates of a model for linearise and initial.equilibrium",
     LINEARISE_MAX_COORDINATES},
    {"exact-steps", "count", "nodes of an expression in an exact test; a larger one is undecided",
     EXACT_MAX_STEPS},
    {"exact-unknowns", "count", "unknowns of a linear system in an exact test", EXACT_MAX_UNKNOWNS},
    {"exact-branches", "count", "independent branches of a function in an exact test",
     EXACT_MAX_CORNERS},
    {"exact-work", "count", "operations of an exact test over fields", EXACT_MAX_WORK},
    {"exact-piece", "count",
     "operations of one piece of a matrix of balls; a larger one is undecided", EXACT_MAX_PIECE},
    {"exact-bits", "bits", "precision of the balls that prove a counterexample", EXACT_MAX_BITS},
    {"constraints", "count", "constraints of a model, and values by constraint",
     MODEL_MAX_CONSTRAINTS},
    {"parameters", "count", "parameters of a model, and values by parameter", MODEL_MAX_PARAMETERS},
    {"definitions", "count", "definitions of a model", MODEL_MAX_DEFINITIONS},
    {"fields", "count", "vector fields of symmetries and of a frame", MODEL_MAX_COORDINATES},
    {"expression", "bytes", "one expression", PARSE_MAX_TEXT},
    {"expression-nesting", "count", "levels of parentheses and calls in an expression",
     PARSE_MAX_NESTING},
    {"json-nesting", "count", "levels of a document", JSON_MAX_DEPTH},
    {"json-values", "count",
     "values of a document, and numbers of a list: time.at, at of an event, "
     "vary, columns of a table",
     JSON_MAX_VALUES},
    {"json-names", "count", "member names of a document", JSON_MAX_NAMES},
    {"compare", "count", "formulations that a job is compared with", JOB_MAX_COMPARED},
    {"observe", "count", "observables of a job", JOB_MAX_OBSERVABLES},
    {"events", "count", "events of a job", JOB_MAX_EVENTS},
    {"analyses", "count", "analyses of a job", JOB_MAX_ANALYSES},
    {"sensitivities", "count", "numbers that columns are differentiated by", JOB_MAX_SENSITIVITIES},
    {"scene-items", "count", "items of a scene", SCENE_MAX_ITEMS},
    {"scene-frames", "count", "frames of a scene", SCENE_MAX_FRAMES},
    {"scene-turns", "count", "factors of a turn in a scene", SCENE_MAX_TURNS},
    {"scene-points", "count", "points of a polyline in a scene", SCENE_MAX_POINTS},
    {"scene-texts", "count",
     "expressions of a scene and figures, each sample of a curve or a surface counted",
     SCENE_MAX_TEXTS},
    {"scene-bytes", "bytes", "these expressions", SCENE_MAX_BYTES},
    {"figures", "count", "figures of a job or a model", DRAWING_MAX_FIGURES},
    {"figure-curves", "count", "curves of a figure", FIGURE_MAX_CURVES},
    {"guesses", "count", "guesses of a boundary problem", JOB_MAX_GUESSES},
    {"labels", "count", "labels of a job", JOB_MAX_LABELS},
    {"webhook-url", "bytes", "URL of a notification", WEBHOOK_URL_MAX},
    {"jobs-searched", "count", "jobs that a list by name looks at in one request", JOBS_SEARCHED},
    {"jobs-counted", "count", "jobs that include=counts counts with a filter", JOBS_COUNTED},
    {"batch", "count", "jobs of a batch; jobs that are cancelled or deleted at once", BATCH_MAX},
    {"columns", "count", "new observables in one request for a job that has run", OBSERVE_MOST},
    {"varied", "count", "paths that an ensemble varies", JOB_MAX_VARIED},
    {"saltelli", "count", "paths of a saltelli design", 0.5 * SOBOL_DIMENSIONS},
    {"reductions", "count", "reductions of an ensemble", JOB_MAX_REDUCTIONS},
    {"conditions", "count", "conditions of a label", JOB_MAX_CONDITIONS},
    {"over-time-columns", "count", "columns of ensemble.over_time", JOB_MAX_OVER_TIME},
    {"over-time", "count", "columns of ensemble.over_time times instants", OVER_TIME_CELLS_MAX},
};

static void put_limit(JsonWriter *writer, const ApiLimit *limit)
{
    json_member_object(writer, limit->name);
    json_member_number(writer, "value", limit->value);
    json_member_string(writer, "unit", limit->unit);
    json_member_string(writer, "what", limit->help);
    json_close_object(writer);
}

/* A configured limit, as it is for the tenant. */
static ApiLimit limit_of_tenant(const ApiLimit *limit, const TenantKeep *keep)
{
    const int64_t ms = strcmp(limit->name, "keep") == 0          ? keep->done_ms
                       : strcmp(limit->name, "keep-failed") == 0 ? keep->failed_ms
                                                                 : 0;
    ApiLimit found = *limit;
    if (ms)
        found.value = ms == KEEP_FOR_EVER ? 0.0 : (double)ms / 1e3;
    return found;
}

Status service_limits(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    JsonWriter writer;
    TenantKeep keep;
    (void)req;
    const Status status = store_tenant_keep(ctx->store, &keep, err);
    if (status != OK)
        return status;
    json_writer_init(&writer, &res->body);
    json_open_object(&writer);
    json_member_object(&writer, "limits");
    for (size_t i = 0; i < ctx->limits.n_published; i++) {
        const ApiLimit limit = limit_of_tenant(&ctx->limits.published[i], &keep);
        put_limit(&writer, &limit);
    }
    for (size_t i = 0; i < sizeof FIXED_LIMITS / sizeof FIXED_LIMITS[0]; i++)
        put_limit(&writer, &FIXED_LIMITS[i]);
    json_close_object(&writer);
    json_close_object(&writer);
    return OK;
}

Status service_language(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    (void)ctx;
    (void)err;
    language_write(&res->body);
    if (text_ok(&res->body) && reply_tagged(req, res, text_string(&res->body)))
        text_reset(&res->body);
    return OK;
}

Status service_queue(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    StoreCounts counts;
    ApiPace pace;
    JsonWriter writer;
    const bool all = sees_all(ctx, req) && !api_query(req, "tenant");
    const TenantStore of = {ctx->store.store, all ? TENANT_ALL : ctx->store.tenant};
    /* the store counts jobs, the host measures the pace */
    const int64_t oldest = store_oldest_queued(of), now = clock_unix_ms();
    Status status = store_counts(of, &counts, err);
    if (status != OK)
        return status;
    ctx->host.pace(ctx->host.self, &pace);
    if (!all) {
        pace.busy = counts.running < pace.workers ? (unsigned)counts.running : pace.workers;
        pace.seconds_per_job = 0;
    }
    json_writer_init(&writer, &res->body);
    json_open_object(&writer);
    json_member_unsigned(&writer, "queued", counts.queued);
    json_member_number(&writer, "oldest_seconds",
                       oldest > 0 && now > oldest ? (double)(now - oldest) / 1e3 : 0.0);
    json_member_unsigned(&writer, "running", counts.running);
    json_member_unsigned(&writer, "workers", pace.workers);
    json_member_unsigned(&writer, "busy", pace.busy);
    json_member_number(&writer, "seconds_per_job",
                       pace.seconds_per_job > 0 ? pace.seconds_per_job : (double)NAN);
    json_close_object(&writer);
    return OK;
}

Status service_live(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    (void)ctx;
    (void)req;
    (void)err;
    text_puts(&res->body, "{\"status\":\"alive\"}");
    return OK;
}

Status service_ready(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    (void)req;
    if (ctx->host.state(ctx->host.self) != API_HOST_SERVING)
        return api_fail(res, PROBLEM_SHUTTING_DOWN, err, "the service has been told to stop");
    Status status = store_ready(ctx->store.store, err);
    if (status != OK) {
        res->problem = PROBLEM_NOT_WRITABLE; /* status 503 for every reason; the detail has the
                                              * reason */
        return status;
    }
    StoreSpace space = {0};
    status = store_space(ctx->store.store, &space, err);
    text_printf(&res->body,
                "{\"status\":\"ready\",\"disk\":{\"free_bytes\":%llu,\"total_bytes\":%llu}}",
                (unsigned long long)space.free, (unsigned long long)space.total);
    return status;
}

Status service_metrics(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    (void)err;
    res->type = API_METRICS_TYPE;
    /* without keys everybody may ask, and nobody may learn of tenants */
    ctx->host.metrics(ctx->host.self, *req->caller.key != '\0', &res->body);
    return OK;
}

Status service_openapi(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    (void)ctx;
    (void)req;
    (void)err;
    reply_text(res, OPENAPI_TEXT, (size_t)OPENAPI_SIZE);
    return OK;
}
