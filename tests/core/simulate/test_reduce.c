/* Reductions: closed forms of extremes and means, what hides between steps, and that the motion is
 * left alone. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const double PI = 3.14159265358979323846;

#define REDUCE(kind, expression)                                          \
    {                                                                     \
        .name = #kind, .take = REDUCE_##kind,                             \
        .of = {#kind, expression, "/ensemble/reduce/" #kind "/of", NULL}, \
        .pointer = "/ensemble/reduce/" #kind                              \
    }

static JobSpec job_to(double end, const ReduceSpec *reduce, size_t n)
{
    static const AnalysisSpec NONE = {0};
    JobSpec job;

    job_spec_init(&job);
    job.time = (TimeSpec){.kind = TIME_SAMPLES, .end = end, .samples = 2};
    job.analyses = &NONE;
    job.reduce = reduce;
    job.n_reduce = n;
    return job;
}

/* x = L cos(t / T), started at 0 and left at `end` T, which may be before. */
typedef struct Swing {
    double length, time, end;
    const char *method;
    double step, error;
} Swing;

static const Swing SWINGS[] = {
    {1, 1, 10, "auto", 0, 1e-9},        {1, 1, -10, "auto", 0, 1e-9},
    {1e-9, 1, 10, "auto", 0, 1e-9},     {1, 1e-9, 10, "auto", 0, 1e-9},
    {1e-9, 1e-9, 0.3, "auto", 0, 1e-9}, {1e9, 1e9, -10, "auto", 0, 1e-9},
    {1e-170, 1, 10, "auto", 0, 1e-9},   {1, 1, 10, "bdf", 0, 1e-7},
    {1, 1, 10, "rk4", 1e-3, 1e-10},
};

START_TEST(an_oscillator_has_the_extremes_and_means_of_its_closed_form)
{
    const Swing *w = &SWINGS[_i];
    const double L = w->length, T = w->time, a = fabs(w->end);
    const TestModel model = {
        .coordinates = {"x"}, .parameters = {{"T", T, ""}}, .lagrangian = "(T^2*dot(x)^2 - x^2)/2"};
    const NamedValue x = {"x", L, ""}, size[] = {{"x", L, ""}, {"dot(x)", L / T, ""}};
    const ReduceSpec reduce[] = {REDUCE(LAST, "x"), REDUCE(MIN, "x"), REDUCE(MAX, "-T*x*dot(x)"),
                                 REDUCE(MEAN, "x"), REDUCE(RMS, "x")};
    JobSpec job = job_to(w->end * T, reduce, 5);
    job.initial.q = &x;
    job.initial.n_q = 1;
    job.integrator.nominal = size;
    job.integrator.n_nominal = 2;
    job.integrator.method = w->method;
    job.integrator.step = w->step * T;

    TestRun run = test_run(&model, &job);
    ck_assert_msg(run.result.end.status == OK, "%s", run.result.end.message);
    const double *got = run.result.reduced;
    const double sign = w->end < 0 ? -1 : 1;
    ck_assert_double_eq_tol(got[0] / L, cos(a), w->error);
    ck_assert_double_eq_tol(got[1] / L, a > PI ? -1 : cos(a), w->error);
    /* sin(2 t)/2 forwards; backwards the other sign comes first */
    const double most = a > PI ? 0.5 : fmax(0, sign * sin(2 * a) / 2);
    if (L > 1e-160) /* the product of both is a double */
        ck_assert_double_eq_tol(got[2] / L / L, most, w->error);
    ck_assert_double_eq_tol(got[3] / L, sin(a) / a, w->error);
    ck_assert_double_eq_tol(got[4] / L, sqrt(0.5 + sin(2 * a) / (4 * a)), w->error);
    ck_assert_uint_eq(run.result.n_warnings, 0);
    test_run_done(&run);
}
END_TEST

/* Expressions of x = cos(t) up to t = 10 whose numbers are known: corners, jumps, and what is
 * narrower than any step. */
static const struct {
    ReduceSpec reduce;
    double value, error;
} KNOWN[] = {
    {REDUCE(MEAN, "abs(x)"), 0, 1e-10},
    {REDUCE(MEAN, "sign(x)"), 0, 1e-10},
    {REDUCE(MAX, "abs(x + 0.5)"), 1.5, 1e-10},
    {REDUCE(MIN, "abs(x + 0.5)"), 0, 1e-9},
    {REDUCE(MAX, "if(x > 0.25, -x, x)"), 0.25, 1e-9},
    {REDUCE(MAX, "exp(-((x - 0.3)/0.00001)^2)"), 1, 1e-9},
    {REDUCE(MIN, "1 - exp(-((t - 4.321)/0.0001)^2)"), 0, 1e-9},
    {REDUCE(MEAN, "exp(-((t - 4.321)/0.0001)^2)"), 1.7724538509055159e-5, 1e-11},
    {REDUCE(MAX, "max(x, dot(x))"), 1, 1e-10},
    {REDUCE(MAX, "exp(-((t - 4.321)/1e-7)^2)"), 1, 1e-9},
    {REDUCE(MIN, "2 - 1/(1 + ((x - 0.3)/1e-7)^2)"), 1, 1e-9},
    {REDUCE(MIN, "hypot(t - 5, 0)"), 0, 1e-12},
    {REDUCE(RMS, "3"), 3, 1e-14},
    {REDUCE(MAX, "energy()"), 0.5, 1e-9},
    {REDUCE(MEAN, "energy()"), 0.5, 1e-9},
    {REDUCE(MAX, "ddot(x)"), 1, 1e-9},
    {REDUCE(LAST, "ddot(x)"), 0.83907152907645244, 1e-9},
    {REDUCE(MEAN, "0"), 0, 1e-300},
    {REDUCE(MAX, "x*t"), 0, 1e-9},
    {REDUCE(MAX, "sqrt(abs(x))"), 1, 1e-9},
    {REDUCE(MIN, "sqrt(abs(x))"), 0, 1e-5},
    {REDUCE(MEAN, "abs(x)*abs(x)"), 0.52282363126819, 1e-10},
    /* all of it is in less than a millionth of the run, and what is beside it is less than any
     * number */
    {REDUCE(MEAN, "exp(-((t - 4.321)/1e-6)^2)/1e-6"), 0.17724538509055159, 1e-9},
    {REDUCE(RMS, "1000*exp(-((t - 4.321)/1e-6)^2)"), 0.3540217701378688, 1e-9},
    {REDUCE(MEAN, "if(t > 4.25 and t < 4.25 + 2^-23, 2^23, 0)"), 0.1, 1e-8},
    {REDUCE(MEAN, "if(t > 4.321 and t < 4.321 + 1e-5, 1e5, 0)"), 0.1, 1e-9},
};

static double known_value(int i)
{
    /* |cos| to 10: a quarter, two halves, and what is left; its sign likewise */
    if (i == 0)
        return (1 + 2 + 2 + (1 - sin(10.0))) / 10; /* from 5 pi/2 on cos is negative */
    if (i == 1)
        return (PI / 2 - PI + PI - (10 - 5 * PI / 2)) / 10;
    if (i == 18) { /* the last root of cos(t) = t sin(t) before 10 */
        double t = 6.4;
        for (int k = 0; k < 50; k++)
            t -= (cos(t) - t * sin(t)) / (-2 * sin(t) - t * cos(t));
        return t * cos(t);
    }
    return KNOWN[i].value;
}

START_TEST(expressions_that_are_rough_are_seen_through)
{
    const TestModel model = {.coordinates = {"x"}, .lagrangian = "(dot(x)^2 - x^2)/2"};
    const NamedValue x = {"x", 1, ""};
    JobSpec job = job_to(10, &KNOWN[_i].reduce, 1);
    job.initial.q = &x;
    job.initial.n_q = 1;

    TestRun run = test_run(&model, &job);
    ck_assert_msg(run.result.end.status == OK, "%s", run.result.end.message);
    ck_assert_double_eq_tol(run.result.reduced[0], known_value(_i), KNOWN[_i].error);
    ck_assert_msg(run.result.n_warnings == 0, "%s", run.result.warnings[0]);
    test_run_done(&run);
}
END_TEST

/* A bead on a circle with friction that has a corner, in its own coordinates and in those of
 * formulations. */
static const TestModel BEAD = {
    .coordinates = {"x", "y"},
    .parameters = {{"g", 9.81, ""}, {"c", 0.1, ""}},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - g*y",
    .constraints = {"x^2 + y^2 = 1"},
    .forces = {{"x", "-c*sign(dot(x))", "", NULL}},
    .base = {"x"},
};
static const NamedValue BEAD_START[] = {{"x", 0.6, ""}, {"y", -0.8, ""}};
static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamel", "voronec", "hamiltonian"};
static const ReduceSpec BEAD_REDUCE[] = {
    REDUCE(MAX, "multiplier(c1)"), REDUCE(MIN, "reaction(y)*x"), REDUCE(MEAN, "ddot(x)*x"),
    REDUCE(RMS, "energy() + dot(x)"), REDUCE(LAST, "multiplier(c1)")};
static const NamedText BEAD_OBSERVE[] = {{"lambda", "multiplier(c1)", "", NULL},
                                         {"pull", "reaction(y)*x", "", NULL},
                                         {"power", "ddot(x)*x", "", NULL},
                                         {"sum", "energy() + dot(x)", "", NULL}};

static JobSpec bead_job(const char *formulation, uint64_t samples)
{
    JobSpec job = job_to(1.5, BEAD_REDUCE, 5);

    job.formulation = formulation;
    job.time.samples = samples;
    job.initial.q = BEAD_START;
    job.initial.n_q = 2;
    job.observe = BEAD_OBSERVE;
    job.n_observe = 4;
    return job;
}

/* Where accelerations are read beside it, the place of a jump is known less well: to 1e-10 of a
 * step, which is nothing of a mean. */
START_TEST(a_jump_is_nothing_to_warn_of_whatever_is_read_beside_it)
{
    const TestModel model = {.coordinates = {"x"},
                             .lagrangian = "dot(x)^2/2 - x^2/2 - 15*max(0, x + 0.2)^2"};
    const NamedValue x = {"x", 1, ""};
    const ReduceSpec reduce[] = {REDUCE(MEAN, "sign(dot(x))"), REDUCE(MAX, "ddot(x)")};
    double means[2];

    for (size_t n = 1; n <= 2; n++) {
        JobSpec job = job_to(5, reduce, n);
        job.initial.q = &x;
        job.initial.n_q = 1;
        TestRun run = test_run(&model, &job);
        ck_assert_uint_eq(run.result.n_warnings, 0);
        means[n - 1] = run.result.reduced[0];
        test_run_done(&run);
    }
    ck_assert_double_eq_tol(means[1], means[0], 1e-9);
}
END_TEST

START_TEST(reductions_are_those_of_many_samples)
{
    enum { SAMPLES = 30001 };
    const JobSpec job = bead_job(FORMULATIONS[_i], 2), fine = bead_job(FORMULATIONS[_i], SAMPLES);
    TestRun run = test_run(&BEAD, &job), many = test_run(&BEAD, &fine);
    double most = -INFINITY, least = INFINITY, sum = 0, squares = 0;

    ck_assert_msg(run.result.end.status == OK, "%s", run.result.end.message);
    for (long k = 0; k < SAMPLES; k++) {
        /* the rule of trapezia */
        const double w = (k == 0 || k == SAMPLES - 1 ? 0.5 : 1) / (SAMPLES - 1);
        most = fmax(most, test_value(&many, k, "lambda"));
        least = fmin(least, test_value(&many, k, "pull"));
        sum += w * test_value(&many, k, "power");
        squares += w * test_value(&many, k, "sum") * test_value(&many, k, "sum");
    }
    const double *got = run.result.reduced;
    /* an extreme is no less, and between samples no more than the bend of the motion allows */
    ck_assert_double_le(most, got[0] + 1e-9);
    ck_assert_double_eq_tol(got[0], most, 1e-6);
    ck_assert_double_ge(least, got[1] - 1e-9);
    ck_assert_double_eq_tol(got[1], least, 1e-6);
    /* the accelerations jump where the friction does: a sample's worth */
    ck_assert_double_eq_tol(got[2], sum, 2e-5);
    ck_assert_double_eq_tol(got[3], sqrt(squares), 1e-7);
    ck_assert_double_eq_tol(got[4], test_value(&run, -1, "lambda"), 1e-13);
    /* nothing depends on the samples, nor do they on what is reduced */
    ck_assert_mem_eq(got, many.result.reduced, 5 * sizeof *got);
    test_run_done(&run);
    test_run_done(&many);
}
END_TEST

START_TEST(the_motion_is_that_without_reductions)
{
    static const char *const METHODS[] = {"auto", "rk4", "bdf"};
    const char *formulation = FORMULATIONS[(size_t)_i / 3];
    JobSpec with = bead_job(formulation, 7);
    with.integrator.method = METHODS[_i % 3];
    with.integrator.step = _i % 3 == 1 ? 1e-3 : 0;
    JobSpec without = with;
    without.reduce = NULL;
    without.n_reduce = 0;

    TestRun a = test_run(&BEAD, &with), b = test_run(&BEAD, &without);
    ck_assert_int_eq(a.result.end.status, b.result.end.status);
    ck_assert_uint_eq(a.n_rows, b.n_rows);
    ck_assert_mem_eq(a.rows, b.rows, a.n_rows * a.columns * sizeof *a.rows);
    ck_assert_uint_eq(a.result.steps.accepted, b.result.steps.accepted);
    ck_assert_uint_eq(a.result.steps.rejected, b.result.steps.rejected);
    ck_assert_mem_eq(a.result.final.q, b.result.final.q, 2 * sizeof(double));
    ck_assert_double_eq(a.result.constraints[0].max, b.result.constraints[0].max);
    ck_assert_double_eq(a.result.energy.balance_max, b.result.energy.balance_max);
    ck_assert_ptr_nonnull(a.result.reduced);
    ck_assert_ptr_null(b.result.reduced);
    test_run_done(&a);
    test_run_done(&b);
}
END_TEST

/* A ball that keeps 0.8 of its speed when it hits the ground: impacts at T, T + 1.6 T, .. with T =
 * sqrt(2 h / g). */
static const TestModel BALL = {
    .coordinates = {"y"}, .parameters = {{"g", 9.81, ""}}, .lagrangian = "dot(y)^2/2 - g*y"};

#define EVENT(kind, name_, nth_, text)                                                      \
    {                                                                                       \
        .name = name_, .take = REDUCE_##kind, .event = "ground", .nth = nth_,               \
        .of = {name_, text, "/ensemble/reduce/E/of", NULL}, .pointer = "/ensemble/reduce/E" \
    }

START_TEST(events_are_counted_and_looked_at)
{
    static const NamedText bounce[] = {{"dot(y)", "-0.8*dot(y)", "", NULL}};
    static const EventSpec ground[] = {{.name = "ground",
                                        .when = {"ground", "y", "", NULL},
                                        .direction = -1,
                                        .set = bounce,
                                        .n_set = 1},
                                       {.name = "never", .when = {"never", "y + 9", "", NULL}}};
    const ReduceCase cases[] = {{{"where", "y < 0 and t > 0", "", NULL}, 1},
                                {{"where", "dot(y) < 0 or not (y > 0)", "", NULL}, -2.5},
                                {{"where", "y > -1", "", NULL}, 3}};
    const double T = sqrt(2 / 9.81), speed = 9.81 * T;
    /* before the third impact, on its way up from the second */
    const double end = T * (1 + 1.6 + 0.3);
    const ReduceSpec reduce[] = {
        EVENT(FIRST_EVENT, "first", 1, NULL),
        EVENT(FIRST_EVENT, "second", 2, NULL),
        EVENT(FIRST_EVENT, "third", 3, "t"),
        EVENT(FIRST_EVENT, "speed", 2, "-dot(y)"),
        EVENT(EVENT_COUNT, "count", 0, NULL),
        {.name = "none", .take = REDUCE_EVENT_COUNT, .event = "never", .pointer = ""},
        REDUCE(MAX, "-dot(y)"),
        REDUCE(MAX, "dot(y)"),
        REDUCE(MIN, "y"),
        {.name = "where", .take = REDUCE_LABEL, .cases = cases, .n_cases = 3, .pointer = ""},
        {.name = "else",
         .take = REDUCE_LABEL,
         .cases = cases,
         .n_cases = 1,
         .otherwise = 7,
         .pointer = "/ensemble/reduce/else"},
        REDUCE(DRIFT, "momentum(y)"),
    };
    enum { N = sizeof reduce / sizeof *reduce };
    ReduceSpec named[N] = {0};
    const double expected[N] = {T,     2.6 * T,     NAN, 0.8 * speed, 2, 0,
                                speed, 0.8 * speed, 0,   3,           7, speed};
    const NamedValue y = {"y", 1, ""};
    JobSpec job = job_to(end, named, N);

    memcpy(named, reduce, sizeof named);
    named[7].name = "up";
    job.initial.q = &y;
    job.initial.n_q = 1;
    job.events = ground;
    job.n_events = 2;
    TestRun run = test_run(&BALL, &job);
    ck_assert_msg(run.result.end.status == OK, "%s", run.result.end.message);
    for (size_t i = 0; i < N; i++)
        if (isnan(expected[i]))
            ck_assert(isnan(run.result.reduced[i]));
        else
            ck_assert_double_eq_tol(run.result.reduced[i], expected[i], 1e-9);
    ck_assert_uint_eq(run.result.n_warnings, 0);
    test_run_done(&run);
}
END_TEST

START_TEST(an_expression_without_a_value_says_so)
{
    static const char *const TEXTS[] = {"sqrt(x - 0.5)", "log(x)", "1/(t - 2)^2"};
    const TestModel model = {.coordinates = {"x"}, .lagrangian = "(dot(x)^2 - x^2)/2"};
    const NamedValue x = {"x", 1, ""};
    const ReduceSpec reduce = REDUCE(MIN, TEXTS[_i]);
    JobSpec job = job_to(4, &reduce, 1);
    job.initial.q = &x;
    job.initial.n_q = 1;
    job.integrator.method = "rk4";
    job.integrator.step = 0.5; /* a step ends at the pole */

    TestRun run = test_run(&model, &job);
    ck_assert_int_eq(run.result.end.status, OK);
    if (_i < 2)
        ck_assert(isnan(run.result.reduced[0]));
    else
        ck_assert(isnan(run.result.reduced[0]) || fabs(run.result.reduced[0] - 0.25) < 1e-9);
    ck_assert_int_eq(isnan(run.result.reduced[0]) ? 1 : 0, run.result.n_warnings > 0);
    test_run_done(&run);
}
END_TEST

/* x = cos(t) passes 0 between steps. */
START_TEST(a_pole_has_no_extremes_and_no_mean)
{
    static const ReduceSpec POLES[] = {REDUCE(MAX, "1/x"),   REDUCE(MIN, "1/x"),
                                       REDUCE(MAX, "1/x^2"), REDUCE(MEAN, "1/x"),
                                       REDUCE(RMS, "1/x"),   REDUCE(MEAN, "1/x^2")};
    const TestModel model = {.coordinates = {"x"}, .lagrangian = "(dot(x)^2 - x^2)/2"};
    const NamedValue x = {"x", 1, ""};
    JobSpec job = job_to(4, &POLES[_i], 1);
    job.initial.q = &x;
    job.initial.n_q = 1;

    TestRun run = test_run(&model, &job);
    ck_assert_int_eq(run.result.end.status, OK);
    ck_assert_msg(isnan(run.result.reduced[0]), "%.17g", run.result.reduced[0]);
    ck_assert_uint_eq(run.result.n_warnings, 1);
    ck_assert_ptr_nonnull(strstr(run.result.warnings[0], "has no value"));
    test_run_done(&run);
}
END_TEST

/* log|t - 3| has an integral, but no bounds. Parts of it became so short that the next number was
 * the part's end, and the search for what hides in them went on for ever. */
START_TEST(a_singularity_that_has_a_mean_is_left_in_the_end)
{
    static const ReduceSpec SINGULAR[] = {REDUCE(MEAN, "log(abs(x - 3))"),
                                          REDUCE(MEAN, "log((t - 3)^2)/2"),
                                          REDUCE(RMS, "log(abs(t - 3))")};
    const TestModel model = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2"};
    const NamedValue v = {"x", 1, ""};
    const double mean = ((3 * log(3) - 3) + (7 * log(7) - 7)) / 10;
    JobSpec job = job_to(10, &SINGULAR[_i], 1);
    job.initial.v = &v;
    job.initial.n_v = 1;

    TestRun run = test_run(&model, &job);
    ck_assert_int_eq(run.result.end.status, OK);
    ck_assert_uint_ge(run.result.n_warnings, 1);
    if (_i < 2 && !isnan(run.result.reduced[0]))
        ck_assert_double_eq_tol(run.result.reduced[0], mean, 1e-9);
    test_run_done(&run);
}
END_TEST

START_TEST(what_an_analysis_finds_is_a_number)
{
    const TestModel model = {.coordinates = {"x"},
                             .lagrangian = "(dot(x)^2 - x^2)/2",
                             .forces = {{"x", "-0.1*dot(x)", "", NULL}}};
    const AnalysisSpec lyapunov = {.name = "lyapunov", .pointer = "/analyses/0"};
    const NamedValue x = {"x", 1, ""};
    const ReduceSpec reduce[] = {{.name = "nothing",
                                  .take = REDUCE_FINDING,
                                  .of = {"nothing", "lyapunov.no.such", "", NULL},
                                  .pointer = "/ensemble/reduce/nothing"},
                                 {.name = "largest",
                                  .take = REDUCE_FINDING,
                                  .of = {"largest", "lyapunov.exponents.0", "", NULL},
                                  .pointer = "/ensemble/reduce/largest"}};
    JobSpec job = job_to(40, reduce, 2);
    job.initial.q = &x;
    job.initial.n_q = 1;
    job.analyses = &lyapunov;
    job.n_analyses = 1;

    TestRun run = test_run(&model, &job);
    const Value *record = value_member(run.result.found.findings, "lyapunov");
    ck_assert_ptr_nonnull(record);
    const Value *found = value_member(record, "exponents")->first;
    ck_assert(isnan(run.result.reduced[0]));
    ck_assert_double_eq(run.result.reduced[1], found->number);
    test_run_done(&run);
}
END_TEST

static const ReduceCase WRONG_CASE[] = {
    {{"L", "y < nothing", "/ensemble/reduce/L/when/0", NULL}, 1}};
static const ReduceCase NUMBER_CASE[] = {{{"L", "y", "/ensemble/reduce/L/when/0", NULL}, 1}};
static const struct {
    ReduceSpec reduce;
    const char *pointer, *message;
    long offset;
} WRONG[] = {
    {REDUCE(MAX, "y + nothing"), "/ensemble/reduce/MAX/of", "nothing", 4},
    {REDUCE(LAST, "y > 0"), "/ensemble/reduce/LAST/of", "a condition can stand only in if", 2},
    {REDUCE(MEAN, NULL), "/ensemble/reduce/MEAN/of", "has no expression", -1},
    {{.name = "E", .take = REDUCE_EVENT_COUNT, .event = "wall", .pointer = "/ensemble/reduce/E"},
     "/ensemble/reduce/E/event",
     "unknown event \"wall\"",
     -1},
    {{.name = "E", .take = REDUCE_EVENT_COUNT, .pointer = "/ensemble/reduce/E"},
     "/ensemble/reduce/E/event",
     "no event is given",
     -1},
    {{.name = "E", .take = REDUCE_FIRST_EVENT, .event = "ground", .pointer = "/ensemble/reduce/E"},
     "/ensemble/reduce/E/nth",
     "events are counted from 1",
     -1},
    {{.name = "F",
      .take = REDUCE_FINDING,
      .of = {"F", "floquet.radius", "", NULL},
      .pointer = "/ensemble/reduce/F"},
     "/ensemble/reduce/F/of",
     "the job asks for no analysis \"floquet\"",
     -1},
    {{.name = "L", .take = REDUCE_LABEL, .pointer = "/ensemble/reduce/L"},
     "/ensemble/reduce/L/when",
     "the label has no conditions",
     -1},
    {{.name = "L",
      .take = REDUCE_LABEL,
      .cases = WRONG_CASE,
      .n_cases = 1,
      .pointer = "/ensemble/reduce/L"},
     "/ensemble/reduce/L/when/0",
     "nothing",
     4},
    {{.name = "L",
      .take = REDUCE_LABEL,
      .cases = NUMBER_CASE,
      .n_cases = 1,
      .pointer = "/ensemble/reduce/L"},
     "/ensemble/reduce/L/when/0",
     "needs a condition",
     0},
};

START_TEST(mistakes_have_their_place)
{
    static const EventSpec ground = {.name = "ground", .when = {"ground", "y", "", NULL}};
    JobSpec job = job_to(1, &WRONG[_i].reduce, 1);
    bool told = false;

    job.events = &ground;
    job.n_events = 1;
    TestRun run = test_refused(&BALL, &job);
    for (size_t i = 0; i < run.diag->count; i++)
        told = told || (strcmp(run.diag->items[i].pointer, WRONG[_i].pointer) == 0 &&
                        strstr(run.diag->items[i].message, WRONG[_i].message) &&
                        run.diag->items[i].offset == WRONG[_i].offset);
    ck_assert_msg(told, "%s: %s (%ld)", run.diag->items[0].pointer, run.diag->items[0].message,
                  run.diag->items[0].offset);
    test_run_done(&run);
}
END_TEST

/* A bead that is free on a circle, by its angle: many turns pass in a step, and x = cos(s t). */
START_TEST(turns_within_a_step_of_a_chart_are_reduced)
{
    static const NamedText MAP[] = {{"x", "l*cos(a)", "", NULL}, {"y", "l*sin(a)", "", NULL}};
    static const CoordinateText ANGLE[] = {{.name = "a"}};
    static const double SPEEDS[] = {1.9, 7.3, 11.7, 31.4}, LENGTHS[] = {1, 1e-9, 1e9};
    const double s = SPEEDS[_i % 4], l = LENGTHS[_i / 4];
    const TestModel bead = {
        .coordinates = {"x", "y"},
        .parameters = {{"l", l, ""}},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
        .constraints = {"x^2 + y^2 = l^2"},
        .chart = {.coordinates = ANGLE, .n_coordinates = 1, .map = MAP, .n_map = 2, .pointer = ""}};
    const NamedValue q[] = {{"x", l, ""}, {"y", 0, ""}}, v[] = {{"x", 0, ""}, {"y", l * s, ""}};
    const ReduceSpec reduce[] = {REDUCE(MIN, "x/l"), REDUCE(MAX, "y/l"), REDUCE(MEAN, "(x/l)^2")};
    JobSpec job = job_to(10, reduce, 3);

    job.formulation = "intrinsic";
    job.initial.q = q;
    job.initial.v = v;
    job.initial.n_q = job.initial.n_v = 2;
    TestRun run = test_run(&bead, &job);
    ck_assert(run.result.end.complete);
    ck_assert_double_eq_tol(run.result.reduced[0], -1, 1e-10);
    ck_assert_double_eq_tol(run.result.reduced[1], 1, 1e-10);
    ck_assert_double_eq_tol(run.result.reduced[2], 0.5 + sin(20 * s) / (40 * s), 1e-9);
    ck_assert_uint_eq(run.result.n_warnings, 0);
    test_run_done(&run);
}
END_TEST

SUITE(reduce)
{
    TCase *tc = suite_case(suite, "reduce");
    tcase_add_loop_test(tc, an_oscillator_has_the_extremes_and_means_of_its_closed_form, 0,
                        (int)(sizeof SWINGS / sizeof *SWINGS));
    tcase_add_loop_test(tc, turns_within_a_step_of_a_chart_are_reduced, 0, 12);
    tcase_add_loop_test(tc, expressions_that_are_rough_are_seen_through, 0,
                        (int)(sizeof KNOWN / sizeof *KNOWN));
    tcase_add_test(tc, a_jump_is_nothing_to_warn_of_whatever_is_read_beside_it);
    tcase_add_loop_test(tc, reductions_are_those_of_many_samples, 0, 4);
    tcase_add_loop_test(tc, the_motion_is_that_without_reductions, 0, 12);
    tcase_add_test(tc, events_are_counted_and_looked_at);
    tcase_add_loop_test(tc, an_expression_without_a_value_says_so, 0, 3);
    tcase_add_loop_test(tc, a_pole_has_no_extremes_and_no_mean, 0, 6);
    tcase_add_loop_test(tc, a_singularity_that_has_a_mean_is_left_in_the_end, 0, 3);
    tcase_add_test(tc, what_an_analysis_finds_is_a_number);
    tcase_add_loop_test(tc, mistakes_have_their_place, 0, (int)(sizeof WRONG / sizeof *WRONG));
}
