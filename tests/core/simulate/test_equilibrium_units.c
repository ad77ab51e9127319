/* Equilibria in any units: the same system with lengths, masses and constraints times powers of ten
 * has the same equilibria, families and verdicts; and what is nearly one is none. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/findings.h"
#include "tests/suite.h"

/* Runs the analysis from the start; time in units of (l/g)^(1/2). */
static TestRun look(const TestModel *model, double length, const NamedValue *q, size_t n_q)
{
    const AnalysisSpec analysis = {.name = "equilibria", .pointer = "/analyses/0"};
    JobSpec spec;

    job_spec_init(&spec);
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 1e-3 * sqrt(length), .samples = 2};
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.initial.q = q, spec.initial.n_q = n_q;
    spec.analyses = &analysis, spec.n_analyses = 1;
    return test_run(model, &spec);
}

static bool is_found(const TestRun *run)
{
    return value_member(test_equilibrium(run, 0), "found")->boolean;
}

/* A system of any size: l, m and k multiply its lengths, masses and constraints. */
typedef struct Scaled {
    TestModel model;
    NamedValue q[4]; /* in lengths */
    size_t n_q;
    bool is_angle[4];
    double place[4]; /* NAN: of a family, wherever that of size one is */
    const char *stable;
    double family;
} Scaled;

#define PARAMETERS .parameters = {{"l", 1, ""}, {"m", 1, ""}, {"k", 1, ""}}

static const Scaled SCALED[] = {
    /* a pendulum, 18 degrees off */
    {.model = {.coordinates = {"x", "y"},
               PARAMETERS,
               .lagrangian = "m*((dot(x)^2 + dot(y)^2)/2 - y)",
               .constraints = {"k*(x^2 + y^2) = k*l^2"}},
     .q = {{"x", 0.3, ""}, {"y", -0.9, ""}},
     .n_q = 2,
     .place = {0, -1},
     .stable = "yes"},
    {.model = {.coordinates = {"x1", "y1", "x2", "y2"},
               PARAMETERS,
               .lagrangian = "m*((dot(x1)^2 + dot(y1)^2 + dot(x2)^2 + dot(y2)^2)/2 - y1 - y2)",
               .constraints = {"k*(x1^2 + y1^2) = k*l^2", "k*((x1 - x2)^2 + (y1 - y2)^2) = k*l^2"}},
     .q = {{"x1", 0.1, ""}, {"y1", -0.9, ""}, {"x2", 0.2, ""}, {"y2", -1.9, ""}},
     .n_q = 4,
     .place = {0, -1, 0, -2},
     .stable = "yes"},
    /* a chain of springs between walls */
    {.model = {.coordinates = {"x1", "x2", "x3"},
               PARAMETERS,
               .lagrangian = "m*((dot(x1)^2 + dot(x2)^2 + dot(x3)^2)/2 - ((x1 - l)^2 + "
                             "(x2 - x1 - l)^2 + (x3 - x2 - l)^2 + (3*l - x3)^2)/(2*l))"},
     .place = {1, 2, 3},
     .stable = "yes"},
    /* a length and an angle: a pendulum below a cart with friction, anywhere */
    {.model = {.coordinates = {"x", "theta"},
               PARAMETERS,
               .lagrangian = "m*(dot(x)^2 + l*dot(x)*dot(theta)*cos(theta) + "
                             "l^2*dot(theta)^2/2 + l*cos(theta))",
               .forces = {{"x", "-m*dot(x)/sqrt(l)", ""}}},
     .q = {{"theta", 0.3, ""}},
     .n_q = 1,
     .is_angle = {false, true},
     .place = {NAN, 0},
     .stable = "yes",
     .family = 1},
    /* nonholonomic, with drag */
    {.model = {.coordinates = {"x", "y", "z"},
               PARAMETERS,
               .lagrangian = "m*((dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - (x^2 + y^2)/(2*l))",
               .constraints = {"k*(l*dot(z) - y*dot(x)) = 0"},
               .forces = {{"x", "-m*dot(x)/sqrt(l)", ""},
                          {"y", "-m*dot(y)/sqrt(l)", ""},
                          {"z", "-m*dot(z)/sqrt(l)", ""}}},
     .q = {{"x", 0.2, ""}, {"y", 0.3, ""}},
     .n_q = 2,
     .place = {NAN, 0, NAN},
     .stable = "yes",
     .family = 1},
};

static TestRun scaled_run(const Scaled *c, double l, double m, double k)
{
    TestModel model = c->model;
    NamedValue q[4];

    for (size_t i = 0; i < c->n_q; i++) {
        q[i] = c->q[i];
        q[i].value *= strcmp(q[i].name, "theta") == 0 ? 1 : l;
    }
    model.parameters[0].value = l;
    model.parameters[1].value = m;
    model.parameters[2].value = k;
    return look(&model, l, q, c->n_q);
}

static void expect_same(const Scaled *c, const TestRun *one, const TestRun *run, double l)
{
    const Value *found = test_equilibrium(run, 0), *first = test_equilibrium(one, 0);
    const Value *q = value_member(value_member(found, "q"), c->model.coordinates[0]);
    const Value *q1 = value_member(first, "q") ? value_member(first, "q")->first : NULL;

    ck_assert_msg(value_member(found, "found")->boolean, "l = %g: %s", l,
                  value_member(found, "found")->boolean ? "" : value_member(found, "reason")->text);
    ck_assert_msg(strcmp(value_member(found, "stable")->text, c->stable) == 0, "l = %g: %s", l,
                  value_member(found, "reason")->text);
    ck_assert_double_eq(value_member(found, "flat_directions")->number, c->family);
    ck_assert_double_eq(value_member(found, "zero_eigenvalues")->number,
                        value_member(first, "zero_eigenvalues")->number);
    ck_assert_ptr_nonnull(q1);
    for (size_t i = 0; q && q1; i++, q = q->next, q1 = q1->next) {
        const double place = isnan(c->place[i]) ? q1->number : c->place[i];
        ck_assert_double_eq_tol(q->number / (c->is_angle[i] ? 1 : l), place, 1e-9);
    }
}

START_TEST(equilibria_are_the_same_in_all_units)
{
    static const double MASSES[] = {1, 1e-10, 1e10, 1, 1}, FACTORS[] = {1, 1e10, 1, 1e-10, 1e10};
    const Scaled *c = &SCALED[_i];
    TestRun one = scaled_run(c, 1, 1, 1);

    for (int exponent = -12; exponent <= 16; exponent += 2) {
        const size_t k = (size_t)(exponent + 12) / 2 % 5;
        const double l = pow(10, exponent);
        if (c->is_angle[1] && exponent > 12)
            continue; /* their masses, 1 and l^2, are too far apart for doubles */
        TestRun run = scaled_run(c, l, MASSES[k], FACTORS[k]);
        expect_same(c, &one, &run, l);
        test_run_done(&run);
    }
    test_run_done(&one);
}
END_TEST

/* Forces that nothing balances, however small beside others. */
START_TEST(a_lone_force_has_no_equilibrium)
{
    static const char *const POTENTIALS[] = {
        "1e-12*x + y^2",         "1e-300*x + y^2", "1e6*y^2 + 1e-9*x",
        "x^3/3 + 1e-14*x + y^2", "y^2 + exp(-x)",  "1e-13*x + 1e3*(y - 7)^2",
    };
    TestModel model = {.coordinates = {"x", "y"}};
    const NamedValue q[] = {{"x", 1, ""}, {"y", 0.5, ""}};
    Arena *arena = arena_new(1 << 16);

    model.lagrangian = arena_printf(arena, "(dot(x)^2 + dot(y)^2)/2 - (%s)", POTENTIALS[_i]);
    TestRun run = look(&model, 1, q, 2);
    ck_assert(!is_found(&run));
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* Nor does a force that is small where it is looked make its place one. */
START_TEST(a_small_force_leads_to_its_own_zero)
{
    static const char *const POTENTIALS[] = {
        "1e-30*(x - 5)^2 + y^2",      "(x - 5)^4 + y^2",
        "1e3*(x - 5)^6 + y^2",        "(x - 5)^2 + 1e-20*y^2",
        "1e-9*cosh(x - 5) + 1e9*y^2",
    };
    TestModel model = {.coordinates = {"x", "y"}};
    const NamedValue q[] = {{"x", 4, ""}, {"y", 0.5, ""}};
    Arena *arena = arena_new(1 << 16);

    model.lagrangian = arena_printf(arena, "(dot(x)^2 + dot(y)^2)/2 - (%s)", POTENTIALS[_i]);
    TestRun run = look(&model, 1, q, 2);
    ck_assert(is_found(&run));
    const Value *place = value_member(test_equilibrium(&run, 0), "q");
    ck_assert_double_eq_tol(value_member(place, "x")->number, 5, 1e-9);
    ck_assert_double_eq_tol(value_member(place, "y")->number, 0, 1e-9);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* A pendulum that circles: turning is a symmetry in all units, shifting in none, however small the
 * constraint is written. */
START_TEST(relative_equilibria_are_the_same_in_all_units)
{
    static const double LENGTHS[] = {1e-12, 1e-8, 1e-4, 1, 1e5, 1e16};
    static const double FACTORS[] = {1e-10, 1, 1e-10, 1e-10, 1e10, 1};
    const double l = LENGTHS[_i], rate = 1 / sqrt(0.8 * l);
    const TestModel model = {
        .coordinates = {"x", "y", "z"},
        .parameters = {{"l", l, ""}, {"k", FACTORS[_i], ""}},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - z",
        .constraints = {"k*(x^2 + y^2 + z^2) = k*l^2"},
        .symmetries = {{.name = "shift",
                        .components = &(NamedText){.name = "x", .text = "1", .pointer = ""},
                        .n_components = 1},
                       {.name = "turn",
                        .components = (NamedText[]){{.name = "x", .text = "-y", .pointer = ""},
                                                    {.name = "y", .text = "x", .pointer = ""}},
                        .n_components = 2}}};
    const NamedValue q[] = {{"x", 0.6 * l, ""}, {"z", -0.8 * l, ""}};
    const NamedValue v = {"y", 0.6 * l * rate * 1.01, ""};
    const AnalysisSpec analysis = {.name = "equilibria", .pointer = "/analyses/0"};
    JobSpec spec;

    job_spec_init(&spec);
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 1e-3 / rate, .samples = 2};
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.initial.q = q, spec.initial.n_q = 2, spec.initial.v = &v, spec.initial.n_v = 1;
    spec.analyses = &analysis, spec.n_analyses = 1;
    TestRun run = test_run(&model, &spec);
    const Value *found = test_equilibrium(&run, 0)->next;
    ck_assert(found && value_member(found, "found")->boolean);
    const Value *along = value_member(found, "along"), *place = value_member(found, "q");
    ck_assert_ptr_null(value_member(along, "shift"));
    const double cosine = -value_member(place, "z")->number / l;
    const double turn = value_member(along, "turn")->number;
    ck_assert_double_eq_tol(turn * turn * l * cosine, 1, 1e-9);
    ck_assert_double_eq(value_member(found, "flat_directions")->number, 2);
    ck_assert_double_eq(value_member(found, "zero_eigenvalues")->number, 2);
    test_run_done(&run);
}
END_TEST

/* Bodies of mass m and length l, and a state near which they run on along their symmetries. */
typedef struct Running {
    const char *coordinates[3];
    const char *lagrangian, *constraint;
    size_t n_symmetries;
    const char *symmetries[3][3]; /* by coordinate; NULL: 0 */
    double q[3], v[3];            /* at l = 1 */
    size_t n_lengths;             /* the first coordinates are some */
} Running;

static const Running RUNNING[] = {
    /* a sleigh at the origin: nothing but its inertia tells how large it is */
    {{"x", "y", "th"},
     "m*(dot(x)^2 + dot(y)^2)/2 + 0.35*m*l^2*dot(th)^2/2 + "
     "0.3*m*l*dot(th)*(cos(th)*dot(y) - sin(th)*dot(x))",
     "sin(th)*dot(x) = cos(th)*dot(y)",
     3,
     {{"1"}, {NULL, "1"}, {"-y", "x", "1"}},
     {0, 0, 0},
     {1, 0, 0.3},
     2},
    /* on its straight way the reaction is zero, to the rounding of forces across */
    {{"x", "y", "z"},
     "m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - m*1.21*(x^2 + y^2)/2",
     "1.5*l*dot(z) = y*dot(x) - x*dot(y) + 0.4*l^2",
     2,
     {{"-y", "x"}, {NULL, NULL, "1"}},
     {0.3, 0.4, 0},
     {0.3, 0.2, 0.46 / 1.5},
     3},
};

static TestRun run_on(const Running *c, double l, double m)
{
    TestModel model = {.parameters = {{"l", l, ""}, {"m", m, ""}},
                       .lagrangian = c->lagrangian,
                       .constraints = {c->constraint}};
    NamedText components[3][3];
    NamedValue q[3], v[3];
    const AnalysisSpec analysis = {.name = "equilibria", .pointer = "/analyses/0"};
    JobSpec spec;

    for (size_t i = 0; i < 3; i++) {
        const double unit = i < c->n_lengths ? l : 1;
        model.coordinates[i] = c->coordinates[i];
        q[i] = (NamedValue){c->coordinates[i], c->q[i] * unit, ""};
        v[i] = (NamedValue){c->coordinates[i], c->v[i] * unit, ""};
    }
    for (size_t k = 0; k < c->n_symmetries; k++) {
        size_t count = 0;
        for (size_t i = 0; i < 3; i++)
            if (c->symmetries[k][i])
                components[k][count++] = (NamedText){
                    .name = c->coordinates[i], .text = c->symmetries[k][i], .pointer = ""};
        model.symmetries[k].name = &"a\0b\0c"[2 * k];
        model.symmetries[k].components = components[k];
        model.symmetries[k].n_components = count;
    }
    job_spec_init(&spec);
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 1e-3, .samples = 2};
    spec.initial.q = q, spec.initial.n_q = 3, spec.initial.v = v, spec.initial.n_v = 3;
    spec.analyses = &analysis, spec.n_analyses = 1;
    return test_run(&model, &spec);
}

START_TEST(bodies_run_on_alike_whatever_their_mass)
{
    static const double MASSES[] = {1, 1.5, 3, 7, 1e3, 1e-3, 1e20, 1e-25};
    const Running *c = &RUNNING[_i];
    TestRun one = run_on(c, 1, 2);
    const Value *first = value_member(test_equilibrium(&one, 0)->next, "v");

    ck_assert_ptr_nonnull(first);
    for (size_t k = 0; k < sizeof MASSES / sizeof *MASSES; k++) {
        const double m = MASSES[k], l = 1;
        TestRun run = run_on(c, l, m);
        const Value *v = value_member(test_equilibrium(&run, 0)->next, "v"), *v1 = first->first;
        ck_assert_msg(v != NULL, "m = %g, l = %g: not found", m, l);
        v = v->first;
        for (size_t i = 0; i < 3; i++, v = v->next, v1 = v1->next)
            ck_assert_double_eq_tol(v->number / (i < c->n_lengths ? l : 1), v1->number, 1e-9);
        test_run_done(&run);
    }
    test_run_done(&one);
}
END_TEST

/* What vanishes there is zero to the rounding of where it was looked. */
START_TEST(a_bowl_has_its_equilibrium_at_the_bottom)
{
    const TestModel bowl = {.coordinates = {"x", "y"},
                            .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - log(x^2 + 1) - y",
                            .constraints = {"y - 1e-3*x^2"}};
    const NamedValue q[] = {{"x", 0.5, ""}, {"y", 2.5e-4, ""}};
    TestRun run = look(&bowl, 1, q, 2);

    ck_assert(is_found(&run));
    test_run_done(&run);
}
END_TEST

SUITE(equilibrium_units)
{
    TCase *tc = suite_case(suite, "equilibrium_units");
    tcase_add_loop_test(tc, equilibria_are_the_same_in_all_units, 0, 5);
    tcase_add_loop_test(tc, relative_equilibria_are_the_same_in_all_units, 0, 6);
    tcase_add_loop_test(tc, bodies_run_on_alike_whatever_their_mass, 0, 2);
    tcase_add_test(tc, a_bowl_has_its_equilibrium_at_the_bottom);
    tcase_add_loop_test(tc, a_lone_force_has_no_equilibrium, 0, 6);
    tcase_add_loop_test(tc, a_small_force_leads_to_its_own_zero, 0, 5);
}
