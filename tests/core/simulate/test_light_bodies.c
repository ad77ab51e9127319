/* Bodies that weigh little and are led by heavy ones: they cost what massless ones do. */
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* A rod with a bob of 1 kg at its end, in coordinates of both. */
static TestModel rod(double mass)
{
    return (TestModel){
        .coordinates = {"x", "y", "a", "X", "Y"},
        .parameters = {{"mr", mass, ""}, {"l", 1.5, ""}, {"g", 9.81, ""}},
        .lagrangian = "mr/2*(dot(x)^2 + dot(y)^2) + mr*l^2/24*dot(a)^2 - mr*g*y + "
                      "(dot(X)^2 + dot(Y)^2)/2 - g*Y",
        .constraints = {"x = l/2*sin(a)", "y = -l/2*cos(a)", "X = x + l/2*sin(a)",
                        "Y = y - l/2*cos(a)"},
    };
}

static TestRun swing(const TestModel *model, const char *formulation, const char *method)
{
    static const AnalysisSpec none[1];
    static const NamedValue q[] = {{"a", 0.9, "/"},
                                   {"x", 0.5874951822206126, "/"},
                                   {"y", -0.4662074762029983, "/"},
                                   {"X", 1.1749903644412252, "/"},
                                   {"Y", -0.9324149524059966, "/"}};
    JobSpec spec = test_job(10, 2);

    spec.initial.q = q;
    spec.initial.n_q = sizeof q / sizeof *q;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.formulation = formulation;
    spec.integrator.method = method;
    spec.integrator.rtol = strcmp(method, "bdf") == 0 ? 1e-8 : 1e-12;
    spec.integrator.atol = spec.integrator.rtol / 100;
    spec.analyses = none;
    TestRun run = test_run(model, &spec);
    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    return run;
}

static uint64_t steps_of(const TestRun *run)
{
    return run->result.steps.accepted + run->result.steps.rejected;
}

/* The energy is what it was: nothing else is known of how the rod swings. */
START_TEST(a_light_rod_costs_what_one_without_mass_does)
{
    static const char *const WAYS[][2] = {{"lagrange-dalembert", "dop853"},
                                          {"lagrange-dalembert", "bdf"},
                                          {"voronec", "dop853"},
                                          {"hamel", "dop853"}};
    static const double MASSES[] = {1e-3, 2e-4, 1e-5, 1e-6, 1e-9, 1e-12};
    const char *formulation = WAYS[_i][0], *method = WAYS[_i][1];
    TestModel model = rod(0);
    TestRun none = swing(&model, formulation, method);

    for (size_t k = 0; k < sizeof MASSES / sizeof *MASSES; k++) {
        model = rod(MASSES[k]);
        TestRun run = swing(&model, formulation, method);
        ck_assert_msg(steps_of(&run) <= 2 * steps_of(&none), "mass %g: %ju steps", MASSES[k],
                      (uintmax_t)steps_of(&run));
        ck_assert_double_le(run.result.energy.max_drift, 10 * none.result.energy.max_drift);
        test_run_done(&run);
    }
    test_run_done(&none);
}
END_TEST

/* Masses that differ do not matter where no constraint ties them. */
START_TEST(a_light_body_of_its_own_is_nothing_special)
{
    const TestModel model = {.coordinates = {"x", "y", "z", "w"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y + "
                                           "1e-9*((dot(z)^2 + dot(w)^2)/2 - w)",
                             .constraints = {"x^2 + y^2 = 1", "z^2 + w^2 = 1"}};
    static const NamedValue q[] = {{"x", 1, "/"}, {"z", -1, "/"}};
    JobSpec spec = test_job(1, 2);

    spec.initial.q = q;
    spec.initial.n_q = 2;
    TestRun run = test_run(&model, &spec);
    ck_assert_str_eq(run.result.provenance.elimination, "Schur complement");
    ck_assert_double_eq_tol(test_value(&run, -1, "y"), test_value(&run, -1, "w"), 1e-10);
    test_run_done(&run);
}
END_TEST

SUITE(light_bodies)
{
    TCase *tc = suite_case(suite, "light bodies");
    tcase_add_loop_test(tc, a_light_rod_costs_what_one_without_mass_does, 0, 4);
    tcase_add_test(tc, a_light_body_of_its_own_is_nothing_special);
}
