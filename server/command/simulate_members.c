/* An ensemble of `dalembert simulate`: runs its members on all processors, then writes the summary
 * and the tables. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/integrate/methods.h"
#include "server/command/args.h"
#include "server/command/ensemble_threads.h"
#include "server/command/progress_bar.h"
#include "server/command/simulate.h"
#include "server/origin.h"

typedef struct Members {
    PreparedJob *job;
    EnsembleThreads *run;
    const EnsembleEvidence *evidence;
    const char *reason; /* of the ensemble's failure, or NULL */
    const char *warnings[ENSEMBLE_WARNINGS];
    size_t n_warnings;
    uint64_t done;
} Members;

enum { FAILURES_SHOWN = 10 };

static uint64_t done_of(const EnsembleEvidence *evidence)
{
    uint64_t done = 0;
    for (int s = 0; s < MEMBER_STATES; s++)
        done += evidence->states[s];
    return done;
}

static void put_job(JsonWriter *w, const Members *m)
{
    const EnsembleEvidence *evidence = m->evidence;
    const JobInput *input = &m->job->input;

    json_member_object(w, "job");
    json_member_string(w, "state", m->reason ? "failed" : "succeeded");
    json_member_string(w, "reason", m->reason);
    json_member_bool(w, "complete", m->done == evidence->total);
    /* number of members by outcome */
    json_member_object(w, "members");
    json_member_unsigned(w, "total", evidence->total);
    json_member_unsigned(w, "done", m->done);
    json_member_unsigned(w, "succeeded", evidence->states[MEMBER_SUCCEEDED]);
    json_member_unsigned(w, "failed", m->done - evidence->states[MEMBER_SUCCEEDED]);
    json_close_object(w);
    /* design and origin */
    json_key(w, "design");
    design_write(w->out, input->design, &input->ensemble.design);
    w->comma = true;
    put_origin(w, m->job, ode_method_name(ode_method_find(input->spec.integrator.method)),
               m->warnings, m->n_warnings);
    json_close_object(w);
}

/* table -1: the summary. */
static Status write_table(const Members *m, int table, ResultFormat format, FILE *out, Error *err)
{
    const SummaryColumns *summary = ensemble_threads_columns(m->run);
    ResultRequest request = {.format = format,
                             .names = summary->names,
                             .n_names = summary->n,
                             .units = summary->units,
                             .words = summary->words,
                             .complete = m->done == m->evidence->total};
    const char *const *tables;

    const RowsSource source = ensemble_threads_rows(m->run, table, &request.end);
    /* a table has its own columns */
    if (table >= 0) {
        ensemble_tables(m->job->ensemble, &tables);
        request.n_names = ensemble_table_columns(m->job->ensemble, &request.names);
        request.units = ensemble_table_units(m->job->ensemble);
        request.words = NULL;
        request.table = tables[table];
    }
    return write_rows(&request, &source, out, err);
}

static Status write_tables(const Members *m, JsonWriter *w, FILE *out, Error *err)
{
    const char *const *tables;
    const size_t n = ensemble_tables(m->job->ensemble, &tables);
    Status status = OK;

    json_member_object(w, "tables");
    for (size_t i = 0; status == OK && i < n; i++) {
        json_key(w, tables[i]);
        flush_text(w->out, out);
        status = write_table(m, (int)i, RESULT_JSON, out, err);
        w->comma = true;
    }
    json_close_object(w);
    return status;
}

/* With the rows, or with the evidence alone. */
static Status write_json(const Members *m, bool rows, FILE *out, Error *err)
{
    Text text = TEXT_INIT;
    Origin origin;
    JsonWriter writer;
    Status status = OK;

    json_writer_init(&writer, &text);
    json_open_object(&writer);
    put_job(&writer, m);
    /* summary and tables */
    if (rows) {
        json_key(&writer, "result");
        flush_text(&text, out);
        status = write_table(m, -1, RESULT_JSON, out, err);
        writer.comma = true;
    }
    if (rows && status == OK)
        status = write_tables(m, &writer, out, err);
    /* statistics over time, then the evidence */
    if (status == OK)
        status = ensemble_threads_over_time(m->run, &writer, err);
    json_key(&writer, "diagnostics");
    origin_find(&origin);
    ensemble_evidence_write(&text, m->evidence, &origin);
    writer.comma = true;
    return end_document(&writer, status, out, err);
}

static Status write_content(const void *self, Content content, FILE *out, Error *err)
{
    const Members *m = self;

    if (content == CONTENT_JSON || content == CONTENT_EVIDENCE)
        return write_json(m, content == CONTENT_JSON, out, err);
    return write_table(m, -1, rows_format(content), out, err);
}

static void print_failures(const EnsembleEvidence *evidence)
{
    for (size_t i = 0; i < evidence->n_failures && i < FAILURES_SHOWN; i++) {
        const MemberFailure *failure = &evidence->failures[i];
        fprintf(stderr, "  member %" PRIu64 " (%s)%s%s\n", failure->member,
                member_state_reason(failure->state), failure->message ? ": " : "",
                failure->message ? failure->message : "");
    }
}

static int tell(const Members *m, const SimulateOptions *options)
{
    const EnsembleEvidence *evidence = m->evidence;

    if (options->output || m->reason) {
        fprintf(stderr, "%s%s: %" PRIu64 " of %" PRIu64 " members, %" PRIu64 " failed\n",
                m->reason ? "failed, " : "succeeded", m->reason ? m->reason : "", m->done,
                evidence->total, m->done - evidence->states[MEMBER_SUCCEEDED]);
        print_failures(evidence);
    }
    return m->reason ? EXIT_JOB_FAILED : EXIT_SUCCESS;
}

static void show_progress(void *self, uint64_t done, uint64_t total)
{
    progress_bar_show(self, done, total, clock_seconds());
}

int simulate_members(CommandInput *input, PreparedJob *job, const SimulateOptions *options)
{
    ProgressBar bar = {.out = isatty(STDERR_FILENO) ? stderr : NULL, .start = clock_seconds()};
    const EnsembleWatch watch = {&bar, bar.out ? show_progress : NULL};
    Members m = {.job = job};
    const Writing writing = {&m, write_content};
    Error err = {0};
    int exit_status = EXIT_JOB_FAILED;

    /* run the members */
    Status status = ensemble_threads_run(job, options->threads, &watch, &m.run, &err);
    progress_bar_clear(&bar);
    if (status != OK)
        return command_input_fail(input, status, &err);
    /* sum them up */
    m.evidence = &ensemble_threads_sum(m.run)->evidence;
    m.reason = ensemble_sum_reason(ensemble_threads_sum(m.run), job->input.ensemble.stop_on_error);
    m.n_warnings = ensemble_sum_warnings(ensemble_threads_sum(m.run), m.warnings);
    m.done = done_of(m.evidence);
    /* write the files */
    if (write_files(options, &writing, &err) != OK)
        fprintf(stderr, "%s\n", err.message);
    else
        exit_status = tell(&m, options);
    ensemble_threads_free(m.run);
    return exit_status;
}
