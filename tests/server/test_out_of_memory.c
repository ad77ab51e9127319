/* Out of memory at the n-th allocation, for every n, of every way into the service: requests, a
 * job's run, opening the store. Nothing crashes, nothing that was accepted is lost, and no answer
 * is wrong: it is what it is with memory, or says that there was none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "server/work/job_run.h"
#include "tests/server/failing.h"
#include "tests/suite.h"

/* Every n with OUT_OF_MEMORY=all; else the first ones, and then fewer and fewer. */
static size_t following(size_t n)
{
    const bool all = getenv("OUT_OF_MEMORY") != NULL;
    return n + 1 + (all ? 0 : n / 12);
}

static const char MODEL[] =
    "{\"name\":\"sled\",\"coordinates\":[\"x\",\"y\",\"a\"],\"parameters\":{\"m\":2,\"J\":0.5},"
    "\"lagrangian\":\"m/2*(dot(x)^2+dot(y)^2)+J/2*dot(a)^2\","
    "\"constraints\":[\"dot(y)*cos(a) = dot(x)*sin(a)\"]}";

static char job_text[2000], other_job_text[2000], grid_text[2000], latin_text[2000];

typedef struct World {
    char directory[64];
    StoreOptions options;
    ApiContext ctx;
    char job_id[JOB_ID_MAX], model_id[80];
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

static void ignore_failure(void *self, const ApiRequest *req, const char *message)
{
    (void)self;
    (void)req;
    (void)message;
}

static void ignore_progress(void *self, const char *phase, double fraction, double t,
                            uint64_t steps)
{
    (void)self;
    (void)phase;
    (void)fraction;
    (void)t;
    (void)steps;
}

/* Caches as they are at the start of the daemon, and a store that is well. */
static void refresh(void)
{
    Error err = {0};
    compiled_cache_free(world.ctx.setting.cache);
    printed_cache_free(world.ctx.printed);
    resource_cache_free(world.ctx.resources);
    world.ctx.setting.cache = compiled_cache_new(8);
    world.ctx.printed = printed_cache_new(8);
    world.ctx.resources = resource_cache_new(8);
    if (world.ctx.store.store && store_ready(world.ctx.store.store, NULL) == OK)
        return;
    store_close(world.ctx.store.store);
    ck_assert_msg(store_open(&world.options, &world.ctx.store.store, &err) == OK, "%s",
                  err.message);
    world.ctx.store.tenant = TENANT_DEFAULT;
    world.ctx.setting.store = world.ctx.store;
}

/* The status and the body of an answer; of a stream that was cut, 0. */
static int ask(const char *method, const char *target, const char *body, Text *out)
{
    const ApiPair headers[] = {{"Host", "localhost"}, {"Content-Type", "application/json"}};
    ApiRequest req = {.arena = arena_new(64 << 20),
                      .method = method,
                      .target = target,
                      .headers = headers,
                      .n_headers = 2,
                      .body = body,
                      .body_size = strlen(body)};
    ApiResponse res;
    text_reset(out);
    api_response_init(&res);
    if (api_admit(&world.ctx, &req, (int64_t)req.body_size, &res)) {
        res.may_take_long = true;
        api_answer(&world.ctx, &req, &res);
    }
    int status = res.status;
    char piece[4096];
    size_t n = 1;
    while (res.stream.read && n > 0) {
        if (res.stream.read(res.stream.self, piece, sizeof piece, &n, NULL) != OK) {
            status = 0;
            break;
        }
        text_append(out, piece, n);
    }
    if (status >= 500) /* for those who read the test's output */
        text_reset(out);
    text_append(out, res.body.data ? res.body.data : "", res.body.length);
    if (!text_ok(out) || !text_ok(&res.body))
        status = 0;
    api_response_done(&res);
    arena_free(req.arena);
    return status;
}

static void run_next(const atomic_bool *put_back, JobOutcome *ret_outcome)
{
    const JobRunContext ctx = {world.ctx.store.store, &world.ctx.setting, put_back, NULL,
                               ignore_progress};
    Arena *arena = arena_new(256 << 20);
    JobLease lease;
    Error err = {0};
    *ret_outcome = (JobOutcome){0};
    if (store_job_claim(world.ctx.store.store, arena, &lease, &err) == OK &&
        job_run(&ctx, &lease, arena, ret_outcome, &err) != OK)
        (void)!store_job_release(world.ctx.store.store, lease.job.id, lease.token, NULL);
    arena_free(arena);
}

static void setup(void)
{
    bool more;
    static const char *const NAMES[] = {"localhost"};
    static const atomic_bool put_back;
    Text text = TEXT_INIT;
    JobOutcome outcome;
    world = (World){0};
    strcpy(world.directory, "/tmp/dalembert-memory-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(world.directory));
    world.options = (StoreOptions){.directory = world.directory};
    world.ctx = (ApiContext){
        .setting = {.limits = {.max_samples = 10000, .max_steps = 100000, .max_event_rows = 1000},
                    .timeout_most = 3600},
        .limits = {.body_bytes = 1 << 20, .job_seconds = 60, .wait_seconds = 60},
        .host = {NULL, ignore_job, ignore_change, no_progress, serving, no_metrics, no_pace,
                 ignore_failure},
        .hosts = {.names = NAMES, .n_names = 1}};
    snprintf(job_text, sizeof job_text,
             "{\"model\":%s,\"initial\":{\"v\":{\"x\":1,\"a\":0.5}},\"labels\":{\"k\":\"v\"},"
             "\"time\":{\"end\":1,\"samples\":11},\"events\":[{\"name\":\"e\",\"when\":\"a-0.2\"}],"
             "\"observe\":{\"speed\":\"hypot(dot(x),dot(y))\"},\"analyses\":[]}",
             MODEL);
    snprintf(grid_text, sizeof grid_text,
             "{\"model\":%s,\"initial\":{\"v\":{\"x\":1}},\"time\":{\"end\":1},"
             "\"events\":[{\"name\":\"e\",\"when\":\"a-0.2\"}],"
             "\"vary\":{\"parameters.m\":[1,\"pi\"],\"initial.v.a\":"
             "{\"from\":0.5,\"to\":1,\"count\":3}},\"ensemble\":{\"keep\":\"trajectories\","
             "\"reduce\":{\"w\":{\"take\":\"max\",\"of\":\"dot(a)\"}}}}",
             MODEL);
    snprintf(latin_text, sizeof latin_text,
             "{\"model\":%s,\"initial\":{\"v\":{\"x\":1}},\"time\":{\"end\":1},"
             "\"ensemble\":{\"design\":{\"kind\":\"sobol\",\"count\":9,\"ranges\":"
             "{\"parameters.m\":{\"mean\":2,\"sd\":0.1}}}}}",
             MODEL);
    refresh();
    ck_assert_int_eq(ask("POST", "/v1/models", MODEL, &text), 201);
    const char *id = strstr(text_string(&text), "\"id\":\"");
    ck_assert_ptr_nonnull(id);
    snprintf(world.model_id, sizeof world.model_id, "%.*s", (int)strcspn(id + 6, "\""), id + 6);
    snprintf(other_job_text, sizeof other_job_text,
             "{\"model\":{\"id\":\"%s\"},\"initial\":{\"v\":{\"x\":1}},"
             "\"time\":{\"at\":[0,1]},\"formulation\":\"hamel\",\"analyses\":[]}",
             world.model_id);
    ck_assert_int_eq(ask("POST", "/v1/jobs", job_text, &text), 202);
    run_next(&put_back, &outcome);
    ck_assert_int_eq(outcome.state, JOB_SUCCEEDED);
    JobRecord *jobs;
    size_t n;
    Arena *arena = arena_new(1 << 20);
    const JobFilter filter = {.since = -1, .limit = 1};
    ck_assert_int_eq(store_job_list(world.ctx.store, &filter, arena, &jobs, &n, &more, NULL), OK);
    memcpy(world.job_id, jobs[0].id, sizeof world.job_id);
    arena_free(arena);
    text_done(&text);
}

static void teardown(void)
{
    static const char *const FILES[] = {"dalembert.db", "dalembert.db-wal", "dalembert.db-shm",
                                        "dalembert.lock"};
    store_close(world.ctx.store.store);
    compiled_cache_free(world.ctx.setting.cache);
    printed_cache_free(world.ctx.printed);
    resource_cache_free(world.ctx.resources);
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", world.directory, FILES[i]);
        unlink(path);
    }
    rmdir(world.directory);
}

/* {job} and {model} stand for ids; `moves`: what it answers is not twice the same. */
typedef struct Way {
    const char *method, *target, *body;
    bool moves;
} Way;

static const Way WAYS[] = {{"GET", "/", "", false},
                           {"GET", "/livez", "", false},
                           {"GET", "/readyz", "", true},
                           {"GET", "/metrics", "", false},
                           {"GET", "/v1/limits", "", false},
                           {"GET", "/v1/catalog", "", false},
                           {"GET", "/v1/catalog/rattleback", "", false},
                           {"GET", "/v1/models", "", false},
                           {"GET", "/v1/models/{model}", "", false},
                           {"GET", "/v1/models/{model}/structure", "", false},
                           {"GET", "/v1/models/{model}/equations?formulation=hamel", "", false},
                           {"GET", "/v1/models/{model}/equations?formulation=none", "", false},
                           {"GET", "/v1/jobs?limit=1", "", true},
                           {"GET", "/v1/jobs?since=0&label.k=v&state=succeeded", "", true},
                           {"GET", "/v1/jobs/{job}", "", false},
                           {"GET", "/v1/jobs/{job}/request", "", false},
                           {"GET", "/v1/jobs/{job}/result", "", false},
                           {"GET", "/v1/jobs/{job}/result?columns=x,t&from=0.2&limit=3", "", false},
                           {"GET", "/v1/jobs/{job}/result?table=e", "", false},
                           {"GET", "/v1/jobs/{job}/diagnostics", "", false},
                           {"GET", "/v1/jobs/{job}/invariants", "", false},
                           {"POST", "/v1/jobs/{job}/cancel", "", false},
                           {"DELETE", "/v1/models/none", "", false},
                           {"DELETE", "/v1/jobs/none", "", false},
                           {"POST", "/v1/models", MODEL, false},
                           {"POST", "/v1/jobs?validate_only=true", job_text, false},
                           {"POST", "/v1/jobs?validate_only=true", other_job_text, false},
                           {"POST", "/v1/jobs?validate_only=true", grid_text, false},
                           {"POST", "/v1/jobs?validate_only=true", latin_text, false},
                           {"POST", "/v1/jobs", job_text, true},
                           {"POST", "/v1/jobs?validate_only=true", "{\"model\":{}}", false},
                           {"POST", "/v1/jobs", "{\"model\":[1,", false}};

static void put_target(const Way *way, char *target, size_t size)
{
    const char *place = strchr(way->target, '{');
    if (!place)
        snprintf(target, size, "%s", way->target);
    else
        snprintf(target, size, "%.*s%s%s", (int)(place - way->target), way->target,
                 strncmp(place, "{job}", 5) == 0 ? world.job_id : world.model_id,
                 strchr(place, '}') + 1);
}

/* Without an answer is right, too: the host sends its own. */
static bool tells_of_memory(int status, const Text *body)
{
    return status == 0 || (status == 500 && (body->length == 0 || !text_ok(body) ||
                                             strstr(text_string(body), "out_of_memory")));
}

static void check_way(const Way *way, FailingKind kind)
{
    char target[200];
    Text right = TEXT_INIT, text = TEXT_INIT;
    put_target(way, target, sizeof target);
    refresh();
    const int expected = ask(way->method, target, way->body, &right);
    ck_assert_int_lt(expected, 500);
    size_t tries = 0, told = 0, total = 0;
    for (size_t n = 1;; n = following(n)) {
        refresh();
        text_reset(&text);
        failing_arm(n, kind);
        const int status = ask(way->method, target, way->body, &text);
        total = failing_disarm();
        if (total < n) /* it got by without the n-th */
            break;
        tries++;
        const bool as_ever = status == expected && text_ok(&text) &&
                             (way->moves || (text.length == right.length &&
                                             memcmp(text.data, right.data, text.length) == 0));
        told += !as_ever;
        size_t same = 0;
        while (same < text.length && same < right.length && text.data[same] == right.data[same])
            same++;
        ck_assert_msg(as_ever || tells_of_memory(status, &text),
                      "%s %s, allocation %zu: status %d, not %d, from byte %zu\n%.300s\n%.300s",
                      way->method, target, n, status, expected, same, text_string(&text) + same,
                      text_string(&right) + same);
        text_done(&text);
    }
    refresh();
    ck_assert_int_eq(ask(way->method, target, way->body, &text), expected);
    printf("%-6s %-50s %6zu allocations, %4zu tried, %4zu told\n", way->method, way->target, total,
           tries, told);
    text_done(&text);
    text_done(&right);
}

START_TEST(no_answer_is_wrong)
{
    if (!failing_works())
        return;
    check_way(&WAYS[_i / 2], _i % 2 ? FAIL_FROM_THEN_ON : FAIL_ONCE);
}
END_TEST

/* A submission that was answered 202 is there, one that was not may be. */
START_TEST(no_accepted_job_is_lost)
{
    Text text = TEXT_INIT;
    for (size_t n = 1; failing_works(); n = following(n)) {
        refresh();
        failing_arm(n, FAIL_ONCE);
        const int status = ask("POST", "/v1/jobs", job_text, &text);
        const size_t total = failing_disarm();
        char id[JOB_ID_MAX] = "";
        const char *place = status == 202 ? strstr(text_string(&text), "\"id\":\"") : NULL;
        if (place)
            snprintf(id, sizeof id, "%s", place + 6);
        ck_assert(status != 202 || *id);
        store_close(world.ctx.store.store);
        world.ctx.store.store = NULL;
        refresh();
        if (*id) {
            char target[100];
            snprintf(target, sizeof target, "/v1/jobs/%s", id);
            ck_assert_int_eq(ask("GET", target, "", &text), 200);
        }
        if (total < n)
            break;
    }
    text_done(&text);
}
END_TEST

/* The job ends as ever, fails, saying why, or is queued again; then it runs as ever. */
START_TEST(no_run_is_wrong)
{
    static const atomic_bool put_back;
    Text right = TEXT_INIT, text = TEXT_INIT;
    char target[100];
    snprintf(target, sizeof target, "/v1/jobs/%s/result", world.job_id);
    ck_assert_int_eq(ask("GET", target, "", &right), 200);
    size_t tries = 0, succeeded = 0, failed = 0, total = 0;
    for (size_t n = 1; failing_works(); n = following(n)) {
        refresh();
        ck_assert_int_eq(ask("POST", "/v1/jobs", job_text, &text), 202);
        char id[JOB_ID_MAX];
        snprintf(id, sizeof id, "%s", strstr(text_string(&text), "\"id\":\"") + 6);
        JobOutcome outcome;
        refresh();
        failing_arm(n, _i ? FAIL_FROM_THEN_ON : FAIL_ONCE);
        run_next(&put_back, &outcome);
        total = failing_disarm();

        /* whatever has become of it: what is not done is run by the next process */
        store_close(world.ctx.store.store);
        world.ctx.store.store = NULL;
        refresh();
        run_next(&put_back, &outcome);
        snprintf(target, sizeof target, "/v1/jobs/%s", id);
        ck_assert_int_eq(ask("GET", target, "", &text), 200);
        ck_assert_msg(strstr(text_string(&text), "\"done\":true"), "%s", text_string(&text));
        const bool good = strstr(text_string(&text), "\"state\":\"succeeded\"");
        if (good) {
            snprintf(target, sizeof target, "/v1/jobs/%s/result", id);
            ck_assert_int_eq(ask("GET", target, "", &text), 200);
            ck_assert_str_eq(text_string(&text), text_string(&right));
        } else {
            ck_assert_msg(strstr(text_string(&text), "\"reason\":\"internal\""),
                          "allocation %zu: %s", n, text_string(&text));
        }
        if (total < n)
            break;
        tries++;
        succeeded += good;
        failed += !good;
    }
    printf("a run: %zu allocations, %zu tried, %zu as ever, %zu failed and said so\n", total, tries,
           succeeded, failed);
    text_done(&text);
    text_done(&right);
}
END_TEST

START_TEST(a_store_opens_or_says_why)
{
    for (size_t n = 1; failing_works(); n = following(n)) {
        Store *store = NULL;
        Error err = {0};
        store_close(world.ctx.store.store);
        world.ctx.store.store = NULL;
        failing_arm(n, _i ? FAIL_FROM_THEN_ON : FAIL_ONCE);
        Status status = store_open(&world.options, &store, &err);
        const size_t total = failing_disarm();
        if (status != OK)
            ck_assert_msg(status == ERR_NO_MEMORY || status == ERR_IO, "allocation %zu: %s: %s", n,
                          status_text(status), err.message);
        store_close(store);
        refresh();
        if (total < n)
            break;
    }
}
END_TEST

SUITE(out_of_memory)
{
    TCase *tc = suite_case(suite, "out_of_memory");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, no_answer_is_wrong, 0, 2 * (int)(sizeof WAYS / sizeof *WAYS));
    tcase_add_test(tc, no_accepted_job_is_lost);
    tcase_add_loop_test(tc, no_run_is_wrong, 0, 2);
    tcase_add_loop_test(tc, a_store_opens_or_says_why, 0, 2);
}
