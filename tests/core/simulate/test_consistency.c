/* Nonholonomic and vakonomic motions of whole jobs: what the analysis says of them, and the motions
 * themselves. Parameters and initial states are those of the catalog. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

#define CARRIAGE(L)                                                                            \
    {                                                                                          \
        .coordinates = {"psi1", "psi2", "x", "y", "theta"},                                    \
        .parameters = {{"m", 3, ""}, {"J", 2, ""}, {"J2", 0.5, ""}, {"l", L, ""}},             \
        .lagrangian = "m/2*(dot(x)^2 + dot(y)^2) + J/2*dot(theta)^2 + J2/2*(dot(psi1)^2 + "    \
                      "dot(psi2)^2) + 2*l*dot(theta)*(cos(theta)*dot(y) - sin(theta)*dot(x))", \
        .constraints = {"dot(x) = -cos(theta)/2*(dot(psi1) + dot(psi2))",                      \
                        "dot(y) = -sin(theta)/2*(dot(psi1) + dot(psi2))",                      \
                        "dot(theta) = dot(psi2) - dot(psi1)"},                                 \
    }
#define CLASS(I4, D3, D4)                                                                \
    {                                                                                    \
        .coordinates = {"q1", "q2", "q3", "q4"},                                         \
        .lagrangian = "0.75*dot(q1)^2 + 0.375*dot(q2)^2 + dot(q3)^2 + " I4 "*dot(q4)^2", \
        .constraints = {"dot(q3) + " D3 "*dot(q2)", "dot(q4) + " D4 "*dot(q2)"},         \
    }
#define K3 \
    "2*l*(-sin(theta)*(dot(psi1) - dot(psi2))) + (m + 1)/2*cos(theta)*(dot(psi1) + dot(psi2))"
#define K4 "2*l*cos(theta)*(dot(psi1) - dot(psi2)) + (m + 1)/2*sin(theta)*(dot(psi1) + dot(psi2))"

static const NamedValue DISK_Q[] = {{"x", 0.5, ""}, {"y", -0.25, ""}, {"phi", 0.25, ""}};
static const NamedValue DISK_V[] = {{"theta", 1.5, ""}, {"phi", 0.75, ""}};
static const NamedValue CARRIAGE_Q[] = {{"psi1", 0.125, ""},
                                        {"psi2", -0.25, ""},
                                        {"x", 0.5, ""},
                                        {"y", -0.5, ""},
                                        {"theta", 0.375, ""}};
static const NamedValue CARRIAGE_V[] = {{"psi1", 0.75, ""}, {"psi2", -0.5, ""}};
static const NamedValue CLASS_Q[] = {{"q1", 0.25, ""}, {"q3", 0.5, ""}, {"q4", -0.5, ""}};
static const NamedValue CLASS_V[] = {{"q1", 0.75, ""}, {"q2", -1.25, ""}};
static const NamedValue PARTICLE_Q[] = {{"x", 0.25, ""}};
static const NamedValue PARTICLE_V[] = {{"x", 0.5, ""}, {"y", 1.25, ""}};

/* The verdicts are facts of the literature; those of the special l need what the paper calls k. */
static const struct {
    TestModel model;
    const NamedValue *q, *v;
    size_t n_q, n_v;
    Predicted on_p, on_any;
    Predicted with_k; /* of carriages; undecided: not tried */
} SYSTEMS[] = {
    {{.coordinates = {"x", "y", "theta", "phi"},
      .lagrangian = "dot(x)^2 + dot(y)^2 + 3/8*dot(theta)^2 + dot(phi)^2/4",
      .constraints = {"dot(x) = cos(phi)*dot(theta)/2", "dot(y) = sin(phi)*dot(theta)/2"}},
     DISK_Q,
     DISK_V,
     3,
     2,
     PREDICTED_YES,
     PREDICTED_YES,
     PREDICTED_UNDECIDED},
    {CLASS("0.25", "cos(q1)", "2*sin(q1)"), CLASS_Q, CLASS_V, 3, 2, PREDICTED_YES, PREDICTED_YES,
     PREDICTED_UNDECIDED},
    {CLASS("1.0", "sin(q1)", "q1"), CLASS_Q, CLASS_V, 3, 2, PREDICTED_NO, PREDICTED_NO,
     PREDICTED_UNDECIDED},
    {{.coordinates = {"x", "y", "z"},
      .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
      .constraints = {"dot(z) + x*dot(y)"}},
     PARTICLE_Q,
     PARTICLE_V,
     1,
     2,
     PREDICTED_NO,
     PREDICTED_NO,
     PREDICTED_UNDECIDED},
    {CARRIAGE(0), CARRIAGE_Q, CARRIAGE_V, 5, 2, PREDICTED_YES, PREDICTED_YES, PREDICTED_UNDECIDED},
    {CARRIAGE(0.75), CARRIAGE_Q, CARRIAGE_V, 5, 2, PREDICTED_NO, PREDICTED_NO, PREDICTED_NO},
    {CARRIAGE(1.5), CARRIAGE_Q, CARRIAGE_V, 5, 2, PREDICTED_NO, PREDICTED_YES, PREDICTED_YES},
};
enum { N_SYSTEMS = sizeof SYSTEMS / sizeof SYSTEMS[0] };

static JobSpec job_of(int system)
{
    JobSpec spec;
    job_spec_init(&spec);
    spec.initial.q = SYSTEMS[system].q;
    spec.initial.n_q = SYSTEMS[system].n_q;
    spec.initial.v = SYSTEMS[system].v;
    spec.initial.n_v = SYSTEMS[system].n_v;
    spec.integrator.rtol = 1e-12;
    spec.integrator.atol = 1e-14;
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 6, .samples = 31};
    return spec;
}

/* {"add": {"c1": k3, "c2": k4, "c3": y k3 - x k4}}: the third is nothing in the frame of the
 * group. */
static const Value *with_k(Arena *arena)
{
    Value *options = value_new_record(arena),
          *added = value_add(arena, options, "add", VALUE_RECORD);
    value_add_text(arena, added, "c1", K3);
    value_add_text(arena, added, "c2", K4);
    value_add_text(arena, added, "c3", "y*(" K3 ") - x*(" K4 ")");
    return options;
}

static const Value *finding(const TestRun *run, const char *name)
{
    const Value *value =
        value_member(value_member(run->result.found.findings, "consistency"), name);
    ck_assert_msg(value, "no member %s", name);
    return value;
}

static void expect_word(const Value *record, const char *name, Predicted expected)
{
    const Value *word = value_member(record, name);
    ck_assert_msg(word && strcmp(word->text, predicted_name(expected)) == 0, "%s: %s", name,
                  word ? word->text : "not there");
}

/* The largest difference of the coordinates of two runs at the samples. */
static double difference(const TestRun *a, const TestRun *b, const TestModel *model)
{
    double worst = 0;
    for (long k = 0; k < (long)a->n_rows; k++)
        for (size_t i = 0; i < 8 && model->coordinates[i]; i++)
            worst = fmax(worst, fabs(test_value(a, k, model->coordinates[i]) -
                                     test_value(b, k, model->coordinates[i])));
    return worst;
}

static TestRun vakonomic_run(int system, const MultiplierSpec *mu, size_t n_mu)
{
    JobSpec spec = job_of(system);
    spec.formulation = "vakonomic";
    spec.initial.mu_given = true;
    spec.initial.mu = mu;
    spec.initial.n_mu = n_mu;
    spec.initial.mu_momentum = !mu;
    return test_run(&SYSTEMS[system].model, &spec);
}

START_TEST(the_verdicts_of_the_literature_are_reproduced)
{
    const AnalysisSpec analyses[] = {{.name = "consistency", .pointer = "/analyses/0"}};
    JobSpec spec = job_of(_i);
    spec.analyses = analyses;
    spec.n_analyses = 1;
    TestRun run = test_run(&SYSTEMS[_i].model, &spec);
    const Value *section = finding(&run, "sections")->first;

    expect_word(section, "strong", SYSTEMS[_i].on_p);
    expect_word(section, "weak", SYSTEMS[_i].on_p);
    ck_assert_str_eq(finding(&run, "weak")->text, "yes");
    ck_assert_int_eq(run.result.found.verdicts[0].predicted, SYSTEMS[_i].on_any);
    expect_word(finding(&run, "individual"), "consistent", SYSTEMS[_i].on_any);
    test_run_done(&run);
}
END_TEST

START_TEST(constants_of_motion_make_the_special_carriage_consistent)
{
    const int system = _i;
    Arena *arena = arena_new(1 << 20);
    const AnalysisSpec analyses[] = {
        {.name = "consistency", .options = with_k(arena), .pointer = "/analyses/0"}};
    JobSpec spec = job_of(system);
    spec.analyses = analyses;
    spec.n_analyses = 1;
    TestRun run = test_run(&SYSTEMS[system].model, &spec);
    const Value *second = finding(&run, "sections")->first->next;
    const Verdict *verdict = &run.result.found.verdicts[0];

    ck_assert_ptr_nonnull(strstr(value_member(second, "section")->text, "p + k"));
    ck_assert_int_eq(verdict->predicted, SYSTEMS[system].with_k);
    if (verdict->predicted == PREDICTED_YES)
        ck_assert_str_eq(verdict->expression, "mu = p + k on d/dx, d/dy, d/dtheta");
    else
        expect_word(second, "strong", PREDICTED_NO);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* The vakonomic motion from the multipliers (numbers, or the texts of a section) is the given
 * one. */
static void expect_motion(int system, const TestRun *run, const Value *multipliers)
{
    MultiplierSpec mu[8];
    size_t n = 0;

    for (const Value *value = multipliers->first; value; value = value->next)
        mu[n++] = (MultiplierSpec){.name = value->name,
                                   .value = value->kind == VALUE_NUMBER ? value->number : 0,
                                   .text = value->kind == VALUE_TEXT ? value->text : NULL,
                                   .pointer = "/initial/mu"};
    TestRun other = vakonomic_run(system, mu, n);
    ck_assert_double_lt(difference(run, &other, &SYSTEMS[system].model), 1e-8);
    test_run_done(&other);
}

/* The operational test: the multipliers and the strongly consistent sections of the analysis give
 * back the nonholonomic motion; where it says that none do, those of mu = p do not. */
START_TEST(the_multipliers_found_give_the_nonholonomic_motion)
{
    const TestModel *model = &SYSTEMS[_i].model;
    const AnalysisSpec analyses[] = {{.name = "consistency", .pointer = "/analyses/0"}};
    JobSpec spec = job_of(_i);
    spec.analyses = analyses;
    spec.n_analyses = 1;
    TestRun run = test_run(model, &spec);

    if (SYSTEMS[_i].on_any == PREDICTED_YES)
        expect_motion(_i, &run, value_member(finding(&run, "individual"), "mu"));
    for (const Value *s = finding(&run, "sections")->first; s; s = s->next)
        if (strcmp(value_member(s, "strong")->text, "yes") == 0)
            expect_motion(_i, &run, value_member(s, "multipliers"));
    TestRun momentum = vakonomic_run(_i, NULL, 0);
    double gap = difference(&run, &momentum, model);
    if (SYSTEMS[_i].on_p == PREDICTED_YES)
        ck_assert_msg(gap < 1e-8, "%g", gap);
    else
        ck_assert_msg(gap > 1e-2, "%g", gap);
    test_run_done(&momentum);
    test_run_done(&run);
}
END_TEST

/* Of a vakonomic job the motion itself is judged, with its own multipliers. */
START_TEST(a_vakonomic_motion_is_nonholonomic_or_not)
{
    static const MultiplierSpec OTHER[] = {{.name = "c1", .value = 0.5},
                                           {.name = "c2", .value = -1.25}};
    const AnalysisSpec analyses[] = {{.name = "consistency", .pointer = "/analyses/0"}};
    JobSpec spec = job_of(0);
    spec.formulation = "vakonomic";
    spec.initial.mu_given = true;
    spec.initial.mu_momentum = _i == 0;
    spec.initial.mu = OTHER;
    spec.initial.n_mu = _i == 0 ? 0 : 2;
    spec.integrator.rtol = 1e-9;
    spec.integrator.atol = 1e-12;
    spec.analyses = analyses;
    spec.n_analyses = 1;
    TestRun run = test_run(&SYSTEMS[0].model, &spec);

    expect_word(finding(&run, "individual"), "consistent", _i == 0 ? PREDICTED_YES : PREDICTED_NO);
    ck_assert_int_eq(run.result.found.verdicts[0].predicted, PREDICTED_YES);
    ck_assert(run.result.found.verdicts[0].observed);
    ck_assert(run.result.found.verdicts[0].conserved == (_i == 0));
    test_run_done(&run);
}
END_TEST

/* A bounce off a wall: the motion is tested up to there. */
START_TEST(an_impact_ends_the_test_of_the_motion)
{
    const AnalysisSpec analyses[] = {{.name = "consistency", .pointer = "/analyses/0"}};
    const NamedText set[] = {{"dot(theta)", "-dot(theta)", "/events/0/set", NULL}};
    const EventSpec events[] = {{.name = "wall",
                                 .when = {NULL, "x - 1", "/events/0/when", NULL},
                                 .set = set,
                                 .n_set = 1,
                                 .pointer = "/events/0"}};
    JobSpec spec = job_of(0);
    spec.events = events;
    spec.n_events = 1;
    spec.analyses = analyses;
    spec.n_analyses = 1;
    TestRun run = test_run(&SYSTEMS[0].model, &spec);
    const Value *individual = finding(&run, "individual");

    ck_assert_uint_ge(run.n_event_rows, 1);
    expect_word(individual, "consistent", PREDICTED_YES);
    ck_assert_double_le(value_member(individual, "t_to")->number, test_event_value(&run, 0, "t"));
    test_run_done(&run);
}
END_TEST

SUITE(consistency)
{
    TCase *tc = suite_case(suite, "nonholonomic and vakonomic");

    tcase_add_loop_test(tc, the_verdicts_of_the_literature_are_reproduced, 0, N_SYSTEMS);
    tcase_add_loop_test(tc, constants_of_motion_make_the_special_carriage_consistent, N_SYSTEMS - 2,
                        N_SYSTEMS);
    tcase_add_loop_test(tc, the_multipliers_found_give_the_nonholonomic_motion, 0, N_SYSTEMS);
    tcase_add_loop_test(tc, a_vakonomic_motion_is_nonholonomic_or_not, 0, 2);
    tcase_add_test(tc, an_impact_ends_the_test_of_the_motion);
}
