/* What is narrower than a step: pulses along t, barriers along q, which no method sees that looks
 * only where its steps take it. Their impulse, and whether the motion turns back, are known in
 * closed form. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/base/stop_token.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

enum { CASES = 60, WAYS = 6 };
static const double END = 20, PI = 3.14159265358979323846;

/* A shape of u = (where - c)/w, its highest value 1, and its integral over u. */
static const struct {
    const char *in_t, *in_q;
    double area;
} SHAPES[] = {
    {"exp(-((t - c)/w)^2)", "exp(-((x/s - c)/w)^2)", 1.7724538509055159},
    {"exp(-((t - c)/w)^4)", "exp(-((x/s - c)/w)^4)", 1.8128049541109541},
    {"1/(1 + ((t - c)/w)^2)^2", "1/(1 + ((x/s - c)/w)^2)^2", 1.5707963267948966},
    {"1 - tanh((t - c)/w)^2", "1 - tanh((x/s - c)/w)^2", 2},
    {"(tanh(20*(t - c)/w + 10) - tanh(20*(t - c)/w - 10))/2",
     "(tanh(20*(x/s - c)/w + 10) - tanh(20*(x/s - c)/w - 10))/2", 1},
    {"(1 + erf(9*(t - c)/w + 9))*(1 - erf(9*(t - c)/w - 9))/4",
     "(1 + erf(9*(x/s - c)/w + 9))*(1 - erf(9*(x/s - c)/w - 9))/4", 2},
    {"1/(1 + exp(-20*(t - c)/w - 10)) - 1/(1 + exp(-20*(t - c)/w + 10))", NULL, 1},
    {"if(abs(t - c) < w, 1, 0)", NULL, 2},
    {"max(0, 1 - abs(t - c)/w)", NULL, 1},
    {"if((t - c)^2 < w^2, 1, 0)", NULL, 2},
    {"max(0, 1 - ((t - c)/w)^2)", NULL, 4. / 3},
    {"if(exp(-((t - c)/w)^2) > 0.5, 1, 0)", NULL, 1.6651092223153954},
    {"if(tanh((t - c)/w + 2)*tanh((t - c)/w - 2) < 0, 1, 0)", NULL, 4},
};
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES };

/* One model and job: along x, with speed s, in time or back; y moves beside it where it swings. */
typedef struct Case {
    char force[200], lagrangian[300];
    NamedValue parameters[4], v[2];
    JobSpec spec;
    TestModel model;
    double c, w, s, height, way;
} Case;

static void draw_job(Case *c, Random *random, int way, const char *method)
{
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamel", "hamiltonian"};
    static const double SCALES[] = {1, 1e-9, 1e9};
    const bool swings = random_uniform(random, 0, 1) < 0.5;

    memset(c, 0, sizeof *c);
    c->way = random_uniform(random, 0, 1) < 0.7 ? 1 : -1;
    c->s = SCALES[(size_t)random_uniform(random, 0, 3) % 3];
    c->c = c->way * random_uniform(random, 1, 19);
    c->w = pow(10, random_uniform(random, -6, -2));
    c->parameters[0] = (NamedValue){"c", c->c, ""};
    c->parameters[1] = (NamedValue){"w", c->w, ""};
    c->parameters[2] = (NamedValue){"s", c->s, ""};
    c->v[0] = (NamedValue){"x", c->s, ""};
    c->v[1] = (NamedValue){"y", c->s, ""};
    snprintf(c->lagrangian, sizeof c->lagrangian, "dot(x)^2/2 + dot(y)^2/2%s",
             swings ? " - 0.2*y^2" : "");
    job_spec_init(&c->spec);
    c->spec.formulation = FORMULATIONS[way % 3];
    c->spec.integrator.method = method;
    c->spec.integrator.rtol =
        pow(10, strcmp(method, "dop853") == 0 ? random_uniform(random, -11, -4)
                                              : random_uniform(random, -7, -4));
    c->spec.integrator.atol = 1e-2 * c->spec.integrator.rtol;
    c->spec.time.end = c->way * END;
    c->spec.time.samples = 2;
    c->spec.initial.v = c->v;
    c->spec.initial.n_v = 2;
}

static TestRun run_case(Case *c)
{
    c->model = (TestModel){.coordinates = {"x", "y"}, .lagrangian = c->lagrangian};
    memcpy(c->model.parameters, c->parameters, sizeof c->parameters);
    if (c->force[0])
        c->model.forces[0] = (NamedText){"x", c->force, "", NULL};
    return test_run(&c->model, &c->spec);
}

/* A kick of area s. */
static void draw_pulse(Case *c, Random *random, int way, const char *method, size_t shape)
{
    draw_job(c, random, way, method);
    c->height = c->s / (c->w * SHAPES[shape].area);
    c->parameters[3] = (NamedValue){"h", c->height, ""};
    snprintf(c->force, sizeof c->force, "h*(%s)", SHAPES[shape].in_t);
}

/* A barrier of 0.2 to 0.4 of the motion's energy, which it passes, or of 2 to 4 times that. */
static void draw_barrier(Case *c, Random *random, int way, const char *method, size_t shape)
{
    const char *swing;
    draw_job(c, random, way, method);
    c->height =
        random_uniform(random, 1, 2) * c->s * c->s * (random_uniform(random, 0, 1) < 0.5 ? 0.1 : 1);
    c->parameters[3] = (NamedValue){"h", c->height, ""};
    swing = strstr(c->lagrangian, "0.2") ? " - 0.2*y^2" : "";
    snprintf(c->lagrangian, sizeof c->lagrangian, "dot(x)^2/2 + dot(y)^2/2%s - h*(%s)", swing,
             SHAPES[shape].in_q);
}

/* How far the motion is off where the pulse is in x itself, in units of s. */
static double pulse_error(const Case *c, const TestRun *run)
{
    const double speed = 1 + c->way, place = c->way * END + END - fabs(c->c);
    return fmax(fabs(test_value(run, -1, "dot(x)") / c->s - speed),
                fabs(test_value(run, -1, "x") / c->s - place) / END);
}

static double barrier_error(const Case *c, const TestRun *run)
{
    const bool turns = c->height > c->s * c->s / 2;
    const double speed = turns ? -1 : 1, place = turns ? 2 * c->c - c->way * END : c->way * END;
    return fmax(fabs(test_value(run, -1, "dot(x)") / c->s - speed),
                fabs(test_value(run, -1, "x") / c->s - place) / END);
}

static const char *method_of(int way)
{
    return way / 3 == 0 ? "dop853" : "bdf";
}

START_TEST(pulses_narrower_than_a_step_are_met)
{
    Random random;

    random_init(&random, 31 + (uint64_t)_i);
    for (size_t i = 0; i < CASES; i++) {
        Case c;
        draw_pulse(&c, &random, _i, method_of(_i), i % N_SHAPES);
        TestRun run = run_case(&c);
        ck_assert_msg(run.result.end.complete, "%s: %s", c.force, run.result.end.message);
        const double error = pulse_error(&c, &run);
        ck_assert_msg(error <= 1e-6 + 1e4 * c.spec.integrator.rtol || run.result.n_warnings > 0,
                      "way %d case %zu: %s at %.17g, w %.17g, rtol %.3g: off by %.3g", _i, i,
                      c.force, c.c, c.w, c.spec.integrator.rtol, error);
        ck_assert_msg(run.result.steps.accepted < 4000, "%s: %llu steps", c.force,
                      (unsigned long long)run.result.steps.accepted);
        test_run_done(&run);
    }
}
END_TEST

START_TEST(barriers_narrower_than_a_step_are_met)
{
    Random random;

    random_init(&random, 47 + (uint64_t)_i);
    for (size_t i = 0; i < CASES; i++) {
        Case c;
        draw_barrier(&c, &random, _i, method_of(_i), i % 6);
        TestRun run = run_case(&c);
        const double error = run.result.end.complete ? barrier_error(&c, &run) : 0;
        ck_assert_msg(run.result.end.complete || _i >= 3, "%s: %s", c.lagrangian,
                      run.result.end.message);
        /* the motion is held up in the barrier for about the time in which it passes its width */
        ck_assert_msg(error <= 1e-6 + 1e4 * c.spec.integrator.rtol + c.w ||
                          run.result.n_warnings > 0,
                      "way %d case %zu: %s at %.17g, w %.17g, rtol %.3g: off by %.3g", _i, i,
                      c.lagrangian, c.c, c.w, c.spec.integrator.rtol, error);
        test_run_done(&run);
    }
}
END_TEST

/* The ways to write a barrier about x = c of height 1 and a width of about w: u = (x - c)/w. */
static const char *const SPELLINGS[] = {
    "w^2/((x - c)*(x - c) + w^2)",
    "1/(1 + (1 + u^2)^2)*2",
    "1.25/((1 + u^2)*(1 + (u - 1)^2))*1.6",
    "1/(1 + u^2)^1.5",
    "w/hypot(x - c, w)",
    "(1 + u^2)/(1 + u^2 + u^4)",
    "2/(1 + sqrt(1 + u^2))",
    "1/log(exp(1) + u^2)^2",
    "(pi/2 - atan(u^2))/(pi/2)",
    "1 - u^2/(1 + u^2)",
    "atan2(1, u^2)/(pi/2)",
    "exp(-abs(u))",
    "2^(-u^2)",
    "exp(-u^4 + u^2)/exp(0.25)",
    "exp(-(sin((x - c)/20)*20/w)^2)",
    "1 - erf(u)^2",
    "1 - asin(tanh(u)*0.999999)^2/(pi/2)^2",
    "1 - tanh(u^3)^2",
    "1/max(1, u^2)",
    "max(0, 1 - abs(u))",
    "max(0, 1 - u^2)^2",
    "abs(cos((x - c)/40))^(1/w^2)",
    "w^2/(1000*(x - c)^2)",
    "1e-9*tan((x - c)/13 + pi/2)^2",
    /* sums of bends */
    "sqrt(1 + (u + 1)^2) - 2*sqrt(1 + u^2) + sqrt(1 + (u - 1)^2)",
    "1.2*(hypot(u + 1, 1) - 2*hypot(u, 1) + hypot(u - 1, 1))",
    "(u + 1)*asinh(u + 1) - 2*u*asinh(u) + (u - 1)*asinh(u - 1)",
    "(u + 1)*tanh(u + 1) - 2*u*tanh(u) + (u - 1)*tanh(u - 1)",
    /* powers of powers */
    "(d + (d + (d + (d + (d + (d + (d + (0.5 + 0.5*cos((x - c)/7))^7)^7)^7)^7)^5)^7)^5)",
};
enum { N_SPELLINGS = sizeof SPELLINGS / sizeof *SPELLINGS };

/* Writes (x - c)/w for u. */
static void spell(const char *text, char *ret, size_t size)
{
    size_t n = 0;
    for (const char *c = text; *c && n + 16 < size; c++) {
        if (*c == 'u')
            n += (size_t)snprintf(ret + n, size - n, "((x - c)/w)");
        else
            ret[n++] = *c;
    }
    ret[n] = '\0';
}

START_TEST(barriers_are_met_however_they_are_written)
{
    static const AnalysisSpec none[1];
    static const double WIDTHS[] = {1e-2, 1e-4, 1e-6};
    char barrier[400], lagrangian[500];
    Random random;

    random_init(&random, 71 + (uint64_t)_i);
    spell(SPELLINGS[_i], barrier, sizeof barrier);
    snprintf(lagrangian, sizeof lagrangian, "dot(x)^2/2 - 4*(%s)", barrier);
    for (int k = 0; k < 6; k++) {
        const double way = k % 2 ? 1 : -1, c = way * random_uniform(&random, 2, 18);
        const TestModel model = {
            .coordinates = {"x"},
            .parameters = {{"c", c, ""}, {"w", WIDTHS[k / 2], ""}, {"d", 1e-30, ""}},
            .lagrangian = lagrangian};
        const NamedValue v[] = {{"x", way, "/"}};
        JobSpec spec;
        job_spec_init(&spec);
        spec.initial.v = v;
        spec.initial.n_v = 1;
        spec.analyses = none;
        spec.time = (TimeSpec){.end = 20, .samples = 2};
        TestRun run = test_run(&model, &spec);
        ck_assert_msg(run.result.end.complete, "%s: %s", barrier, run.result.end.message);
        ck_assert_msg(way * test_value(&run, -1, "dot(x)") < 0 || run.result.n_warnings > 0,
                      "%s at %.17g, w %g", barrier, c, WIDTHS[k / 2]);
        test_run_done(&run);
    }
}
END_TEST

/* A high power of an oscillating coordinate is a kick in time, one below zero a barrier. */
START_TEST(powers_of_a_coordinate_are_features)
{
    static const NamedValue q[] = {{"s", 1, "/"}}, far[] = {{"x", -5.3, "/"}},
                            v[] = {{"x", 1, "/"}};
    static const AnalysisSpec none[1];
    const TestModel kicks = {.coordinates = {"x", "s"},
                             .lagrangian = "(dot(x)^2 + dot(s)^2 - s^2)/2",
                             .forces = {{"x", "1000*s^1000000", "", NULL}}};
    const TestModel wall = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 - 1e-12/x^2"};
    JobSpec spec;

    job_spec_init(&spec);
    spec.analyses = none;
    spec.time = (TimeSpec){.end = 7.5 * PI, .samples = 2};
    spec.initial.q = q;
    spec.initial.n_q = 1;
    /* s^N is about exp(-N tau^2/2) at each of 7 half turns, and half of that at the start */
    TestRun run = test_run(&kicks, &spec);
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), 7.5 * sqrt(2 * PI), 1e-2);
    test_run_done(&run);

    spec.initial.q = far;
    spec.initial.v = v;
    spec.initial.n_v = 1;
    run = test_run(&wall, &spec);
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), -1, 1e-6);
    test_run_done(&run);
}
END_TEST

/* Steps of one length meet what they meet; the rest is told. */
START_TEST(fixed_steps_tell_what_they_have_passed)
{
    Random random;
    size_t told = 0;

    random_init(&random, 5);
    for (size_t i = 0; i < CASES; i++) {
        Case c;
        /* corners are met by themselves */
        draw_pulse(&c, &random, (int)(i % 3), "rk4", i % 7);
        c.spec.integrator.step = 0.1;
        TestRun run = run_case(&c);
        const double error = pulse_error(&c, &run);
        ck_assert_msg(error <= 1e-3 || run.result.features.passed > 0, "%s at %.17g, w %.17g: %.3g",
                      c.force, c.c, c.w, error);
        ck_assert(run.result.features.passed == 0 || run.result.n_warnings > 0);
        told += run.result.features.passed > 0;
        test_run_done(&run);
    }
    ck_assert_uint_gt(told, CASES / 2);
}
END_TEST

/* A corner that each step of a lazy motion would meet many times, against short steps. */
START_TEST(corners_that_are_visited_between_quarters_are_met)
{
    static const char *const FORCES[] = {"max(0, cos(7*t) - 0.999)*100",
                                         "if(sin(3*x) > 0.9999, 10, 0)",
                                         "if(cos(20*t) > 0.9999 and x > 4, 50, 0)",
                                         "max(0, sin(5*x) - 0.99) - max(0, -sin(6*t) - 0.999)"};
    static const char *const METHODS[] = {"dop853", "rk4"};

    for (size_t k = 0; k < 2 * sizeof FORCES / sizeof *FORCES; k++) {
        Case c;
        Random random;
        double far[2];
        random_init(&random, k);
        for (int fine = 0; fine < 2; fine++) {
            draw_job(&c, &random, 0, METHODS[fine ? 0 : k % 2]);
            c.spec.time.end = END;
            c.spec.integrator.rtol = 1e-10;
            c.spec.integrator.atol = 1e-12;
            if (!fine && k % 2)
                c.spec.integrator.step = 0.5;
            else if (fine)
                c.spec.integrator.max_step = 2e-3;
            c.v[0].value = 1;
            snprintf(c.force, sizeof c.force, "%s", FORCES[k / 2]);
            TestRun run = run_case(&c);
            ck_assert_uint_eq(run.result.n_warnings, 0);
            far[fine] = test_value(&run, -1, "x");
            test_run_done(&run);
        }
        ck_assert_msg(fabs(far[0] - far[1]) <= (k % 2 ? 1e-4 : 1e-7), "%s, %s: %.17g, %.17g",
                      METHODS[k % 2], FORCES[k / 2], far[0], far[1]);
    }
}
END_TEST

/* Windows of -cos(a t) > b, each with an impulse of s/10, met by a body at rest. */
START_TEST(every_visit_of_a_corner_is_met)
{
    static const AnalysisSpec none[1];
    static const double SCALES[] = {1, 1e-9, 1e9};
    Random random;

    random_init(&random, 5);
    for (size_t i = 0; i < CASES; i++) {
        const double a = random_uniform(&random, 1, 20), s = SCALES[i % 3];
        const double half = pow(10, random_uniform(&random, -3, -1)), b = cos(half);
        const double turns = floor(20 * a / (2 * PI));
        const double area = 2 * (sin(half) - b * half) / a;
        char force[120];
        snprintf(force, sizeof force, "%.17g*max(0, -cos(%.17g*t) - %.17g)", s / 10 / area, a, b);
        const TestModel model = {
            .coordinates = {"x"}, .lagrangian = "dot(x)^2/2", .forces = {{"x", force, "", NULL}}};
        JobSpec spec;
        job_spec_init(&spec);
        spec.analyses = none;
        spec.time = (TimeSpec){.end = 2 * PI * turns / a, .samples = 2};
        TestRun run = test_run(&model, &spec);
        ck_assert_int_eq(run.result.end.status, OK);
        ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)") / s, turns / 10, 1e-6);
        test_run_done(&run);
    }
}
END_TEST

/* A constraint keeps z at zero: rounding, and in a state of momenta errors of the method. */
START_TEST(functions_of_rounding_have_no_features)
{
    static const char *const CONSTRAINTS[] = {"z/(2*s^2 + x^2) = 0", "atan(z/s)*x^2 + z*s = 0",
                                              "z*exp(x/s) = 0", "tan(z/s)*(s^2 + y^2) = 0"};
    static const char *const FORMULATIONS[] = {"lagrange-dalembert", "hamel", "voronec",
                                               "hamiltonian"};
    static const AnalysisSpec none[1];

    for (size_t k = 0; k < 16; k++) {
        const double s = _i ? 1e-9 : 1;
        const TestModel model = {.coordinates = {"x", "y", "z"},
                                 .parameters = {{"s", s, ""}},
                                 .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2"
                                               " + 0.3*dot(x)*dot(z)*cos(y/s) + 0.2*dot(y)*dot(z)"
                                               " - 9.81*s*z - x^2/2 - y^2",
                                 .constraints = {CONSTRAINTS[k % 4]}};
        const NamedValue q[] = {{"x", 0.7 * s, "/"}, {"y", 0.4 * s, "/"}, {"z", 0, "/"}};
        const NamedValue v[] = {{"x", 0.3 * s, "/"}, {"y", 0.5 * s, "/"}, {"z", 0, "/"}};
        JobSpec spec;
        job_spec_init(&spec);
        spec.formulation = FORMULATIONS[k / 4];
        spec.initial.q = q;
        spec.initial.v = v;
        spec.initial.n_q = spec.initial.n_v = 3;
        spec.time = (TimeSpec){.end = 10, .samples = 2};
        spec.analyses = none;
        TestRun run = test_run(&model, &spec);
        ck_assert_int_eq(run.result.end.status, OK);
        ck_assert_msg(run.result.n_warnings == 0, "%s, %s: %s", spec.formulation,
                      CONSTRAINTS[k % 4], run.result.warnings[0]);
        test_run_done(&run);
    }
}
END_TEST

START_TEST(what_does_nothing_costs_no_step)
{
    static const char *const FORCES[] = {"1e-30*exp(-((t - 5)/0.001)^2)",
                                         "exp(-((x - 500)/0.01)^2)",
                                         "0.5*tanh(x/8)",
                                         "exp(-(x/10)^2)",
                                         "1/(4 + sin(t)^2)",
                                         "0"};
    for (size_t k = 0; k + 1 < sizeof FORCES / sizeof *FORCES; k++) {
        Case c;
        Random random;
        random_init(&random, 1);
        draw_job(&c, &random, 0, "dop853");
        c.spec.integrator.rtol = 1e-10;
        snprintf(c.lagrangian, sizeof c.lagrangian, "dot(x)^2/2 + dot(y)^2/2 - y^2 - x^2");
        snprintf(c.force, sizeof c.force, "%s", FORCES[k]);
        TestRun run = run_case(&c);
        ck_assert_uint_eq(run.result.features.watched, 1);
        ck_assert_uint_eq(run.result.features.met, 0);
        ck_assert_uint_eq(run.result.features.undecided, 0);
        ck_assert_uint_eq(run.result.n_warnings, 0);
        test_run_done(&run);
    }
}
END_TEST

/* What is just before the end is less than a hundredth of a long step away from it: the step that
 * is taken again up to there is not stretched to the end. */
START_TEST(what_is_just_before_the_end_is_met)
{
    static const struct {
        const char *force;
        double impulse;
    } LATE[] = {{"1e3*exp(-((t - 0.999*end)/1e-3)^2)", 1.7724538509055161},
                {"1e3*exp(-((x - 0.999*end)/1e-3)^2)", 1.7724538509055161},
                {"1e3*max(0, 1 - ((x - 0.999*end)/1e-3)^2)", 4.0 / 3},
                {"if(abs(x - 0.999*end) < 1e-3, 1e3, 0)", 2}};
    static const double ENDS[] = {100, 1e4};
    static const NamedValue v[] = {{"x", 1, "/"}};
    static const AnalysisSpec none[1];

    for (size_t k = 0; k < 2 * sizeof LATE / sizeof *LATE; k++) {
        const double end = ENDS[k % 2];
        JobSpec spec;
        TestModel model = {.coordinates = {"x", "y"},
                           .parameters = {{"end", end, ""}},
                           .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                           .forces = {{"y", LATE[k / 2].force, "", NULL}}};
        job_spec_init(&spec);
        spec.initial.v = v;
        spec.initial.n_v = 1;
        spec.analyses = none;
        spec.integrator.max_steps = 2000;
        spec.time.end = end;
        spec.time.samples = 2;
        TestRun run = test_run(&model, &spec);
        ck_assert_double_eq_tol(test_value(&run, -1, "dot(y)"), LATE[k / 2].impulse, 1e-7);
        test_run_done(&run);
    }
}
END_TEST

/* A body at rest grows out of nothing; one that the noise of its rates could hide does not. */
START_TEST(what_moves_is_told_from_what_rests)
{
    static const char *const PULSES[] = {"exp(-((t - 50)/w)^2)", "1e-12*exp(-((t - 50)/w)^2)",
                                         "1e12*exp(-((t - 50)/w)^2)"};
    static const NamedValue v[] = {{"x", 1, "/"}};
    static const AnalysisSpec none[1];
    JobSpec spec;

    job_spec_init(&spec);
    spec.analyses = none;
    spec.time = (TimeSpec){.end = 100, .samples = 2};
    for (size_t k = 0; k < 6; k++) {
        const TestModel rest = {.coordinates = {"x"},
                                .parameters = {{"w", k % 2 ? 1 : 0.1, ""}},
                                .lagrangian = "dot(x)^2/2",
                                .forces = {{"x", PULSES[k / 2], "", NULL}}};
        TestRun run = test_run(&rest, &spec);
        ck_assert_msg(run.result.n_warnings == 0, "%s: %s", PULSES[k / 2], run.result.warnings[0]);
        test_run_done(&run);
    }
    /* 1 - tanh^2 far away is known to 1e-16, times 1e15 */
    const TestModel noisy = {.coordinates = {"x"},
                             .lagrangian = "dot(x)^2/2 - 4*(1 - tanh(((x - 6.4)/1e-4)^3)^2)"};
    spec.initial.v = v;
    spec.initial.n_v = 1;
    spec.time.end = 20;
    TestRun run = test_run(&noisy, &spec);
    ck_assert(test_value(&run, -1, "dot(x)") < 0 || run.result.features.undecided > 0);
    test_run_done(&run);
}
END_TEST

/* Between two numbers that t can tell apart there is room for a pulse, but not for a step that
 * meets it: it was passed without a word. A wall that is as thin has another value behind it, and
 * needs none. */
START_TEST(what_lies_between_two_instants_is_undecided)
{
    static const struct {
        double end, w;
    } PULSES[] = {{20, 1e-14}, {20, 1e-18}, {1e4, 1e-12}, {1e6, 1e-9}, {-1e8, 1e-8}};
    static const NamedValue v[] = {{"x", 1, "/"}};
    static const AnalysisSpec none[1];
    const double end = PULSES[_i].end, at = 0.7777777 * end;
    JobSpec spec;

    job_spec_init(&spec);
    spec.analyses = none;
    spec.initial.v = v;
    spec.initial.n_v = 1;
    spec.time = (TimeSpec){.end = end, .samples = 2};
    const TestModel pulse = {.coordinates = {"x"},
                             .parameters = {{"w", PULSES[_i].w, ""}, {"c", at, ""}},
                             .lagrangian = "dot(x)^2/2",
                             .forces = {{"x", "exp(-((t - c)/w)^2)/w", "", NULL}}};
    TestRun run = test_run(&pulse, &spec);
    ck_assert_uint_gt(run.result.features.undecided, 0);
    ck_assert_uint_ge(run.result.n_warnings, 1);
    test_run_done(&run);

    const TestModel wall = {.coordinates = {"x"},
                            .parameters = {{"w", PULSES[_i].w, ""}, {"c", at, ""}},
                            .lagrangian = "dot(x)^2/2",
                            .forces = {{"x", "(1 + tanh((t - c)/w))/c", "", NULL}}};
    run = test_run(&wall, &spec);
    ck_assert_msg(run.result.n_warnings == 0, "%s", run.result.warnings[0]);
    const double way = end < 0 ? at : end - at; /* where the force acts */
    ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), 1 + 2 * way / at, 1e-8);
    test_run_done(&run);
}
END_TEST

/* An oscillator, with something far from it, or later. */
static SimulationResult swing(const char *lagrangian)
{
    static const NamedValue q[] = {{"x", 1, "/"}, {"y", 0.5, "/"}}, v[] = {{"y", 1, "/"}};
    static const AnalysisSpec none[1];
    const TestModel model = {.coordinates = {"x", "y"}, .lagrangian = lagrangian};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = 2;
    spec.initial.n_v = 1;
    spec.time = (TimeSpec){.end = 200, .samples = 2};
    spec.analyses = none;
    TestRun run = test_run(&model, &spec);
    ck_assert_int_eq(run.result.end.status, OK);
    const SimulationResult result = run.result;
    test_run_done(&run);
    return result;
}

START_TEST(what_is_far_away_costs_no_evaluations)
{
    static const char *const FAR[] = {"exp(-100*((x - 12)^2 + y^2))", "tanh((x - 30)/0.1)",
                                      "exp(-((t - 5000)/0.1)^2)*x"};
    const SimulationResult alone = swing("(dot(x)^2 + dot(y)^2)/2 - (x^2 + 2*y^2)/2");

    for (size_t k = 0; k < sizeof FAR / sizeof *FAR; k++) {
        char text[200];
        snprintf(text, sizeof text, "(dot(x)^2 + dot(y)^2)/2 - (x^2 + 2*y^2)/2 - %s", FAR[k]);
        const SimulationResult with = swing(text);
        ck_assert_uint_eq(with.features.watched, 1);
        ck_assert_uint_eq(with.steps.accepted, alone.steps.accepted);
        ck_assert_uint_eq(with.steps.evaluations, alone.steps.evaluations);
    }
}
END_TEST

START_TEST(a_velocity_that_is_all_rounding_is_none)
{
    static const NamedValue q[] = {{"x1", -0.17818047050596886, "/"},
                                   {"x2", -0.087492359722017854, "/"}},
                            v[] = {{"x1", -0.42925591474829361, "/"}, {"x2", 0, "/"}};
    const TestModel model = {
        .coordinates = {"x1", "x2"},
        .lagrangian = "0.57*dot(x1)^2 + 0.1*(0.3 - 0.742*sin(1.64*x2 + 0.431*t)*dot(x2))^4",
        .constraints = {"(1.5 - 0.781*exp(0.104*x2))*dot(x2)"},
        .forces = {{.name = "x1",
                    .text = "0.055/(1 + x1^2 + (0.471*x2 + 0.51*t)^2)*dot(x2)",
                    .pointer = "/"}}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 2;
    spec.initial.t = -0.71773745920894294;
    spec.time = (TimeSpec){.end = 1.3, .samples = 2};
    TestRun run = test_run(&model, &spec);
    ck_assert_uint_eq(run.result.features.undecided, 0);
    ck_assert_uint_eq(run.result.n_warnings, 0);
    test_run_done(&run);
}
END_TEST

/* A kick at t = 5.3 on a skate, and what is asked beside the run. */
/* A kick in time from 0 to 10 by a force, of a body at this speed. */
static TestRun kicked(const char *force, double c, double w, double speed)
{
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"c", c, ""}, {"w", w, ""}},
                             .lagrangian = "dot(x)^2/2",
                             .forces = {{"x", force, "", NULL}}};
    const NamedValue v = {"x", speed, ""};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.v = &v;
    spec.initial.n_v = 1;
    spec.time = (TimeSpec){.end = 10, .samples = 2};
    return test_run(&model, &spec);
}

/* The error that rounding may have made, as the warning tells it; 0: there is none. */
static double told_of_rounding(const TestRun *run)
{
    for (size_t k = 0; k < run->result.n_warnings; k++) {
        const char *told = strstr(run->result.warnings[k], "may be off by ");
        if (told)
            return strtod(told + strlen("may be off by "), NULL);
    }
    return 0;
}

/* Places in a pulse at t = 7 are known to 1e-15 of t, and so its force to 1e-15 of 7/w: what that
 * leaves of an error is within what is told, also where the body has rested before. */
START_TEST(pulses_in_which_t_is_rounded_say_so)
{
    static const double WIDTHS[] = {1e-3, 1e-8, 1e-9, 1e-10};

    for (size_t k = 0; k < 2 * sizeof WIDTHS / sizeof *WIDTHS; k++) {
        const double w = WIDTHS[k / 2], speed = (double)(k % 2);
        TestRun run = kicked("exp(-((t - c)/w)^2)/(w*1.7724538509055159)", 7, w, speed);
        ck_assert_msg(run.result.end.complete, "w = %g: %s", w, run.result.end.message);
        const double error = fabs(test_value(&run, -1, "dot(x)") - speed - 1);
        const double told = told_of_rounding(&run);
        ck_assert_int_eq(told > 0, w < 1e-6);
        ck_assert_double_le(error, told > 0 ? told : 1e-9);
        ck_assert_double_le(error, 1e-13 / w + 1e-9);
        test_run_done(&run);
    }
}
END_TEST

/* Where a root begins, rounding of t is that of all of its values; a step beyond, of hardly any. */
START_TEST(edges_of_roots_do_not_raise_the_tolerance)
{
    static const char *const FORCES[] = {
        "2/(pi*w)*sqrt(max(0, 1 - ((t - c)/w)^2))",
        "8/(pi*w^2)*sqrt(max(0, (t - c)*(c + w - t)))",
        "1.5/w^1.5*if(t > c, sqrt(t - c), 0)*if(t < c + w, 1, 0)",
        "8/(3*pi*w)*max(0, 1 - ((t - c)/w)^2)^1.5",
        "128/(35*pi*w)*max(0, 1 - ((t - c)/w)^2)^3.5",
        "256/(63*pi*w)*max(0, 1 - ((t - c)/w)^2)^4.5",
    };

    for (size_t k = 0; k < 3 * sizeof FORCES / sizeof *FORCES; k++) {
        const double w = k % 3 == 0 ? 1e-1 : k % 3 == 1 ? 1e-3 : 1e-5;
        TestRun run = kicked(FORCES[k / 3], 3.3, w, 1);
        ck_assert_double_le(fabs(test_value(&run, -1, "dot(x)") - 2), 2e-8);
        test_run_done(&run);
    }
}
END_TEST

/* What follows a window of x that a body flies through with speed 1: how much faster it is behind
 * it than before, the energy of that being 0.3. */
static double faster_behind(const char *force, double c, double w)
{
    TestRun run = kicked(force, c, w, 1);
    const double by = test_value(&run, -1, "dot(x)");

    ck_assert_msg(run.result.end.complete, "%s: %s", force, run.result.end.message);
    ck_assert_uint_le(run.result.steps.accepted, 150);
    test_run_done(&run);
    return by;
}

/* Where roots begin at a place, not an instant, x is rounded there and not a step beyond; the
 * powers of a smooth window are huge where it has ended. */
START_TEST(edges_of_windows_are_resolved)
{
    static const char *const FORCES[] = {
        "0.3*8/(pi*w^2)*sqrt(max(0, (x - c)*(c + w - x)))",
        "0.3*2/(pi*w)*sqrt(max(0, 1 - ((x - c)/w)^2))",
        "0.3*35/(32*w)*max(0, 1 - ((x - c)/w)^2)^3",
        "0.3*256/(63*pi*w)*max(0, 1 - ((x - c)/w)^2)^4.5",
        "0.3*128/(35*pi*w)*max(0, 1 - ((x - c)/w)^2)^3.5",
        "0.3*15/(16*w)*if(abs(x - c) < w, (1 - ((x - c)/w)^2)^2, 0)",
    };
    static const double WIDTHS[] = {1e-1, 1e-3, 1e-5, 1e-6};

    for (size_t k = 0; k < sizeof WIDTHS / sizeof *WIDTHS; k++) {
        const double speed = faster_behind(FORCES[_i], 5.3, WIDTHS[k]);
        ck_assert_msg(fabs(speed - sqrt(1.6)) <= 2e-8, "%s, w = %g: off by %g", FORCES[_i],
                      WIDTHS[k], speed - sqrt(1.6));
    }
}
END_TEST

static bool warns_of_others(const char *analysis, double max_step, double kick)
{
    char text[160];
    static const NamedValue q[] = {{"x", 1, "/"}}, v[] = {{"x", 0.5, "/"}, {"a", 0.3, "/"}};
    const AnalysisSpec asked = {.name = analysis, .pointer = "/analyses/0"};
    const TestModel model = {.coordinates = {"x", "y", "a"},
                             .lagrangian = text,
                             .constraints = {"dot(x)*sin(a) - dot(y)*cos(a)"}};
    bool warns = false;
    JobSpec spec;

    snprintf(text, sizeof text,
             "(dot(x)^2 + dot(y)^2 + dot(a)^2)/2 - x^2/2 + %g*x*exp(-((t - 5.3)/0.001)^2)", kick);
    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.n_q = 1;
    spec.initial.v = v;
    spec.initial.n_v = 2;
    spec.initial.consistency = CONSISTENCY_PROJECT;
    spec.time = (TimeSpec){.end = 10, .samples = 2};
    spec.analyses = &asked;
    spec.n_analyses = 1;
    spec.integrator.max_step = max_step;
    TestRun run = test_run(&model, &spec);
    for (size_t k = 0; k < run.result.n_warnings; k++)
        warns = warns || strstr(run.result.warnings[k], "may pass unseen");
    test_run_done(&run);
    return warns;
}

START_TEST(analyses_that_may_pass_what_the_run_has_met_say_so)
{
    ck_assert(warns_of_others("consistency", 0, 1));
    ck_assert(!warns_of_others("consistency", 0.001, 1));
    ck_assert(!warns_of_others("consistency", 0, 1e-20));
    ck_assert(!warns_of_others("action", 0, 1));
    ck_assert(!warns_of_others("lyapunov", 0, 1));
    ck_assert(!warns_of_others("energy", 0, 1));
}
END_TEST

static Status go_on(void *self, Error *err)
{
    (void)self;
    (void)err;
    return OK;
}

/* A pendulum on this constraint, and the work of interval arithmetic. */
static SimulationResult hang(const char *constraint, const char *formulation, const char *method,
                             uint64_t *ret_intervals)
{
    static const NamedValue q[] = {{"x", 1, "/"}};
    static const AnalysisSpec none[1];
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9.81*y",
                             .constraints = {constraint}};
    JobSpec spec = test_job(3, 2);
    StopToken stop_token;

    spec.initial.q = q;
    spec.initial.n_q = 1;
    spec.formulation = formulation;
    spec.integrator.method = method;
    spec.integrator.step = strcmp(method, "rk4") == 0 ? 0.005 : 0;
    spec.integrator.rtol = strcmp(method, "bdf") == 0 ? 1e-6 : 1e-10;
    spec.integrator.atol_given = false;
    spec.analyses = none;
    stop_token_begin(&stop_token, go_on, NULL);
    stop_token.every = UINT64_MAX;
    TestRun run = test_run(&model, &spec);
    *ret_intervals = stop_token.work;
    stop_token_end(&stop_token);
    const SimulationResult result = run.result;
    ck_assert_int_eq(result.end.status, OK);
    test_run_done(&run);
    return result;
}

/* The same circle, as a function of x^2 + y^2 that is constant on it, and zero in some. */
START_TEST(constraints_of_functions_cost_what_polynomials_do)
{
    static const char *const CIRCLES[] = {"sqrt(x^2 + y^2) = 1",
                                          "log(x^2 + y^2)",
                                          "(x^2 + y^2)^0.5 = 1",
                                          "hypot(x, y) = 1",
                                          "1/(x^2 + y^2) = 1",
                                          "exp(x^2 + y^2 - 1) = 1",
                                          "tanh(x^2 + y^2 - 1)",
                                          "atan2(x^2 + y^2 - 1, 2)",
                                          "sinh(x^2 + y^2 - 1)",
                                          "tan(x^2 + y^2 - 1)",
                                          "asin(x^2 + y^2 - 1)",
                                          "atanh((x^2 + y^2 - 1)/2)",
                                          "log(sqrt(x^2 + y^2))",
                                          "cbrt(x^2 + y^2) = 1",
                                          "(x^2 + y^2 - 1)/(x^2 + y^2 + 1)",
                                          "log(x^2 + y^2)/hypot(x, y)",
                                          "(x*dot(x) + y*dot(y))/hypot(x, y)"};
    static const char *const WAYS_TO_GO[][2] = {
        {"lagrange-dalembert", "dop853"}, {"lagrange-dalembert", "rk4"},
        {"lagrange-dalembert", "bdf"},    {"hamel", "dop853"},
        {"hamiltonian", "dop853"},        {"voronec", "dop853"}};
    enum { LOOKS = 40, NODES = 16, WORK_OF_NODE = 16 };
    const char *formulation = WAYS_TO_GO[_i][0], *method = WAYS_TO_GO[_i][1];
    uint64_t intervals, without;
    const SimulationResult square = hang("x^2 + y^2 = 1", formulation, method, &without);

    for (size_t k = 0; k < sizeof CIRCLES / sizeof *CIRCLES; k++) {
        const SimulationResult run = hang(CIRCLES[k], formulation, method, &intervals);
        ck_assert_msg(run.n_warnings == 0, "%s, %s", CIRCLES[k], run.warnings[0]);
        ck_assert_uint_eq(run.features.undecided, 0);
        ck_assert_msg(2 * run.steps.evaluations <= 3 * square.steps.evaluations, "%s: %ju",
                      CIRCLES[k], (uintmax_t)run.steps.evaluations);
        ck_assert_msg(intervals <= without + LOOKS * NODES * WORK_OF_NODE * run.steps.accepted,
                      "%s: %ju", CIRCLES[k], (uintmax_t)intervals);
    }
}
END_TEST

/* A rope as a stiff spring that only pulls: its force is zero while it is slack. */
START_TEST(a_rope_that_goes_slack_costs_no_search)
{
    static const char *const METHODS[] = {"dop853", "bdf"};
    static const NamedValue q[] = {{"x", 0.6, "/"}, {"y", 0.2, "/"}};
    static const AnalysisSpec none[1];
    enum { NODES = 8, WORK_OF_NODE = 16 };
    const TestModel model = {
        .coordinates = {"x", "y"},
        .parameters = {{"k", 1e8, ""}, {"l", 1, ""}},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9.81*y",
        .forces = {{"x", "-max(0, k*(hypot(x, y) - l))*x/hypot(x, y)", "/", NULL},
                   {"y", "-max(0, k*(hypot(x, y) - l))*y/hypot(x, y)", "/", NULL}}};
    JobSpec spec = test_job(10, 2);
    StopToken stop_token;

    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.integrator.method = METHODS[_i];
    spec.integrator.rtol = 1e-8;
    spec.analyses = none;
    stop_token_begin(&stop_token, go_on, NULL);
    stop_token.every = UINT64_MAX;
    TestRun run = test_run(&model, &spec);
    const uint64_t looks = stop_token.work / (NODES * WORK_OF_NODE);
    stop_token_end(&stop_token);
    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert_uint_gt(run.result.steps.switches, 20);
    ck_assert_uint_eq(run.result.features.undecided, 0);
    ck_assert_uint_le(looks, run.result.steps.evaluations);
    test_run_done(&run);
}
END_TEST

/* All of many corners are enclosed at once, a few times on each step. */
START_TEST(many_corners_are_enclosed_together)
{
    enum { CORNERS = 250, ROOM = 40, NODES_OF_ONE = 4, WORK_OF_NODE = 16, MOST = 5 };
    static const AnalysisSpec none[1];
    char force[CORNERS * ROOM] = "0";
    size_t length = 1;
    StopToken stop_token;

    for (size_t k = 0; k < CORNERS; k++)
        length += (size_t)snprintf(force + length, ROOM, " + max(0, t - %.17g)",
                                   ((double)k + 0.5) / CORNERS);
    const TestModel model = {
        .coordinates = {"x"}, .lagrangian = "dot(x)^2/2", .forces = {{"x", force, "/", NULL}}};
    JobSpec spec = test_job(1, 2);
    spec.analyses = none;
    stop_token_begin(&stop_token, go_on, NULL);
    stop_token.every = UINT64_MAX;
    TestRun run = test_run(&model, &spec);
    const uint64_t enclosed = stop_token.work / (NODES_OF_ONE * WORK_OF_NODE);
    stop_token_end(&stop_token);
    const SimulationResult *result = &run.result;
    ck_assert_uint_eq(result->steps.switches, CORNERS);
    ck_assert_uint_le(enclosed,
                      MOST * CORNERS * (CORNERS + result->steps.accepted + result->steps.rejected));
    test_run_done(&run);
}
END_TEST

SUITE(features)
{
    TCase *tc = suite_case(suite, "narrow");
    tcase_add_loop_test(tc, pulses_narrower_than_a_step_are_met, 0, SUITE_DRAWS(WAYS));
    tcase_add_loop_test(tc, barriers_narrower_than_a_step_are_met, 0, SUITE_DRAWS(WAYS));
    tcase_add_loop_test(tc, barriers_are_met_however_they_are_written, 0, N_SPELLINGS);
    tcase_add_test(tc, powers_of_a_coordinate_are_features);
    tcase_add_test(tc, fixed_steps_tell_what_they_have_passed);
    tcase_add_test(tc, corners_that_are_visited_between_quarters_are_met);
    tcase_add_test(tc, every_visit_of_a_corner_is_met);
    tcase_add_loop_test(tc, functions_of_rounding_have_no_features, 0, 2);
    tcase_add_test(tc, what_does_nothing_costs_no_step);
    tcase_add_test(tc, what_is_just_before_the_end_is_met);
    tcase_add_test(tc, what_moves_is_told_from_what_rests);
    tcase_add_test(tc, a_velocity_that_is_all_rounding_is_none);
    tcase_add_loop_test(tc, what_lies_between_two_instants_is_undecided, 0, 5);
    tcase_add_test(tc, pulses_in_which_t_is_rounded_say_so);
    tcase_add_test(tc, edges_of_roots_do_not_raise_the_tolerance);
    tcase_add_loop_test(tc, edges_of_windows_are_resolved, 0, 6);
    tcase_add_test(tc, what_is_far_away_costs_no_evaluations);
    tcase_add_loop_test(tc, a_rope_that_goes_slack_costs_no_search, 0, 2);
    tcase_add_test(tc, many_corners_are_enclosed_together);
    tcase_add_loop_test(tc, constraints_of_functions_cost_what_polynomials_do, 0, 6);
    tcase_add_test(tc, analyses_that_may_pass_what_the_run_has_met_say_so);
}
