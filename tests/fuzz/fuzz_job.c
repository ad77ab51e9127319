/* A job document, from its bytes through a short run to the evidence; of an ensemble its first and
 * its last members. */
#include <math.h>
#include <string.h>

#include "api/documents/documents.h"
#include "core/numeric/numeric.h"
#include "core/simulate.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES = 64 << 20 };
enum { RUN_POLLS = 500 }; /* a millisecond of work each, or more */
enum { MAX_STEPS = 300, MEMBERS_MOST = 10000000 };
static const SimulationLimits LIMITS = {.max_samples = 2000, .max_event_rows = 200};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    numeric_init();
    return 0;
}

typedef struct Sink {
    size_t n_columns, n_tables;
    uint64_t samples, event_rows;
    unsigned polls;
} Sink;

static Status on_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Sink *sink = self;
    (void)err;
    REQUIRE(table >= -1 && (table < 0 || (size_t)table < sink->n_tables), "table %d", table);
    for (size_t i = 0; i < n_rows * sink->n_columns; i++)
        REQUIRE(isfinite(rows[i]), "%g in column %zu", rows[i], i % sink->n_columns);
    *(table < 0 ? &sink->samples : &sink->event_rows) += n_rows;
    return OK;
}

static Status on_poll(void *self, Error *err)
{
    Sink *sink = self;
    if (++sink->polls > RUN_POLLS)
        return error_set(err, ERR_TIMEOUT, "too long");
    return OK;
}

static void check_result(const Simulation *simulation, const Sink *sink,
                         const SimulationResult *result)
{
    Text text = TEXT_INIT;
    uint64_t wanted = simulation_n_samples(simulation);
    REQUIRE(result->samples == sink->samples, "%llu samples counted, %llu came",
            (unsigned long long)result->samples, (unsigned long long)sink->samples);
    REQUIRE(isfinite(result->end.t), "reached t = %g", result->end.t);
    if (result->end.status == OK) {
        REQUIRE(result->end.complete && !result->end.reason, "ended well, but not complete");
        REQUIRE(result->end.stopped_by || sink->samples == wanted, "%llu samples of %llu",
                (unsigned long long)sink->samples, (unsigned long long)wanted);
    } else {
        REQUIRE(result->end.reason && result->end.message && *result->end.message,
                "failed without a reason");
        /* one that is stopped while others are compared with it is whole */
        REQUIRE(!result->end.complete || result->end.status == ERR_TIMEOUT, "failed, but complete");
        REQUIRE(strcmp(result->end.reason, "internal") != 0, "%s", result->end.message);
    }
    diagnostics_write(&text, result, NULL);
    require_json(text.data, text.length, "the diagnostics");
    text_reset(&text);
    invariants_write(&text, result);
    require_json(text.data, text.length, "the invariants");
    text_done(&text);
}

static void run(Simulation *simulation)
{
    const char *const *names;
    Sink sink = {.n_columns = simulation_columns(simulation, &names)};
    SimulationResult result;
    Error err = {0};

    sink.n_tables = simulation_tables(simulation, &names);
    SimulationSink calls = {.self = &sink, .rows = on_rows, .poll = on_poll};
    Status status = simulation_run(simulation, &calls, &result, &err);
    REQUIRE(status == OK, "%s: %s", status_text(status), err.message);
    check_result(simulation, &sink, &result);
}

typedef struct Members {
    const Ensemble *ensemble;
    size_t n_columns, n_table_columns;
    uint64_t told;
    unsigned polls;
} Members;

static Status on_member(void *self, uint64_t k, const double *row, const char *reason,
                        const char *message, Error *err)
{
    Members *m = self;
    const double state = row[m->n_columns - 1];
    (void)message;
    (void)err;
    REQUIRE(row[0] == (double)k, "the row of member %g for %llu", row[0], (unsigned long long)k);
    for (size_t a = 0; a < design_axes(ensemble_design(m->ensemble)); a++)
        REQUIRE(isfinite(row[1 + a]), "input %zu is %g", a, row[1 + a]);
    for (size_t c = 0; c < m->n_columns; c++)
        REQUIRE(!isinf(row[c]), "%g in column %zu", row[c], c);
    REQUIRE(state >= 0 && state < MEMBER_STATES && state != MEMBER_INTERNAL, "state %g", state);
    REQUIRE((state == MEMBER_SUCCEEDED) == !reason, "state %g, reason %s", state, reason);
    m->told++;
    return OK;
}

static Status on_member_rows(void *self, uint64_t k, size_t table, const double *rows,
                             size_t n_rows, Error *err)
{
    const Members *m = self;
    (void)table;
    (void)err;
    for (size_t i = 0; i < n_rows * m->n_table_columns; i++)
        REQUIRE(isfinite(rows[i]), "%g in column %zu", rows[i], i % m->n_table_columns);
    REQUIRE(n_rows == 0 || rows[0] == (double)k, "the rows of another member");
    return OK;
}

static Status on_members_poll(void *self, Error *err)
{
    Members *m = self;
    if (++m->polls > RUN_POLLS)
        return error_set(err, ERR_TIMEOUT, "too long");
    return OK;
}

static void run_range(Ensemble *ensemble, uint64_t first, uint64_t n)
{
    const char *const *names;
    Members m = {.ensemble = ensemble, .n_columns = ensemble_columns(ensemble, &names)};
    const EnsembleSink sink = {
        .self = &m, .member = on_member, .rows = on_member_rows, .poll = on_members_poll};
    uint64_t done;
    Error err = {0};

    m.n_table_columns = ensemble_table_columns(ensemble, &names);
    Status status = ensemble_run(ensemble, first, n, &sink, &done, &err);
    REQUIRE(status == OK, "%s: %s", status_text(status), err.message);
    REQUIRE(done <= n && m.told >= done, "%llu told, %llu done", (unsigned long long)m.told,
            (unsigned long long)done);
}

static Status run_members(Compiled *compiled, const JobInput *input, Diagnostics *diag, Error *err)
{
    Ensemble *ensemble = NULL;
    Status status = ensemble_new(compiled, &input->spec, &input->ensemble,
                                 &(EnsembleLimits){&LIMITS, MEMBERS_MOST}, diag, &ensemble, err);
    if (status != OK)
        return status;
    const uint64_t count = design_count(ensemble_design(ensemble));
    REQUIRE(count >= 1 && count <= MEMBERS_MOST, "%llu members", (unsigned long long)count);
    run_range(ensemble, 0, count < 2 ? count : 2);
    run_range(ensemble, count - 1, 1);
    ensemble_free(ensemble);
    return OK;
}

static Status run_job(Compiled *compiled, const JobInput *input, Diagnostics *diag, Error *err)
{
    Simulation *simulation = NULL;

    if (input->design)
        return run_members(compiled, input, diag, err);
    Status status = simulation_new(compiled, &input->spec, &LIMITS, diag, &simulation, err);
    if (status == OK)
        run(simulation);
    simulation_free(simulation);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ModelSource source = {0};
    Arena *arena = arena_new(ARENA_BYTES);
    Diagnostics diag;
    JobInput input;
    Compiled *compiled = NULL;
    bool is_json;
    Error err = {0};

    REQUIRE(arena, "out of memory");
    diagnostics_init(&diag, arena);
    Status status =
        job_input_read((const char *)data, size, &source, arena, &diag, &input, &is_json, &err);
    if (status == OK) {
        require_json(input.labels, strlen(input.labels), "the labels");
        status =
            compiled_new(&input.model.document, input.spec.formulation, &diag, &compiled, &err);
    }
    if (status == OK && input.spec.integrator.max_steps > MAX_STEPS)
        input.spec.integrator.max_steps = MAX_STEPS;
    if (status == OK)
        status = run_job(compiled, &input, &diag, &err);
    if (status != OK) {
        REQUIRE(status == ERR_INVALID || status == ERR_LIMIT, "%s: %s", status_text(status),
                err.message);
        require_mistakes(data, size, &diag);
    }
    compiled_unref(compiled);
    arena_free(arena);
    return 0;
}
