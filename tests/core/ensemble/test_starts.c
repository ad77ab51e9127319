/* Members start as they do alone, among others that cannot. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/ensemble/ensemble.h"
#include "tests/suite.h"

/* A knife edge on a plane with dry friction, held by s: without it the edge is no constraint. */
static const CoordinateText COORDINATES[] = {{.name = "x", .pointer = "/model/coordinates/0"},
                                             {.name = "y", .pointer = "/model/coordinates/1"},
                                             {.name = "th", .pointer = "/model/coordinates/2"}};
static const NamedValue PARAMETERS[] = {{"m", 1, ""}, {"c", 0.1, ""}, {"s", 1, ""}};
static const NamedText EDGE[] = {
    {.text = "s*(dot(y)*cos(th) - dot(x)*sin(th)) = 0", .pointer = "/model/constraints/0"},
    {.text = "2*dot(y)*cos(th) = 2*dot(x)*sin(th)", .pointer = "/model/constraints/1"}};
static const NamedText FRICTION[] = {{"x", "-c*sign(dot(x))", "/model/forces/x", NULL}};
static const EventSpec EVENTS[] = {
    {.name = "across", .when = {"across", "x", "/events/0/when", NULL}, .pointer = "/events/0"}};
static const NamedValue Q[] = {{"x", 0, ""}, {"y", 0, ""}, {"th", 0.3, ""}},
                        V[] = {{"x", 1, ""}, {"y", 0, ""}, {"th", 2, ""}};

/* m, s, x, dot(x), dot(y), th by kind of start: plain ones (on the constraint, and off it), at an
 * event, on a corner, beside one, with a mass that vanishes, nearly without its constraint, without
 * it, beyond all numbers, and one that takes too many steps. */
enum { KINDS = 10, AXES = 6, MEMBERS = 60, COLUMNS = 1 + AXES + 7 + 3 + 3 };
static const double STARTS[KINDS][AXES] = {
    {1, 1, 0.5, 1, 0.2, 0},    {2, 1, 0.5, 1, -1, 0.3},  {1, 1, 0, 1, 0.1, 0.3},
    {1, 1, 0.5, 0, 0, 0},      {1, 1, 0.5, -1e-9, 0, 0}, {0, 1, 0.5, 1, 0, 0.3},
    {1, 1e-9, 0.5, 1, 0, 0.3}, {1, 0, 0.5, 1, 0, 0.3},   {1, 1, 1e200, 1e200, 0, 0.3},
    {1, 1, 0.5, 900, 20, 0.3},
};
static const char *const PATHS[AXES] = {"parameters.m", "parameters.s", "initial.q.x",
                                        "initial.v.x",  "initial.v.y",  "initial.q.th"};

typedef struct Told {
    double rows[MEMBERS][COLUMNS];
    char messages[MEMBERS][200];
    uint64_t n;
} Told;

static Status tell(void *self, uint64_t k, const double *row, const char *reason,
                   const char *message, Error *err)
{
    Told *told = self;

    (void)reason, (void)err;
    memcpy(told->rows[k], row, sizeof told->rows[k]);
    snprintf(told->messages[k], sizeof told->messages[k], "%s", message ? message : "");
    told->n++;
    return OK;
}

/* All in one go, or one by one, so that nothing is kept from others. */
static void run(Compiled *compiled, const JobSpec *job, const EnsembleSpec *spec, uint64_t at_once,
                Told *told)
{
    Arena *arena = arena_new(0);
    const EnsembleSink sink = {.self = told, .member = tell};
    Diagnostics diag;
    Error err;

    diagnostics_init(&diag, arena);
    for (uint64_t k = 0; k < MEMBERS; k += at_once) {
        Ensemble *ensemble;
        uint64_t done;
        ck_assert_int_eq(
            ensemble_new(compiled, job, spec, &(EnsembleLimits){0}, &diag, &ensemble, &err), OK);
        ck_assert_uint_eq(ensemble_columns(ensemble, &(const char *const *){NULL}), COLUMNS);
        ck_assert_int_eq(ensemble_run(ensemble, k, at_once, &sink, &done, &err), OK);
        ensemble_free(ensemble);
    }
    ck_assert_uint_eq(told->n, MEMBERS);
    arena_free(arena);
}

static void set_axes(DesignAxis *axes)
{
    static double lists[AXES][MEMBERS];

    for (size_t a = 0; a < AXES; a++) {
        /* kinds in turns, and each a little apart */
        for (size_t k = 0; k < MEMBERS; k++)
            lists[a][k] = STARTS[k * 7 % KINDS][a] * (1 + 1e-3 * (double)(k / KINDS));
        axes[a] = (DesignAxis){.path = PATHS[a],
                               .pointer = "/vary",
                               .kind = AXIS_LIST,
                               .list = lists[a],
                               .count = MEMBERS};
    }
}

START_TEST(members_start_as_they_do_alone)
{
    const ModelDocument model = {
        .name = "edge",
        .description = "",
        .coordinates = COORDINATES,
        .n_coordinates = 3,
        .parameters = PARAMETERS,
        .n_parameters = 3,
        .lagrangian = {NULL, "m*(dot(x)^2 + dot(y)^2)/2 + dot(th)^2/4", "/model/lagrangian", NULL},
        .constraints = EDGE,
        .n_constraints = _i == 2 ? 2 : 1, /* the second one is redundant */
        .forces = FRICTION,
        .n_forces = 1,
    };
    static Told together, alone;
    DesignAxis axes[AXES];
    Arena *arena = arena_new(0);
    Diagnostics diag;
    Compiled *compiled;
    unsigned succeeded = 0, failed = 0;
    Error err;
    JobSpec job;

    set_axes(axes);
    job_spec_init(&job);
    job.initial.q = Q;
    job.initial.v = V;
    job.initial.n_q = 3;
    job.initial.n_v = _i == 3 ? 2 : 3; /* dot(th) is given by no one: it is found */
    job.initial.consistency = _i == 1 ? CONSISTENCY_REQUIRE : CONSISTENCY_PROJECT;
    job.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 0.5, .samples = 3};
    job.events = EVENTS;
    job.n_events = 1;
    job.integrator.max_steps = 40;
    const EnsembleSpec spec = {.design = {.kind = DESIGN_ZIP, .axes = axes, .n_axes = AXES}};
    diagnostics_init(&diag, arena);
    ck_assert_int_eq(compiled_new(&model, NULL, &diag, &compiled, &err), OK);
    together.n = alone.n = 0;
    run(compiled, &job, &spec, MEMBERS, &together);
    run(compiled, &job, &spec, 1, &alone);
    for (size_t k = 0; k < MEMBERS; k++) {
        ck_assert_mem_eq(together.rows[k], alone.rows[k], sizeof alone.rows[k]);
        ck_assert_str_eq(together.messages[k], alone.messages[k]);
        succeeded += alone.rows[k][COLUMNS - 1] == MEMBER_SUCCEEDED;
        failed += alone.messages[k][0] != 0;
    }
    ck_assert_uint_eq(succeeded + failed, MEMBERS);
    ck_assert_uint_ge(succeeded, 12);
    ck_assert_uint_ge(failed, 12);
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

SUITE(starts)
{
    TCase *tc = suite_case(suite, "starts");
    tcase_add_loop_test(tc, members_start_as_they_do_alone, 0, 4);
}
