/* Documents read in tests; a mistake looked for by its place. */
#include "tests/api/reading.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

char *unquoted(const char *quoted)
{
    char *text = malloc(strlen(quoted) + 1);
    strcpy(text, quoted);
    for (char *c = text; *c; c++)
        if (*c == '\'')
            *c = '"';
    return text;
}

static Reading *reading_new(void)
{
    Reading *reading = calloc(1, sizeof *reading);
    reading->arena = arena_new((size_t)64 << 20);
    diagnostics_init(&reading->diag, reading->arena);
    return reading;
}

void reading_free(Reading *reading)
{
    arena_free(reading->arena);
    free(reading);
}

Reading *read_model_text(const char *quoted)
{
    Reading *r = reading_new();
    char *text = unquoted(quoted);
    r->status =
        model_input_read(text, strlen(text), r->arena, &r->diag, &r->model, &r->is_json, &r->error);
    free(text);
    return r;
}

Reading *read_job_with(const char *quoted, const ModelSource *source)
{
    Reading *r = reading_new();
    char *text = unquoted(quoted);
    r->status = job_input_read(text, strlen(text), source, r->arena, &r->diag, &r->job, &r->is_json,
                               &r->error);
    free(text);
    return r;
}

Reading *read_job_text(const char *quoted)
{
    return read_job_with(quoted, NULL);
}

void expect_mistake(const Reading *r, const char *pointer, const char *fragment)
{
    Text all = TEXT_INIT;

    ck_assert_int_eq(r->status, ERR_INVALID);
    for (size_t i = 0; i < r->diag.count; i++) {
        const Diagnostic *d = &r->diag.items[i];
        text_printf(&all, "  %s: %s (%s)\n", d->pointer, d->message, d->hint ? d->hint : "");
        if (strcmp(d->pointer, pointer) == 0 &&
            (strstr(d->message, fragment) || (d->hint && strstr(d->hint, fragment)))) {
            text_done(&all);
            return;
        }
    }
    ck_abort_msg("no mistake \"%s\" at \"%s\", but\n%s", fragment, pointer, text_string(&all));
}
