/* Unit tests of core/: observables on the rows of a run that was made without them. */
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* A rolling disk that is driven, with an own observable before the new ones. */
static const TestModel DISK = {
    .coordinates = {"x", "y", "th", "ph"},
    .parameters = {{"m", 1.3, ""}, {"R", 0.7, ""}},
    .lagrangian = "m/2*(dot(x)^2 + dot(y)^2) + (dot(th)^2 + dot(ph)^2)/2",
    .constraints = {"dot(x) = R*dot(th)*cos(ph)", "dot(y) = R*dot(th)*sin(ph)"},
    .forces = {{.name = "th", .text = "sin(3*t)", .pointer = ""}},
};
static const NamedValue V[] = {{"th", 1.5, ""}, {"ph", 0.75, ""}};
static const NamedText OBSERVE[] = {
    {.name = "E", .text = "energy()", .pointer = "/observe/E"},
    {.name = "side", .text = "reaction(x)*sin(ph) - reaction(y)*cos(ph)", .pointer = "/observe/a"},
    {.name = "bent", .text = "dot(ph)/hypot(dot(x), dot(y)) + multiplier(c2)/m", .pointer = "/b"},
    {.name = "p", .text = "momentum(th) + kinetic()*t", .pointer = "/observe/p"},
};
enum { N_OWN = 1, N_ALL = 4 };

static JobSpec disk_job(size_t n_observe)
{
    JobSpec spec;

    job_spec_init(&spec);
    spec.time.end = 2;
    spec.time.samples = 41;
    spec.initial.v = V;
    spec.initial.n_v = 2;
    spec.observe = OBSERVE;
    spec.n_observe = n_observe;
    return spec;
}

START_TEST(the_bits_are_those_of_a_run_with_them)
{
    const JobSpec less = disk_job(N_OWN), more = disk_job(N_ALL);
    TestRun plain = test_run(&DISK, &less), whole = test_run(&DISK, &more);
    const char *const *names, *const *units;
    double values[N_ALL - N_OWN];
    RowObserver *observer;
    Error err = {0};

    ck_assert_int_eq(row_observer_new(plain.compiled, &less, OBSERVE + N_OWN, N_ALL - N_OWN,
                                      plain.diag, &observer, &err),
                     OK);
    ck_assert_uint_eq(row_observer_columns(observer, &names, &units), plain.columns);
    ck_assert_ptr_null(units);
    ck_assert_str_eq(names[plain.columns - 1], "E");
    ck_assert_uint_gt(row_observer_operations(observer), 0);
    for (size_t k = 0; k < plain.n_rows; k++) {
        row_observer_eval(observer, plain.rows + k * plain.columns, values);
        ck_assert_mem_eq(values, whole.rows + k * whole.columns + plain.columns, sizeof values);
    }
    row_observer_free(observer);
    test_run_done(&plain);
    test_run_done(&whole);
}
END_TEST

START_TEST(accelerations_are_refused_at_their_place)
{
    static const NamedText WRONG[] = {
        {.name = "ok", .text = "x", .pointer = "/observe/ok"},
        {.name = "a", .text = "dot(momentum(x))", .pointer = "/observe/a"}};
    const JobSpec job = disk_job(N_OWN);
    TestRun run = test_run(&DISK, &job);
    RowObserver *observer = NULL;
    Error err = {0};

    ck_assert_int_eq(row_observer_new(run.compiled, &job, WRONG, 2, run.diag, &observer, &err),
                     ERR_INVALID);
    ck_assert_ptr_null(observer);
    ck_assert_uint_eq(run.diag->total, 1);
    ck_assert(test_says(&run, "/observe/a", "ddot(x)"));
    test_run_done(&run);
}
END_TEST

SUITE(row_observer)
{
    TCase *tc = suite_case(suite, "row_observer");
    tcase_add_test(tc, the_bits_are_those_of_a_run_with_them);
    tcase_add_test(tc, accelerations_are_refused_at_their_place);
}
