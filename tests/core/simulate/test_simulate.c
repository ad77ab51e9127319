/* Unit tests of core/: whole simulations against closed forms, and what is said of them. */
#include <math.h>
#include <string.h>

#include "core/prepare/simulation.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const TestModel PARTICLE = {
    .coordinates = {"x", "y", "z"},
    .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
    .constraints = {"dot(z) + x*dot(y)"},
};

/* Bloch's nonholonomic particle: x is uniform, sqrt(1 + x^2) dot(y) constant. */
START_TEST(nonholonomic_particle_follows_its_closed_form)
{
    JobSpec spec = test_job(10, 11);
    const NamedValue q[] = {{"x", 0.5, "/initial/q/x"}};
    const NamedValue v[] = {{"x", 0.75, "/initial/v/x"}, {"y", 1, "/initial/v/y"}};
    spec.initial.q = q;
    spec.initial.n_q = 1;
    spec.initial.v = v;
    spec.initial.n_v = 2;
    TestRun run = test_run(&PARTICLE, &spec);

    ck_assert_uint_eq(run.n_rows, 11);
    ck_assert(run.result.end.complete && run.result.end.status == OK);
    ck_assert_double_eq(test_value(&run, 0, "dot(z)"), -0.5); /* found, not given */
    for (long k = 0; k < 11; k++) {
        double t = test_value(&run, k, "t"), x = 0.5 + 0.75 * t;
        double c = sqrt(1.25);
        ck_assert_double_eq(t, (double)k);
        ck_assert_double_eq_tol(test_value(&run, k, "x"), x, 1e-12);
        ck_assert_double_eq_tol(test_value(&run, k, "dot(y)"), c / sqrt(1 + x * x), 1e-12);
        ck_assert_double_eq_tol(test_value(&run, k, "y"), c / 0.75 * (asinh(x) - asinh(0.5)),
                                1e-11);
    }
    ck_assert_double_lt(run.result.constraints[0].max, 1e-15);
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-12);
    ck_assert_uint_eq(run.result.projection.count, run.result.steps.accepted);
    ck_assert_int_eq(run.result.found.verdicts[0].predicted, PREDICTED_YES);
    ck_assert(run.result.found.verdicts[0].conserved);
    test_run_done(&run);
}
END_TEST

START_TEST(without_constraints_nothing_is_projected)
{
    const TestModel spring = {.coordinates = {"x"}, .lagrangian = "(dot(x)^2 - x^2)/2"};
    const NamedValue q[] = {{"x", 1, ""}};
    JobSpec spec = test_job(10, 2);
    spec.initial.q = q;
    spec.initial.n_q = 1;
    TestRun run = test_run(&spring, &spec);

    ck_assert_uint_gt(run.result.steps.accepted, 10);
    ck_assert_uint_eq(run.result.projection.count, 0);
    test_run_done(&run);
}
END_TEST

/* A planar pendulum in Cartesian coordinates: the multiplier is the tension, R = lambda f_q. */
START_TEST(pendulum_keeps_its_rod_and_its_tension)
{
    const TestModel pendulum = {.coordinates = {"x", "y"},
                                .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9.81*y",
                                .constraints = {"(x^2 + y^2 - 1)/2"}};
    const NamedValue q[] = {{"x", 1, ""}, {"y", 0, ""}};
    const NamedText observe[] = {{"tension", "-multiplier(c1)", "/observe/tension", NULL},
                                 {"Rx", "reaction(x)", "/observe/Rx", NULL},
                                 {"ay", "ddot(y)", "/observe/ay", NULL},
                                 {"E", "energy()", "/observe/E", NULL}};
    JobSpec spec = test_job(20, 201);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.observe = observe;
    spec.n_observe = 4;
    TestRun run = test_run(&pendulum, &spec);

    for (long k = 0; k < 201; k++) {
        double x = test_value(&run, k, "x"), y = test_value(&run, k, "y");
        double tension = test_value(&run, k, "tension");
        ck_assert_double_eq_tol(x * x + y * y, 1, 4e-15);
        ck_assert_double_eq_tol(tension, -3 * 9.81 * y, 1e-9); /* m v^2/l - m g y, v^2 = -2 g y */
        ck_assert_double_eq_tol(test_value(&run, k, "Rx"), -tension * x, 1e-12);
        ck_assert_double_eq_tol(test_value(&run, k, "ay"), -9.81 - tension * y, 1e-11);
        ck_assert_double_eq_tol(test_value(&run, k, "E"), 0, 1e-9);
    }
    ck_assert_uint_eq(run.result.n_constraints, 2);
    ck_assert_double_lt(run.result.constraints[0].max, 1e-15);
    ck_assert_double_lt(run.result.constraints[1].max, 1e-15);
    test_run_done(&run);
}
END_TEST

/* Twice the same rod: rank 1, and the least-norm multipliers share the tension equally. */
START_TEST(redundant_constraints_share_the_reaction)
{
    const TestModel pendulum = {.coordinates = {"x", "y"},
                                .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9.81*y",
                                .constraints = {"(x^2 + y^2 - 1)/2", "(1 - x^2 - y^2)/2"}};
    const NamedValue q[] = {{"x", 1, ""}, {"y", 0, ""}};
    JobSpec spec = test_job(3, 31);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    TestRun run = test_run(&pendulum, &spec);

    ck_assert_uint_eq(run.result.rank.rank, 1);
    ck_assert_uint_eq(run.result.rank.redundant, 1);
    for (long k = 0; k < 31; k++) {
        double tension = -3 * 9.81 * test_value(&run, k, "y");
        ck_assert_double_eq_tol(test_value(&run, k, "multiplier(c1)"), -tension / 2, 1e-9);
        ck_assert_double_eq_tol(test_value(&run, k, "multiplier(c2)"), tension / 2, 1e-9);
    }
    test_run_done(&run);
}
END_TEST

/* Two circles that are one at the start, up to the derivatives that are looked at. */
START_TEST(a_redundant_constraint_that_parts_from_the_others_contradicts_them)
{
    const TestModel circles = {.coordinates = {"x", "y"},
                               .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                               .constraints = {"x^2 + y^2 = 1", "2*x^2 + 2*y^2 = 2 + t^12"}};
    const NamedValue q[] = {{"x", 1, ""}}, v[] = {{"y", 1, ""}};
    JobSpec spec = test_job(3, 31);
    spec.initial.q = q;
    spec.initial.n_q = 1;
    spec.initial.v = v;
    spec.initial.n_v = 1;
    TestRun run = test_run(&circles, &spec);

    ck_assert(!run.result.end.complete);
    ck_assert_msg(strstr(run.result.end.message, "the constraint c2 contradicts the others"), "%s",
                  run.result.end.message);
    test_run_done(&run);
}
END_TEST

START_TEST(a_blow_up_fails_with_its_time_and_keeps_what_was_reached)
{
    const TestModel blow = {.coordinates = {"x"},
                            .lagrangian = "dot(x)^2/2",
                            .forces = {{"x", "2*x^3", "", NULL}}}; /* x = 1/(1 - t) */
    const NamedValue q[] = {{"x", 1, ""}}, v[] = {{"x", 1, ""}};
    JobSpec spec = test_job(2, 21);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 1;
    TestRun run = test_run(&blow, &spec);

    ck_assert(!run.result.end.complete);
    ck_assert_str_eq(run.result.end.reason, "numeric");
    ck_assert_double_eq_tol(run.result.end.t, 1, 1e-3);
    ck_assert_uint_eq(run.n_rows, 10);
    test_run_done(&run);
}
END_TEST

/* atan2 jumps by 2*pi: no state near the end of the step is on the constraint. */
START_TEST(a_constraint_that_jumps_ends_the_motion)
{
    const TestModel jump = {.coordinates = {"x", "y", "a"},
                            .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(a)^2)/2",
                            .constraints = {"a - atan2(y, x)"}};
    const NamedValue q[] = {{"x", -1, ""}, {"y", 0.3, ""}, {"a", 2.8501358591119264, ""}};
    const NamedValue v[] = {{"x", 0, ""}, {"y", -1, ""}, {"a", 0.9174311926605504, ""}};
    JobSpec spec = test_job(1, 21);
    spec.initial.q = q;
    spec.initial.n_q = 3;
    spec.initial.v = v;
    spec.initial.n_v = 3;

    TestRun run = test_run(&jump, &spec);

    ck_assert(!run.result.end.complete);
    ck_assert_str_eq(run.result.end.reason, "numeric");
    ck_assert_double_eq_tol(run.result.end.t, 0.30824, 1e-4);
    test_run_done(&run);
}
END_TEST

START_TEST(the_energy_of_a_driven_pendulum_is_balanced_by_its_work)
{
    const TestModel driven = {.coordinates = {"a"},
                              .lagrangian = "dot(a)^2/2 + (1 + 0.3*sin(2*t))*cos(a)",
                              .forces = {{"a", "-0.1*dot(a) + 0.5*cos(t)", "", NULL}}};
    const NamedValue v[] = {{"a", 1, ""}};
    JobSpec spec = test_job(30, 301);
    spec.initial.v = v;
    spec.initial.n_v = 1;
    TestRun run = test_run(&driven, &spec);

    ck_assert_double_gt(run.result.energy.max_drift, 0.1);
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-11);
    ck_assert_int_eq(run.result.found.verdicts[0].predicted, PREDICTED_NO);
    ck_assert(!run.result.found.verdicts[0].conserved);
    test_run_done(&run);
}
END_TEST

/* Every method of the table on the same motion. */
START_TEST(all_methods_agree)
{
    static const char *const METHODS[] = {"dop853", "rk4", "bdf"};
    static const double TOLERANCE[] = {1e-11, 1e-9, 1e-5};
    const NamedValue q[] = {{"x", 0.5, ""}};
    const NamedValue v[] = {{"x", 0.75, ""}, {"y", 1, ""}};
    JobSpec spec = test_job(5, 6);
    spec.initial.q = q;
    spec.initial.n_q = 1;
    spec.initial.v = v;
    spec.initial.n_v = 2;
    spec.integrator.method = METHODS[_i];
    spec.integrator.step = _i == 1 ? 0.005 : 0;
    spec.integrator.rtol = _i == 2 ? 1e-9 : 1e-12;
    TestRun run = test_run(&PARTICLE, &spec);

    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    double x = 0.5 + 0.75 * 5;
    ck_assert_double_eq_tol(test_value(&run, -1, "y"), sqrt(1.25) / 0.75 * (asinh(x) - asinh(0.5)),
                            TOLERANCE[_i]);
    ck_assert_double_lt(run.result.constraints[0].max, 1e-13);
    test_run_done(&run);
}
END_TEST

START_TEST(wrong_jobs_are_refused_at_their_place)
{
    JobSpec spec = test_job(5, 6);
    spec.integrator.rtol = 1e-20;
    test_expect_refused(&PARTICLE, &spec, "/integrator/rtol", "1e-15");

    spec = test_job(0, 6);
    test_expect_refused(&PARTICLE, &spec, "/time/end", "equals");

    spec = test_job(1.5e308, 6);
    spec.initial.t = -1e308;
    test_expect_refused(&PARTICLE, &spec, "/time/end", "no finite time");

    spec = test_job(5, 1);
    test_expect_refused(&PARTICLE, &spec, "/time/samples", "at least 2");

    spec = test_job(5, 6);
    spec.integrator.method = "dop583";
    test_expect_refused(&PARTICLE, &spec, "/integrator/method", "dop583");

    spec = test_job(5, 6);
    spec.integrator.method = "rk4";
    test_expect_refused(&PARTICLE, &spec, "/integrator/step", "step");

    const NamedValue parameters[] = {{"mass", 1, "/parameters/mass"}};
    spec = test_job(5, 6);
    spec.parameters = parameters;
    spec.n_parameters = 1;
    test_expect_refused(&PARTICLE, &spec, "/parameters/mass", "unknown parameter");

    const NamedText observe[] = {{"x", "y", "/observe/x", NULL}};
    spec = test_job(5, 6);
    spec.observe = observe;
    spec.n_observe = 1;
    test_expect_refused(&PARTICLE, &spec, "/observe/x", "column");

    const double at[] = {1, 2, 2};
    spec = test_job(5, 6);
    spec.time = (TimeSpec){.kind = TIME_AT, .at = at, .n_at = 3};
    test_expect_refused(&PARTICLE, &spec, "/time/at", "does not follow");

    const AnalysisSpec analyses[] = {{"enrgy", NULL, "/analyses/0"}};
    spec = test_job(5, 6);
    spec.analyses = analyses;
    spec.n_analyses = 1;
    test_expect_refused(&PARTICLE, &spec, "/analyses/0", "unknown analysis");

    const NamedValue q[] = {{"x", 2, "/initial/q/x"}};
    const NamedValue v[] = {{"x", 1, ""}, {"y", 1, ""}, {"z", 1, ""}};
    spec = test_job(5, 6);
    spec.initial.q = q;
    spec.initial.n_q = 1;
    spec.initial.v = v;
    spec.initial.n_v = 3;
    test_expect_refused(&PARTICLE, &spec, "/initial", "c1");
}
END_TEST

START_TEST(an_unknown_option_of_an_analysis_is_answered_with_the_known_ones)
{
    Arena *arena = arena_new(1 << 16);
    Value *options = value_new_record(arena);
    value_add_count(arena, options, "degre", 2);
    options->first->pointer = "/analyses/0/degre";
    const AnalysisSpec analyses[] = {{"discovery", options, "/analyses/0"}};
    JobSpec spec = test_job(5, 6);
    spec.analyses = analyses;
    spec.n_analyses = 1;
    TestRun run = test_refused(&PARTICLE, &spec);

    ck_assert_str_eq(run.diag->items[0].message, "discovery has no option \"degre\"");
    ck_assert_str_eq(run.diag->items[0].hint, "its options are: degree, ansatz");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

START_TEST(a_tight_limit_caps_the_default_number_of_steps)
{
    const SimulationLimits limits = {.max_steps = 5};
    JobSpec spec = test_job(5, 6);
    TestRun run = test_run(&PARTICLE, &spec);
    Simulation *simulation = NULL;

    ck_assert_int_eq(simulation_new(run.compiled, &spec, &limits, run.diag, &simulation, NULL), OK);
    simulation_free(simulation);
    spec.integrator.max_steps = 6;
    ck_assert_int_eq(simulation_new(run.compiled, &spec, &limits, run.diag, &simulation, NULL),
                     ERR_INVALID);
    test_run_done(&run);
}
END_TEST

START_TEST(structure_tells_freedom_and_kinds)
{
    const TestModel model = {
        .coordinates = {"x", "y", "z"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - z",
        .constraints = {"dot(x) + dot(y) - t", "2*dot(x) + 2*dot(y) - 2*t", "dot(z)^2 - dot(x)^2"}};
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile(&model, arena, diag);
    Structure structure;
    ck_assert_int_eq(compiled_structure(compiled, arena, &structure, NULL), OK);
    ck_assert_uint_eq(structure.rank, 2);
    ck_assert_uint_eq(structure.degrees_of_freedom, 1);
    ck_assert_ptr_null(structure.objection);
    ck_assert(structure.time_dependent && structure.mass_positive);
    ck_assert_int_eq(structure.constraints[0].kind, CONSTRAINT_AFFINE);
    ck_assert_int_eq(structure.constraints[2].kind, CONSTRAINT_NONLINEAR);
    ck_assert(structure.constraints[1].redundant || structure.constraints[0].redundant);
    ck_assert_uint_eq(structure.n_cyclic, 2);
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

START_TEST(structure_is_not_guessed_where_no_state_is_found)
{
    /* a linkage that is regular, but hard to put together from random points; one that cannot
     * move */
    const TestModel models[] = {
        {.coordinates = {"x", "y", "u", "w"},
         .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(u)^2 + dot(w)^2)/2",
         .constraints = {"(x - 40)^2 + y^2 - 1e-4", "(u + 40)^2 + w^2 - 1e-4",
                         "(x - u)^2 + (y - w)^2 - 6400"}},
        {.coordinates = {"x", "y"}, .lagrangian = "dot(x)^2/2"},
    };
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        Arena *arena = arena_new(1 << 24);
        Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
        Compiled *compiled = test_compile(&models[i], arena, diag);
        Structure structure;
        ck_assert_int_eq(compiled_structure(compiled, arena, &structure, NULL), OK);
        ck_assert_ptr_nonnull(structure.objection);
        compiled_unref(compiled);
        arena_free(arena);
    }
}
END_TEST

START_TEST(equations_print_in_every_format)
{
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile(&PARTICLE, arena, diag);
    PrintedEquations text, latex, code;
    ck_assert_int_eq(compiled_print(compiled, PRINT_TEXT, arena, diag, &text, NULL), OK);
    ck_assert_int_eq(compiled_print(compiled, PRINT_LATEX, arena, diag, &latex, NULL), OK);
    ck_assert_int_eq(compiled_print(compiled, PRINT_C, arena, diag, &code, NULL), OK);
    ck_assert_ptr_nonnull(strstr(text.whole, "ddot(z) = multiplier(c1)"));
    ck_assert_ptr_nonnull(strstr(latex.whole, "\\ddot{y}"));
    ck_assert_ptr_nonnull(strstr(code.whole, "void equations("));
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

static Status count_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    (void)table, (void)rows, (void)err;
    *(size_t *)self += n_rows;
    return OK;
}

/* Through an impact, with analyses: nothing of the trial is left. */
START_TEST(an_estimate_leaves_the_simulation_as_it_was)
{
    const TestModel ball = {.coordinates = {"y"}, .lagrangian = "dot(y)^2/2 - 10*y"};
    const NamedValue q[] = {{"y", 1, ""}};
    const NamedText set[] = {{"dot(y)", "-0.5*dot(y)", "", NULL}};
    const EventSpec bounce = {.name = "bounce",
                              .when = {.text = "y", .pointer = ""},
                              .direction = -1,
                              .set = set,
                              .n_set = 1,
                              .pointer = ""};
    Arena *arena = arena_new(1 << 26);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile(&ball, arena, diag);
    JobSpec spec = test_job(1, 11);
    SimulationResult results[2];
    Simulation *simulations[2];
    size_t rows[2] = {0, 0};

    spec.initial.q = q, spec.initial.n_q = 1;
    spec.events = &bounce, spec.n_events = 1;
    for (int k = 0; k < 2; k++) {
        const SimulationSink sink = {.self = &rows[k], .rows = count_rows};
        SimulationEstimate estimate;
        ck_assert_int_eq(simulation_new(compiled, &spec, NULL, diag, &simulations[k], NULL), OK);
        if (k == 1) {
            ck_assert_int_eq(simulation_estimate(simulations[k], arena, &estimate, NULL), OK);
            ck_assert_double_gt(estimate.evaluations, 0);
            ck_assert_uint_eq(estimate.n_analyses, 1);
        }
        ck_assert_int_eq(simulation_run(simulations[k], &sink, &results[k], NULL), OK);
    }
    ck_assert_uint_eq(rows[0], rows[1]);
    ck_assert_uint_eq(results[0].steps.evaluations, results[1].steps.evaluations);
    ck_assert_uint_eq(results[0].impacts.count, results[1].impacts.count);
    ck_assert_uint_eq(results[0].found.n_verdicts, results[1].found.n_verdicts);
    ck_assert_uint_eq(results[0].n_warnings, results[1].n_warnings);
    ck_assert_mem_eq(results[0].final.q, results[1].final.q, sizeof(double));
    ck_assert_mem_eq(results[0].final.v, results[1].final.v, sizeof(double));
    simulation_free(simulations[0]);
    simulation_free(simulations[1]);
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

SUITE(simulate)
{
    TCase *tc = suite_case(suite, "simulate");
    tcase_add_test(tc, nonholonomic_particle_follows_its_closed_form);
    tcase_add_test(tc, pendulum_keeps_its_rod_and_its_tension);
    tcase_add_test(tc, without_constraints_nothing_is_projected);
    tcase_add_test(tc, redundant_constraints_share_the_reaction);
    tcase_add_test(tc, a_redundant_constraint_that_parts_from_the_others_contradicts_them);
    tcase_add_test(tc, a_blow_up_fails_with_its_time_and_keeps_what_was_reached);
    tcase_add_test(tc, a_constraint_that_jumps_ends_the_motion);
    tcase_add_test(tc, the_energy_of_a_driven_pendulum_is_balanced_by_its_work);
    tcase_add_loop_test(tc, all_methods_agree, 0, 3);
    tcase_add_test(tc, wrong_jobs_are_refused_at_their_place);
    tcase_add_test(tc, an_unknown_option_of_an_analysis_is_answered_with_the_known_ones);
    tcase_add_test(tc, a_tight_limit_caps_the_default_number_of_steps);
    tcase_add_test(tc, structure_tells_freedom_and_kinds);
    tcase_add_test(tc, structure_is_not_guessed_where_no_state_is_found);
    tcase_add_test(tc, equations_print_in_every_format);
    tcase_add_test(tc, an_estimate_leaves_the_simulation_as_it_was);
}
