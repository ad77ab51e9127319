/* Formulations seen through the facade: which apply, how they print, second opinions. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* A sled on a slope: one constraint that is linear in the velocities. */
static const TestModel SLED = {
    .coordinates = {"x", "y", "theta"},
    .parameters = {{"m", 1.5, ""}, {"J", 2, ""}, {"g", 3, ""}},
    .lagrangian = "m/2*(dot(x)^2 + dot(y)^2) + J/2*dot(theta)^2 - m*g*x",
    .constraints = {"dot(y)*cos(theta) = dot(x)*sin(theta)"},
};
/* Two pendulums on one another: no constraint, chaotic. */
static const TestModel DOUBLE_PENDULUM = {
    .coordinates = {"a", "b"},
    .lagrangian = "dot(a)^2 + dot(b)^2/2 + cos(a - b)*dot(a)*dot(b) + 20*cos(a) + 10*cos(b)",
};

static JobSpec sled_job(const char *const *compare, size_t n)
{
    static const NamedValue V[] = {{"x", 1, "/initial/v/x"}, {"theta", 0.5, "/initial/v/theta"}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.v = V;
    spec.initial.n_v = 2;
    spec.time.end = 2;
    spec.time.samples = 21;
    spec.compare = compare;
    spec.n_compare = n;
    return spec;
}

static const char *const HAMILTONIAN[] = {"hamiltonian"};

START_TEST(a_second_opinion_measures_the_difference_by_column)
{
    JobSpec spec = sled_job(HAMILTONIAN, 1);
    const NamedText push = {"push", "multiplier(c1)", "/observe/push", NULL};
    spec.observe = &push;
    spec.n_observe = 1;
    TestRun run = test_run(&SLED, &spec);
    const SimulationResult *result = &run.result;

    ck_assert_uint_eq(result->second.n_comparisons, 1);
    const Comparison *c = result->second.comparisons;
    ck_assert_str_eq(c->formulation, "hamiltonian");
    ck_assert(c->status == OK && !c->reason && !c->message);
    ck_assert_uint_eq(c->samples, 21);
    ck_assert(c->accepted > 0 && c->rcond_min > 0 && c->t_reached == 2);
    ck_assert_uint_eq(result->second.n_compared_columns, 8);
    ck_assert_str_eq(result->second.compared_columns[0], "x");
    ck_assert_str_eq(result->second.compared_columns[6], "multiplier(c1)");
    ck_assert_str_eq(result->second.compared_columns[7], "push");
    ck_assert(c->absolute[7] == c->absolute[6]); /* the same quantity twice */
    double absolute = 0, relative = 0;
    for (size_t i = 0; i < 8; i++) {
        ck_assert_double_eq_tol(c->relative[i] * c->size[i], c->absolute[i], 1e-20);
        absolute = fmax(absolute, c->absolute[i]);
        relative = fmax(relative, c->relative[i]);
    }
    ck_assert(c->max_absolute == absolute && c->max_relative == relative);
    ck_assert_msg(relative < 1e-8, "%g", relative);
    test_run_done(&run);
}
END_TEST

/* The difference said is that of the two runs done apart. */
START_TEST(the_difference_is_that_of_two_runs)
{
    static const NamedValue Q[] = {{"a", 2.5, ""}, {"b", 2, ""}};
    JobSpec spec;
    job_spec_init(&spec);
    spec.initial.q = Q;
    spec.initial.n_q = 2;
    spec.integrator.rtol = spec.integrator.atol = 1e-4;
    spec.time.end = 6;
    spec.time.samples = 61;
    TestRun own = test_run(&DOUBLE_PENDULUM, &spec);
    spec.formulation = "hamiltonian";
    TestRun other = test_run(&DOUBLE_PENDULUM, &spec);
    spec.formulation = "lagrange-dalembert";
    spec.compare = HAMILTONIAN;
    spec.n_compare = 1;
    TestRun both = test_run(&DOUBLE_PENDULUM, &spec);
    double largest = 0;

    ck_assert_uint_eq(both.n_rows, own.n_rows);
    ck_assert_int_eq(memcmp(both.rows, own.rows, own.n_rows * own.columns * sizeof(double)), 0);
    for (long k = 0; k < (long)own.n_rows; k++)
        largest = fmax(largest, fabs(test_value(&own, k, "a") - test_value(&other, k, "a")));
    ck_assert(largest > 1e-6);
    ck_assert(both.result.second.comparisons[0].absolute[0] == largest);
    test_run_done(&own);
    test_run_done(&other);
    test_run_done(&both);
}
END_TEST

START_TEST(a_comparison_ends_with_the_run_that_an_event_ends)
{
    JobSpec spec = sled_job(HAMILTONIAN, 1);
    const EventSpec event = {
        .name = "far", .when = {NULL, "theta - 0.5", "/events/0/when", NULL}, .terminal = true};
    spec.events = &event;
    spec.n_events = 1;
    TestRun run = test_run(&SLED, &spec);

    ck_assert_str_eq(run.result.end.stopped_by, "far");
    ck_assert_uint_eq(run.result.second.comparisons[0].samples, run.n_rows);
    ck_assert(run.n_rows < 21 && fabs(run.result.second.comparisons[0].t_reached - 1) < 1e-8);
    test_run_done(&run);
}
END_TEST

static const struct {
    const char *name, *fragment;
} NOT_COMPARABLE[] = {
    {"vakonomic", "motions are others"}, {"intrinsic", "chart"}, {"newton", "unknown formulation"}};

START_TEST(what_does_not_apply_is_refused_with_its_reason)
{
    const char *const names[] = {"hamiltonian", NOT_COMPARABLE[_i].name};
    JobSpec spec = sled_job(names, 2);
    TestRun run = test_refused(&SLED, &spec);

    ck_assert_uint_eq(run.diag->total, 1);
    ck_assert_str_eq(run.diag->items[0].pointer, "/compare/1");
    ck_assert_msg(strstr(run.diag->items[0].message, NOT_COMPARABLE[_i].fragment) != NULL, "%s",
                  run.diag->items[0].message);
    test_run_done(&run);
}
END_TEST

START_TEST(a_comparison_keeps_a_bounded_number_of_values)
{
    JobSpec spec = sled_job(HAMILTONIAN, 1);
    spec.time.samples = 4000000 / 8; /* t, three coordinates and rates, a multiplier */
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile(&SLED, arena, diag);
    Simulation *simulation = NULL;
    ck_assert_int_eq(simulation_new(compiled, &spec, NULL, diag, &simulation, NULL), OK);
    simulation_free(simulation);
    spec.time.samples++;
    ck_assert_int_eq(simulation_new(compiled, &spec, NULL, diag, &simulation, NULL), ERR_INVALID);
    ck_assert_str_eq(diag->items[0].pointer, "/compare");
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

/* A sink that stops the job once the other motion is under way. */
typedef struct Stopper {
    size_t rows;
    double last_fraction;
    bool backwards;
} Stopper;

static Status count_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Stopper *stopper = self;
    (void)table, (void)rows, (void)err;
    stopper->rows += n_rows;
    return OK;
}

static void watch_progress(void *self, double fraction, double t, uint64_t steps)
{
    Stopper *stopper = self;
    (void)t, (void)steps;
    stopper->backwards = stopper->backwards || fraction < stopper->last_fraction;
    stopper->last_fraction = fraction;
}

static Status stop_second(void *self, Error *err)
{
    const Stopper *stopper = self;
    return stopper->last_fraction > 0.75 ? error_set(err, ERR_CANCELLED, "cancelled") : OK;
}

START_TEST(a_job_can_be_stopped_while_it_is_compared)
{
    JobSpec spec = sled_job(HAMILTONIAN, 1);
    spec.time.end = 40000;
    spec.time.samples = 5;
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile(&SLED, arena, diag);
    Simulation *simulation = NULL;
    Stopper stopper = {0};
    const SimulationSink sink = {
        .self = &stopper, .rows = count_rows, .progress = watch_progress, .poll = stop_second};
    SimulationResult result;
    ck_assert_int_eq(simulation_new(compiled, &spec, NULL, diag, &simulation, NULL), OK);
    ck_assert_int_eq(simulation_run(simulation, &sink, &result, NULL), OK);
    ck_assert_int_eq(result.end.status, ERR_CANCELLED);
    ck_assert_str_eq(result.end.reason, "cancelled");
    ck_assert_uint_eq(stopper.rows, 5); /* its own motion is whole */
    ck_assert(result.end.complete && !stopper.backwards);
    ck_assert_uint_eq(result.second.n_comparisons, 1);
    ck_assert_uint_lt(result.second.comparisons[0].samples, 5);
    simulation_free(simulation);
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

START_TEST(the_structure_tells_what_applies)
{
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile(&SLED, arena, diag);
    Structure structure;
    const char *const *names;
    ck_assert_int_eq(compiled_structure(compiled, arena, &structure, NULL), OK);
    ck_assert_uint_eq(structure.n_formulations, formulation_names(&names));
    for (size_t i = 0; i < structure.n_formulations; i++) {
        const StructureFormulation *f = &structure.formulations[i];
        ck_assert_str_eq(f->name, names[i]);
        ck_assert(f->applies == !f->reason);
        if (strcmp(f->name, "intrinsic") == 0 || strcmp(f->name, "least-action") == 0)
            ck_assert(!f->applies);
        if (strcmp(f->name, "voronec") == 0 || strcmp(f->name, "hamel") == 0)
            ck_assert(f->applies);
    }
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

static int parentheses(const char *text)
{
    int open = 0;
    for (; *text; text++)
        open += (*text == '(') - (*text == ')');
    return open;
}

START_TEST(every_formulation_prints_or_says_why_not)
{
    const char *const *names;
    const size_t n = formulation_names(&names);

    for (size_t i = 0; i < n; i++) {
        Arena *arena = arena_new(1 << 24);
        Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
        Compiled *compiled = test_compile_in(&SLED, names[i], arena, diag);
        Structure structure;
        ck_assert_int_eq(compiled_structure(compiled, arena, &structure, NULL), OK);
        for (int format = PRINT_TEXT; format <= PRINT_C; format++) {
            PrintedEquations equations;
            Error err = {0};
            diagnostics_init(diag, arena);
            Status status =
                compiled_print(compiled, (PrintFormat)format, arena, diag, &equations, &err);
            if (!structure.formulations[i].applies) {
                ck_assert_int_eq(status, ERR_INVALID);
                ck_assert_str_eq(diag->items[0].message, structure.formulations[i].reason);
                continue;
            }
            ck_assert_msg(status == OK, "%s: %s", names[i], err.message);
            ck_assert_uint_gt(equations.n, 3);
            ck_assert_int_eq(parentheses(equations.whole), 0);
            if (format == PRINT_C)
                ck_assert_ptr_nonnull(
                    strstr(equations.whole, i == 0 ? "void equations(" : "void rates("));
            /* a symbol without a name prints as s7 */
            for (const char *c = equations.whole; (c = strchr(c, 's')) != NULL; c++)
                ck_assert_msg(
                    (c > equations.whole && (c[-1] == '_' || isalnum((unsigned char)c[-1]))) ||
                        c[1] < '0' || c[1] > '9',
                    "%s: %.30s", names[i], c);
        }
        compiled_unref(compiled);
        arena_free(arena);
    }
}
END_TEST

/* A run has a multiplier of each constraint, the function of the independent ones. */
START_TEST(the_c_function_says_which_multipliers_it_computes)
{
    static const TestModel ROD = {.coordinates = {"x", "y"},
                                  .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
                                  .constraints = {"x = y", "2*x = 2*y"}};
    static const struct {
        const TestModel *model;
        const char *comment;
    } CASES[] = {{&ROD, "\n * multipliers lambda of the independent constraints kept: [0] c1\n"
                        " *   (a run distributes their reaction over all constraints, "},
                 {&SLED, "\n * multipliers lambda: [0] c1\n * columns own:"}};

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        Arena *arena = arena_new(1 << 24);
        Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
        Compiled *compiled = test_compile_in(CASES[i].model, "hamel", arena, diag);
        PrintedEquations code;
        ck_assert_int_eq(compiled_print(compiled, PRINT_C, arena, diag, &code, NULL), OK);
        ck_assert_msg(strstr(code.whole, CASES[i].comment) != NULL, "%s", code.whole);
        compiled_unref(compiled);
        arena_free(arena);
    }
}
END_TEST

SUITE(formulations)
{
    TCase *tc = suite_case(suite, "formulations");
    tcase_add_test(tc, a_second_opinion_measures_the_difference_by_column);
    tcase_add_test(tc, the_difference_is_that_of_two_runs);
    tcase_add_test(tc, a_comparison_ends_with_the_run_that_an_event_ends);
    tcase_add_loop_test(tc, what_does_not_apply_is_refused_with_its_reason, 0,
                        (int)(sizeof NOT_COMPARABLE / sizeof NOT_COMPARABLE[0]));
    tcase_add_test(tc, a_comparison_keeps_a_bounded_number_of_values);
    tcase_add_test(tc, a_job_can_be_stopped_while_it_is_compared);
    tcase_add_test(tc, the_structure_tells_what_applies);
    tcase_add_test(tc, every_formulation_prints_or_says_why_not);
    tcase_add_test(tc, the_c_function_says_which_multipliers_it_computes);
}
