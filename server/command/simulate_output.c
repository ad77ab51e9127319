/* Output of `dalembert simulate`: names of files, rows, and the origin of a result. */
#include <errno.h>
#include <string.h>

#include "core/program/program.h"
#include "server/command/simulate.h"

#ifndef DALEMBERT_VERSION
#define DALEMBERT_VERSION "unknown"
#endif

bool content_of_name(const char *file, Content *ret_content)
{
    static const struct {
        const char *ending;
        Content content;
    } ENDINGS[] = {{".json", CONTENT_JSON},
                   {".ndjson", CONTENT_NDJSON},
                   {".csv", CONTENT_CSV},
                   {".npy", CONTENT_NPY}};
    size_t length = strlen(file);

    /* compare the ending */
    for (size_t i = 0; i < sizeof ENDINGS / sizeof ENDINGS[0]; i++) {
        size_t n = strlen(ENDINGS[i].ending);
        if (length > n && strcmp(file + length - n, ENDINGS[i].ending) == 0) {
            *ret_content = ENDINGS[i].content;
            return true;
        }
    }
    fprintf(stderr, "%s: the name must end in .json, .csv, .ndjson or .npy\n", file);
    return false;
}

ResultFormat rows_format(Content content)
{
    switch (content) {
    case CONTENT_NDJSON:
        return RESULT_NDJSON;
    case CONTENT_CSV:
        return RESULT_CSV;
    case CONTENT_NPY:
        return RESULT_NPY;
    case CONTENT_JSON:
    case CONTENT_EVIDENCE:
        break;
    }
    return RESULT_JSON;
}

Status write_rows(const ResultRequest *request, const RowsSource *source, FILE *out, Error *err)
{
    char buffer[16384];
    ResultWriter *writer;

    Status status = result_writer_new(request, source, &writer, err);
    if (status != OK)
        return status;
    for (size_t n; (n = result_writer_read(writer, buffer, sizeof buffer)) > 0;)
        fwrite(buffer, 1, n, out);
    status = result_writer_status(writer, err);
    result_writer_free(writer);
    return status;
}

void flush_text(Text *text, FILE *out)
{
    fwrite(text_string(text), 1, text->length, out);
    text_reset(text);
}

Status end_document(JsonWriter *writer, Status status, FILE *out, Error *err)
{
    Text *text = writer->out;

    json_close_object(writer);
    text_putc(text, '\n');
    if (status == OK && !text_ok(text))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    flush_text(text, out);
    text_done(text);
    return status;
}

void put_origin(JsonWriter *w, const PreparedJob *job, const char *method,
                const char *const *more_warnings, size_t n_more)
{
    const JobInput *input = &job->input;

    /* the model and the warnings */
    json_member_object(w, "model");
    json_member_string(w, "id", input->model.id);
    json_member_string(w, "name", input->model.name);
    json_close_object(w);
    json_member_raw(w, "labels", input->labels);
    json_member_array(w, "warnings");
    json_put_strings(w, input->warnings, input->n_warnings);
    json_put_strings(w, more_warnings, n_more);
    json_close_array(w);
    /* the program and its settings */
    json_member_object(w, "provenance");
    json_member_string(w, "version", DALEMBERT_VERSION);
    json_member_string(w, "formulation", compiled_formulation(job->compiled));
    json_member_string(w, "method", method);
    json_member_string(w, "evaluator", program_evaluator());
    json_member_string(w, "request_hash", input->request_hash);
    json_close_object(w);
}

/* file NULL: standard output. */
static Status write_file(const Writing *writing, Content content, const char *file, Error *err)
{
    FILE *out = file ? fopen(file, "wb") : stdout;
    if (!out)
        return error_set(err, ERR_IO, "%s: %s", file, strerror(errno));

    Status status = writing->write(writing->self, content, out, err);
    bool failed = fflush(out) != 0 || ferror(out);
    if (file && fclose(out) != 0)
        failed = true;
    if (status == OK && failed)
        status = error_set(err, ERR_IO, "%s: %s", file ? file : "standard output", strerror(errno));
    return status;
}

Status write_files(const SimulateOptions *options, const Writing *writing, Error *err)
{
    Status status = write_file(writing, options->content, options->output, err);
    if (status == OK && options->diagnostics)
        status = write_file(writing, CONTENT_EVIDENCE, options->diagnostics, err);
    return status;
}
