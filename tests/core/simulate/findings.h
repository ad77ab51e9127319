/* What analyses find, for the tests: run one, and read its record. */
#ifndef TESTS_CORE_SIMULATE_FINDINGS_H
#define TESTS_CORE_SIMULATE_FINDINGS_H

#include "tests/core/simulate/documents.h"

/* Runs one analysis at a start that is made consistent, for 1 in time. */
TestRun test_analyse(const TestModel *model, const char *name, const Value *options,
                     const NamedValue *q, size_t n_q, const NamedValue *v, size_t n_v);

/* A member of what the analysis found; fails the test where it failed or has none. */
const Value *test_finding(const TestRun *run, const char *analysis, const char *name);
const Value *test_nth(const Value *list, size_t k);
double test_number(const Value *parent, const char *name);
void test_expect_text(const Value *parent, const char *name, const char *expected);
/* The analysis failed, and its message has the fragment. */
void test_expect_failure(const TestRun *run, const char *analysis, const char *fragment);

/* The k-th of the equilibria that were found, and the k-th eigenvalue of one, to 1e-6. */
const Value *test_equilibrium(const TestRun *run, size_t k);
void test_expect_eigenvalue(const Value *equilibrium, size_t k, double re, double im);

#endif
