/* What analyses find, for the tests. */
#include "tests/core/simulate/findings.h"

#include <math.h>
#include <string.h>

TestRun test_analyse(const TestModel *model, const char *name, const Value *options,
                     const NamedValue *q, size_t n_q, const NamedValue *v, size_t n_v)
{
    const AnalysisSpec analysis = {.name = name, .options = options, .pointer = "/analyses/0"};
    JobSpec spec;
    job_spec_init(&spec);
    spec.time.end = 1;
    spec.time.samples = 2;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.initial.q = q, spec.initial.n_q = n_q, spec.initial.v = v, spec.initial.n_v = n_v;
    spec.analyses = &analysis, spec.n_analyses = 1;
    return test_run(model, &spec);
}

const Value *test_finding(const TestRun *run, const char *analysis, const char *name)
{
    const Value *found = value_member(run->result.found.findings, analysis);
    const Value *failed = value_member(found, "failed");
    ck_assert_msg(!failed, "%s", failed ? failed->text : "");
    found = value_member(found, name);
    ck_assert_msg(found != NULL, "no member %s of %s", name, analysis);
    return found;
}

const Value *test_nth(const Value *list, size_t k)
{
    const Value *value = list->first;
    while (value && k-- > 0)
        value = value->next;
    ck_assert_ptr_nonnull(value);
    return value;
}

double test_number(const Value *parent, const char *name)
{
    const Value *value = value_member(parent, name);
    ck_assert_msg(value && value->kind == VALUE_NUMBER, "no number %s", name);
    return value->number;
}

void test_expect_text(const Value *parent, const char *name, const char *expected)
{
    const Value *value = value_member(parent, name);
    ck_assert_ptr_nonnull(value);
    ck_assert_str_eq(value->text, expected);
}

void test_expect_failure(const TestRun *run, const char *analysis, const char *fragment)
{
    const Value *failed =
        value_member(value_member(run->result.found.findings, analysis), "failed");
    ck_assert_ptr_nonnull(failed);
    ck_assert_msg(strstr(failed->text, fragment) != NULL, "%s", failed->text);
}

const Value *test_equilibrium(const TestRun *run, size_t k)
{
    const Value *list = value_member(run->result.found.findings, "equilibria");
    ck_assert_msg(list && list->kind == VALUE_LIST, "%s",
                  list ? value_member(list, "failed")->text : "no equilibria");
    return test_nth(list, k);
}

void test_expect_eigenvalue(const Value *found, size_t k, double re, double im)
{
    const Value *value = test_nth(value_member(found, "eigenvalues"), k);
    ck_assert_msg(hypot(test_number(value, "re") - re, test_number(value, "im") - im) < 1e-6,
                  "%zu: %.9g %+.9gi, not %.9g %+.9gi", k, test_number(value, "re"),
                  test_number(value, "im"), re, im);
}
