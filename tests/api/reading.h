/* Reading documents in tests. Their texts are written with ' for " so that they can be read. */
#ifndef TESTS_API_READING_H
#define TESTS_API_READING_H

#include "api/documents/documents.h"

typedef struct Reading {
    Arena *arena;
    Diagnostics diag;
    Status status;
    Error error;
    bool is_json;
    ModelInput model;
    JobInput job;
} Reading;

/* Heap; release with reading_free(). */
Reading *read_model_text(const char *quoted);
Reading *read_job_text(const char *quoted);
Reading *read_job_with(const char *quoted, const ModelSource *source);
void reading_free(Reading *reading);

/* Heap: the text with " for '. */
char *unquoted(const char *quoted);

/* Fails the test unless there is a mistake at the pointer whose message or hint has the
 * fragment. */
void expect_mistake(const Reading *reading, const char *pointer, const char *fragment);

#endif
