/* dalembert simulate: runs one job from a file in this process, with all rows in memory, and
 * writes result and evidence. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/json/writer.h"
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/numeric/numeric.h"
#include "server/command_args.h"
#include "server/command_input.h"
#include "server/commands.h"

#ifndef DALEMBERT_VERSION
#define DALEMBERT_VERSION "unknown"
#endif

static const char USAGE[] =
    "usage: dalembert simulate JOB.json [-o FILE] [--diagnostics FILE]\n"
    "\n"
    "Runs a job (\"-\": standard input) without a daemon and prints one JSON document:\n"
    "\n"
    "    {\"job\": .., \"result\": {\"columns\", \"series\", \"complete\"},\n"
    "     \"events\": {NAME: result, ..}, \"diagnostics\": .., \"invariants\": ..}\n"
    "\n"
    "  -o, --output FILE    write to FILE: .json as above; .csv or .ndjson the trajectory only\n"
    "  --diagnostics FILE   write {\"job\", \"diagnostics\", \"invariants\"} to FILE as well\n"
    "\n"
    "Exit status 0: the motion was computed to its end or to a terminal event; 1: it failed (what\n"
    "was computed is written, \"complete\": false) or the job has mistakes; 2: usage.\n";

/* The rows of one table, all in memory. */
typedef struct MemoryTable {
    double *values;
    size_t n_values, capacity;
    size_t row_length;
} MemoryTable;

typedef struct SimulateCommand {
    CommandInput input;
    PreparedJob job;
    MemoryTable *tables; /* n_tables + 1: the trajectory, then the events */
    size_t n_tables;
    const char *const *columns, *const *table_names;
    size_t n_columns;
    double deadline; /* clock_seconds; 0: none */
    SimulationResult result;
} SimulateCommand;

static Status simulate_keep_rows(void *self, int table, const double *rows, size_t n_rows,
                                 Error *err)
{
    SimulateCommand *run = self;
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
    const SimulateCommand *run = self;
    if (run->deadline > 0 && clock_seconds() > run->deadline)
        return error_set(err, ERR_TIMEOUT, "the time limit of %g s was reached",
                         run->job.input.timeout);
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

static Status simulate_job(SimulateCommand *run, Error *err)
{
    const SimulationSink sink = {.self = run, .rows = simulate_keep_rows, .poll = poll_deadline};

    Status status = command_input_prepare(&run->input, &run->job, err);
    if (status != OK)
        return status;
    run->n_columns = simulation_columns(run->job.simulation, &run->columns);
    run->n_tables = simulation_tables(run->job.simulation, &run->table_names);
    run->tables = alloc_array(run->n_tables + 1, sizeof *run->tables);
    if (!run->tables)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i <= run->n_tables; i++)
        run->tables[i].row_length = run->n_columns;
    if (run->job.input.timeout > 0)
        run->deadline = clock_seconds() + run->job.input.timeout;
    return simulation_run(run->job.simulation, &sink, &run->result, err);
}

static void simulate_done(SimulateCommand *run)
{
    for (size_t i = 0; run->tables && i <= run->n_tables; i++)
        free(run->tables[i].values);
    free(run->tables);
    prepared_job_done(&run->job);
    command_input_done(&run->input);
}

static const char *state_name(Status status)
{
    return status == OK ? "succeeded" : status == ERR_CANCELLED ? "cancelled" : "failed";
}

static void put_warnings(JsonWriter *w, const SimulateCommand *run)
{
    json_member_array(w, "warnings");
    json_put_strings(w, run->job.input.warnings, run->job.input.n_warnings);
    json_put_strings(w, run->result.warnings, run->result.n_warnings);
    json_close_array(w);
}

static void put_job(JsonWriter *w, const SimulateCommand *run)
{
    const SimulationResult *result = &run->result;

    json_member_object(w, "job");
    json_member_string(w, "state", state_name(result->status));
    json_member_string(w, "reason", result->reason);
    json_member_string(w, "message", result->message);
    json_member_bool(w, "complete", result->complete);
    json_member_object(w, "model");
    json_member_string(w, "id", run->job.input.model.id);
    json_member_string(w, "name", run->job.input.model.name);
    json_close_object(w);
    json_member_raw(w, "labels", run->job.input.labels);
    put_warnings(w, run);
    json_member_object(w, "provenance");
    json_member_string(w, "version", DALEMBERT_VERSION);
    json_member_string(w, "formulation", compiled_formulation(run->job.compiled));
    json_member_string(w, "method", result->method);
    json_member_string(w, "evaluator", "interpreter");
    json_member_string(w, "request_hash", run->job.input.request_hash);
    json_close_object(w);
    json_close_object(w);
}

static void put_evidence(JsonWriter *w, const SimulateCommand *run)
{
    json_key(w, "diagnostics");
    diagnostics_write(w->out, &run->result);
    w->comma = true;
    json_key(w, "invariants");
    invariants_write(w->out, &run->result);
}

/* table 0 is the trajectory. */
static Status write_table(const SimulateCommand *run, size_t table, ResultFormat format, FILE *out,
                          Error *err)
{
    const RowsSource source = {&run->tables[table], whole_table, NULL};
    const ResultRequest request = {.format = format,
                                   .names = run->columns,
                                   .n_names = run->n_columns,
                                   .end = run->tables[table].n_values / run->n_columns,
                                   .complete = run->result.complete,
                                   .table = table ? run->table_names[table - 1] : NULL};
    char buffer[16384];
    ResultWriter *writer;

    Status status = result_writer_new(&request, &source, &writer, err);
    if (status != OK)
        return status;
    for (size_t n; (n = result_writer_read(writer, buffer, sizeof buffer)) > 0;)
        fwrite(buffer, 1, n, out);
    status = result_writer_status(writer, err);
    result_writer_free(writer);
    return status;
}

static void flush_text(Text *text, FILE *out)
{
    fwrite(text_string(text), 1, text->length, out);
    text_reset(text);
}

/* The whole document, in the order of a reader's interest. */
static Status write_json(const SimulateCommand *run, FILE *out, Error *err)
{
    Text text = TEXT_INIT;
    JsonWriter writer;
    Status status;

    json_writer_init(&writer, &text);
    json_open_object(&writer);
    put_job(&writer, run);
    /* tables are streamed between the parts that are put together in memory */
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
    json_close_object(&writer);
    text_putc(&text, '\n');
    if (status == OK && !text_ok(&text))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    flush_text(&text, out);
    text_done(&text);
    return status;
}

static Status write_evidence(const SimulateCommand *run, FILE *out, Error *err)
{
    Text text = TEXT_INIT;
    JsonWriter writer;

    json_writer_init(&writer, &text);
    json_open_object(&writer);
    put_job(&writer, run);
    put_evidence(&writer, run);
    json_close_object(&writer);
    text_putc(&text, '\n');
    Status status = text_ok(&text) ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    flush_text(&text, out);
    text_done(&text);
    return status;
}

/* What goes into a file; NULL as its name is standard output. */
typedef enum Content { CONTENT_JSON, CONTENT_NDJSON, CONTENT_CSV, CONTENT_EVIDENCE } Content;

static Status write_content(const SimulateCommand *run, Content content, FILE *out, Error *err)
{
    switch (content) {
    case CONTENT_JSON:
        return write_json(run, out, err);
    case CONTENT_NDJSON:
        return write_table(run, 0, RESULT_NDJSON, out, err);
    case CONTENT_CSV:
        return write_table(run, 0, RESULT_CSV, out, err);
    case CONTENT_EVIDENCE:
        return write_evidence(run, out, err);
    }
    return error_set(err, ERR_INTERNAL, "unknown content");
}

static Status write_file(const SimulateCommand *run, Content content, const char *file, Error *err)
{
    FILE *out = file ? fopen(file, "wb") : stdout;
    if (!out)
        return error_set(err, ERR_IO, "%s: %s", file, strerror(errno));

    Status status = write_content(run, content, out, err);
    bool failed = fflush(out) != 0 || ferror(out);
    if (file && fclose(out) != 0)
        failed = true;
    if (status == OK && failed)
        status = error_set(err, ERR_IO, "%s: %s", file ? file : "standard output", strerror(errno));
    return status;
}

static bool content_of(const char *file, Content *ret_content)
{
    static const struct {
        const char *ending;
        Content content;
    } ENDINGS[] = {{".json", CONTENT_JSON}, {".ndjson", CONTENT_NDJSON}, {".csv", CONTENT_CSV}};
    size_t length = strlen(file);

    for (size_t i = 0; i < sizeof ENDINGS / sizeof ENDINGS[0]; i++) {
        size_t n = strlen(ENDINGS[i].ending);
        if (length > n && strcmp(file + length - n, ENDINGS[i].ending) == 0) {
            *ret_content = ENDINGS[i].content;
            return true;
        }
    }
    fprintf(stderr, "%s: the name must end in .json, .csv or .ndjson\n", file);
    return false;
}

/* For the person at the terminal, when the document went into a file. */
static void print_summary(const SimulateCommand *run)
{
    const SimulationResult *result = &run->result;
    double worst = 0;

    for (size_t i = 0; i < result->n_constraints; i++)
        if (result->constraints[i].max > worst)
            worst = result->constraints[i].max;
    fprintf(
        stderr,
        "%s: %llu samples to t = %g, %llu steps, constraints within %.1e, energy balance within "
        "%.1e\n",
        state_name(result->status), (unsigned long long)result->samples, result->t_reached,
        (unsigned long long)result->accepted, worst, result->energy.balance_scaled);
}

static int simulate(SimulateCommand *run, const char *output, Content content,
                    const char *diagnostics)
{
    Error err = {0};

    Status status = simulate_job(run, &err);
    if (status != OK)
        return command_input_fail(&run->input, status, &err);
    status = write_file(run, content, output, &err);
    if (status == OK && diagnostics)
        status = write_file(run, CONTENT_EVIDENCE, diagnostics, &err);
    if (status != OK) {
        fprintf(stderr, "%s\n", err.message);
        return EXIT_JOB_FAILED;
    }
    if (output)
        print_summary(run);
    if (run->result.status == OK)
        return EXIT_SUCCESS;
    fprintf(stderr, "the job failed (%s): %s\n", run->result.reason ? run->result.reason : "",
            run->result.message ? run->result.message : "");
    return EXIT_JOB_FAILED;
}

int command_simulate(int argc, char **argv)
{
    const char *output = NULL, *diagnostics = NULL, *file;
    const CommandOption options[] = {{"--output", "-o", &output, NULL},
                                     {"--diagnostics", NULL, &diagnostics, NULL}};
    const CommandUsage usage = {USAGE, options, 2, 1, 1};
    Content content = CONTENT_JSON;
    SimulateCommand run = {0};
    Error err = {0};

    numeric_init();
    int exit_status = command_args(argc, argv, &usage, &file);
    if (exit_status != COMMAND_GOES_ON)
        return exit_status;
    if (output && !content_of(output, &content))
        return EXIT_USAGE;
    if (command_input_open(&run.input, file, &err) == OK) {
        exit_status = simulate(&run, output, content, diagnostics);
    } else {
        fprintf(stderr, "%s\n", err.message);
        exit_status = EXIT_USAGE;
    }
    simulate_done(&run);
    return exit_status;
}
