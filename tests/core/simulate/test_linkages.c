/* Random linkages that become flat, cranks in line, curves that cross themselves, in every
 * formulation. The oracle is the same motion in coordinates in which nothing is singular: across an
 * isolated loss of rank the analytic motion goes on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

enum { MOST = 8, ROWS = 41 };

/* A mechanism twice: with constraints, and without; each coordinate and its rate by the regular
 * description. Parameters: p1 .. p5 drawn from [0.5, 1.5], g 0 or 1. */
typedef struct Mechanism {
    const char *name;
    TestModel model, regular;
    const char *q[MOST], *v[MOST];
    double from, to; /* of the first regular coordinate; 0, 0: any angle */
    bool to_origin;  /* its velocity points there */
    bool is_blade;   /* not holonomic: of the vakonomic motion there is no such oracle */
    bool is_fibred;  /* a Chaplygin system over the first coordinates, .. */
    bool is_other;   /* .. which is there for that alone */
} Mechanism;

#define TWO_BARS                                                \
    {                                                           \
        "p1*cos(a)", "p1*sin(a)", "p2 + p1*cos(a)", "p1*sin(a)" \
    }
#define TWO_BARS_RATES                                                                   \
    {                                                                                    \
        "-p1*sin(a)*dot(a)", "p1*cos(a)*dot(a)", "-p1*sin(a)*dot(a)", "p1*cos(a)*dot(a)" \
    }

static const Mechanism MECHANISMS[] = {
    {.name = "parallelogram of points",
     .model = {.coordinates = {"x", "y", "z", "w"},
               .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2) + p4/2*(dot(z)^2 + dot(w)^2)"
                             " - g*(p3*y + p4*w)",
               .constraints = {"x^2 + y^2 = p1^2", "(z - p2)^2 + w^2 = p1^2",
                               "(x - z)^2 + (y - w)^2 = p2^2"}},
     .regular = {.coordinates = {"a"},
                 .lagrangian = "(p3 + p4)/2*p1^2*dot(a)^2 - g*(p3 + p4)*p1*sin(a)"},
     .q = TWO_BARS,
     .v = TWO_BARS_RATES},
    {.name = "parallelogram of angles",
     .model = {.coordinates = {"b", "c", "d"},
               .lagrangian = "p3/2*dot(b)^2 + p4/2*dot(d)^2 + p5/2*dot(c)^2"
                             " + p3*p5/4*cos(b - c)*dot(b)*dot(c) - g*sin(b)",
               .constraints = {"p1*cos(b) + p2*cos(c) - p1*cos(d) = p2",
                               "p1*sin(b) + p2*sin(c) = p1*sin(d)"}},
     .regular = {.coordinates = {"a"}, .lagrangian = "(p3 + p4)/2*dot(a)^2 - g*sin(a)"},
     .q = {"a", "0", "a"},
     .v = {"dot(a)", "0", "dot(a)"}},
    {.name = "three bars",
     .model = {.coordinates = {"x", "y", "z", "w", "u", "s"},
               .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2) + p4/2*(dot(z)^2 + dot(w)^2)"
                             " + p5/2*(dot(u)^2 + dot(s)^2) - g*(p3*y + p4*w + p5*s)",
               .constraints = {"x^2 + y^2 = p1^2", "(z - p2)^2 + w^2 = p1^2",
                               "(u - 2*p2)^2 + s^2 = p1^2", "(x - z)^2 + (y - w)^2 = p2^2",
                               "(z - u)^2 + (w - s)^2 = p2^2"}},
     .regular = {.coordinates = {"a"},
                 .lagrangian = "(p3 + p4 + p5)/2*p1^2*dot(a)^2 - g*(p3 + p4 + p5)*p1*sin(a)"},
     .q = {"p1*cos(a)", "p1*sin(a)", "p2 + p1*cos(a)", "p1*sin(a)", "2*p2 + p1*cos(a)",
           "p1*sin(a)"},
     .v = {"-p1*sin(a)*dot(a)", "p1*cos(a)*dot(a)", "-p1*sin(a)*dot(a)", "p1*cos(a)*dot(a)",
           "-p1*sin(a)*dot(a)", "p1*cos(a)*dot(a)"}},
    {.name = "crank and slider",
     .model = {.coordinates = {"x", "y", "s"},
               .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2) + p4/2*dot(s)^2 - p3*g*y",
               .constraints = {"x^2 + y^2 = p1^2", "(x - s)^2 + y^2 = p1^2"}},
     .regular = {.coordinates = {"a"},
                 .lagrangian = "(p3 + 4*p4*sin(a)^2)*p1^2/2*dot(a)^2 - p3*g*p1*sin(a)"},
     .q = {"p1*cos(a)", "p1*sin(a)", "2*p1*cos(a)"},
     .v = {"-p1*sin(a)*dot(a)", "p1*cos(a)*dot(a)", "-2*p1*sin(a)*dot(a)"},
     .from = -1.2,
     .to = 1.2},
    {.name = "crank and slider that stays",
     .model = {.coordinates = {"b", "s"},
               .lagrangian = "p3/2*dot(b)^2 + p4/2*dot(s)^2 - g*sin(b)",
               .constraints = {"s^2 = 2*s*p1*cos(b)"}},
     .regular = {.coordinates = {"a"}, .lagrangian = "p3/2*dot(a)^2 - g*sin(a)"},
     .q = {"a", "0"},
     .v = {"dot(a)", "0"},
     .from = -1.2,
     .to = 1.2},
    {.name = "curves that cross",
     .model = {.coordinates = {"x", "y"},
               .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2) - g*(x^2 + y^2)/2",
               .constraints = {"(y - p1*x^2)*(x - p2*y) = 0"}},
     .regular = {.coordinates = {"a"},
                 .lagrangian = "p3/2*dot(a)^2*(1 + 4*p1^2*a^2) - g*(a^2 + p1^2*a^4)/2"},
     .q = {"a", "p1*a^2"},
     .v = {"dot(a)", "2*p1*a*dot(a)"},
     .from = -0.8,
     .to = -0.3,
     .to_origin = true},
    {.name = "lemniscate",
     .model = {.coordinates = {"x", "y"},
               .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2) - g*p3*y",
               .constraints = {"(x^2 + y^2)^2 = p1^2*(x^2 - y^2)"}},
     .regular = {.coordinates = {"a"},
                 .lagrangian = "p3/2*p1^2*dot(a)^2/(1 + sin(a)^2)"
                               " - g*p3*p1*sin(a)*cos(a)/(1 + sin(a)^2)"},
     .q = {"p1*cos(a)/(1 + sin(a)^2)", "p1*sin(a)*cos(a)/(1 + sin(a)^2)"},
     .v = {"-p1*dot(a)*sin(a)*(1 + sin(a)^2 + 2*cos(a)^2)/(1 + sin(a)^2)^2",
           "p1*dot(a)*(cos(2*a)*(1 + sin(a)^2) - 2*sin(a)^2*cos(a)^2)/(1 + sin(a)^2)^2"},
     .from = -1.2,
     .to = 1.2},
    {.name = "Viviani's curve",
     .model = {.coordinates = {"x", "y", "z"},
               .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2 + dot(z)^2) - g*p3*z/2",
               .constraints = {"x^2 + y^2 + z^2 = 4*p1^2", "(x - p1)^2 + y^2 = p1^2"}},
     .regular = {.coordinates = {"a"},
                 .lagrangian = "p3/2*p1^2*dot(a)^2*(1 + cos(a/2)^2) - g*p3*p1*sin(a/2)"},
     .q = {"p1*(1 + cos(a))", "p1*sin(a)", "2*p1*sin(a/2)"},
     .v = {"-p1*sin(a)*dot(a)", "p1*cos(a)*dot(a)", "p1*cos(a/2)*dot(a)"},
     .from = 0.5,
     .to = 5.8},
    {.name = "parallelogram on a cart",
     .model = {.coordinates = {"X", "x", "y", "z", "w"},
               .lagrangian = "p5/2*dot(X)^2 + p3/2*(dot(x)^2 + dot(y)^2)"
                             " + p4/2*(dot(z)^2 + dot(w)^2) - g*(p3*y + p4*w) - X^2/2",
               .constraints = {"(x - X)^2 + y^2 = p1^2", "(z - X - p2)^2 + w^2 = p1^2",
                               "(x - z)^2 + (y - w)^2 = p2^2"}},
     .regular = {.coordinates = {"a", "X"},
                 .lagrangian = "p5/2*dot(X)^2 + (p3 + p4)/2*(dot(X)^2 - 2*p1*sin(a)*dot(X)*dot(a)"
                               " + p1^2*dot(a)^2) - g*(p3 + p4)*p1*sin(a) - X^2/2"},
     .q = {"X", "X + p1*cos(a)", "p1*sin(a)", "X + p2 + p1*cos(a)", "p1*sin(a)"},
     .v = {"dot(X)", "dot(X) - p1*sin(a)*dot(a)", "p1*cos(a)*dot(a)", "dot(X) - p1*sin(a)*dot(a)",
           "p1*cos(a)*dot(a)"}},
    {.name = "curves that move and cross",
     .model = {.coordinates = {"x", "y"},
               .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2) - x^2",
               .constraints = {"(y - p1*sin(p2*t) - x^2/4)*(y - p1/3) = 0"}},
     .regular = {.coordinates = {"a"},
                 .lagrangian = "p3/2*(dot(a)^2 + (p1*p2*cos(p2*t) + a*dot(a)/2)^2) - a^2"},
     .q = {"a", "p1*sin(p2*t) + a^2/4"},
     .v = {"dot(a)", "p1*p2*cos(p2*t) + a*dot(a)/2"},
     .from = -0.3,
     .to = 0.3},
    {.name = "knife edge that is lifted for an instant",
     .model = {.coordinates = {"x", "y", "z"},
               .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2 + dot(z)^2) - (x^2 + z^2)/2 + x*z/3",
               .constraints = {"x*(dot(z) - p1*y*dot(x)) = 0"}},
     .regular = {.coordinates = {"x", "y", "z"},
                 .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2 + dot(z)^2) - (x^2 + z^2)/2 + x*z/3",
                 .constraints = {"dot(z) - p1*y*dot(x) = 0"}},
     .q = {"x", "y", "z"},
     .v = {"dot(x)", "dot(y)", "dot(z)"},
     .from = -0.8,
     .to = -0.3,
     .to_origin = true,
     .is_blade = true},
    {.name = "blade that is lifted by an angle",
     .model = {.coordinates = {"x", "y", "z"},
               .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2 + dot(z)^2) - (x^2 + y^2)/2 + g*x*y/3",
               .constraints = {"sin(x)*dot(z) - p1*y*sin(2*x)*dot(x) = 0"}},
     .regular = {.coordinates = {"x", "y", "z"},
                 .lagrangian = "p3/2*(dot(x)^2 + dot(y)^2 + dot(z)^2) - (x^2 + y^2)/2 + g*x*y/3",
                 .constraints = {"dot(z) - 2*p1*y*cos(x)*dot(x) = 0"}},
     .q = {"x", "y", "z"},
     .v = {"dot(x)", "dot(y)", "dot(z)"},
     .from = -0.8,
     .to = -0.3,
     .to_origin = true,
     .is_blade = true,
     .is_fibred = true,
     .is_other = true},
};
enum { N_MECHANISMS = sizeof MECHANISMS / sizeof *MECHANISMS };

static size_t count(const char *const *names)
{
    size_t n = 0;
    while (n < MOST && names[n])
        n++;
    return n;
}

/* The regular motion, observed as q0, v0, q1, ... */
static TestRun run_regular(const Mechanism *m, const TestModel *regular, double t_end,
                           const NamedValue *q, const NamedValue *v)
{
    static const char *const NAMES[] = {"q0", "v0", "q1", "v1", "q2", "v2", "q3", "v3",
                                        "q4", "v4", "q5", "v5", "q6", "v6", "q7", "v7"};
    static const AnalysisSpec none[1];
    NamedText observe[2 * MOST] = {0};
    const size_t n = count(m->model.coordinates);
    JobSpec spec;

    job_spec_init(&spec);
    for (size_t i = 0; i < n; i++) {
        observe[2 * i] = (NamedText){.name = NAMES[2 * i], .text = m->q[i], .pointer = "/observe"};
        observe[2 * i + 1] =
            (NamedText){.name = NAMES[2 * i + 1], .text = m->v[i], .pointer = "/observe"};
    }
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = count(regular->coordinates);
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.time = (TimeSpec){.end = t_end, .samples = ROWS};
    spec.integrator.rtol = 1e-12;
    spec.integrator.atol = 1e-14;
    spec.observe = observe;
    spec.n_observe = 2 * n;
    spec.analyses = none;
    return test_run(regular, &spec);
}

/* The same motion with constraints, from where the regular one starts. atol 0: that of a job which
 * does not say it, times sizes that come from the motion. */
static TestRun run_constrained(const Mechanism *m, const TestModel *model, const TestRun *regular,
                               const char *formulation, double t_end, double rtol, double atol)
{
    static const AnalysisSpec none[1];
    MultiplierSpec mu[MOST];
    const size_t n = count(m->model.coordinates);
    NamedValue q[MOST], v[MOST];
    JobSpec spec;

    job_spec_init(&spec);
    for (size_t i = 0; i < n; i++) {
        const double *row = regular->rows + regular->columns - 2 * n;
        q[i] = (NamedValue){model->coordinates[i], row[2 * i], "/initial/q"};
        v[i] = (NamedValue){model->coordinates[i], row[2 * i + 1], "/initial/v"};
    }
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = n;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.time = (TimeSpec){.end = t_end, .samples = ROWS};
    spec.integrator.rtol = rtol;
    spec.integrator.atol_given = atol > 0;
    if (spec.integrator.atol_given)
        spec.integrator.atol = atol;
    spec.analyses = none;
    spec.formulation = formulation;
    if (strcmp(formulation, "vakonomic") == 0) {
        spec.initial.mu_given = true;
        spec.initial.mu = mu;
        while (spec.initial.n_mu < MOST && model->constraints[spec.initial.n_mu]) {
            mu[spec.initial.n_mu] = (MultiplierSpec){.pointer = "/initial/mu"};
            spec.initial.n_mu++;
        }
    }
    return test_run(model, &spec);
}

/* Largest difference over the rows that both have, relative to the largest value of the column. */
static double compare_rows(const Mechanism *m, const TestRun *run, const TestRun *regular)
{
    const size_t n = count(m->model.coordinates);
    double worst = 0;

    for (size_t i = 0; i < 2 * n; i++) {
        const size_t column = i % 2 == 0 ? 1 + i / 2 : 1 + n + i / 2;
        double size = 1e-3, most = 0;
        for (size_t k = 0; k < run->n_rows; k++) {
            const double *row = regular->rows + (k + 1) * regular->columns - 2 * n;
            size = fmax(size, fabs(row[i]));
            most = fmax(most, fabs(run->rows[k * run->columns + column] - row[i]));
        }
        worst = fmax(worst, most / size);
    }
    return worst;
}

typedef struct Count {
    size_t drawn, passed, told, wrong;
    size_t met; /* a singular configuration: told of one passed, or ended */
} Count;

/* What a run may end with that does not go on. */
static bool is_reason(const char *message)
{
    return strstr(message, "lose rank") || strstr(message, "cease to complete") ||
           strstr(message, "cease to determine");
}

static bool applies(const Mechanism *m, const char *formulation)
{
    if (strcmp(formulation, "chaplygin") == 0)
        return m->is_fibred;
    return !m->is_other && !(m->is_blade && strcmp(formulation, "vakonomic") == 0);
}

/* atol: of rtol; 0: not given */
static void try_mechanism(const Mechanism *m, const char *formulation, bool with_base, double atol,
                          Random *random, Count *tally)
{
    static const double TOLERANCES[] = {1e-5, 1e-7, 1e-9, 1e-11};
    const double rtol = TOLERANCES[random_bits(random) % 4];
    const double t_end = random_uniform(random, 2, 6), turn = random_uniform(random, -3, 3);
    TestModel model = m->model, regular = m->regular;
    const NamedValue parameters[] = {{"p1", random_uniform(random, 0.5, 1.5), "/"},
                                     {"p2", random_uniform(random, 0.5, 1.5), "/"},
                                     {"p3", random_uniform(random, 0.5, 1.5), "/"},
                                     {"p4", random_uniform(random, 0.5, 1.5), "/"},
                                     {"p5", random_uniform(random, 0.5, 1.5), "/"},
                                     {"g", (double)(random_bits(random) % 2), "/"}};
    double start = m->from < m->to ? random_uniform(random, m->from, m->to) : turn;
    double speed = random_uniform(random, 0.5, 3);
    if (m->from == m->to && fabs(sin(start)) < 0.2)
        start += 0.4;
    if (!m->to_origin && random_bits(random) % 2)
        speed = -speed;
    for (size_t i = 0; with_base && i < count(model.coordinates) - count(model.constraints); i++)
        model.base[i] = model.coordinates[i];
    memcpy(model.parameters, parameters, sizeof parameters);
    memcpy(regular.parameters, parameters, sizeof parameters);
    NamedValue q[MOST], v[MOST];
    for (size_t i = 0; i < count(regular.coordinates); i++) {
        q[i] = (NamedValue){regular.coordinates[i], i ? 0.3 : start, "/"};
        v[i] = (NamedValue){regular.coordinates[i], i ? -0.4 : speed, "/"};
    }
    TestRun oracle = run_regular(m, &regular, t_end, q, v);
    TestRun run = run_constrained(m, &model, &oracle, formulation, t_end, rtol, atol * rtol);
    ck_assert_int_eq(oracle.result.end.status, OK);
    const double error = compare_rows(m, &run, &oracle);
    /* other branches are farther off */
    const bool right = error <= 1e4 * rtol + (with_base ? 1e-6 : 1e-7);
    const bool reason = run.result.end.status == OK || is_reason(run.result.end.message);
    tally->drawn++;
    tally->passed += right && run.result.end.status == OK;
    tally->told += run.result.end.status != OK;
    tally->met += run.result.end.status != OK || run.result.n_singular > 0;
    ck_assert_msg(reason, "%s, %s: %s", formulation, m->name, run.result.end.message);
    /* these are holonomic: the coordinates go on where the multipliers do not */
    if (strcmp(formulation, "vakonomic") == 0 && run.result.end.status != OK)
        ck_assert_msg(strstr(run.result.end.message, "lagrange-dalembert goes on"), "%s",
                      run.result.end.message);
    if (!right)
        printf("%s, %s, rtol %g: error %.2g, %s\n", formulation, m->name, rtol, error,
               run.result.end.message ? run.result.end.message : "and nothing is said");
    tally->wrong += !right;
    test_run_done(&run);
    test_run_done(&oracle);
}

typedef struct Way {
    const char *formulation;
    bool with_base; /* the first coordinates */
    size_t motions;
    unsigned percent; /* carried through at least; the others end with the reason */
    bool sizes_known; /* from the motion: no atol is given */
} Way;

/* Velocities in a frame or over a base that are not smooth where the motion is do not end it, nor
 * does a base or a derived frame that ceases to serve elsewhere; multipliers that are part of the
 * motion become infinite. */
static const Way WAYS[] = {
    {"lagrange-dalembert", false, 240, 98, false},
    {"hamiltonian", false, 60, 98, false},
    {"voronec", false, 60, 98, false},
    {"voronec", true, 60, 98, false},
    {"hamel", true, 60, 98, false},
    {"hamel", false, 60, 98, false},
    {"chaplygin", true, 20, 98, false},
    {"vakonomic", false, 60, 50, false},
    {"lagrange-dalembert", false, 60, 98, true},
    {"hamiltonian", false, 30, 98, true},
    /* a slider that rests has no size there, and nothing else is of its kind */
    {"voronec", false, 30, 85, true}};

START_TEST(motions_go_on_smoothly_across_an_isolated_loss_of_rank)
{
    const Way *way = &WAYS[_i];
    const char *times = getenv("RANDOM_MODELS"); /* as many more in make check-long */
    const size_t n = way->motions * (times ? (size_t)atoi(times) : 1);
    Count tally = {0};
    Random random;

    random_init(&random, 20111);
    printf("seed 20111\n");
    for (size_t k = 0; tally.drawn < n; k++) {
        const Mechanism *m = &MECHANISMS[k % N_MECHANISMS];
        if (applies(m, way->formulation))
            try_mechanism(m, way->formulation, way->with_base, way->sizes_known ? 0 : 1, &random,
                          &tally);
    }
    printf("%s: %zu motions, %zu carried through, %zu ended before, %zu wrong\n", way->formulation,
           tally.drawn, tally.passed, tally.told, tally.wrong);
    ck_assert_uint_eq(tally.wrong, 0);
    ck_assert_uint_ge(100 * tally.passed, way->percent * tally.drawn);
    ck_assert_uint_ge(10 * tally.met, 8 * tally.drawn);
}
END_TEST

/* Five dependent velocities are chosen anew as they become badly determined, at the latest where
 * bars stand upright: had that been measured in the scale of each row, nothing would have told. */
START_TEST(variables_chosen_anew_on_the_way_do_not_hide_a_singular_configuration)
{
    const char *times = getenv("RANDOM_MODELS");
    const size_t n = 10 * (times ? (size_t)atoi(times) : 1);
    const Mechanism *bars = MECHANISMS;
    Count tally = {0};
    Random random;

    while (strcmp(bars->name, "three bars") != 0)
        bars++;
    random_init(&random, 20112 + (uint64_t)_i);
    printf("seed %d\n", 20112 + _i);
    for (size_t k = 0; k < n; k++)
        try_mechanism(bars, "voronec", false, 0.01, &random, &tally);
    printf("voronec: %zu motions, %zu carried through, %zu ended before, %zu wrong\n", tally.drawn,
           tally.passed, tally.told, tally.wrong);
    ck_assert_uint_eq(tally.wrong, 0);
    ck_assert_uint_ge(10 * tally.passed, 9 * tally.drawn);
}
END_TEST

SUITE(linkages)
{
    TCase *tc = suite_case(suite, "linkages");
    tcase_add_loop_test(tc, motions_go_on_smoothly_across_an_isolated_loss_of_rank, 0,
                        sizeof WAYS / sizeof *WAYS);
    tcase_add_loop_test(tc, variables_chosen_anew_on_the_way_do_not_hide_a_singular_configuration,
                        0, 12);
}
