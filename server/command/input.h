/* A document given on the command line: its bytes, and its mistakes printed as a compiler does. */
#ifndef SERVER_COMMAND_INPUT_H
#define SERVER_COMMAND_INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "api/prepared_job.h"

typedef struct CommandInput {
    const char *file; /* for messages */
    char *bytes;
    size_t size;
    Arena *arena;
    Diagnostics diag;
    bool is_json;
} CommandInput;

/* Reads the file ("-": standard input). A catalog entry is replaced by the job in it. Release with
 * command_input_done() in any case. */
Status command_input_open(CommandInput *input, const char *file, Error *err) MUST_CHECK;
void command_input_done(CommandInput *input);

/* The job in the document, ready to run; without limits. */
Status command_input_prepare(CommandInput *input, PreparedJob *ret_job, Error *err) MUST_CHECK;

/* Prints each mistake: file, pointer, message; the text with a caret under the place; the hint. */
void command_input_print_mistakes(const CommandInput *input, FILE *out);

/* Reports a failed step to the user: prints the mistakes or the error, returns the exit status. */
int command_input_fail(const CommandInput *input, Status status, const Error *err);

#endif
