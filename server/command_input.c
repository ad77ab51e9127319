#include "server/command_input.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/json/validate.h"
#include "core/base/memory.h"
#include "server/command_args.h"

enum {
    ARENA_BYTES = 256 << 20,
    EXCERPT_MAX = 96, /* bytes of a text shown around a mistake */
};

static Status read_stream(FILE *stream, CommandInput *input, Error *err)
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

Status command_input_open(CommandInput *input, const char *file, Error *err)
{
    bool standard = strcmp(file, "-") == 0;

    memset(input, 0, sizeof *input);
    input->file = standard ? "standard input" : file;
    input->arena = arena_new(ARENA_BYTES);
    diagnostics_init(&input->diag, input->arena);
    if (!input->arena)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    FILE *stream = standard ? stdin : fopen(file, "rb");
    if (!stream)
        return error_set(err, ERR_IO, "%s: %s", file, strerror(errno));
    Status status = read_stream(stream, input, err);
    if (!standard)
        fclose(stream);
    return status;
}

void command_input_done(CommandInput *input)
{
    free(input->bytes);
    arena_free(input->arena);
}

static cJSON *parse_again(const CommandInput *input)
{
    JsonMistake mistake;
    if (json_validate(input->bytes, input->size, NULL, &mistake, NULL) != OK)
        return NULL;
    return cJSON_ParseWithLength(input->bytes, input->size);
}

bool command_input_is_job(const CommandInput *input)
{
    cJSON *tree = parse_again(input);
    bool is_job = cJSON_GetObjectItemCaseSensitive(tree, "model") ||
                  cJSON_GetObjectItemCaseSensitive(tree, "initial") ||
                  cJSON_GetObjectItemCaseSensitive(tree, "time");
    cJSON_Delete(tree);
    return is_job;
}

/* The member or element that a pointer's next token names; *pointer moves behind it. */
static const cJSON *descend(const cJSON *item, const char **pointer)
{
    char token[512];
    size_t n = 0;

    for (++*pointer; **pointer && **pointer != '/' && n + 1 < sizeof token; ++*pointer) {
        char c = **pointer;
        if (c == '~' && ((*pointer)[1] == '0' || (*pointer)[1] == '1'))
            c = *++*pointer == '0' ? '~' : '/';
        token[n++] = c;
    }
    token[n] = '\0';
    if (cJSON_IsArray(item))
        return cJSON_GetArrayItem(item, atoi(token));
    return cJSON_GetObjectItemCaseSensitive(item, token);
}

/* The text at a pointer, or NULL. */
static const char *text_at(const cJSON *tree, const char *pointer)
{
    const cJSON *item = tree;
    while (item && *pointer == '/')
        item = descend(item, &pointer);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* The part of text[0..length) around the offset, and a caret under it. */
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

/* The line of the document in which a mistake of its syntax is. */
static void print_source_line(const CommandInput *input, size_t offset, FILE *out)
{
    size_t from = offset < input->size ? offset : input->size, to = from;

    while (from > 0 && input->bytes[from - 1] != '\n')
        from--;
    while (to < input->size && input->bytes[to] != '\n' && input->bytes[to] != '\r')
        to++;
    print_excerpt(input->bytes + from, to - from, offset - from, out);
}

static void print_mistake(const CommandInput *input, const cJSON *tree, const Diagnostic *mistake,
                          FILE *out)
{
    fprintf(out, "%s: %s%s%s\n", input->file, mistake->pointer, *mistake->pointer ? ": " : "",
            mistake->message);
    const char *text = tree && mistake->offset >= 0 ? text_at(tree, mistake->pointer) : NULL;
    if (!input->is_json && mistake->offset >= 0)
        print_source_line(input, (size_t)mistake->offset, out);
    else if (text && (size_t)mistake->offset <= strlen(text))
        print_excerpt(text, strlen(text), (size_t)mistake->offset, out);
    if (mistake->hint)
        fprintf(out, "    %s\n", mistake->hint);
}

void command_input_print_mistakes(const CommandInput *input, FILE *out)
{
    const Diagnostics *diag = &input->diag;
    cJSON *tree = input->is_json ? parse_again(input) : NULL;

    for (size_t i = 0; i < diag->count; i++)
        print_mistake(input, tree, &diag->items[i], out);
    if (diag->total > diag->count)
        fprintf(out, "%s: and %zu more\n", input->file, diag->total - diag->count);
    cJSON_Delete(tree);
}

int command_input_fail(const CommandInput *input, Status status, const Error *err)
{
    if (status == ERR_INVALID && input->diag.count > 0)
        command_input_print_mistakes(input, stderr);
    else
        fprintf(stderr, "%s\n", err->message);
    return EXIT_JOB_FAILED;
}
