/* Chaplygin's reduction in whole runs: lifts, multipliers with known closed forms, the references
 * in the new time, and what is refused. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

enum { MOST_INSTANTS = 8 };

static JobSpec job(const NamedValue *q, size_t n_q, const NamedValue *v, size_t n_v)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.formulation = "chaplygin";
    spec.integrator.rtol = 1e-13;
    spec.integrator.atol = 1e-15;
    spec.initial.q = q;
    spec.initial.n_q = n_q;
    spec.initial.v = v;
    spec.initial.n_v = n_v;
    return spec;
}

static bool has_column(const TestRun *run, const char *name)
{
    const char *const *names;
    const size_t n = simulation_columns(run->simulation, &names);

    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void assert_warning(const TestRun *run, const char *part)
{
    ck_assert_uint_eq(run->result.n_warnings, 1);
    ck_assert_msg(strstr(run->result.warnings[0], part) != NULL, "%s", run->result.warnings[0]);
}

/* Multipliers of the base. */

static const TestModel PARTICLE = {
    .coordinates = {"x", "y", "z"},
    .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
    .constraints = {"dot(z) + x*dot(y)"},
};

/* N = (1 + x^2)^(-1/2) up to its value at the start; x is uniform, so that tau is known too. */
START_TEST(the_nonholonomic_particle_has_its_classical_multiplier)
{
    const NamedValue q[] = {{"x", 0.25, ""}}, v[] = {{"x", 0.5, ""}, {"y", 1.25, ""}};
    JobSpec spec = job(q, 1, v, 2);
    spec.time.end = 10;
    spec.time.samples = 11;
    TestRun run = test_run(&PARTICLE, &spec);

    ck_assert(run.result.end.complete);
    ck_assert_uint_eq(run.result.n_warnings, 0);
    for (long k = 0; k < 11; k++) {
        double x = 0.25 + 0.5 * (double)k, c = sqrt(1.0625);
        ck_assert_double_eq_tol(test_value(&run, k, "x"), x, 1e-12);
        ck_assert_double_eq_tol(test_value(&run, k, "dot(y)"), 1.25 * c / sqrt(1 + x * x), 1e-12);
        ck_assert_double_eq_tol(test_value(&run, k, "dot(z)"), -x * test_value(&run, k, "dot(y)"),
                                1e-13);
        ck_assert_double_eq_tol(test_value(&run, k, "N"), c / sqrt(1 + x * x), 1e-12);
        ck_assert_double_eq_tol(test_value(&run, k, "tau"), c / 0.5 * (asinh(x) - asinh(0.25)),
                                1e-11);
    }
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-13);
    test_run_done(&run);
}
END_TEST

/* u_a + Delta_a(q1) u_2 = 0: 1/N^2 is the reduced inertia of q2, so that N p_2 is conserved. */
START_TEST(the_multiplier_of_a_class_is_its_reduced_inertia)
{
    const TestModel model = {.coordinates = {"q1", "q2", "q3", "q4"},
                             .lagrangian =
                                 "(1.5*dot(q1)^2 + 0.75*dot(q2)^2 + 2*dot(q3)^2 + 0.5*dot(q4)^2)/2",
                             .constraints = {"dot(q3) + sin(q1)*dot(q2)", "dot(q4) + q1*dot(q2)"}};
    const NamedValue q[] = {{"q1", 0.25, ""}}, v[] = {{"q1", 0.75, ""}, {"q2", -1.25, ""}};
    JobSpec spec = job(q, 1, v, 2);
    spec.time.end = 6;
    spec.time.samples = 13;
    TestRun run = test_run(&model, &spec);

    double first = 0;
    for (long k = 0; k < 13; k++) {
        double q1 = test_value(&run, k, "q1"), s = sin(q1);
        double root = sqrt(0.75 + 2 * s * s + 0.5 * q1 * q1);
        first = k == 0 ? root : first;
        ck_assert_double_eq_tol(test_value(&run, k, "N") * root / first, 1, 1e-12);
    }
    test_run_done(&run);
}
END_TEST

START_TEST(a_reduced_system_that_is_lagrangian_keeps_its_time)
{
    const TestModel disk = {
        .coordinates = {"x", "y", "theta", "phi"},
        .lagrangian = "dot(x)^2 + dot(y)^2 + 0.375*dot(theta)^2 + 0.25*dot(phi)^2",
        .constraints = {"dot(x) = 0.5*cos(phi)*dot(theta)", "dot(y) = 0.5*sin(phi)*dot(theta)"}};
    const NamedValue v[] = {{"theta", 1.5, ""}, {"phi", 0.75, ""}};
    JobSpec spec = job(NULL, 0, v, 2);
    spec.initial.t = 2;
    spec.time.end = 7;
    spec.time.samples = 2;
    TestRun run = test_run(&disk, &spec);
    ck_assert_double_eq(test_value(&run, -1, "N"), 1);
    ck_assert_double_eq_tol(test_value(&run, -1, "tau"), 5, 1e-14);
    test_run_done(&run);
}
END_TEST

/* Multipliers of time. */

#define RADIUS "(2 + 0.25*sin(1.75*t))" /* R(t) + r */

static const TestModel DISC = {
    .coordinates = {"phi", "psi"},
    .lagrangian =
        "(1.5*" RADIUS "^2*dot(phi)^2 + 0.25*dot(psi)^2)/2 - 1.5*9.75*" RADIUS "*sin(phi)",
    .constraints = {"0.5*dot(psi) - " RADIUS "*dot(phi)"},
};

static const NamedValue DISC_Q[] = {{"phi", -1.25, ""}, {"psi", 0.5, ""}};
static const NamedValue DISC_V[] = {{"phi", 0.5, ""}};

static double a_of(double t)
{
    return (2 + 0.25 * sin(1.75 * t)) / 0.5;
}

/* alpha = I/(m r^2 + I) */
static const double ALPHA = 0.4;

/* N = a^-alpha up to its value at the start; the reference is the Hamiltonised disc, integrated by
 * itself: at tau its phi, d phi/d tau and old time z. */
START_TEST(the_disc_moves_in_the_new_time_as_hamiltonised)
{
    static const struct {
        double tau, phi, rate, z;
    } REFERENCE[] = {
        {0.25, -1.141310135011807, -0.018286601198155523, 0.4431167611880299},
        {0.5, -1.252408462857031, -0.8322438045921939, 0.8972970852675761},
        {1.0, -1.8472285518452596, -1.1556448490433437, 1.794621843573261},
        {2.0, -1.4062817096245812, 1.231781833754574, 3.4748737958746294},
        {3.0, -1.6736779759956435, -1.3296248158169166, 5.268314341870926},
        {5.0, -1.4883109177228926, -1.2774293800736165, 8.740861823005028},
    };
    enum { COUNT = sizeof REFERENCE / sizeof REFERENCE[0] };
    double at[COUNT];
    JobSpec spec = job(DISC_Q, 2, DISC_V, 1);
    for (size_t k = 0; k < COUNT; k++)
        at[k] = REFERENCE[k].z;
    spec.time = (TimeSpec){.kind = TIME_AT, .at = at, .n_at = COUNT};
    TestRun run = test_run(&DISC, &spec);

    const double start = pow(a_of(0), -ALPHA); /* the N(0) of the reference; ours is 1 */
    ck_assert_uint_eq(run.n_rows, COUNT);
    for (long k = 0; k < COUNT; k++) {
        double N = test_value(&run, k, "N") * start;
        ck_assert_double_eq_tol(N, pow(a_of(at[k]), -ALPHA), 1e-12);
        ck_assert_double_eq_tol(test_value(&run, k, "tau") * start, REFERENCE[k].tau, 1e-11);
        ck_assert_double_eq_tol(test_value(&run, k, "phi"), REFERENCE[k].phi, 1e-11);
        ck_assert_double_eq_tol(test_value(&run, k, "dot(phi)") / N, REFERENCE[k].rate, 1e-11);
        ck_assert_double_eq_tol(test_value(&run, k, "dot(psi)"),
                                a_of(at[k]) * test_value(&run, k, "dot(phi)"), 1e-12);
    }
    test_run_done(&run);
}
END_TEST

/* u(T), the period in the new time (B. Jovanovic, Theorem 6.2). */
START_TEST(coefficients_of_period_t_have_the_period_u_in_the_new_time)
{
    const double T = 2 * 3.14159265358979323846 / 1.75, u = 2.0666857140997188578;
    double at[] = {T, 2 * T, 3 * T};
    JobSpec spec = job(DISC_Q, 2, DISC_V, 1);
    spec.time = (TimeSpec){.kind = TIME_AT, .at = at, .n_at = 3};
    TestRun run = test_run(&DISC, &spec);

    for (long k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(test_value(&run, k, "tau") * pow(a_of(0), -ALPHA),
                                u * (double)(k + 1), 1e-12);
        ck_assert_double_eq_tol(test_value(&run, k, "N"), 1, 1e-12);
    }
    test_run_done(&run);
}
END_TEST

/* The damped oscillator is a time-dependent one without damping in tau = N0 (e^(B0 t) - 1)/B0. */
START_TEST(damping_is_absorbed_by_the_new_time)
{
    static const struct {
        double tau, y, rate;
    } REFERENCE[] = {
        {0.5, 0.8494416615644426, -0.0770053760858964},
        {1.0, 0.7057714770647653, -0.46152317536006693},
        {2.0, 0.09692964918798243, -0.6447126666273618},
        {4.0, -0.651163377578536, -0.050276807847975426},
        {8.0, 0.23064427317248096, 0.22204794900463806},
        {16.0, -0.06774243981181373, -0.1206474873818214},
    };
    enum { COUNT = sizeof REFERENCE / sizeof REFERENCE[0] };
    const double B0 = 0.25, N0 = 1.25;
    const TestModel oscillator = {.coordinates = {"y"},
                                  .lagrangian = "dot(y)^2/2 - 1.5^2*y^2/2",
                                  .forces = {{"y", "-0.25*dot(y)", "", NULL}}};
    const NamedValue q[] = {{"y", 0.75, ""}}, v[] = {{"y", 0.5 * 1.25, ""}};
    double at[COUNT];
    JobSpec spec = job(q, 1, v, 1);
    for (size_t k = 0; k < COUNT; k++)
        at[k] = log((B0 * REFERENCE[k].tau + N0) / N0) / B0;
    spec.time = (TimeSpec){.kind = TIME_AT, .at = at, .n_at = COUNT};
    TestRun run = test_run(&oscillator, &spec);

    for (long k = 0; k < COUNT; k++) {
        double N = N0 * test_value(&run, k, "N");
        ck_assert_double_eq_tol(N, B0 * REFERENCE[k].tau + N0, 1e-11);
        ck_assert_double_eq_tol(N0 * test_value(&run, k, "tau"), REFERENCE[k].tau, 1e-11);
        ck_assert_double_eq_tol(test_value(&run, k, "y"), REFERENCE[k].y, 1e-11);
        ck_assert_double_eq_tol(test_value(&run, k, "dot(y)") / N, REFERENCE[k].rate, 1e-11);
    }
    test_run_done(&run);
}
END_TEST

/* Two freedoms, each damped in proportion to its mass. */
START_TEST(damping_along_the_momenta_is_absorbed_in_any_dimension)
{
    const TestModel model = {
        .coordinates = {"x", "y"},
        .parameters = {{"k", 0.3, ""}},
        .lagrangian = "(dot(x)^2 + 2*dot(y)^2)/2 - x^2 - x*y^3",
        .forces = {{"x", "-k*dot(x)", "", NULL}, {"y", "-2*k*dot(y)", "", NULL}}};
    const NamedValue v[] = {{"x", 1, ""}, {"y", 0.5, ""}};
    JobSpec spec = job(NULL, 0, v, 2);
    spec.time.end = 2;
    spec.time.samples = 5;
    TestRun run = test_run(&model, &spec);
    for (long k = 0; k < 5; k++)
        ck_assert_double_eq_tol(test_value(&run, k, "N"), exp(0.15 * (double)k), 1e-12);
    test_run_done(&run);
}
END_TEST

/* Backwards, tau runs back with N as it was. */
/* Pi = n (p.xdot) - (n.xdot) p with n = d ln N planted as a force on a particle in space, N =
 * exp(0.3 x y + 0.1 z^2); with another coefficient n is not closed. */
#define PLANTED_NV "(0.3*y*dot(x) + " SLOPE "*x*dot(y) + 0.2*z*dot(z))"
#define PLANTED_VV "(dot(x)^2 + dot(y)^2 + dot(z)^2)"
#define PLANTED                                                                                    \
    {                                                                                              \
        .coordinates = {"x", "y", "z"}, .lagrangian = PLANTED_VV "/2 - x^2/2 - x*y/5", .forces = { \
            {"x", "0.3*y*" PLANTED_VV " - " PLANTED_NV "*dot(x)", "", NULL},                       \
            {"y", SLOPE "*x*" PLANTED_VV " - " PLANTED_NV "*dot(y)", "", NULL},                    \
            {"z", "0.2*z*" PLANTED_VV " - " PLANTED_NV "*dot(z)", "", NULL},                       \
        }                                                                                          \
    }

START_TEST(a_multiplier_planted_in_three_dimensions_is_found)
{
#define SLOPE "0.3"
    const TestModel closed = PLANTED;
#undef SLOPE
#define SLOPE "0.31"
    const TestModel open = PLANTED;
#undef SLOPE
    const NamedValue q[] = {{"x", 0.5, ""}, {"y", -0.3, ""}};
    const NamedValue v[] = {{"x", 0.4, ""}, {"y", 0.5, ""}, {"z", 0.6, ""}};
    JobSpec spec = job(q, 2, v, 3);
    spec.time.end = 3;
    spec.time.samples = 7;
    TestRun run = test_run(&closed, &spec);
    for (long k = 0; k < 7; k++) {
        double x = test_value(&run, k, "x"), y = test_value(&run, k, "y");
        double z = test_value(&run, k, "z");
        ck_assert_double_eq_tol(log(test_value(&run, k, "N")), 0.3 * x * y + 0.1 * z * z + 0.045,
                                1e-9);
    }
    test_run_done(&run);
    run = test_run(&open, &spec);
    ck_assert(!has_column(&run, "N"));
    ck_assert_uint_eq(run.result.n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(run.result.warnings[0], "d ln N is not closed"));
    test_run_done(&run);
}
END_TEST

START_TEST(the_new_time_runs_backwards_too)
{
    const NamedValue q[] = {{"x", 0.25, ""}}, v[] = {{"x", 0.5, ""}, {"y", 1.25, ""}};
    JobSpec spec = job(q, 1, v, 2);
    spec.time.end = -4;
    spec.time.samples = 3;
    TestRun run = test_run(&PARTICLE, &spec);
    double x = 0.25 - 2, c = sqrt(1.0625);
    ck_assert_double_eq_tol(test_value(&run, -1, "N"), c / sqrt(1 + x * x), 1e-12);
    ck_assert_double_eq_tol(test_value(&run, -1, "tau"), c / 0.5 * (asinh(x) - asinh(0.25)), 1e-12);
    test_run_done(&run);
}
END_TEST

/* Where there is none. */

typedef struct Without {
    const char *constraint, *force, *reason;
} Without;

static const Without WITHOUT[] = {
    {"dot(z) = y^2*dot(x) + x*y^2*dot(y)", "0", "not closed"},
    {"dot(z) = y^2*dot(x) + 1 + y", "0", "gyroscopic"},
    {"dot(z) = y^2*dot(x)", "-0.1*dot(x)", "linear in the velocities"},
    {"dot(z) = y*dot(x)", "-dot(x)^3", "Chaplygin's form"},
    {"dot(z) = dot(x)", "-0.1*dot(x)", "no multiple of the momenta"},
    {"dot(z) = dot(x)", "y", "no potential"},
};

/* The motion is computed all the same. */
START_TEST(a_missing_multiplier_is_explained)
{
    const TestModel model = {.coordinates = {"x", "y", "z"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                             .constraints = {WITHOUT[_i].constraint},
                             .forces = {{"x", WITHOUT[_i].force, "", NULL}}};
    const NamedValue q[] = {{"x", 0.2, ""}, {"y", 0.3, ""}};
    const NamedValue v[] = {{"x", 0.4, ""}, {"y", 0.7, ""}};
    JobSpec spec = job(q, 2, v, 2);
    spec.time.end = 1;
    spec.time.samples = 2;
    TestRun run = test_run(&model, &spec);

    ck_assert(run.result.end.complete);
    ck_assert(!has_column(&run, "tau") && !has_column(&run, "N"));
    assert_warning(&run, WITHOUT[_i].reason);
    test_run_done(&run);
}
END_TEST

/* Whether there is a multiplier is decided with the job's parameters. */
START_TEST(parameters_decide_about_the_multiplier)
{
    const TestModel model = {.coordinates = {"x", "y", "z"},
                             .parameters = {{"k", 0.1, ""}},
                             .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                             .constraints = {"dot(z) + x*dot(y)"},
                             .forces = {{"y", "-k*dot(y)", "", NULL}}};
    const NamedValue q[] = {{"x", 0.25, ""}}, v[] = {{"x", 0.5, ""}, {"y", 1.25, ""}};
    const NamedValue none[] = {{"k", 0, ""}};
    JobSpec spec = job(q, 1, v, 2);
    spec.time.end = 1;
    spec.time.samples = 2;
    TestRun damped = test_run(&model, &spec);
    ck_assert(!has_column(&damped, "N"));
    test_run_done(&damped);

    spec.parameters = none;
    spec.n_parameters = 1;
    TestRun free = test_run(&model, &spec);
    ck_assert_double_eq_tol(test_value(&free, -1, "N"), sqrt(1.0625 / (1 + 0.75 * 0.75)), 1e-12);
    test_run_done(&free);
}
END_TEST

/* Groups
 * -----------------------------------------------------------------------------------------
 * */

#define CARRIAGE_COORDINATES              \
    {                                     \
        "psi1", "psi2", "x", "y", "theta" \
    }
#define CARRIAGE_LAGRANGIAN                                                                 \
    "1.5*(dot(x)^2 + dot(y)^2) + 1.5*dot(theta)*(cos(theta)*dot(y) - sin(theta)*dot(x)) + " \
    "dot(theta)^2 + 0.25*(dot(psi1)^2 + dot(psi2)^2)"
#define CARRIAGE_CONSTRAINTS                                   \
    {                                                          \
        "dot(x) + 0.5*cos(theta)*(dot(psi1) + dot(psi2))",     \
            "dot(y) + 0.5*sin(theta)*(dot(psi1) + dot(psi2))", \
            "dot(theta) = dot(psi2) - dot(psi1)"               \
    }

static const NamedText SHIFT_X[] = {{"x", "1", "", NULL}}, SHIFT_Y[] = {{"y", "1", "", NULL}};
static const NamedText TURN[] = {
    {"theta", "1", "", NULL}, {"x", "-y", "", NULL}, {"y", "x", "", NULL}};
#define MOTIONS_OF_THE_PLANE                                \
    {                                                       \
        {"shift_x", "/model/symmetries/0", SHIFT_X, 1},     \
            {"shift_y", "/model/symmetries/1", SHIFT_Y, 1}, \
        {                                                   \
            "turn", "/model/symmetries/2", TURN, 3          \
        }                                                   \
    }

static const NamedValue CARRIAGE_Q[] = {{"psi1", 0.125, ""}, {"theta", 0.375, ""}};
static const NamedValue CARRIAGE_V[] = {{"psi1", 0.75, ""}, {"psi2", -0.5, ""}};

/* By SE(2) over (psi1, psi2), and by translations over two of the angles: one motion. */
START_TEST(a_carriage_reduces_by_the_motions_of_the_plane)
{
    const TestModel plain = {.coordinates = CARRIAGE_COORDINATES,
                             .lagrangian = CARRIAGE_LAGRANGIAN,
                             .constraints = CARRIAGE_CONSTRAINTS};
    TestModel group = {.coordinates = CARRIAGE_COORDINATES,
                       .lagrangian = CARRIAGE_LAGRANGIAN,
                       .constraints = CARRIAGE_CONSTRAINTS,
                       .symmetries = MOTIONS_OF_THE_PLANE};
    JobSpec spec = job(CARRIAGE_Q, 2, CARRIAGE_V, 2);
    spec.time.end = 4;
    spec.time.samples = 5;
    spec.formulation = "lagrange-dalembert";
    TestRun multipliers = test_run(&plain, &spec);
    spec.formulation = "chaplygin";
    TestRun abelian = test_run(&plain, &spec), reduced = test_run(&group, &spec);

    const char *const *names;
    const size_t columns = simulation_columns(multipliers.simulation, &names);
    for (long k = 0; k < 5; k++)
        for (size_t c = 0; c < columns; c++) {
            double value = test_value(&multipliers, k, names[c]);
            ck_assert_double_eq_tol(test_value(&abelian, k, names[c]), value, 1e-11);
            ck_assert_double_eq_tol(test_value(&reduced, k, names[c]), value, 1e-11);
        }
    ck_assert(has_column(&reduced, "N"));
    test_run_done(&multipliers);
    test_run_done(&abelian);
    test_run_done(&reduced);
}
END_TEST

START_TEST(a_group_that_is_no_symmetry_is_refused_with_the_reason)
{
    const TestModel model = {.coordinates = CARRIAGE_COORDINATES,
                             .lagrangian = CARRIAGE_LAGRANGIAN " - 0.1*x",
                             .constraints = CARRIAGE_CONSTRAINTS,
                             .symmetries = MOTIONS_OF_THE_PLANE};
    JobSpec spec = job(CARRIAGE_Q, 2, CARRIAGE_V, 2);
    spec.time.end = 1;
    TestRun run = test_refused(&model, &spec);
    ck_assert(test_says(&run, "/formulation", "depends on the fibre coordinate x"));
    ck_assert(test_says(&run, "/model/symmetries/0", "does not leave the Lagrangian invariant"));
    ck_assert(test_says(&run, "/model/symmetries/2", "does not leave the Lagrangian invariant"));
    ck_assert(!test_says(&run, "/model/symmetries/1", ""));
    test_run_done(&run);
}
END_TEST

/* dot(y) = tan(phi) dot(x) closes over (x, phi) by the translations along y, not by this field. */
START_TEST(a_group_that_is_no_symmetry_is_refused_though_the_equations_close)
{
    static const NamedText SHEAR[] = {{"y", "1 + y*phi", "", NULL}};
    static const NamedText TRANSLATION[] = {{"y", "1", "", NULL}};
    TestModel model = {.coordinates = {"x", "y", "phi"},
                       .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(phi)^2)/2",
                       .constraints = {"dot(y) - tan(phi)*dot(x)"},
                       .symmetries = {{"shear", "/model/symmetries/0", SHEAR, 1}}};
    const NamedValue v[] = {{"x", 1, ""}, {"phi", 0.5, ""}};
    JobSpec spec = job(NULL, 0, v, 2);
    spec.time.end = 1;
    TestRun run = test_refused(&model, &spec);
    ck_assert(
        test_says(&run, "/model/symmetries/0", "the symmetry shear does not leave the Lagrangian"));
    ck_assert_ptr_nonnull(strstr(run.diag->items[0].hint, "close on the base without it"));
    test_run_done(&run);
    model.symmetries[0] = (FieldText){"translation", "/model/symmetries/0", TRANSLATION, 1};
    run = test_run(&model, &spec);
    ck_assert(run.result.end.complete);
    test_run_done(&run);
}
END_TEST

START_TEST(generators_must_make_a_group_along_the_fibres)
{
    const NamedText bent[] = {{"theta", "1", "", NULL}, {"x", "x^2", "", NULL}};
    const NamedText rolls[] = {{"psi1", "1", "", NULL}, {"y", "1", "", NULL}};
    const TestModel model = {.coordinates = CARRIAGE_COORDINATES,
                             .lagrangian = CARRIAGE_LAGRANGIAN,
                             .constraints = CARRIAGE_CONSTRAINTS,
                             .forces = {{"theta", "-sin(theta)", "", NULL}},
                             .base = {"psi1", "psi2"},
                             .symmetries = {{"shift_x", "/model/symmetries/0", SHIFT_X, 1},
                                            {"rolls", "/model/symmetries/1", rolls, 2},
                                            {"bent", "/model/symmetries/2", bent, 2}}};
    JobSpec spec = job(CARRIAGE_Q, 2, CARRIAGE_V, 2);
    spec.time.end = 1;
    TestRun run = test_refused(&model, &spec);
    ck_assert(test_says(&run, "/formulation", "depends on the fibre coordinate theta"));
    ck_assert(test_says(&run, "/model/symmetries/1", "moves the base coordinate psi1"));
    ck_assert(test_says(&run, "/model/symmetries/2", "constraint c1 invariant"));
    ck_assert(test_says(&run, "/model/symmetries/2", "forces invariant"));
    ck_assert(test_says(&run, "/model/symmetries/2", "makes no group with shift_x"));
    test_run_done(&run);
}
END_TEST

/* A bracket of 1e-12 is judged beside its own terms. */
START_TEST(a_small_bracket_is_no_constant_combination_either)
{
    const NamedText bent[] = {{"theta", "1", "", NULL}, {"x", "1e-12*x^2", "", NULL}};
    const TestModel model = {.coordinates = CARRIAGE_COORDINATES,
                             .lagrangian = CARRIAGE_LAGRANGIAN,
                             .constraints = CARRIAGE_CONSTRAINTS,
                             .base = {"psi1", "psi2"},
                             .symmetries = {{"shift_x", "/model/symmetries/0", SHIFT_X, 1},
                                            {"shift_y", "/model/symmetries/1", SHIFT_Y, 1},
                                            {"bent", "/model/symmetries/2", bent, 2}}};
    JobSpec spec = job(CARRIAGE_Q, 2, CARRIAGE_V, 2);
    spec.formulation = "chaplygin";
    spec.time.end = 1;
    TestRun run = test_refused(&model, &spec);
    ck_assert(test_says(&run, "/model/symmetries/2", "makes no group with shift_x"));
    test_run_done(&run);
}
END_TEST

/* Four fields on three coordinates are dependent at each state, and make a group all the same. */
START_TEST(more_generators_than_coordinates_can_make_a_group)
{
    const NamedText spin[] = {{"theta", "1", "", NULL}};
    const TestModel model = {.coordinates = CARRIAGE_COORDINATES,
                             .lagrangian = CARRIAGE_LAGRANGIAN " - 0.1*x",
                             .constraints = CARRIAGE_CONSTRAINTS,
                             .symmetries = {{"shift_x", "/model/symmetries/0", SHIFT_X, 1},
                                            {"shift_y", "/model/symmetries/1", SHIFT_Y, 1},
                                            {"turn", "/model/symmetries/2", TURN, 3},
                                            {"spin", "/model/symmetries/3", spin, 1}}};
    JobSpec spec = job(CARRIAGE_Q, 2, CARRIAGE_V, 2);
    spec.time.end = 1;
    TestRun run = test_refused(&model, &spec);
    ck_assert(test_says(&run, "/model/symmetries/3", "does not leave the Lagrangian invariant"));
    for (size_t i = 0; i < run.diag->count; i++)
        ck_assert_ptr_null(strstr(run.diag->items[i].message, "makes no group"));
    test_run_done(&run);
}
END_TEST

/* Refusals. */

typedef struct Refused {
    TestModel model;
    const char *reason;
} Refused;

static const Refused REFUSED[] = {
    /* the unbalanced disc */
    {{.coordinates = {"phi", "psi"},
      .lagrangian = "dot(phi)^2 + dot(psi)^2 + 0.1*dot(phi)*dot(psi)*cos(phi - psi) - sin(phi)",
      .constraints = {"dot(psi) = (2 + sin(t))*dot(phi)"},
      .base = {"phi"}},
     "the Lagrangian depends on the fibre coordinate psi"},
    /* a ball on a rotating table, without its spin */
    {{.coordinates = {"x", "y", "u", "w"},
      .lagrangian = "dot(x)^2 + dot(y)^2 + dot(u)^2 + dot(w)^2",
      .constraints = {"dot(x) = dot(u) - 0.75*y", "dot(y) = dot(w) + 0.75*x"},
      .base = {"u", "w"}},
     "the Lagrangian on the constraints depends on the fibre coordinate x"},
    {{.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
      .constraints = {"dot(y) = 2*dot(x)"},
      .forces = {{"x", "-y", "", NULL}},
      .base = {"x"}},
     "the force along the base coordinate x depends on the fibre coordinate y"},
    /* isometric at each point of the fibre, but turning along it */
    {{.coordinates = {"x", "y", "z", "s"},
      .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(s)^2)/2",
      .constraints = {"dot(z) = sin(s)*dot(x) - cos(s)*dot(y)",
                      "dot(s) = cos(s)*dot(x) + sin(s)*dot(y)"},
      .base = {"x", "y"}},
     "curvature term of the base coordinate x depends on the fibre coordinate s"},
    {{.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
      .constraints = {"dot(y) = dot(x)^2"}},
     "the constraint c1 is not linear or affine"},
};

START_TEST(what_does_not_close_on_the_base_is_refused)
{
    JobSpec spec = job(NULL, 0, NULL, 0);
    spec.time.end = 1;
    test_expect_refused(&REFUSED[_i].model, &spec, "/formulation", REFUSED[_i].reason);
}
END_TEST

/* A ball on a table: the table's turning breaks the symmetry under shifts. */
START_TEST(parameters_decide_about_the_symmetry)
{
    const TestModel ball = {
        .coordinates = {"x", "y", "phi", "psi", "theta"},
        .parameters = {{"W", 0.75, ""}},
        .lagrangian = "0.75*(dot(x)^2 + dot(y)^2) + 0.125*(dot(theta)^2 + dot(phi)^2 + dot(psi)^2 "
                      "+ 2*dot(phi)*dot(psi)*cos(theta))",
        .constraints = {"dot(x) = 0.5*(dot(theta)*sin(phi) - dot(psi)*cos(phi)*sin(theta)) - W*y",
                        "dot(y) = W*x - 0.5*(dot(theta)*cos(phi) + dot(psi)*sin(phi)*sin(theta))"},
        .base = {"phi", "psi", "theta"}};
    const NamedValue q[] = {{"x", 0.5, ""}, {"theta", 1.25, ""}}, still[] = {{"W", 0, ""}};
    const NamedValue v[] = {{"phi", 0.375, ""}, {"psi", 0.75, ""}, {"theta", 0.5, ""}};
    JobSpec spec = job(q, 2, v, 3);
    spec.time.end = 2;
    spec.time.samples = 9;
    test_expect_refused(&ball, &spec, "/formulation", "depends on the fibre coordinate");

    spec.parameters = still;
    spec.n_parameters = 1;
    TestRun run = test_run(&ball, &spec);
    double vx = test_value(&run, 0, "dot(x)"), vy = test_value(&run, 0, "dot(y)");
    for (long k = 0; k < 9; k++) { /* it rolls straight on */
        ck_assert_double_eq_tol(test_value(&run, k, "dot(x)"), vx, 1e-12);
        ck_assert_double_eq_tol(test_value(&run, k, "dot(y)"), vy, 1e-12);
        ck_assert_double_eq_tol(test_value(&run, k, "x"), 0.5 + vx * 0.25 * (double)k, 1e-12);
    }
    test_run_done(&run);
}
END_TEST

/* A blade that turns: at phi = pi/2 dot(x) no longer determines dot(y). */
START_TEST(the_end_of_a_base_is_named_with_what_goes_on)
{
    const TestModel blade = {.coordinates = {"x", "y", "phi"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(phi)^2)/2 - x",
                             .constraints = {"dot(x)*sin(phi) - dot(y)*cos(phi)"}};
    const NamedValue v[] = {{"x", 1, ""}, {"phi", 1, ""}};
    JobSpec spec = job(NULL, 0, v, 2);
    spec.time.end = 2;
    TestRun run = test_run(&blade, &spec);
    ck_assert(!run.result.end.complete);
    ck_assert_double_eq_tol(run.result.end.t, acos(0), 1e-6);
    ck_assert_msg(
        strstr(run.result.end.message, "no longer determine the velocities outside the base"), "%s",
        run.result.end.message);
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "voronec goes on"));
    test_run_done(&run);
    spec.formulation = "voronec";
    run = test_run(&blade, &spec);
    ck_assert(run.result.end.complete);
    test_run_done(&run);
}
END_TEST

/* Text of the equation `name` under `role`; NULL when there is none. */
static const char *printed(const PrintedEquations *equations, const char *role, const char *name)
{
    for (size_t i = 0; i < equations->n; i++)
        if (strcmp(equations->items[i].role, role) == 0 &&
            strcmp(equations->items[i].name, name) == 0)
            return equations->items[i].text;
    return NULL;
}

START_TEST(the_reduction_is_printed)
{
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile_in(&PARTICLE, "chaplygin", arena, diag);
    PrintedEquations equations;

    ck_assert_int_eq(compiled_print(compiled, PRINT_TEXT, arena, diag, &equations, NULL), OK);
    ck_assert_str_eq(printed(&equations, "horizontal_lift", "z"), "dot(z) = -x*dot(y)");
    ck_assert_str_eq(printed(&equations, "reduced_metric", "K_red[y,y]"), "x^2 + 1");
    ck_assert_ptr_null(printed(&equations, "reduced_metric", "K_red[x,y]"));
    ck_assert_str_eq(printed(&equations, "nonholonomic_term", "JK2[x]"), "x*dot(y)^2");
    ck_assert_str_eq(printed(&equations, "nonholonomic_term", "JK2[y]"), "-x*dot(x)*dot(y)");
    ck_assert_ptr_null(printed(&equations, "nonholonomic_term", "JK1[x]"));
    ck_assert_str_eq(printed(&equations, "multiplier", "N"), "dot(log(N)) = -x*dot(x)/(x^2 + 1)");
    ck_assert_ptr_nonnull(printed(&equations, "new_time_hamiltonian", "H*"));
    ck_assert_str_eq(printed(&equations, "new_time_lagrangian", "L*"),
                     "N^2*((d(y)/d(tau))^2*(x^2 + 1) + (d(x)/d(tau))^2)/2");
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

/* The state has ln N where N is the column. */
START_TEST(the_c_function_names_the_logarithm_of_the_multiplier)
{
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile_in(&PARTICLE, "chaplygin", arena, diag);
    PrintedEquations code;

    ck_assert_int_eq(compiled_print(compiled, PRINT_C, arena, diag, &code, NULL), OK);
    ck_assert_msg(strstr(code.whole, "y[4] z, y[5] log(N), y[6] tau\n") != NULL, "%s", code.whole);
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

/* What V_red leaves out: forces without velocities, and the time dependence of Delta_red. */
START_TEST(the_forces_of_the_new_time_are_printed)
{
    static const TestModel FORCED = {
        .coordinates = {"x"},
        .lagrangian = "(dot(x) + sin(t))^2/2 - x^2/2",
        .forces = {{"x", "-dot(x)/4 - x", "/forces/x", NULL}},
    };
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile_in(&FORCED, "chaplygin", arena, diag);
    PrintedEquations equations;

    ck_assert_int_eq(compiled_print(compiled, PRINT_TEXT, arena, diag, &equations, NULL), OK);
    ck_assert_str_eq(printed(&equations, "new_time_force", "F[x]"), "-cos(t) - x");
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

/* [xi, eta] = D eta xi - D xi eta, by hand. */
START_TEST(the_structure_constants_of_the_group_are_printed)
{
    const TestModel group = {.coordinates = CARRIAGE_COORDINATES,
                             .lagrangian = CARRIAGE_LAGRANGIAN,
                             .constraints = CARRIAGE_CONSTRAINTS,
                             .symmetries = MOTIONS_OF_THE_PLANE};
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile_in(&group, "chaplygin", arena, diag);
    PrintedEquations page;
    const char *role = "symmetry_group";

    ck_assert_int_eq(compiled_print(compiled, PRINT_TEXT, arena, diag, &page, NULL), OK);
    ck_assert_str_eq(printed(&page, role, "[shift_x, shift_y]"), "[shift_x, shift_y] = 0");
    ck_assert_str_eq(printed(&page, role, "[shift_x, turn]"), "[shift_x, turn] = shift_y");
    ck_assert_str_eq(printed(&page, role, "[shift_y, turn]"), "[shift_y, turn] = -shift_x");
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

SUITE(chaplygin)
{
    TCase *tc = suite_case(suite, "chaplygin");
    tcase_add_test(tc, the_nonholonomic_particle_has_its_classical_multiplier);
    tcase_add_test(tc, the_multiplier_of_a_class_is_its_reduced_inertia);
    tcase_add_test(tc, a_reduced_system_that_is_lagrangian_keeps_its_time);
    tcase_add_test(tc, the_disc_moves_in_the_new_time_as_hamiltonised);
    tcase_add_test(tc, coefficients_of_period_t_have_the_period_u_in_the_new_time);
    tcase_add_test(tc, damping_is_absorbed_by_the_new_time);
    tcase_add_test(tc, damping_along_the_momenta_is_absorbed_in_any_dimension);
    tcase_add_test(tc, a_multiplier_planted_in_three_dimensions_is_found);
    tcase_add_test(tc, the_new_time_runs_backwards_too);
    tcase_add_loop_test(tc, a_missing_multiplier_is_explained, 0,
                        sizeof WITHOUT / sizeof WITHOUT[0]);
    tcase_add_test(tc, parameters_decide_about_the_multiplier);
    tcase_add_test(tc, a_carriage_reduces_by_the_motions_of_the_plane);
    tcase_add_test(tc, a_group_that_is_no_symmetry_is_refused_with_the_reason);
    tcase_add_test(tc, a_group_that_is_no_symmetry_is_refused_though_the_equations_close);
    tcase_add_test(tc, generators_must_make_a_group_along_the_fibres);
    tcase_add_test(tc, a_small_bracket_is_no_constant_combination_either);
    tcase_add_test(tc, more_generators_than_coordinates_can_make_a_group);
    tcase_add_loop_test(tc, what_does_not_close_on_the_base_is_refused, 0,
                        sizeof REFUSED / sizeof REFUSED[0]);
    tcase_add_test(tc, parameters_decide_about_the_symmetry);
    tcase_add_test(tc, the_end_of_a_base_is_named_with_what_goes_on);
    tcase_add_test(tc, the_reduction_is_printed);
    tcase_add_test(tc, the_c_function_names_the_logarithm_of_the_multiplier);
    tcase_add_test(tc, the_forces_of_the_new_time_are_printed);
    tcase_add_test(tc, the_structure_constants_of_the_group_are_printed);
}
