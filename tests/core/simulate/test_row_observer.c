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

/* Texts of a drawing: a constant, a place, one with an observable, a force, and a velocity. */
static const NamedText DRAWN[] = {
    {.name = "@0", .text = "2*R", .pointer = "/0"},
    {.name = "@1", .text = "x + R*sin(ph)*t", .pointer = "/1"},
    {.name = "@2", .text = "E + x", .pointer = "/2"},
    {.name = "@3", .text = "multiplier(c1)", .pointer = "/3"},
    {.name = "@4", .text = "dot(x + R*sin(ph)*t)", .pointer = "/4"},
};
enum { N_DRAWN = 5 };

START_TEST(rows_tell_what_they_know_of_a_drawing)
{
    const JobSpec job = disk_job(N_OWN);
    TestRun run = test_run(&DISK, &job);
    RowKnowledge knows[N_DRAWN];
    RowObserver *observer;
    Error err = {0};

    ck_assert_int_eq(
        row_observer_of_drawing(run.compiled, &job, DRAWN, N_DRAWN, run.diag, &observer, &err), OK);
    Arena arena = {0};
    ck_assert_int_eq(row_observer_knows(observer, DRAWN, N_DRAWN, &arena, knows, &err), OK);
    for (size_t k = 0; k < N_DRAWN; k++) {
        ck_assert_int_eq(knows[k].is_constant, k == 0);
        ck_assert_int_eq(knows[k].has_rate, k == 1);
        ck_assert_ptr_null(knows[k].gap);
    }
    ck_assert_double_eq(knows[0].value, 1.4);
    row_observer_free(observer);
    arena_done(&arena);
    test_run_done(&run);
}
END_TEST

START_TEST(a_drawing_may_name_the_observables_of_the_job)
{
    const JobSpec job = disk_job(N_OWN);
    TestRun run = test_run(&DISK, &job);
    const double *row = run.rows + 7 * run.columns;
    double values[N_DRAWN];
    RowObserver *observer;
    Error err = {0};

    ck_assert_int_eq(
        row_observer_of_drawing(run.compiled, &job, DRAWN, N_DRAWN, run.diag, &observer, &err), OK);
    row_observer_eval(observer, row, values);
    ck_assert_double_eq(values[2], row[run.columns - 1] + row[1]);
    row_observer_free(observer);
    test_run_done(&run);
}
END_TEST

/* x and its rate at neighboring rows: the central difference is right to h^2. */
START_TEST(rates_are_the_slopes_of_columns)
{
    const JobSpec job = disk_job(N_OWN);
    TestRun run = test_run(&DISK, &job);
    double before[N_DRAWN], here[N_DRAWN], after[N_DRAWN];
    const double h = 2.0 / 40.0;
    RowObserver *observer;
    Error err = {0};

    ck_assert_int_eq(
        row_observer_of_drawing(run.compiled, &job, DRAWN, N_DRAWN, run.diag, &observer, &err), OK);
    for (size_t k = 1; k + 1 < run.n_rows; k++) {
        row_observer_eval(observer, run.rows + (k - 1) * run.columns, before);
        row_observer_eval(observer, run.rows + k * run.columns, here);
        row_observer_eval(observer, run.rows + (k + 1) * run.columns, after);
        ck_assert_double_eq_tol((after[1] - before[1]) / (2 * h), here[4], h * h);
    }
    row_observer_free(observer);
    test_run_done(&run);
}
END_TEST

START_TEST(mistakes_of_a_drawing_are_found_before_the_run)
{
    static const NamedText WRONG[] = {{.text = "E + x > 1", .pointer = "/ok"},
                                      {.text = "x + nothing", .pointer = "/unknown"},
                                      {.text = "x > 1", .pointer = "/condition"}};
    static const NamedText FAST[] = {{.text = "reaction(x)", .pointer = "/ok"},
                                     {.text = "2*ddot(x)", .pointer = "/fast"}};
    static const bool CONDITIONS[] = {true, false, false};
    const JobSpec job = disk_job(N_OWN);
    TestRun run = test_run(&DISK, &job);
    Error err = {0};

    ck_assert_int_eq(drawing_texts_check(run.compiled, &job, WRONG, CONDITIONS, 3, run.diag, &err),
                     ERR_INVALID);
    ck_assert_uint_eq(run.diag->total, 2);
    ck_assert(test_says(&run, "/unknown", "nothing"));
    ck_assert(test_says(&run, "/condition", "condition"));
    ck_assert_int_eq(
        drawing_texts_check(run.compiled, &job, FAST, CONDITIONS + 1, 2, run.diag, &err),
        ERR_INVALID);
    ck_assert_uint_eq(run.diag->total, 3);
    ck_assert(test_says(&run, "/fast", "ddot(x)"));
    test_run_done(&run);
}
END_TEST

SUITE(row_observer)
{
    TCase *tc = suite_case(suite, "row_observer");
    tcase_add_test(tc, the_bits_are_those_of_a_run_with_them);
    tcase_add_test(tc, accelerations_are_refused_at_their_place);
    tcase_add_test(tc, rows_tell_what_they_know_of_a_drawing);
    tcase_add_test(tc, a_drawing_may_name_the_observables_of_the_job);
    tcase_add_test(tc, rates_are_the_slopes_of_columns);
    tcase_add_test(tc, mistakes_of_a_drawing_are_found_before_the_run);
}
