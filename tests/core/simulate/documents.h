/* Models and jobs for the tests of core/, written as C literals. */
#ifndef TESTS_CORE_SIMULATE_DOCUMENTS_H
#define TESTS_CORE_SIMULATE_DOCUMENTS_H

#include <check.h>

#include "core/simulate.h"

/* A model of at most 8 of everything. Constraints are unnamed texts. */
typedef struct TestModel {
    const char *coordinates[8];
    NamedValue parameters[8];
    const char *lagrangian;
    const char *constraints[8];
    NamedText forces[8];
    const char *base[8];
    FieldText symmetries[8];
    FieldText frame[8];
    ChartText chart;
} TestModel;

/* Compiles; mistakes and failures come back. */
Status test_try_compile(const TestModel *model, const char *formulation, Arena *arena,
                        Diagnostics *diag, Compiled **ret_compiled, Error *err) MUST_CHECK;

/* A job from 0 to `end`, so many samples, by tight tolerances. */
JobSpec test_job(double end, uint64_t samples);

/* A finished run: all rows of the trajectory and of one event table, in memory. */
typedef struct TestRun {
    Arena *arena;
    Diagnostics *diag;
    Compiled *compiled;
    Simulation *simulation;
    SimulationResult result;
    size_t columns, n_rows, n_event_rows;
    double *rows, *event_rows;
} TestRun;

/* Compiles; fails the test on mistakes. */
Compiled *test_compile(const TestModel *model, Arena *arena, Diagnostics *diag);
Compiled *test_compile_in(const TestModel *model, const char *formulation, Arena *arena,
                          Diagnostics *diag);

/* Compiles, prepares and runs; fails the test unless the job is accepted. */
TestRun test_run(const TestModel *model, const JobSpec *spec);
void test_run_done(TestRun *run);
/* Column `name` of row k of the trajectory; k < 0 counts from the end. */
double test_value(const TestRun *run, long k, const char *name);
/* Largest difference of the named columns over all rows, over 1 + |value|. */
double test_difference(const TestRun *a, const TestRun *b, const char *const *names, size_t n);
double test_event_value(const TestRun *run, size_t k, const char *name);

/* Prepares a job that must be refused; returns the diagnostics (in run->diag). */
TestRun test_refused(const TestModel *model, const JobSpec *spec);
/* Whether there is a diagnostic at the pointer whose message has the fragment. */
bool test_says(const TestRun *run, const char *pointer, const char *fragment);
/* The job must be refused, and test_says() why. */
void test_expect_refused(const TestModel *model, const JobSpec *spec, const char *pointer,
                         const char *fragment);

#endif
