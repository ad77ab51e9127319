/* Structures without degrees of freedom, and linkages whose driver pauses: they rest. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

#define ENERGIES "(dot(x)^2 + dot(y)^2 + dot(u)^2 + dot(v)^2)/2 - g*(y + v)"
#define BARS \
    "x^2 + y^2 = 1.3", "(x - 1)^2 + y^2 = 1", "(u - x)^2 + (v - y)^2 = 0.9", "u^2 + v^2 = 2.1"

/* Two bars more than are needed, of the lengths that they have. */
static const TestModel TRUSS = {
    .coordinates = {"x", "y", "u", "v"},
    .parameters = {{"g", 9.81, ""}},
    .lagrangian = ENERGIES,
    .constraints = {BARS},
};
static const TestModel REDUNDANT = {
    .coordinates = {"x", "y", "u", "v"},
    .parameters = {{"g", 9.81, ""}},
    .lagrangian = ENERGIES,
    .constraints = {BARS, "2*x^2 + 2*y^2 = 2.6", "(x - 1)^2 + y^2 + u^2 + v^2 = 3.1"},
};
/* A pendulum that is measured in other units goes on beside it. */
static const TestModel BESIDE = {
    .coordinates = {"x", "y", "u", "v", "th"},
    .parameters = {{"g", 9.81, ""}},
    .lagrangian = ENERGIES " + 1e9*(dot(th)^2/2 + cos(th))",
    .constraints = {BARS},
};
/* The bar becomes longer and shorter for a while, and rests for as long. */
static const TestModel DRIVEN = {
    .coordinates = {"x", "y", "u", "v"},
    .parameters = {{"g", 9.81, ""}},
    .lagrangian = ENERGIES,
    .constraints = {"x^2 + y^2 = 1.3 + 0.1*max(0, sin(t))^3", "(x - 1)^2 + y^2 = 1",
                    "(u - x)^2 + (v - y)^2 = 0.9", "u^2 + v^2 = 2.1"},
};
static const TestModel *const MODELS[] = {&TRUSS, &REDUNDANT, &BESIDE, &DRIVEN};
static const char *const FORMULATIONS[] = {"lagrange-dalembert", "voronec", "hamel", "hamiltonian"};
static const char *const METHODS[] = {"dop853", "rk4", "bdf"};
enum { N_MODELS = 4, N_FORMULATIONS = 4, N_METHODS = 3 };

static TestRun run_from(const TestModel *model, const char *formulation, const char *method,
                        double end, double kick)
{
    static const AnalysisSpec none[1];
    const NamedValue q[] = {{"x", 0.6, "/"}, {"y", -0.9, "/"}, {"u", 1.1, "/"}, {"v", -0.8, "/"}};
    const NamedValue v[] = {{"x", kick, "/"}, {"y", 0, "/"}, {"u", -3 * kick, "/"}, {"v", 0, "/"}};
    JobSpec spec = test_job(end, 5);

    spec.initial.q = q;
    spec.initial.n_q = 4;
    spec.initial.v = v;
    spec.initial.n_v = 4;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.formulation = formulation;
    spec.integrator.method = method;
    spec.integrator.step = strcmp(method, "rk4") == 0 ? 0.01 : 0;
    spec.integrator.rtol = strcmp(method, "bdf") == 0 ? 1e-6 : 1e-10;
    spec.analyses = none;
    return test_run(model, &spec);
}

static double worst_residual(const TestRun *run)
{
    double worst = 0;

    for (size_t k = 0; k < run->result.n_constraints; k++)
        worst = fmax(worst, run->result.constraints[k].max);
    return worst;
}

START_TEST(structures_rest)
{
    const TestModel *model = MODELS[_i % N_MODELS];
    const char *formulation = FORMULATIONS[_i / N_MODELS % N_FORMULATIONS];
    const char *method = METHODS[_i / N_MODELS / N_FORMULATIONS];
    TestRun run = run_from(model, formulation, method, 5, 0);
    const double x = 0.65, y = -sqrt(1.3 - x * x);

    ck_assert_msg(run.result.end.complete, "%s, %s: %s", formulation, method,
                  run.result.end.message);
    ck_assert_double_le(worst_residual(&run), 1e-14);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), x, 1e-10);
    ck_assert_double_eq_tol(test_value(&run, -1, "y"), y, 1e-10);
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(u)"), 0, 1e-10);
    test_run_done(&run);
}
END_TEST

/* Of a velocity that is given and not possible nothing is left, of whatever size it is. */
START_TEST(structures_take_no_velocity)
{
    static const double KICKS[] = {1e-17, 1e-3, 1e3};
    TestRun run = run_from(&TRUSS, FORMULATIONS[_i % N_FORMULATIONS], "dop853", 1,
                           KICKS[_i / N_FORMULATIONS]);

    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert_double_le(worst_residual(&run), 1e-14);
    ck_assert_double_eq_tol(test_value(&run, 0, "dot(u)"), 0, 1e-100);
    test_run_done(&run);
}
END_TEST

SUITE(structures)
{
    TCase *tc = suite_case(suite, "rest");
    tcase_add_loop_test(tc, structures_rest, 0, N_MODELS * N_FORMULATIONS * N_METHODS);
    tcase_add_loop_test(tc, structures_take_no_velocity, 0, 3 * N_FORMULATIONS);
}
