/* The api without sockets: plain structs in, plain structs out, a store in a temporary folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/accept.h"
#include "api/api.h"
#include "tests/suite.h"

static const char JOB[] =
    "{\"model\":{\"coordinates\":[\"x\"],\"lagrangian\":\"dot(x)^2/2 - x^2/2\"},"
    "\"initial\":{\"q\":{\"x\":1}},\"time\":{\"end\":1,\"samples\":3}}";

/* What the api asked of its host. */
typedef struct Heard {
    int added, changed, failed;
    ApiHostState state;
} Heard;

static void on_added(void *self, const char *job_id)
{
    (void)job_id;
    ((Heard *)self)->added++;
}

static void on_changed(void *self, const char *job_id, bool done)
{
    (void)job_id;
    (void)done;
    ((Heard *)self)->changed++;
}

static bool on_progress(void *self, const char *job_id, struct JobProgress *ret_progress)
{
    (void)self;
    (void)job_id;
    (void)ret_progress;
    return false;
}

static ApiHostState on_state(void *self)
{
    return ((Heard *)self)->state;
}

static void on_pace(void *self, ApiPace *ret_pace)
{
    (void)self;
    *ret_pace = (ApiPace){.workers = 1};
}

static void on_metrics(void *self, bool tenants, Text *out)
{
    (void)self;
    (void)tenants;
    text_puts(out, "none\n");
}

static void on_failed(void *self, const ApiRequest *req, const char *message)
{
    (void)req;
    (void)message;
    ((Heard *)self)->failed++;
}

static char directory[] = "/tmp/dalembert-requests-XXXXXX";
static Heard heard;
static ApiContext context;
static Arena *arena;
static ApiRequest request;
static ApiResponse response;

static void set_up(void)
{
    static const char *const NAMES[] = {"localhost"};
    strcpy(directory, "/tmp/dalembert-requests-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    StoreOptions options = {.directory = directory, .max_queued = 100, .max_attempts = 5};
    Error err = {0};
    heard = (Heard){0};
    context = (ApiContext){.setting = {.cache = compiled_cache_new(4),
                                       .limits = {.max_samples = 100},
                                       .timeout_most = 60},
                           .limits = {.body_bytes = 1000, .job_seconds = 10, .wait_seconds = 60},
                           .host = {&heard, on_added, on_changed, on_progress, on_state, on_metrics,
                                    on_pace, on_failed},
                           .hosts = {.names = NAMES, .n_names = 1}};
    ck_assert_int_eq(store_open(&options, &context.store.store, &err), OK);
    context.store.tenant = TENANT_DEFAULT;
    context.setting.store = context.store;
    arena = arena_new((size_t)1 << 24);
    api_response_init(&response);
}

static void tear_down(void)
{
    char command[128];
    api_response_done(&response);
    arena_free(arena);
    compiled_cache_free(context.setting.cache);
    store_close(context.store.store);
    snprintf(command, sizeof command, "rm -rf %s", directory);
    ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c): our own folder
}

/* The answer's status; 0 when the request was told to wait. */
static int ask(const char *method, const char *target, const char *body)
{
    static const ApiPair HEADERS[] = {{"content-type", "application/json"}, {"Host", "localhost"}};
    api_response_done(&response);
    api_response_init(&response);
    request = (ApiRequest){.method = method,
                           .target = target,
                           .headers = HEADERS,
                           .n_headers = 2,
                           .body = body,
                           .body_size = body ? strlen(body) : 0,
                           .arena = arena};
    if (api_admit(&context, &request, (int64_t)request.body_size, &response))
        api_answer(&context, &request, &response);
    if (response.takes_long) {
        response.may_take_long = true;
        api_answer(&context, &request, &response);
    }
    return response.wait.again ? 0 : response.status;
}

START_TEST(a_submission_tells_the_host)
{
    ck_assert_int_eq(ask("POST", "/v1/jobs", JOB), 202);
    ck_assert_int_eq(heard.added, 1);
    ck_assert_ptr_nonnull(strstr(text_string(&response.body), "\"queued\""));
}
END_TEST

START_TEST(a_wait_is_a_wish_not_a_pause)
{
    ck_assert_int_eq(ask("POST", "/v1/jobs?wait=10", JOB), 0);
    const double earlier = response.wait.deadline;
    heard.added = 0;
    ck_assert_int_eq(ask("POST", "/v1/jobs?wait=60", JOB), 0);
    ck_assert(response.wait.until_done);
    ck_assert_double_ge(response.wait.deadline, earlier + 50.0);
    /* woken for nothing: waits again, and adds no second job */
    api_answer(&context, &request, &response);
    ck_assert(response.wait.again != NULL);
    ck_assert_int_eq(heard.added, 1);
    /* the host loses the stop token */
    response.wait_over = true;
    api_answer(&context, &request, &response);
    ck_assert(response.wait.again == NULL);
    ck_assert_int_eq(response.status, 202);
}
END_TEST

START_TEST(a_wait_ends_with_the_job)
{
    JobLease lease;
    Error err = {0};
    ck_assert_int_eq(ask("POST", "/v1/jobs?wait=30", JOB), 0);
    ck_assert_int_eq(store_job_claim(context.store.store, arena, &lease, &err), OK);
    JobFinish finish = {.state = JOB_FAILED, .reason = "numeric"};
    ck_assert_int_eq(
        store_job_finish(context.store.store, lease.job.id, lease.token, &finish, &err), OK);
    api_answer(&context, &request, &response);
    ck_assert_int_eq(response.status, 200);
    ck_assert_ptr_nonnull(strstr(text_string(&response.body), "\"failed\""));
}
END_TEST

START_TEST(a_cancellation_reaches_the_run_and_the_host)
{
    char target[80];
    JobLease lease;
    Error err = {0};
    ck_assert_int_eq(ask("POST", "/v1/jobs", JOB), 202);
    ck_assert_int_eq(store_job_claim(context.store.store, arena, &lease, &err), OK);
    ck_assert(!store_job_stop_wanted(context.store.store, lease.job.id, lease.token));
    snprintf(target, sizeof target, "/v1/jobs/%s/cancel", lease.job.id);
    ck_assert_int_eq(ask("POST", target, NULL), 202);
    ck_assert(store_job_stop_wanted(context.store.store, lease.job.id, lease.token));
    ck_assert_int_eq(heard.changed, 1);
}
END_TEST

START_TEST(a_leaving_host_is_not_ready_but_serves)
{
    heard.state = API_HOST_LEAVING;
    ck_assert_int_eq(ask("GET", "/readyz", NULL), 503);
    ck_assert_int_eq(ask("POST", "/v1/jobs", JOB), 202);
}
END_TEST

START_TEST(a_draining_host_gets_no_work_but_still_answers)
{
    heard.state = API_HOST_DRAINING;
    ck_assert_int_eq(ask("POST", "/v1/jobs", JOB), 503);
    ck_assert_int_eq(ask("GET", "/v1/jobs", NULL), 200);
    ck_assert_int_eq(ask("GET", "/readyz", NULL), 503);
    ck_assert_int_eq(ask("GET", "/livez", NULL), 200);
    ck_assert_int_eq(heard.added, 0);
}
END_TEST

static bool has_header(const char *name)
{
    for (size_t i = 0; i < response.n_headers; i++)
        if (strcmp(response.headers[i].name, name) == 0)
            return true;
    return false;
}

/* Requests, and what they are answered when there is memory enough. */
static const struct {
    const char *method, *target, *body;
    int status;
} FRUGAL[] = {
    {"POST", "/v1/jobs?validate_only=true", JOB, 200},
    {"POST", "/v1/jobs", JOB, 202},
    {"GET", "/v1/jobs?limit=3&label.a=b", NULL, 200},
    {"GET", "/v1/catalog/vertical-rolling-disk", NULL, 200},
};

START_TEST(running_out_of_memory_invites_no_retry)
{
    int status = 0;
    size_t failures = 0;
    for (size_t bytes = 8; status != FRUGAL[_i].status; bytes += bytes / 8 + 8) {
        arena_free(arena);
        arena = arena_new(bytes);
        ck_assert_uint_lt(bytes, (size_t)1 << 24);
        status = ask(FRUGAL[_i].method, FRUGAL[_i].target, FRUGAL[_i].body);
        if (status == FRUGAL[_i].status)
            break;
        ck_assert_msg(status == 500 && response.problem == PROBLEM_NO_MEMORY, "%zu bytes: %d %s",
                      bytes, status, text_string(&response.body));
        ck_assert(!has_header("Retry-After"));
        failures++;
    }
    ck_assert_uint_gt(failures, 3);
    /* what a handler lacks is told to the host; the catalog's only lacks it when it is let in */
    if (FRUGAL[_i].body)
        ck_assert_uint_gt((size_t)heard.failed, 0);
}
END_TEST

START_TEST(refusals_come_before_the_body)
{
    static const struct {
        const char *method, *target;
        int64_t length;
        int status;
    } CASES[] = {
        {"POST", "/v1/jobs", 1001, 413},   {"POST", "/v1/nothing", 10, 404},
        {"PUT", "/v1/jobs", 10, 405},      {"BREW", "/v1/jobs", 0, 501},
        {"GET", "/v1/jobs", 5, 413},       {"POST", "/v1/jobs?x=1", 10, 400},
        {"GET", "/v1/jobs?limit", 0, 200}, {"GET", "/v1/jobs?%zz=1", 0, 400},
    };
    static const ApiPair HEADER = {"Content-Type", "application/json"};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ApiRequest req = {.method = CASES[i].method,
                          .target = CASES[i].target,
                          .headers = &HEADER,
                          .n_headers = 1,
                          .arena = arena};
        bool admitted = api_admit(&context, &req, CASES[i].length, &response);
        ck_assert_msg(admitted == (CASES[i].status == 200), "%s", CASES[i].target);
        if (!admitted)
            ck_assert_int_eq(response.status, CASES[i].status);
        api_response_reset(&response);
    }
}
END_TEST

START_TEST(the_accepted_type_nearest_to_the_wish_is_chosen)
{
    static const char OFFERS[] = "application/json,application/x-ndjson,text/csv";
    static const struct {
        const char *accept;
        int index; /* -1: none */
    } CASES[] = {
        {NULL, 0},
        {"", 0},
        {"*/*", 0},
        {"text/csv", 2},
        {"TEXT/CSV", 2},
        {"text/*", 2},
        {"text/*;q=0.5, application/x-ndjson;q=0.6", 1},
        {"application/*, text/csv", 2},
        {"image/png", -1},
        {"image/png, */*;q=0.01", 0},
        {"application/json;q=0", -1},
        {"application/json;q=0, */*", 1},
        {"text/csv;header=present;q=0.9, application/json;q=0.8", 2},
        {",,text/csv,", 2},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        size_t index = 99;
        bool found = accept_choose(CASES[i].accept, OFFERS, &index);
        ck_assert_msg((found ? (int)index : -1) == CASES[i].index, "%s", CASES[i].accept);
    }
}
END_TEST

START_TEST(percent_encoding_is_decoded)
{
    ck_assert_str_eq(api_percent_decode(arena, "a%20b%C3%a9", 11, false), "a b\xc3\xa9");
    ck_assert_str_eq(api_percent_decode(arena, "a+b", 3, true), "a b");
    ck_assert_str_eq(api_percent_decode(arena, "a+b", 3, false), "a+b");
    ck_assert_str_eq(api_percent_decode(arena, "%41", 3, false), "A");
}
END_TEST

static const char *const MALFORMED[] = {"%", "%4", "%zz", "%4z", "a%", "%00", "%%41"};

START_TEST(malformed_percent_encoding_is_refused)
{
    const char *text = MALFORMED[_i];
    ck_assert_ptr_null(api_percent_decode(arena, text, strlen(text), false));
}
END_TEST

SUITE(requests)
{
    TCase *tcase = suite_case(suite, "without sockets");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_submission_tells_the_host);
    tcase_add_test(tcase, a_wait_is_a_wish_not_a_pause);
    tcase_add_test(tcase, a_wait_ends_with_the_job);
    tcase_add_test(tcase, a_cancellation_reaches_the_run_and_the_host);
    tcase_add_test(tcase, a_leaving_host_is_not_ready_but_serves);
    tcase_add_test(tcase, a_draining_host_gets_no_work_but_still_answers);
    tcase_add_loop_test(tcase, running_out_of_memory_invites_no_retry, 0,
                        (int)(sizeof FRUGAL / sizeof FRUGAL[0]));
    tcase_add_test(tcase, refusals_come_before_the_body);
    tcase_add_test(tcase, the_accepted_type_nearest_to_the_wish_is_chosen);
    tcase_add_test(tcase, percent_encoding_is_decoded);
    tcase_add_loop_test(tcase, malformed_percent_encoding_is_refused, 0,
                        (int)(sizeof MALFORMED / sizeof MALFORMED[0]));
}
