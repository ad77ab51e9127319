/* Lists of a job: what they cost grows as they do, in work and in memory, and whoever prepares them
 * can be stopped. Work is counted in questions whether to go on. */
#include <malloc.h>
#include <stdio.h>

#include "core/base/stop_token.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

/* Work between two questions; work after a no, see test_stop_token.c; length of the longest
 * list. */
enum { EVERY = 1 << 12, LATE_MOST = 1 << 18, LONGEST = 4000 };
/* Of the memory of a list: fixed parts, tables whose sizes are powers of two. */
static const double WORK_MOST = 1.3, MEMORY_MOST = 2.1;

static const TestModel MODEL = {
    .coordinates = {"x", "y"},
    .parameters = {{"k", 2, ""}},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - k*x^2 - y^2",
};

typedef struct Lists {
    NamedText texts[LONGEST];
    EventSpec events[LONGEST];
    ReduceCase cases[LONGEST];
    ReduceSpec reduce[LONGEST];
    char names[LONGEST][16], expressions[LONGEST][64];
} Lists;

static void take_observables(Lists *lists, size_t n, JobSpec *spec)
{
    spec->observe = lists->texts;
    spec->n_observe = n;
}

static void take_events(Lists *lists, size_t n, JobSpec *spec)
{
    for (size_t k = 0; k < n; k++)
        lists->events[k] =
            (EventSpec){.name = lists->names[k], .when = lists->texts[k], .pointer = "/events"};
    spec->events = lists->events;
    spec->n_events = n;
}

static void take_beats(Lists *lists, size_t n, JobSpec *spec)
{
    for (size_t k = 0; k < n; k++)
        lists->events[k] = (EventSpec){
            .name = lists->names[k], .kind = EVENT_EVERY, .every = 0.5, .pointer = "/events"};
    spec->events = lists->events;
    spec->n_events = n;
}

static void take_conditions(Lists *lists, size_t n, JobSpec *spec)
{
    for (size_t k = 0; k < n; k++)
        lists->cases[k] = (ReduceCase){lists->texts[k], (double)k};
    lists->reduce[0] = (ReduceSpec){.name = "label",
                                    .take = REDUCE_LABEL,
                                    .cases = lists->cases,
                                    .n_cases = n,
                                    .pointer = "/ensemble/reduce/label"};
    spec->reduce = lists->reduce;
    spec->n_reduce = 1;
}

static void take_means(Lists *lists, size_t n, JobSpec *spec)
{
    for (size_t k = 0; k < n; k++)
        lists->reduce[k] = (ReduceSpec){.name = lists->names[k],
                                        .take = REDUCE_MEAN,
                                        .of = lists->texts[k],
                                        .pointer = "/ensemble/reduce"};
    spec->reduce = lists->reduce;
    spec->n_reduce = n;
}

static const struct {
    const char *name, *before, *behind; /* the number in its expression */
    void (*take)(Lists *lists, size_t n, JobSpec *spec);
} KINDS[] = {
    {"observables", "sin(", ".5*x) + y", take_observables},
    {"events", "sin(", ".5*x) + y", take_events},
    {"beats", "x + ", "", take_beats},
    {"conditions", "sin(", ".5*x) + y < 0", take_conditions},
    {"means", "sin(", ".5*x) + y", take_means},
};
enum { N_KINDS = sizeof KINDS / sizeof *KINDS };

/* Says no at the question of this number; 0: never. */
typedef struct Word {
    uint64_t calls, stop_at;
} Word;

static Status ask(void *self, Error *err)
{
    Word *word = self;
    word->calls++;
    return word->stop_at && word->calls >= word->stop_at ? error_set(err, ERR_TIMEOUT, "stop") : OK;
}

typedef struct Cost {
    Status status;
    uint64_t questions, late;
    double bytes;
} Cost;

static double heap_bytes(void)
{
    const struct mallinfo2 heap = mallinfo2();
    return (double)heap.uordblks + (double)heap.hblkhd;
}

/* Preparing a job with n entries in the list of this kind. */
static Cost prepare(Compiled *compiled, Lists *lists, int kind, size_t n, uint64_t stop_at)
{
    Arena *arena = arena_new(0);
    JobSpec spec = test_job(1, 2);
    Word word = {.stop_at = stop_at};
    Simulation *simulation = NULL;
    Diagnostics diag;
    StopToken stop_token;
    Error err = {0};

    for (size_t k = 0; k < n; k++) {
        snprintf(lists->names[k], sizeof lists->names[k], "n%zu", k);
        snprintf(lists->expressions[k], sizeof lists->expressions[k], "%s%zu%s", KINDS[kind].before,
                 k, KINDS[kind].behind);
        lists->texts[k] = (NamedText){lists->names[k], lists->expressions[k], "", NULL};
    }
    KINDS[kind].take(lists, n, &spec);
    diagnostics_init(&diag, arena);
    const double before = heap_bytes();
    stop_token_begin(&stop_token, ask, &word);
    stop_token.every = EVERY;
    Cost cost = {.status = simulation_new(compiled, &spec, NULL, &diag, &simulation, &err)};
    stop_token_end(&stop_token);
    cost.questions = word.calls;
    cost.late = stop_token.late;
    cost.bytes = heap_bytes() - before;
    simulation_free(simulation);
    arena_free(arena);
    return cost;
}

typedef struct Setting {
    Arena *arena;
    Diagnostics *diag;
    Compiled *compiled;
    Lists *lists;
} Setting;

static Setting set_up(void)
{
    Setting s = {.arena = arena_new(0)};
    s.diag = ARENA_NEW(s.arena, 1, Diagnostics);
    s.lists = ARENA_NEW(s.arena, 1, Lists);
    s.compiled = test_compile(&MODEL, s.arena, s.diag);
    return s;
}

static void tear_down(Setting *s)
{
    compiled_unref(s->compiled);
    arena_free(s->arena);
}

START_TEST(what_a_list_costs_grows_as_it_does)
{
    Setting s = set_up();
    const Cost part = prepare(s.compiled, s.lists, _i, LONGEST / 4, 0);
    const Cost all = prepare(s.compiled, s.lists, _i, LONGEST, 0);

    ck_assert_int_eq(part.status, OK);
    ck_assert_int_eq(all.status, OK);
    ck_assert_msg((double)all.questions <= WORK_MOST * 4 * (double)(part.questions + 1),
                  "%s: %llu questions, of a quarter %llu", KINDS[_i].name,
                  (unsigned long long)all.questions, (unsigned long long)part.questions);
    ck_assert_msg(all.bytes <= MEMORY_MOST * 4 * part.bytes, "%s: %g bytes, of a quarter %g",
                  KINDS[_i].name, all.bytes, part.bytes);
    tear_down(&s);
}
END_TEST

START_TEST(whoever_prepares_a_list_stops)
{
    Setting s = set_up();
    const Cost whole = prepare(s.compiled, s.lists, _i, LONGEST, 0);

    for (uint64_t k = 1; k <= whole.questions; k *= 2) {
        const Cost cost = prepare(s.compiled, s.lists, _i, LONGEST, k);
        ck_assert_msg(cost.status == ERR_TIMEOUT && cost.questions == k && cost.late <= LATE_MOST,
                      "%s at %llu of %llu: status %d, %llu operations after it", KINDS[_i].name,
                      (unsigned long long)k, (unsigned long long)whole.questions, cost.status,
                      (unsigned long long)cost.late);
    }
    tear_down(&s);
}
END_TEST

SUITE(lists)
{
    TCase *tc = suite_case(suite, "lists");
    tcase_add_loop_test(tc, what_a_list_costs_grows_as_it_does, 0, N_KINDS);
    tcase_add_loop_test(tc, whoever_prepares_a_list_stops, 0, N_KINDS);
}
