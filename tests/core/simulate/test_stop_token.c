/* Unit tests of core/: whoever is told to stop stops, wherever that is: preparing, running, in
 * every analysis. Work is counted, of what is done after the word to stop, and polls before it. */
#include <stdio.h>
#include <string.h>

#include "core/base/stop_token.h"
#include "core/prepare/compiled.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* Work between two questions, and what is allowed after a no: pieces that cannot be left. */
enum { EVERY = 1 << 12, LATE_MOST = 1 << 18, POLLS_MOST = 4 };

/* A chain of pendulums in angles. */
#define X1 "sin(a)"
#define X2 X1 " + sin(b)"
#define X3 X2 " + sin(c)"
#define X4 X3 " + sin(d)"
#define X5 X4 " + sin(e)"
#define Y1 "cos(a)"
#define Y2 Y1 " + cos(b)"
#define Y3 Y2 " + cos(c)"
#define Y4 Y3 " + cos(d)"
#define Y5 Y4 " + cos(e)"
#define T(x, y) "(dot(" x ")^2 + dot(" y ")^2)/2"
static const TestModel CHAIN = {
    .coordinates = {"a", "b", "c", "d", "e"},
    .lagrangian = T(X1, Y1) " + " T(X2, Y2) " + " T(X3, Y3) " + " T(X4, Y4) " + " T(
        X5, Y5) " + 5*" Y1 " + 4*cos(b) + 3*cos(c) + 2*cos(d) + cos(e) - (a + b + c + d + e)^6",
};

/* Constraints that cannot be integrated, solved for velocities. */
static const TestModel ROLLING = {
    .coordinates = {"a", "b", "c", "d", "e", "f"},
    .lagrangian =
        "((2 + sin(a))*dot(a)^2 + (1 + b^2)*dot(b)^2 + dot(c)^2 + dot(d)^2 + dot(e)^2 + dot(f)^2)/2"
        " - a^2*b^2 - (a + b + c)^4",
    .constraints = {"dot(d) = sin(a)*dot(b) + (1 + a*b)*dot(c)",
                    "dot(e) = cos(b)*dot(a) + exp(a)*dot(c)",
                    "dot(f) = a*b*dot(a) + sin(a*b)*dot(b)"},
};

/* Products of sums, with numbers of many digits. */
static const TestModel POWERS = {
    .coordinates = {"a", "b", "c", "d"},
    .lagrangian = "(dot(a)^2 + dot(b)^2 + dot(c)^2 + dot(d)^2)*(2 + sin(a*b)*cos(c))/2"
                  " - (0.123456789*a + 0.987654321*b + c)^20*(1 + a^2)*(a + 2*b + 3*c + 4*d)^3"
                  " - 1e-300*(a - b)^4 - (1 + a + b)^2*(2 + c + d)^2*(3 + a*c)^2*exp(-a^2 - b^2)",
};

static const TestModel *const MODELS[] = {&CHAIN, &ROLLING, &POWERS};
enum { N_MODELS = sizeof MODELS / sizeof *MODELS };

static const char *const ANALYSES[] = {
    "energy",   "momenta",   "reactions",     "reaction_annihilator", "consistency", "structure",
    "measure",  "discovery", "moving_energy", "gauge_momenta",        "action",      "equilibria",
    "lyapunov", "linearise"};
enum { N_ANALYSES = sizeof ANALYSES / sizeof *ANALYSES };

static const char *const FORMULATIONS[] = {
    "lagrange-dalembert", "hamel", "voronec", "chaplygin", "hamiltonian", "vakonomic", "intrinsic"};
enum { N_FORMULATIONS = sizeof FORMULATIONS / sizeof *FORMULATIONS };

/* Says yes until the call of this number; 0: always. */
typedef struct Word {
    uint64_t calls, stop_at;
    uint64_t moved; /* calls up to the last row of the motion */
} Word;

static Status ask(void *self, Error *err)
{
    Word *word = self;
    word->calls++;
    return word->stop_at && word->calls >= word->stop_at
               ? error_set(err, ERR_TIMEOUT, "told to stop at %llu",
                           (unsigned long long)word->stop_at)
               : OK;
}

static Status take_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    Word *word = self;
    (void)table, (void)rows, (void)n_rows, (void)err;
    word->moved = word->calls;
    return OK;
}

/* What came of a job. */
typedef struct Came {
    Status status;
    uint64_t calls, prepared, analysed; /* polls of all, up to the run, after its last row */
    uint64_t late;
    char verdicts[4096];
} Came;

static void describe(const SimulationResult *result, Came *came)
{
    size_t length = 0;

    for (size_t k = 0; k < result->found.n_verdicts && length < sizeof came->verdicts; k++) {
        const Verdict *w = &result->found.verdicts[k];
        length += (size_t)snprintf(came->verdicts + length, sizeof came->verdicts - length,
                                   "%s %s %zu %.17g; ", w->name, predicted_name(w->predicted),
                                   w->states, w->largest);
    }
}

/* Guards that are looked for within every step. */
static const EventSpec EVENTS[] = {
    {.name = "a", .when = {"", "sin(90*t)*dot(a) + energy()*dot(b)", ""}, .pointer = ""},
    {.name = "b", .when = {"", "sin(80*t)*dot(b) - energy()*dot(a)", ""}, .pointer = ""}};

/* The spec with these events, and nobody to poll: the stop token alone is asked. */
static void watch(JobSpec *spec, SimulationSink *sink)
{
    spec->events = EVENTS;
    spec->n_events = sizeof EVENTS / sizeof *EVENTS;
    sink->poll = NULL;
}

/* A job of a compiled model; compiled NULL: that is its part, too. */
static Came run(const TestModel *model, Compiled *compiled, const char *formulation,
                const char *analysis, bool watched, uint64_t stop_at)
{
    static const NamedValue q[] = {{"a", 0.25, ""}, {"b", -0.5, ""}, {"c", 0.125, ""}};
    const AnalysisSpec asked = {.name = analysis, .pointer = "/analyses/0"};
    Word word = {.stop_at = stop_at};
    Arena *arena = arena_new(1 << 26);
    StopToken stop_token;
    Compiled *own = NULL;
    Simulation *simulation = NULL;
    SimulationResult result = {0};
    SimulationSink sink = {.self = &word, .rows = take_rows, .poll = ask};
    Diagnostics diag;
    JobSpec spec;
    Error err = {0};
    Came came = {0};

    diagnostics_init(&diag, arena);
    job_spec_init(&spec);
    spec.formulation = formulation;
    spec.time.end = 0.125;
    spec.time.samples = 2;
    spec.integrator.rtol = 1e-6;
    spec.initial.q = q;
    spec.initial.n_q = 3;
    spec.analyses = &asked;
    spec.n_analyses = analysis ? 1 : 0;
    if (watched)
        watch(&spec, &sink);
    stop_token_begin(&stop_token, ask, &word);
    stop_token.every = EVERY;
    came.status = compiled ? OK : test_try_compile(model, formulation, arena, &diag, &own, &err);
    if (came.status == OK)
        came.status =
            simulation_new(compiled ? compiled : own, &spec, NULL, &diag, &simulation, &err);
    came.prepared = word.calls;
    if (came.status == OK)
        came.status = simulation_run(simulation, &sink, &result, &err);
    if (came.status == OK)
        came.status = result.end.status;
    if (came.status == OK)
        describe(&result, &came);
    else
        snprintf(came.verdicts, sizeof came.verdicts, "%s",
                 result.end.message ? result.end.message : err.message);
    stop_token_end(&stop_token);
    came.calls = word.calls;
    came.analysed = word.calls - word.moved;
    came.late = stop_token.late;
    simulation_free(simulation);
    compiled_unref(own);
    arena_free(arena);
    return came;
}

/* How often a motion is polled its clock decides: a job may end before the word. */
static void expect_stopped(const Came *came, uint64_t k, const char *what)
{
    if (came->calls < k && came->status == OK)
        return;
    ck_assert_msg(came->status == ERR_TIMEOUT, "%s at %llu: status %d", what, (unsigned long long)k,
                  came->status);
    ck_assert_msg(came->calls < k + POLLS_MOST, "%s at %llu: %llu polls", what,
                  (unsigned long long)k, (unsigned long long)came->calls);
    ck_assert_msg(came->late <= LATE_MOST, "%s at %llu: %llu operations after it", what,
                  (unsigned long long)k, (unsigned long long)came->late);
}

START_TEST(preparing_stops_in_every_formulation)
{
    const char *formulation = FORMULATIONS[_i % N_FORMULATIONS];
    const TestModel *model = MODELS[_i / N_FORMULATIONS];
    const Came whole = run(model, NULL, formulation, NULL, false, 0);

    if (whole.status != OK && whole.status != ERR_NUMERIC)
        return; /* the model has not what the formulation asks for */
    ck_assert_msg(whole.prepared > 0, "%s: %llu polls", formulation,
                  (unsigned long long)whole.prepared);
    for (uint64_t k = 1; k <= whole.prepared; k *= 2) {
        const Came came = run(model, NULL, formulation, NULL, false, k);
        expect_stopped(&came, k, formulation);
    }
}
END_TEST

/* And what was begun is forgotten: the next job of the model says what it would have said
 * anyway. */
START_TEST(every_analysis_stops_and_leaves_nothing_behind)
{
    const char *analysis = ANALYSES[_i % N_ANALYSES];
    const TestModel *model = MODELS[_i / N_ANALYSES];
    const Came whole = run(model, NULL, NULL, analysis, false, 0);
    Arena *arena = arena_new(1 << 24);
    Diagnostics diag;
    Compiled *compiled = test_compile(model, arena, &diag);

    ck_assert_msg(whole.status == OK, "%s", whole.verdicts);
    ck_assert_msg(whole.analysed > 0, "%s: no poll", analysis);
    for (uint64_t k = 1; k <= whole.calls;
         k = k < whole.calls && 2 * k > whole.calls ? whole.calls : 2 * k) {
        const Came fresh = run(model, NULL, NULL, analysis, false, k);
        expect_stopped(&fresh, k, analysis);
        const Came came = run(model, compiled, NULL, analysis, false, k);
        expect_stopped(&came, k, analysis);
    }
    const Came after = run(model, compiled, NULL, analysis, false, 0);
    ck_assert_int_eq(after.status, OK);
    ck_assert_str_eq(after.verdicts, whole.verdicts);
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

START_TEST(looking_for_events_stops)
{
    const TestModel *model = MODELS[_i];
    const Came whole = run(model, NULL, NULL, NULL, true, 0);

    ck_assert_msg(whole.status == OK, "%s", whole.verdicts);
    ck_assert_uint_gt(whole.calls, whole.prepared);
    for (uint64_t k = 1; k <= whole.calls; k *= 2) {
        const Came came = run(model, NULL, NULL, NULL, true, k);
        expect_stopped(&came, k, "events");
    }
}
END_TEST

/* Of a model without a motion: its structure, and its equations as texts. */
static Status tell(const TestModel *model, PrintFormat format, bool structure, Word *word)
{
    Arena *arena = arena_new(1 << 26);
    StopToken stop_token;
    Diagnostics diag;
    Structure told;
    PrintedEquations printed;
    Error err = {0};
    Compiled *compiled = test_compile(model, arena, &diag);

    stop_token_begin(&stop_token, ask, word);
    stop_token.every = EVERY;
    const Status status = structure
                              ? compiled_structure(compiled, arena, &told, &err)
                              : compiled_print(compiled, format, arena, &diag, &printed, &err);
    stop_token_end(&stop_token);
    ck_assert_uint_le(stop_token.late, LATE_MOST);
    compiled_unref(compiled);
    arena_free(arena);
    return status;
}

START_TEST(structure_and_equations_stop)
{
    const TestModel *model = MODELS[_i % N_MODELS];
    const bool structure = _i < N_MODELS;
    Word whole = {0};

    ck_assert_int_eq(tell(model, PRINT_C, structure, &whole), OK);
    ck_assert_msg(!structure || whole.calls > 0, "%llu polls", (unsigned long long)whole.calls);
    for (uint64_t k = 1; k <= whole.calls; k *= 2) {
        Word word = {.stop_at = k};
        ck_assert_int_eq(tell(model, PRINT_C, structure, &word), ERR_TIMEOUT);
        ck_assert_uint_lt(word.calls, k + POLLS_MOST);
    }
}
END_TEST

/* An estimate for whom to ask, and how often, at the least: what is long is spent in pieces. */
START_TEST(whoever_was_asked_before_is_asked_again)
{
    Word outer = {0}, inner = {.stop_at = 1};
    StopToken first, second, third;

    stop_token_begin(&first, ask, &outer);
    stop_token_begin(&second, ask, &inner);
    stop_token_begin(&third, NULL, NULL);
    ck_assert_int_eq(stop_token_spend(STOP_TOKEN_WORK - 1, NULL), OK);
    ck_assert_int_eq(stop_token_spend(1, NULL), ERR_TIMEOUT);
    ck_assert_int_eq(stop_token_spend(5, NULL), ERR_TIMEOUT);
    ck_assert_int_eq(stop_token_settle(ERR_LIMIT, NULL), ERR_TIMEOUT);
    ck_assert_uint_eq(inner.calls, 1);
    stop_token_end(&third);
    stop_token_end(&second);
    ck_assert_uint_eq(first.late, 5);
    ck_assert_int_eq(stop_token_settle(ERR_LIMIT, NULL), ERR_LIMIT);
    ck_assert_int_eq(stop_token_spend(STOP_TOKEN_WORK, NULL), OK);
    ck_assert_uint_eq(outer.calls, 1);
    stop_token_end(&first);
    ck_assert_int_eq(stop_token_spend(STOP_TOKEN_WORK, NULL), OK);
}
END_TEST

SUITE(stop_token)
{
    TCase *tc = suite_case(suite, "stop token");
    tcase_add_test(tc, whoever_was_asked_before_is_asked_again);
    tcase_add_loop_test(tc, preparing_stops_in_every_formulation, 0, N_MODELS * N_FORMULATIONS);
    tcase_add_loop_test(tc, every_analysis_stops_and_leaves_nothing_behind, 0,
                        N_MODELS * N_ANALYSES);
    tcase_add_loop_test(tc, looking_for_events_stops, 0, N_MODELS);
    tcase_add_loop_test(tc, structure_and_equations_stop, 0, 2 * N_MODELS);
}
