/* Whole motions in momenta: Lagrangians that are not quadratic, constraints, corners, impacts. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* Relativistic particle in a spring: p = m v / sqrt(1 - v^2). */
static const TestModel RELATIVISTIC = {
    .coordinates = {"x", "y"},
    .parameters = {{.name = "m", .value = 1.25}},
    .lagrangian = "-m*sqrt(1 - dot(x)^2 - dot(y)^2) - x^2/2 - y^2",
};
static const NamedValue RELATIVISTIC_Q[] = {{.name = "x", .value = 0.5}};
static const NamedValue RELATIVISTIC_V[] = {{.name = "x", .value = 0.3},
                                            {.name = "y", .value = 0.8}};

/* A kinetic energy with quartic terms, rolling, dragged, falling. */
static const TestModel QUARTIC = {
    .coordinates = {"x", "y", "z"},
    .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 + (dot(x)^2 + 2*dot(y)^2 + dot(z)^2)^2/8 "
                  "+ 0.1*sin(t)*dot(x)*dot(z) - z - x^2/2",
    .constraints = {"dot(z) = x*dot(y) + 0.1*cos(t)"},
    .forces = {{.name = "x", .text = "-0.2*dot(x)", .pointer = "/model/forces/x"}},
};
static const NamedValue QUARTIC_V[] = {{.name = "x", .value = 0.4}, {.name = "y", .value = -1}};

static JobSpec relativistic_job(const char *formulation)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.formulation = formulation;
    spec.initial.q = RELATIVISTIC_Q;
    spec.initial.n_q = 1;
    spec.initial.v = RELATIVISTIC_V;
    spec.initial.n_v = 2;
    spec.integrator.rtol = 1e-12;
    spec.integrator.atol = 1e-14;
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 20, .samples = 41};
    return spec;
}

static JobSpec quartic_job(const char *formulation)
{
    JobSpec spec = relativistic_job(formulation);
    spec.initial.v = QUARTIC_V;
    spec.time.end = 6;
    return spec;
}

START_TEST(a_relativistic_particle_moves_as_in_velocities)
{
    static const char *const COLUMNS[] = {"x", "y", "dot(x)", "dot(y)"};
    JobSpec job = relativistic_job("hamiltonian"), other = relativistic_job("lagrange-dalembert");
    TestRun run = test_run(&RELATIVISTIC, &job), lagrangian = test_run(&RELATIVISTIC, &other);

    ck_assert(run.result.end.complete);
    ck_assert_double_lt(test_difference(&run, &lagrangian, COLUMNS, 4), 1e-10);
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-11);
    test_run_done(&lagrangian);
    test_run_done(&run);
}
END_TEST

START_TEST(its_momenta_are_columns_and_its_hamiltonian_is_constant)
{
    JobSpec job = relativistic_job("hamiltonian");
    TestRun run = test_run(&RELATIVISTIC, &job);
    const double m = 1.25;
    double start = 0;

    for (size_t k = 0; k < run.n_rows; k++) {
        const long row = (long)k;
        double x = test_value(&run, row, "x"), y = test_value(&run, row, "y");
        double px = test_value(&run, row, "p(x)"), py = test_value(&run, row, "p(y)");
        double gamma_m = sqrt(m * m + px * px + py * py);
        double H = gamma_m + x * x / 2 + y * y;
        ck_assert_double_eq_tol(test_value(&run, row, "dot(x)"), px / gamma_m, 1e-14);
        ck_assert_double_eq_tol(test_value(&run, row, "dot(y)"), py / gamma_m, 1e-14);
        start = k == 0 ? H : start;
        ck_assert_double_eq_tol(H, start, 1e-11);
    }
    test_run_done(&run);
}
END_TEST

START_TEST(quartic_rolling_motion_has_the_multipliers_of_dalembert)
{
    static const char *const COLUMNS[] = {
        "x", "y", "z", "dot(x)", "dot(y)", "dot(z)", "multiplier(c1)"};
    JobSpec job = quartic_job("hamiltonian"), other = quartic_job("lagrange-dalembert");
    TestRun run = test_run(&QUARTIC, &job), lagrangian = test_run(&QUARTIC, &other);

    ck_assert(run.result.end.complete);
    ck_assert_double_lt(test_difference(&run, &lagrangian, COLUMNS, 7), 1e-10);
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-10);
    for (size_t c = 0; c < run.result.n_constraints; c++)
        ck_assert_double_lt(run.result.constraints[c].max, 1e-13);
    test_run_done(&lagrangian);
    test_run_done(&run);
}
END_TEST

START_TEST(the_motion_does_not_depend_on_where_it_is_sampled)
{
    static const char *const COLUMNS[] = {"x", "y", "z", "p(x)", "p(y)", "p(z)"};
    JobSpec few = quartic_job("hamiltonian"), many = quartic_job("hamiltonian");
    few.time.samples = 2;
    many.time.samples = 237;
    TestRun a = test_run(&QUARTIC, &few), b = test_run(&QUARTIC, &many);

    for (size_t c = 0; c < 6; c++)
        ck_assert_double_eq(test_value(&a, -1, COLUMNS[c]), test_value(&b, -1, COLUMNS[c]));
    test_run_done(&a);
    test_run_done(&b);
}
END_TEST

START_TEST(friction_and_impacts_act_on_momenta)
{
    static const TestModel MODEL = {
        .coordinates = {"x", "y"},
        .lagrangian = "dot(x)^2 - dot(x)*dot(y)/2 + dot(y)^2/2 - y",
        .forces = {{.name = "x", .text = "-0.3*sign(dot(x))", .pointer = "/model/forces/x"}},
    };
    static const NamedValue Q[] = {{.name = "y", .value = 1}};
    static const NamedValue V[] = {{.name = "x", .value = 0.5}};
    static const NamedText SET[] = {
        {.name = "dot(y)", .text = "-0.8*dot(y)", .pointer = "/events/0/set"}};
    static const EventSpec EVENTS[] = {{.name = "bounce",
                                        .when = {.text = "y", .pointer = "/events/0/when"},
                                        .direction = -1,
                                        .set = SET,
                                        .n_set = 1,
                                        .pointer = "/events/0"}};
    static const char *const COLUMNS[] = {"x", "y", "dot(x)", "dot(y)"};
    JobSpec job = relativistic_job("hamiltonian"), other = relativistic_job("lagrange-dalembert");
    JobSpec *const jobs[] = {&job, &other};

    for (int k = 0; k < 2; k++) {
        jobs[k]->initial.q = Q;
        jobs[k]->initial.v = V;
        jobs[k]->initial.n_v = 1;
        jobs[k]->events = EVENTS;
        jobs[k]->n_events = 1;
        jobs[k]->time.end = 4;
    }
    TestRun run = test_run(&MODEL, &job), lagrangian = test_run(&MODEL, &other);
    ck_assert(run.result.end.complete);
    ck_assert_uint_ge(run.result.steps.events, 1);
    ck_assert_uint_ge(run.result.steps.switches, 1);
    ck_assert_uint_eq(run.result.steps.events, lagrangian.result.steps.events);
    ck_assert_double_lt(test_difference(&run, &lagrangian, COLUMNS, 4), 1e-9);
    test_run_done(&lagrangian);
    test_run_done(&run);
}
END_TEST

START_TEST(a_mass_matrix_that_becomes_singular_ends_the_run)
{
    static const TestModel MODEL = {
        .coordinates = {"x", "y"},
        .lagrangian = "dot(x)^2/2 + dot(y)^2/2 + t*dot(x)*dot(y) - x",
    };
    JobSpec job = relativistic_job("hamiltonian");
    job.initial.q = NULL;
    job.initial.n_q = 0;
    job.time.end = 2;
    TestRun run = test_run(&MODEL, &job);

    ck_assert(!run.result.end.complete);
    ck_assert_str_eq(run.result.end.reason, "numeric");
    ck_assert_double_eq_tol(run.result.end.t, 1, 1e-3);
    test_run_done(&run);
}
END_TEST

START_TEST(momenta_that_do_not_determine_velocities_are_refused)
{
    /* regular with its constraint, but z has no inertia */
    static const TestModel MASSLESS = {
        .coordinates = {"x", "y", "z"},
        .lagrangian = "dot(x)^2/2 + dot(y)^2/2",
        .constraints = {"dot(z) = x*dot(y)"},
    };
    static const TestModel CORNER = {
        .coordinates = {"x", "y"},
        .lagrangian = "dot(x)^2/2 + dot(y)^2/2 + x*abs(dot(y))",
    };
    static const struct {
        const TestModel *model;
        const char *word;
    } CASES[] = {{&MASSLESS, "velocities of z"}, {&CORNER, "corner"}};

    for (size_t k = 0; k < 2; k++) {
        JobSpec job = relativistic_job("hamiltonian");
        job.initial.v = RELATIVISTIC_V;
        job.initial.n_v = 2;
        test_expect_refused(CASES[k].model, &job, "/formulation", CASES[k].word);
    }
}
END_TEST

START_TEST(initial_multipliers_are_refused)
{
    static const MultiplierSpec MU[] = {{.value = 1, .pointer = "/initial/mu/0"}};
    JobSpec job = quartic_job("hamiltonian");
    job.initial.mu_given = true;
    job.initial.mu = MU;
    job.initial.n_mu = 1;

    test_expect_refused(&QUARTIC, &job, "/initial/mu", "");
}
END_TEST

/* At rest all sizes are small, and so is the first step, beside what t = 1e7 can tell. */
START_TEST(a_motion_may_start_from_rest_late)
{
    static const char *const FORMULATIONS[] = {"hamiltonian", "lagrange-dalembert"};
    static const double STARTS[] = {1e6, -1e7, 1e8};
    const TestModel model = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 - x^2/2 + x"};
    const double end = _i % 2 ? -5 : 5;
    JobSpec job;

    job_spec_init(&job);
    job.formulation = FORMULATIONS[_i / 6];
    job.initial.t = STARTS[_i / 2 % 3];
    job.time = (TimeSpec){.kind = TIME_SAMPLES, .end = job.initial.t + end, .samples = 2};
    TestRun run = test_run(&model, &job);
    ck_assert_int_eq(run.result.end.status, OK);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), 1 - cos(end), 1e-9);
    test_run_done(&run);
}
END_TEST

/* Where t has so few digits left that it tells no steps, a motion is refused, not made up. */
START_TEST(a_motion_does_not_start_where_t_tells_nothing)
{
    static const double STARTS[] = {-1e15, 3e15};
    const TestModel model = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 + x*cos(t)"};
    JobSpec job;

    job_spec_init(&job);
    job.initial.t = STARTS[_i];
    job.time = (TimeSpec){.kind = TIME_SAMPLES, .end = job.initial.t + 3, .samples = 2};
    TestRun run = test_run(&model, &job);
    ck_assert_int_eq(run.result.end.status, ERR_NUMERIC);
    ck_assert_ptr_nonnull(strstr(run.result.end.message, "too far for the motion"));
    test_run_done(&run);
}
END_TEST

SUITE(hamiltonian)
{
    TCase *tc = suite_case(suite, "hamiltonian");
    tcase_add_test(tc, a_relativistic_particle_moves_as_in_velocities);
    tcase_add_test(tc, its_momenta_are_columns_and_its_hamiltonian_is_constant);
    tcase_add_test(tc, quartic_rolling_motion_has_the_multipliers_of_dalembert);
    tcase_add_test(tc, the_motion_does_not_depend_on_where_it_is_sampled);
    tcase_add_test(tc, friction_and_impacts_act_on_momenta);
    tcase_add_test(tc, a_mass_matrix_that_becomes_singular_ends_the_run);
    tcase_add_test(tc, momenta_that_do_not_determine_velocities_are_refused);
    tcase_add_test(tc, initial_multipliers_are_refused);
    tcase_add_loop_test(tc, a_motion_may_start_from_rest_late, 0, 12);
    tcase_add_loop_test(tc, a_motion_does_not_start_where_t_tells_nothing, 0, 2);
}
