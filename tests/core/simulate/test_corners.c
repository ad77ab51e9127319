/* Corners of the model along a motion: the branch is the one the motion is on, in either direction
 * of time and from any start; past a corner where no motion goes on, none is invented. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* A particle with x'' = -sign(x), or the like. */
typedef struct Fall {
    const char *lagrangian, *force;
    double x, v, end;
    double x_end, v_end;
} Fall;

static TestRun fall(const Fall *f, const char *formulation)
{
    TestModel model = {.coordinates = {"x"}, .lagrangian = f->lagrangian};
    const NamedValue q = {"x", f->x, ""}, v = {"x", f->v, ""};
    JobSpec spec;

    if (f->force)
        model.forces[0] = (NamedText){"x", f->force, "/forces/x", NULL};
    job_spec_init(&spec);
    spec.formulation = formulation;
    spec.time.end = f->end;
    spec.time.samples = 3;
    spec.initial.q = &q;
    spec.initial.n_q = 1;
    spec.initial.v = &v;
    spec.initial.n_v = 1;
    return test_run(&model, &spec);
}

static void check_fall(const Fall *f)
{
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamel", "hamiltonian"};

    for (size_t k = 0; k < 3; k++) {
        TestRun run = fall(f, FORMULATIONS[k]);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        ck_assert_uint_eq(run.result.n_warnings, 0);
        ck_assert_double_eq_tol(test_value(&run, -1, "x"), f->x_end, 1e-8);
        ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), f->v_end, 1e-8);
        test_run_done(&run);
    }
}

/* Down to x = 0 with the speed V = sqrt(1.4) at t = V - 1; what comes then takes the rest of 1. */
START_TEST(a_corner_is_crossed_the_same_way_backwards)
{
    static const double V = 1.1832159566199232, X = -0.6328638264796926, REST = 0.8167840433800768;
    const Fall FALLS[] = {
        {"dot(x)^2/2", "-sign(x)", 0.2, -1, 1, X, REST - V},
        {"dot(x)^2/2", "-sign(x)", 0.2, 1, -1, X, V - REST},
        {"dot(x)^2/2 - abs(x)", NULL, 0.2, 1, -1, X, V - REST},
        {"dot(x)^2/2 - max(x, 0)", NULL, 0.2, 1, -1, -V * REST, V},
    };
    check_fall(&FALLS[_i]);
}
END_TEST

/* Hertz's contact, and one of the root: a step that goes over the corner took the power of
 * what is negative there, and the run ended with "the rates are not finite". Contacts last dm/V 2
 * sqrt(pi) G(1 + 1/p)/G(1/2 + 1/p). */
START_TEST(powers_of_what_a_corner_bounds_are_crossed)
{
    static const Fall FALLS[] = {
        {"dot(x)^2/2", "max(0, -x)^1.5", 0.2, -1, 5, 1.581934540280955, 1},
        {"dot(x)^2/2 - 0.4*max(-x, 0)^(5/2)", NULL, 0.2, -1, 5, 1.581934540280955, 1},
        {"dot(x)^2/2", "4*sqrt(max(0, -x)/16)", 0.2, -1, 5, 1.9525174835011292, 1},
        {"dot(x)^2/2", "((abs(x) - x)/2)^1.5", 0.2, -1, 5, 1.581934540280955, 1},
        {"dot(x)^2/2 - if(x < 0, 0.4*(-x)^2.5, 0)", NULL, 0.2, -1, 5, 1.581934540280955, 1},
        {"dot(x)^2/2 - 0.4*if(x >= 1/3, 0, pow(1/3 - x, 2.5))", NULL, 0.2 + 1.0 / 3, -1, 5,
         1.581934540280955 + 1.0 / 3, 1},
        {"dot(x)^2/2 - 0.4*if(0 < -x, -x, 0)^2.5", NULL, 0.2, -1, 5, 1.581934540280955, 1},
        {"dot(x)^2/2 - 0.4*(abs(x/2 - 1/6) - x/2 + 1/6)^(5/2)", NULL, 0.2 + 1.0 / 3, -1, 5,
         1.581934540280955 + 1.0 / 3, 1},
    };
    check_fall(&FALLS[_i]);
}
END_TEST

/* The branch that is not taken has none of its own; the last is a resistance with the power 1.5. */
START_TEST(powers_of_a_guard_are_crossed)
{
    static const Fall FALLS[] = {
        {"dot(x)^2/2", "if(x < 0, (-x)^1.5, 0)", 0.2, -1, 5, 1.581934540280955, 1},
        {"dot(x)^2/2", "if(x < 0, exp(1.5*log(-x)), 0)", 0.2, -1, 5, 1.581934540280955, 1},
        {"dot(x)^2/2 - 0.4*if(x < 0, exp(2.5*log(-x)), 0)", NULL, 0.2, -1, 5, 1.581934540280955, 1},
        {"dot(x)^2/2 - if(x < 0, log(1 - x) + x - x^2/2*log(2 - x), 0)", NULL, 0.2, 1, 1, 1.2, 1},
        {"dot(x)^2/2", "(1 - sign(x))/2*pow(abs(x), 1.5)", 0.2, -1, 5, 1.581934540280955, 1},
        {"dot(x)^2/2", "((abs(x) - x)/2)^1.5", 0.2, -1, 5, 1.581934540280955, 1},
        {"dot(x)^2/2 - 0.1*sqrt(2)*(abs(x) - x)^1.5*(abs(x) - x)/2", NULL, 0.2, -1, 5,
         1.581934540280955, 1},
        {"dot(x)^2/2", "-1 - sign(dot(x))*abs(dot(x))^1.5", 0.2, 1, 1.5, 0.28141219929547085,
         -0.59540274167801649}};
    TestRun run = fall(&FALLS[_i], "lagrange-dalembert");

    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), FALLS[_i].x_end, 1e-8);
    test_run_done(&run);
}
END_TEST

/* Corners elsewhere make no root of what is negative. */
START_TEST(a_root_that_ends_at_a_corner_ends_the_motion)
{
    static const Fall FALLS[] = {{"dot(x)^2/2", "sqrt(x) - abs(x)", 0.2, -1, 5, 0, 0},
                                 {"dot(x)^2/2", "sqrt(-2*max(0, -x))", 0.2, -1, 5, 0, 0},
                                 {"dot(x)^2/2", "sqrt(max(0, 2 - x) - 2)", -0.2, 1, 5, 0, 0}};
    TestRun run = fall(&FALLS[_i], "lagrange-dalembert");

    ck_assert(!run.result.end.complete);
    ck_assert_double_lt(run.result.end.t, 0.35);
    test_run_done(&run);
}
END_TEST

START_TEST(a_guard_of_time_is_crossed_backwards)
{
    const Fall f = {"dot(x)^2/2", "if(t > -0.5, 1, 0)", 0, 0, -1, 0.375, -0.5};
    check_fall(&f);
}
END_TEST

/* Each of several corners is met to rounding of t, the later ones, too: what the force jumps by is
 * times that instant. */
START_TEST(corners_are_met_to_rounding)
{
    static const char *const FORCES[] = {
        "1e6*(if(t < 0.7, 0, 1) + if(t < 1.9, 0, 1) - if(t < 3.3, 0, 2))",
        "1e6*(if(x < 0.7, 0, 1) + if(x < 1.9, 0, 1) - if(x < 3.3, 0, 2))",
        "1e6*(max(sign(x - 0.7), 0) + max(sign(t - 1.9), 0) - 2*max(sign(x - 3.3), 0))"};
    const double v_end = 1e6 * ((1.9 - 0.7) + 2 * (3.3 - 1.9));

    for (size_t k = 0; k < sizeof FORCES / sizeof *FORCES; k++) {
        const TestModel model = {.coordinates = {"x", "y"},
                                 .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                                 .forces = {{"y", FORCES[k], "", NULL}}};
        const NamedValue v = {"x", 1, ""};
        JobSpec spec;
        job_spec_init(&spec);
        spec.time = (TimeSpec){.end = 5, .samples = 2};
        spec.initial.v = &v;
        spec.initial.n_v = 1;
        TestRun run = test_run(&model, &spec);
        ck_assert_double_le(fabs(test_value(&run, -1, "dot(y)") - v_end), 1e6 * 4e-15);
        test_run_done(&run);
    }
}
END_TEST

/* 0.30000000000000004 - 0.3 is one rounding error above zero, and so is 0.2^2 - 0.04. */
START_TEST(a_start_beside_a_corner_crosses_it)
{
    static const Fall FALLS[] = {
        {"dot(x)^2/2", "-sign(x - 0.3)", 0.30000000000000004, -1, 0.5, -0.075, -0.5},
        {"dot(x)^2/2", "100*max(0, 0.3 - x)", 0.30000000000000004, -1, 0.1, 0.21585290151921033,
         -0.5403023058681398},
        {"dot(x)^2/2", "-sign(x - 0.3)", 0.29999999999999993, 1, 0.5, 0.675, 0.5},
        {"dot(x)^2/2", "-sign(x^2 - 0.04)", 0.2, -0.1, 0.1, 0.195, 0},
    };
    check_fall(&FALLS[_i]);
}
END_TEST

/* Ends with this message at this time; all samples are from before. */
static void check_end(const TestModel *model, const NamedValue *q, const NamedValue *v, double end,
                      const char *formulation, const char *message, double t)
{
    JobSpec spec;

    job_spec_init(&spec);
    spec.formulation = formulation;
    spec.time.end = end;
    spec.time.samples = 101;
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.initial.v = v;
    spec.initial.n_v = 2;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    TestRun run = test_run(model, &spec);
    ck_assert_msg(run.result.end.status == ERR_NUMERIC, "%s: complete", formulation);
    ck_assert_msg(strstr(run.result.end.message, message), "%s: %s", formulation,
                  run.result.end.message);
    ck_assert_double_eq_tol(run.result.end.t, t, 1e-9);
    ck_assert_uint_ge(run.n_rows, (size_t)(100 * t / end));
    for (size_t k = 0; k < run.result.n_constraints; k++)
        ck_assert_double_lt(run.result.constraints[k].max, 1e-9);
    for (size_t k = 0; k < run.result.n_warnings; k++) /* of the motion up to the shock */
        ck_assert_msg(!strstr(run.result.warnings[k], "stays below"), "%s",
                      run.result.warnings[k]);
    test_run_done(&run);
}

static const char *const DESCRIPTIONS[] = {"lagrange-dalembert", "hamel", "voronec", "hamiltonian"};

START_TEST(a_shock_ends_the_motion)
{
    static const struct {
        const char *constraint, *message;
        NamedValue q[2], v[2];
        double t;
    } SHOCKS[] = {
        {"y = abs(t - 1) + 0.1*x", "demands another velocity", {{"y", 1, ""}}, {{"y", -1, ""}}, 1},
        {"dot(y) = if(t < 1, 0, 1)*dot(x)",
         "demands another velocity",
         {{"x", 0, ""}},
         {{"x", 1, ""}},
         1},
        {"y = abs(x)",
         "demands another velocity",
         {{"x", 1, ""}, {"y", 1, ""}},
         {{"x", -2, ""}, {"y", -2, ""}},
         0.47213595499957944},
        {"y = if(t < 1, 0, 1)", "the constraint c1 jumps", {{"x", 0, ""}}, {{"x", 0.5, ""}}, 1},
        {"y = max(0, t - 1)", "demands another velocity", {{"x", 0, ""}}, {{"x", 0.5, ""}}, 1},
    };
    TestModel model = {.coordinates = {"x", "y"},
                       .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
                       .constraints = {SHOCKS[_i].constraint}};
    NamedValue q[2] = {{"x", 0, ""}, {"y", 0, ""}}, v[2] = {{"x", 0, ""}, {"y", 0, ""}};
    for (size_t k = 0; k < 2; k++) {
        if (SHOCKS[_i].q[k].name)
            q[strcmp(SHOCKS[_i].q[k].name, "y") == 0] = SHOCKS[_i].q[k];
        if (SHOCKS[_i].v[k].name)
            v[strcmp(SHOCKS[_i].v[k].name, "y") == 0] = SHOCKS[_i].v[k];
    }
    for (size_t k = 0; k < 4; k++)
        check_end(&model, q, v, 2, DESCRIPTIONS[k], SHOCKS[_i].message, SHOCKS[_i].t);
}
END_TEST

START_TEST(a_constraint_with_a_continuous_velocity_is_no_shock)
{
    static const TestModel MODEL = {.coordinates = {"x", "y"},
                                    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
                                    .constraints = {"y = x*abs(x)"}};
    static const NamedValue q[] = {{"x", 1, ""}, {"y", 1, ""}};
    static const NamedValue v[] = {{"x", -2, ""}, {"y", -4, ""}};
    double x = NAN;

    for (size_t k = 0; k < 4; k++) {
        JobSpec spec;
        job_spec_init(&spec);
        spec.formulation = DESCRIPTIONS[k];
        spec.time.end = 1.5;
        spec.integrator.rtol = 1e-12;
        spec.initial.q = q;
        spec.initial.n_q = 2;
        spec.initial.v = v;
        spec.initial.n_v = 2;
        TestRun run = test_run(&MODEL, &spec);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        ck_assert_uint_eq(run.result.steps.switches, 1);
        if (k == 0)
            x = test_value(&run, -1, "x");
        ck_assert_double_eq_tol(test_value(&run, -1, "x"), x, 1e-9);
        test_run_done(&run);
    }
}
END_TEST

/* The momentum stays: at t = 1 the mass doubles, and the velocity halves. */
START_TEST(a_momentum_does_not_jump)
{
    static const TestModel HEAVIER = {.coordinates = {"x", "y"},
                                      .lagrangian = "if(t < 1, 1, 2)*dot(x)^2/2 + dot(y)^2/2"};
    static const TestModel DETENT = {.coordinates = {"x", "y"},
                                     .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + 0.3*abs(dot(x)) - x"};
    static const NamedValue q[] = {{"x", 0, ""}, {"y", 0, ""}};
    static const NamedValue v[] = {{"x", 0.5, ""}, {"y", 0, ""}};
    JobSpec spec;

    for (size_t k = 0; k < 3; k++) {
        check_end(&HEAVIER, q, v, 2, DESCRIPTIONS[k], "the momentum of x jumps", 1);
        check_end(&DETENT, q, v, 2, DESCRIPTIONS[k], "the momentum of x jumps", 0.5);
    }
    job_spec_init(&spec);
    spec.formulation = "hamiltonian";
    spec.time.end = 2;
    spec.initial.v = v;
    spec.initial.n_v = 2;
    TestRun run = test_run(&HEAVIER, &spec);
    ck_assert(run.result.end.complete);
    ck_assert_double_eq_tol(test_value(&run, -1, "x"), 0.75, 1e-12);
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), 0.25, 1e-12);
    test_run_done(&run);
}
END_TEST

/* L and L_v are continuous where dot(x) = 1, from where on the mass is 3: x'' = -x, then 3 x'' =
 * -x. */
START_TEST(a_corner_in_the_velocity_is_gone_through_where_momenta_do_not_jump)
{
    static const TestModel HEAVIER = {.coordinates = {"x"},
                                      .lagrangian =
                                          "dot(x)^2/2 + if(dot(x) > 1, (dot(x) - 1)^2, 0) - x^2/2"};
    static const NamedValue q[] = {{"x", -3, ""}};
    static const AnalysisSpec energy = {.name = "energy", .pointer = "/analyses/0"};
    const double t1 = asin(1.0 / 3), w = 1 / sqrt(3);
    JobSpec spec;

    for (size_t k = 0; k < 3; k++) { /* hamiltonian refuses corners in the velocities */
        job_spec_init(&spec);
        spec.formulation = DESCRIPTIONS[k];
        spec.time.end = 1.5;
        spec.initial.q = q, spec.initial.n_q = 1;
        spec.analyses = &energy, spec.n_analyses = 1;
        TestRun run = test_run(&HEAVIER, &spec);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        ck_assert_double_eq_tol(test_value(&run, -1, "x"),
                                -sqrt(8) * cos(w * (1.5 - t1)) + sin(w * (1.5 - t1)) / w, 1e-9);
        ck_assert_int_eq(run.result.found.verdicts[0].predicted, PREDICTED_YES);
        ck_assert(run.result.found.verdicts[0].conserved);
        test_run_done(&run);
    }
}
END_TEST

SUITE(corners)
{
    TCase *tc = suite_case(suite, "corners");
    tcase_add_loop_test(tc, a_corner_is_crossed_the_same_way_backwards, 0, 4);
    tcase_add_loop_test(tc, powers_of_what_a_corner_bounds_are_crossed, 0, 8);
    tcase_add_loop_test(tc, powers_of_a_guard_are_crossed, 0, 8);
    tcase_add_loop_test(tc, a_root_that_ends_at_a_corner_ends_the_motion, 0, 3);
    tcase_add_test(tc, a_guard_of_time_is_crossed_backwards);
    tcase_add_test(tc, corners_are_met_to_rounding);
    tcase_add_loop_test(tc, a_start_beside_a_corner_crosses_it, 0, 4);
    tcase_add_loop_test(tc, a_shock_ends_the_motion, 0, 5);
    tcase_add_test(tc, a_constraint_with_a_continuous_velocity_is_no_shock);
    tcase_add_test(tc, a_momentum_does_not_jump);
    tcase_add_test(tc, a_corner_in_the_velocity_is_gone_through_where_momenta_do_not_jump);
}
