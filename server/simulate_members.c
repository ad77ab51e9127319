/* An ensemble of `dalembert simulate`: its members on all processors, then the summary and what is kept beside it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/integrate/methods.h"
#include "server/command_args.h"
#include "server/ensemble_threads.h"
#include "server/progress_bar.h"
#include "server/simulate.h"

typedef struct Members {
    PreparedJob *job;
    EnsembleThreads *run;
    const EnsembleTally *tally;
} Members;

/* Why the ensemble as a whole has failed; NULL: it has not. */
static const char *reason_of(const Members *m)
{
    const EnsembleTally *tally = m->tally;
    MemberState most = MEMBER_SUCCEEDED;
    const bool all = m->job->input.ensemble.stop_on_error;

    for (int s = MEMBER_MODEL; s < MEMBER_CANCELLED; s++)
        if (tally->states[s] > (most ? tally->states[most] : 0))
            most = (MemberState)s;
    if (tally->timed_out)
        return "timeout";
    if (tally->states[MEMBER_SUCCEEDED] > 0 && !(all && most))
        return NULL;
    return member_state_reason(most);
}

static void put_failures(JsonWriter *w, const EnsembleTally *tally)
{
    json_member_array(w, "failures");
    for (int s = MEMBER_MODEL; s < MEMBER_STATES; s++) {
        if (tally->states[s] == 0)
            continue;
        json_open_object(w);
        json_member_string(w, "reason", member_state_reason((MemberState)s));
        json_member_unsigned(w, "count", tally->states[s]);
        json_member_unsigned(w, "first", tally->first[s]);
        json_member_string(w, "message", tally->said[s]);
        json_close_object(w);
    }
    json_close_array(w);
}

static void put_job(JsonWriter *w, const Members *m)
{
    const EnsembleTally *tally = m->tally;
    const JobInput *input = &m->job->input;
    const char *reason = reason_of(m);

    json_member_object(w, "job");
    json_member_string(w, "state", reason ? "failed" : "succeeded");
    json_member_string(w, "reason", reason);
    json_member_bool(w, "complete", tally->done == tally->total);
    json_member_object(w, "members");
    json_member_unsigned(w, "total", tally->total);
    json_member_unsigned(w, "done", tally->done);
    json_member_unsigned(w, "succeeded", tally->states[MEMBER_SUCCEEDED]);
    json_member_unsigned(w, "failed", tally->done - tally->states[MEMBER_SUCCEEDED]);
    json_close_object(w);
    json_key(w, "design");
    design_write(w->out, input->design, &input->ensemble.design);
    w->comma = true;
    put_failures(w, tally);
    put_origin(w, m->job, ode_method_name(ode_method_find(input->spec.method)), NULL, 0);
    json_close_object(w);
}

/* -1: the summary. */
static Status write_table(const Members *m, int table, ResultFormat format, FILE *out, Error *err)
{
    const SummaryColumns *summary = ensemble_threads_columns(m->run);
    ResultRequest request = {.format = format,
                             .names = summary->names,
                             .n_names = summary->n,
                             .words = summary->words,
                             .complete = m->tally->done == m->tally->total};
    const char *const *tables;

    const RowsSource source = ensemble_threads_rows(m->run, table, &request.end);
    if (table >= 0) {
        ensemble_tables(m->job->ensemble, &tables);
        request.n_names = ensemble_table_columns(m->job->ensemble, &request.names);
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

/* Without the rows as evidence. */
static Status write_json(const Members *m, bool rows, FILE *out, Error *err)
{
    Text text = TEXT_INIT;
    JsonWriter writer;
    Status status = OK;

    json_writer_init(&writer, &text);
    json_open_object(&writer);
    put_job(&writer, m);
    if (rows) {
        json_key(&writer, "result");
        flush_text(&text, out);
        status = write_table(m, -1, RESULT_JSON, out, err);
        writer.comma = true;
    }
    if (rows && status == OK)
        status = write_tables(m, &writer, out, err);
    json_close_object(&writer);
    text_putc(&text, '\n');
    if (status == OK && !text_ok(&text))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    flush_text(&text, out);
    text_done(&text);
    return status;
}

static Status write_content(const void *self, Content content, FILE *out, Error *err)
{
    const Members *m = self;

    if (content == CONTENT_JSON || content == CONTENT_EVIDENCE)
        return write_json(m, content == CONTENT_JSON, out, err);
    return write_table(m, -1, rows_format(content), out, err);
}

static void print_failures(const EnsembleTally *tally)
{
    for (int s = MEMBER_MODEL; s < MEMBER_STATES; s++)
        if (tally->states[s] > 0)
            fprintf(stderr, "  %s: %" PRIu64 ", the first is member %" PRIu64 "%s%s\n",
                    member_state_reason((MemberState)s), tally->states[s], tally->first[s],
                    tally->said[s] ? ": " : "", tally->said[s] ? tally->said[s] : "");
}

static int tell(const Members *m, const SimulateOptions *options)
{
    const EnsembleTally *tally = m->tally;
    const char *reason = reason_of(m);

    if (options->output || reason)
        fprintf(stderr, "%s%s%s: %" PRIu64 " of %" PRIu64 " members, %" PRIu64 " failed\n",
                reason ? "failed, " : "succeeded", reason ? reason : "", "", tally->done,
                tally->total, tally->done - tally->states[MEMBER_SUCCEEDED]);
    if (options->output || reason)
        print_failures(tally);
    return reason ? EXIT_JOB_FAILED : EXIT_SUCCESS;
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

    Status status = ensemble_threads_run(job, options->threads, &watch, &m.run, &err);
    progress_bar_clear(&bar);
    if (status != OK)
        return command_input_fail(input, status, &err);
    m.tally = ensemble_threads_tally(m.run);
    if (write_files(options, &writing, &err) != OK)
        fprintf(stderr, "%s\n", err.message);
    else
        exit_status = tell(&m, options);
    ensemble_threads_free(m.run);
    return exit_status;
}
