/* One motion of `dalembert simulate`: all rows in memory, then result and evidence. */
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "server/command/args.h"
#include "server/command/simulate.h"
#include "server/origin.h"

/* The rows of one table, all in memory. */
typedef struct MemoryTable {
    double *values;
    size_t n_values, capacity;
    size_t row_length;
} MemoryTable;

typedef struct Motion {
    PreparedJob *job;
    MemoryTable *tables; /* n_tables + 1: the trajectory, then the events */
    size_t n_tables;
    const char *const *columns, *const *table_names;
    size_t n_columns;
    double deadline; /* clock_seconds; 0: none */
    SimulationResult result;
} Motion;

static Status keep_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Motion *run = self;
    MemoryTable *t = &run->tables[table + 1];
    size_t n = n_rows * run->n_columns;

    if (!grow_array(&t->values, &t->capacity, t->n_values + n, sizeof *t->values))
        return error_set(err, ERR_NO_MEMORY, "out of memory for the result");
    memcpy(t->values + t->n_values, rows, n * sizeof *rows);
    t->n_values += n;
    return OK;
}

static Status poll_deadline(void *self, Error *err)
{
    const Motion *run = self;
    if (run->deadline > 0 && clock_seconds() > run->deadline)
        return error_set(err, ERR_TIMEOUT, "the timeout of %g s was reached",
                         run->job->input.timeout);
    return OK;
}

static Status whole_table(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    const MemoryTable *table = self;
    uint64_t n = table->n_values / table->row_length;

    if (row >= n)
        return error_set(err, ERR_NOT_FOUND, "no row %llu", (unsigned long long)row);
    *ret_block = (RowsBlock){0, n, table->values};
    return OK;
}

static Status run_motion(Motion *run, Error *err)
{
    const SimulationSink sink = {.self = run, .rows = keep_rows, .poll = poll_deadline};
    Simulation *simulation = run->job->simulation;

    run->n_columns = simulation_columns(simulation, &run->columns);
    run->n_tables = simulation_tables(simulation, &run->table_names);
    run->tables = alloc_array(run->n_tables + 1, sizeof *run->tables);
    if (!run->tables)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i <= run->n_tables; i++)
        run->tables[i].row_length = run->n_columns;
    if (run->job->input.timeout > 0)
        run->deadline = clock_seconds() + run->job->input.timeout;
    return simulation_run(simulation, &sink, &run->result, err);
}

static void motion_done(Motion *run)
{
    for (size_t i = 0; run->tables && i <= run->n_tables; i++)
        free(run->tables[i].values);
    free(run->tables);
}

static const char *state_name(Status status)
{
    return status == OK ? "succeeded" : status == ERR_CANCELLED ? "cancelled" : "failed";
}

static void put_job(JsonWriter *w, const Motion *run)
{
    const SimulationResult *result = &run->result;

    json_member_object(w, "job");
    json_member_string(w, "state", state_name(result->end.status));
    json_member_string(w, "reason", result->end.reason);
    json_member_string(w, "message", result->end.message);
    json_member_bool(w, "complete", result->end.complete);
    put_origin(w, run->job, result->provenance.method, result->warnings, result->n_warnings);
    json_close_object(w);
}

static void put_evidence(JsonWriter *w, const Motion *run)
{
    Origin origin;
    origin_find(&origin);
    json_key(w, "diagnostics");
    diagnostics_write(w->out, &run->result, &origin);
    w->comma = true;
    json_key(w, "invariants");
    invariants_write(w->out, &run->result);
}

/* table 0 is the trajectory. */
static Status write_table(const Motion *run, size_t table, ResultFormat format, FILE *out,
                          Error *err)
{
    const RowsSource source = {&run->tables[table], whole_table, NULL};
    const ResultRequest request = {.format = format,
                                   .names = run->columns,
                                   .units = simulation_units(run->job->simulation),
                                   .n_names = run->n_columns,
                                   .end = run->tables[table].n_values / run->n_columns,
                                   .complete = run->result.end.complete,
                                   .ended_by = run->result.end.stopped_by,
                                   .table = table ? run->table_names[table - 1] : NULL};
    return write_rows(&request, &source, out, err);
}

/* The whole document, in the order of a reader's interest. */
static Status write_json(const Motion *run, FILE *out, Error *err)
{
    Text text = TEXT_INIT;
    JsonWriter writer;
    Status status;

    json_writer_init(&writer, &text);
    json_open_object(&writer);
    put_job(&writer, run);
    /* stream the tables between the parts that are built in memory */
    json_key(&writer, "result");
    flush_text(&text, out);
    status = write_table(run, 0, RESULT_JSON, out, err);
    writer.comma = true;
    json_member_object(&writer, "events");
    for (size_t i = 0; status == OK && i < run->n_tables; i++) {
        json_key(&writer, run->table_names[i]);
        flush_text(&text, out);
        status = write_table(run, i + 1, RESULT_JSON, out, err);
        writer.comma = true;
    }
    json_close_object(&writer);
    put_evidence(&writer, run);
    return end_document(&writer, status, out, err);
}

static Status write_evidence(const Motion *run, FILE *out, Error *err)
{
    Text text = TEXT_INIT;
    JsonWriter writer;

    json_writer_init(&writer, &text);
    json_open_object(&writer);
    put_job(&writer, run);
    put_evidence(&writer, run);
    return end_document(&writer, OK, out, err);
}

static Status write_content(const void *self, Content content, FILE *out, Error *err)
{
    const Motion *run = self;

    if (content == CONTENT_JSON)
        return write_json(run, out, err);
    if (content == CONTENT_EVIDENCE)
        return write_evidence(run, out, err);
    return write_table(run, 0, rows_format(content), out, err);
}

/* For the user at the terminal, if the document goes to a file. */
static void print_summary(const Motion *run)
{
    const SimulationResult *result = &run->result;

    fprintf(
        stderr,
        "%s: %llu samples to t = %g, %llu steps, constraints within %.1e, energy balance within "
        "%.1e\n",
        state_name(result->end.status), (unsigned long long)result->samples, result->end.t,
        (unsigned long long)result->steps.accepted, simulation_worst_residual(result),
        result->energy.balance_scaled);
}

static int tell(const Motion *run, const SimulateOptions *options)
{
    if (options->output)
        print_summary(run);
    if (run->result.end.status == OK)
        return EXIT_SUCCESS;
    fprintf(stderr, "the job failed (%s): %s\n",
            run->result.end.reason ? run->result.end.reason : "",
            run->result.end.message ? run->result.end.message : "");
    return EXIT_JOB_FAILED;
}

int simulate_motion(CommandInput *input, PreparedJob *job, const SimulateOptions *options)
{
    Motion run = {.job = job};
    const Writing writing = {&run, write_content};
    Error err = {0};
    int exit_status = EXIT_JOB_FAILED;

    Status status = run_motion(&run, &err);
    if (status != OK)
        command_input_fail(input, status, &err);
    else if (write_files(options, &writing, &err) != OK)
        fprintf(stderr, "%s\n", err.message);
    else
        exit_status = tell(&run, options);
    motion_done(&run);
    return exit_status;
}
