/* Requests behind the gate: routing, queries, negotiation, every handler; on a store with one
 * finished job.
 *
 * An input is a request as HTTP writes it, but with any line ends: "METHOD TARGET", header lines,
 * an empty line, the body. {job} in the target stands for the finished job's id. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "api/documents/documents.h"
#include "core/numeric/numeric.h"
#include "tests/fuzz/fuzz.h"

enum { HEADERS_MOST = 20, ARENA_BYTES = 64 << 20, TARGET_MOST = 2048, STREAM_MOST = 1 << 20 };

typedef struct World {
    ApiContext ctx;
    char directory[64];
    char job_id[JOB_ID_MAX];
} World;

static World world;

static void ignore_job(void *self, const char *job_id)
{
    (void)self;
    (void)job_id;
}

static void ignore_change(void *self, const char *job_id, bool done)
{
    (void)self;
    (void)job_id;
    (void)done;
}

static bool no_progress(void *self, const char *job_id, JobProgress *ret_progress)
{
    (void)self;
    (void)job_id;
    (void)ret_progress;
    return false;
}

static ApiHostState serving(void *self)
{
    (void)self;
    return API_HOST_SERVING;
}

static void fail(void *self, const ApiRequest *req, const char *message)
{
    (void)self;
    REQUIRE(false, "500 for %s: %s", req->target, message);
}

static void ignore_refusal(void *self, const char *client, bool with_token)
{
    (void)self;
    (void)client;
    (void)with_token;
}

static void ignore_keys(void *self)
{
    (void)self;
}

static void ignore_reuse(void *self, int64_t tenant, const JobRecord *job)
{
    (void)self;
    (void)tenant;
    (void)job;
}

static void no_pace(void *self, ApiPace *ret_pace)
{
    (void)self;
    *ret_pace = (ApiPace){.workers = 1};
}

static void no_metrics(void *self, bool tenants, Text *out)
{
    (void)self;
    (void)tenants;
    text_puts(out, "# nothing\n");
}

static void remove_world(void)
{
    static const char *const FILES[] = {"dalembert.db", "dalembert.db-wal", "dalembert.db-shm",
                                        "dalembert.lock"};
    store_close(world.ctx.store.store);
    compiled_cache_free(world.ctx.setting.cache);
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", world.directory, FILES[i]);
        unlink(path);
    }
    rmdir(world.directory);
}

/* A job with a trajectory of 40 rows and an event table of two. */
static void store_finished_job(void)
{
    enum { ROWS = 40, COLUMNS = 3 };
    double rows[ROWS * COLUMNS];
    Arena *arena = arena_new(1 << 20);
    JobDraft draft = {.request = "{}",
                      .request_size = 2,
                      .request_hash = "request",
                      .model_id = "model",
                      .model_name = "model",
                      .labels = "{\"campaign\":\"autumn\"}",
                      .formulation = "lagrange-dalembert",
                      .method = "dop853"};
    JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true, .diagnostics = "{}"};
    Store *store = world.ctx.store.store;
    JobRecord job;
    JobLease lease;
    bool replayed;
    Error err = {0};

    for (size_t i = 0; i < ROWS; i++) {
        rows[i * COLUMNS] = 0.1 * (double)i;
        rows[i * COLUMNS + 1] = 1.0 / (1.0 + (double)i);
        rows[i * COLUMNS + 2] = -1e-300 * (double)i;
    }
    REQUIRE(arena &&
                store_job_add(default_tenant(store), &draft, arena, &job, &replayed, &err) == OK,
            "%s", err.message);
    REQUIRE(store_job_claim(store, arena, &lease, &err) == OK, "%s", err.message);
    REQUIRE(store_result_begin(store, job.id, lease.token, "[\"t\",\"x\",\"dot(x)\"]",
                               "[\"section\"]", &err) == OK,
            "%s", err.message);
    REQUIRE(store_result_append(store, job.id, lease.token, -1, rows, ROWS, COLUMNS, &err) == OK,
            "%s", err.message);
    REQUIRE(store_result_append(store, job.id, lease.token, 0, rows, 2, COLUMNS, &err) == OK, "%s",
            err.message);
    REQUIRE(store_job_finish(store, job.id, lease.token, &finish, &err) == OK, "%s", err.message);
    memcpy(world.job_id, job.id, sizeof world.job_id);
    arena_free(arena);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char *const ORIGINS[] = {"http://localhost:3000"}, *const NAMES[] = {"localhost"};
    Error err = {0};
    (void)argc;
    (void)argv;
    numeric_init();
    snprintf(world.directory, sizeof world.directory, "/tmp/dalembert-fuzz-XXXXXX");
    REQUIRE(mkdtemp(world.directory), "cannot create %s", world.directory);
    StoreOptions options = {.directory = world.directory, .max_queued = 20};
    world.ctx = (ApiContext){
        .setting = {.cache = compiled_cache_new(16),
                    .limits = {.max_samples = 10000, .max_steps = 1000, .max_event_rows = 1000},
                    .timeout_most = 3600},
        .limits = {.body_bytes = 1 << 20, .job_seconds = 60, .wait_seconds = 60},
        .host = {.job_added = ignore_job,
                 .job_changed = ignore_change,
                 .job_progress = no_progress,
                 .state = serving,
                 .metrics = no_metrics,
                 .pace = no_pace,
                 .failed = fail,
                 .unauthorized = ignore_refusal,
                 .keys_changed = ignore_keys,
                 .job_reused = ignore_reuse},
        .origins = ORIGINS,
        .n_origins = 1,
        .hosts = {.names = NAMES, .n_names = 1}};
    REQUIRE(world.ctx.setting.cache && store_open(&options, &world.ctx.store.store, &err) == OK,
            "%s", err.message);
    world.ctx.store.tenant = TENANT_DEFAULT;
    world.ctx.setting.store = world.ctx.store;
    store_finished_job();
    atexit(remove_world);
    return 0;
}

/* Takes a line off the text; its end becomes a zero byte. */
static char *take_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    if (end) {
        *text = end + 1;
        if (end > line && end[-1] == '\r')
            end--;
        *end = '\0';
    } else {
        *text = line + strlen(line);
    }
    return line;
}

/* What the gate lets pass. */
static bool is_visible(const char *text, bool space)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f || (!space && (*text == ' ' || *text < 0)))
            return false;
    return true;
}

static void put_target(const char *target, char ret[TARGET_MOST])
{
    const char *place = strstr(target, "{job}");
    if (place)
        snprintf(ret, TARGET_MOST, "%.*s%s%s", (int)(place - target), target, world.job_id,
                 place + strlen("{job}"));
    else
        snprintf(ret, TARGET_MOST, "%s", target);
}

/* Splits an input into a request; false when no gate would let it pass. */
static bool read_request(char *text, char target[TARGET_MOST], ApiPair headers[HEADERS_MOST],
                         ApiRequest *ret)
{
    char *line = take_line(&text), *space = strchr(line, ' ');
    if (!space || space == line)
        return false;
    *space = '\0';
    put_target(space + 1, target);
    ret->method = line;
    ret->target = target;
    ret->headers = headers;
    if (target[0] != '/' || !is_visible(target, false) || !is_visible(line, false))
        return false;
    while (*text && *(line = take_line(&text))) {
        char *colon = strchr(line, ':');
        if (!colon || ret->n_headers == HEADERS_MOST)
            return false;
        *colon = '\0';
        const char *value = colon + 1 + strspn(colon + 1, " \t");
        if (!is_visible(line, false) || !is_visible(value, true))
            return false;
        headers[ret->n_headers++] = (ApiPair){line, value};
    }
    ret->body = text;
    ret->body_size = strlen(text);
    return true;
}

static void check_headers(const ApiResponse *res)
{
    for (size_t i = 0; i < res->n_headers; i++)
        REQUIRE(res->headers[i].value && is_visible(res->headers[i].value, true),
                "header %s would split the answer", res->headers[i].name);
}

/* The bytes of a stream; NULL when it is long. */
static void read_stream(const ApiStream *stream, Text *out)
{
    char buffer[1000];
    size_t n = 1;
    Error err = {0};
    while (n > 0 && out->length < STREAM_MOST) {
        Status status = stream->read(stream->self, buffer, sizeof buffer, &n, &err);
        REQUIRE(status == OK, "%s", err.message);
        text_append(out, buffer, n);
    }
}

static void check_answer(const ApiRequest *req, ApiResponse *res)
{
    REQUIRE(res->status >= 200 && res->status < 600 && res->status != 500, "status %d: %s",
            res->status, text_string(&res->body));
    check_headers(res);
    if (res->stream.read)
        read_stream(&res->stream, &res->body);
    const char *type = res->type ? res->type : api_type(req);
    if (strstr(type, "json") && !strstr(type, "ndjson") && res->body.length > 0 && !res->verbatim)
        require_json(res->body.data, res->body.length, type);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_string(data, size);
    char target[TARGET_MOST];
    ApiPair headers[HEADERS_MOST];
    ApiRequest req = {.arena = arena_new(ARENA_BYTES)};
    ApiResponse res;

    REQUIRE(req.arena, "out of memory");
    api_response_init(&res);
    if (read_request(text, target, headers, &req)) {
        bool deletes = strcmp(req.method, "DELETE") == 0 && strstr(target, world.job_id);
        if (api_admit(&world.ctx, &req, (int64_t)req.body_size, &res) && !deletes) {
            res.may_take_long = true;
            api_answer(&world.ctx, &req, &res);
            if (res.wait.again) {
                res.wait_over = true;
                api_answer(&world.ctx, &req, &res);
                REQUIRE(!res.wait.again, "waits on after the time is over");
            }
        }
        if (!deletes)
            check_answer(&req, &res);
    }
    api_response_done(&res);
    arena_free(req.arena);
    free(text);
    return 0;
}
