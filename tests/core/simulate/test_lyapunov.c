/* Lyapunov exponents, against closed forms and the same system in other coordinates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/simulate/findings.h"
#include "tests/suite.h"

static const double PI = 3.14159265358979323846;

static TestRun exponents(const TestModel *model, size_t count, double time, const NamedValue *q,
                         size_t n_q, const NamedValue *v, size_t n_v, Arena *arena)
{
    Value *options = value_new_record(arena);
    value_add_count(arena, options, "count", count);
    value_add_number(arena, options, "time", time);
    value_add_number(arena, options, "transient", time / 10);
    return test_analyse(model, "lyapunov", options, q, n_q, v, n_v);
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
    const Value *list = test_finding(&run, "lyapunov", "exponents");
    const double l[] = {test_nth(list, 0)->number, test_nth(list, 1)->number,
                        test_nth(list, 2)->number};

    ck_assert_double_eq(test_finding(&run, "lyapunov", "dimension")->number, 3);
    ck_assert_double_eq_tol(l[0], 0.9056, 0.05 * 0.9056);
    ck_assert_double_eq_tol(l[1], 0, 0.02);
    ck_assert_double_eq_tol(l[0] + l[1] + l[2], -41.0 / 3, 0.02);
    ck_assert_str_eq(test_finding(&run, "lyapunov", "likely")->text, "yes");
    ck_assert_str_eq(test_finding(&run, "lyapunov", "exponential")->text, "undecided");
    ck_assert_str_eq(test_finding(&run, "lyapunov", "chaotic")->text, "undecided");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* dot(v) = g - k v^2 from rest: v = V tanh(g t/V), and deviations of the velocity along it are
 * sech(g t/V)^2, across it sech(g t/V). So all growth is -3 log(cosh(g T/V)). */
START_TEST(a_body_that_falls_through_air_starts_from_rest)
{
    static const char *const SPEEDS[] = {"hypot(dot(x), dot(y))", "sqrt(dot(x)^2 + dot(y)^2)"};
    const double g = 9.81, k = 0.3, V = sqrt(g / k), T = 0.8;
    const NamedValue q[] = {{"x", 0, ""}, {"y", 0, ""}};
    char along[64], across[64];
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    TestModel model = {.coordinates = {"x", "y"},
                       .parameters = {{"g", g, ""}, {"k", k, ""}},
                       .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - g*y",
                       .forces = {{"x", across, "", NULL}, {"y", along, "", NULL}}};

    snprintf(across, sizeof across, "-k*%s*dot(x)", SPEEDS[_i]);
    snprintf(along, sizeof along, "-k*%s*dot(y)", SPEEDS[_i]);
    value_add_count(arena, options, "count", 4);
    value_add_number(arena, options, "time", T);
    TestRun run = test_analyse(&model, "lyapunov", options, q, 2, NULL, 0);
    const Value *list = test_finding(&run, "lyapunov", "exponents");
    double sum = 0;
    for (size_t c = 0; c < 4; c++)
        sum += test_nth(list, c)->number;
    ck_assert_double_eq_tol(sum * T, -3 * log(cosh(g * T / V)), 1e-7);
    ck_assert_double_eq(test_number(test_finding(&run, "lyapunov", "features"), "undecided"), 0);
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
    const Value *list = test_finding(&run, "lyapunov", "exponents");
    ck_assert_double_eq_tol(test_nth(list, 0)->number, 2, 1e-6);
    ck_assert_double_eq_tol(test_nth(list, 1)->number, -2, 1e-6);
    ck_assert_str_eq(test_finding(&run, "lyapunov", "likely")->text, "yes");
    ck_assert_str_eq(test_finding(&run, "lyapunov", "exponential")->text, "undecided");
    ck_assert_str_eq(test_finding(&run, "lyapunov", "chaotic")->text, "no");
    test_run_done(&run);

    run = exponents(&oscillator, 1, 300, q, 1, NULL, 0, arena);
    ck_assert_double_eq_tol(test_finding(&run, "lyapunov", "exponents")->first->number, 0, 1e-8);
    ck_assert_str_eq(test_finding(&run, "lyapunov", "chaotic")->text, "no");
    ck_assert_ptr_nonnull(
        strstr(test_finding(&run, "lyapunov", "reason")->text, "Poincare and Bendixson"));
    ck_assert_str_eq(test_finding(&run, "lyapunov", "likely")->text, "undecided");
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
        ck_assert_double_gt(test_finding(&runs[k], "lyapunov", "exponents")->first->number, 0.9);
        ck_assert_str_eq(test_finding(&runs[k], "lyapunov", "likely")->text, "undecided");
        ck_assert_str_eq(test_finding(&runs[k], "lyapunov", "chaotic")->text, "no");
        const char *reason = test_finding(&runs[k], "lyapunov", "reason")->text;
        ck_assert_msg(strstr(reason, "Poincare and Bendixson") != NULL, "%s", reason);
        test_run_done(&runs[k]);
    }
    TestRun run = exponents(&shaken, 1, 400, q, 1, NULL, 0, arena);
    ck_assert_str_eq(test_finding(&run, "lyapunov", "likely")->text, "yes");
    ck_assert_str_eq(test_finding(&run, "lyapunov", "exponential")->text, "undecided");
    ck_assert_str_eq(test_finding(&run, "lyapunov", "chaotic")->text, "undecided");
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
    const Value *l = test_finding(&first, "lyapunov", "exponents");
    const Value *m = test_finding(&second, "lyapunov", "exponents");

    ck_assert_double_eq(test_finding(&second, "lyapunov", "dimension")->number, 4);
    ck_assert_double_gt(l->first->number, 0.05);
    ck_assert_double_eq_tol(l->first->number, m->first->number, 0.06 * l->first->number);
    for (size_t k = 0; k < 2; k++) {
        ck_assert_double_eq_tol(test_nth(l, k)->number, -test_nth(l, 3 - k)->number, 5e-3);
        ck_assert_double_eq_tol(test_nth(m, k)->number, -test_nth(m, 3 - k)->number, 5e-3);
    }
    test_run_done(&first);
    test_run_done(&second);
    arena_free(arena);
}
END_TEST

SUITE(lyapunov)
{
    TCase *tc = suite_case(suite, "lyapunov");
    tcase_add_test(tc, lorenz_equations_have_their_exponents);
    tcase_add_test(tc, exponents_of_linear_motion_are_its_rates);
    tcase_add_loop_test(tc, a_body_that_falls_through_air_starts_from_rest, 0, 2);
    tcase_add_test(tc, two_dimensions_have_no_room_for_chaos);
    tcase_add_test(tc, a_double_pendulum_on_its_rods_is_as_chaotic_as_by_its_angles);
}
