/* Private to `dalembert simulate`: runs a motion or an ensemble in this process and writes its
 * files. */
#ifndef SERVER_SIMULATE_H
#define SERVER_SIMULATE_H

#include <stdio.h>

#include "api/documents/result_writer.h"
#include "api/json/writer.h"
#include "server/command/input.h"

/* Content of a file: the whole document as JSON, the rows alone in a format, or JSON without the
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

/* Both print messages on standard error, and return the exit status. */
int simulate_motion(CommandInput *input, PreparedJob *job, const SimulateOptions *options);
int simulate_members(CommandInput *input, PreparedJob *job, const SimulateOptions *options);

/* simulate_output.c */

bool content_of_name(const char *file, Content *ret_content); /* by the ending; false: it has
                                                               * complained */

typedef struct Writing {
    const void *self;
    Status (*write)(const void *self, Content content, FILE *out, Error *err);
} Writing;
/* Writes the files of the options. */
Status write_files(const SimulateOptions *options, const Writing *writing, Error *err) MUST_CHECK;

/* The format of rows alone; RESULT_JSON for other content. */
ResultFormat rows_format(Content content);
Status write_rows(const ResultRequest *request, const RowsSource *source, FILE *out,
                  Error *err) MUST_CHECK;
void flush_text(Text *text, FILE *out);
/* Closes the object and the line of the document; writes and frees the remaining text. `status` is
 * the outcome so far; ERR_NO_MEMORY if a part of the text is missing. */
Status end_document(JsonWriter *writer, Status status, FILE *out, Error *err) MUST_CHECK;

/* Writes the last members of "job", from "model" to "provenance". */
void put_origin(JsonWriter *w, const PreparedJob *job, const char *method,
                const char *const *more_warnings, size_t n_more);

#endif
