/* What is told of ensembles: the job resource, the design, and what they will cost. */
#include <string.h>

#include "api/ensemble_cost.h"
#include "tests/api/reading.h"
#include "tests/suite.h"

static void expect(Text *text, const char *fragment)
{
    ck_assert_msg(strstr(text_string(text), fragment) != NULL, "no %s in\n%s", fragment,
                  text_string(text));
}

START_TEST(a_job_of_members_says_how_many_are_done)
{
    const JobRecord job = {
        .state = JOB_RUNNING,
        .members = {.total = 8, .done = 4, .failed = 1, .design = "{\"kind\":\"zip\"}"}};
    const JobProgress progress = {.rate = 2};
    Text text = TEXT_INIT;

    job_write(&text, &job, &progress, NULL);
    expect(&text, "\"members\":{\"total\":8,\"done\":4,\"succeeded\":3,\"failed\":1}");
    expect(&text, "\"design\":{\"kind\":\"zip\"}");
    expect(&text, "\"progress\":{\"fraction\":0.5,\"rate\":2,\"eta_s\":2}");
    text_reset(&text);
    job_write(&text, &job, NULL, NULL);
    expect(&text, "\"progress\":{\"fraction\":0.5}");
    expect(&text, "/members\",\"statistics\":\"/v1/jobs/");
    ck_assert_ptr_null(strstr(text_string(&text), "\"invariants\""));
    text_done(&text);
}
END_TEST

START_TEST(a_plain_job_has_neither_members_nor_design)
{
    const JobRecord job = {.state = JOB_SUCCEEDED};
    Text text = TEXT_INIT;

    job_write(&text, &job, NULL, NULL);
    expect(&text, "\"members\":null,\"design\":null");
    expect(&text, "\"progress\":{\"fraction\":1}");
    ck_assert_ptr_null(strstr(text_string(&text), "\"statistics\""));
    text_done(&text);
}
END_TEST

START_TEST(a_design_is_told_with_its_axes)
{
    const DesignAxis axes[] = {{.path = "parameters.k", .count = 3},
                               {.path = "time.end", .count = 2}};
    const DesignSpec grid = {.kind = DESIGN_GRID, .axes = axes, .n_axes = 2};
    const DesignSpec latin = {
        .kind = DESIGN_LATIN, .axes = axes, .n_axes = 1, .count = 10, .seed = UINT64_C(1) << 53};
    Text text = TEXT_INIT;

    design_write(&text, "grid", &grid);
    ck_assert_str_eq(text_string(&text), "{\"kind\":\"grid\",\"axes\":[{\"path\":\"parameters.k\","
                                         "\"count\":3},{\"path\":\"time.end\",\"count\":2}]}");
    text_reset(&text);
    design_write(&text, "lhs", &latin);
    ck_assert_str_eq(text_string(&text), "{\"kind\":\"lhs\",\"count\":10,\"seed\":9007199254740992,"
                                         "\"axes\":[{\"path\":\"parameters.k\"}]}");
    text_done(&text);
}
END_TEST

typedef struct Costs {
    double samples, bytes;
    SimulationEstimate estimate;
} Costs;

static Costs costs_of(const char *text)
{
    Reading *r = read_job_text(text);
    Compiled *compiled = NULL;
    Ensemble *ensemble = NULL;
    const char *warning;
    Costs costs = {0};

    ck_assert_msg(r->status == OK, "%s", r->error.message);
    ck_assert_int_eq(compiled_new(&r->job.model.document, NULL, &r->diag, &compiled, &r->error),
                     OK);
    ck_assert_int_eq(ensemble_new(compiled, &r->job.spec, &r->job.ensemble, &(EnsembleLimits){0},
                                  &r->diag, &ensemble, &r->error),
                     OK);
    costs.samples = ensemble_samples(ensemble);
    costs.bytes = ensemble_bytes(ensemble, r->job.ensemble.keep);
    ck_assert_int_eq(
        ensemble_estimate(ensemble, compiled, r->arena, &costs.estimate, &warning, &r->error), OK);
    ck_assert_uint_eq(costs.estimate.n_analyses, 0);
    ensemble_free(ensemble);
    compiled_unref(compiled);
    reading_free(r);
    return costs;
}

#define JOB                                                          \
    "{'model':{'coordinates':['x','y'],'constraints':['x^2+y^2=1']," \
    "'lagrangian':'(dot(x)^2+dot(y)^2)/2'},'initial':{'q':{'x':1},'v':{'y':1}},"

START_TEST(costs_are_those_of_all_members)
{
    const Costs one = costs_of(JOB "'time':{'end':10,'samples':5},'vary':{'time.end':[10]}}");
    const Costs many = costs_of(JOB "'time':{'end':10,'samples':5},'vary':{'time.end':"
                                    "{'from':10,'to':10,'count':700}}}");

    ck_assert(one.estimate.evaluations > 0);
    ck_assert_double_eq_tol(many.estimate.evaluations / one.estimate.evaluations, 700, 1e-9);
    ck_assert_double_eq_tol(many.estimate.operations / one.estimate.operations, 700, 1e-9);
    ck_assert_double_eq(many.bytes, 700 * one.bytes);
    /* t, q, v and the multiplier with `member` before them, at 0, 1, .. 10 and 0, 1, .. 20 */
    const Costs kept = costs_of(JOB "'time':{'end':1,'every':1},'vary':{'time.end':[10,20]},"
                                    "'ensemble':{'keep':'trajectories'}}");
    ck_assert_double_eq(kept.samples, 16);
    ck_assert_double_eq(kept.bytes - 2 * one.bytes, 2 * 16 * 7 * 8.0);
}
END_TEST

/* Off the circle nothing starts; there is nothing to be counted then. */
START_TEST(members_that_cannot_start_cost_nothing)
{
    const Costs half = costs_of(JOB "'time':{'end':10},'vary':{'initial.q.x':[1,2]}}");
    const Costs none = costs_of(JOB "'time':{'end':10},'vary':{'initial.q.x':[2,3]}}");
    const Costs one = costs_of(JOB "'time':{'end':10},'vary':{'initial.q.x':[1]}}");

    ck_assert_double_eq(half.estimate.evaluations, one.estimate.evaluations);
    ck_assert_double_eq(none.estimate.evaluations, 0);
}
END_TEST

SUITE(ensemble_answers)
{
    TCase *tc = suite_case(suite, "ensembles");
    tcase_add_test(tc, a_job_of_members_says_how_many_are_done);
    tcase_add_test(tc, a_plain_job_has_neither_members_nor_design);
    tcase_add_test(tc, a_design_is_told_with_its_axes);
    tcase_add_test(tc, costs_are_those_of_all_members);
    tcase_add_test(tc, members_that_cannot_start_cost_nothing);
}
