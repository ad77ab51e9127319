/* Unit tests of core/: what jobs of one compiled model need not find out again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/prepare/compiled.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* A particle on sheets, with drag; energy is lost, one momentum is kept. */
static const NamedText ALONG[] = {{.name = "y", .text = "1/sqrt(1 + x^2)", .pointer = ""},
                                  {.name = "s", .text = "-x/sqrt(1 + x^2)", .pointer = ""}};
static const TestModel SHEETS = {
    .coordinates = {"x", "y", "s"},
    .parameters = {{"c", 0.5, ""}, {"m", 2, ""}},
    .lagrangian = "m*(dot(x)^2 + dot(y)^2 + dot(s)^2)/2",
    .constraints = {"dot(s) + x*dot(y)"},
    .forces = {{.name = "x", .text = "-c*dot(x)", .pointer = ""}},
    .symmetries = {{.name = "along", .pointer = "", .components = ALONG, .n_components = 2}},
};

/* Verdicts as texts, and the work of finding them out. */
typedef struct Told {
    char text[4][512];
    size_t n;
    RecallWork work;
} Told;

static Status take_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    (void)self, (void)table, (void)rows, (void)n_rows, (void)err;
    return OK;
}

/* A job of the compiled model from x, with this first parameter. */
static Told tell(Compiled *compiled, double x, double parameter)
{
    const NamedValue q[] = {{"x", x, "/initial/q/x"}}, v[] = {{"x", 0.75, "/initial/v/x"}};
    const NamedValue values[] = {{compiled_model(compiled)->names.params[0], parameter, ""}};
    const RecallWork before = recall_work(compiled->recall);
    Arena *arena = arena_new(1 << 24);
    Diagnostics diag;
    Simulation *simulation;
    SimulationResult result;
    SimulationSink sink = {.rows = take_rows};
    JobSpec spec;
    Error err = {0};
    Told told = {0};

    diagnostics_init(&diag, arena);
    job_spec_init(&spec);
    spec.time.end = 1;
    spec.time.samples = 2;
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 1;
    spec.parameters = values;
    spec.n_parameters = 1;
    Status status = simulation_new(compiled, &spec, NULL, &diag, &simulation, &err);
    ck_assert_msg(status == OK, "%s", err.message);
    status = simulation_run(simulation, &sink, &result, &err);
    ck_assert_msg(status == OK && result.end.complete, "%s", err.message);
    told.n = result.found.n_verdicts;
    ck_assert_uint_le(told.n, 4);
    for (size_t k = 0; k < told.n; k++) {
        const Verdict *w = &result.found.verdicts[k];
        snprintf(told.text[k], sizeof told.text[k], "%s %s %zu %.17g %s: %s", w->name,
                 predicted_name(w->predicted), w->states, w->largest, proof_name(w), w->reason);
    }
    simulation_free(simulation);
    arena_free(arena);
    const RecallWork after = recall_work(compiled->recall);
    told.work.exact_tests = after.exact_tests - before.exact_tests;
    told.work.states = after.states - before.states;
    return told;
}

static bool same_texts(const Told *a, const Told *b)
{
    bool same = a->n == b->n;

    for (size_t k = 0; same && k < a->n; k++)
        same = strcmp(a->text[k], b->text[k]) == 0;
    return same;
}

typedef struct Fixture {
    Arena *arena;
    Compiled *compiled;
} Fixture;

static Fixture fixture(const TestModel *model)
{
    Fixture f = {.arena = arena_new(1 << 24)};
    Diagnostics diag;

    f.compiled = test_compile(model, f.arena, &diag);
    return f;
}

static void fixture_done(Fixture *f)
{
    compiled_unref(f->compiled);
    arena_free(f->arena);
}

START_TEST(a_second_job_tests_nothing_and_says_the_same)
{
    Fixture f = fixture(&SHEETS);
    const Told first = tell(f.compiled, 0.5, 0.5), again = tell(f.compiled, 0.5, 0.5);
    const Told elsewhere = tell(f.compiled, -3, 0.5);

    ck_assert_uint_eq(first.n, 2);
    ck_assert_ptr_nonnull(strstr(first.text[0], "energy no"));
    ck_assert_ptr_nonnull(strstr(first.text[1], "along yes"));
    ck_assert_uint_gt(first.work.exact_tests, 0);
    ck_assert_uint_gt(first.work.states, 0);
    ck_assert_uint_eq(again.work.exact_tests + again.work.states, 0);
    ck_assert(same_texts(&first, &again));
    ck_assert_uint_eq(elsewhere.work.exact_tests + elsewhere.work.states, 0);
    ck_assert(same_texts(&first, &elsewhere));
    fixture_done(&f);
}
END_TEST

START_TEST(what_is_said_does_not_depend_on_what_was_asked_before)
{
    Fixture warm = fixture(&SHEETS), cold = fixture(&SHEETS);

    tell(warm.compiled, 0.5, 0.5);
    tell(warm.compiled, 40, 1e-13);
    const Told after = tell(warm.compiled, 2, 0.25), alone = tell(cold.compiled, 2, 0.25);
    ck_assert(same_texts(&after, &alone));
    fixture_done(&warm);
    fixture_done(&cold);
}
END_TEST

/* Energy is kept, which the graph does not see. */
static const TestModel HIDDEN = {
    .coordinates = {"x", "y"},
    .parameters = {{"w", 2, ""}},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - w*(x^2 + y^2)/2",
    .forces = {{.name = "x", .text = "w*(sin(2*x) - 2*sin(x)*cos(x))", .pointer = ""}},
};

START_TEST(a_law_for_all_values_is_found_once)
{
    Fixture f = fixture(&HIDDEN);
    const Told first = tell(f.compiled, 0.5, 2), other = tell(f.compiled, 0.5, 3);

    ck_assert_ptr_nonnull(strstr(first.text[0], "energy yes"));
    ck_assert_uint_eq(first.work.states, 0);
    ck_assert_uint_eq(other.work.exact_tests + other.work.states, 0);
    ck_assert(same_texts(&first, &other));
    fixture_done(&f);
}
END_TEST

/* Where something jumps, a law that holds for other values need not hold for this one: at a = 0 the
 * force is -dot(x). */
static const TestModel JUMPING[] = {
    {.coordinates = {"x"},
     .parameters = {{"a", 1, ""}},
     .lagrangian = "dot(x)^2/2 - x^2/2",
     .forces = {{.name = "x", .text = "(sign(a*x)^2 - 1)*dot(x)", .pointer = ""}}},
    {.coordinates = {"x"},
     .parameters = {{"a", 1, ""}},
     .lagrangian = "dot(x)^2/2 - x^2/2",
     .forces = {{.name = "x", .text = "if(a^2 > 0, 0, -dot(x))", .pointer = ""}}},
};

START_TEST(a_value_at_which_something_jumps_is_asked_for_itself)
{
    Fixture f = fixture(&JUMPING[_i]);

    const Told usual = tell(f.compiled, 0.5, 1), special = tell(f.compiled, 0.5, 0);
    ck_assert_msg(strstr(usual.text[0], "energy yes"), "%s", usual.text[0]);
    ck_assert_msg(strstr(special.text[0], "energy no"), "%s", special.text[0]);
    fixture_done(&f);
}
END_TEST

START_TEST(what_is_kept_is_bounded)
{
    Recall *recall = recall_new();
    Arena arena = {0};
    Recalled found;
    Hash keys[2 * RECALL_MAX_ENTRIES];

    for (size_t k = 0; k < 2 * RECALL_MAX_ENTRIES; k++) {
        const Recalled one = {.verdict = {.name = "energy", .states = k}};
        keys[k] = hash_bytes(&k, sizeof k);
        recall_keep(recall, &keys[k], &one);
    }
    for (size_t k = 0; k < 2 * RECALL_MAX_ENTRIES; k++) {
        ck_assert_int_eq(recall_find(recall, &keys[k], &arena, &found), k >= RECALL_MAX_ENTRIES);
        ck_assert(k < RECALL_MAX_ENTRIES || found.verdict.states == k);
    }
    /* by size too: of long ones few stay */
    char *text = arena_alloc(&arena, RECALL_MAX_BYTES / 8, 1);
    memset(text, 'x', RECALL_MAX_BYTES / 8 - 1);
    for (size_t k = 0; k < 16; k++) {
        const Recalled one = {.verdict = {.name = text, .states = k}};
        keys[k] = hash_bytes(&keys[k], sizeof keys[k]);
        recall_keep(recall, &keys[k], &one);
    }
    ck_assert(recall_find(recall, &keys[15], &arena, &found));
    ck_assert(!recall_find(recall, &keys[0], &arena, &found));
    arena_done(&arena);
    recall_free(recall);
}
END_TEST

SUITE(recall)
{
    TCase *tc = suite_case(suite, "recall");
    tcase_add_test(tc, a_second_job_tests_nothing_and_says_the_same);
    tcase_add_test(tc, what_is_said_does_not_depend_on_what_was_asked_before);
    tcase_add_test(tc, a_law_for_all_values_is_found_once);
    tcase_add_loop_test(tc, a_value_at_which_something_jumps_is_asked_for_itself, 0, 2);
    tcase_add_test(tc, what_is_kept_is_bounded);
}
