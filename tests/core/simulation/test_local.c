/* What happens near motions: equilibria, Floquet multipliers, Lyapunov exponents; against closed
 * forms, the references, and the same system in other coordinates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/simulation/documents.h"
#include "tests/suite.h"

static const double PI = 3.14159265358979323846;

static Value *record(Arena *arena)
{
    return value_new_record(arena);
}

/* Runs one analysis at a start that is made consistent. */
static TestRun analyse(const TestModel *model, const char *name, const Value *options,
                       const NamedValue *q, size_t n_q, const NamedValue *v, size_t n_v)
{
    const AnalysisSpec analysis = {.name = name, .options = options, .pointer = "/analyses/0"};
    JobSpec spec;
    job_spec_init(&spec);
    spec.time.end = 1;
    spec.time.samples = 2;
    spec.consistency = CONSISTENCY_PROJECT;
    spec.q = q, spec.n_q = n_q, spec.v = v, spec.n_v = n_v;
    spec.analyses = &analysis, spec.n_analyses = 1;
    return test_run(model, &spec);
}

static const Value *finding(const TestRun *run, const char *analysis, const char *name)
{
    const Value *found = value_member(run->result.findings, analysis);
    const Value *failed = value_member(found, "failed");
    ck_assert_msg(!failed, "%s", failed ? failed->text : "");
    found = value_member(found, name);
    ck_assert_msg(found != NULL, "no member %s of %s", name, analysis);
    return found;
}

static const Value *nth(const Value *list, size_t k)
{
    const Value *value = list->first;
    while (value && k-- > 0)
        value = value->next;
    ck_assert_ptr_nonnull(value);
    return value;
}

static double number(const Value *parent, const char *name)
{
    const Value *value = value_member(parent, name);
    ck_assert_msg(value && value->kind == VALUE_NUMBER, "no number %s", name);
    return value->number;
}

static void expect_text(const Value *parent, const char *name, const char *expected)
{
    const Value *value = value_member(parent, name);
    ck_assert_ptr_nonnull(value);
    ck_assert_str_eq(value->text, expected);
}

static void expect_failure(const TestRun *run, const char *analysis, const char *fragment)
{
    const Value *failed = value_member(value_member(run->result.findings, analysis), "failed");
    ck_assert_ptr_nonnull(failed);
    ck_assert_msg(strstr(failed->text, fragment) != NULL, "%s", failed->text);
}

/* Floquet. */

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
    Value *options = record(arena);
    value_add_text(arena, options, "period", "2*pi/w");
    TestRun run = analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_double_eq_tol(finding(&run, "floquet", "trace")->number, CASES[_i].trace, 1e-11);
    ck_assert_double_eq_tol(finding(&run, "floquet", "determinant")->number, 1, 1e-11);
    ck_assert_double_eq_tol(number(finding(&run, "floquet", "multipliers")->first, "modulus"),
                            CASES[_i].largest, 1e-11);
    ck_assert_double_eq_tol(finding(&run, "floquet", "monodromy")->first->first->number,
                            CASES[_i].first, 1e-11);
    ck_assert_str_eq(finding(&run, "floquet", "stable")->text, CASES[_i].stable);
    ck_assert(finding(&run, "floquet", "linear")->boolean);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* The period of x'' = -x^3/l^2 with amplitude a is 7.4162987 l/a. A motion of 1e-9 m returned to its
 * start to 1e-9 of 1 after any time. */
START_TEST(a_motion_closes_in_every_unit)
{
    static const double UNITS[] = {1e-12, 1e-9, 1, 1e9};
    const double l = UNITS[_i];
    const TestModel model = {.coordinates = {"x"},
                             .parameters = {{"l", l, ""}},
                             .lagrangian = "dot(x)^2/2 - x^4/(4*l^2)"};
    const NamedValue q[] = {{"x", l, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = record(arena);
    value_add_number(arena, options, "period", 7);
    value_add_bool(arena, options, "correct", true);
    TestRun run = analyse(&model, "floquet", options, q, 1, NULL, 0);
    const Value *start = finding(&run, "floquet", "start");
    const double x = number(value_member(start, "q"), "x"),
                 v = number(value_member(start, "v"), "x");
    const double amplitude = pow(pow(x / l, 4) + 2 * pow(v / l, 2), 0.25);

    ck_assert_double_eq_tol(finding(&run, "floquet", "period")->number * amplitude,
                            7.416298709205487, 1e-8);
    ck_assert_double_lt(finding(&run, "floquet", "return_error")->number, 1e-7);
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
    Value *options = record(arena);
    value_add_number(arena, options, "period", T);
    TestRun run = analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_double_eq_tol(finding(&run, "floquet", "trace")->number, 2 * exp(-c * T) * cos(w * T),
                            1e-11);
    ck_assert_double_eq_tol(finding(&run, "floquet", "determinant")->number, exp(-2 * c * T),
                            1e-11);
    ck_assert_str_eq(finding(&run, "floquet", "stable")->text, "yes");
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
    Value *options = record(arena);
    value_add_text(arena, options, "period", "acos(-1)");
    TestRun run = analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_str_eq(finding(&run, "floquet", "stable")->text, CASES[_i].stable);
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
    Value *options = record(arena);
    value_add_number(arena, options, "period", PI);
    TestRun first = analyse(&rod, "floquet", options, hanging, 1, NULL, 0);
    TestRun second = analyse(&angle, "floquet", options, any, 1, NULL, 0);

    ck_assert_double_eq(finding(&first, "floquet", "dimension")->number, 2);
    ck_assert(!finding(&first, "floquet", "linear")->boolean);
    ck_assert_double_eq_tol(finding(&first, "floquet", "trace")->number,
                            finding(&second, "floquet", "trace")->number, 1e-10);
    ck_assert_str_eq(finding(&first, "floquet", "stable")->text, "no");
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
    Value *options = record(arena);
    value_add_number(arena, options, "period", 6.6);
    TestRun lost = analyse(&model, "floquet", options, q, 1, v, 1);
    value_add_bool(arena, options, "correct", true);
    TestRun run = analyse(&model, "floquet", options, q, 1, v, 1);

    expect_failure(&lost, "floquet", "does not return");
    ck_assert_double_eq_tol(finding(&run, "floquet", "period")->number, 6.66328685931, 1e-9);
    ck_assert_double_eq_tol(number(finding(&run, "floquet", "multipliers")->first, "re"), 1, 1e-9);
    ck_assert_double_eq_tol(finding(&run, "floquet", "determinant")->number, 8.59695e-4, 1e-8);
    ck_assert_str_eq(finding(&run, "floquet", "stable")->text, "yes");
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
    Value *options = record(arena);
    value_add_text(arena, options, "period", "pi");
    TestRun run = analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_msg(strcmp(finding(&run, "floquet", "stable")->text, c->stable) == 0,
                  "a = %.17g, q = %g, %s: %s, %s", c->a, c->q, c->force,
                  finding(&run, "floquet", "stable")->text,
                  finding(&run, "floquet", "reason")->text);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* x'' + (w^2 + K delta(t - c)) x = 0 has the trace 2 cos wT - (K/w) sin wT, however narrow the pulse,
 * and whether the motion itself feels it or is at rest. */
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
    Value *options = record(arena);
    value_add_number(arena, options, "period", T);
    TestRun run = analyse(&model, "floquet", options, q, 1, NULL, 0);

    ck_assert_msg(run.result.complete, "%s", run.result.message);
    ck_assert_double_eq_tol(finding(&run, "floquet", "trace")->number,
                            2 * cos(w * T) - K / w * sin(w * T), 100 * width);
    ck_assert_str_eq(finding(&run, "floquet", "stable")->text, "no");
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
    Value *options = record(arena);
    value_add_number(arena, options, "period", 3);
    TestRun run = analyse(&model, "floquet", options, q, 1, NULL, 0);
    expect_failure(&run, "floquet", "not a period");
    test_run_done(&run);

    static const char *const WRONG[] = {"2*pi/x", "-w", "2*pi/t"};
    for (size_t k = 0; k < 3; k++) {
        Value *wrong = record(arena);
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

/* Lyapunov. */

static TestRun exponents(const TestModel *model, size_t count, double time, const NamedValue *q,
                         size_t n_q, const NamedValue *v, size_t n_v, Arena *arena)
{
    Value *options = record(arena);
    value_add_count(arena, options, "count", count);
    value_add_number(arena, options, "time", time);
    value_add_number(arena, options, "transient", time / 10);
    return analyse(model, "lyapunov", options, q, n_q, v, n_v);
}

/* Lorenz's equations as three constraints on three coordinates, which leave no force anything to
 * do. His exponents are 0.9056, 0, -14.5723; their sum is the divergence -(10 + 1 + 8/3). */
START_TEST(lorenz_equations_have_their_exponents)
{
    const TestModel model = {
        .coordinates = {"x", "y", "z"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
        .constraints = {"dot(x) - 10*(y - x)", "dot(y) - x*(28 - z) + y", "dot(z) - x*y + 8/3*z"}};
    const NamedValue q[] = {{"x", 1, ""}, {"y", 1, ""}, {"z", 20, ""}};
    Arena *arena = arena_new(1 << 20);
    TestRun run = exponents(&model, 3, 600, q, 3, NULL, 0, arena);
    const Value *list = finding(&run, "lyapunov", "exponents");
    const double l[] = {nth(list, 0)->number, nth(list, 1)->number, nth(list, 2)->number};

    ck_assert_double_eq(finding(&run, "lyapunov", "dimension")->number, 3);
    ck_assert_double_eq_tol(l[0], 0.9056, 0.05 * 0.9056);
    ck_assert_double_eq_tol(l[1], 0, 0.02);
    ck_assert_double_eq_tol(l[0] + l[1] + l[2], -41.0 / 3, 0.02);
    ck_assert_str_eq(finding(&run, "lyapunov", "likely")->text, "yes");
    ck_assert_str_eq(finding(&run, "lyapunov", "exponential")->text, "undecided");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

START_TEST(exponents_of_linear_motion_are_its_rates)
{
    const TestModel saddle = {.coordinates = {"x"}, .lagrangian = "(dot(x)^2 + 4*x^2)/2"};
    const TestModel oscillator = {.coordinates = {"x"}, .lagrangian = "(dot(x)^2 - x^2)/2"};
    const NamedValue origin[] = {{"x", 0, ""}}, q[] = {{"x", 1, ""}};
    Arena *arena = arena_new(1 << 20);
    TestRun run = exponents(&saddle, 2, 30, origin, 1, NULL, 0, arena);
    const Value *list = finding(&run, "lyapunov", "exponents");
    ck_assert_double_eq_tol(nth(list, 0)->number, 2, 1e-6);
    ck_assert_double_eq_tol(nth(list, 1)->number, -2, 1e-6);
    ck_assert_str_eq(finding(&run, "lyapunov", "likely")->text, "yes");
    ck_assert_str_eq(finding(&run, "lyapunov", "exponential")->text, "undecided");
    test_run_done(&run);

    run = exponents(&oscillator, 1, 300, q, 1, NULL, 0, arena);
    ck_assert_double_eq_tol(finding(&run, "lyapunov", "exponents")->first->number, 0, 1e-8);
    ck_assert_str_eq(finding(&run, "lyapunov", "likely")->text, "undecided");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* A plane pendulum that leaves its upper position separates from others like exp(t), until it has
 * left it; two dimensions have no room for chaos. Shaken, it has three. */
START_TEST(two_dimensions_have_no_room_for_chaos)
{
    const TestModel angle = {.coordinates = {"a"}, .lagrangian = "dot(a)^2/2 + cos(a)"};
    const TestModel rod = {.coordinates = {"x", "y"},
                           .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
                           .constraints = {"x^2 + y^2 - 1"}};
    const TestModel shaken = {.coordinates = {"a"},
                              .lagrangian = "dot(a)^2/2 + cos(a)",
                              .forces = {{"a", "cos(2*t)", "", NULL}}};
    const NamedValue up[] = {{"a", PI - 1e-12, ""}}, top[] = {{"x", 1e-12, ""}, {"y", 1, ""}};
    const NamedValue q[] = {{"a", 3.1, ""}};
    Arena *arena = arena_new(1 << 20);
    TestRun runs[] = {exponents(&angle, 1, 24, up, 1, NULL, 0, arena),
                      exponents(&rod, 1, 24, top, 2, NULL, 0, arena)};

    for (size_t k = 0; k < 2; k++) {
        ck_assert_double_gt(finding(&runs[k], "lyapunov", "exponents")->first->number, 0.9);
        ck_assert_str_eq(finding(&runs[k], "lyapunov", "likely")->text, "undecided");
        const char *reason = finding(&runs[k], "lyapunov", "reason")->text;
        ck_assert_msg(strstr(reason, "Poincare and Bendixson") != NULL, "%s", reason);
        test_run_done(&runs[k]);
    }
    TestRun run = exponents(&shaken, 1, 400, q, 1, NULL, 0, arena);
    ck_assert_str_eq(finding(&run, "lyapunov", "likely")->text, "yes");
    ck_assert_str_eq(finding(&run, "lyapunov", "exponential")->text, "undecided");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* The double pendulum by angles, and by rods: the same exponents, as many as the manifold has
 * dimensions, in pairs of opposite signs. */
START_TEST(a_double_pendulum_on_its_rods_is_as_chaotic_as_by_its_angles)
{
    const TestModel angles = {
        .coordinates = {"a", "b"},
        .lagrangian = "dot(a)^2 + dot(b)^2/2 + dot(a)*dot(b)*cos(a - b) + 2*cos(a) + cos(b)"};
    const TestModel rods = {.coordinates = {"x", "y", "u", "w"},
                            .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(u)^2 + dot(w)^2)/2 - y - w",
                            .constraints = {"x^2 + y^2 - 1", "(u - x)^2 + (w - y)^2 - 1"}};
    const NamedValue by_angle[] = {{"a", PI / 2, ""}, {"b", PI, ""}};
    const NamedValue by_rods[] = {{"x", 1, ""}, {"u", 1, ""}, {"w", 1, ""}};
    Arena *arena = arena_new(1 << 20);
    TestRun first = exponents(&angles, 4, 3000, by_angle, 2, NULL, 0, arena);
    TestRun second = exponents(&rods, 4, 3000, by_rods, 3, NULL, 0, arena);
    const Value *l = finding(&first, "lyapunov", "exponents");
    const Value *m = finding(&second, "lyapunov", "exponents");

    ck_assert_double_eq(finding(&second, "lyapunov", "dimension")->number, 4);
    ck_assert_double_gt(l->first->number, 0.05);
    ck_assert_double_eq_tol(l->first->number, m->first->number, 0.06 * l->first->number);
    for (size_t k = 0; k < 2; k++) {
        ck_assert_double_eq_tol(nth(l, k)->number, -nth(l, 3 - k)->number, 5e-3);
        ck_assert_double_eq_tol(nth(m, k)->number, -nth(m, 3 - k)->number, 5e-3);
    }
    test_run_done(&first);
    test_run_done(&second);
    arena_free(arena);
}
END_TEST

/* Equilibria. */

static const Value *equilibrium(const TestRun *run, size_t k)
{
    const Value *list = value_member(run->result.findings, "equilibria");
    ck_assert_msg(list && list->kind == VALUE_LIST, "%s",
                  list ? value_member(list, "failed")->text : "no equilibria");
    return nth(list, k);
}

static void expect_eigenvalue(const Value *found, size_t k, double re, double im)
{
    const Value *value = nth(value_member(found, "eigenvalues"), k);
    ck_assert_msg(hypot(number(value, "re") - re, number(value, "im") - im) < 1e-6,
                  "%zu: %.9g %+.9gi, not %.9g %+.9gi", k, number(value, "re"), number(value, "im"),
                  re, im);
}

START_TEST(a_pendulum_hangs_and_stands)
{
    TestModel model = {.coordinates = {"x", "y"},
                       .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9*y",
                       .constraints = {"x^2 + y^2 - 4"}};
    const NamedValue q[] = {{"x", 0.3, ""}, {"y", -1.9, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = record(arena);
    Value *near = value_add(arena, options, "near", VALUE_LIST);
    Value *up = value_add(arena, near, NULL, VALUE_RECORD);
    value_add_number(arena, value_add(arena, up, "q", VALUE_RECORD), "y", 1);
    value_add(arena, near, NULL, VALUE_RECORD);
    TestRun run = analyse(&model, "equilibria", options, q, 2, NULL, 0);

    const Value *standing = equilibrium(&run, 0), *hanging = equilibrium(&run, 1);
    ck_assert_double_eq_tol(number(value_member(standing, "q"), "y"), 2, 1e-12);
    expect_eigenvalue(standing, 0, sqrt(4.5), 0);
    expect_eigenvalue(standing, 1, -sqrt(4.5), 0);
    expect_text(standing, "stable", "no");
    ck_assert_double_eq_tol(number(value_member(hanging, "q"), "y"), -2, 1e-12);
    expect_eigenvalue(hanging, 0, 0, sqrt(4.5));
    expect_text(hanging, "stable", "yes");
    ck_assert_ptr_nonnull(strstr(value_member(hanging, "reason")->text, "Dirichlet"));
    test_run_done(&run);

    model.forces[0] = (NamedText){.name = "x", .text = "-dot(x)", .pointer = ""};
    run = analyse(&model, "equilibria", NULL, q, 2, NULL, 0);
    expect_eigenvalue(equilibrium(&run, 0), 0, -0.5, sqrt(4.25));
    expect_text(equilibrium(&run, 0), "stable", "yes");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

typedef struct StabilityCase {
    const char *lagrangian, *force_x, *force_y, *stable;
    double x, y; /* near which */
} StabilityCase;

/* By what the potential is, whatever the linearisation says. */
static const StabilityCase STABILITY[] = {
    /* a kernel is not a family: these are not stable, and those whose minimum is flat not shown */
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + x^4", "-dot(x)", "-dot(y)", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + 1e-9*x^4", "-dot(x)", "-dot(y)", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^3", "-dot(x)", "-dot(y)", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^3", "-dot(x)", "-dot(y)", "undecided", 0.3, 0.1},
    {"(dot(x)^2 + dot(y)^2)/2 - x^3 + 3*x*y^2", "-dot(x)", "-dot(y)", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2)/2 - x^3 + 3*x*y^2", "-dot(x)", "-dot(y)", "undecided", 0.2, 0.1},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^4", "-dot(x)", "-dot(y)", "undecided", 0.1, 0},
    /* a family: x is free */
    {"(dot(x)^2 + dot(y)^2 - y^2)/2", "-dot(x)", "-dot(y)", "yes", 0.3, 0.1},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2", "0", "-dot(y)", "undecided", 0.3, 0.1},
    /* rates of very different sizes */
    {"(dot(x)^2 + dot(y)^2 - 1e14*y^2 - x^2)/2", "-dot(x)", "-1e4*dot(y)", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - 1e14*y^2)/2 + 0.005*x^2", "0", "-1e4*dot(y)", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - 1e14*y^2 - x^2)/2", "0.1*dot(x)", "-1e4*dot(y)", "no", 0, 0},
    /* minima of the energy: conservative, damped in part, gyroscopic, driven */
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2", "0", "0", "yes", 0.1, 0.1},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2", "-dot(x) + dot(y)", "dot(x) - dot(y)", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2 + x*dot(y)", "0", "0", "yes", 0, 0},
    {"(1e-9*dot(x)^2 + dot(y)^2 - 1e-9*x^2 - 2*y^2)/2", "0", "0", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2 - y^2)/2", "-0.1*y", "0.1*x", "no", 0, 0},
    /* by so little that discs show nothing */
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2", "1e-13*dot(x)", "0", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2", "1e-13*dot(x) - 1e-13*y", "1e-13*x", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2 - x^4/3 - x^3/12", "-1e-13*dot(x)", "-1e-14*dot(y)",
     "yes", 0.1, 0.1},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 1e-20*y^2)/2 - cos(x)/12", "0", "0", "yes", 0.1, 0.1},
    /* a saddle whose conditions are flat along x */
    {"(dot(x)^2 + dot(y)^2 + y^2)/2 - x^4", "-dot(x)", "-dot(y)", "no", 0, 0},
    /* stabilised by gyroscopic forces: the energy has a maximum, and nothing is shown */
    {"(dot(x)^2 + dot(y)^2 + x^2 + y^2)/2 + 3*x*dot(y)", "0", "0", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 + x^2 - y^2)/2", "-dot(x)", "-dot(y)", "no", 0.1, 0.1},
};

START_TEST(stability_is_claimed_where_a_theorem_says_so)
{
    const StabilityCase *c = &STABILITY[_i];
    const TestModel model = {.coordinates = {"x", "y"},
                             .lagrangian = c->lagrangian,
                             .forces = {{"x", c->force_x, "", NULL}, {"y", c->force_y, "", NULL}}};
    const NamedValue q[] = {{"x", c->x, ""}, {"y", c->y, ""}};
    TestRun run = analyse(&model, "equilibria", NULL, q, 2, NULL, 0);
    const Value *stable = value_member(equilibrium(&run, 0), "stable");

    ck_assert_ptr_nonnull(stable);
    ck_assert_msg(strcmp(stable->text, c->stable) == 0, "%s with %s, %s: %s, %s", c->lagrangian,
                  c->force_x, c->force_y, stable->text,
                  value_member(equilibrium(&run, 0), "reason")->text);
    test_run_done(&run);
}
END_TEST

/* A damped particle under dot(z) = y dot(x): its equilibria fill a curve (one nonholonomic
 * constraint), which it approaches. On y = 0 the plane is z = const. */
START_TEST(nonholonomic_equilibria_fill_a_family_with_zero_eigenvalues)
{
    const TestModel model = {
        .coordinates = {"x", "y", "z"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - x^2 - 2*y^2 - x*z/2",
        .constraints = {"dot(z) - y*dot(x)"},
        .forces = {{"x", "-0.3*dot(x)", "", NULL}, {"y", "-0.4*dot(y)", "", NULL}}};
    const NamedValue q[] = {{"x", 0.1, ""}, {"y", 0.2, ""}, {"z", 0.3, ""}};
    TestRun run = analyse(&model, "equilibria", NULL, q, 3, NULL, 0);
    const Value *found = equilibrium(&run, 0);
    const Value *at = value_member(found, "q");

    ck_assert_double_eq_tol(number(at, "y"), 0, 1e-12);
    ck_assert_double_eq_tol(2 * number(at, "x") + number(at, "z") / 2, 0, 1e-12);
    ck_assert_double_eq(number(found, "dimension"), 5);
    ck_assert_double_eq(number(found, "family"), 1);
    ck_assert_double_eq(number(found, "zero_eigenvalues"), 1);
    expect_eigenvalue(found, 0, 0, 0);
    expect_eigenvalue(found, 1, -0.15, sqrt(2 - 0.15 * 0.15));
    expect_text(found, "stable", "yes");
    test_run_done(&run);
}
END_TEST

/* A sphere's pendulum on a circle: rate^2 = g/(l cos), and of small deviations
 * w^2 = rate^2 (1 + 3 cos^2). A generator that is no symmetry takes no part. */
START_TEST(a_conical_pendulum_is_a_relative_equilibrium)
{
    const TestModel model = {
        .coordinates = {"x", "y", "z"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - 9.81*z",
        .constraints = {"x^2 + y^2 + z^2 - 1"},
        .symmetries = {{.name = "shift",
                        .components = &(NamedText){.name = "x", .text = "1", .pointer = ""},
                        .n_components = 1},
                       {.name = "turn",
                        .components = (NamedText[]){{.name = "x", .text = "-y", .pointer = ""},
                                                    {.name = "y", .text = "x", .pointer = ""}},
                        .n_components = 2}}};
    const NamedValue q[] = {{"x", 0.6, ""}, {"z", -0.8, ""}}, v[] = {{"y", 2.5, ""}};
    TestRun run = analyse(&model, "equilibria", NULL, q, 2, v, 1);
    const Value *found = equilibrium(&run, 1);

    expect_text(found, "kind", "relative equilibrium");
    ck_assert_ptr_null(value_member(value_member(found, "along"), "shift"));
    const double rate = number(value_member(found, "along"), "turn");
    const double cosine = -number(value_member(found, "q"), "z");
    ck_assert_double_eq_tol(rate * rate, 9.81 / cosine, 1e-9);
    ck_assert_double_eq(number(found, "zero_eigenvalues"), 2);
    /* the zeros are one double eigenvalue, which rounding splits into any two of its square root */
    const double first = number(nth(value_member(found, "eigenvalues"), 0), "im");
    expect_eigenvalue(found, first > 1 ? 0 : 2, 0, rate * sqrt(1 + 3 * cosine * cosine));
    test_run_done(&run);
}
END_TEST

/* A circle at the top of a ridge: z grows. A potential that is not round, by however little, makes the
 * turn no symmetry, though samples take it for one. */
START_TEST(a_symmetry_is_proved_before_anything_is_said_of_motions_along_it)
{
    static const char *const POTENTIALS[][2] = {{"(x^2 + y^2 - z^2)/2", "no"},
                                                {"(x^2 + y^2 - z^2)/2 + 1e-14*x^3", "undecided"}};
    char text[200];
    snprintf(text, sizeof text, "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - (%s)", POTENTIALS[_i][0]);
    const TestModel model = {
        .coordinates = {"x", "y", "z"},
        .lagrangian = text,
        .symmetries = {{.name = "turn",
                        .components = (NamedText[]){{.name = "x", .text = "-y", .pointer = ""},
                                                    {.name = "y", .text = "x", .pointer = ""}},
                        .n_components = 2}}};
    const NamedValue q[] = {{"x", 0.5, ""}}, v[] = {{"y", 0.5, ""}};
    TestRun run = analyse(&model, "equilibria", NULL, q, 1, v, 1);

    expect_text(equilibrium(&run, 1), "kind", "relative equilibrium");
    expect_text(equilibrium(&run, 1), "stable", POTENTIALS[_i][1]);
    test_run_done(&run);
}
END_TEST

/* Circular orbits about a centre, of a rate that is the balance of forces: stable where the energy has a
 * minimum at this momentum. */
typedef struct OrbitCase {
    const char *potential;
    double rate; /* at r = 1 */
    const char *stable;
} OrbitCase;

static const OrbitCase ORBITS[] = {
    {"-1/r", 1, "yes"},
    {"r^2/2", 1, "yes"},
    {"-1/(3*r^3)", 1, "no"},
    {"-1/(2*r^2)", 1, "undecided"},
    {"-1e-9/r", 3.1622776601683795e-5, "yes"},
    {"-1e9/r", 31622.776601683792, "yes"},
};

START_TEST(orbits_are_stable_by_the_theorem_of_routh)
{
    const OrbitCase *c = &ORBITS[_i];
    Arena *arena = arena_new(1 << 16);
    const TestModel model = {
        .coordinates = {"r", "phi"},
        .lagrangian = arena_printf(arena, "(dot(r)^2 + r^2*dot(phi)^2)/2 - (%s)", c->potential),
        .symmetries = {{.name = "turn",
                        .components = &(NamedText){.name = "phi", .text = "1", .pointer = ""},
                        .n_components = 1}}};
    const NamedValue q[] = {{"r", 1, ""}}, v[] = {{"phi", c->rate, ""}};
    TestRun run = analyse(&model, "equilibria", NULL, q, 1, v, 1);
    const Value *found = equilibrium(&run, 1), *stable = value_member(found, "stable");

    ck_assert_ptr_nonnull(stable);
    ck_assert_msg(strcmp(stable->text, c->stable) == 0, "%s: %s", c->potential,
                  value_member(found, "reason")->text);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* A carriage on wheels runs on at any speed, and swings while it does: place and speed are a zero that
 * is defective. What the swing does depends on the speed. */
typedef struct CarriageCase {
    const char *swing; /* added to L */
    const char *force; /* on the swing y */
    double speed;
    const char *stable;
} CarriageCase;

static const CarriageCase CARRIAGES[] = {
    {"-y^2/2", "-dot(y)/3", 2, "yes"},
    {"-y^2/2 + 0.2*dot(x)^2*y^2", "-dot(y)/3", 1, "yes"},
    {"-y^2/2 + 0.2*dot(x)^2*y^2", "-dot(y)/3", 2, "no"},
    {"-1e-4*y^2/2", "-1e-2*dot(y)", 2, "yes"},
    {"-y^2/2", "0", 2, "undecided"},
    {"-y^4", "-dot(y)", 2, "undecided"},
    {"y^4", "-dot(y)", 2, "undecided"},
    {"-y^2/2 - exp(-16*(x - 9)^2)", "-dot(y)", 2, "undecided"},
};

START_TEST(a_carriage_runs_on_at_any_speed)
{
    const CarriageCase *c = &CARRIAGES[_i];
    Arena *arena = arena_new(1 << 16);
    const TestModel model = {
        .coordinates = {"x", "y", "th"},
        .lagrangian =
            arena_printf(arena, "(3*dot(x)^2 + dot(y)^2 + dot(th)^2/10)/2 + %s", c->swing),
        .constraints = {"dot(x) - 0.3*dot(th)"},
        .forces = {{"y", c->force, "", NULL}},
        .symmetries = {{.name = "along",
                        .components = &(NamedText){.name = "x", .text = "1", .pointer = ""},
                        .n_components = 1},
                       {.name = "roll",
                        .components = &(NamedText){.name = "th", .text = "1", .pointer = ""},
                        .n_components = 1}}};
    const NamedValue v[] = {{"x", c->speed, ""}};
    TestRun run = analyse(&model, "equilibria", NULL, NULL, 0, v, 1);
    const Value *found = equilibrium(&run, 1);
    const Value *stable = found ? value_member(found, "stable") : NULL;

    ck_assert_msg(stable ? strcmp(stable->text, c->stable) == 0 : c->stable[0] == 'u',
                  "%s at %g: %s", c->swing, c->speed,
                  stable ? value_member(found, "reason")->text : "not found");
    if (strcmp(c->stable, "undecided") != 0) {
        ck_assert_double_eq(number(found, "dimension"), 5);
        ck_assert_double_eq(number(found, "zero_eigenvalues"), 3);
    }
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* Chaplygin's sleigh, going straight: the turning rate decays or grows by a u / (I + m a^2) with
 * the sign of the direction in which it goes. */
START_TEST(a_sleigh_runs_straight_one_way_only)
{
    const NamedText north = {.name = "y", .text = "1", .pointer = ""};
    const NamedText east = {.name = "x", .text = "1", .pointer = ""};
    const TestModel model = {
        .coordinates = {"x", "y", "th"},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + 0.3*dot(th)*(dot(y)*cos(th) - dot(x)*sin(th)) + "
                      "0.3*dot(th)^2",
        .constraints = {"dot(y)*cos(th) - dot(x)*sin(th)"},
        .symmetries = {{.name = "east", .components = &east, .n_components = 1},
                       {.name = "north", .components = &north, .n_components = 1}}};
    for (int side = -1; side <= 1; side += 2) {
        const NamedValue q[] = {{"th", 0.5, ""}};
        const NamedValue v[] = {{"x", side * cos(0.5), ""}, {"y", side * sin(0.5), ""}};
        TestRun run = analyse(&model, "equilibria", NULL, q, 1, v, 2);
        const Value *found = equilibrium(&run, 1), *velocity = value_member(found, "v");
        const double speed = hypot(number(velocity, "x"), number(velocity, "y"));
        ck_assert_double_eq_tol(speed, 1, 1e-9);
        expect_eigenvalue(found, side > 0 ? 4 : 0, -side * 0.3 * speed / 0.6, 0);
        expect_text(found, "stable", side > 0 ? "yes" : "no");
        test_run_done(&run);
    }
}
END_TEST

START_TEST(where_there_is_no_equilibrium_none_is_claimed)
{
    const TestModel falling = {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 - x"};
    const TestModel shaken = {.coordinates = {"x"},
                              .lagrangian = "(dot(x)^2 - x^2)/2",
                              .forces = {{"x", "cos(t)", "", NULL}}};
    const TestModel swung = {.coordinates = {"x"},
                             .lagrangian = "(dot(x)^2 - (1 + cos(t)/2)*x^2)/2"};
    const TestModel turning = {.coordinates = {"x", "y"},
                               .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                               .constraints = {"dot(y) - sin(t)*dot(x)"}};
    const TestModel rubbing = {.coordinates = {"x"},
                               .lagrangian = "(dot(x)^2 - x^2)/2",
                               .forces = {{"x", "-0.1*sign(dot(x))", "", NULL}}};
    const NamedValue q[] = {{"x", 0.5, ""}}, v[] = {{"x", 0.5, ""}};
    TestRun run = analyse(&falling, "equilibria", NULL, q, 1, NULL, 0);
    ck_assert(!value_member(equilibrium(&run, 0), "found")->boolean);
    test_run_done(&run);
    run = analyse(&shaken, "equilibria", NULL, q, 1, NULL, 0);
    ck_assert(!value_member(equilibrium(&run, 0), "found")->boolean);
    test_run_done(&run);
    run = analyse(&swung, "equilibria", NULL, q, 1, NULL, 0);
    expect_text(equilibrium(&run, 0), "stable", "undecided");
    ck_assert_ptr_nonnull(strstr(value_member(equilibrium(&run, 0), "reason")->text, "floquet"));
    test_run_done(&run);
    /* rest is one at all times, and only how velocities change depends on time */
    run = analyse(&turning, "equilibria", NULL, q, 1, NULL, 0);
    expect_text(equilibrium(&run, 0), "stable", "undecided");
    ck_assert_ptr_nonnull(strstr(value_member(equilibrium(&run, 0), "reason")->text, "floquet"));
    test_run_done(&run);
    run = analyse(&rubbing, "equilibria", NULL, q, 1, v, 1);
    expect_failure(&run, "equilibria", "corners");
    test_run_done(&run);
}
END_TEST

/* Linearise: more in tests/http/test_linearise.py. */

/* A rod that is given twice, the whole 1e-9 long: one pendulum, with its own M, C and K. */
START_TEST(redundant_rods_of_any_length_leave_one_pendulum)
{
    const double l = _i ? 1e-9 : 1;
    const TestModel rod = {.coordinates = {"x", "y"},
                           .parameters = {{"l", l, ""}, {"c", 0.125, ""}},
                           .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9*l*y",
                           .constraints = {"x^2 + y^2 - l^2", "2*x^2 + 2*y^2 - 2*l^2"},
                           .forces = {{"x", "-c*dot(x)", "", NULL}}};
    const NamedValue hanging[] = {{"y", -l, ""}};
    TestRun run = analyse(&rod, "linearise", NULL, hanging, 1, NULL, 0);

    ck_assert_uint_eq(value_count(finding(&run, "linearise", "coordinates")), 1);
    ck_assert_str_eq(finding(&run, "linearise", "velocities")->first->text, "x");
    ck_assert_double_eq_tol(finding(&run, "linearise", "M")->first->first->number, 1, 1e-14);
    ck_assert_double_eq_tol(finding(&run, "linearise", "C")->first->first->number, 0.125, 1e-14);
    ck_assert_double_eq_tol(finding(&run, "linearise", "K")->first->first->number, 9, 1e-9);
    ck_assert_double_eq_tol(number(nth(finding(&run, "linearise", "eigenvalues"), 0), "im"),
                            sqrt(9 - 1.0 / 256), 1e-9);
    const Value *vector = nth(finding(&run, "linearise", "eigenvectors"), 0);
    ck_assert_double_eq_tol(value_member(vector, "re")->first->number, 1, 1e-14);
    test_run_done(&run);
}
END_TEST

SUITE(local)
{
    TCase *tc = suite_case(suite, "local");
    tcase_add_loop_test(tc, a_motion_closes_in_every_unit, 0, 4);
    tcase_add_loop_test(tc, the_references_of_parametric_resonance_come_out, 0, 4);
    tcase_add_test(tc, a_damped_oscillator_has_the_determinant_of_liouville);
    tcase_add_loop_test(tc, multipliers_are_paired_by_proof_alone, 0, 6);
    tcase_add_test(tc, a_rod_leaves_the_multipliers_of_the_angle);
    tcase_add_test(tc, a_limit_cycle_is_found_and_attracts);
    tcase_add_loop_test(tc, multipliers_on_the_circle_are_shown_to_lie_there, 0,
                        sizeof MATHIEU / sizeof MATHIEU[0]);
    tcase_add_loop_test(tc, pulses_narrower_than_a_step_count_in_the_monodromy, 0, 8);
    tcase_add_test(tc, what_is_no_period_is_refused);
    tcase_add_test(tc, lorenz_equations_have_their_exponents);
    tcase_add_test(tc, exponents_of_linear_motion_are_its_rates);
    tcase_add_test(tc, two_dimensions_have_no_room_for_chaos);
    tcase_add_test(tc, a_double_pendulum_on_its_rods_is_as_chaotic_as_by_its_angles);
    tcase_add_test(tc, a_pendulum_hangs_and_stands);
    tcase_add_loop_test(tc, stability_is_claimed_where_a_theorem_says_so, 0,
                        sizeof STABILITY / sizeof STABILITY[0]);
    tcase_add_test(tc, nonholonomic_equilibria_fill_a_family_with_zero_eigenvalues);
    tcase_add_test(tc, a_conical_pendulum_is_a_relative_equilibrium);
    tcase_add_loop_test(tc, a_symmetry_is_proved_before_anything_is_said_of_motions_along_it, 0, 2);
    tcase_add_loop_test(tc, orbits_are_stable_by_the_theorem_of_routh, 0,
                        sizeof ORBITS / sizeof ORBITS[0]);
    tcase_add_loop_test(tc, a_carriage_runs_on_at_any_speed, 0,
                        sizeof CARRIAGES / sizeof CARRIAGES[0]);
    tcase_add_test(tc, a_sleigh_runs_straight_one_way_only);
    tcase_add_test(tc, where_there_is_no_equilibrium_none_is_claimed);
    tcase_add_loop_test(tc, redundant_rods_of_any_length_leave_one_pendulum, 0, 2);
}
