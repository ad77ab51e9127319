/* The document of a command: reads its bytes, prepares them as a job, and prints mistakes at their
 * places as a compiler does. */
#include "server/command/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/peek.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "server/command/args.h"

enum {
    ARENA_BYTES = 256 << 20,
    EXCERPT_MAX = 96, /* bytes of a text shown around a mistake */
};

static Status command_input_read(FILE *stream, CommandInput *input, Error *err)
{
    size_t capacity = 0, n;

    do {
        if (!grow_array(&input->bytes, &capacity, input->size + 65536, 1))
            return error_set(err, ERR_NO_MEMORY, "%s: out of memory", input->file);
        n = fread(input->bytes + input->size, 1, 65536, stream);
        input->size += n;
    } while (n > 0);
    return ferror(stream) ? error_set(err, ERR_IO, "%s: %s", input->file, strerror(errno)) : OK;
}

/* If the file is a catalog entry, uses the job inside. */
static void enter_catalog_entry(CommandInput *input)
{
    size_t length;
    const char *job = document_is_job(input->bytes, input->size)
                          ? NULL
                          : document_object(input->bytes, input->size, "job", &length);
    if (job) {
        memmove(input->bytes, job, length);
        input->size = length;
    }
}

Status command_input_open(CommandInput *input, const char *file, Error *err)
{
    bool standard = strcmp(file, "-") == 0;

    memset(input, 0, sizeof *input);
    input->file = standard ? "standard input" : file;
    input->arena = arena_new(ARENA_BYTES);
    diagnostics_init(&input->diag, input->arena);
    if (!input->arena)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* read the file */
    FILE *stream = standard ? stdin : fopen(file, "rb");
    if (!stream)
        return error_set(err, ERR_IO, "%s: %s", file, strerror(errno));
    Status status = command_input_read(stream, input, err);
    if (!standard)
        fclose(stream);
    if (status == OK)
        enter_catalog_entry(input);
    return status;
}

void command_input_done(CommandInput *input)
{
    free(input->bytes);
    arena_free(input->arena);
}

Status command_input_prepare(CommandInput *input, PreparedJob *ret_job, Error *err)
{
    const JobSetting setting = {0};
    const JobSource source = {.bytes = input->bytes, .size = input->size};
    return prepared_job_init(ret_job, &setting, &source, input->arena, &input->diag,
                             &input->is_json, err);
}

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* Prints the part of text[0..length) around the byte at `offset`, and a caret under it. */
static void print_excerpt(const char *text, size_t length, size_t offset, FILE *out)
{
    size_t from = offset > EXCERPT_MAX / 2 ? offset - EXCERPT_MAX / 2 : 0;
    size_t to = from + EXCERPT_MAX < length ? from + EXCERPT_MAX : length;

    while (from < offset && from > 0 && !starts_character(text[from]))
        from++;
    while (to > offset && to < length && !starts_character(text[to]))
        to--;
    fprintf(out, "    %s", from > 0 ? "..." : "");
    for (size_t i = from; i < to; i++)
        fputc((unsigned char)text[i] < 0x20 ? ' ' : text[i], out);
    fprintf(out, "%s\n    %s", to < length ? "..." : "", from > 0 ? "   " : "");
    for (size_t i = from; i < offset && i < length; i++)
        if (starts_character(text[i]))
            fputc(' ', out);
    fputs("^\n", out);
}

/* Prints the line of the document with a syntax error at the byte `offset`. */
static void print_source_line(const CommandInput *input, size_t offset, FILE *out)
{
    size_t from = offset, to = from;

    while (from > 0 && input->bytes[from - 1] != '\n')
        from--;
    while (to < input->size && input->bytes[to] != '\n' && input->bytes[to] != '\r')
        to++;
    bool blank = true;
    for (size_t k = from; k < to; k++)
        blank = blank && (input->bytes[k] == ' ' || input->bytes[k] == '\t');
    if (blank) /* nothing to show */
        return;
    print_excerpt(input->bytes + from, to - from, offset - from, out);
}

static void print_mistake(const CommandInput *input, const Diagnostic *mistake, FILE *out)
{
    fprintf(out, "%s: %s%s%s\n", input->file, mistake->pointer, *mistake->pointer ? ": " : "",
            mistake->message);
    const char *text =
        input->is_json && mistake->offset >= 0
            ? document_text(input->bytes, input->size, mistake->pointer, input->arena)
            : NULL;
    const size_t place = (size_t)mistake->offset; /* in characters; valid if it is not negative */
    if (!input->is_json && mistake->offset >= 0)
        print_source_line(input, text_byte_of(input->bytes, input->size, place), out);
    else if (text)
        print_excerpt(text, strlen(text), text_byte_of(text, strlen(text), place), out);
    if (mistake->hint)
        fprintf(out, "    %s\n", mistake->hint);
}

void command_input_print_mistakes(const CommandInput *input, FILE *out)
{
    const Diagnostics *diag = &input->diag;

    for (size_t i = 0; i < diag->count; i++)
        print_mistake(input, &diag->items[i], out);
    if (diag->total > diag->count)
        fprintf(out, "%s: and %zu more\n", input->file, diag->total - diag->count);
}

int command_input_fail(const CommandInput *input, Status status, const Error *err)
{
    if (status == ERR_INVALID && input->diag.count > 0)
        command_input_print_mistakes(input, stderr);
    else
        fprintf(stderr, "%s\n", err->message);
    return EXIT_JOB_FAILED;
}
