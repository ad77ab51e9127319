/* From the text of a model to its programs: reading, checking, differentiating, compiling by all
 * eliminations. Prints the median of many repetitions, cold (a new process's first) apart. */
#include <stdio.h>
#include <stdlib.h>

#include "api/documents/catalog.h"
#include "api/documents/documents.h"
#include "core/base/clock.h"
#include "core/numeric/numeric.h"
#include "core/prepare/compiled.h"

enum { REPETITIONS = 201 };

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void fail(const char *name, const char *what)
{
    fprintf(stderr, "derivation: %s: %s\n", name, what);
    exit(EXIT_FAILURE);
}

/* Seconds from the job's text to a simulation that is ready to run. */
static double derive(const char *name)
{
    char text[128];
    int size =
        snprintf(text, sizeof text,
                 "{\"model\":{\"catalog\":\"%s\"},\"initial\":{},\"time\":{\"end\":1}}", name);
    const CatalogEntry *entry = catalog_find(name);
    if (!entry || size < 0)
        fail(name, "no such system");
    /* from here on it counts: read the text, build the model, derive the motion */
    double start = clock_seconds();
    Arena *arena = arena_new((size_t)1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    JobInput input;
    Compiled *compiled = NULL;
    const Motion *motion = NULL;
    bool is_json;
    Error err = {0};
    size_t rows[16];

    diagnostics_init(diag, arena);
    Status status = job_input_read(text, (size_t)size, NULL, arena, diag, &input, &is_json, &err);
    if (status == OK)
        status = compiled_new(&input.model.document, NULL, diag, &compiled, &err);
    if (status != OK)
        fail(name, err.message);
    /* all constraints are in use, in their order */
    size_t r = compiled->model->r;
    for (size_t k = 0; k < r; k++)
        rows[k] = k;
    MotionOptions options = {.rows = rows, .n_rows = r, .dependent = rows};
    status = compiled_motion(compiled, &options, MOTION_POSITIVE, &motion, &err);
    if (status != OK)
        fail(name, err.message);
    double seconds = clock_seconds() - start;
    compiled_unref(compiled);
    arena_free(arena);
    return seconds;
}

int main(void)
{
    static const char *const NAMES[] = {"nonholonomic-particle", "two-wheeled-carriage-generic",
                                        "sphere-on-rotating-plane",
                                        "disc-variable-circle-unbalanced"};
    double seconds[REPETITIONS];

    numeric_init();
    printf("document to program, ms: %36s first  median\n", "");
    for (size_t k = 0; k < sizeof NAMES / sizeof NAMES[0]; k++) {
        for (int i = 0; i < REPETITIONS; i++)
            seconds[i] = derive(NAMES[k]);
        double first = seconds[0];
        qsort(seconds, REPETITIONS, sizeof *seconds, by_size);
        printf("  %-58s %6.3f  %6.3f\n", NAMES[k], 1e3 * first, 1e3 * seconds[REPETITIONS / 2]);
    }
    return EXIT_SUCCESS;
}
