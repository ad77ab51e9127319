/* The lines of an export: JSON objects, each with a seal.
 *
 * The last member of each object is "sum", the first 8 digits of the SHA-256 of all bytes of the
 * file before it. So a line that was changed, moved, left out or added is noticed at its number.
 * The last line counts the lines before it, and has their whole SHA-256. */
#ifndef SERVER_COMMAND_SEALED_LINES_H
#define SERVER_COMMAND_SEALED_LINES_H

#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/status.h"

typedef struct SealedLines {
    FILE *file;       /* of the caller */
    const char *name; /* of the file, for messages */
    struct sha256_ctx hash;
    uint64_t n; /* lines so far */
    char *line; /* that was read last */
    size_t capacity;
} SealedLines;

void sealed_lines_begin(SealedLines *lines, FILE *file, const char *name);
void sealed_lines_done(SealedLines *lines); /* the file stays open */

/* Writes an object, a text that ends in "}", as the next line. */
Status sealed_lines_write(SealedLines *lines, const char *object, size_t size,
                          Error *err) MUST_CHECK;
/* Writes the last line. */
Status sealed_lines_end(SealedLines *lines, Error *err) MUST_CHECK;

/* Reads the next object, without its sum; the text is valid until the next call. *ret_object NULL:
 * the file is at its end, and whole. ERR_DAMAGED: it is not as it was written; the message names
 * the line. */
Status sealed_lines_read(SealedLines *lines, const char **ret_object, size_t *ret_size,
                         Error *err) MUST_CHECK;

#endif
