/* Whole vakonomic motions: their multipliers as data, what they conserve, what is refused. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const TestModel DISK = {
    .coordinates = {"x", "y", "theta", "phi"},
    .parameters = {{.name = "m", .value = 2}, {.name = "R", .value = 0.5}},
    .lagrangian = "m/2*(dot(x)^2 + dot(y)^2) + 3/8*dot(theta)^2 + dot(phi)^2/4",
    .constraints = {"dot(x) = R*cos(phi)*dot(theta)", "dot(y) = R*sin(phi)*dot(theta)"},
};
static const NamedValue DISK_Q[] = {{.name = "phi", .value = 0.25}};
static const NamedValue DISK_V[] = {{.name = "theta", .value = 1.5},
                                    {.name = "phi", .value = 0.75}};

static JobSpec job_of(const MultiplierSpec *mu, size_t n_mu)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.formulation = "vakonomic";
    spec.initial.q = DISK_Q;
    spec.initial.n_q = 1;
    spec.initial.v = DISK_V;
    spec.initial.n_v = 2;
    spec.initial.mu_given = true;
    spec.initial.mu = mu;
    spec.initial.n_mu = n_mu;
    spec.integrator.rtol = 1e-12;
    spec.integrator.atol = 1e-14;
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 8, .samples = 41};
    return spec;
}

/* Largest distance of a column from its first value. */
static double drift(const TestRun *run, const char *column)
{
    double worst = 0;
    for (size_t k = 0; k < run->n_rows; k++)
        worst = fmax(worst, fabs(test_value(run, (long)k, column) - test_value(run, 0, column)));
    return worst;
}

START_TEST(multipliers_are_given_in_order_by_name_on_a_section_or_as_momenta)
{
    const double px = 2 * 0.5 * cos(0.25) * 1.5, py = 2 * 0.5 * sin(0.25) * 1.5;
    const MultiplierSpec list[] = {{.value = px}, {.value = py}};
    const MultiplierSpec named[] = {{.name = "c2", .value = py}, {.name = "c1", .value = px}};
    const MultiplierSpec section[] = {{.text = "m*dot(x)"},
                                      {.name = "c2", .text = "m*R*sin(phi)*dot(theta)"}};
    JobSpec jobs[] = {job_of(list, 2), job_of(named, 2), job_of(section, 2), job_of(NULL, 0)};
    jobs[3].initial.mu_momentum = true;

    for (int k = 0; k < 4; k++) {
        TestRun run = test_run(&DISK, &jobs[k]);
        ck_assert(run.result.end.complete);
        ck_assert_double_eq_tol(test_value(&run, 0, "multiplier(c1)"), px, 1e-15);
        ck_assert_double_eq_tol(test_value(&run, 0, "multiplier(c2)"), py, 1e-15);
        /* on this section the motion is the nonholonomic one: a circle at constant rates */
        ck_assert_double_lt(drift(&run, "dot(theta)"), 1e-10);
        ck_assert_double_eq_tol(test_value(&run, -1, "x"), sin(0.25 + 0.75 * 8) - sin(0.25), 1e-9);
        test_run_done(&run);
    }
}
END_TEST

START_TEST(generic_multipliers_give_another_motion)
{
    static const MultiplierSpec MU[] = {{.value = 0.5}, {.value = -1.25}};
    JobSpec job = job_of(MU, 2);
    TestRun run = test_run(&DISK, &job);

    ck_assert_double_gt(drift(&run, "dot(theta)"), 0.5);
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-11);
    test_run_done(&run);
}
END_TEST

/* Affine, nonlinear and time-dependent constraints: x is ignorable in each. */
static const struct {
    TestModel model;
    const char *momentum; /* p - mu A of x */
    const char *energy;   /* v.Lhat_v - Lhat */
    double mu;
} CONSERVING[] = {
    {{.coordinates = {"x", "y", "z"},
      .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - z",
      .constraints = {"dot(z) = y*dot(x) + 0.3*cos(y)"}},
     "dot(x) + multiplier(c1)*y",
     "energy() - multiplier(c1)*0.3*cos(y)",
     0.75},
    {{.coordinates = {"x", "y", "z"},
      .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - y^2/2",
      .constraints = {"dot(z) = (dot(x)^2 + dot(y)^2)/4*(1 + y^2)"}},
     "dot(x) + multiplier(c1)*dot(x)/2*(1 + y^2)",
     "energy() + multiplier(c1)*(dot(x)^2 + dot(y)^2)/4*(1 + y^2)",
     0.5},
    {{.coordinates = {"x", "y", "z"},
      .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - z",
      .constraints = {"dot(z) = y*cos(t)*dot(x) + 0.3*t"}},
     "dot(x) + multiplier(c1)*y*cos(t)",
     NULL,
     0.75},
};
static const NamedValue CONSERVING_V[] = {{.name = "x", .value = 0.5}, {.name = "y", .value = 1}};

START_TEST(momenta_and_energy_of_the_extended_lagrangian_are_conserved)
{
    const MultiplierSpec mu[] = {{.name = "c1", .value = CONSERVING[_i].mu}};
    const NamedText observe[] = {
        {.name = "momentum", .text = CONSERVING[_i].momentum, .pointer = "/observe/momentum"},
        {.name = "Ehat", .text = CONSERVING[_i].energy, .pointer = "/observe/Ehat"}};
    JobSpec job = job_of(mu, 1);
    job.initial.n_q = 0;
    job.initial.v = CONSERVING_V;
    job.observe = observe;
    job.n_observe = CONSERVING[_i].energy ? 2 : 1;
    job.time.end = 4;
    TestRun run = test_run(&CONSERVING[_i].model, &job);

    ck_assert(run.result.end.complete);
    ck_assert_double_lt(drift(&run, "momentum"), 1e-10);
    ck_assert_double_gt(drift(&run, "multiplier(c1)"), 1e-2);
    if (CONSERVING[_i].energy)
        ck_assert_double_lt(drift(&run, "Ehat"), 1e-10);
    ck_assert_uint_ge(run.result.found.n_verdicts, 1);
    const Verdict *verdict = &run.result.found.verdicts[0];
    ck_assert_str_eq(verdict->name, "energy");
    ck_assert_int_eq(verdict->predicted, CONSERVING[_i].energy ? PREDICTED_YES : PREDICTED_NO);
    ck_assert(verdict->conserved == (CONSERVING[_i].energy != NULL));
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-11);
    ck_assert_double_lt(run.result.constraints[0].max, 1e-14);
    test_run_done(&run);
}
END_TEST

START_TEST(a_holonomic_constraint_reacts_with_the_rate_of_its_multiplier)
{
    static const TestModel PENDULUM = {
        .coordinates = {"x", "y"},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
        .constraints = {"x^2 + y^2 = (1 + 0.1*sin(t))^2"},
        .forces = {{.name = "x", .text = "-0.1*dot(x)", .pointer = "/model/forces/x"}},
    };
    static const NamedValue Q[] = {{.name = "x", .value = 1}};
    static const MultiplierSpec MU[] = {{.name = "c1", .value = 3}};
    static const NamedText OBSERVE[] = {
        {.name = "R", .text = "reaction(x)", .pointer = "/observe/R"}};
    JobSpec jobs[] = {job_of(MU, 1), job_of(NULL, 0)};
    TestRun runs[2];

    jobs[1].formulation = "lagrange-dalembert";
    jobs[1].initial.mu_given = false;
    for (int k = 0; k < 2; k++) {
        jobs[k].initial.q = Q;
        jobs[k].initial.n_v = 0;
        jobs[k].observe = OBSERVE;
        jobs[k].n_observe = 1;
        runs[k] = test_run(&PENDULUM, &jobs[k]);
        ck_assert(runs[k].result.end.complete);
        ck_assert_double_lt(runs[k].result.energy.balance_scaled, 1e-11);
        ck_assert_double_lt(runs[k].result.constraints[0].max, 1e-14);
    }
    for (long k = 0; k < 41; k++) {
        ck_assert_double_eq_tol(test_value(&runs[0], k, "x"), test_value(&runs[1], k, "x"), 1e-9);
        ck_assert_double_eq_tol(test_value(&runs[0], k, "R"), test_value(&runs[1], k, "R"), 1e-9);
    }
    test_run_done(&runs[0]);
    test_run_done(&runs[1]);
}
END_TEST

START_TEST(wrong_multipliers_are_refused_with_what_is_wrong)
{
    static const MultiplierSpec ONE[] = {{.value = 1, .pointer = "/initial/mu/0"}};
    static const MultiplierSpec THREE[] = {{.value = 1, .pointer = "/initial/mu/0"},
                                           {.value = 1, .pointer = "/initial/mu/1"},
                                           {.value = 1, .pointer = "/initial/mu/2"}};
    static const MultiplierSpec TWICE[] = {{.value = 1, .pointer = "/initial/mu/0"},
                                           {.name = "c1", .value = 1, .pointer = "/initial/mu/c1"}};
    static const MultiplierSpec TEXT[] = {{.text = "dot(thta)", .pointer = "/initial/mu/0"},
                                          {.text = "1/y", .pointer = "/initial/mu/1"}};
    static const MultiplierSpec LATER[] = {{.text = "1/x", .pointer = "/initial/mu/0"},
                                           {.text = "ddot(x)", .pointer = "/initial/mu/1"}};
    static const MultiplierSpec UNKNOWN[] = {
        {.name = "c3", .value = 1, .pointer = "/initial/mu/c3"}};
    const struct {
        const MultiplierSpec *mu;
        size_t n;
        const char *pointer, *word;
    } cases[] = {{NULL, 0, "/initial/mu", "c1, c2 are missing"},
                 {ONE, 1, "/initial/mu", "c2 are missing"},
                 {THREE, 3, "/initial/mu/2", "one multiplier more"},
                 {TWICE, 2, "/initial/mu/c1", "given twice"},
                 {TEXT, 2, "/initial/mu/0", "unknown name"},
                 {TEXT + 1, 1, "/initial/mu", "c2 are missing"},
                 {LATER, 2, "/initial/mu/0", "not a finite number"},
                 {UNKNOWN, 1, "/initial/mu/c3", "unknown constraint"}};

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        JobSpec job = job_of(cases[k].mu, cases[k].n);
        job.initial.mu_given = cases[k].n > 0;
        test_expect_refused(&DISK, &job, cases[k].pointer, cases[k].word);
    }
}
END_TEST

START_TEST(redundant_constraints_are_refused)
{
    static const TestModel REDUNDANT = {
        .coordinates = {"x", "y", "z"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
        .constraints = {"dot(x) = y*dot(z)", "2*dot(x) = 2*y*dot(z)"},
    };
    static const MultiplierSpec MU[] = {{.value = 1}, {.value = 1}};
    JobSpec job = job_of(MU, 2);
    job.initial.n_q = job.initial.n_v = 0;

    test_expect_refused(&REDUNDANT, &job, "/formulation", "no meaning of its own");
}
END_TEST

START_TEST(multipliers_at_which_the_equations_are_singular_are_refused)
{
    /* constant speed: Mhat = (1 - 2 mu) M */
    static const TestModel SPEED = {
        .coordinates = {"x", "y"},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
        .constraints = {"dot(x)^2 + dot(y)^2 = 1"},
    };
    static const NamedValue V[] = {{.name = "x", .value = 0.6}, {.name = "y", .value = 0.8}};
    static const MultiplierSpec SINGULAR[] = {{.name = "c1", .value = 0.5}};
    static const MultiplierSpec REGULAR[] = {{.name = "c1", .value = -0.25}};
    JobSpec job = job_of(SINGULAR, 1);
    job.initial.n_q = 0;
    job.initial.v = V;
    test_expect_refused(&SPEED, &job, "/initial/mu", "singular");

    job.initial.mu = REGULAR;
    job.time.end = 1;
    TestRun run = test_run(&SPEED, &job);
    ck_assert(run.result.end.complete);
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-11);
    test_run_done(&run);
}
END_TEST

/* Nothing pulls along the rod between the others: its multiplier is zero but for rounding, which
 * near the flat configuration is large beside itself and nothing beside the others. */
START_TEST(a_multiplier_that_is_rounding_alone_ends_no_motion)
{
    static const double CASES[][3] = {{1.3, 2, 1}, {1.1, 2.2, 2}};
    static const MultiplierSpec NONE[3];
    const double l = CASES[_i][0], a = CASES[_i][1], rate = CASES[_i][2];
    const TestModel bars = {
        .coordinates = {"x", "y", "z", "w"},
        .parameters = {{"l", l, ""}},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + 0.35*(dot(z)^2 + dot(w)^2)"
                      " - y - 0.7*w",
        .constraints = {"x^2 + y^2 = 1", "(z - l)^2 + w^2 = 1", "(x - z)^2 + (y - w)^2 = l^2"}};
    const NamedValue q[] = {
        {"x", cos(a), ""}, {"y", sin(a), ""}, {"z", l + cos(a), ""}, {"w", sin(a), ""}};
    const NamedValue v[] = {{"x", -rate * sin(a), ""}, {"y", rate * cos(a), ""}};
    double x_end[2];

    for (int k = 0; k < 2; k++) {
        JobSpec job = job_of(NONE, k == 0 ? 0 : 3);
        job.formulation = k == 0 ? "lagrange-dalembert" : "vakonomic";
        job.initial.mu_given = k == 1;
        job.initial.consistency = CONSISTENCY_PROJECT;
        job.initial.q = q, job.initial.n_q = 4;
        job.initial.v = v, job.initial.n_v = 2;
        job.integrator.rtol = job.integrator.atol = 1e-10;
        job.time.end = 3;
        TestRun run = test_run(&bars, &job);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        ck_assert_uint_ge(run.result.n_singular, 1);
        x_end[k] = test_value(&run, -1, "x");
        if (k == 1)
            ck_assert_double_lt(fabs(test_value(&run, -1, "multiplier(c3)")), 1e-8);
        test_run_done(&run);
    }
    ck_assert_double_eq_tol(x_end[0], x_end[1], 1e-8);
}
END_TEST

SUITE(vakonomic)
{
    TCase *tc = suite_case(suite, "vakonomic");
    tcase_add_test(tc, multipliers_are_given_in_order_by_name_on_a_section_or_as_momenta);
    tcase_add_test(tc, generic_multipliers_give_another_motion);
    tcase_add_loop_test(tc, momenta_and_energy_of_the_extended_lagrangian_are_conserved, 0,
                        sizeof CONSERVING / sizeof CONSERVING[0]);
    tcase_add_test(tc, a_holonomic_constraint_reacts_with_the_rate_of_its_multiplier);
    tcase_add_loop_test(tc, a_multiplier_that_is_rounding_alone_ends_no_motion, 0, 2);
    tcase_add_test(tc, wrong_multipliers_are_refused_with_what_is_wrong);
    tcase_add_test(tc, redundant_constraints_are_refused);
    tcase_add_test(tc, multipliers_at_which_the_equations_are_singular_are_refused);
}
