/* What large coordinates take from what is small beside them is said. */
#include <math.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

static const char *const FORMULATIONS[] = {"lagrange-dalembert", "voronec", "hamel", "hamiltonian"};
enum { N_FORMULATIONS = sizeof FORMULATIONS / sizeof *FORMULATIONS };

/* The warning about it; NULL: none. The text lives as long as the run. */
static const char *warning_of(const TestRun *run)
{
    for (size_t k = 0; k < run->result.n_warnings; k++)
        if (strstr(run->result.warnings[k], "terms cancel in"))
            return run->result.warnings[k];
    return NULL;
}

static bool warns(const TestModel *model, JobSpec *spec, double end, const char *of)
{
    spec->initial.consistency = CONSISTENCY_PROJECT;
    spec->time = (TimeSpec){.kind = TIME_SAMPLES, .end = end, .samples = 2};
    TestRun run = test_run(model, spec);
    const char *warning = warning_of(&run);
    const bool told = warning && strstr(warning, of);
    test_run_done(&run);
    return told;
}

/* An oscillator whose coordinate has its origin so far away. */
static bool oscillator_warns(double far, double rtol, const char *formulation)
{
    const NamedValue q[] = {{"x", far + 1, ""}, {"y", 0.5, ""}};
    const TestModel model = {.coordinates = {"x", "y"},
                             .parameters = {{"b", far, ""}},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - (x - b)^2/2 - y^2"};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.integrator.rtol = rtol;
    spec.formulation = formulation;
    return warns(&model, &spec, 10, "dot(x)");
}

START_TEST(an_origin_far_away_is_warned_of)
{
    const char *formulation = FORMULATIONS[_i];

    ck_assert(oscillator_warns(1e9, 1e-10, formulation));
    ck_assert(oscillator_warns(1e7, 1e-10, formulation));
    ck_assert(!oscillator_warns(1e3, 1e-10, formulation));
    /* the smaller the tolerance of x, the less it costs .. */
    ck_assert(!oscillator_warns(1e7, 1e-13, formulation));
    /* .. up to where rounding remains */
    ck_assert(oscillator_warns(3e10, 1e-14, formulation));
}
END_TEST

/* Two satellites at a distance l, which turn about each other so often a revolution. */
static bool tether_warns(double l, double turns, double rtol, const char *formulation)
{
    const double R = 7e6, mu = 3.986e14, n = sqrt(mu / (R * R * R));
    const NamedValue q[] = {{"x1", R + l / 2, ""}, {"x2", R - l / 2, ""}};
    const NamedValue v[] = {{"x1", 0, ""},
                            {"y1", n * (R + turns * l / 2), ""},
                            {"x2", 0, ""},
                            {"y2", n * (R - turns * l / 2), ""}};
    const TestModel model = {.coordinates = {"x1", "y1", "x2", "y2"},
                             .parameters = {{"mu", mu, ""}, {"l", l, ""}},
                             .lagrangian = "(dot(x1)^2 + dot(y1)^2 + dot(x2)^2 + dot(y2)^2)/2"
                                           " + mu/hypot(x1, y1) + mu/hypot(x2, y2)",
                             .constraints = {"(x1 - x2)^2 + (y1 - y2)^2 = l^2"}};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.n_q = 2;
    spec.initial.v = v;
    spec.initial.n_v = 4;
    spec.integrator.rtol = rtol;
    spec.formulation = formulation;
    return warns(&model, &spec, 500, "");
}

/* The force of one coordinate, at the end of the run. */
static bool force_warns(const char *lagrangian, double x, double end)
{
    const NamedValue q[] = {{"x", x, ""}};
    const TestModel model = {.coordinates = {"x"}, .lagrangian = lagrangian};
    JobSpec spec;

    job_spec_init(&spec);
    spec.initial.q = q;
    spec.initial.n_q = 1;
    return warns(&model, &spec, end, "dot(x)");
}

/* Of 1 - tanh(x)^2 behind a step rounding is left, and no error of the state makes it more. */
START_TEST(what_only_rounding_cancels_is_judged_by_rounding)
{
    ck_assert(!force_warns("dot(x)^2/2 - 2*(1 + tanh((x - 2)/1e-5)) - 0.1*x", 1, 10));
    ck_assert(!force_warns("dot(x)^2/2 - 2*(1 + tanh((x + 2)/1e-6)) - x^2/2", 1, 10));
}
END_TEST

/* Whatever the noise was where it was measured last: it may be nothing by accident. */
START_TEST(an_origin_is_warned_of_whenever_the_run_ends)
{
    for (int k = 0; k < 12; k++)
        ck_assert(force_warns("dot(x)^2/2 - (x - 1e7)^2/2", 1e7 + 1, 7 + k / 2.0));
}
END_TEST

START_TEST(a_short_distance_of_what_is_far_is_warned_of)
{
    ck_assert(tether_warns(1e-3, 3, 1e-10, "lagrange-dalembert"));
    ck_assert(tether_warns(1e-3, 3, 1e-13, "hamiltonian"));
    ck_assert(!tether_warns(1e3, 3, 1e-10, "lagrange-dalembert"));
    ck_assert(!tether_warns(1, 3, 1e-13, "lagrange-dalembert"));
    /* where steps become too small for it, and the run ends */
    ck_assert(tether_warns(1e-3, 0, 1e-9, "lagrange-dalembert"));
    /* where noise of the rates lifts the tolerance */
    ck_assert(tether_warns(1, 3, 1e-13, "voronec"));
}
END_TEST

/* A rod that hangs at rest, or swings, beside something that moves. */
START_TEST(what_rests_is_not_warned_of)
{
    const TestModel rod = {.coordinates = {"x", "y", "z"},
                           .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - 9.81*y - z^2/2",
                           .constraints = {"x^2 + y^2 = 1"}};

    for (int k = 0; k < 3; k++) {
        const NamedValue q[] = {{"x", k ? pow(10, -9 * k) : 0, ""}, {"y", -1, ""}, {"z", 1, ""}};
        JobSpec spec;
        job_spec_init(&spec);
        spec.initial.q = q;
        spec.initial.n_q = 3;
        spec.formulation = FORMULATIONS[_i];
        ck_assert(!warns(&rod, &spec, 10, ""));
    }
}
END_TEST

/* Whether a column of an oscillator with amplitude a about x0, beside another one, is warned of. */
static bool column_warns(const char *column, double a, double x0, const char *formulation)
{
    const NamedText observe = {"seen", column, "/observe/seen", NULL};
    const NamedValue q[] = {{"x", a, ""}, {"y", 0.5, ""}};
    const TestModel model = {.coordinates = {"x", "y", "z", "w"},
                             .parameters = {{"a", a, ""}, {"x0", x0, ""}},
                             .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(w)^2)/2"
                                           " - x^2/2 - y^2 - z^2/2"};
    const NamedValue far[] = {{"w", x0, ""}, q[0], q[1]}, v[] = {{"w", a, ""}};
    bool told = false;
    JobSpec spec;

    job_spec_init(&spec);
    spec.formulation = formulation;
    spec.initial.q = far;
    spec.initial.n_q = 3;
    spec.initial.v = v;
    spec.initial.n_v = 1;
    spec.observe = &observe;
    spec.n_observe = 1;
    spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 10, .samples = 30};
    TestRun run = test_run(&model, &spec);
    for (size_t k = 0; k < run.result.n_warnings; k++)
        told = told || strstr(run.result.warnings[k], "terms cancel in the column seen");
    test_run_done(&run);
    return told;
}

START_TEST(a_column_that_cancels_itself_is_warned_of)
{
    static const char *const COLUMNS[] = {"sqrt(x^2 + (1e8*a)^2) - 1e8*a",
                                          "w - x0",
                                          "hypot(x, 1e9*a) - hypot(dot(x), 1e9*a)",
                                          "log(1 + 1e-14*x/a)",
                                          "1 - cos(1e-6*x/a)",
                                          "(w - x0)^2/a",
                                          "cos(1e7*x/a)"};
    static const double SIZES[] = {1, 1e-9, 1e9};

    for (size_t k = 0; k < 3 * sizeof COLUMNS / sizeof *COLUMNS; k++)
        ck_assert_msg(
            column_warns(COLUMNS[k / 3], SIZES[k % 3], 1e12 * SIZES[k % 3], FORMULATIONS[_i]),
            "%s, a = %g", COLUMNS[k / 3], SIZES[k % 3]);
}
END_TEST

/* Whether what an oscillator of amplitude a, beside a body far away, is reduced to is warned of. */
static bool reduction_warns(const char *of, ReduceTake take, double a)
{
    const ReduceSpec reduce = {.name = "most",
                               .take = take,
                               .of = {"most", of, "/ensemble/reduce/most/of", NULL},
                               .pointer = "/ensemble/reduce/most"};
    const NamedValue q[] = {{"x", a, ""}, {"w", 1e12 * a, ""}}, v[] = {{"w", a, ""}};
    const TestModel model = {.coordinates = {"x", "z", "w"},
                             .parameters = {{"a", a, ""}},
                             .lagrangian = "(dot(x)^2 + dot(z)^2 + dot(w)^2 - x^2 - z^2)/2"};
    JobSpec spec = test_job(10, 2);
    bool told = false;

    spec.initial.q = q, spec.initial.n_q = 2;
    spec.initial.v = v, spec.initial.n_v = 1;
    spec.reduce = &reduce, spec.n_reduce = 1;
    TestRun run = test_run(&model, &spec);
    for (size_t k = 0; k < run.result.n_warnings; k++)
        told = told || strstr(run.result.warnings[k], "terms cancel in the reduction most");
    test_run_done(&run);
    return told;
}

START_TEST(a_reduction_that_cancels_itself_is_warned_of)
{
    static const char *const LOST[] = {"sqrt(x^2 + (1e8*a)^2) - 1e8*a", "w - 1e12*a",
                                       "1 - cos(1e-6*x/a)"};
    static const char *const KNOWN[] = {"x",
                                        "z",
                                        "x - 0.999*a",
                                        "(dot(x)^2 + x^2 - a^2)/2",
                                        "if(x > a, 1, 0)",
                                        "ddot(x) + x",
                                        "energy()",
                                        "w"};
    static const double SIZES[] = {1, 1e-9, 1e9};
    static const ReduceTake TAKES[] = {REDUCE_MAX, REDUCE_MEAN, REDUCE_LAST, REDUCE_DRIFT};

    for (size_t k = 0; k < 3 * sizeof LOST / sizeof *LOST; k++)
        ck_assert_msg(reduction_warns(LOST[k / 3], TAKES[_i], SIZES[k % 3]), "%s, a = %g",
                      LOST[k / 3], SIZES[k % 3]);
    for (size_t k = 0; k < 3 * sizeof KNOWN / sizeof *KNOWN; k++)
        ck_assert_msg(!reduction_warns(KNOWN[k / 3], TAKES[_i], SIZES[k % 3]), "%s, a = %g",
                      KNOWN[k / 3], SIZES[k % 3]);
}
END_TEST

/* Constants less their value, what rests, what jumps, and what cancels little. */
START_TEST(other_columns_are_not_warned_of)
{
    static const char *const COLUMNS[] = {"(dot(x)^2 + x^2 - a^2)/2",
                                          "z",
                                          "cos(z/a) - 1",
                                          "z - dot(z)",
                                          "y*z",
                                          "if(x > a, 1, 0)",
                                          "sign(x - a)",
                                          "sin(1e5*t)",
                                          "1 - cos(x/a)",
                                          "x - 0.999*a",
                                          "w - x0",
                                          "ddot(x) + x",
                                          "energy()"};
    static const double SIZES[] = {1, 1e-9, 1e9};

    for (size_t k = 0; k < 3 * sizeof COLUMNS / sizeof *COLUMNS; k++)
        ck_assert_msg(!column_warns(COLUMNS[k / 3], SIZES[k % 3], SIZES[k % 3], FORMULATIONS[_i]),
                      "%s, a = %g", COLUMNS[k / 3], SIZES[k % 3]);
}
END_TEST

SUITE(cancellation)
{
    TCase *tc = suite_case(suite, "cancellation");
    tcase_add_loop_test(tc, an_origin_far_away_is_warned_of, 0, N_FORMULATIONS);
    tcase_add_test(tc, what_only_rounding_cancels_is_judged_by_rounding);
    tcase_add_test(tc, an_origin_is_warned_of_whenever_the_run_ends);
    tcase_add_test(tc, a_short_distance_of_what_is_far_is_warned_of);
    tcase_add_loop_test(tc, a_column_that_cancels_itself_is_warned_of, 0, N_FORMULATIONS);
    tcase_add_loop_test(tc, a_reduction_that_cancels_itself_is_warned_of, 0, 4);
    tcase_add_loop_test(tc, other_columns_are_not_warned_of, 0, N_FORMULATIONS);
    tcase_add_loop_test(tc, what_rests_is_not_warned_of, 0, N_FORMULATIONS);
}
