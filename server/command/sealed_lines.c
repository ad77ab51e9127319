/* Lines with seals, by Nettle's SHA-256. */
#include "server/command/sealed_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/base/stop_token.h"
#include "db/export.h"

enum {
    SUM_DIGITS = 8,
    SEAL_MAX = SUM_DIGITS + 12, /* with the zero byte */
    LINE_MAX_BYTES = EXPORT_OBJECT_MAX + SEAL_MAX,
    LAST_LINE_MAX = 200,
};

void sealed_lines_begin(SealedLines *lines, FILE *file, const char *name)
{
    *lines = (SealedLines){.file = file, .name = name};
    sha256_init(&lines->hash);
}

void sealed_lines_done(SealedLines *lines)
{
    free(lines->line);
    lines->line = NULL;
}

/* The SHA-256 of all bytes so far, in digits. */
static void digest(const SealedLines *lines, char ret_digits[HASH_TEXT_MAX])
{
    struct sha256_ctx hash = lines->hash;
    Hash result;
    sha256_digest(&hash, HASH_BYTES, result.bytes);
    hash_format(&result, ret_digits);
}

/* Counts a line: adds its bytes without the "}" and then its seal, which is returned. */
static void seal(SealedLines *lines, const char *object, size_t size, char ret_seal[SEAL_MAX])
{
    char digits[HASH_TEXT_MAX];
    sha256_update(&lines->hash, size - 1, (const uint8_t *)object);
    digest(lines, digits);
    const int length = snprintf(ret_seal, SEAL_MAX, ",\"sum\":\"%.8s\"}\n", digits);
    sha256_update(&lines->hash, (size_t)length, (const uint8_t *)ret_seal);
    lines->n++;
}

static void last_object(const SealedLines *lines, char ret_text[LAST_LINE_MAX])
{
    char digits[HASH_TEXT_MAX];
    digest(lines, digits);
    snprintf(ret_text, LAST_LINE_MAX, "{\"kind\":\"end\",\"lines\":%" PRIu64 ",\"sha256\":\"%s\"}",
             lines->n, digits);
}

static Status write_error(const SealedLines *lines, Error *err)
{
    const Status status = errno == ENOSPC || errno == EDQUOT ? ERR_NO_SPACE : ERR_IO;
    return error_set(err, status, "cannot write '%s': %s", lines->name, strerror(errno));
}

Status sealed_lines_write(SealedLines *lines, const char *object, size_t size, Error *err)
{
    char end[SEAL_MAX];
    seal(lines, object, size, end);
    return fwrite(object, 1, size - 1, lines->file) == size - 1 && fputs(end, lines->file) >= 0
               ? OK
               : write_error(lines, err);
}

Status sealed_lines_end(SealedLines *lines, Error *err)
{
    char text[LAST_LINE_MAX];
    last_object(lines, text);
    const Status status = sealed_lines_write(lines, text, strlen(text), err);
    return status == OK && fflush(lines->file) != 0 ? write_error(lines, err) : status;
}

/* A signal may have ended the reading, too. */
static Status read_error(const SealedLines *lines, Error *err)
{
    const int cause = errno;
    const Status status = stop_token_spend(STOP_TOKEN_WORK, err);
    return status != OK
               ? status
               : error_set(err, ERR_IO, "cannot read '%s': %s", lines->name, strerror(cause));
}

/* Reads the bytes of a line and its end, which may be missing in the last one. 0 bytes: the file is
 * at its end. */
static Status read_bytes(SealedLines *lines, size_t *ret_size, Error *err)
{
    size_t size = 0;
    for (int byte = 0; byte != '\n'; size++) {
        byte = getc_unlocked(lines->file);
        if (byte == EOF)
            break;
        if (size == LINE_MAX_BYTES)
            return error_set(err, ERR_DAMAGED,
                             "line %" PRIu64 " is longer than %d bytes: '%s' is no export",
                             lines->n + 1, LINE_MAX_BYTES, lines->name);
        if (size == lines->capacity &&
            !grow_array(&lines->line, &lines->capacity, size + 1, sizeof *lines->line))
            return error_set(err, ERR_NO_MEMORY, "out of memory for line %" PRIu64, lines->n + 1);
        lines->line[size] = (char)byte;
    }
    *ret_size = size;
    return ferror(lines->file) ? read_error(lines, err) : OK;
}

/* Takes the seal off the line and compares it with the seal that is due. */
static Status unseal(SealedLines *lines, size_t size, size_t *ret_size, Error *err)
{
    char due[SEAL_MAX];
    const size_t length = sizeof ",\"sum\":\"\"}\n" - 1 + SUM_DIGITS;
    if (size <= length || strncmp(lines->line + size - length, ",\"sum\":\"", 8) != 0)
        return error_set(err, ERR_DAMAGED,
                         "line %" PRIu64 " of '%s' is cut, damaged, or not of an export: it does "
                         "not end in a sum; give a file that `dalembert export` has made",
                         lines->n + 1, lines->name);
    *ret_size = size - length + 1;
    lines->line[size - length] = '}';
    seal(lines, lines->line, *ret_size, due);
    if (strncmp(lines->line + size - length + 1, due + 1, length - 1) != 0)
        return error_set(err, ERR_DAMAGED,
                         "line %" PRIu64 " of '%s' is damaged or out of place: its sum is not that "
                         "of the bytes before it; make another export",
                         lines->n, lines->name);
    return OK;
}

Status sealed_lines_read(SealedLines *lines, const char **ret_object, size_t *ret_size, Error *err)
{
    char last[LAST_LINE_MAX];
    size_t size = 0;
    last_object(lines, last);
    Status status = read_bytes(lines, &size, err);
    if (status == OK && size == 0)
        return error_set(err, ERR_DAMAGED,
                         "'%s' is cut behind line %" PRIu64 ": its last line, of the kind \"end\", "
                         "is missing; make another export",
                         lines->name, lines->n);
    if (status == OK)
        status = unseal(lines, size, &size, err);
    if (status != OK)
        return status;
    *ret_object = lines->line;
    *ret_size = size;
    if (size != strlen(last) || memcmp(lines->line, last, size) != 0)
        return OK;
    /* nothing follows the last line */
    *ret_object = NULL;
    status = read_bytes(lines, &size, err);
    if (status == OK && size > 0)
        status = error_set(err, ERR_DAMAGED,
                           "line %" PRIu64 " of '%s' follows the last line of the export",
                           lines->n + 1, lines->name);
    return status;
}
