/* Sensitivities against closed forms and against extrapolated finite differences of whole jobs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const TestModel OSCILLATOR = {.coordinates = {"x"},
                                     .parameters = {{"m", 2, ""}, {"k", 3, ""}},
                                     .lagrangian = "(m*dot(x)^2 - k*x^2)/2"};
static const TestModel KEPLER = {.coordinates = {"x", "y"},
                                 .parameters = {{"mu", 1, ""}},
                                 .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + mu/hypot(x, y)"};
static const TestModel PENDULUM = {.coordinates = {"x", "y"},
                                   .parameters = {{"l", 1.3, ""}, {"g", 9.81, ""}, {"m", 2, ""}},
                                   .lagrangian = "m/2*(dot(x)^2 + dot(y)^2) - m*g*y",
                                   .constraints = {"x^2 + y^2 - l^2"}};
static const TestModel ROLLING = {
    .coordinates = {"x", "y", "z"},
    .parameters = {{"a", 0.7, ""}, {"m", 2, ""}, {"k", 0.3, ""}},
    .lagrangian = "m/2*(dot(x)^2 + (1 + k*x^2)*dot(y)^2 + dot(z)^2) + 0.2*dot(x)*dot(y) - k*x^2",
    .constraints = {"dot(z) - a*y*dot(x) - k*sin(t) - 0.3"},
    .forces = {{"y", "-0.1*a*dot(y)", "", NULL}}};
static const TestModel CONE = {.coordinates = {"x", "y", "z"},
                               .parameters = {{"a", 0.7, ""}, {"k", 0.3, ""}},
                               .lagrangian =
                                   "(dot(x)^2 + (1 + k*x^2)*dot(y)^2 + dot(z)^2)/2 - k*x^2",
                               .constraints = {"dot(z)^2 - a^2*(dot(x)^2 + dot(y)^2)"}};
static const TestModel MIXED = {
    .coordinates = {"x", "y", "z"},
    .parameters = {{"l", 1.2, ""}, {"m", 2, ""}, {"k", 0.3, ""}},
    .lagrangian = "m/2*(dot(x)^2 + (1 + k*x^2)*dot(y)^2 + dot(z)^2) - k*z",
    .constraints = {"x^2 + k*y^2 + z^2 - l^2", "dot(z) - k*x*dot(y) - 0.1"}};

static JobSpec job(double end)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.integrator.rtol = 1e-12;
    spec.integrator.atol = 1e-13;
    spec.time.end = end;
    spec.time.samples = 4;
    return spec;
}

static double sensitivity(const TestRun *run, long k, const char *column, const char *path)
{
    char name[128];
    snprintf(name, sizeof name, "d(%s)/d(%s)", column, path);
    return test_value(run, k, name);
}

/* x = x0 cos(w t) + v0/w sin(w t), w^2 = k/m. */
START_TEST(an_oscillator_has_the_derivatives_of_its_closed_form)
{
    const NamedValue q[] = {{"x", 0.8, ""}}, v[] = {{"x", -0.3, ""}};
    const NamedText paths[] = {{.text = "parameters.m"},
                               {.text = "parameters.k"},
                               {.text = "initial.q.x"},
                               {.text = "initial.v.x"}};
    const NamedText observe[] = {{.name = "E", .text = "energy()"},
                                 {.name = "pull", .text = "-m*ddot(x)"}};
    const double m = 2, k = 3, w = sqrt(k / m), T = 5, c = cos(w * T), s = sin(w * T);
    JobSpec spec = job(T);
    spec.initial.q = q, spec.initial.n_q = 1, spec.initial.v = v, spec.initial.n_v = 1;
    spec.sensitivities = paths, spec.n_sensitivities = 4;
    spec.observe = observe, spec.n_observe = 2;
    TestRun run = test_run(&OSCILLATOR, &spec);

    double dx_dw = -0.8 * T * s - 0.3 * (T * c / w - s / (w * w));
    double x = 0.8 * c - 0.3 / w * s;
    ck_assert_double_eq_tol(sensitivity(&run, -1, "x", "initial.q.x"), c, 1e-10);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "x", "initial.v.x"), s / w, 1e-10);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "dot(x)", "initial.q.x"), -w * s, 1e-10);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "x", "parameters.k"), dx_dw / (2 * m * w), 1e-10);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "x", "parameters.m"), -dx_dw * w / (2 * m),
                            1e-10);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "E", "parameters.k"), 0.32, 1e-10);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "E", "initial.v.x"), -0.6, 1e-10);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "pull", "parameters.k"),
                            x + k * dx_dw / (2 * m * w), 1e-10);
    test_run_done(&run);
}
END_TEST

/* v = -V tanh(g t/V), V^2 = g/k: where it begins, the norm of the velocity has no derivative. */
START_TEST(a_fall_through_air_may_begin_at_rest)
{
    static const char *const SPEEDS[] = {"hypot(dot(x), dot(y))", "sqrt(dot(x)^2 + dot(y)^2)"};
    const NamedText paths[] = {{.text = "parameters.k"}, {.text = "initial.v.x"}};
    const NamedValue v[] = {{"x", 0, ""}, {"y", 0, ""}};
    const double g = 9.81, k = 0.3, V = sqrt(g / k), T = 0.8, u = g * T / V;
    char along[2][64];
    TestModel model = {.coordinates = {"x", "y"},
                       .parameters = {{"g", g, ""}, {"k", k, ""}},
                       .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - g*y"};
    JobSpec spec = job(T);
    spec.initial.v = v, spec.initial.n_v = 2;
    spec.sensitivities = paths, spec.n_sensitivities = 2;
    for (int i = 0; i < 2; i++) {
        snprintf(along[i], sizeof along[i], "-k*%s*dot(%s)", SPEEDS[_i], model.coordinates[i]);
        model.forces[i] = (NamedText){model.coordinates[i], along[i], "", NULL};
    }
    TestRun run = test_run(&model, &spec);

    const double slope = V / (2 * k) * (tanh(u) - u / (cosh(u) * cosh(u)));
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(y)"), -V * tanh(u), 1e-10);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "dot(y)", "parameters.k"), slope, 1e-9);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "dot(x)", "parameters.k"), 0, 1e-12);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "dot(x)", "initial.v.x"), 1 / cosh(u), 1e-9);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "dot(y)", "initial.v.x"), 0, 1e-12);
    test_run_done(&run);
}
END_TEST

/* A parameter in small units: x'' = a unit cos(20 t) with a = 0, so that the motion itself tells no
 * size and asks for no steps. */
START_TEST(a_derivative_has_its_digits_in_every_unit)
{
    static const double UNITS[] = {1, 1e-6, 1e-20, 1e20};
    const NamedText paths[] = {{.text = "parameters.a"}};
    const double unit = UNITS[_i], T = 30;
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"a", 0, ""}, {"unit", unit, ""}},
                             .lagrangian = "dot(x)^2/2",
                             .forces = {{"x", "a*unit*cos(20*t)", "", NULL}}};
    JobSpec spec = job(T);
    spec.integrator.rtol = 1e-10, spec.integrator.atol = 1e-12;
    spec.sensitivities = paths, spec.n_sensitivities = 1;
    TestRun run = test_run(&model, &spec);

    const double x = sensitivity(&run, -1, "x", "parameters.a") / unit;
    /* 95 periods of a velocity of 0.05, whose errors add up in x */
    ck_assert_double_eq_tol(x, (1 - cos(20 * T)) / 400, 3e-10);
    test_run_done(&run);
}
END_TEST

/* Nor does a pendulum of 1e-20 kg swing otherwise with another mass: that derivative is rounding
 * over 1e-20, and decides about no step. */
START_TEST(a_derivative_that_is_rounding_shortens_no_steps)
{
    static const double UNITS[][2] = {{1, 1}, {1e-20, 1e-9}, {1e20, 1e9}};
    const NamedText paths[] = {{.text = "parameters.m"}, {.text = "parameters.g"}};
    const double m = UNITS[_i][0], l = UNITS[_i][1];
    const NamedValue q[] = {{"x", l, ""}};
    const TestModel model = {.coordinates = {"x", "y"},
                             .parameters = {{"m", m, ""}, {"g", l, ""}, {"l", l, ""}},
                             .lagrangian = "m/2*(dot(x)^2 + dot(y)^2) - m*g*y",
                             .constraints = {"x^2 + y^2 = l^2"}};
    JobSpec spec = job(3);
    spec.integrator.rtol = 1e-10, spec.integrator.atol = 1e-12;
    spec.initial.q = q, spec.initial.n_q = 1;
    spec.sensitivities = paths, spec.n_sensitivities = 2;
    TestRun run = test_run(&model, &spec);

    /* the motion is a function of t sqrt(g) alone */
    const double late = 3 * test_value(&run, -1, "dot(x)") / (2 * l);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "x", "parameters.g"), late, 1e-9);
    ck_assert_double_le(fabs(sensitivity(&run, -1, "x", "parameters.m")) * m / l, 1e-9);
    ck_assert_uint_le(run.result.steps.accepted, 1000);
    test_run_done(&run);
}
END_TEST

/* x and y go straight on at any speed, so dy/d(v.x) is zero. Rounding of the tangent constraint
 * must not move it there: its tolerance is zero. */
START_TEST(a_column_that_is_tangent_keeps_its_zeros)
{
    static const double UNITS[] = {1, 1e-9, 1e9};
    const double u = UNITS[_i];
    const NamedValue q[] = {{"x", 0.5 * u, ""}, {"y", 0.75 * u, ""}},
                     v[] = {{"x", 0.5 * u, ""}, {"y", -0.25 * u, ""}};
    const NamedText paths[] = {{.text = "initial.v.x"}};
    const TestModel model = {.coordinates = {"x", "y", "z"},
                             .parameters = {{"u", u, ""}},
                             .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                             .constraints = {"u*dot(z) + x*dot(y) - y*dot(x)"}};
    JobSpec spec = job(10);
    spec.integrator.max_steps = 1000;
    spec.initial.q = q, spec.initial.n_q = 2, spec.initial.v = v, spec.initial.n_v = 2;
    spec.sensitivities = paths, spec.n_sensitivities = 1;
    TestRun run = test_run(&model, &spec);

    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "x", "initial.v.x"), 10, 1e-10);
    ck_assert_double_eq(sensitivity(&run, -1, "y", "initial.v.x"), 0);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "z", "initial.v.x"), 7.5, 1e-10);
    test_run_done(&run);
}
END_TEST

/* After one turn of a Kepler ellipse a change of the semi-major axis has become a delay:
 * d(state)/dp = rates * (-dT/dp) + what it was, and T = 2 pi a^(3/2), a = 1/(2/r - v^2). */
START_TEST(a_kepler_ellipse_is_late_by_the_change_of_its_period)
{
    const NamedValue q[] = {{"x", 1, ""}}, v[] = {{"y", 1.1, ""}, {"x", 0, ""}};
    const NamedText paths[] = {{.text = "initial.v.y"}};
    const double a = 1 / (2 - 1.21), T = 2 * acos(-1) * pow(a, 1.5);
    const double dT = 1.5 * T / a * a * a * 2 * 1.1;
    JobSpec spec = job(T);
    spec.initial.q = q, spec.initial.n_q = 1, spec.initial.v = v, spec.initial.n_v = 2;
    spec.sensitivities = paths, spec.n_sensitivities = 1;
    TestRun run = test_run(&KEPLER, &spec);

    ck_assert_double_eq_tol(test_value(&run, -1, "x"), 1, 1e-10);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "x", "initial.v.y"), 0, 1e-8);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "y", "initial.v.y"), -1.1 * dT, 1e-8);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "dot(x)", "initial.v.y"), dT, 1e-8);
    ck_assert_double_eq_tol(sensitivity(&run, -1, "dot(y)", "initial.v.y"), 1, 1e-8);
    test_run_done(&run);
}
END_TEST

/* Finite differences. */

typedef struct Case {
    const TestModel *model;
    NamedValue q[3], v[3];
    size_t n_q, n_v;
    Consistency consistency;
    NamedText hold[1];
    size_t n_hold;
    double t0, end;
    const char *paths[6];
} Case;

/* Positions that are moved onto a rod; velocities found with least v.M.v under an affine, rheonomic
 * constraint, and moved under a nonlinear one; both kinds of constraints at once, also around a
 * coordinate that is held. */
static const Case CASES[] = {
    {.model = &PENDULUM,
     .q = {{"x", 0.5, ""}, {"y", -1.2, ""}},
     .n_q = 2,
     .v = {{"x", 0.7, ""}},
     .n_v = 1,
     .consistency = CONSISTENCY_PROJECT,
     .end = 3,
     .paths = {"parameters.l", "parameters.g", "parameters.m", "initial.q.x", "initial.v.x"}},
    {.model = &ROLLING,
     .q = {{"x", 0.2, ""}, {"y", 0.8, ""}},
     .n_q = 2,
     .v = {{"y", 0.4, ""}},
     .n_v = 1,
     .t0 = 0.4,
     .end = 3,
     .paths = {"parameters.a", "parameters.m", "parameters.k", "initial.q.y", "initial.v.y"}},
    {.model = &CONE,
     .q = {{"x", 0.2, ""}},
     .n_q = 1,
     .v = {{"x", 0.7, ""}, {"y", 0.9, ""}, {"z", 0.6, ""}},
     .n_v = 3,
     .consistency = CONSISTENCY_PROJECT,
     .end = 1,
     .paths = {"parameters.a", "parameters.k", "initial.q.x", "initial.v.x", "initial.v.z"}},
    {.model = &MIXED,
     .q = {{"x", 0.2, ""}, {"y", 0.8, ""}, {"z", -0.7, ""}},
     .n_q = 3,
     .v = {{"y", 0.4, ""}},
     .n_v = 1,
     .consistency = CONSISTENCY_PROJECT,
     .t0 = 0.4,
     .end = 2,
     .paths = {"parameters.l", "parameters.m", "parameters.k", "initial.q.z", "initial.v.y"}},
    {.model = &MIXED,
     .q = {{"x", 0.2, ""}, {"y", 0.8, ""}, {"z", -0.7, ""}},
     .n_q = 3,
     .v = {{"y", 0.4, ""}},
     .n_v = 1,
     .consistency = CONSISTENCY_PROJECT,
     .hold = {{.name = "z", .pointer = "/initial/hold/0"}},
     .n_hold = 1,
     .t0 = 0.4,
     .end = 2,
     .paths = {"parameters.l", "parameters.k", "initial.q.x", "initial.q.z", "initial.v.y"}},
};
enum { N_CASES = sizeof CASES / sizeof CASES[0] };

/* The case's last row of the columns that every run has, with one number moved. */
static void last_row(const Case *c, const char *path, double change, size_t columns, double *ret)
{
    static const NamedText OBSERVE[] = {{.name = "E", .text = "energy()"},
                                        {.name = "w", .text = "dot(x)*ddot(y) + x"}};
    NamedValue q[3], v[3], parameters[8];
    TestModel model = *c->model;
    JobSpec spec = job(c->end);
    const char *name = strrchr(path, '.') + 1;
    size_t n_parameters = 0;

    memcpy(q, c->q, sizeof q);
    memcpy(v, c->v, sizeof v);
    while (n_parameters < 8 && model.parameters[n_parameters].name)
        n_parameters++;
    memcpy(parameters, model.parameters, sizeof parameters);
    for (size_t i = 0; i < 3 && strstr(path, "initial.q"); i++)
        q[i].value += q[i].name && strcmp(q[i].name, name) == 0 ? change : 0;
    for (size_t i = 0; i < 3 && strstr(path, "initial.v"); i++)
        v[i].value += v[i].name && strcmp(v[i].name, name) == 0 ? change : 0;
    for (size_t i = 0; i < n_parameters && strstr(path, "parameters"); i++)
        parameters[i].value += strcmp(parameters[i].name, name) == 0 ? change : 0;
    spec.initial.t = c->t0;
    spec.initial.q = q, spec.initial.n_q = c->n_q, spec.initial.v = v, spec.initial.n_v = c->n_v;
    spec.initial.consistency = c->consistency;
    spec.initial.hold = c->hold, spec.initial.n_hold = c->n_hold;
    spec.parameters = parameters, spec.n_parameters = n_parameters;
    spec.observe = OBSERVE, spec.n_observe = 2;
    const NamedText wanted = {.text = path, .pointer = "/sensitivities/0"};
    spec.sensitivities = &wanted;
    spec.n_sensitivities = change == 0;
    TestRun run = test_run(&model, &spec);
    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert_uint_ge(run.columns, columns);
    memcpy(ret, run.rows + (run.n_rows - 1) * run.columns,
           (change == 0 ? 2 * columns - 1 : columns) * sizeof *ret);
    test_run_done(&run);
}

START_TEST(derivatives_are_those_of_finite_differences)
{
    const Case *c = &CASES[_i];
    size_t n = 0, r = 0;

    while (c->model->coordinates[n])
        n++;
    while (c->model->constraints[r])
        r++;
    const size_t columns = 1 + 2 * n + r + 2;
    double *rows = alloc_array(5 * columns * 2, sizeof *rows);
    for (size_t p = 0; p < 6 && c->paths[p]; p++) {
        const double h = 2e-3;
        last_row(c, c->paths[p], 0, columns, rows);
        for (size_t k = 0; k < 4; k++) /* h, -h, h/2, -h/2 */
            last_row(c, c->paths[p], (k % 2 ? -h : h) / (k < 2 ? 1 : 2), columns,
                     rows + (k + 1) * 2 * columns);
        for (size_t i = 1; i < columns; i++) {
            const double *at[4];
            for (size_t k = 0; k < 4; k++)
                at[k] = rows + (k + 1) * 2 * columns + i;
            double coarse = (*at[0] - *at[1]) / (2 * h), fine = (*at[2] - *at[3]) / h;
            double expected = (4 * fine - coarse) / 3, found = rows[columns + i - 1];
            ck_assert_msg(fabs(found - expected) <= 2e-7 * (1 + fabs(expected)),
                          "%s, column %zu: %.12g, not %.12g", c->paths[p], i, found, expected);
        }
    }
    free(rows);
}
END_TEST

/* The linearised constraints hold as the constraints do. */
START_TEST(derivatives_stay_tangent_to_the_constraints)
{
    const NamedValue q[] = {{"x", 0.5, ""}, {"y", -1.2, ""}}, v[] = {{"x", 0.7, ""}};
    const NamedText paths[] = {{.text = "parameters.l"}, {.text = "initial.q.x"}};
    const NamedText observe[] = {{.name = "f", .text = "x^2 + y^2 - l^2"},
                                 {.name = "phi", .text = "x*dot(x) + y*dot(y)"}};
    JobSpec spec = job(50);
    spec.initial.q = q, spec.initial.n_q = 2, spec.initial.v = v, spec.initial.n_v = 1;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.observe = observe, spec.n_observe = 2;
    spec.sensitivities = paths, spec.n_sensitivities = 2;
    TestRun run = test_run(&PENDULUM, &spec);

    for (long k = 0; k < 4; k++)
        for (size_t p = 0; p < 2; p++) {
            double size = 1 + fabs(sensitivity(&run, k, "dot(y)", paths[p].text));
            ck_assert_double_lt(fabs(sensitivity(&run, k, "f", paths[p].text)), 1e-12 * size);
            ck_assert_double_lt(fabs(sensitivity(&run, k, "phi", paths[p].text)), 1e-12 * size);
        }
    test_run_done(&run);
}
END_TEST

START_TEST(what_has_no_derivative_is_refused_with_the_reason)
{
    const NamedValue q[] = {{"x", 1, ""}}, v[] = {{"x", 0.2, ""}};
    const NamedText set = {.name = "dot(x)", .text = "-dot(x)", .pointer = "/events/0/set/dot(x)"};
    const EventSpec event = {
        .name = "wall", .when = {.text = "x", .pointer = ""}, .set = &set, .n_set = 1};
    const TestModel rubbing = {.coordinates = {"x"},
                               .lagrangian = "dot(x)^2/2 - x",
                               .forces = {{"x", "-sign(dot(x))", "", NULL}}};
    const TestModel twice = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                             .constraints = {"dot(x) - dot(y)", "2*dot(x) - 2*dot(y)"}};
    const NamedText paths[] = {{.text = "parameters.k", .pointer = "/sensitivities/0"},
                               {.text = "parameters.kk", .pointer = "/sensitivities/1"},
                               {.text = "initial.t", .pointer = "/sensitivities/2"},
                               {.text = "initial.v.x", .pointer = "/sensitivities/3"},
                               {.text = "initial.v.x", .pointer = "/sensitivities/4"}};
    JobSpec spec = job(1);
    spec.initial.q = q, spec.initial.n_q = 1, spec.initial.v = v, spec.initial.n_v = 1;
    spec.sensitivities = paths + 1, spec.n_sensitivities = 4;
    test_expect_refused(&OSCILLATOR, &spec, "/sensitivities/1", "unknown parameter \"kk\"");
    test_expect_refused(&OSCILLATOR, &spec, "/sensitivities/2", "no number that");
    test_expect_refused(&OSCILLATOR, &spec, "/sensitivities/4", "asked for twice");
    spec.initial.n_v = 0;
    test_expect_refused(&OSCILLATOR, &spec, "/sensitivities/3",
                        "found from the constraints, not given");
    spec.initial.n_v = 1;
    spec.sensitivities = paths, spec.n_sensitivities = 1;
    spec.formulation = "hamiltonian";
    test_expect_refused(&OSCILLATOR, &spec, "/sensitivities", "hamiltonian does not integrate");
    spec.formulation = "lagrange-dalembert";
    spec.integrator.method = "bdf";
    test_expect_refused(&OSCILLATOR, &spec, "/sensitivities", "second derivatives");
    spec.integrator.method = "auto";
    spec.events = &event, spec.n_events = 1;
    test_expect_refused(&OSCILLATOR, &spec, "/sensitivities", "wall changes the state");
    spec.n_events = 0;
    spec.sensitivities = paths + 3;
    test_expect_refused(&rubbing, &spec, "/sensitivities", "corners");
    const NamedValue both[] = {{"x", 0.2, ""}, {"y", 0.2, ""}};
    spec.initial.v = both, spec.initial.n_v = 2;
    test_expect_refused(&twice, &spec, "/sensitivities", "redundant");
}
END_TEST

SUITE(sensitivities)
{
    TCase *tc = suite_case(suite, "sensitivities");
    tcase_add_test(tc, an_oscillator_has_the_derivatives_of_its_closed_form);
    tcase_add_loop_test(tc, a_fall_through_air_may_begin_at_rest, 0, 2);
    tcase_add_loop_test(tc, a_derivative_has_its_digits_in_every_unit, 0, 4);
    tcase_add_loop_test(tc, a_derivative_that_is_rounding_shortens_no_steps, 0, 3);
    tcase_add_loop_test(tc, a_column_that_is_tangent_keeps_its_zeros, 0, 3);
    tcase_add_test(tc, a_kepler_ellipse_is_late_by_the_change_of_its_period);
    tcase_add_loop_test(tc, derivatives_are_those_of_finite_differences, 0, N_CASES);
    tcase_add_test(tc, derivatives_stay_tangent_to_the_constraints);
    tcase_add_test(tc, what_has_no_derivative_is_refused_with_the_reason);
}
