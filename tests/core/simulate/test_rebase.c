/* Voronec's equations through states where some dependent velocity is no longer determined: the
 * same motion as with multipliers. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* It turns through every heading: neither dot(x) nor dot(y) can be dependent throughout. */
static const TestModel KNIFE_EDGE = {
    .coordinates = {"x", "y", "phi"},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + dot(phi)^2/4 + 0.7*x",
    .constraints = {"dot(x)*sin(phi) - dot(y)*cos(phi)"},
    .forces = {{"phi", "-0.1*abs(dot(phi))*dot(phi)", "/forces/phi", NULL}},
};

/* Swings over the top: the rod determines dot(x) or dot(y). */
static const TestModel PENDULUM = {
    .coordinates = {"x", "y"},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
    .constraints = {"x^2 + y^2 - (1 + 0.1*sin(t))^2"},
};

/* Two velocities that stay parallel, turning: solved for one of four components on the way. */
static const TestModel PARALLEL = {
    .coordinates = {"x1", "x2", "y1", "y2"},
    .lagrangian = "0.75*(dot(x1)^2 + dot(x2)^2) + 0.375*(dot(y1)^2 + dot(y2)^2) - "
                  "(0.5*x1^2 + 0.75*x2^2)/2 + 0.25*x1*y1 - 0.375*y2",
    .constraints = {"dot(x1)*dot(y2) - dot(x2)*dot(y1)"},
};

static const NamedValue EDGE_V[] = {{"x", 0.5, ""}, {"phi", 1.5, ""}};
static const NamedValue PENDULUM_Q[] = {{"x", 0, ""}, {"y", -1, ""}};
static const NamedValue PENDULUM_V[] = {{"x", 2.5, ""}};
static const NamedValue PARALLEL_Q[] = {{"x1", 0.25, ""}, {"x2", -0.5, ""}, {"y1", 0.5, ""}};
static const NamedValue PARALLEL_V[] = {
    {"x1", 0.3, ""}, {"x2", 0.75, ""}, {"y1", 0.5, ""}, {"y2", 1.25, ""}};

static JobSpec job(const TestModel *model)
{
    JobSpec spec;

    job_spec_init(&spec);
    spec.time.samples = 41;
    spec.integrator.rtol = 1e-12;
    spec.integrator.atol = 1e-14;
    if (model == &KNIFE_EDGE) {
        spec.time.end = 8;
        spec.initial.v = EDGE_V;
        spec.initial.n_v = 2;
    } else if (model == &PENDULUM) {
        spec.time.end = 8;
        spec.initial.q = PENDULUM_Q;
        spec.initial.n_q = 2;
        spec.initial.v = PENDULUM_V;
        spec.initial.n_v = 1;
    } else {
        spec.time.end = 4;
        spec.initial.q = PARALLEL_Q;
        spec.initial.n_q = 3;
        spec.initial.v = PARALLEL_V;
        spec.initial.n_v = 4;
    }
    return spec;
}

/* Largest difference of the columns of both runs, over 1 + |value|. */
static double largest_difference(const TestRun *a, const TestRun *b)
{
    double worst = 0;

    ck_assert_uint_eq(a->columns, b->columns);
    ck_assert_uint_eq(a->n_rows, b->n_rows);
    for (size_t k = 0; k < a->n_rows * a->columns; k++)
        worst = fmax(worst, fabs(a->rows[k] - b->rows[k]) / (1 + fabs(a->rows[k])));
    return worst;
}

static void compare(const TestModel *model, const char *method, double rtol, double limit)
{
    JobSpec spec = job(model);

    spec.formulation = "lagrange-dalembert";
    TestRun multipliers = test_run(model, &spec);
    spec.formulation = "voronec";
    spec.integrator.method = method;
    spec.integrator.rtol = rtol;
    TestRun voronec = test_run(model, &spec);
    ck_assert_msg(voronec.result.end.complete, "%s", voronec.result.end.message);
    double difference = largest_difference(&multipliers, &voronec);
    ck_assert_msg(difference < limit, "%s: %g", model->coordinates[0], difference);
    ck_assert_double_lt(voronec.result.energy.balance_scaled, limit);
    test_run_done(&multipliers);
    test_run_done(&voronec);
}

START_TEST(the_motion_goes_on_with_other_dependent_coordinates)
{
    static const TestModel *const MODELS[] = {&KNIFE_EDGE, &PENDULUM, &PARALLEL};
    compare(MODELS[_i], "dop853", 1e-12, 1e-9);
}
END_TEST

/* Over the lowest point, the constraint determines dot(y), with a coefficient that cannot vanish:
 * from there on nothing has to be watched. */
START_TEST(it_may_go_on_with_a_choice_for_good)
{
    static const TestModel BEAD = {.coordinates = {"x", "y"},
                                   .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                                   .constraints = {"y = x^2"}};
    static const double START[] = {1, 1.5, 2, 3};
    const NamedValue q[] = {{"x", START[_i], ""}, {"y", START[_i] * START[_i], ""}};
    static const NamedValue v[] = {{"x", -1, ""}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.time.end = 3;
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.initial.v = v;
    spec.initial.n_v = 1;
    TestRun multipliers = test_run(&BEAD, &spec);
    spec.formulation = "voronec";
    TestRun run = test_run(&BEAD, &spec);
    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert_double_lt(largest_difference(&multipliers, &run), 1e-8);
    test_run_done(&multipliers);
    test_run_done(&run);
}
END_TEST

/* The kick turns the blade to where the base all but fails: it will do as it would at a start, and
 * at a right angle, where it would not, others stand in. */
START_TEST(a_given_base_will_do_after_an_impact_as_at_a_start)
{
    static const struct {
        const char *heading;
        size_t warnings;
    } KICKS[] = {{"pi/2 - 0.01", 0}, {"pi/2 - 1e-6", 0}, {"pi/2", 1}};
    static const char *const FORMULATIONS[] = {"voronec", "hamel"};
    static const NamedValue v[] = {{"x", 1, ""}, {"phi", -0.5, ""}};
    const NamedText set = {"phi", KICKS[_i % 3].heading, "", NULL};
    const EventSpec kick = {.name = "kick",
                            .when = {NULL, "t - 0.5", "", NULL},
                            .direction = 1,
                            .set = &set,
                            .n_set = 1};
    TestModel model = KNIFE_EDGE;
    JobSpec spec;

    model.base[0] = "x";
    model.base[1] = "phi";
    job_spec_init(&spec);
    spec.formulation = FORMULATIONS[_i / 3];
    spec.time.end = 0.8;
    spec.initial.v = v;
    spec.initial.n_v = 2;
    spec.events = &kick;
    spec.n_events = 1;
    TestRun run = test_run(&model, &spec);
    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert_double_lt(run.result.energy.balance_scaled, 1e-7);
    ck_assert_uint_eq(run.result.n_warnings, KICKS[_i % 3].warnings);
    test_run_done(&run);
}
END_TEST

START_TEST(implicit_methods_go_on_too)
{
    static const TestModel *const MODELS[] = {&KNIFE_EDGE, &PENDULUM, &PARALLEL};
    compare(MODELS[_i], "bdf", 1e-9, 1e-5);
}
END_TEST

START_TEST(the_same_job_has_the_same_bits)
{
    JobSpec spec = job(&KNIFE_EDGE);

    spec.formulation = "voronec";
    TestRun first = test_run(&KNIFE_EDGE, &spec), second = test_run(&KNIFE_EDGE, &spec);
    ck_assert_uint_eq(first.n_rows, second.n_rows);
    ck_assert_mem_eq(first.rows, second.rows, first.n_rows * first.columns * sizeof *first.rows);
    test_run_done(&first);
    test_run_done(&second);
}
END_TEST

static bool tells_of_stand_in(const TestRun *run)
{
    for (size_t k = 0; k < run->result.n_warnings; k++)
        if (strstr(run->result.warnings[k], "goes on in Voronec's equations"))
            return true;
    return false;
}

/* Whole turns of the blade, each twice across the direction in which the base says nothing. */
START_TEST(a_given_base_gives_way_where_it_fails_and_it_is_told)
{
    static const char *const FORMULATIONS[] = {"voronec", "voronec", "hamel"};
    static const char *const NAMES[] = {"x",      "y",        "phi",           "dot(x)",
                                        "dot(y)", "dot(phi)", "multiplier(c1)"};
    TestModel model = KNIFE_EDGE;
    JobSpec spec = job(&KNIFE_EDGE);

    spec.formulation = "lagrange-dalembert";
    TestRun multipliers = test_run(&model, &spec);
    model.base[0] = "x";
    model.base[1] = _i > 0 ? "phi" : NULL;
    spec.formulation = FORMULATIONS[_i];
    TestRun run = test_run(&model, &spec);
    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert(tells_of_stand_in(&run));
    const double difference =
        test_difference(&multipliers, &run, NAMES, sizeof NAMES / sizeof *NAMES);
    ck_assert_msg(difference < 1e-9, "%g", difference);
    /* columns of the formulation's own keep their meaning: here these are velocities */
    for (long k = 0; _i == 2 && k < (long)run.n_rows; k++)
        ck_assert_double_eq_tol(test_value(&run, k, "w(x)"), test_value(&run, k, "dot(x)"), 1e-14);
    test_run_done(&multipliers);
    test_run_done(&run);
}
END_TEST

/* The field along the blade, times what has a pole or a zero at the heading pi: velocities of a
 * frame lose their digits there, or become infinite, whatever the constraints are. Some had once
 * gone on in silence. */
START_TEST(fields_with_poles_and_zeros_give_way)
{
    static const struct {
        const char *x, *y;
        bool lasts;
    } FIELDS[] = {
        {"cos(a)", "sin(a)", true},           {"cos(a)*(1 + a^2)", "sin(a)*(1 + a^2)", true},
        {"cos(a)/sin(a)", "1", false},        {"cos(a)/sin(a)^2", "1/sin(a)", false},
        {"cos(a)*sin(a)", "sin(a)^2", false}, {"cos(a)*sin(a)^2", "sin(a)^3", false},
    };
    static const double TOLERANCES[] = {1e-10, 1e-5};
    static const char *const NAMES[] = {"x", "y", "a", "dot(x)", "dot(y)", "multiplier(c1)"};
    const double from[] = {0.5, -1e-8};
    const NamedText along[] = {{"x", FIELDS[_i].x, "", NULL}, {"y", FIELDS[_i].y, "", NULL}};
    const NamedText turn[] = {{"a", "1", "", NULL}};
    const TestModel edge = {
        .coordinates = {"x", "y", "a"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(a)^2)/2 - 0.7*x",
        .constraints = {"dot(x)*sin(a) = dot(y)*cos(a)"},
        .frame = {{"r", "", along, 2}, {"s", "", turn, 1}},
    };

    for (int k = 0; k < 4; k++) {
        const double a = from[k / 2], rtol = TOLERANCES[k % 2];
        const NamedValue q[] = {{"x", 0, ""}, {"y", 0, ""}, {"a", a, ""}};
        const NamedValue v[] = {{"x", cos(a), ""}, {"y", sin(a), ""}, {"a", 1.3, ""}};
        JobSpec spec = test_job(3, 13);

        spec.initial.q = q, spec.initial.n_q = 3;
        spec.initial.v = v, spec.initial.n_v = 3;
        spec.formulation = "lagrange-dalembert";
        TestRun multipliers = test_run(&edge, &spec);
        spec.formulation = "hamel";
        spec.integrator.rtol = rtol;
        TestRun run = test_run(&edge, &spec);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        ck_assert_int_eq(tells_of_stand_in(&run), !FIELDS[_i].lasts);
        const double difference = test_difference(&multipliers, &run, NAMES, 6);
        ck_assert_msg(difference < 30 * rtol, "from %g, rtol %g: %g", a, rtol, difference);
        test_run_done(&multipliers);
        test_run_done(&run);
    }
}
END_TEST

/* A frame that is derived lasts: no heading is special. */
START_TEST(a_derived_frame_needs_nobody_to_stand_in)
{
    JobSpec spec = job(&KNIFE_EDGE);

    spec.formulation = "hamel";
    TestRun run = test_run(&KNIFE_EDGE, &spec);
    ck_assert(run.result.end.complete);
    ck_assert(!tells_of_stand_in(&run));
    test_run_done(&run);
}
END_TEST

/* A rod that turns at constant speed, over the base x: at y = 0 that says nothing, however long the
 * steps are. 54 of these 80 had once gone on in silence, and another way. */
START_TEST(a_base_that_turns_within_a_step_is_not_passed_unseen)
{
    static const char *const FORMULATIONS[] = {"voronec", "hamel"};
    static const double TOLERANCES[] = {1e-2, 1e-3, 1e-4, 1e-5};
    static const AnalysisSpec none[1];
    const TestModel rod = {.coordinates = {"x", "y"},
                           .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                           .constraints = {"x^2 + y^2 = 1"},
                           .base = {"x"}};

    for (int k = 0; k < 40; k++) {
        const double from = 0.02 + 0.035 * k;
        const NamedValue q[] = {{"x", cos(from), ""}, {"y", sin(from), ""}};
        const NamedValue v[] = {{"x", sin(from), ""}, {"y", -cos(from), ""}};
        JobSpec spec;

        job_spec_init(&spec);
        spec.initial.q = q, spec.initial.n_q = 2;
        spec.initial.v = v, spec.initial.n_v = 2;
        spec.initial.consistency = CONSISTENCY_PROJECT;
        spec.formulation = FORMULATIONS[_i];
        spec.integrator.rtol = TOLERANCES[k % 4];
        spec.time = (TimeSpec){.end = from + 1, .samples = 11};
        spec.analyses = none;
        TestRun run = test_run(&rod, &spec);
        ck_assert_msg(run.result.end.complete, "from %g: %s", from, run.result.end.message);
        ck_assert(tells_of_stand_in(&run));
        ck_assert_double_eq_tol(test_value(&run, -1, "x"), cos(1), 30 * spec.integrator.rtol);
        ck_assert_double_eq_tol(test_value(&run, -1, "y"), -sin(1), 30 * spec.integrator.rtol);
        test_run_done(&run);
    }
}
END_TEST

/* A knife edge beside which z rises, by rows that are parallel to d: what determines dot(x), dot(y)
 * and dot(z) is known with noise of eps/d only. */
START_TEST(rows_that_are_nearly_parallel_choose_others_in_time)
{
    static const double D[] = {1e-2, 1e-4, 1e-5, 1e-6};
    static const char *const NAMES[] = {"x", "y", "z", "a", "dot(x)", "dot(y)", "dot(z)", "dot(a)"};
    const NamedValue q[] = {{"x", 0.3, ""}, {"y", 0, ""}, {"z", 0, ""}, {"a", 0.4, ""}};
    const NamedValue v[] = {
        {"x", cos(0.4), ""}, {"y", sin(0.4), ""}, {"z", 0.4 * cos(0.4), ""}, {"a", 0.7, ""}};
    TestModel edge = {.coordinates = {"x", "y", "z", "a"},
                      .parameters = {{"d", D[_i], ""}},
                      .lagrangian =
                          "(dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(a)^2)/2 - x^2/2 - z + 0*d",
                      .constraints = {"dot(x)*sin(a) - dot(y)*cos(a)", "dot(z) - a*dot(x)"}};
    JobSpec spec = test_job(5, 2);

    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 4;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    TestRun plain = test_run(&edge, &spec);
    edge.constraints[1] = "dot(x)*sin(a) - dot(y)*cos(a) + d*(dot(z) - a*dot(x))";
    spec.formulation = "voronec";
    for (int k = 0; k < 8; k++) {
        spec.integrator.rtol = pow(10, -8 - 0.5 * k);
        spec.integrator.atol = 1e-2 * spec.integrator.rtol;
        TestRun run = test_run(&edge, &spec);
        ck_assert(run.result.end.complete);
        ck_assert_double_le(test_difference(&plain, &run, NAMES, 8),
                            3e-9 + 100 * (spec.integrator.rtol + 1e-15 / D[_i]));
        test_run_done(&run);
    }
    test_run_done(&plain);
}
END_TEST

/* A base that says next to nothing where the motion starts is given up in time when it turns bad
 * again. */
START_TEST(a_base_that_is_bad_at_the_start_is_no_measure)
{
    static const double HEADINGS[] = {1e-2, -1e-2, 1e-4, -1e-4, 1e-6, -1e-6, 1e-8, -1e-8};
    static const char *const NAMES[] = {"x", "y", "a", "dot(x)", "dot(y)", "dot(a)"};
    const double a = HEADINGS[_i];
    const NamedValue q[] = {{"x", 0, ""}, {"y", 0, ""}, {"a", a, ""}};
    const NamedValue v[] = {{"x", cos(a), ""}, {"y", sin(a), ""}, {"a", 1.3, ""}};
    TestModel edge = {.coordinates = {"x", "y", "a"},
                      .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(a)^2)/2 - 0.7*x",
                      .constraints = {"dot(x)*sin(a) - dot(y)*cos(a)"}};
    JobSpec spec = test_job(3, 2);

    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 3;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    TestRun plain = test_run(&edge, &spec);
    edge.base[0] = "y";
    edge.base[1] = "a";
    for (int k = 0; k < 2; k++) {
        /* voronec refuses to start so near */
        if (k == 1 && fabs(a) < 1e-6)
            continue;
        spec.formulation = k == 0 ? "hamel" : "voronec";
        spec.integrator.rtol = 1e-10;
        spec.integrator.atol = 1e-12;
        TestRun run = test_run(&edge, &spec);
        ck_assert(run.result.end.complete);
        ck_assert_double_le(test_difference(&plain, &run, NAMES, 6), 1e-9);
        ck_assert_uint_eq(run.result.n_warnings, 1); /* that the base was given up */
        test_run_done(&run);
    }
    test_run_done(&plain);
}
END_TEST

START_TEST(a_base_that_does_not_fit_is_refused)
{
    TestModel model = KNIFE_EDGE;
    JobSpec spec = job(&KNIFE_EDGE);

    model.base[0] = "y"; /* at phi = 0 the edge says nothing of dot(x) */
    spec.formulation = "voronec";
    TestRun run = test_refused(&model, &spec);
    ck_assert_str_eq(run.diag->items[0].pointer, "/model/base");
    test_run_done(&run);
}
END_TEST

SUITE(rebase)
{
    TCase *tc = suite_case(suite, "rebase");
    tcase_add_loop_test(tc, the_motion_goes_on_with_other_dependent_coordinates, 0, 3);
    tcase_add_loop_test(tc, it_may_go_on_with_a_choice_for_good, 0, 4);
    tcase_add_loop_test(tc, a_given_base_will_do_after_an_impact_as_at_a_start, 0, 6);
    tcase_add_loop_test(tc, implicit_methods_go_on_too, 0, 3);
    tcase_add_test(tc, the_same_job_has_the_same_bits);
    tcase_add_loop_test(tc, a_given_base_gives_way_where_it_fails_and_it_is_told, 0, 3);
    tcase_add_loop_test(tc, fields_with_poles_and_zeros_give_way, 0, 6);
    tcase_add_test(tc, a_derived_frame_needs_nobody_to_stand_in);
    tcase_add_loop_test(tc, a_base_that_turns_within_a_step_is_not_passed_unseen, 0, 2);
    tcase_add_loop_test(tc, rows_that_are_nearly_parallel_choose_others_in_time, 0, 4);
    tcase_add_loop_test(tc, a_base_that_is_bad_at_the_start_is_no_measure, 0, 8);
    tcase_add_test(tc, a_base_that_does_not_fit_is_refused);
}
