/* Relative equilibria, motions along symmetries, and what is near them, against closed forms. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/simulate/findings.h"
#include "tests/suite.h"

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
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 2, v, 1);
    const Value *found = test_equilibrium(&run, 1);

    test_expect_text(found, "kind", "relative equilibrium");
    ck_assert_ptr_null(value_member(value_member(found, "along"), "shift"));
    const double rate = test_number(value_member(found, "along"), "turn");
    const double cosine = -test_number(value_member(found, "q"), "z");
    ck_assert_double_eq_tol(rate * rate, 9.81 / cosine, 1e-9);
    ck_assert_double_eq(test_number(found, "zero_eigenvalues"), 2);
    /* the zeros are one double eigenvalue, which rounding splits into any two of its square root */
    const double first = test_number(test_nth(value_member(found, "eigenvalues"), 0), "im");
    test_expect_eigenvalue(found, first > 1 ? 0 : 2, 0, rate * sqrt(1 + 3 * cosine * cosine));
    test_run_done(&run);
}
END_TEST

/* A circle at the top of a ridge: z grows. A potential that is not round, by however little, makes
 * the turn no symmetry, though samples take it for one. */
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
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 1, v, 1);

    test_expect_text(test_equilibrium(&run, 1), "kind", "relative equilibrium");
    test_expect_text(test_equilibrium(&run, 1), "stable", POTENTIALS[_i][1]);
    test_run_done(&run);
}
END_TEST

/* Circular orbits about a centre, of a rate that is the balance of forces: stable where the energy
 * has a minimum at this momentum. */
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
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 1, v, 1);
    const Value *found = test_equilibrium(&run, 1), *stable = value_member(found, "stable");

    ck_assert_ptr_nonnull(stable);
    ck_assert_msg(strcmp(stable->text, c->stable) == 0, "%s: %s", c->potential,
                  value_member(found, "reason")->text);
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* A carriage on wheels runs on at any speed, and swings while it does: place and speed are a zero
 * that is defective. What the swing does depends on the speed. */
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
    TestRun run = test_analyse(&model, "equilibria", NULL, NULL, 0, v, 1);
    const Value *found = test_equilibrium(&run, 1);
    const Value *stable = found ? value_member(found, "stable") : NULL;

    ck_assert_msg(stable ? strcmp(stable->text, c->stable) == 0 : c->stable[0] == 'u',
                  "%s at %g: %s", c->swing, c->speed,
                  stable ? value_member(found, "reason")->text : "not found");
    if (strcmp(c->stable, "undecided") != 0) {
        ck_assert_double_eq(test_number(found, "dimension"), 5);
        ck_assert_double_eq(test_number(found, "zero_eigenvalues"), 3);
    }
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

/* Chaplygin's sleigh, going straight: the turning rate decays or grows by a u / (I + m a^2) with
 * the sign of the direction in which it goes; also where the rotation is named among its
 * symmetries. */
START_TEST(a_sleigh_runs_straight_one_way_only)
{
    const NamedText turn[] = {{.name = "x", .text = "-y", .pointer = ""},
                              {.name = "y", .text = "x", .pointer = ""},
                              {.name = "th", .text = "1", .pointer = ""}};
    const NamedText north = {.name = "y", .text = "1", .pointer = ""};
    const NamedText east = {.name = "x", .text = "1", .pointer = ""};
    TestModel model = {
        .coordinates = {"x", "y", "th"},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + 0.3*dot(th)*(dot(y)*cos(th) - dot(x)*sin(th)) + "
                      "0.3*dot(th)^2",
        .constraints = {"dot(y)*cos(th) - dot(x)*sin(th)"},
        .symmetries = {{.name = "east", .components = &east, .n_components = 1},
                       {.name = "north", .components = &north, .n_components = 1}}};
    if (_i)
        model.symmetries[2] = (FieldText){.name = "turn", .components = turn, .n_components = 3};
    for (int side = -1; side <= 1; side += 2) {
        const NamedValue q[] = {{"th", 0.5, ""}};
        const NamedValue v[] = {{"x", side * cos(0.5), ""}, {"y", side * sin(0.5), ""}};
        TestRun run = test_analyse(&model, "equilibria", NULL, q, 1, v, 2);
        const Value *found = test_equilibrium(&run, 1), *velocity = value_member(found, "v");
        const double speed = hypot(test_number(velocity, "x"), test_number(velocity, "y"));
        ck_assert_double_eq_tol(speed, 1, 1e-9);
        test_expect_eigenvalue(found, side > 0 ? 4 : 0, -side * 0.3 * speed / 0.6, 0);
        test_expect_text(found, "stable", side > 0 ? "yes" : "no");
        test_run_done(&run);
    }
}
END_TEST

/* About its axis, on which it vanishes, a rotation moves nothing, nor does a second one that is the
 * first: the family has one state for each place and rate of psi, two zeros, and no third that
 * hides an eigenvalue, here that of s^2 + s + 1 +- 2 i = 0 to the right. */
START_TEST(generators_that_move_nothing_make_no_zeros)
{
    const FieldText spin = {.name = "spin",
                            .components = &(NamedText){.name = "psi", .text = "1", .pointer = ""},
                            .n_components = 1};
    const FieldText others[] = {
        {.name = "turn",
         .components = (NamedText[]){{.name = "x", .text = "-y"}, {.name = "y", .text = "x"}},
         .n_components = 2},
        {.name = "faster",
         .components = (NamedText[]){{.name = "psi", .text = "2"}},
         .n_components = 1}};
    const TestModel model = {
        .coordinates = {"x", "y", "psi"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(psi)^2 - x^2 - y^2)/2",
        .forces = {{"x", "-dot(x) + 2*y", "", NULL}, {"y", "-dot(y) - 2*x", "", NULL}},
        .symmetries = {spin, others[_i]}};
    const NamedValue q[] = {{"x", 0, ""}, {"y", 0, ""}}, v[] = {{"psi", 1, ""}};
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 2, v, 1);
    const Value *found = test_equilibrium(&run, 1);

    test_expect_text(found, "kind", "relative equilibrium");
    ck_assert_double_eq(test_number(found, "flat_directions"), 2);
    test_expect_text(found, "stable", "no");
    test_run_done(&run);
}
END_TEST

/* The axis of a top, (x, y, z), upright: it stays there where (C w)^2 > 4 A m g l, with A = s, C =
 * s/2, m g l = s r^2 where w > 4 r. */
START_TEST(a_top_sleeps_when_it_is_fast)
{
    static const struct {
        double s, r, w;
        const char *stable;
    } CASES[] = {
        {1, 1, 4.001, "yes"},      {1, 1, 3.999, "no"},        {1, 1, -40, "yes"},
        {1e-9, 1, 4.001, "yes"},   {1e9, 1, 4.001, "yes"},     {1e9, 1, 3.999, "no"},
        {1, 1e-6, 4.1e-6, "yes"},  {1e-3, 1e-6, 3.9e-6, "no"}, {1, 100, 401, "yes"},
        {1e-9, 1e-9, 5e-9, "yes"}, {1, 1, 4, "undecided"},
    };
    const TestModel model = {
        .coordinates = {"x", "y", "psi"},
        .parameters = {{"s", CASES[_i].s, ""}, {"r", CASES[_i].r, ""}},
        .lagrangian = "s/2*(dot(x)^2 + dot(y)^2 + (x*dot(x) + y*dot(y))^2/(1 - x^2 - y^2))"
                      " + s/4*(dot(psi) + (x*dot(y) - y*dot(x))/(1 + sqrt(1 - x^2 - y^2)))^2"
                      " - s*r^2*sqrt(1 - x^2 - y^2)",
        .symmetries = {
            {.name = "turn",
             .components = (NamedText[]){{.name = "x", .text = "-y"}, {.name = "y", .text = "x"}},
             .n_components = 2},
            {.name = "spin",
             .components = &(NamedText){.name = "psi", .text = "1"},
             .n_components = 1}}};
    const NamedValue q[] = {{"x", 0, ""}, {"y", 0, ""}}, v[] = {{"psi", CASES[_i].w, ""}};
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 2, v, 1);

    test_expect_text(test_equilibrium(&run, 1), "stable", CASES[_i].stable);
    test_run_done(&run);
}
END_TEST

SUITE(relative_equilibria)
{
    TCase *tc = suite_case(suite, "relative_equilibria");
    tcase_add_loop_test(tc, generators_that_move_nothing_make_no_zeros, 0, 2);
    tcase_add_loop_test(tc, a_top_sleeps_when_it_is_fast, 0, 11);
    tcase_add_test(tc, a_conical_pendulum_is_a_relative_equilibrium);
    tcase_add_loop_test(tc, a_symmetry_is_proved_before_anything_is_said_of_motions_along_it, 0, 2);
    tcase_add_loop_test(tc, orbits_are_stable_by_the_theorem_of_routh, 0,
                        sizeof ORBITS / sizeof ORBITS[0]);
    tcase_add_loop_test(tc, a_carriage_runs_on_at_any_speed, 0,
                        sizeof CARRIAGES / sizeof CARRIAGES[0]);
    tcase_add_loop_test(tc, a_sleigh_runs_straight_one_way_only, 0, 2);
}
