/* Makes documents of C literals, runs jobs and keeps their rows. */
#include "tests/core/simulate/documents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t fill(const TestModel *model, ModelDocument *document, Arena *arena)
{
    CoordinateText *coordinates = arena_alloc(arena, 8, sizeof *coordinates);
    NamedText *constraints = arena_alloc(arena, 8, sizeof *constraints);
    NamedText *base = arena_alloc(arena, 8, sizeof *base);

    *document = (ModelDocument){.name = "test",
                                .description = "",
                                .coordinates = coordinates,
                                .parameters = model->parameters,
                                .constraints = constraints,
                                .forces = model->forces,
                                .base = base,
                                .symmetries = model->symmetries,
                                .frame = model->frame,
                                .chart = model->chart};
    document->lagrangian = (NamedText){.text = model->lagrangian, .pointer = "/model/lagrangian"};
    while (document->n_coordinates < 8 && model->coordinates[document->n_coordinates]) {
        size_t i = document->n_coordinates++;
        coordinates[i] =
            (CoordinateText){.name = model->coordinates[i],
                             .pointer = arena_printf(arena, "/model/coordinates/%zu", i)};
    }
    while (document->n_constraints < 8 && model->constraints[document->n_constraints]) {
        size_t i = document->n_constraints++;
        constraints[i] = (NamedText){.text = model->constraints[i],
                                     .pointer = arena_printf(arena, "/model/constraints/%zu", i)};
    }
    while (document->n_parameters < 8 && model->parameters[document->n_parameters].name)
        document->n_parameters++;
    while (document->n_forces < 8 && model->forces[document->n_forces].name)
        document->n_forces++;
    while (document->n_base < 8 && model->base[document->n_base]) {
        size_t i = document->n_base++;
        base[i] = (NamedText){.name = model->base[i],
                              .pointer = arena_printf(arena, "/model/base/%zu", i)};
    }
    while (document->n_symmetries < 8 && model->symmetries[document->n_symmetries].name)
        document->n_symmetries++;
    while (document->n_frame < 8 && model->frame[document->n_frame].name)
        document->n_frame++;
    return document->n_coordinates;
}

JobSpec test_job(double end, uint64_t samples)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.time.end = end;
    spec.time.samples = samples;
    spec.integrator.rtol = 1e-12;
    spec.integrator.atol = 1e-14;
    return spec;
}

Status test_try_compile(const TestModel *model, const char *formulation, Arena *arena,
                        Diagnostics *diag, Compiled **ret_compiled, Error *err)
{
    ModelDocument document;

    fill(model, &document, arena);
    diagnostics_init(diag, arena);
    return compiled_new(&document, formulation, diag, ret_compiled, err);
}

Compiled *test_compile(const TestModel *model, Arena *arena, Diagnostics *diag)
{
    return test_compile_in(model, NULL, arena, diag);
}

Compiled *test_compile_in(const TestModel *model, const char *formulation, Arena *arena,
                          Diagnostics *diag)
{
    Compiled *compiled = NULL;
    Error err = {0};

    Status status = test_try_compile(model, formulation, arena, diag, &compiled, &err);
    ck_assert_msg(status == OK, "%s; %s", err.message, diag->count ? diag->items[0].message : "");
    return compiled;
}

/* A power of two: row by row, a sanitizer would keep a copy of all that came before. */
static size_t room_for(size_t n_rows)
{
    size_t room = 1;

    while (room < n_rows)
        room *= 2;
    return room;
}

static void append(double **rows, size_t *n_rows, const double *more, size_t n, size_t columns)
{
    const size_t had = room_for(*n_rows), room = room_for(*n_rows + n);

    if (room > had || !*rows)
        *rows = realloc(*rows, room * columns * sizeof **rows);
    ck_assert_ptr_nonnull(*rows);
    memcpy(*rows + *n_rows * columns, more, n * columns * sizeof **rows);
    *n_rows += n;
}

static Status take_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    TestRun *run = self;

    (void)err;
    if (table == -1)
        append(&run->rows, &run->n_rows, rows, n_rows, run->columns);
    else
        append(&run->event_rows, &run->n_event_rows, rows, n_rows, run->columns);
    return OK;
}

static Status prepare(const TestModel *model, const JobSpec *spec, TestRun *run, Error *err)
{
    *run = (TestRun){.arena = arena_new(1 << 24)};
    run->diag = arena_alloc(run->arena, 1, sizeof *run->diag);
    run->compiled = test_compile_in(model, spec->formulation, run->arena, run->diag);
    return simulation_new(run->compiled, spec, NULL, run->diag, &run->simulation, err);
}

TestRun test_run(const TestModel *model, const JobSpec *spec)
{
    TestRun run;
    Error err = {0};
    const char *const *names;

    Status status = prepare(model, spec, &run, &err);
    ck_assert_msg(status == OK, "%s; %s", err.message,
                  run.diag->count ? run.diag->items[0].message : "");
    run.columns = simulation_columns(run.simulation, &names);
    SimulationSink sink = {.self = &run, .rows = take_rows};
    status = simulation_run(run.simulation, &sink, &run.result, &err);
    ck_assert_msg(status == OK, "%s", err.message);
    return run;
}

TestRun test_refused(const TestModel *model, const JobSpec *spec)
{
    TestRun run;
    Error err = {0};

    ck_assert_int_eq(prepare(model, spec, &run, &err), ERR_INVALID);
    ck_assert_uint_gt(run.diag->total, 0);
    return run;
}

bool test_says(const TestRun *run, const char *pointer, const char *fragment)
{
    for (size_t i = 0; i < run->diag->count; i++)
        if (strcmp(run->diag->items[i].pointer, pointer) == 0 &&
            strstr(run->diag->items[i].message, fragment))
            return true;
    return false;
}

void test_expect_refused(const TestModel *model, const JobSpec *spec, const char *pointer,
                         const char *fragment)
{
    TestRun run = test_refused(model, spec);

    ck_assert_msg(test_says(&run, pointer, fragment), "no \"%s\" at %s, but \"%s\" at %s", fragment,
                  pointer, run.diag->items[0].message, run.diag->items[0].pointer);
    test_run_done(&run);
}

void test_run_done(TestRun *run)
{
    simulation_free(run->simulation);
    compiled_unref(run->compiled);
    arena_free(run->arena);
    free(run->rows);
    free(run->event_rows);
}

static size_t column(const TestRun *run, const char *name)
{
    const char *const *names;
    size_t n = simulation_columns(run->simulation, &names);

    for (size_t c = 0; c < n; c++)
        if (strcmp(names[c], name) == 0)
            return c;
    ck_abort_msg("no column %s", name);
    return 0;
}

double test_value(const TestRun *run, long k, const char *name)
{
    size_t row = k >= 0 ? (size_t)k : run->n_rows - (size_t)-k;
    ck_assert_uint_lt(row, run->n_rows);
    return run->rows[row * run->columns + column(run, name)];
}

double test_event_value(const TestRun *run, size_t k, const char *name)
{
    ck_assert_uint_lt(k, run->n_event_rows);
    return run->event_rows[k * run->columns + column(run, name)];
}

double test_difference(const TestRun *a, const TestRun *b, const char *const *names, size_t n)
{
    double worst = 0;

    ck_assert_uint_eq(a->n_rows, b->n_rows);
    for (long k = 0; k < (long)a->n_rows; k++)
        for (size_t c = 0; c < n; c++) {
            const double value = test_value(a, k, names[c]), other = test_value(b, k, names[c]);
            worst = fmax(worst, fabs(value - other) / (1 + fabs(value)));
        }
    return worst;
}
