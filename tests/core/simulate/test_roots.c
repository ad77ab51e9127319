/* Roots of events: none is lost because the motion is lazy, or the guard narrow. Random guards
 * along x = t, y = cos(t) against the changes of sign of their closed form. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

enum { KINDS = 9, POINTS = 200000, CASES = 60 };
static const double END = 10;

static const char *const TEXTS[KINDS] = {"sin(a*t) - b",
                                         "exp(-((x - a)/b)^2) - 0.5",
                                         "abs(x - a) - b",
                                         "(x - a)*(x - b)*(y - 0.3)",
                                         "dot(y) - a*sin(b*t)",
                                         "if(x < a, -1, sin(b*x))",
                                         "tanh(a*(x - b)) + 0.5",
                                         "min(sin(a*t), cos(b*x))",
                                         "hypot(y, dot(y) - a) - b"};

static double closed_form(int kind, double a, double b, double t)
{
    const double x = t, y = cos(t), v = -sin(t);
    switch (kind) {
    case 0:
        return sin(a * t) - b;
    case 1:
        return exp(-(x - a) / b * (x - a) / b) - 0.5;
    case 2:
        return fabs(x - a) - b;
    case 3:
        return (x - a) * (x - b) * (y - 0.3);
    case 4:
        return v - a * sin(b * t);
    case 5:
        return x < a ? -1 : sin(b * x);
    case 6:
        return tanh(a * (x - b)) + 0.5;
    case 7:
        return fmin(sin(a * t), cos(b * x));
    default:
        return hypot(y, v - a) - b;
    }
}

static void draw(Random *random, int kind, double *a, double *b)
{
    const double place = random_uniform(random, 1, 9), size = random_uniform(random, 0.1, 0.9);
    const double fast = random_uniform(random, 0.5, 40);
    const double narrow = pow(10, random_uniform(random, -3, -0.5));

    *a = kind == 0 || kind == 7 ? fast : kind == 4 || kind == 8 ? size : place;
    *b = kind == 0   ? size
         : kind == 3 ? random_uniform(random, 1, 9)
         : kind == 8 ? 2 * size
                     : narrow;
    if (kind == 4 || kind == 5 || kind == 7)
        *b = fast;
    if (kind == 6) {
        *a = 1 / narrow;
        *b = place;
    }
}

static size_t changes(int kind, double a, double b)
{
    size_t n = 0;
    double before = 0;
    for (int i = 1; i <= POINTS; i++) {
        const double value = closed_form(kind, a, b, END * i / POINTS - 1e-9);
        n += before * value < 0;
        before = value != 0 ? value : before;
    }
    return n;
}

static TestRun roots_of(const char *when, double a, double b, int way)
{
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamel", "hamiltonian"};
    static const char *const METHODS[] = {"dop853", "bdf", "rk4"};
    const TestModel model = {.coordinates = {"x", "y"},
                             .parameters = {{"a", a, ""}, {"b", b, ""}},
                             .lagrangian = "dot(x)^2/2 + dot(y)^2/2 - y^2/2"};
    const NamedValue q = {"y", 1, ""}, v = {"x", 1, ""};
    const EventSpec event = {
        .name = "e", .when = {"e", when, "/events/0/when", NULL}, .pointer = "/events/0"};
    JobSpec spec;

    job_spec_init(&spec);
    spec.formulation = FORMULATIONS[way % 3];
    spec.integrator.method = METHODS[way / 3];
    spec.integrator.step = way / 3 == 2 ? 0.05 : 0;
    spec.time.end = END;
    spec.time.samples = 2;
    spec.initial.q = &q;
    spec.initial.v = &v;
    spec.initial.n_q = spec.initial.n_v = 1;
    spec.events = &event;
    spec.n_events = 1;
    return test_run(&model, &spec);
}

START_TEST(random_guards_lose_no_root_without_a_word)
{
    Random random;
    size_t there = 0, lost = 0;

    random_init(&random, 77 + (uint64_t)_i);
    for (int i = 0; i < CASES; i++) {
        const int kind = i % KINDS;
        const char *when = TEXTS[kind];
        double a, b;
        draw(&random, kind, &a, &b);
        const size_t expected = changes(kind, a, b);
        TestRun run = roots_of(when, a, b, _i);
        ck_assert_msg(run.result.end.complete, "%s: %s", when, run.result.end.message);
        const size_t found = (size_t)run.result.steps.events;
        if (found != expected) {
            lost += found < expected ? expected - found : found - expected;
            ck_assert_msg(run.result.n_warnings > 0, "way %d, %s, %.17g %.17g: %zu of %zu", _i,
                          when, a, b, found, expected);
        }
        there += expected;
        test_run_done(&run);
    }
    ck_assert_uint_gt(there, 500);
    ck_assert_msg(lost * 100 <= there, "%zu of %zu", lost, there);
}
END_TEST

START_TEST(a_lazy_motion_loses_no_turn)
{
    static const struct {
        const char *when;
        size_t n;
    } CASES_OF[] = {{"sin(2*pi*t - 0.1)", 20},
                    {"sin(100*x + 0.1)", 318},
                    {"sin(777*x + 0.1)", 2473}, /* more than one step may have */
                    {"exp(-((x - 3.333)/0.000001)^2) - 0.5", 2},
                    {"(x - 3.2)*(x - 3.2000001)", 2},
                    {"x - t", 0},
                    {"(x - 3.2)^2", 0}};
    for (size_t k = 0; k < sizeof CASES_OF / sizeof *CASES_OF; k++) {
        TestRun run = roots_of(CASES_OF[k].when, 0, 0, _i);
        /* whether what comes within rounding of zero crosses it is not known, and told */
        ck_assert_uint_eq(run.result.n_warnings, CASES_OF[k].n == 0);
        ck_assert_uint_eq(run.result.features.n_undecided_events, CASES_OF[k].n == 0);
        if (CASES_OF[k].n > 0)
            ck_assert_msg(run.result.steps.events == CASES_OF[k].n, "%s: %llu", CASES_OF[k].when,
                          (unsigned long long)run.result.steps.events);
        test_run_done(&run);
    }
}
END_TEST

/* A bead that is free on a circle of radius l, by its angle: steps are as long as they like, and
 * many turns pass in one. */
static TestRun turns_of(const char *when, double l, double speed, const char *method)
{
    static const NamedText MAP[] = {{"x", "l*cos(a)", "", NULL}, {"y", "l*sin(a)", "", NULL}};
    static const CoordinateText ANGLE[] = {{.name = "a"}};
    const TestModel bead = {
        .coordinates = {"x", "y"},
        .parameters = {{"l", l, ""}},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
        .constraints = {"x^2 + y^2 = l^2"},
        .chart = {.coordinates = ANGLE, .n_coordinates = 1, .map = MAP, .n_map = 2, .pointer = ""}};
    const NamedValue q[] = {{"x", l, ""}, {"y", 0, ""}}, v[] = {{"x", 0, ""}, {"y", l * speed, ""}};
    const EventSpec event = {
        .name = "e", .when = {"e", when, "/events/0/when", NULL}, .pointer = "/events/0"};
    JobSpec spec;

    job_spec_init(&spec);
    spec.formulation = "intrinsic";
    spec.integrator.method = method;
    spec.integrator.step = strcmp(method, "rk4") == 0 ? 2 : 0;
    spec.time = (TimeSpec){.end = END, .samples = 2};
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 2;
    spec.events = &event;
    spec.n_events = 1;
    return test_run(&bead, &spec);
}

START_TEST(turns_within_a_step_of_a_chart_are_counted)
{
    static const char *const METHODS[] = {"dop853", "bdf", "rk4"};
    static const double LENGTHS[] = {1, 1e-9, 1e9};
    static const struct {
        const char *when;
        double speed;
        size_t n;
    } CASES_OF[] = {{"x/l", 1.9, 6},
                    {"x/l", 31.4, 100},
                    {"y/l + 0.5", 7.3, 23},
                    {"dot(x)/l - 0.2*y/l", 5.1, 16},
                    {"x*(x - 0.001*l)/l^2", 3.3, 22}};

    for (size_t k = 0; k < sizeof CASES_OF / sizeof *CASES_OF; k++) {
        TestRun run =
            turns_of(CASES_OF[k].when, LENGTHS[_i % 3], CASES_OF[k].speed, METHODS[_i / 3]);
        ck_assert_msg(run.result.steps.events == CASES_OF[k].n, "%s: %llu", CASES_OF[k].when,
                      (unsigned long long)run.result.steps.events);
        ck_assert_uint_eq(run.result.features.n_undecided_events, 0);
        test_run_done(&run);
    }
}
END_TEST

/* Roots that are one to rounding are found, or told. */
START_TEST(near_touches_are_found_or_told)
{
    static const char *const WHENS[] = {"sin(t) - (1 - 1e-9)",  "sin(t) - (1 - 1e-12)",
                                        "sin(t) - (1 - 1e-14)", "sin(t) - (1 - 1e-15)",
                                        "sin(x) - (1 - 1e-15)", "1 - sin(t)"};
    for (size_t k = 0; k < sizeof WHENS / sizeof *WHENS; k++) {
        TestRun run = roots_of(WHENS[k], 0, 0, _i);
        if (run.result.steps.events != 4)
            ck_assert_uint_eq(run.result.features.n_undecided_events, 1);
        if (k < 2)
            ck_assert_uint_eq(run.result.features.n_undecided_events, 0);
        test_run_done(&run);
    }
}
END_TEST

typedef struct Touch {
    const char *when;
    double rtol;         /* 0: the default */
    size_t undecided, n; /* roots, where that is known */
} Touch;

/* x = cos(t) comes to the touch, or does not. */
static void see_touch(const Touch *touch, const char *formulation, const char *method, double end)
{
    static const TestModel model = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 - x^2/2"};
    static const AnalysisSpec none[1];
    const NamedValue q = {"x", 1, ""};
    const EventSpec event = {
        .name = "e", .when = {"e", touch->when, "/events/0/when", NULL}, .pointer = "/events/0"};
    JobSpec spec;

    job_spec_init(&spec);
    spec.formulation = formulation;
    spec.integrator.method = method;
    spec.integrator.rtol = touch->rtol > 0 ? touch->rtol : spec.integrator.rtol;
    spec.initial.q = &q;
    spec.initial.n_q = 1;
    spec.time = (TimeSpec){.end = end, .samples = 2};
    spec.analyses = none;
    spec.events = &event;
    spec.n_events = 1;
    TestRun run = test_run(&model, &spec);
    ck_assert_msg(run.result.features.n_undecided_events == touch->undecided, "%s, %g", touch->when,
                  touch->rtol);
    if (touch->undecided == 0)
        ck_assert_msg(run.result.steps.events == touch->n, "%s: %llu", touch->when,
                      (unsigned long long)run.result.steps.events);
    test_run_done(&run);
}

/* x = cos(t), to the tolerance: whether it comes to 1 - 1e-12 nobody knows. */
START_TEST(touches_within_the_tolerance_are_told)
{
    static const Touch TOUCHES[] = {{"x - (1 - 1e-12)", 0, 1, 0},
                                    {"x - (1 + 1e-12)", 0, 1, 0},
                                    {"x - 0.99999", 1e-3, 1, 0},
                                    {"1e9*(x - 0.99999)", 1e-3, 1, 0},
                                    {"dot(x) + 1 - 1e-12", 0, 1, 0},
                                    {"x - (1 - 1e-6)", 0, 0, 31},
                                    {"x - (1 + 1e-6)", 0, 0, 0},
                                    {"x - 0.9", 0, 0, 31},
                                    {"x", 0, 0, 32},
                                    {"x", 1e-3, 0, 32},
                                    {"x^3", 0, 0, 32},
                                    {"dot(x)", 0, 0, 31},
                                    {"x^2 - 1e-6", 0, 0, 64},
                                    {"x*exp(-t/4)", 0, 0, 32},
                                    {"x + 1000", 0, 0, 0}};

    for (size_t k = 0; k < sizeof TOUCHES / sizeof *TOUCHES; k++)
        see_touch(&TOUCHES[k], _i == 0 ? "lagrange-dalembert" : "hamiltonian", "dop853", 100);
}
END_TEST

/* Each of its steps errs by what its estimate says, and these errors add up: x is off by 5e-8 at t
 * = 6 with rtol 1e-9. */
START_TEST(touches_within_what_bdf_adds_up_are_told)
{
    static const Touch TOUCHES[] = {{"x - (1 - 1e-12)", 0, 1, 0},
                                    {"x - (1 - 1e-8)", 0, 1, 0},
                                    {"x - (1 + 1e-8)", 0, 1, 0},
                                    {"x - (1 - 1e-10)", 2e-5, 1, 0},
                                    {"x - (1 + 1e-5)", 0, 0, 0},
                                    {"x - (1 - 1e-6)", 0, 0, 9},
                                    {"x - 0.9", 1e-4, 0, 9},
                                    {"x", 1e-4, 0, 10},
                                    {"x^3", 0, 0, 10},
                                    {"dot(x)", 0, 0, 9},
                                    {"(x - 0.3)*(x - 0.3000001)", 0, 0, 18}};

    for (size_t k = 0; k < sizeof TOUCHES / sizeof *TOUCHES; k++)
        see_touch(&TOUCHES[k], "lagrange-dalembert", "bdf", 30);
}
END_TEST

/* About x = 5 there are infinitely many. */
START_TEST(roots_that_crowd_together_are_told)
{
    TestRun run = roots_of("sin(1/(x - 5))", 0, 0, _i);
    ck_assert_uint_eq(run.result.features.n_undecided_events, 1);
    ck_assert_uint_gt(run.result.steps.events, 1000);
    ck_assert_uint_lt(run.result.steps.events, 100000);
    test_run_done(&run);
}
END_TEST

START_TEST(an_event_that_cannot_happen_is_told)
{
    static const char *const WHENS[] = {"1", "0", "a - b", "x - x", "x + 100"};
    for (size_t k = 0; k < sizeof WHENS / sizeof *WHENS; k++) {
        TestRun run = roots_of(WHENS[k], 1, 1, 0);
        ck_assert_uint_eq(run.result.n_warnings, k < 4);
        if (k < 4)
            ck_assert_ptr_nonnull(strstr(run.result.warnings[0], "never happens"));
        test_run_done(&run);
    }
}
END_TEST

START_TEST(an_event_that_cannot_be_decided_is_named)
{
    /* as far as intervals tell, 1/(t - t) may have any sign */
    TestRun run = roots_of("sin(1/(1e-9 + (x - t)^2))", 0, 0, 0);
    ck_assert_uint_eq(run.result.features.n_undecided_events, 1);
    ck_assert_str_eq(run.result.features.undecided_events[0].name, "e");
    ck_assert_uint_gt(run.result.features.undecided_events[0].steps, 0);
    ck_assert_uint_eq(run.result.n_warnings, 1);
    test_run_done(&run);
    run = roots_of("sin(3*t)", 0, 0, 0);
    ck_assert_uint_eq(run.result.features.n_undecided_events, 0);
    test_run_done(&run);
}
END_TEST

/* A change of sign through a pole is no root, one by a jump is. */
START_TEST(poles_are_no_roots)
{
    static const struct {
        const char *when;
        size_t n;
        bool lost;
    } CASES_OF[] = {{"1/(x - 5)", 0, true},
                    {"1/(x - 4.4)", 0, true},
                    {"1/y", 0, true},
                    {"tan(x)", 3, true},
                    {"tan(t)", 3, true},
                    {"1e-20*tan(x)", 3, true},
                    {"1e20*tan(x)", 3, true},
                    {"1/tan(x)", 3, true},
                    {"tan(40*x + 0.1)", 127, true},
                    {"(x - 7)/(x - 5)", 1, true},
                    {"1/(x - 3.3) + 1e6", 1, true},
                    {"1/(x - 3.3) - 1e9", 1, true},
                    {"1/(x - 4.4)^3", 0, true},
                    {"cbrt(1/(x - 4.4))", 0, true},
                    {"1/sinh(x - 6.6)", 0, true},
                    {"1/(x - 4.4)^2 - 1e4", 2, false},
                    {"if(x < 4.4, -1, 1)", 1, false},
                    {"if(x < 4.4, -1, 1)*exp(-((x - 4.4)/1e-7)^2) + 1e-3*(x - 4.4)", 1, false},
                    {"(x - 4.4)/abs(x - 4.4)", 1, false},
                    {"atan2(sin(x), cos(x))", 3, false},
                    {"(x - 4.4)^21", 1, false},
                    {"tanh(1e12*(x - 4.4))", 1, false},
                    {"x^5 - 1024", 1, false}};
    for (size_t k = 0; k < sizeof CASES_OF / sizeof *CASES_OF; k++) {
        TestRun run = roots_of(CASES_OF[k].when, 0, 0, _i);
        const char *warning = run.result.n_warnings > 0 ? run.result.warnings[0] : "";
        const bool told = strstr(warning, "not finite") != NULL;
        /* where a step ends at 4.4, what has no value there is told, too */
        const bool right = run.result.steps.events == CASES_OF[k].n && (told || !CASES_OF[k].lost);
        ck_assert_msg(right, "%s: %llu roots; %s", CASES_OF[k].when,
                      (unsigned long long)run.result.steps.events, warning);
        test_run_done(&run);
    }
}
END_TEST

/* Steps that end at t = 5, or have a quarter there, where the guard is 0/0: its limits tell. */
START_TEST(a_jump_where_the_guard_has_no_value_is_a_root)
{
    static const struct {
        const char *when;
        size_t n;
    } CASES_OF[] = {{"(t - 5)/abs(t - 5)", 1},
                    {"(5 - t)/hypot(t - 5, 0)", 1},
                    {"(x - 5)/abs(x - 5)", 1},
                    {"sin(t - 5)/abs(t - 5)", 3},
                    {"(t - 5)/abs(t - 5)*(t - 6)", 2},
                    {"(t - 5)^2/abs(t - 5)*(t - 6)", 1},
                    {"sin(t - 5)/(t - 5)", 2},
                    {"log(abs(t - 5))", 2},
                    {"abs(t - 5)/(t - 5)^2", 0},
                    {"1/(t - 5)", 0},
                    {"1/(t - 5)^3", 0},
                    {"(t - 5)/(t - 5)^2", 0}};
    static const double STEPS[] = {0.5, 0.25, 5, 10, 20. / 3};
    static const AnalysisSpec none[1];
    static const TestModel model = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2"};

    for (size_t k = 0; k < sizeof CASES_OF / sizeof *CASES_OF; k++)
        for (size_t i = 0; i < 2 * sizeof STEPS / sizeof *STEPS; i++) {
            const EventSpec event = {.name = "e",
                                     .when = {"", CASES_OF[k].when, "/events/0/when", NULL},
                                     .pointer = "/events/0"};
            const NamedValue v[] = {{"x", 1, "/"}}, q[] = {{"x", i % 2 ? 10 : 0, "/"}};
            JobSpec spec;
            job_spec_init(&spec);
            spec.integrator.method = "rk4";
            spec.integrator.step = STEPS[i / 2];
            spec.initial.t = i % 2 ? 10 : 0;
            spec.initial.q = q;
            spec.initial.v = v;
            spec.initial.n_q = spec.initial.n_v = 1;
            spec.time = (TimeSpec){.end = 10 - spec.initial.t, .samples = 2};
            spec.analyses = none;
            spec.events = &event;
            spec.n_events = 1;
            TestRun run = test_run(&model, &spec);
            ck_assert_msg(run.result.steps.events == CASES_OF[k].n, "%s, steps of %g: %llu roots",
                          CASES_OF[k].when, STEPS[i / 2],
                          (unsigned long long)run.result.steps.events);
            test_run_done(&run);
        }
}
END_TEST

SUITE(roots)
{
    TCase *tc = suite_case(suite, "roots");
    tcase_add_loop_test(tc, random_guards_lose_no_root_without_a_word, 0, 9);
    tcase_add_loop_test(tc, near_touches_are_found_or_told, 0, 9);
    tcase_add_loop_test(tc, touches_within_the_tolerance_are_told, 0, 2);
    tcase_add_test(tc, touches_within_what_bdf_adds_up_are_told);
    tcase_add_loop_test(tc, roots_that_crowd_together_are_told, 0, 3);
    tcase_add_test(tc, an_event_that_cannot_happen_is_told);
    tcase_add_test(tc, an_event_that_cannot_be_decided_is_named);
    tcase_add_loop_test(tc, a_lazy_motion_loses_no_turn, 0, 9);
    tcase_add_loop_test(tc, turns_within_a_step_of_a_chart_are_counted, 0, 9);
    tcase_add_loop_test(tc, poles_are_no_roots, 0, 9);
    tcase_add_test(tc, a_jump_where_the_guard_has_no_value_is_a_root);
}
