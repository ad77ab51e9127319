/* Mass matrices that degenerate off the constraints: a velocity that these forbid loses its
 * inertia, or has a negative one, somewhere along the motion. That inertia, G below, does not occur
 * in the motion at all: the oracle is the motion in coordinates that satisfy the constraints, or
 * that with a harmless one. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/base/text.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

enum { MOST = 3, ROWS = 21 };

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define CHART "/model/chart"

/* `before` and `after` the inertia G in the Lagrangian. Parameters: p1 .. p4 from [0.5, 1.5]. */
typedef struct System {
    const char *name;
    TestModel model, regular;
    const char *before, *after;
    const char *q[MOST], *v[MOST]; /* of the model, by the regular motion */
    bool no_frame;                 /* that lasts: the tangent vectors of a sphere have none */
} System;

static const CoordinateText RING[] = {{.name = "a", .pointer = CHART},
                                      {.name = "b", .pointer = CHART}};
static const NamedText RING_MAP[] = {
    {"x", "cos(a)", CHART, NULL}, {"y", "sin(a)", CHART, NULL}, {"z", "b", CHART, NULL}};

static const System SYSTEMS[] = {
    {.name = "bead on a ring, coupled to a slider",
     .model = {.coordinates = {"x", "y", "z"},
               .constraints = {"x^2 + y^2 = 1"},
               .chart = {CHART, RING, 2, RING_MAP, 3, 0}},
     .before = "p1/2*(x*dot(y) - y*dot(x))^2 + dot(z)^2/2 + p2/4*dot(z)*(x*dot(y) - y*dot(x))"
               " - p3*(x - x*y) - z^2/2 + ",
     .after = "*(x*dot(x) + y*dot(y))^2/2",
     .regular = {.coordinates = {"a", "z"},
                 .lagrangian = "p1/2*dot(a)^2 + dot(z)^2/2 + p2/4*dot(z)*dot(a)"
                               " - p3*(cos(a) - cos(a)*sin(a)) - z^2/2"},
     .q = {"cos(a)", "sin(a)", "z"},
     .v = {"-sin(a)*dot(a)", "cos(a)*dot(a)", "dot(z)"}},
    {.name = "direction in space",
     .model = {.coordinates = {"x", "y", "z"}, .constraints = {"x^2 + y^2 + z^2 = 1"}},
     .before = "p1/2*((y*dot(z) - z*dot(y))^2 + (z*dot(x) - x*dot(z))^2 + (x*dot(y) - y*dot(x))^2)"
               " - p3*(x + y*z) + ",
     .after = "*(x*dot(x) + y*dot(y) + z*dot(z))^2/2",
     .regular = {.coordinates = {"x", "y", "z"},
                 .lagrangian = "p1/2*(dot(x)^2 + dot(y)^2 + dot(z)^2) - p3*(x + y*z)",
                 .constraints = {"x^2 + y^2 + z^2 = 1"}},
     .q = {"x", "y", "z"},
     .v = {"dot(x)", "dot(y)", "dot(z)"},
     .no_frame = true},
    {.name = "coordinate that is held, without inertia now and then",
     .model = {.coordinates = {"x", "y", "z"}, .constraints = {"(z - 1)*(2 + sin(x)) = 0"}},
     .before = "p1/2*dot(x)^2 + p2/2*dot(y)^2 - p3*cos(x - y) - p4*x^2/2 + (z - 1)*x + ",
     .after = "*dot(z)^2/2",
     .regular = {.coordinates = {"x", "y"},
                 .lagrangian = "p1/2*dot(x)^2 + p2/2*dot(y)^2 - p3*cos(x - y) - p4*x^2/2"},
     .q = {"x", "y", "1"},
     .v = {"dot(x)", "dot(y)", "0"}},
    {.name = "nonholonomic particle",
     .model = {.coordinates = {"x", "y", "z"},
               .constraints = {"(dot(z) - y*dot(x))*(2 + sin(z)) = 0"}},
     .before = "p1/2*dot(x)^2 + p2/2*dot(y)^2 + dot(z)^2/2 + x*dot(x)*dot(y)/9 - p3*x^2/2"
               " - p4*cos(y) + ",
     .after = "/2*(dot(z) - y*dot(x))^2",
     .regular = {.coordinates = {"x", "y", "z"},
                 .lagrangian = "p1/2*dot(x)^2 + p2/2*dot(y)^2 + dot(z)^2/2 + x*dot(x)*dot(y)/9"
                               " - p3*x^2/2 - p4*cos(y)",
                 .constraints = {"dot(z) = y*dot(x)"}},
     .q = {"x", "y", "z"},
     .v = {"dot(x)", "dot(y)", "dot(z)"}},
};

static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamiltonian", "hamel", "voronec",
                                           "intrinsic"};
enum { HAMEL = 2, INTRINSIC = 4 };

static size_t count(const char *const *names)
{
    size_t n = 0;
    while (n < MOST && names[n])
        n++;
    return n;
}

/* From -0.4 and 0.3, 0.4, .. at the speeds 0.8, -0.6, .. */
static JobSpec start(const TestModel *model, NamedValue *q, NamedValue *v)
{
    static const double POSITIONS[] = {-0.4, 0.3, 0.4}, SPEEDS[] = {1.3, -0.6, 0.5};
    static const AnalysisSpec none[1];
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.n_q = spec.initial.n_v = count(model->coordinates);
    for (size_t i = 0; i < spec.initial.n_q; i++) {
        q[i] = (NamedValue){model->coordinates[i], POSITIONS[i], "/initial/q"};
        v[i] = (NamedValue){model->coordinates[i], SPEEDS[i], "/initial/v"};
    }
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.time = (TimeSpec){.end = 5, .samples = ROWS};
    spec.analyses = none;
    return spec;
}

/* Observed as q0, v0, q1, ... */
static TestRun run_regular(const System *system, const TestModel *regular)
{
    static const char *const NAMES[] = {"q0", "v0", "q1", "v1", "q2", "v2"};
    NamedText observe[2 * MOST] = {0};
    NamedValue q[MOST], v[MOST];
    JobSpec spec = start(regular, q, v);

    for (size_t i = 0; i < MOST; i++) {
        observe[2 * i] =
            (NamedText){.name = NAMES[2 * i], .text = system->q[i], .pointer = "/observe"};
        observe[2 * i + 1] =
            (NamedText){.name = NAMES[2 * i + 1], .text = system->v[i], .pointer = "/observe"};
    }
    spec.integrator.rtol = 1e-12;
    spec.integrator.atol = 1e-14;
    spec.observe = observe;
    spec.n_observe = 2 * MOST;
    return test_run(regular, &spec);
}

/* The same motion, from where the regular one starts. */
static TestRun run_model(const TestModel *model, const TestRun *regular, const char *formulation)
{
    NamedValue q[MOST], v[MOST];
    JobSpec spec = start(model, q, v);

    for (size_t i = 0; i < MOST; i++) {
        const double *row = regular->rows + regular->columns - 2 * MOST;
        q[i].value = row[2 * i];
        v[i].value = row[2 * i + 1];
    }
    spec.integrator.rtol = 1e-10;
    spec.integrator.atol = 1e-12;
    spec.formulation = formulation;
    return test_run(model, &spec);
}

/* Largest difference over all rows. */
static double compare_rows(const TestRun *run, const TestRun *regular)
{
    double worst = 0;

    for (size_t k = 0; k < run->n_rows; k++) {
        const double *row = run->rows + k * run->columns;
        const double *other = regular->rows + (k + 1) * regular->columns - 2 * MOST;
        for (size_t i = 0; i < MOST; i++) {
            worst = fmax(worst, fabs(row[1 + i] - other[2 * i]));
            worst = fmax(worst, fabs(row[1 + MOST + i] - other[2 * i + 1]));
        }
    }
    return worst;
}

static void try_system(const System *system, Random *random)
{
    Arena arena = {0};
    TestModel model = system->model, regular = system->regular;
    const NamedValue parameters[] = {{"p1", random_uniform(random, 0.5, 1.5), "/"},
                                     {"p2", random_uniform(random, 0.5, 1.5), "/"},
                                     {"p3", random_uniform(random, 0.5, 1.5), "/"},
                                     {"p4", random_uniform(random, 0.5, 1.5), "/"}};
    const double size = pow(10, random_uniform(random, -1, 1));
    /* its sign changes, or it touches zero */
    const char *G = random_bits(random) % 4
                        ? arena_printf(&arena, "(%.3f*sin(%.3f*x + %.3f + %.3f*t))", size,
                                       random_uniform(random, 1, 4), random_uniform(random, 0, 6),
                                       random_uniform(random, -1, 1))
                        : arena_printf(&arena, "(%.3f*x^2)", size);

    memcpy(model.parameters, parameters, sizeof parameters);
    memcpy(regular.parameters, parameters, sizeof parameters);
    model.lagrangian = arena_printf(&arena, "%s%s%s", system->before, G, system->after);
    TestRun oracle = run_regular(system, &regular);
    ck_assert_int_eq(oracle.result.end.status, OK);
    for (size_t f = 0; f < COUNT(FORMULATIONS); f++) {
        if ((f == INTRINSIC && !model.chart.n_coordinates) || (f == HAMEL && system->no_frame))
            continue;
        TestRun run = run_model(&model, &oracle, FORMULATIONS[f]);
        ck_assert_msg(run.result.end.status == OK, "%s, G = %s, %s: %s", system->name, G,
                      FORMULATIONS[f], run.result.end.message);
        const double error = compare_rows(&run, &oracle);
        ck_assert_msg(error < 1e-7, "%s, G = %s, %s: %g", system->name, G, FORMULATIONS[f], error);
        ck_assert_uint_eq(run.result.n_warnings, 0);
        test_run_done(&run);
    }
    test_run_done(&oracle);
    arena_done(&arena);
}

START_TEST(the_inertia_of_forbidden_velocities_does_not_matter)
{
    const char *times = getenv("RANDOM_MODELS"); /* as many more in make check-long */
    const size_t n = 24 * (times ? (size_t)atoi(times) : 1);
    Random random;

    random_init(&random, 20117);
    printf("seed 20117\n");
    for (size_t k = 0; k < n; k++)
        try_system(&SYSTEMS[k % COUNT(SYSTEMS)], &random);
}
END_TEST

/* Along the unit circle from (1, 0), for so long. */
static TestRun run_around(const char *lagrangian, double end)
{
    static const AnalysisSpec none[1];
    static const NamedValue q[] = {{"x", 1, "/"}}, v[] = {{"x", 0, "/"}, {"y", 1, "/"}};
    const TestModel model = {
        .coordinates = {"x", "y"}, .lagrangian = lagrangian, .constraints = {"x^2 + y^2 = 1"}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = 1;
    spec.initial.n_v = 2;
    spec.time = (TimeSpec){.end = end, .samples = 2};
    spec.analyses = none;
    TestRun run = test_run(&model, &spec);
    ck_assert_int_eq(run.result.end.status, OK);
    return run;
}

/* The kinetic energy is that of x y' - y x' and of (x^2)': on the y axis, where the motion is at t
 * = 1.6 first, the velocity across the ring, and it alone, has none. */
START_TEST(the_whole_is_solved_while_the_mass_matrix_degenerates)
{
    static const char *const LAGRANGIAN = "(x*dot(y) - y*dot(x))^2/2 + (0.3*dot(x^2))^2/2";
    TestRun there = run_around(LAGRANGIAN, 1.6), run = run_around(LAGRANGIAN, 20);

    ck_assert_str_eq(there.result.provenance.elimination, "pivoted");
    ck_assert_str_eq(run.result.provenance.elimination, "Schur complement");
    /* the condition is that of the matrix that is solved */
    ck_assert_double_gt(run.result.condition.rcond_min, 1e-2);
    ck_assert_uint_lt(run.result.steps.accepted, 400);
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-9);
    test_run_done(&there);
    test_run_done(&run);
}
END_TEST

/* The same beside a coordinate with much friction, for which methods need the Jacobian of each of
 * the equations. It does not act on the others. */
START_TEST(implicit_steps_go_on_while_the_mass_matrix_degenerates)
{
    static const char *const METHODS[] = {"bdf", "auto"};
    static const AnalysisSpec none[1];
    static const NamedValue q[] = {{"x", 1, "/"}, {"z", 1, "/"}},
                            v[] = {{"x", 0, "/"}, {"y", 1, "/"}, {"z", -1, "/"}};
    static const TestModel MODEL = {
        .coordinates = {"x", "y", "z"},
        .lagrangian = "(x*dot(y) - y*dot(x))^2/2 + (0.3*dot(x^2))^2/2 + dot(z)^2/2",
        .constraints = {"x^2 + y^2 = 1"},
        .forces = {{"z", "-1e5*(dot(z) + z)", "/", NULL}}};
    TestRun there = run_around("(x*dot(y) - y*dot(x))^2/2 + (0.3*dot(x^2))^2/2", 20);
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = 2;
    spec.initial.n_v = 3;
    spec.time = (TimeSpec){.end = 20, .samples = 2};
    spec.integrator.method = METHODS[_i];
    spec.analyses = none;
    TestRun run = test_run(&MODEL, &spec);
    ck_assert_int_eq(run.result.end.status, OK);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), test_value(&there, -1, "x"), 1e-5);
    ck_assert_double_eq_tol(test_value(&run, -1, "y"), test_value(&there, -1, "y"), 1e-5);
    ck_assert_uint_lt(run.result.steps.accepted, 20000);
    ck_assert(_i == 0 || run.result.methods.stiff_accepted > 0);
    ck_assert_str_eq(run.result.provenance.elimination, "Schur complement");
    test_run_done(&there);
    test_run_done(&run);
}
END_TEST

/* Around a ring in (y, z) at constant speed, while x passes 0 at t = 1. There, and only near there,
 * the velocity across the ring has no inertia. No step ends near: a sample alone meets it. */
START_TEST(a_sample_may_lie_where_the_mass_matrix_degenerates)
{
    static const AnalysisSpec none[1];
    static const NamedValue q[] = {{"x", 1, "/"}, {"y", 1, "/"}, {"z", 0, "/"}},
                            v[] = {{"x", -1, "/"}, {"y", 0, "/"}, {"z", 1, "/"}};
    static const TestModel MODEL = {
        .coordinates = {"x", "y", "z"},
        .lagrangian = "dot(x)^2/2 + (y*dot(z) - z*dot(y))^2/2"
                      " + x^2/(x^2 + 0.01)*(y*dot(y) + z*dot(z))^2/2",
        .constraints = {"y^2 + z^2 = 1"}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 3;
    spec.time = (TimeSpec){.end = 5, .samples = 6};
    spec.analyses = none;
    TestRun run = test_run(&MODEL, &spec);
    ck_assert_int_eq(run.result.end.status, OK);
    ck_assert_double_eq_tol(test_value(&run, 1, "x"), 0, 1e-9);
    /* with the radius r: L = r^4/2 + .., and dL/dr + 2 lambda r = 0 at r = 1 */
    for (int k = 0; k < 6; k++)
        ck_assert_double_eq_tol(test_value(&run, k, "multiplier(c1)"), -1, 1e-5);
    ck_assert_str_eq(run.result.provenance.elimination, "Schur complement");
    test_run_done(&run);
}
END_TEST

START_TEST(a_mass_matrix_that_stays_regular_is_divided_by)
{
    TestRun run = run_around("(1 + x^2)*dot(x)^2/2 + (2 + x)*dot(y)^2/2 + x*dot(x)*dot(y)/3", 20);
    ck_assert_str_eq(run.result.provenance.elimination, "Schur complement");
    test_run_done(&run);
}
END_TEST

SUITE(degenerate)
{
    TCase *tc = suite_case(suite, "mass matrices that degenerate");
    tcase_add_test(tc, the_inertia_of_forbidden_velocities_does_not_matter);
    tcase_add_test(tc, the_whole_is_solved_while_the_mass_matrix_degenerates);
    tcase_add_loop_test(tc, implicit_steps_go_on_while_the_mass_matrix_degenerates, 0, 2);
    tcase_add_test(tc, a_sample_may_lie_where_the_mass_matrix_degenerates);
    tcase_add_test(tc, a_mass_matrix_that_stays_regular_is_divided_by);
}
