/* The action of whole motions and its first variation, against closed forms and known
 * principles. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const AnalysisSpec ACTION[] = {{.name = "action", .pointer = "/analyses/0"}};

static JobSpec job(double end, const NamedValue *q, size_t n_q, const NamedValue *v, size_t n_v)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.time.end = end;
    spec.time.samples = 3;
    spec.initial.q = q;
    spec.initial.n_q = n_q;
    spec.initial.v = v;
    spec.initial.n_v = n_v;
    spec.analyses = ACTION;
    spec.n_analyses = 1;
    return spec;
}

static const Value *member(const TestRun *run, const char *kind, const char *name)
{
    const Value *action = value_member(run->result.found.findings, "action");
    const Value *found =
        kind ? value_member(value_member(action, kind), name) : value_member(action, name);
    ck_assert_msg(found, "no member %s of the action", name);
    return found;
}

static void expect(const TestRun *run, const char *kind, bool stationary)
{
    const Value *found = member(run, kind, "stationary");
    double largest = member(run, kind, "largest")->number;

    ck_assert_msg(found->kind == VALUE_BOOL && found->boolean == stationary, "%s: %g", kind,
                  largest);
    if (stationary)
        ck_assert_double_lt(largest, 1e-11);
    else
        ck_assert_double_gt(largest, 1e-4);
}

static void expect_verdicts(const TestRun *run, Predicted dalembert, Predicted stationary)
{
    ck_assert_uint_eq(run->result.found.n_verdicts, 2);
    ck_assert_str_eq(run->result.found.verdicts[0].name, "d'Alembert's principle");
    ck_assert_int_eq(run->result.found.verdicts[0].predicted, dalembert);
    ck_assert_str_eq(run->result.found.verdicts[1].name, "stationary action");
    ck_assert_int_eq(run->result.found.verdicts[1].predicted, stationary);
}

/* x = cos t: S = int (sin^2 - cos^2)/2 = -sin(2 T)/4, forwards and backwards. */
START_TEST(an_oscillator_has_its_action_and_is_stationary)
{
    const TestModel model = {.coordinates = {"x"}, .lagrangian = "(dot(x)^2 - x^2)/2"};
    const NamedValue q[] = {{"x", 1, ""}};
    const double T = _i ? 4 : -3;
    JobSpec spec = job(T, q, 1, NULL, 0);
    TestRun run = test_run(&model, &spec);

    ck_assert_double_eq_tol(member(&run, NULL, "value")->number, -sin(2 * T) / 4, 1e-11);
    ck_assert_double_eq(member(&run, NULL, "to")->number, T);
    expect(&run, "virtual", true);
    expect(&run, "tangent", true);
    expect_verdicts(&run, PREDICTED_YES, PREDICTED_YES);
    test_run_done(&run);
}
END_TEST

/* A force that no potential gives: its work joins the first variation. */
START_TEST(the_work_of_forces_belongs_to_the_principle)
{
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
                             .constraints = {"x^2 + y^2 - 1"},
                             .forces = {{"x", "-dot(x)/3", ""}, {"y", "x - dot(y)/3", ""}}};
    const NamedValue q[] = {{"x", 1, ""}}, v[] = {{"y", 1.5, ""}};
    JobSpec spec = job(3, q, 1, v, 1);
    TestRun run = test_run(&model, &spec);

    expect(&run, "virtual", true);
    expect(&run, "tangent", true);
    expect_verdicts(&run, PREDICTED_YES, PREDICTED_YES);
    test_run_done(&run);
}
END_TEST

static const TestModel PARTICLE = {.coordinates = {"x", "y", "z"},
                                   .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                                   .constraints = {"dot(z) + x*dot(y)"}};
static const NamedValue PARTICLE_Q[] = {{"x", 0.5, ""}};
static const NamedValue PARTICLE_V[] = {{"x", 0.75, ""}, {"y", 1, ""}};

/* d'Alembert's principle and Hamilton's part for nonholonomic constraints, each with its own
 * motions. The action of the first is that of a conserved energy. */
START_TEST(nonholonomic_motions_are_not_stationary_and_vakonomic_ones_not_dalembert)
{
    const MultiplierSpec mu[] = {{.value = 0.75}};
    JobSpec spec = job(5, PARTICLE_Q, 1, PARTICLE_V, 2);
    TestRun run = test_run(&PARTICLE, &spec);

    ck_assert_double_eq_tol(member(&run, NULL, "value")->number,
                            5 * (0.75 * 0.75 + 1 + 0.5 * 0.5) / 2, 1e-10);
    expect(&run, "virtual", true);
    expect(&run, "tangent", false);
    expect_verdicts(&run, PREDICTED_YES, PREDICTED_NO);
    test_run_done(&run);

    spec.formulation = "vakonomic";
    spec.initial.mu_given = true;
    spec.initial.mu = mu;
    spec.initial.n_mu = 1;
    run = test_run(&PARTICLE, &spec);
    expect(&run, "virtual", false);
    expect(&run, "tangent", true);
    expect_verdicts(&run, PREDICTED_NO, PREDICTED_YES);
    test_run_done(&run);
}
END_TEST

/* Every description of a motion has the same action, whatever its state is. */
START_TEST(the_action_does_not_depend_on_the_formulation)
{
    static const char *const OTHERS[] = {"hamiltonian", "voronec", "hamel"};
    JobSpec spec = job(5, PARTICLE_Q, 1, PARTICLE_V, 2);

    spec.formulation = OTHERS[_i];
    TestRun run = test_run(&PARTICLE, &spec);
    ck_assert_double_eq_tol(member(&run, NULL, "value")->number,
                            5 * (0.75 * 0.75 + 1 + 0.5 * 0.5) / 2, 1e-10);
    expect(&run, "virtual", true);
    expect(&run, "tangent", false);
    test_run_done(&run);
}
END_TEST

/* The vertical rolling disk: its nonholonomic motions are vakonomic too (with mu = p), so that
 * they are stationary, as an integrable constraint in disguise makes all motions. */
START_TEST(some_nonholonomic_motions_are_stationary)
{
    const TestModel disk = {.coordinates = {"x", "y", "a", "b"},
                            .lagrangian = "(2*dot(x)^2 + 2*dot(y)^2 + dot(a)^2 + dot(b)^2/2)/2",
                            .constraints = {"dot(x) - dot(a)*cos(b)", "dot(y) - dot(a)*sin(b)"}};
    const TestModel disguised = {.coordinates = {"x", "y"},
                                 .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
                                 .constraints = {"x*dot(x) + y*dot(y)"}};
    const NamedValue q[] = {{"x", 0.5, ""}};
    const NamedValue disk_v[] = {{"a", 1.5, ""}, {"b", 0.75, ""}}, v[] = {{"y", 1, ""}};
    JobSpec spec = job(6, q, 1, _i ? v : disk_v, _i ? 1 : 2);
    TestRun run = test_run(_i ? &disguised : &disk, &spec);

    expect(&run, "virtual", true);
    expect(&run, "tangent", true);
    expect_verdicts(&run, PREDICTED_YES, PREDICTED_UNDECIDED);
    test_run_done(&run);
}
END_TEST

/* The reaction is parallel to the momentum: what cancels must not count as a large variation of
 * small terms. */
START_TEST(cancelled_terms_are_measured_by_their_size)
{
    const TestModel model = {.coordinates = {"x", "y", "z"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
                             .constraints = {"dot(x)^2 + dot(y)^2 + dot(z)^2 - 1/(1 + t)"}};
    const NamedValue v[] = {{"x", 0.6, ""}, {"y", 0.8, ""}};
    JobSpec spec = job(5, NULL, 0, v, 2);
    TestRun run = test_run(&model, &spec);

    expect(&run, "virtual", true);
    expect(&run, "tangent", true);
    test_run_done(&run);
}
END_TEST

START_TEST(a_terminal_event_ends_the_action_too)
{
    const TestModel model = {.coordinates = {"y"}, .lagrangian = "dot(y)^2/2 - y"};
    const EventSpec events[] = {
        {.name = "ground", .when = {"when", "y", ""}, .direction = -1, .terminal = true}};
    const NamedValue q[] = {{"y", 2, ""}};
    JobSpec spec = job(5, q, 1, NULL, 0);
    spec.events = events;
    spec.n_events = 1;
    TestRun run = test_run(&model, &spec);

    /* y = 2 - t^2/2 up to t = 2: L = t^2/2 - y = t^2 - 2 */
    ck_assert_double_eq_tol(member(&run, NULL, "to")->number, 2, 1e-12);
    ck_assert_double_eq_tol(member(&run, NULL, "value")->number, 8.0 / 3 - 4, 1e-11);
    test_run_done(&run);
}
END_TEST

START_TEST(motions_with_jumps_or_corners_are_refused_with_the_reason)
{
    const TestModel ball = {.coordinates = {"y"}, .lagrangian = "dot(y)^2/2 - y"};
    const TestModel corner = {.coordinates = {"y"}, .lagrangian = "dot(y)^2/2 - abs(y)"};
    const NamedText set[] = {{"dot(y)", "-dot(y)", "", NULL}};
    const EventSpec events[] = {
        {.name = "bounce", .when = {"when", "y", ""}, .direction = -1, .set = set, .n_set = 1}};
    const NamedValue q[] = {{"y", 1, ""}};
    JobSpec spec = job(3, q, 1, NULL, 0);
    if (_i == 0) {
        spec.events = events;
        spec.n_events = 1;
    }
    TestRun run = test_run(_i ? &corner : &ball, &spec);

    ck_assert(run.result.end.complete);
    ck_assert_uint_eq(run.result.found.n_verdicts, 0);
    ck_assert_ptr_nonnull(
        strstr(member(&run, NULL, "failed")->text, _i ? "corners" : "event bounce"));
    test_run_done(&run);
}
END_TEST

/* Eight oscillators: the terms of dS vanish some thousand times, and dS is smooth there. */
START_TEST(it_takes_about_as_many_steps_as_the_motion)
{
    static const char *const NAMES[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    TestModel model = {.lagrangian = "(dot(a)^2 + dot(b)^2 + dot(c)^2 + dot(d)^2 + dot(e)^2"
                                     " + dot(f)^2 + dot(g)^2 + dot(h)^2 - a^2 - 2*b^2 - 3*c^2"
                                     " - 4*d^2 - 5*e^2 - 6*f^2 - 7*g^2 - 8*h^2)/2"};
    NamedValue q[8];

    for (size_t i = 0; i < 8; i++) {
        model.coordinates[i] = NAMES[i];
        q[i] = (NamedValue){NAMES[i], 1, "/initial/q"};
    }
    JobSpec spec = job(3, q, 8, NULL, 0);
    spec.integrator.max_steps = 100;
    TestRun run = test_run(&model, &spec);
    expect_verdicts(&run, PREDICTED_YES, PREDICTED_YES);
    expect(&run, "virtual", true);
    expect(&run, "tangent", true);
    test_run_done(&run);
}
END_TEST

SUITE(action)
{
    TCase *tc = suite_case(suite, "first variation");
    tcase_add_loop_test(tc, an_oscillator_has_its_action_and_is_stationary, 0, 2);
    tcase_add_test(tc, the_work_of_forces_belongs_to_the_principle);
    tcase_add_test(tc, nonholonomic_motions_are_not_stationary_and_vakonomic_ones_not_dalembert);
    tcase_add_loop_test(tc, the_action_does_not_depend_on_the_formulation, 0, 3);
    tcase_add_loop_test(tc, some_nonholonomic_motions_are_stationary, 0, 2);
    tcase_add_test(tc, cancelled_terms_are_measured_by_their_size);
    tcase_add_test(tc, a_terminal_event_ends_the_action_too);
    tcase_add_test(tc, it_takes_about_as_many_steps_as_the_motion);
    tcase_add_loop_test(tc, motions_with_jumps_or_corners_are_refused_with_the_reason, 0, 2);
}
