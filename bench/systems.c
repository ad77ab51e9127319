/* Systems of the catalog, read and derived: those named on the command line, or a choice. */
#include "bench/systems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/documents.h"
#include "core/base/memory.h"

static const char *const CHOICE[] = {
    "nonholonomic-particle",
    "knife-edge-inclined-plane",
    "two-wheeled-carriage-generic",
    "vertical-rolling-disk",
    "sphere-on-rotating-plane",
    "sphere-in-rotating-cylinder-gravity",
    "disc-variable-circle-unbalanced",
    "appell-nonlinear-implicit",
    "marle-servomechanism",
    "mobile-robot-fixed-orientation",
};

typedef struct Loaded {
    Arena *arena;
    Model *model;
    Motion *motion;
} Loaded;

size_t systems_count(int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? (size_t)argc - 1 : sizeof CHOICE / sizeof CHOICE[0];
}

static void fail(const char *name, const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", name, what);
    exit(EXIT_FAILURE);
}

static char *read_text(Arena *arena, const char *name)
{
    enum { MOST = 1 << 20 };
    char *text = arena_alloc(arena, MOST, 1);
    FILE *file = fopen(arena_printf(arena, "models/%s.json", name), "r");
    if (!file || !text)
        fail(name, "cannot be read");
    text[fread(text, 1, MOST - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* The object after `member`, by its braces. */
static const char *find_object(const char *text, const char *member, size_t *ret_length)
{
    const char *start = strstr(text, member);
    start = start ? strchr(start, '{') : NULL;
    if (!start)
        fail(member, "is missing");
    bool quoted = false;
    int depth = 0;
    const char *end = start;
    do {
        if (*end == '"')
            quoted = !quoted;
        else if (!quoted && *end == '{')
            depth++;
        else if (!quoted && *end == '}')
            depth--;
        end++;
    } while (depth > 0 && *end);
    *ret_length = (size_t)(end - start);
    return start;
}

static void derive(const char *name, Loaded *loaded)
{
    Diagnostics diag;
    Error err = {0};
    ModelInput input;
    size_t length;

    diagnostics_init(&diag, loaded->arena);
    const char *text = find_object(read_text(loaded->arena, name), "\"model\"", &length);
    Status status = model_input_read(text, length, loaded->arena, &diag, &input, NULL, &err);
    if (status == OK)
        status = model_build(&input.document, &diag, &loaded->model, &err);
    if (diag.count > 0)
        fail(name, diag.items[0].message);
    if (status != OK)
        fail(name, err.message);
    size_t *rows = arena_alloc(loaded->arena, loaded->model->r + 1, sizeof *rows);
    for (size_t k = 0; k < loaded->model->r; k++)
        rows[k] = k;
    MotionOptions options = {.rows = rows, .n_rows = loaded->model->r, .dependent = rows};
    status = motion_best(loaded->model, formulation_find("lagrange-dalembert"), &options,
                         MOTION_POSITIVE, &loaded->motion, &err);
    if (status != OK)
        fail(name, err.message);
}

System system_load(size_t index, int argc, char **argv)
{
    const char *name = argc > 1 ? argv[index + 1] : CHOICE[index];
    Loaded *loaded = alloc_array(1, sizeof *loaded);
    if (!loaded || !(loaded->arena = arena_new(64 << 20)))
        fail(name, "out of memory");
    derive(name, loaded);
    return (System){.name = name,
                    .rates = loaded->motion->rates,
                    .params = loaded->model->param_values,
                    .self = loaded};
}

void system_done(System *system)
{
    Loaded *loaded = system->self;
    motion_free(loaded->motion);
    model_unref(loaded->model);
    arena_free(loaded->arena);
    free(loaded);
}
