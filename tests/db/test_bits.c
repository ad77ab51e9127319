/* One flipped bit, anywhere in the file: what is answered is what was written, or an error. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/db/fixture.h"
#include "tests/suite.h"

enum { PAGE = 4096, JOBS = 3, DONE = 0, FAILED = 1, QUEUED = 2, SAMPLES = SUITE_DRAWS(300) };

static const char REQUEST[] = "{\"request\": \"of the job\"}";
static const char DOCUMENT[] = "{\"model\": \"document\"}";
static const char DIAGNOSTICS[] = "{\"steps\": \"a hundred\"}";
static const char NAME[] = "the row under test"; /* of the model, nowhere else in the file */
static const double ROWS[] = {0, 1234.5678, 1, 8765.4321, 2, 1.5}, EVENTS[] = {1, 0.25};

static Fixture f;
static JobRecord written[JOBS];
static Arena *kept;          /* what they say */
static unsigned char *image; /* the file as it was closed */
static long image_size;
static long row_page; /* of the file's pages, the one with the row under test */

/* What became of all flips. */
static struct {
    int flips, refused, told, lost;
} seen;

static void add_rows(const JobLease *lease)
{
    ck_ok(store_result_begin(f.store, lease->job.id, lease->token, "[\"t\",\"x\"]", "[\"zero\"]",
                             err));
    ck_ok(store_result_append(f.store, lease->job.id, lease->token, -1, ROWS, 3, 2, err));
    ck_ok(store_result_append(f.store, lease->job.id, lease->token, 0, EVENTS, 1, 2, err));
}

static void add_jobs(void)
{
    JobDraft draft = draft_of(REQUEST);
    JobRecord job;
    bool flag;
    draft.model_name = NAME;
    draft.labels = "{\"kind\":\"tested\"}";
    draft.idempotency_key = "key";
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &flag, err));
    JobLease lease = claim_job(&f);
    add_rows(&lease);
    const JobFinish finish = {.state = JOB_SUCCEEDED,
                              .complete = true,
                              .diagnostics = DIAGNOSTICS,
                              .invariants = "{}",
                              .warnings = "[]",
                              .result_hash = "hash-of-result"};
    ck_ok(store_job_finish(f.store, job.id, lease.token, &finish, err));
    add_job(&f, REQUEST);
    lease = claim_job(&f);
    finish_job(&f, &lease, JOB_FAILED);
    add_job(&f, REQUEST);
    ck_ok(store_model_put(default_tenant(f.store), "model-id", "model-name", DOCUMENT,
                          strlen(DOCUMENT), &flag, err));
}

static void list_jobs(const JobFilter *filter, JobRecord **ret_jobs, size_t *ret_n, Status *status)
{
    bool more;
    *ret_n = 0;
    *status =
        store_job_list(default_tenant(f.store), filter, f.arena, ret_jobs, ret_n, &more, NULL);
}

static char *path_of_file(void)
{
    static char path[100];
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    return path;
}

static void read_image(void)
{
    struct stat info;
    FILE *file = fopen(path_of_file(), "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fstat(fileno(file), &info), 0);
    image_size = (long)info.st_size;
    image = malloc((size_t)image_size);
    ck_assert_uint_eq(fread(image, 1, (size_t)image_size, file), (size_t)image_size);
    fclose(file);
    row_page = -1;
    for (long at = 0; at + (long)sizeof NAME <= image_size; at++)
        if (memcmp(image + at, NAME, strlen(NAME)) == 0) {
            ck_assert_int_eq(row_page, -1);
            row_page = at / PAGE;
        }
    ck_assert_int_ge(row_page, 0);
}

/* In memory where there is such a place: a flip costs an opening. */
static void setup(void)
{
    JobRecord *jobs;
    size_t n;
    Status status;
    memset(&f, 0, sizeof f);
    strcpy(f.directory, access("/dev/shm", W_OK) == 0 ? "/dev/shm/dalembert-bits-XXXXXX"
                                                      : "/tmp/dalembert-bits-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(f.directory));
    f.options.directory = f.directory;
    f.arena = arena_new((size_t)1 << 30);
    ck_ok(store_open(&f.options, &f.store, err));
    add_jobs();
    list_jobs(&(JobFilter){.since = -1, .limit = 10}, &jobs, &n, &status);
    ck_assert_uint_eq(n, JOBS);
    for (size_t i = 0; i < JOBS; i++)
        written[i] = jobs[JOBS - 1 - i];
    kept = f.arena;
    f.arena = arena_new((size_t)1 << 30);
    store_close(f.store);
    f.store = NULL;
    read_image();
}

static void teardown(void)
{
    free(image);
    arena_free(kept);
    fixture_done(&f);
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_job(const JobRecord *a, const JobRecord *b)
{
    return strcmp(a->id, b->id) == 0 && a->state == b->state && a->revision == b->revision &&
           a->created_ms == b->created_ms && a->started_ms == b->started_ms &&
           a->finished_ms == b->finished_ms && a->attempt == b->attempt &&
           a->priority == b->priority && a->cancel_requested == b->cancel_requested &&
           a->complete == b->complete && a->timeout_ms == b->timeout_ms && a->rows == b->rows &&
           same_text(a->reason, b->reason) && same_text(a->error, b->error) &&
           same_text(a->model_id, b->model_id) && same_text(a->model_name, b->model_name) &&
           same_text(a->labels, b->labels) && same_text(a->formulation, b->formulation) &&
           same_text(a->method, b->method) && same_text(a->request_hash, b->request_hash) &&
           same_text(a->columns, b->columns) && same_text(a->tables, b->tables) &&
           same_text(a->result_hash, b->result_hash) && same_text(a->warnings, b->warnings);
}

/* What one flip led to. */
typedef struct Outcome {
    bool told, lost;
} Outcome;

/* Whether there is an answer, which must be right. In the schema's text a bit can make a statement
 * fail, which is an ERR_INTERNAL. */
static bool answered(Outcome *outcome, Status status)
{
    outcome->lost = outcome->lost || status == ERR_NOT_FOUND;
    outcome->told = outcome->told || (status != OK && status != ERR_NOT_FOUND);
    return status == OK;
}

static void look_at_job(Outcome *outcome, const JobRecord *was)
{
    JobRecord job;
    const char *text;
    size_t size;
    if (answered(outcome, store_job_get(default_tenant(f.store), was->id, f.arena, &job, NULL)))
        ck_assert(same_job(&job, was));
    if (answered(outcome,
                 store_job_request(default_tenant(f.store), was->id, f.arena, &text, &size, NULL)))
        ck_assert(size == strlen(REQUEST) && memcmp(text, REQUEST, size) == 0);
    if (answered(outcome, store_job_document(default_tenant(f.store), was->id, JOB_DIAGNOSTICS,
                                             f.arena, &text, NULL)))
        ck_assert(same_text(text, was == &written[DONE] ? DIAGNOSTICS : NULL));
}

static void look_at_rows(Outcome *outcome)
{
    const char *id = written[DONE].id;
    for (int table = -1; table < 1; table++) {
        ResultBlock block;
        uint64_t rows, row;
        if (answered(outcome, store_result_rows(default_tenant(f.store), id, table, &rows, NULL)))
            ck_assert_uint_eq(rows, table < 0 ? 3 : 1);
        if (answered(outcome, store_result_block(default_tenant(f.store), id, table, 0, f.arena,
                                                 &block, NULL))) {
            ck_assert_uint_eq(block.n_rows, table < 0 ? 3 : 1);
            ck_assert_int_eq(memcmp(block.rows, table < 0 ? ROWS : EVENTS,
                                    (size_t)block.n_rows * 2 * sizeof(double)),
                             0);
        }
        if (answered(outcome,
                     store_result_find(default_tenant(f.store), id, table, 0.5, &row, NULL)))
            ck_assert_uint_eq(row, table < 0 ? 1u : 0u);
    }
}

static void look_at_list(Outcome *outcome, const JobFilter *filter, size_t most)
{
    JobRecord *jobs;
    size_t n;
    Status status;
    list_jobs(filter, &jobs, &n, &status);
    if (!answered(outcome, status))
        return;
    ck_assert_uint_le(n, most);
    outcome->lost = outcome->lost || n < most;
    for (size_t i = 0; i < n; i++) {
        int was = 0;
        while (was < JOBS && strcmp(written[was].id, jobs[i].id) != 0)
            was++;
        ck_assert_int_lt(was, JOBS);
        ck_assert(same_job(&jobs[i], &written[was]));
        ck_assert(!filter->by_state || jobs[i].state == filter->state);
        ck_assert(!filter->n_labels || was == DONE);
    }
}

static void look_at_models(Outcome *outcome)
{
    bool more;
    ModelRecord model, *models;
    size_t n;
    if (answered(outcome,
                 store_model_get(default_tenant(f.store), "model-id", f.arena, &model, NULL)))
        ck_assert(same_text(model.name, "model-name") && same_text(model.document, DOCUMENT));
    if (answered(outcome, store_model_list(default_tenant(f.store), NULL, 10, f.arena, &models, &n,
                                           &more, NULL))) {
        ck_assert_uint_le(n, 1);
        outcome->lost = outcome->lost || n < 1;
        if (n == 1)
            ck_assert(same_text(models[0].id, "model-id") &&
                      same_text(models[0].name, "model-name") &&
                      models[0].document_size == strlen(DOCUMENT));
    }
}

static void look_at_claim(Outcome *outcome)
{
    JobLease lease;
    if (!answered(outcome, store_job_claim(f.store, f.arena, &lease, NULL)))
        return;
    ck_assert_str_eq(lease.job.id, written[QUEUED].id);
    ck_assert_uint_eq(lease.job.attempt, 1);
    ck_assert_int_eq(lease.job.created_ms, written[QUEUED].created_ms);
    ck_assert(same_text(lease.job.model_id, written[QUEUED].model_id));
    if (lease.request)
        ck_assert(lease.request_size == strlen(REQUEST) &&
                  memcmp(lease.request, REQUEST, lease.request_size) == 0);
    else
        outcome->told = true;
}

/* Everything that can be asked; the claim at last, which changes a job. */
static Outcome look_at_all(void)
{
    Outcome outcome = {0};
    for (int job = 0; job < JOBS; job++)
        look_at_job(&outcome, &written[job]);
    look_at_rows(&outcome);
    look_at_list(&outcome, &(JobFilter){.since = -1, .limit = 10}, JOBS);
    look_at_list(&outcome, &(JobFilter){.since = 0, .limit = 10}, JOBS);
    look_at_list(&outcome, &(JobFilter){.since = -1, .limit = 10, .model_id = "hash-of-model"},
                 JOBS);
    look_at_list(
        &outcome,
        &(JobFilter){
            .since = -1, .limit = 10, .labels = &(JobLabel){"kind", "tested"}, .n_labels = 1},
        1);
    for (int job = 0; job < JOBS; job++)
        look_at_list(
            &outcome,
            &(JobFilter){.since = -1, .limit = 10, .by_state = true, .state = written[job].state},
            1);
    look_at_models(&outcome);
    look_at_claim(&outcome);
    return outcome;
}

static void write_file(long bit)
{
    FILE *file = fopen(path_of_file(), "wb");
    ck_assert_ptr_nonnull(file);
    image[bit / 8] ^= (unsigned char)(1u << bit % 8);
    ck_assert_uint_eq(fwrite(image, 1, (size_t)image_size, file), (size_t)image_size);
    image[bit / 8] ^= (unsigned char)(1u << bit % 8);
    ck_assert_int_eq(fclose(file), 0);
}

static Outcome flip(long bit)
{
    Error error = {0};
    Outcome outcome = {0};
    write_file(bit);
    seen.flips++;
    if (store_open(&f.options, &f.store, &error) != OK) {
        ck_assert_msg(error.message[0], "bit %ld", bit);
        seen.refused++;
        f.store = NULL;
        outcome.told = true;
        return outcome;
    }
    outcome = look_at_all();
    seen.told += outcome.told;
    seen.lost += outcome.lost && !outcome.told;
    store_close(f.store);
    f.store = NULL;
    arena_reset(f.arena);
    return outcome;
}

static void tell(const char *where)
{
    printf("%s: %d bits: %d times the store was not opened, %d times an error, %d times something "
           "was not found\n",
           where, seen.flips, seen.refused, seen.told, seen.lost);
}

/* All with BITS=all, else some. The page has the rows of the jobs, and what SQLite needs to find
 * them. */
START_TEST(no_bit_of_a_job_s_page_leads_to_a_wrong_answer)
{
    const long bits = 8L * PAGE, step = getenv("BITS") ? 1 : bits / SAMPLES;
    for (long bit = 0; bit < bits; bit += step) {
        const Outcome outcome = flip(row_page * bits + bit);
        ck_assert_msg(!outcome.lost || outcome.told,
                      "bit %ld: something is missing, and nothing is said", bit);
    }
    tell("the jobs' page");
}
END_TEST

/* An entry that an index has lost is not missed; whatever is found is right. */
START_TEST(no_bit_of_the_file_leads_to_a_wrong_answer)
{
    const long step = 8 * image_size / (getenv("BITS") ? 100 * SAMPLES : SAMPLES) | 1;
    for (long bit = 0; bit < 8 * image_size; bit += step)
        flip(bit);
    tell("the file");
}
END_TEST

SUITE(bits)
{
    TCase *tc = suite_case(suite, "bits");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, no_bit_of_a_job_s_page_leads_to_a_wrong_answer);
    tcase_add_test(tc, no_bit_of_the_file_leads_to_a_wrong_answer);
}
