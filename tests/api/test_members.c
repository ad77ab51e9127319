/* The members of an ensemble asked for, without sockets: run here, read by the routes. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/api.h"
#include "api/routes/submit_ensemble.h"
#include "tests/suite.h"

/* x = x0 cos(w t) up to t = 1, over a grid of 3 frequencies and 4 amplitudes. */
static const char GRID[] =
    "{\"model\":{\"coordinates\":[\"x\"],\"parameters\":{\"w\":1},"
    "\"lagrangian\":\"dot(x)^2/2 - w^2*x^2/2\"},\"initial\":{\"q\":{\"x\":1}},"
    "\"time\":{\"end\":1,\"samples\":5},\"observe\":{\"z\":\"2*x\",\"a\":\"3*x\"},"
    "\"events\":[{\"name\":\"cross\",\"when\":\"x - 0.9\"}],\"labels\":{\"b\":\"1\",\"a\":\"2\"},"
    "\"vary\":{\"parameters.w\":[1,1.5,0.1],\"initial.q.x\":{\"from\":1,\"to\":2.5,\"count\":4}},"
    "\"ensemble\":{\"keep\":\"trajectories\"}}";

static void on_job(void *self, const char *job_id)
{
    (void)self;
    (void)job_id;
}

static void on_changed(void *self, const char *job_id, bool done)
{
    (void)self;
    (void)job_id;
    (void)done;
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
    (void)self;
    return API_HOST_SERVING;
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
    (void)out;
}

static void on_failed(void *self, const ApiRequest *req, const char *message)
{
    (void)self;
    printf("%s: %s\n", req->target, message);
}

static char directory[] = "/tmp/dalembert-members-XXXXXX";
static ApiContext context;
static Budget downloads;
static Arena *arena;
static ApiRequest request;
static ApiResponse response;
static Text body;
static char id[JOB_ID_MAX];

static void set_up(void)
{
    static const char *const NAMES[] = {"localhost"};
    strcpy(directory, "/tmp/dalembert-members-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    StoreOptions options = {.directory = directory, .max_queued = 100, .max_attempts = 5};
    budget_init(&downloads, 1 << 20);
    context = (ApiContext){
        .setting = {.cache = compiled_cache_new(4), .limits = {.max_samples = 100}},
        .limits = {.body_bytes = 10000, .job_seconds = 10, .wait_seconds = 60},
        .downloads = &downloads,
        .host = {NULL, on_job, on_changed, on_progress, on_state, on_metrics, on_pace, on_failed},
        .hosts = {.names = NAMES, .n_names = 1}};
    ck_assert_int_eq(store_open(&options, &context.store.store, NULL), OK);
    context.store.tenant = TENANT_DEFAULT;
    context.setting.store = context.store;
    arena = arena_new((size_t)1 << 26);
    body = (Text)TEXT_INIT;
    api_response_init(&response);
}

static void tear_down(void)
{
    char command[128];
    api_response_done(&response);
    text_done(&body);
    arena_free(arena);
    compiled_cache_free(context.setting.cache);
    store_close(context.store.store);
    snprintf(command, sizeof command, "rm -rf %s", directory);
    ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c): our own folder
}

/* The answer's status; all of it is in `body`. */
static int ask(const char *method, const char *target, const char *document, const char *accept)
{
    const ApiPair headers[] = {{"content-type", "application/json"},
                               {"Host", "localhost"},
                               {"Accept", accept ? accept : "application/json"}};
    char piece[1000];
    size_t n = 0;

    api_response_done(&response);
    api_response_init(&response);
    text_reset(&body);
    request = (ApiRequest){.method = method,
                           .target = target,
                           .headers = headers,
                           .n_headers = 3,
                           .body = document,
                           .body_size = document ? strlen(document) : 0,
                           .arena = arena};
    if (api_admit(&context, &request, (int64_t)request.body_size, &response))
        api_answer(&context, &request, &response);
    if (response.takes_long) {
        response.may_take_long = true;
        api_answer(&context, &request, &response);
    }
    text_append(&body, text_string(&response.body), response.body.length);
    while (response.stream.read) {
        ck_assert_int_eq(response.stream.read(response.stream.self, piece, sizeof piece, &n, NULL),
                         OK);
        if (n == 0)
            break;
        text_append(&body, piece, n);
    }
    return response.status;
}

/* GET of what follows the job's path; the answer as a tree. */
static cJSON *get(int status, const char *rest)
{
    char target[400];

    snprintf(target, sizeof target, "/v1/jobs/%s%s", id, rest);
    const int got = ask("GET", target, NULL, NULL);
    ck_assert_msg(got == status, "%s: %d %s", rest, got, text_string(&body));
    cJSON *tree = cJSON_ParseWithLength(text_string(&body), body.length);
    ck_assert_msg(tree != NULL, "%s: %s", rest, text_string(&body));
    return tree;
}

typedef struct Sink {
    int64_t token;
    size_t n_columns, n_table_columns;
} Sink;

static Status take_member(void *self, uint64_t k, const double *row, const char *reason,
                          const char *message, Error *err)
{
    const Sink *sink = self;
    (void)reason;
    (void)message;
    return store_unit_append(context.store.store, id, sink->token, -1, k, row, 1, sink->n_columns,
                             err);
}

static Status take_rows(void *self, uint64_t k, size_t table, const double *rows, size_t n_rows,
                        Error *err)
{
    const Sink *sink = self;
    return store_unit_append(context.store.store, id, sink->token, (int)table, k, rows, n_rows,
                             sink->n_table_columns, err);
}

/* Runs at most so many members at once; `skip` units are taken and never run. */
static void run_units(PreparedJob *job, uint64_t most, int skip, bool to_end)
{
    UnitLease unit;
    Sink sink = {0};
    const char *const *names;

    sink.n_columns = ensemble_columns(job->ensemble, &names);
    sink.n_table_columns = ensemble_table_columns(job->ensemble, &names);
    const EnsembleSink to = {.self = &sink, .member = take_member, .rows = take_rows};
    for (int k = 0; store_unit_claim(context.store.store, id, most, &unit, NULL) == OK; k++) {
        uint64_t done = 0;
        if (k < skip)
            continue;
        sink.token = unit.token;
        ck_assert_int_eq(ensemble_run(job->ensemble, unit.first, unit.n, &to, &done, NULL), OK);
        ck_assert_uint_eq(done, unit.n);
        const UnitFinish finish = {.done = done};
        ck_assert_int_eq(store_unit_finish(context.store.store, id, unit.token, &finish, NULL), OK);
        if (!to_end)
            break;
    }
}

/* Submits the ensemble and runs it, as far as is asked for. */
static void submit(const char *document, uint64_t most, int skip, bool to_end)
{
    static Diagnostics diag;
    PreparedJob job;
    JobLease lease;
    const JobSource source = {.bytes = document, .size = strlen(document)};

    bool replayed;
    JobRecord record;
    JobDraft draft = {.request = document,
                      .request_size = strlen(document),
                      .request_hash = "",
                      .model_id = "m",
                      .model_name = "",
                      .labels = "{}",
                      .formulation = "lagrange-dalembert",
                      .method = "auto"};

    diagnostics_init(&diag, arena);
    ck_assert_int_eq(prepared_job_init(&job, &context.setting, &source, arena, &diag, NULL, NULL),
                     OK);
    ck_assert_int_eq(submit_describe_ensemble(&job, arena, &draft, NULL), OK);
    ck_assert_int_eq(store_job_add(context.store, &draft, arena, &record, &replayed, NULL), OK);
    snprintf(id, sizeof id, "%s", record.id);
    ck_assert_int_eq(store_job_claim(context.store.store, arena, &lease, NULL), OK);
    ck_assert(lease.in_units);
    run_units(&job, most, skip, to_end);
    if (skip == 0 && to_end) {
        ck_assert_int_eq(store_job_claim(context.store.store, arena, &lease, NULL), OK);
        const JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true};
        ck_assert_int_eq(store_job_finish(context.store.store, id, lease.token, &finish, NULL), OK);
    }
    prepared_job_done(&job);
}

static const cJSON *series(const cJSON *tree, const char *name)
{
    const cJSON *found =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(tree, "series"), name);
    ck_assert_msg(found != NULL, "no %s", name);
    return found;
}

static double number(const cJSON *list, int k)
{
    const cJSON *item = cJSON_GetArrayItem(list, k);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

START_TEST(every_member_has_its_row)
{
    submit(GRID, 5, 0, true);
    static const char *const RESOURCES[] = {"/members", "/result"};
    static const double W[] = {1, 1.5, 0.1};
    for (size_t r = 0; r < 2; r++) {
        cJSON *tree = get(200, RESOURCES[r]);
        ck_assert_int_eq(cJSON_GetArraySize(series(tree, "member")), 12);
        for (int k = 0; k < 12; k++) {
            const double w = W[k / 4], x0 = 1 + 0.5 * (k % 4);
            ck_assert_double_eq(number(series(tree, "member"), k), k);
            ck_assert_double_eq(number(series(tree, "parameters.w"), k), w);
            ck_assert_double_eq(number(series(tree, "initial.q.x"), k), x0);
            ck_assert_double_eq_tol(number(series(tree, "final.q.x"), k), x0 * cos(w), 1e-8);
            ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetArrayItem(series(tree, "state"), k)),
                             "succeeded");
            ck_assert(cJSON_IsNull(cJSON_GetArrayItem(series(tree, "reason"), k)));
        }
        ck_assert(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tree, "complete")));
        cJSON_Delete(tree);
    }
}
END_TEST

START_TEST(pages_follow_each_other_in_any_order)
{
    static const char *const QUERIES[] = {"limit=5", "where=initial.q.x%3E1.2&limit=2",
                                          "sort=-final.q.x&limit=5",
                                          "sort=parameters.w&where=member!=3&limit=4"};
    static const int COUNTS[] = {12, 9, 12, 11};

    submit(GRID, 5, 0, true);
    for (size_t q = 0; q < 4; q++) {
        char query[200];
        int seen = 0;
        bool met[12] = {false};
        snprintf(query, sizeof query, "/members?%s", QUERIES[q]);
        for (;;) {
            cJSON *tree = get(200, query);
            const cJSON *members = series(tree, "member"), *member;
            cJSON_ArrayForEach(member, members)
            {
                ck_assert(!met[member->valueint]);
                met[member->valueint] = true;
                seen++;
            }
            const char *next = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, "next"));
            if (next)
                snprintf(query, sizeof query, "/members?%s&cursor=%s", QUERIES[q], next);
            cJSON_Delete(tree);
            if (!next)
                break;
        }
        ck_assert_int_eq(seen, COUNTS[q]);
    }
}
END_TEST

START_TEST(a_grid_is_a_matrix_in_the_order_of_its_axes)
{
    submit(GRID, 5, 0, true);
    cJSON *tree = get(200, "/members?shape=grid&columns=member,state&where=member%20!=%205");
    const cJSON *axes = cJSON_GetObjectItemCaseSensitive(tree, "axes");
    ck_assert_int_eq(cJSON_GetArraySize(axes), 2);
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(axes, 0), "values");
    ck_assert_double_eq(number(values, 1), 1.5);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            const int k = 4 * i + j;
            const cJSON *state =
                cJSON_GetArrayItem(cJSON_GetArrayItem(series(tree, "state"), i), j);
            ck_assert_double_eq(number(cJSON_GetArrayItem(series(tree, "member"), i), j), k);
            ck_assert(k == 5 ? cJSON_IsNull(state) : cJSON_IsString(state));
        }
    cJSON_Delete(tree);
}
END_TEST

START_TEST(a_member_is_a_job_that_can_be_run_alone)
{
    submit(GRID, 5, 0, true);
    cJSON *tree = get(200, "/members/6");
    char *job = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(tree, "job"));
    ck_assert_str_eq(job,
                     "{\"model\":{\"coordinates\":[\"x\"],\"parameters\":{\"w\":1},"
                     "\"lagrangian\":\"dot(x)^2/2 - w^2*x^2/2\"},\"initial\":{\"q\":{\"x\":2}},"
                     "\"time\":{\"end\":1,\"samples\":5},\"observe\":{\"z\":\"2*x\",\"a\":\"3*x\"},"
                     "\"events\":[{\"name\":\"cross\",\"when\":\"x - 0.9\"}],"
                     "\"labels\":{\"b\":\"1\",\"a\":\"2\"},\"parameters\":{\"w\":1.5}}");
    cJSON_free(job);
    ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, "state")),
                     "succeeded");
    const cJSON *row = cJSON_GetObjectItemCaseSensitive(tree, "row");
    ck_assert_double_eq(cJSON_GetObjectItemCaseSensitive(row, "member")->valuedouble, 6);
    cJSON_Delete(tree);
}
END_TEST

START_TEST(tables_are_of_one_member_or_of_all)
{
    submit(GRID, 5, 0, true);
    cJSON *own = get(200, "/members/6/result");
    ck_assert_int_eq(cJSON_GetArraySize(series(own, "t")), 5);
    ck_assert_ptr_null(cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(own, "series"), "member"));
    cJSON *all = get(200, "/result?table=trajectory");
    ck_assert_int_eq(cJSON_GetArraySize(series(all, "t")), 60);
    for (int k = 0; k < 5; k++) {
        ck_assert_double_eq(number(series(all, "member"), 30 + k), 6);
        ck_assert_double_eq(number(series(all, "x"), 30 + k), number(series(own, "x"), k));
    }
    cJSON_Delete(own);
    cJSON_Delete(all);
    /* x0 cos(w t) = 0.9: not of the slow ones beyond 1 */
    cJSON *events = get(200, "/result?table=cross&columns=member,t&limit=3&cursor=1");
    ck_assert_int_eq(cJSON_GetArraySize(series(events, "t")), 3);
    cJSON_Delete(events);
}
END_TEST

START_TEST(statistics_are_those_of_the_rows)
{
    submit(GRID, 5, 0, true);
    cJSON *tree = get(200, "/statistics?of=initial.q.x,final.q.x,state&quantiles=0,0.5&bins=2"
                           "&where=parameters.w%3E0.5");
    const cJSON *columns = cJSON_GetObjectItemCaseSensitive(tree, "columns");
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(columns, "initial.q.x");
    ck_assert_int_eq(cJSON_GetObjectItemCaseSensitive(tree, "count")->valueint, 8);
    ck_assert_int_eq(cJSON_GetObjectItemCaseSensitive(x, "count")->valueint, 8);
    ck_assert_double_eq(cJSON_GetObjectItemCaseSensitive(x, "mean")->valuedouble, 1.75);
    ck_assert_double_eq_tol(cJSON_GetObjectItemCaseSensitive(x, "variance")->valuedouble,
                            2 * (2 * 0.5625 + 2 * 0.0625) / 7, 1e-15);
    const cJSON *quantiles = cJSON_GetObjectItemCaseSensitive(x, "quantiles");
    ck_assert_double_eq(cJSON_GetObjectItemCaseSensitive(quantiles, "0.5")->valuedouble, 1.75);
    const cJSON *counts = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(x, "histogram"), "counts");
    ck_assert(number(counts, 0) == 4 && number(counts, 1) == 4);
    const cJSON *state = cJSON_GetObjectItemCaseSensitive(columns, "state");
    ck_assert_int_eq(cJSON_GetObjectItemCaseSensitive(
                         cJSON_GetObjectItemCaseSensitive(state, "words"), "succeeded")
                         ->valueint,
                     8);
    const cJSON *covariance = cJSON_GetObjectItemCaseSensitive(tree, "covariance");
    ck_assert_int_eq(cJSON_GetArraySize(covariance), 2);
    ck_assert_double_eq(number(cJSON_GetArrayItem(covariance, 0), 1),
                        number(cJSON_GetArrayItem(covariance, 1), 0));
    const cJSON *correlation = cJSON_GetObjectItemCaseSensitive(tree, "correlation");
    ck_assert_double_eq_tol(number(cJSON_GetArrayItem(correlation, 1), 1), 1, 1e-15);
    cJSON_Delete(tree);
}
END_TEST

START_TEST(what_has_not_ended_is_left_out)
{
    submit(GRID, 5, 1, true); /* members 0 to 4 are with somebody */
    cJSON *tree = get(200, "/members?limit=3");
    ck_assert_double_eq(number(series(tree, "member"), 0), 5);
    ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, "next")), "8");
    ck_assert(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(tree, "complete")));
    cJSON_Delete(tree);
    tree = get(200, "/members?shape=grid&columns=final.q.x");
    ck_assert(
        cJSON_IsNull(cJSON_GetArrayItem(cJSON_GetArrayItem(series(tree, "final.q.x"), 0), 3)));
    ck_assert(
        cJSON_IsNumber(cJSON_GetArrayItem(cJSON_GetArrayItem(series(tree, "final.q.x"), 2), 0)));
    cJSON_Delete(tree);
    tree = get(200, "/members/2");
    ck_assert_str_eq(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, "state")),
                     "queued");
    ck_assert(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(tree, "row")));
    cJSON_Delete(tree);
    cJSON_Delete(get(409, "/members/2/result"));
    tree = get(200, "/statistics?of=final.q.x");
    ck_assert_int_eq(cJSON_GetObjectItemCaseSensitive(tree, "count")->valueint, 7);
    cJSON_Delete(tree);
}
END_TEST

static const struct {
    int status;
    const char *rest, *part; /* of the answer */
} REFUSED[] = {
    {400, "/members?where=parameters.q%3C1", "did you mean \\\"parameters.w\\\"?"},
    {400, "/members?where=parameters.q%3C1", "\"offset\":0"},
    {400, "/members?where=final.q.x", "needs a condition"},
    {400, "/members?sort=final.q.x%3C1", "a condition can stand only in if"},
    {400, "/members?columns=final.q.y", "final.q.x"},
    {400, "/members?limit=0", "limit"},
    {400, "/members?shape=square", "grid"},
    {400, "/members?shape=grid&sort=member", "sort"},
    {400, "/members?shape=grid&limit=3", "limit"},
    {404, "/members/12", "from 0 to 11"},
    {404, "/members/-1", "no member"},
    {404, "/members/1.5", "no member"},
    {404, "/members/12/result", "no member"},
    {400, "/result?from=3", "does not apply"},
    {400, "/result?table=bounce", "no event"},
    {400, "/members/3/result?table=bounce", "no event"},
    {400, "/statistics", "no reductions"},
    {400, "/statistics?of=final.q.x&quantiles=1.5", "from 0 to 1"},
    {400, "/statistics?of=final.q.x&quantiles=0.5,,0.9", "from 0 to 1"},
    {400, "/statistics?of=final.q.x&quantiles=0.5,0.50", "twice"},
    {400, "/statistics?of=final.q.x&bins=0", "bins"},
    {400, "/statistics?of=final.q.x,final.q.x", "twice"},
    {400, "/statistics?of=final.q.x&where=state%3D%3D%22faild%22", "faild"},
    {400, "/statistics?over=space", "over must be time"},
};

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* An ensemble of a million members of which nothing is run: the rows are made up. */
static void store_many(void)
{
    enum { MANY = 1000000, UNIT = 4096, WIDTH = 12 };
    static double row[WIDTH];
    const JobDraft draft = {.request = GRID,
                            .request_size = strlen(GRID),
                            .request_hash = "",
                            .model_id = "m",
                            .model_name = "",
                            .labels = "{}",
                            .formulation = "lagrange-dalembert",
                            .method = "auto",
                            .members = MANY,
                            .design = "{}",
                            .columns =
                                "[\"member\",\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\","
                                "\"steps\",\"state\"]",
                            .tables = "[]",
                            .table_columns = "[]"};
    JobRecord record;
    UnitLease unit;
    JobLease lease;
    bool replayed;

    ck_assert_int_eq(store_job_add(context.store, &draft, arena, &record, &replayed, NULL), OK);
    snprintf(id, sizeof id, "%s", record.id);
    ck_assert_int_eq(store_job_claim(context.store.store, arena, &lease, NULL), OK);
    while (store_unit_claim(context.store.store, id, UNIT, &unit, NULL) == OK) {
        for (uint64_t k = unit.first; k < unit.first + unit.n; k++) {
            row[0] = (double)k;
            for (size_t c = 1; c < WIDTH - 1; c++) /* a permutation of the numbers below 1 */
                row[c] = (double)((k * 48271 + c) % MANY) / MANY;
            ck_assert_int_eq(
                store_unit_append(context.store.store, id, unit.token, -1, k, row, 1, WIDTH, NULL),
                OK);
        }
        const UnitFinish finish = {.done = unit.n};
        ck_assert_int_eq(store_unit_finish(context.store.store, id, unit.token, &finish, NULL), OK);
    }
}

START_TEST(a_million_members_are_asked_for_in_bounded_memory)
{
    static const char *const RESTS[] = {"/members?where=a%3C0.25&limit=1000000&columns=a",
                                        "/members?sort=-b&limit=100000&columns=member,b",
                                        "/statistics?of=a,b,c,d&quantiles=0.5&bins=10",
                                        "/result?columns=c"};

    budget_init(&downloads, (size_t)256 << 20);
    store_many();
    const long before = peak_kib();
    for (size_t k = 0; k < 4; k++) {
        cJSON *tree = get(200, RESTS[k]);
        if (k < 2)
            ck_assert_int_eq(cJSON_GetArraySize(series(tree, k ? "b" : "a")), k ? 100000 : 250000);
        if (k == 1)
            ck_assert_double_eq(number(series(tree, "b"), 99999), 0.9);
        cJSON_Delete(tree);
    }
    const long grown = peak_kib() - before;
    printf("asked for a million members; peak memory grew by %ld KiB\n", grown);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    ck_assert_int_lt(grown, 512 * 1024); /* with the answers, whole and as trees */
#endif
}
END_TEST

START_TEST(a_question_without_an_answer_is_told_why)
{
    submit(GRID, 100, 0, true);
    cJSON_Delete(get(REFUSED[_i].status, REFUSED[_i].rest));
    ck_assert_msg(strstr(text_string(&body), REFUSED[_i].part), "%s: %s", REFUSED[_i].rest,
                  text_string(&body));
}
END_TEST

START_TEST(a_plain_job_has_no_members)
{
    static const char *const RESTS[] = {"/members", "/members/0", "/members/0/result",
                                        "/statistics"};
    char plain[sizeof GRID];

    snprintf(plain, sizeof plain, "%.*s}", (int)(strstr(GRID, ",\"vary\"") - GRID), GRID);
    ck_assert_int_eq(ask("POST", "/v1/jobs", plain, NULL), 202);
    cJSON *tree = cJSON_ParseWithLength(text_string(&body), body.length);
    snprintf(id, sizeof id, "%s",
             cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, "id")));
    cJSON_Delete(tree);
    for (size_t k = 0; k < 4; k++)
        cJSON_Delete(get(404, RESTS[k]));
}
END_TEST

START_TEST(the_same_rows_come_in_every_format)
{
    static const char *const TYPES[] = {"text/csv", "application/x-ndjson", "application/x-npy"};
    char target[200];

    submit(GRID, 5, 0, true);
    snprintf(target, sizeof target, "/v1/jobs/%s/members?columns=member,state&limit=2", id);
    ck_assert_int_eq(ask("GET", target, NULL, TYPES[0]), 200);
    ck_assert_str_eq(text_string(&body), "member,state\r\n0,succeeded\r\n1,succeeded\r\n");
    ck_assert_int_eq(ask("GET", target, NULL, TYPES[1]), 200);
    ck_assert_str_eq(text_string(&body), "{\"member\":0,\"state\":\"succeeded\"}\n"
                                         "{\"member\":1,\"state\":\"succeeded\"}\n");
    ck_assert_int_eq(ask("GET", target, NULL, TYPES[2]), 200);
    ck_assert(strstr(text_string(&body) + 10, "[('member', '<f8'), ('state', '|S9')]"));
    ck_assert(strstr(text_string(&body) + 10, "'shape': (2,)"));
    snprintf(target, sizeof target, "/v1/jobs/%s/members?shape=grid", id);
    ck_assert_int_eq(ask("GET", target, NULL, TYPES[2]), 200);
    ck_assert(strstr(text_string(&body) + 10, "'shape': (3,4,)"));
    ck_assert_int_eq(ask("GET", target, NULL, TYPES[0]), 406);
    const char *tag = NULL;
    snprintf(target, sizeof target, "/v1/jobs/%s/members", id);
    ck_assert_int_eq(ask("GET", target, NULL, NULL), 200);
    for (size_t k = 0; k < response.n_headers; k++)
        if (strcmp(response.headers[k].name, "ETag") == 0)
            tag = response.headers[k].value;
    ck_assert_ptr_nonnull(tag);
}
END_TEST

SUITE(members)
{
    TCase *tc = suite_case(suite, "members");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, every_member_has_its_row);
    tcase_add_test(tc, pages_follow_each_other_in_any_order);
    tcase_add_test(tc, a_grid_is_a_matrix_in_the_order_of_its_axes);
    tcase_add_test(tc, a_member_is_a_job_that_can_be_run_alone);
    tcase_add_test(tc, tables_are_of_one_member_or_of_all);
    tcase_add_test(tc, statistics_are_those_of_the_rows);
    tcase_add_test(tc, what_has_not_ended_is_left_out);
    tcase_add_test(tc, a_million_members_are_asked_for_in_bounded_memory);
    tcase_add_loop_test(tc, a_question_without_an_answer_is_told_why, 0,
                        sizeof REFUSED / sizeof REFUSED[0]);
    tcase_add_test(tc, a_plain_job_has_no_members);
    tcase_add_test(tc, the_same_rows_come_in_every_format);
}
