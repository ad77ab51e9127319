/* Impacts where bodies touch: at the start, several at one instant, and where they come to rest. No
 * body passes through another; a contact that lasts ends the run with the reason. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

enum { BALLS = 5, WAYS = 9 };

static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamel", "hamiltonian"};
static const char *const METHODS[] = {"dop853", "bdf", "rk4"};

static void choose(JobSpec *spec, int way)
{
    job_spec_init(spec);
    spec->formulation = FORMULATIONS[way % 3];
    spec->integrator.method = METHODS[way / 3];
    spec->integrator.step = way / 3 == 2 ? 0.01 : 0;
}

/* A ball of the size `scale` over a floor. */
typedef struct Drop {
    double y, v, scale, end;
    const char *guard, *set;
    int direction;
} Drop;

static TestRun drop(const Drop *d, int way)
{
    char lagrangian[80];
    const TestModel model = {.coordinates = {"y"}, .lagrangian = lagrangian};
    const NamedValue q = {"y", d->y * d->scale, ""}, v = {"y", d->v * d->scale, ""};
    const NamedText set = {"dot(y)", d->set, "/events/0/set/dot(y)", NULL};
    const EventSpec event = {.name = "hit",
                             .when = {"hit", d->guard, "/events/0/when", NULL},
                             .direction = d->direction,
                             .set = &set,
                             .n_set = 1,
                             .pointer = "/events/0"};
    JobSpec spec;

    snprintf(lagrangian, sizeof lagrangian, "dot(y)^2/2 - %.17g*y", 10 * d->scale);
    choose(&spec, way);
    spec.time.end = d->end;
    spec.time.samples = 101;
    spec.initial.q = &q;
    spec.initial.n_q = 1;
    spec.initial.v = &v;
    spec.initial.n_v = 1;
    spec.events = &event;
    spec.n_events = 1;
    return test_run(&model, &spec);
}

static void expect_rest(const TestRun *run, double t, double tolerance)
{
    ck_assert_msg(!run->result.end.complete, "at %g", t);
    ck_assert_ptr_nonnull(strstr(run->result.end.message, "the event hit: "));
    ck_assert_double_eq_tol(run->result.end.t, t, tolerance);
}

START_TEST(a_ball_that_rests_on_the_floor_ends_the_run)
{
    static const Drop DROPS[] = {
        {0, 0, 1, 1, "y", "-0.9*dot(y)", -1},
        {0, 0, 1e-9, 1, "y", "-0.9*dot(y)", -1},
        {0, 0, 1e9, 1, "y", "0", -1},
        {0x1p-1074, 0, 1, 1, "y", "0", -1},
        {-0x1p-1074, 0, 1, 1, "y", "0", -1},
        {-1e-17, 0, 1, 1, "y", "0", -1},
        {1 - 0x1p-53, 0, 1, 1, "y - 1", "-dot(y)", -1},
        {1 + 0x1p-52, 0, 1, 1, "y - 1", "0", -1},
    };
    for (size_t k = 0; k < sizeof DROPS / sizeof *DROPS; k++) {
        TestRun run = drop(&DROPS[k], _i);
        expect_rest(&run, 0, 1e-5);
        test_run_done(&run);
    }
}
END_TEST

START_TEST(a_ball_thrown_into_the_floor_leaves_it_at_once)
{
    static const Drop DROPS[] = {
        {0, -4, 1, 0.5, "y", "-dot(y)", -1},   {0, -4, 1e-9, 0.5, "y", "-dot(y)", -1},
        {0, -4, 1e9, 0.5, "y", "-dot(y)", -1}, {-2e-17, -4, 1, 0.5, "y", "-dot(y)", -1},
        {0, 4, 1, 0.5, "y", "-dot(y)", -1},    {0, 4, 1, -0.5, "y", "-dot(y)", 1}};
    for (size_t k = 0; k < sizeof DROPS / sizeof *DROPS; k++) {
        TestRun run = drop(&DROPS[k], _i);
        ck_assert_msg(run.result.end.complete, "%zu: %s", k, run.result.end.message);
        ck_assert_uint_eq(run.result.steps.events, DROPS[k].v * DROPS[k].end < 0 ? 1 : 0);
        ck_assert_double_eq_tol(test_value(&run, -1, "y") / DROPS[k].scale, 0.75, 1e-7);
        test_run_done(&run);
    }
}
END_TEST

START_TEST(impacts_that_accumulate_or_do_not_bounce_end_where_they_must)
{
    static const Drop DROPS[] = {{1, 0, 1, 9, "y", "-0.5*dot(y)", -1},
                                 {1, 0, 1e-9, 9, "y", "-0.5*dot(y)", -1},
                                 {1, 0, 1e9, 9, "y", "-0.5*dot(y)", -1},
                                 {1, 0, 1, 9, "y", "0", -1},
                                 {1, 0, 1, 9, "y", "-0*dot(y)", 0}};
    const double fall = sqrt(0.2);
    for (size_t k = 0; k < sizeof DROPS / sizeof *DROPS; k++) {
        TestRun run = drop(&DROPS[k], _i);
        expect_rest(&run, k < 3 ? 3 * fall : fall, 1e-3);
        for (long row = 0; row < (long)run.n_rows; row++)
            ck_assert_double_gt(test_value(&run, row, "y") / DROPS[k].scale, -1e-9);
        test_run_done(&run);
    }
}
END_TEST

/* What is set on the way through a guard is no contact. */
START_TEST(a_guard_may_be_passed)
{
    static const Drop DROPS[] = {{1, 0, 1, 1, "y - 0.5", "dot(y)/2", -1},
                                 {1, 0, 1, 1, "t - 0.5", "0", 1},
                                 {1, 0, 1, 1, "t", "0", 1}};
    for (size_t k = 0; k < sizeof DROPS / sizeof *DROPS; k++) {
        TestRun run = drop(&DROPS[k], _i);
        ck_assert_msg(run.result.end.complete, "%zu: %s", k, run.result.end.message);
        ck_assert_uint_eq(run.result.steps.events, 1);
        test_run_done(&run);
    }
}
END_TEST

/* Balls of length 1 on a line between walls; masses, and e of all impacts. */
typedef struct Line {
    size_t n;
    double x[BALLS], v[BALLS], mass[BALLS], e, right, g;
} Line;

typedef struct LineEvents {
    EventSpec events[BALLS + 1];
    NamedText sets[BALLS + 1][2];
    char names[BALLS + 1][2], targets[BALLS][12], guards[BALLS + 1][40], values[BALLS + 1][2][160];
} LineEvents;

static const char *const NAMES[BALLS] = {"a", "b", "c", "d", "f"};

static void add_event(LineEvents *all, size_t k, size_t n_set, int direction)
{
    snprintf(all->names[k], sizeof all->names[k], "%c", (char)('A' + k));
    all->events[k] = (EventSpec){.name = all->names[k],
                                 .when = {all->names[k], all->guards[k], "/events", NULL},
                                 .direction = direction,
                                 .set = all->sets[k],
                                 .n_set = n_set,
                                 .pointer = "/events"};
}

static void set_wall(const Line *line, LineEvents *all, size_t k, size_t ball)
{
    snprintf(all->values[k][0], sizeof all->values[k][0], "-%.17g*dot(%s)", line->e, NAMES[ball]);
    all->sets[k][0] = (NamedText){all->targets[ball], all->values[k][0], "/events", NULL};
    add_event(all, k, 1, ball == 0 && k != line->n ? -1 : 1);
}

static void make_events(const Line *line, LineEvents *all)
{
    const size_t n = line->n;

    for (size_t i = 0; i < n; i++)
        snprintf(all->targets[i], sizeof all->targets[i], "dot(%s)", NAMES[i]);
    for (size_t i = 0; i + 1 < n; i++) {
        const double m = line->mass[i], w = line->mass[i + 1];
        const char *v = all->targets[i], *u = all->targets[i + 1];
        snprintf(all->guards[i], sizeof all->guards[i], "%s - %s - 1", NAMES[i + 1], NAMES[i]);
        for (int side = 0; side < 2; side++) {
            const double part = line->e * (side == 0 ? -w : m);
            snprintf(all->values[i][side], sizeof all->values[i][side],
                     "(%g*%s + %g*%s + %.17g*(%s - %s))/%g", m, v, w, u, part, v, u, m + w);
            all->sets[i][side] =
                (NamedText){side == 0 ? v : u, all->values[i][side], "/events", NULL};
        }
        add_event(all, i, 2, -1);
    }
    snprintf(all->guards[n - 1], sizeof all->guards[n - 1], "%s", NAMES[0]);
    set_wall(line, all, n - 1, 0);
    snprintf(all->guards[n], sizeof all->guards[n], "%s - %.17g", NAMES[n - 1], line->right);
    set_wall(line, all, n, n - 1);
}

static TestRun play(const Line *line, const JobSpec *given)
{
    JobSpec spec = *given;
    TestModel model = {0};
    NamedValue q[BALLS], v[BALLS];
    LineEvents all;
    char lagrangian[400] = "0";

    make_events(line, &all);
    for (size_t i = 0; i < line->n; i++) {
        const size_t length = strlen(lagrangian);
        model.coordinates[i] = NAMES[i];
        q[i] = (NamedValue){NAMES[i], line->x[i], ""};
        v[i] = (NamedValue){NAMES[i], line->v[i], ""};
        snprintf(lagrangian + length, sizeof lagrangian - length, " + %g*(dot(%s)^2/2 - %g*%s)",
                 line->mass[i], NAMES[i], line->g, NAMES[i]);
    }
    model.lagrangian = lagrangian;
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = line->n;
    spec.events = all.events;
    spec.n_events = line->n + 1;
    return test_run(&model, &spec);
}

/* Nobody is where it cannot be, by more than rounding and tolerance leave. */
static double least_gap(const Line *line, const TestRun *run)
{
    double least = 0;
    for (long row = 0; row < (long)run->n_rows; row++) {
        double before = -1;
        for (size_t i = 0; i < line->n; i++) {
            const double x = test_value(run, row, NAMES[i]);
            least = fmin(least, x - before - 1);
            before = x;
        }
        least = fmin(least, line->right - before);
    }
    return least;
}

START_TEST(a_cradle_hands_the_motion_on)
{
    for (size_t n = 3; n <= BALLS; n += 2) {
        Line line = {.n = n, .e = 1, .right = 100};
        JobSpec spec;
        for (size_t i = 0; i < n; i++) {
            line.x[i] = i == 0 ? 0.5 : 1 + (double)i;
            line.mass[i] = 1;
        }
        line.v[0] = 1;
        choose(&spec, _i);
        spec.time.end = 2;
        TestRun run = play(&line, &spec);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        ck_assert_uint_eq(run.result.steps.events, n - 1);
        ck_assert_double_eq_tol(test_value(&run, -1, "a"), 1, 1e-9);
        ck_assert_double_eq_tol(test_value(&run, -1, NAMES[n - 1]), (double)n + 1.5, 1e-9);
        test_run_done(&run);
    }
}
END_TEST

START_TEST(nobody_passes_a_wall_or_another)
{
    Random random;

    random_init(&random, 20260101 + (uint64_t)_i);
    for (int i = 0; i < 40; i++) {
        Line line = {.n = 1 + random_bits(&random) % BALLS};
        JobSpec spec;
        double x = 0;
        for (size_t k = 0; k < line.n; k++) {
            x += (k ? 1 : 0) + (random_bits(&random) % 3 ? 0 : random_uniform(&random, 0, 1));
            line.x[k] = x * (random_bits(&random) % 4 ? 1 : 1 - 0x1p-53);
            line.v[k] = random_bits(&random) % 2 ? 0 : random_uniform(&random, -1, 1);
            line.mass[k] = (double)(1 + random_bits(&random) % 3);
        }
        line.e = (double)(random_bits(&random) % 3) / 2;
        line.g = random_bits(&random) % 2 ? 0 : 10;
        line.right = x + (double)(random_bits(&random) % 3);
        choose(&spec, _i);
        spec.time.end = 2;
        spec.time.samples = 101;
        TestRun run = play(&line, &spec);
        ck_assert_double_gt(least_gap(&line, &run), -1e-6);
        ck_assert(run.result.end.complete || strstr(run.result.end.message, "chattering"));
        test_run_done(&run);
    }
}
END_TEST

static bool says(const TestRun *run, const char *warning)
{
    for (size_t k = 0; k < run->result.n_warnings; k++)
        if (strstr(run->result.warnings[k], warning))
            return true;
    return false;
}

static bool warns_of_start(const TestRun *run)
{
    return says(run, "zero at the start");
}

/* Backwards in time a ball comes to its floor while its height, as time increases, rises. */
START_TEST(a_floor_that_is_met_backwards_needs_the_other_direction)
{
    static const struct {
        int direction;
        double end;
        size_t rows;
        bool warns;
    } CASES[] = {{1, -1, 2, false},
                 {-1, -1, 0, true},
                 {0, -1, 2, false},
                 {-1, 1, 2, false},
                 {1, 1, 0, false}};

    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        const Drop d = {.y = 0.45, /* 0.3 above, then each 0.6 */
                        .scale = 1,
                        .end = CASES[k].end,
                        .guard = "y",
                        .set = "-dot(y)",
                        .direction = CASES[k].direction};
        TestRun run = drop(&d, _i);
        const bool warns = says(&run, "backwards needs \"rising\"");
        ck_assert_int_eq(run.result.end.status, OK);
        ck_assert_uint_eq(run.n_event_rows, CASES[k].rows);
        ck_assert_msg(warns == CASES[k].warns, "direction %d", CASES[k].direction);
        test_run_done(&run);
    }
}
END_TEST

/* Ends and starts of flights, from the floor: what goes on below it says so. */
START_TEST(a_start_on_the_floor_backwards_acts_or_is_told)
{
    static const struct {
        int direction;
        double v;
        size_t rows;
        bool warns, of_start;
    } CASES[] = {{-1, 3, 0, true, false},  {-1, 0, 0, true, false},   {1, 3, 1, false, false},
                 {1, -3, 0, false, false}, {-1, -3, 1, false, false}, {0, 3, 0, false, true},
                 {0, -3, 0, false, true}};

    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        const Drop d = {.v = CASES[k].v,
                        .scale = 1,
                        .end = -0.5,
                        .guard = "y",
                        .set = "-dot(y)",
                        .direction = CASES[k].direction};
        TestRun run = drop(&d, _i);
        const bool warns = says(&run, "begins: it is \"falling\", and as time increases it rises");
        ck_assert_int_eq(run.result.end.status, OK);
        ck_assert_uint_eq(run.n_event_rows, CASES[k].rows);
        ck_assert_msg(warns == CASES[k].warns, "case %zu", k);
        ck_assert(warns_of_start(&run) == CASES[k].of_start);
        test_run_done(&run);
    }
}
END_TEST

/* Up from the floor, 0.05 s long, and back: without a direction nothing happens at the start. */
START_TEST(an_impact_without_direction_says_that_it_does_not_act_at_the_start)
{
    static const struct {
        double y, v;
        const char *guard;
        int direction;
        bool warns;
        size_t rows;
    } STARTS[] = {{0, 0.25, "y", 0, true, 1},        {0.6, 0.25, "y - 0.6", 0, true, 1},
                  {0, -0.25, "y", 0, true, 0},       {0, 0.25, "y", -1, false, 1},
                  {1e-9, 0.25, "y", 0, false, 1},    {0.6, 0.25, "y - 0.599999999", 0, false, 1},
                  {0, 0, "t*(t - 0.05)", 0, true, 1}};

    for (size_t k = 0; k < sizeof STARTS / sizeof *STARTS; k++) {
        const Drop d = {.y = STARTS[k].y,
                        .v = STARTS[k].v,
                        .scale = 1,
                        .end = 0.06,
                        .guard = STARTS[k].guard,
                        .set = "-dot(y)/2",
                        .direction = STARTS[k].direction};
        TestRun run = drop(&d, _i);
        ck_assert_int_eq(run.result.end.status, OK);
        ck_assert_msg(warns_of_start(&run) == STARTS[k].warns, "%s", STARTS[k].guard);
        ck_assert_uint_eq(run.n_event_rows, STARTS[k].rows);
        test_run_done(&run);
    }
}
END_TEST

SUITE(contacts)
{
    TCase *tc = suite_case(suite, "contacts");

    tcase_add_loop_test(tc, a_ball_that_rests_on_the_floor_ends_the_run, 0, SUITE_DRAWS(WAYS));
    tcase_add_loop_test(tc, a_ball_thrown_into_the_floor_leaves_it_at_once, 0, SUITE_DRAWS(WAYS));
    tcase_add_loop_test(tc, impacts_that_accumulate_or_do_not_bounce_end_where_they_must, 0,
                        SUITE_DRAWS(WAYS));
    tcase_add_loop_test(tc, an_impact_without_direction_says_that_it_does_not_act_at_the_start, 0,
                        SUITE_DRAWS(WAYS));
    tcase_add_loop_test(tc, a_floor_that_is_met_backwards_needs_the_other_direction, 0,
                        SUITE_DRAWS(WAYS));
    tcase_add_loop_test(tc, a_start_on_the_floor_backwards_acts_or_is_told, 0, SUITE_DRAWS(WAYS));
    tcase_add_loop_test(tc, a_guard_may_be_passed, 0, SUITE_DRAWS(WAYS));
    tcase_add_loop_test(tc, a_cradle_hands_the_motion_on, 0, SUITE_DRAWS(WAYS));
    tcase_add_loop_test(tc, nobody_passes_a_wall_or_another, 0, SUITE_DRAWS(WAYS));
}
