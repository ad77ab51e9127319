/* Private to `dalembert simulate`: one motion or an ensemble, run in this process and written
 * out. */
#ifndef SERVER_SIMULATE_H
#define SERVER_SIMULATE_H

#include <stdio.h>

#include "api/documents/result_writer.h"
#include "api/json/writer.h"
#include "server/command/input.h"

/* What goes into a file: all of it as JSON, the rows alone in a format, or JSON without the
 * rows. */
typedef enum Content {
    CONTENT_JSON,
    CONTENT_NDJSON,
    CONTENT_CSV,
    CONTENT_NPY,
    CONTENT_EVIDENCE
} Content;

typedef struct SimulateOptions {
    const char *output; /* NULL: standard output */
    Content content;
    const char *diagnostics; /* a file for CONTENT_EVIDENCE, or NULL */
    unsigned threads;
} SimulateOptions;

/* Both return the exit status, and tell on standard error what is to be told. */
int simulate_motion(CommandInput *input, PreparedJob *job, const SimulateOptions *options);
int simulate_members(CommandInput *input, PreparedJob *job, const SimulateOptions *options);

/* simulate_output.c */

bool content_of_name(const char *file, Content *ret_content); /* by its ending; else complains */

typedef struct Writing {
    const void *self;
    Status (*write)(const void *self, Content content, FILE *out, Error *err);
} Writing;
/* Into the files of the options. */
Status write_files(const SimulateOptions *options, const Writing *writing, Error *err) MUST_CHECK;

/* The format of the rows alone; RESULT_JSON for the others. */
ResultFormat rows_format(Content content);
Status write_rows(const ResultRequest *request, const RowsSource *source, FILE *out,
                  Error *err) MUST_CHECK;
void flush_text(Text *text, FILE *out);
/* Closes the document's object and its line, and writes and frees what is left of it. `status`: of
 * what was written before; ERR_NO_MEMORY where a part of the text is missing. */
Status end_document(JsonWriter *writer, Status status, FILE *out, Error *err) MUST_CHECK;

/* Of the member "job": from "model" to "provenance", the last. */
void put_origin(JsonWriter *w, const PreparedJob *job, const char *method,
                const char *const *more_warnings, size_t n_more);

#endif
