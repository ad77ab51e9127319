/* Floquet multipliers, against closed forms, the references, and the same system in other
 * coordinates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/simulate/findings.h"
#include "tests/suite.h"

static const double PI = 3.14159265358979323846;

#define STRETCH "(a0*(1 + eps*sin(w*t)))"

/* 000 section 6.3: tests/reference/floquet-*.json. */
START_TEST(the_references_of_parametric_resonance_come_out)
{
    static const struct {
        double I, w, trace, largest, first;
        const char *stable;
    } CASES[] = {
        {0, 1.5, -1.2613206100284868, 1, -1.2301292255965297, "yes"},
        {0, 2, -2.374613868657269, 1.8273833018855534, -1.8262066962936665, "no"},
        {0.125, 2.5, -1.1154341980495324, 1, -0.871763964442841, "yes"},
        {0.125, 1.625, -2.2222032591139755, 1.5954019818221847, -1.5970886821383785, "no"}};
    TestModel model = {.coordinates = {"d"},
                       .parameters = {{"I", CASES[_i].I, ""},
                                      {"a0", 2, ""},
                                      {"eps", 0.25, ""},
                                      {"w", CASES[_i].w, ""}},
                       .lagrangian = "(0.25 + I)/2*" STRETCH "^2*dot(d)^2 - 0.5*" STRETCH "*d^2/2",
                       .forces = {{"d", "I*" STRETCH "*a0*eps*w*cos(w*t)*dot(d)", "", NULL}}};
    const NamedValue q[] = {{"d", 1, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_text(arena, options, "period", "2*pi/w");
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_double_eq_tol(test_finding(&run, "floquet", "trace")->number, CASES[_i].trace, 1e-11);
    ck_assert_double_eq_tol(test_finding(&run, "floquet", "determinant")->number, 1, 1e-11);
    ck_assert_double_eq_tol(
        test_number(test_finding(&run, "floquet", "multipliers")->first, "modulus"),
        CASES[_i].largest, 1e-11);
    ck_assert_double_eq_tol(test_finding(&run, "floquet", "monodromy")->first->first->number,
                            CASES[_i].first, 1e-11);
    ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, CASES[_i].stable);
    ck_assert(test_finding(&run, "floquet", "linear")->boolean);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* The period of x'' = -x^3/l^2 with amplitude a is 7.4162987 l/a. A motion of 1e-9 m returned to
 * its start to 1e-9 of 1 after any time. */
START_TEST(a_motion_closes_in_every_unit)
{
    static const double UNITS[] = {1e-12, 1e-9, 1, 1e9};
    const double l = UNITS[_i];
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"l", l, ""}},
                             .lagrangian = "dot(x)^2/2 - x^4/(4*l^2)"};
    const NamedValue q[] = {{"x", l, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_number(arena, options, "period", 7);
    value_add_bool(arena, options, "correct", true);
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);
    const Value *start = test_finding(&run, "floquet", "start");
    const double x = test_number(value_member(start, "q"), "x"),
                 v = test_number(value_member(start, "v"), "x");
    const double amplitude = pow(pow(x / l, 4) + 2 * pow(v / l, 2), 0.25);

    ck_assert_double_eq_tol(test_finding(&run, "floquet", "period")->number * amplitude,
                            7.416298709205487, 1e-8);
    ck_assert_double_lt(test_finding(&run, "floquet", "return_error")->number, 1e-7);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* x'' + 2 c x' + x = 0 over any time: the trace is 2 exp(-c T) cos(w T), the determinant, by
 * Liouville and Jacobi, exp(-2 c T). */
START_TEST(a_damped_oscillator_has_the_determinant_of_liouville)
{
    const double c = 0.15, T = 3, w = sqrt(1 - c * c);
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"c", c, ""}},
                             .lagrangian = "(dot(x)^2 - x^2)/2",
                             .forces = {{"x", "-2*c*dot(x)", "", NULL}}};
    const NamedValue q[] = {{"x", 1, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_number(arena, options, "period", T);
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_double_eq_tol(test_finding(&run, "floquet", "trace")->number,
                            2 * exp(-c * T) * cos(w * T), 1e-11);
    ck_assert_double_eq_tol(test_finding(&run, "floquet", "determinant")->number, exp(-2 * c * T),
                            1e-11);
    ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, "yes");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* The resistance of the air has no first derivative at rest: the multipliers are those without
 * it. */
START_TEST(resting_air_takes_no_part)
{
    const double T = 2;
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = "(dot(x)^2 + dot(y)^2 - x^2)/2 - y^2",
                             .forces = {{"x", "-0.3*hypot(dot(x), dot(y))*dot(x)", "", NULL},
                                        {"y", "-0.3*sqrt(dot(x)^2 + dot(y)^2)*dot(y)", "", NULL}}};
    const NamedValue q[] = {{"x", 0, ""}, {"y", 0, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_number(arena, options, "period", T);
    TestRun run = test_analyse(&model, "floquet", options, q, 2, NULL, 0);

    ck_assert_double_eq_tol(test_finding(&run, "floquet", "trace")->number,
                            2 * cos(T) + 2 * cos(sqrt(2) * T), 1e-9);
    ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, "undecided");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* What pairs multipliers is proved: a drag of 1e-14 that is not odd in time is no rounding. */
START_TEST(multipliers_are_paired_by_proof_alone)
{
    static const struct {
        const char *force, *stable;
    } CASES[] = {
        {"-(1.3 + 0.2*sin(2*t + 0.3))*x", "yes"}, /* a potential */
        {"-1.3*x + 0.1*sin(2*t)*dot(x)", "yes"},
        {"-1.3*x + 0.1*cos(w*t)*dot(x) - 0.1*sin(w*t)*x + 0.05*cos(2*w*t)*x", "yes"},
        {"-1.3*x + 0.1*sin(2*t)*dot(x) - 1e-14*cos(2*t)*dot(x)", "undecided"},
        {"-1.3*x + 0.1*sin(2*t + 0.3)*dot(x)", "undecided"}, /* about a time that is not tried */
        {"-1.3*x + 0.1*cos(2*t)*dot(x) + 1e-12*dot(x)", "undecided"},
    };
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"w", 2, ""}},
                             .lagrangian = "dot(x)^2/2",
                             .forces = {{"x", CASES[_i].force, "", NULL}}};
    const NamedValue q[] = {{"x", 0.1, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_text(arena, options, "period", "acos(-1)");
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, CASES[_i].stable);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* The same driven pendulum on its rod, the two constraints of which leave two of four directions:
 * at rest, hanging, with the multipliers of the intrinsic linear equation. */
START_TEST(a_rod_leaves_the_multipliers_of_the_angle)
{
    const TestModel rod = {.coordinates = {"x", "y"},
                           .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - (1 + 0.3*cos(2*t))*y",
                           .constraints = {"x^2 + y^2 - 1"}};
    const TestModel angle = {.coordinates = {"a"},
                             .lagrangian = "dot(a)^2/2 - (1 + 0.3*cos(2*t))*a^2/2"};
    const NamedValue hanging[] = {{"y", -1, ""}}, any[] = {{"a", 0.4, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_number(arena, options, "period", PI);
    TestRun first = test_analyse(&rod, "floquet", options, hanging, 1, NULL, 0);
    TestRun second = test_analyse(&angle, "floquet", options, any, 1, NULL, 0);

    ck_assert_double_eq(test_finding(&first, "floquet", "dimension")->number, 2);
    ck_assert(!test_finding(&first, "floquet", "linear")->boolean);
    ck_assert_double_eq_tol(test_finding(&first, "floquet", "trace")->number,
                            test_finding(&second, "floquet", "trace")->number, 1e-10);
    ck_assert_str_eq(test_finding(&first, "floquet", "stable")->text, "no");
    test_run_done(&first);
    test_run_done(&second);
    arena_free(arena);
}
END_TEST

/* Van der Pol's cycle (mu = 1): period 6.6632868593, and Liouville gives the second multiplier. */
START_TEST(a_limit_cycle_is_found_and_attracts)
{
    const TestModel model = {.coordinates = {"x"},
                             .lagrangian = "(dot(x)^2 - x^2)/2",
                             .forces = {{"x", "(1 - x^2)*dot(x)", "", NULL}}};
    const NamedValue q[] = {{"x", 2, ""}}, v[] = {{"x", 0, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_number(arena, options, "period", 6.6);
    TestRun lost = test_analyse(&model, "floquet", options, q, 1, v, 1);
    value_add_bool(arena, options, "correct", true);
    TestRun run = test_analyse(&model, "floquet", options, q, 1, v, 1);

    test_expect_failure(&lost, "floquet", "does not return");
    ck_assert_double_eq_tol(test_finding(&run, "floquet", "period")->number, 6.66328685931, 1e-9);
    ck_assert_double_eq_tol(test_number(test_finding(&run, "floquet", "multipliers")->first, "re"),
                            1, 1e-9);
    ck_assert_double_eq_tol(test_finding(&run, "floquet", "determinant")->number, 8.59695e-4, 1e-8);
    ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, "yes");
    test_run_done(&lost);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

typedef struct MathieuCase {
    double a, q;
    const char *force, *stable;
} MathieuCase;

/* x'' + (a - 2 q cos 2 t) x = F. Where a is characteristic (McLachlan, 1947, for q = 1: a3, a4, a5)
 * two multipliers meet at +-1 and deviations grow like t; between a_n and b_n they grow
 * exponentially. A drag whose mean is 0 leaves the determinant 1, but does not pair multipliers. */
static const MathieuCase MATHIEU[] = {
    {9.078368847203106, 1, "0", "undecided"},
    {16.03383234035951, 1, "0", "undecided"},
    {25.02085434544863, 1, "0", "undecided"},
    {9.07, 1, "0", "no"},
    {1.5, 1, "0", "no"},
    {4.3, 2, "0", "no"},
    {12, 1, "0", "yes"},
    {5.5, 1, "0", "yes"},
    {12, 1, "-0.1*dot(x)", "yes"},
    {12, 1, "0.1*dot(x)", "no"},
    {12, 1, "1e-13*dot(x)", "undecided"},
    {12, 1, "0.1*sin(2*t)*dot(x)", "yes"},
    {12, 1, "0.1*cos(2*t)*dot(x)", "undecided"},
};

START_TEST(multipliers_on_the_circle_are_shown_to_lie_there)
{
    const MathieuCase *c = &MATHIEU[_i];
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"a", c->a, ""}, {"q", c->q, ""}},
                             .lagrangian = "(dot(x)^2 - (a - 2*q*cos(2*t))*x^2)/2",
                             .forces = {{"x", c->force, "", NULL}}};
    const NamedValue q[] = {{"x", 1, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_text(arena, options, "period", "pi");
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_msg(strcmp(test_finding(&run, "floquet", "stable")->text, c->stable) == 0,
                  "a = %.17g, q = %g, %s: %s, %s", c->a, c->q, c->force,
                  test_finding(&run, "floquet", "stable")->text,
                  test_finding(&run, "floquet", "reason")->text);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* x'' + (w^2 + K delta(t - c)) x = 0 has the trace 2 cos wT - (K/w) sin wT, however narrow the
 * pulse, and whether the motion itself feels it or is at rest. */
START_TEST(pulses_narrower_than_a_step_count_in_the_monodromy)
{
    static const double WIDTHS[] = {1e-3, 1e-5, 1e-6, 1e-7};
    const double width = WIDTHS[_i / 2], w = sqrt(1.3), T = 2 * PI, K = 10;
    const TestModel model = {
        .coordinates = {"x"},
        .parameters = {{"c", 3 + 0.1 * _i, ""}, {"e", width, ""}, {"h", K / sqrt(PI), ""}},
        .lagrangian = "dot(x)^2/2 - (1.3 + h/(2*e)*exp(-(sin((t - c)/2)/e)^2))*x^2/2"};
    const NamedValue q[] = {{"x", _i % 2, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_number(arena, options, "period", T);
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert_double_eq_tol(test_finding(&run, "floquet", "trace")->number,
                            2 * cos(w * T) - K / w * sin(w * T), 100 * width);
    ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, "no");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

START_TEST(what_is_no_period_is_refused)
{
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"w", 2, ""}},
                             .lagrangian = "(dot(x)^2 - (1 + 0.1*cos(w*t))*x^2)/2"};
    const NamedValue q[] = {{"x", 1, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_number(arena, options, "period", 3);
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);
    test_expect_failure(&run, "floquet", "not a period");
    test_run_done(&run);

    static const char *const WRONG[] = {"2*pi/x", "-w", "2*pi/t"};
    for (size_t k = 0; k < 3; k++) {
        Value *wrong = value_new_record(arena);
        value_add_text(arena, wrong, "period", WRONG[k]);
        wrong->first->pointer = "/analyses/0/period";
        const AnalysisSpec analysis = {"floquet", wrong, "/analyses/0"};
        JobSpec spec;
        job_spec_init(&spec);
        spec.time.end = 1;
        spec.analyses = &analysis, spec.n_analyses = 1;
        test_expect_refused(&model, &spec, "/analyses/0/period", "");
    }
    arena_free(arena);
}
END_TEST

/* A driven oscillator: where L jumps a motion meets an impulse, of which the multipliers know
 * nothing. */
START_TEST(a_jump_of_the_lagrangian_is_in_no_multiplier)
{
    static const struct {
        const char *step, *stable;
    } CASES[] = {{"0", "yes"},
                 {"if(x > 0.05, 1, 0)", "undecided"},
                 {"1e-9*sign(dot(x) - 0.05)", "undecided"},
                 {"if(t > 1, 1, 0)", "yes"},
                 /* a turn more, at its cut: no impulse */
                 {"atan2(x - 0.05, -1) + atan(x - 0.05)", "yes"}};
    char L[120];
    snprintf(L, sizeof L, "dot(x)^2/2 - x^2/2 + 0.3*x*cos(2*t) + %s", CASES[_i].step);
    const TestModel model = {
        .coordinates = {"x"}, .lagrangian = L, .forces = {{"x", "-0.2*dot(x)", "", NULL}}};
    const NamedValue q[] = {{"x", -0.9 / 9.16, ""}}, v[] = {{"x", 0.24 / 9.16, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_text(arena, options, "period", "pi");
    TestRun run = test_analyse(&model, "floquet", options, q, 1, v, 1);

    ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, CASES[_i].stable);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* The same system in units of time from 1e-6 to 1e6 has the same multipliers and the same verdict:
 * one that grows by e in a period of 1e5 was near the circle. */
static const struct {
    const char *lagrangian, *force;
    double modulus;
    const char *stable;
} TIMED[] = {
    {"m*(dot(x)^2/2 - 1.69*w^2*x^2/2)", "2*m*w*dot(x)", 2.718281828459045, "no"},
    {"m*(dot(x)^2/2 - 1.69*w^2*x^2/2)", "-m*w*dot(x)/2", 0.7788007830714049, "yes"},
    {"m*(dot(x)^2/2 - w^2*(1.3 + 0.2*cos(2*pi*w*t))*x^2/2)", "0", 1, "yes"},
};

static const double CLOCKS[] = {1e-6, 1e-3, 1, 1e5, 1e6};

START_TEST(the_unit_of_time_is_in_no_verdict)
{
    enum { N_CLOCKS = sizeof CLOCKS / sizeof CLOCKS[0] };
    const double T = CLOCKS[_i % N_CLOCKS];
    const size_t k = (size_t)_i / N_CLOCKS;
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"w", 1 / T, ""}, {"m", 1e3, ""}},
                             .lagrangian = TIMED[k].lagrangian,
                             .forces = {{"x", TIMED[k].force, "", NULL}}};
    const NamedValue q[] = {{"x", 0, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_text(arena, options, "period", "1/w");
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_double_eq_tol(
        test_number(test_finding(&run, "floquet", "multipliers")->first, "modulus"),
        TIMED[k].modulus, 1e-10);
    ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, TIMED[k].stable);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* Mathieu's equation in the middle of a stable band; of the fast clock a third of a billion periods
 * fit into the run, at the end of which rounding of t leaves 7 digits of the phase. */
START_TEST(rounding_of_late_times_makes_no_period_false)
{
    const double clocks[] = {1, 1e-9};
    double traces[2];
    Arena *arena = arena_new(1 << 20);

    for (int k = 0; k < 2; k++) {
        const double T = clocks[k];
        const TestModel model = {.coordinates = {"x"},
                                 .parameters = {{"w", 1 / T, ""}},
                                 .lagrangian =
                                     "1e-27*(dot(x)^2 - w^2*(2.5 - 2.6*cos(2*w*t))*x^2)/2"};
        const NamedValue q[] = {{"x", 0, ""}};
        Value *options = value_new_record(arena), *other = value_new_record(arena);
        value_add_text(arena, options, "period", "pi/w");
        TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);
        traces[k] = test_finding(&run, "floquet", "trace")->number;
        ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, "yes");
        test_run_done(&run);
        /* what is off by more than rounding is none */
        value_add_text(arena, other, "period", "1.0001*pi/w");
        run = test_analyse(&model, "floquet", other, q, 1, NULL, 0);
        test_expect_failure(&run, "floquet", "not a period");
        test_run_done(&run);
    }
    ck_assert_double_eq_tol(traces[0], -0.4653226472697752, 1e-10);
    ck_assert_double_eq_tol(traces[1], traces[0], 1e-10);
    arena_free(arena);
}
END_TEST

/* The same oscillator as the angle of a rod of 1e3, driven about its rest. */
START_TEST(the_unit_of_time_is_in_no_verdict_on_constraints)
{
    const double T = CLOCKS[_i];
    const TestModel model = {.coordinates = {"x", "y"},
                             .parameters = {{"w", 1 / T, ""}, {"l", 1e3, ""}},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - l*w^2*(1.3 + 0.2*cos(w*t))*y",
                             .constraints = {"x^2 + y^2 - l^2"}};
    const NamedValue q[] = {{"x", 0, ""}, {"y", -1e3, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_text(arena, options, "period", "2*pi/w");
    TestRun run = test_analyse(&model, "floquet", options, q, 2, NULL, 0);
    const Value *first = test_finding(&run, "floquet", "multipliers")->first;

    /* Mathieu's equation x'' + (1.3 + 0.2 cos t) x = 0, integrated otherwise */
    ck_assert_double_eq_tol(test_number(first, "re"), 0.646851209166, 1e-9);
    ck_assert_double_eq_tol(test_number(first, "modulus"), 1, 1e-9);
    ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, "yes");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* A pendulum that swings once in 7e6 s is not linear, and a third of its period is none. */
static const double SLOW_CLOCKS[] = {1, 1e3, 1e6};

START_TEST(a_slow_clock_makes_nothing_linear_or_periodic)
{
    static const char *const FORCES[] = {"-sin(x)", "-(1.3 + 0.2*cos(w*t))*x"};
    const double T = SLOW_CLOCKS[_i / 2];
    char force[100];
    (void)snprintf(force, sizeof force, "(%s)*w^2", FORCES[_i % 2]);
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"w", 1 / T, ""}},
                             .lagrangian = "dot(x)^2/2",
                             .forces = {{"x", force, "", NULL}}};
    const NamedValue q[] = {{"x", 1, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_text(arena, options, "period", "2/w");
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);

    test_expect_failure(&run, "floquet", _i % 2 ? "not a period" : "does not return");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* What repeats nearly, or at all times that a sample tries, has no multipliers: x'' + (1/4 + e cos
 * t) x = 0 grows however small e is, and over pi, half of its period, it has the multipliers
 * +-i. */
static const struct {
    const char *spring, *period, *stable;
} REPEATED[] = {
    {"0.25 + 1e-11*cos(t)", "pi", "undecided"},
    {"0.3 + 1e-12*t", "2*pi", "undecided"},
    {"0.3 + 1e-11*cos(sqrt(2)*t)", "2*pi", "undecided"},
    {"0.3 + 0.1*exp(-((t - 5000.3)/0.001)^2)", "2*pi", "undecided"},
    {"0.3 + 0.1*cos(t + 1e-11*x)", "2*pi", "yes"},
    {"0.3 + 0.1*cos(t)", "2*pi", "yes"},
    {"0.3 + 0.1*sin(t/2)^2", "2*pi", "yes"},
    {"0.3 + 0.1*exp(-(sin(t/2)/0.02)^2)", "2*pi", "yes"},
    {"0.3 + 0.05*tan(sin(t/2 + 1)^2)", "2*pi", "yes"},
    {"0.3 + 0.01*sin(t/2)", "2*pi", NULL}, /* refused */
};

START_TEST(what_repeats_at_samples_only_is_not_judged)
{
    char L[160];
    (void)snprintf(L, sizeof L, "dot(x)^2/2 - (%s)*x^2/2", REPEATED[_i].spring);
    const TestModel model = {.coordinates = {"x"}, .lagrangian = L};
    const NamedValue q[] = {{"x", 0, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_text(arena, options, "period", REPEATED[_i].period);
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);

    if (REPEATED[_i].stable)
        ck_assert_str_eq(test_finding(&run, "floquet", "stable")->text, REPEATED[_i].stable);
    else
        test_expect_failure(&run, "floquet", "not a period");
    if (_i < 4)
        ck_assert_ptr_nonnull(strstr(test_finding(&run, "floquet", "reason")->text, "Not proved"));
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* 1e-13 x^3 beside x is no rounding: the system is not linear, and its motion has to return. */
START_TEST(a_small_power_makes_a_system_not_linear)
{
    static const char *const TERMS[] = {"0", "1e-13*x^4", "1e-13*x^2*dot(x)^2", "1e-14*sin(x)"};
    char L[160];
    (void)snprintf(L, sizeof L, "dot(x)^2/2 - 0.3*(1 + 0.1*cos(t))*x^2/2 - %s", TERMS[_i]);
    const TestModel model = {.coordinates = {"x"}, .lagrangian = L};
    const NamedValue q[] = {{"x", 1, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    value_add_text(arena, options, "period", "2*pi");
    TestRun run = test_analyse(&model, "floquet", options, q, 1, NULL, 0);

    if (_i == 0)
        ck_assert(test_finding(&run, "floquet", "linear")->boolean);
    else
        test_expect_failure(&run, "floquet", "does not return");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

SUITE(floquet)
{
    TCase *tc = suite_case(suite, "floquet");
    tcase_add_loop_test(tc, a_motion_closes_in_every_unit, 0, 4);
    tcase_add_loop_test(tc, the_references_of_parametric_resonance_come_out, 0, 4);
    tcase_add_loop_test(tc, a_jump_of_the_lagrangian_is_in_no_multiplier, 0, 5);
    tcase_add_test(tc, a_damped_oscillator_has_the_determinant_of_liouville);
    tcase_add_test(tc, resting_air_takes_no_part);
    tcase_add_loop_test(tc, multipliers_are_paired_by_proof_alone, 0, 6);
    tcase_add_test(tc, a_rod_leaves_the_multipliers_of_the_angle);
    tcase_add_test(tc, a_limit_cycle_is_found_and_attracts);
    tcase_add_loop_test(tc, multipliers_on_the_circle_are_shown_to_lie_there, 0,
                        sizeof MATHIEU / sizeof MATHIEU[0]);
    tcase_add_loop_test(tc, pulses_narrower_than_a_step_count_in_the_monodromy, 0, 8);
    tcase_add_test(tc, what_is_no_period_is_refused);
    tcase_add_loop_test(tc, what_repeats_at_samples_only_is_not_judged, 0,
                        sizeof REPEATED / sizeof REPEATED[0]);
    tcase_add_loop_test(tc, a_small_power_makes_a_system_not_linear, 0, 4);
    tcase_add_loop_test(tc, the_unit_of_time_is_in_no_verdict, 0, 15);
    tcase_add_test(tc, rounding_of_late_times_makes_no_period_false);
    tcase_add_loop_test(tc, the_unit_of_time_is_in_no_verdict_on_constraints, 0, 5);
    tcase_add_loop_test(tc, a_slow_clock_makes_nothing_linear_or_periodic, 0, 6);
}
