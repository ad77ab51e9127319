/* Equilibria and what is near them, against closed forms and the same system in other
 * coordinates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/simulate/findings.h"
#include "tests/suite.h"

START_TEST(a_pendulum_hangs_and_stands)
{
    TestModel model = {.coordinates = {"x", "y"},
                       .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9*y",
                       .constraints = {"x^2 + y^2 - 4"}};
    const NamedValue q[] = {{"x", 0.3, ""}, {"y", -1.9, ""}};
    Arena *arena = arena_new(1 << 20);
    Value *options = value_new_record(arena);
    Value *near = value_add(arena, options, "near", VALUE_LIST);
    Value *up = value_add(arena, near, NULL, VALUE_RECORD);
    value_add_number(arena, value_add(arena, up, "q", VALUE_RECORD), "y", 1);
    value_add(arena, near, NULL, VALUE_RECORD);
    TestRun run = test_analyse(&model, "equilibria", options, q, 2, NULL, 0);

    const Value *standing = test_equilibrium(&run, 0), *hanging = test_equilibrium(&run, 1);
    ck_assert_double_eq_tol(test_number(value_member(standing, "q"), "y"), 2, 1e-12);
    test_expect_eigenvalue(standing, 0, sqrt(4.5), 0);
    test_expect_eigenvalue(standing, 1, -sqrt(4.5), 0);
    test_expect_text(standing, "stable", "no");
    ck_assert_double_eq_tol(test_number(value_member(hanging, "q"), "y"), -2, 1e-12);
    test_expect_eigenvalue(hanging, 0, 0, sqrt(4.5));
    test_expect_text(hanging, "stable", "yes");
    ck_assert_ptr_nonnull(strstr(value_member(hanging, "reason")->text, "Dirichlet"));
    test_run_done(&run);

    model.forces[0] = (NamedText){.name = "x", .text = "-dot(x)", .pointer = ""};
    run = test_analyse(&model, "equilibria", NULL, q, 2, NULL, 0);
    test_expect_eigenvalue(test_equilibrium(&run, 0), 0, -0.5, sqrt(4.25));
    test_expect_text(test_equilibrium(&run, 0), "stable", "yes");
    test_run_done(&run);
    arena_free(arena);
}
END_TEST

typedef struct StabilityCase {
    const char *lagrangian, *force_x, *force_y, *stable;
    double x, y; /* near which */
} StabilityCase;

#define OSCILLATOR "(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2"
#define FREE "(dot(x)^2 + dot(y)^2)/2"
#define SPEED "hypot(dot(x), dot(y))"

/* By what the potential is, whatever the linearisation says. */
static const StabilityCase STABILITY[] = {
    /* flat along x: the first derivative that does not vanish tells, by Lagrange and Dirichlet or
     * Chetaev */
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + x^4", "-dot(x)", "-dot(y)", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + 1e-9*x^4", "-dot(x)", "-dot(y)", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + x^4", "0", "0", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + x^4", "-dot(x)", "0", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^3", "-dot(x)", "-dot(y)", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^3", "-dot(x)", "-dot(y)", "no", 0.3, 0.1},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^4", "-dot(x)", "-dot(y)", "yes", 0.1, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^4", "0", "0", "yes", 0.1, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - 1e-9*x^4 + x^5", "0", "-dot(y)", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2)/2 - (x - 5)^4*(1 + y^2) - y^2", "-dot(x)", "-dot(y)", "yes", 5, 0},
    {"(dot(x)^2 + dot(y)^2)/2 - (x - 5)^4*(1 + y^2) - y^2", "-dot(x)", "-dot(y)", "yes", 5.1, 0.1},
    {"(dot(x)^2 + dot(y)^2)/2 - (x - 5)^4*(1 + y^2) - y^2", "-dot(x)", "-dot(y)", "yes", 4, 0.5},
    {"(dot(x)^2 + dot(y)^2)/2 - (x - 1e-9)^4*(1 + y^2) - y^2", "0", "-dot(y)", "yes", 0.1, 0.1},
    {"(dot(x)^2 + dot(y)^2)/2 - (x - 1e6)^4*(1 + y^2) - y^2", "0", "0", "yes", 1000000.1, 0.1},
    {"(dot(x)^2 + dot(y)^2)*1e18/2 - (1e9*x - 5)^4*(1 + 1e18*y^2) - 1e18*y^2", "0", "0", "yes",
     5.1e-9, 1e-10},
    {"(dot(x)^2 + dot(y)^2)*1e-18/2 - (1e-9*x - 5)^4*(1 + 1e-18*y^2) - 1e-18*y^2", "0", "0", "yes",
     5.1e9, 1e8},
    {"(dot(x)^2 + dot(y)^2)/2 - (x - 1)^6 - y^2*(2 + x)", "-dot(x)", "0", "yes", 1.1, 0.2},
    {"(dot(x)^2 + dot(y)^2)/2 + (x - 1000)^6*(1 + y^2) - y^2", "0", "0", "no", 1000.1, 0.1},
    {"(dot(x)^2 + dot(y)^2 - 9*x^2)/2 - 9*cos(x) - y^2", "-dot(x)", "-dot(y)", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2 + 9*x^2)/2 + 9*cos(x) - y^2", "-dot(x)", "-dot(y)", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 + 9*sin(x)^2)/2 + 9*cos(x) - y^2", "-dot(x)", "-dot(y)", "yes", 0.1, 0},
    {"(dot(x)^2 + dot(y)^2 + 9*sin(x)^2)/2 + 9*cos(x) - y^2 + 1.124*x^4", "0", "0", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2 + 9*sin(x)^2)/2 + 9*cos(x) - y^2 + 1.126*x^4", "0", "0", "no", 0, 0},
    /* what moves along takes part: the fourth derivative is 24 (c - 1) */
    {"(dot(x)^2 + dot(y)^2)/2 - y^2 - 2*x^2*y - 1.000000001*x^4", "0", "0", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2)/2 - y^2 - 2*x^2*y - 0.999999999*x^4", "0", "0", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2)/2 - y^2 - 2*x^2*y - x^4 - 1e-9*x^6", "0", "0", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2)/2 - y^2 - 2*x^2*y - x^4 - 1e-9*x^7", "0", "0", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2)/2 - y^2 - 2*x^2*y - x^4", "0", "0", "undecided", 0, 0},
    /* gyroscopic forces may hold what falls; what is stable without them stays so */
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + x^4 + x*dot(y)", "0", "0", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^4 + x*dot(y)", "0", "0", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + x^4", "-3*dot(y)", "3*dot(x)", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + x^4", "-dot(x) - 3*dot(y)", "3*dot(x) - dot(y)", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + x^4 + 9*x*dot(y)", "-1e-9*dot(x)", "-1e-9*dot(y)", "no", 0,
     0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^4", "dot(x)", "-dot(y)", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^4", "1e-13*x^3", "0", "undecided", 0, 0},
    /* flat in both directions: where it falls along a line, drag on all motions or none at all
     * tell */
    {FREE " - x^3 + 3*x*y^2", "-dot(x)", "-dot(y)", "no", 0, 0},
    {FREE " - x^3 + 3*x*y^2", "-dot(x)", "-dot(y)", "no", 0.2, 0.1},
    {FREE " - x^3 + 3*x*y^2", "0", "0", "no", 0, 0},
    {FREE " - 1e-9*(x - 3)^3 + 3e-9*(x - 3)*(y - 1e6)^2", "0", "0", "no", 3, 1e6},
    {FREE " - x^3 + 3*x*y^2", "-dot(x) - " SPEED "*dot(x)", "-dot(y) - " SPEED "*dot(y)", "no", 0,
     0},
    {FREE " - x^3 + 3*x*y^2", "-dot(x)", "0", "undecided", 0, 0},
    {FREE " - x^3 + 3*x*y^2", "-dot(x)", "dot(y)", "no", 0, 0},
    {FREE " - x^3 + 3*x*y^2 + x*dot(y)", "0", "0", "undecided", 0, 0},
    {FREE " - x^3 + 3*x*y^2 + x*dot(y)", "-dot(x)", "-dot(y)", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2)*1e18/2 - (1e9*x - 2)^3 + 3*(1e9*x - 2)*(1e9*y + 1)^2", "0", "0", "no",
     2.1e-9, -0.95e-9},
    {"(dot(x)^2 + dot(y)^2)*1e-18/2 - (1e-9*x - 2)^3 + 3*(1e-9*x - 2)*(1e-9*y + 1)^2",
     "-1e-18*dot(x)", "-1e-18*dot(y)", "no", 2.1e9, -0.95e9},
    {FREE " - (y - 1e6)^4*(1 + x^2) - x^2", "0", "0", "yes", 0.1, 1000000.1},
    {FREE " - x^2*y", "0", "0", "no", 0, 0},
    {FREE " + x^2*y^2 - x^6 - y^6", "-dot(x)", "-dot(y)", "no", 0, 0},
    {FREE " + x^4 - y^4", "0", "-dot(y)", "undecided", 0, 0},
    {FREE " + x^4 - y^4", "0", "0", "no", 0, 0},
    {FREE " + x^4 - y^4 + x*dot(y)", "0", "0", "undecided", 0, 0},
    {FREE " + x^6 - y^4", "0", "0", "no", 0, 0},
    {FREE " + x^6 - y^4 - 1e9*x^7 + sin(x)^3*y^3", "0", "0", "no", 0, 0},
    {FREE " + x^6 - y^4", "-dot(x)", "0", "undecided", 0, 0},
    {FREE " + x^6 - y^4 + x*dot(y)", "0", "0", "undecided", 0, 0},
    {FREE " - (x - 2*y)^4 + y^6", "0", "0", "no", 0, 0},
    {FREE " - (x - y)^2*(x^2 + y^2) + (x + y)^5", "0", "0", "no", 0, 0},
    {FREE " + x^2*y^2 - x^6 - y^6", "0", "0", "no", 0, 0},
    /* the lowest part is positive or not, in weights of its own */
    {FREE " - x^4 - y^4", "0", "0", "yes", 0, 0},
    {FREE " - x^4 - y^4", "-dot(x)", "0", "yes", 0.1, 0.1},
    {FREE " - x^4 - y^4", "-dot(x) - 3*dot(y)", "3*dot(x) - dot(y)", "yes", 0, 0},
    {FREE " - x^4 - y^4 + x*dot(y)", "0", "0", "yes", 0, 0},
    {FREE " - x^4 - y^4", "0", "1e-9*y^5", "undecided", 0, 0},
    {FREE " - x^4 - x^2*y^2 - y^4", "0", "0", "yes", 0, 0},
    {FREE " - x^4 + 1.999*x^2*y^2 - y^4", "0", "0", "yes", 0, 0},
    {FREE " - x^4 + 2*x^2*y^2 - y^4", "0", "0", "undecided", 0, 0},
    {FREE " - x^4 + 2.001*x^2*y^2 - y^4", "0", "0", "no", 0, 0},
    {FREE " - (x - 2)^4 - (y + 1e3)^6", "0", "0", "yes", 2.1, -1000.1},
    {FREE " - x^4 - y^6 + 1.999*x^2*y^3", "0", "0", "yes", 0, 0},
    {FREE " - x^4 - y^6 + 2.001*x^2*y^3", "0", "0", "undecided", 0, 0},
    {FREE " - x^4 - y^6 + 2.001*x^2*y^3", "-dot(x)", "-dot(y)", "no", 0, 0},
    {FREE " - x^4 - y^6 + x*y^4", "0", "0", "undecided", 0, 0},
    {FREE " - x^4 - y^4 - 1e9*x^5 + sin(y)^5", "0", "0", "yes", 0, 0},
    {FREE " + cos(x) + x^2/2 + cos(y) + y^2/2 - 0.04*(x^4 + y^4)", "0", "0", "no", 0, 0},
    {FREE " + cos(x) + x^2/2 + cos(y) + y^2/2 - 0.042*(x^4 + y^4)", "0", "0", "yes", 0, 0},
    {FREE " - sqrt(2)*x^4 - pi*y^4 + (2*sqrt(sqrt(2)*pi) - 1e-9)*x^2*y^2", "0", "0", "yes", 0, 0},
    {FREE " - sqrt(2)*x^4 - pi*y^4 + (2*sqrt(sqrt(2)*pi) - 1e-3)*x^2*y^2", "0", "0", "yes", 0, 0},
    /* it vanishes beside the axes, or along curves */
    {FREE " - (x + y)^4 - x^6", "0", "0", "yes", 0, 0},
    {FREE " - x^4 - 4*x^3*y - 6*x^2*y^2 - 4*x*y^3 - y^4 - x^8", "0", "-dot(y)", "yes", 0, 0},
    {FREE " - (x + y)^4 - x^10", "0", "0", "yes", 0, 0},
    {FREE " - (x + y)^4 - 1e-9*x^6 + x^7", "0", "0", "yes", 0, 0},
    {FREE " - (x^2 - y^2)^2 - x^6", "0", "0", "yes", 0, 0},
    {FREE " - (x^2 - y^2)^2 - x^6 + y^6", "0", "0", "undecided", 0, 0},
    {FREE " - (x^2 - y^2)^2 - x^6 + (1 + 1e-9)*y^6", "-dot(x)", "-dot(y)", "no", 0, 0},
    {FREE " - (x^2 - 2*y^2)^2 - x^6*cos(y)", "0", "0", "yes", 0, 0},
    {FREE " - (x - 1000*y)^4 - y^6", "0", "0", "yes", 0, 0},
    {FREE " - x^2*y^2 - x^6 - y^8", "0", "0", "yes", 0, 0},
    {FREE " - x^2*y^2 - x^6 + y^7", "-dot(x)", "-dot(y)", "no", 0, 0},
    {FREE " - x^2*y^2 - x^6", "0", "0", "undecided", 0, 0},
    {FREE " - (x^2 - y^3)^2 - x^5*y + x^4*y^3/9", "-dot(x)", "-dot(y)", "no", 0, 0},
    {FREE " - (x^2 - y^3)^2 - x^6", "0", "0", "yes", 0, 0},
    {FREE " - (x^2 - 2*y^3)^2 - x^6/2", "0", "0", "yes", 0, 0},
    {FREE " - (x^2 - 2*y^3)^2 + x^6/2", "-dot(x)", "-dot(y)", "no", 0, 0},
    {FREE " - (x - y^2)^2 - (x - 3*y^2)^4", "0", "0", "yes", 0, 0},
    {FREE " - (1 - cos(x - y))^2 - 0.1*x^6", "0", "0", "yes", 0, 0},
    {FREE " - (x^3 - 2*y^3)^2 - x^8", "0", "0", "yes", 0, 0},
    /* sums of terms that are nowhere negative, from which the coordinates follow one after the
     * other */
    {FREE " - (x^3 - 2*y^3)^2 - (x - y)^8", "0", "0", "yes", 0, 0},
    {FREE " - (x^3 - 2*y^3)^2 - (x - 3*y)^8", "-dot(x)", "0", "yes", 0, 0},
    {FREE " - (x^3 - y^3)^2 - (x - y)^8", "0", "0", "undecided", 0, 0},
    {FREE " - (x^2 - 3*x*y + y^2)^2 - x^6", "0", "0", "yes", 0, 0},
    {FREE " - (x^2 - x*y - y^2)^2 - 1e-9*sin(y)^10", "-dot(x)", "-dot(y)", "yes", 0, 0},
    {FREE " - (x^3 - 2*y^3)^2 - 1e-30*x^12 - (x*y)^8", "0", "0", "yes", 0, 0},
    {FREE " - (x^3 - 2*(y - 3)^3)^2 - x^10", "0", "0", "yes", 0, 3},
    {FREE " - (x + y - 3)^10 - (x - y)^12", "0", "-dot(y)", "yes", 1.501, 1.499},
    {FREE " - (x + y)^10 - x^2*y^2", "0", "0", "yes", 0, 0},
    {FREE " - (x + y)^10 - x^2*(x^2 + y^2)^5*exp(y)", "0", "0", "yes", 0, 0},
    {FREE " - (x^2 + y^2 - 1)^10 - x^10", "0", "0", "undecided", 0, 1},
    {FREE " - (x^3 - 2*y^3)^2 - x^8", "1e-9*y", "0", "undecided", 0, 0},
    {FREE " - (x^3 - 2*y^3)^2*x^2", "0", "0", "undecided", 0, 0},
    {FREE " - (x + y)^10 - (2*x + 2*y)^12", "0", "0", "undecided", 0, 0},
    /* terms that are nowhere negative, and do not all vanish: V has a maximum along x, a valley, or
     * a minimum */
    {FREE " - x^10 - exp(-10*x^10) - y^2", "0", "0", "undecided", 0, 0},
    {FREE " - x^12 - cos(10*x^6)^2 - y^2", "-dot(x)", "-dot(y)", "undecided", 0, 0},
    {FREE " - x^10 - exp(-x^10) - y^10", "0", "0", "undecided", 0, 0},
    {FREE " - x^10 - exp(3*y^10) - cosh(x^5)", "0", "0", "yes", 0, 0},
    /* derivatives of the energy that divide by zero there */
    {FREE " - hypot(x, y)^3", "0", "0", "yes", 0, 0},
    {FREE " - (x^2 + y^2)^1.5", "-dot(x)", "-dot(y)", "yes", 0, 0},
    {FREE " - x^2 - y^2 - hypot(x, y)^3", "0", "0", "yes", 0, 0},
    {FREE " - 3*hypot(x, y)^3 - y^6", "-" SPEED "*dot(x)", "0", "yes", 0, 0},
    {FREE " - x^2 - hypot(x, y)^3 - x*dot(y)", "0", "0", "yes", 0, 0},
    {FREE " - hypot(x, y)^3", "-dot(y)", "dot(x)", "yes", 0, 0},
    {FREE " - hypot(x, y)^3", "1e-9*dot(x)", "0", "undecided", 0, 0},
    {FREE " - hypot(x, y)^3", "1e-9*y^5", "0", "undecided", 0, 0},
    {FREE " + hypot(x, y)^3", "0", "0", "undecided", 0, 0},
    {FREE " + 1e-9*y^6 - hypot(x, y)^3", "0", "0", "undecided", 0, 0},
    {FREE " - hypot(x, y)^3 - exp(-10*hypot(x, y)^3)", "0", "0", "undecided", 0, 0},
    /* beside corners, and on those of velocities where branches agree */
    {FREE " - x^2 - y^2 - 5*max(0, x - 3)", "-dot(x)", "-dot(y)", "yes", 0, 0},
    {FREE " - x^2 - y^2 - abs(x - 3)", "-abs(dot(x))*dot(x)", "-abs(dot(y))*dot(y)", "yes", 0, 0},
    {FREE " - x^2 - y^2 - abs(x - 3)", "-abs(dot(x))*dot(x)", "0", "yes", 8, 1},
    {FREE " + x^2 - y^2 - abs(x - 3)", "-abs(dot(x))*dot(x)", "-dot(y)", "no", 0, 0},
    {FREE " - x^2 - y^2 - max(x, 3)^2", "0.5*max(0, x - 2)", "0", "undecided", 0, 0},
    {FREE " - if(x < 2, x^4 + y^4, 7*y)", "-dot(x)", "-dot(y)", "undecided", 0, 0},
    {FREE " - x^2 - y^2", "abs(dot(x))*dot(x)", "0", "undecided", 0, 0},
    /* a family: x is free */
    {"(dot(x)^2 + dot(y)^2 - y^2)/2", "-dot(x)", "-dot(y)", "yes", 0.3, 0.1},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2", "0", "-dot(y)", "undecided", 0.3, 0.1},
    /* a circle, a sphere's, a hyperbola: more conditions than are independent; or nearly one */
    {"(dot(x)^2 + dot(y)^2)/2 - (x^2 + y^2 - 1)^2/4", "-dot(x)", "-dot(y)", "yes", 0.6, 0.7},
    {"(dot(x)^2 + dot(y)^2)/2 - (x^2 + y^2 - 1)^2/4", "-dot(x)", "-dot(y)", "yes", 1, 0},
    {"(dot(x)^2 + dot(y)^2)/2 + cos(x^2 + y^2)", "-dot(x)", "-dot(y)", "yes", 2, 1.5},
    {"(dot(x)^2 + dot(y)^2)/2 - (x*y - 1)^2", "-dot(x)", "-dot(y)", "yes", 1.2, 0.7},
    {"(dot(x)^2 + dot(y)^2)/2 - (x^2 + y^2 - 1)^2/4", "0", "0", "undecided", 0.6, 0.7},
    {"(dot(x)^2 + dot(y)^2)/2 - (x^2 + y^2 - 1)^2/4", "dot(y)", "-dot(x)", "undecided", 0.6, 0.7},
    {"(dot(x)^2 + dot(y)^2)/2 + (x^2 + y^2 - 1)^2/4", "-dot(x)", "-dot(y)", "no", 0.6, 0.7},
    {"(dot(x)^2 + dot(y)^2)/2 - (x^2 + y^2 - 1)^2/4 - 1e-20*x^3*y", "-dot(x)", "-dot(y)",
     "undecided", 0.6, 0.7},
    {"(dot(x)^2 + dot(y)^2)/2 - (x^2 + y^2 - 1)^2/4 - 1e-20*y^2", "-dot(x)", "-dot(y)", "undecided",
     0.6, 0.7},
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
    /* air resistance, whose linearisation at rest vanishes: it takes energy, adds some, or turns */
    {OSCILLATOR, "-0.3*" SPEED "*dot(x)", "-0.3*" SPEED "*dot(y)", "yes", 0.1, 0.2},
    {OSCILLATOR, "-1e-9*" SPEED "*dot(x)", "-100*sqrt(dot(x)^2 + dot(y)^2)*dot(y)", "yes", 0, 2},
    {OSCILLATOR, "-" SPEED "^3*dot(x) - dot(y)", "-(1 + x^2)*" SPEED "*dot(y) + dot(x)", "yes", 1,
     0},
    {OSCILLATOR, "-dot(x)^3", "0", "yes", 1, 0},
    {OSCILLATOR, "0.3*" SPEED "*dot(x)", "-0.3*" SPEED "*dot(y)", "undecided", 0, 0},
    {OSCILLATOR, SPEED "*dot(y)", "-" SPEED "*dot(x)", "yes", 0, 0},
    {OSCILLATOR, "-0.3*" SPEED "*dot(x) - 1e-9*dot(x)", "-" SPEED "*dot(y) - dot(y)", "yes", 0, 0},
    {OSCILLATOR, "-0.3*" SPEED "*dot(x) + 1e-9*dot(x)", "-" SPEED "*dot(y) - dot(y)", "no", 0, 0},
    {OSCILLATOR, "-hypot(dot(x) - 1, dot(y))*(dot(x) - 1)", "-hypot(dot(x) - 1, dot(y))*dot(y)",
     "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2 + 1e-9*x^2 - y^2)/2", "-" SPEED "*dot(x)", "-" SPEED "*dot(y)", "no", 1,
     1},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 - x^4", "-" SPEED "*dot(x)", "-" SPEED "*dot(y)", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + x^4", "-" SPEED "*dot(x)", "-" SPEED "*dot(y)", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - y^2)/2 + x^4", "-" SPEED "*dot(x) - dot(x)", "-dot(y)", "no", 0, 0},
    /* on a jump of L, which is in no derivative, or beside one */
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2 - if(x > 0, 1, 0)", "0", "0", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2 + 1e-9*sign(y)", "0", "0", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 + x^2 - 2*y^2)/2 + if(x >= y, 1, 0)", "0", "0", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2 + if(dot(x) > 0, 1, 0)", "0", "0", "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - (x - 1)^2 - 2*y^2)/2 + if(x > 1, 1, 0)", "-dot(x)", "-dot(y)",
     "undecided", 0.9, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2 + if(x > 1e-9, 1, 0)", "0", "0", "yes", 0, 0},
    {"(dot(x)^2 + dot(y)^2 + x^2 - 2*y^2)/2 + if(x^2 + y^2 > 1, 1, 0)", "0", "0", "no", 0, 0},
    /* by so little that discs show nothing */
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2", "1e-13*dot(x)", "0", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2", "1e-13*dot(x) - 1e-13*y", "1e-13*x", "no", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2 - x^4/3 - x^3/12", "-1e-13*dot(x)", "-1e-14*dot(y)",
     "yes", 0.1, 0.1},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 1e-20*y^2)/2 - cos(x)/12", "0", "0", "yes", 0.1, 0.1},
    /* by less than the doubles of its numbers show, or a number that is only long */
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2", "(pi - 3.141592653589793)*dot(x)", "0", "undecided",
     0, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2 - 2*y^2)/2", "(sqrt(2)*1e16 + 1 - sqrt(2)*1e16)*dot(x)", "0",
     "undecided", 0, 0},
    {"(dot(x)^2 + dot(y)^2 - x^2/1.373878287)/2 - sqrt(2)*y^2", "-dot(x)/1.373878287", "0", "yes",
     0, 0},
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
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 2, NULL, 0);
    const Value *stable = value_member(test_equilibrium(&run, 0), "stable");

    ck_assert_ptr_nonnull(stable);
    ck_assert_msg(strcmp(stable->text, c->stable) == 0, "%s with %s, %s: %s, %s", c->lagrangian,
                  c->force_x, c->force_y, stable->text,
                  value_member(test_equilibrium(&run, 0), "reason")->text);
    test_run_done(&run);
}
END_TEST

/* Curves and surfaces in space to which motions with drag come: the conditions are sums of products
 * of their equations. Nearly a curve: 1e-12 x^2 leads along it. */
START_TEST(families_are_known_by_the_sums_that_conditions_are_made_of)
{
    static const struct {
        const char *potential, *stable;
        bool proven;
        double flat, x, y, z;
    } CASES[] = {
        {"(x^2 + y^2 - 1)^2 + (z - x*y)^2", "yes", true, 1, 0.6, 0.8, 0.48},
        {"(x^2 + y^2 - 1)^2 + (z - x*y)^2", "yes", true, 1, 0.5, 0.9, 0.4},
        {"(sin(x) + y)^2 + (cos(y) - z*x)^2", "yes", true, 1, 0.6, -0.5, 1.3},
        {"(x*y + x*z)^2", "yes", true, 2, 1.3, 0.7, -0.6},
        {"(x*y + y*z + z*x - 1)^2", "yes", true, 2, 0.6, 0.7, 0.1},
        {"(x^2 + y^2 - 1)^2 + (z - x*y)^2 + 1e-12*x^2", "undecided", false, 1, 0.6, 0.8, 0.48},
        {"(x^2 + y^2 - 1)^2 - (z - x*y)^2", "no", true, 1, 0.6, 0.8, 0.48},
        /* on an axis plane, where the slope of one condition is 0 up to rounding: no circle */
        {"(x^2 + y^2 + z^2 - 1)^2", "yes", true, 2, 0.6, 0.8, 0},
        {"(x^2 + y^2 + z^2 - 1)^2", "yes", true, 2, 0, 0.28, 0.96},
        {"(x^2 + y^2 + z^2 - 1)^2 + 1e-12*z^2", "undecided", false, 2, 0.6, 0.8, 0},
        /* the plane and the sphere meet */
        {"z^2*(x^2 + y^2 + z^2 - 1)^2", "undecided", false, 3, 0.6, 0.8, 0},
        {"x^2 + y^2 + 1e-20*z^2", "yes", true, 0, 0, 0, 0},
        {"x^2 + y^2 + (0.1 + 0.2 - 0.3)*z^2", "yes", true, 1, 0, 0, 0},
        {"x^2 + y^2 + z^4", "yes", false, 1, 0, 0, 0},
    };
    char lagrangian[200];
    const TestModel model = {.coordinates = {"x", "y", "z"},
                             .lagrangian = lagrangian,
                             .forces = {{"x", "-dot(x)", "", NULL},
                                        {"y", "-dot(y)", "", NULL},
                                        {"z", "-dot(z)", "", NULL}}};
    const NamedValue q[] = {{"x", CASES[_i].x, ""}, {"y", CASES[_i].y, ""}, {"z", CASES[_i].z, ""}};

    snprintf(lagrangian, sizeof lagrangian, "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - (%s)",
             CASES[_i].potential);
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 3, NULL, 0);
    const Value *found = test_equilibrium(&run, 0);
    ck_assert_double_eq(test_number(found, "flat_directions"), CASES[_i].flat);
    ck_assert_int_eq(value_member(found, "family_proven")->boolean, CASES[_i].proven);
    if (CASES[_i].proven)
        ck_assert_double_eq(test_number(found, "family"), CASES[_i].flat);
    else
        ck_assert_int_eq(value_member(found, "family")->kind, VALUE_NULL);
    test_expect_text(found, "stable", CASES[_i].stable);
    test_run_done(&run);
}
END_TEST

/* Kernels of the second derivatives of V that are not along coordinates, of more of these. */
START_TEST(flat_places_in_space_are_told_apart)
{
    static const struct {
        const char *V, *drag, *stable;
    } CASES[] = {
        {"x*y*z", "0", "no"},
        {"x*y*z", "-1e-9", "no"},
        {"(x + 2*y - z)^2 + (x - y)^3 - 1e9*(x + z)^4", "0", "no"},
        {"(x + 2*y - z)^2 + (x + 2*y - z)*(x^2 - y*z)", "0", "undecided"},
        {"(x + 2*y - z)^2 + x^4 - 1e-9*y^4", "-1", "no"},
        {"(x + 2*y - z)^2 + x^4 + 1e-9*y^4", "-1", "yes"},
        {"(x + 2*y - z)^2 + x^4 - y^4", "0", "no"},
        {"(3*x + y)^2 + (x + z)^4 + x^4", "0", "yes"},
        {"z^2 + x^4 - y^4 + z*x^3", "0", "no"},
        /* what moves along takes part: z = -c x^2/2 */
        {"z^2 + 1.999*z*x^2 + x^4 + y^4", "0", "yes"},
        {"z^2 + 2.001*z*x^2 + x^4 + y^4", "0", "undecided"},
        {"z^2 + 2.001*z*x^2 + x^4 + y^4", "-1", "no"},
        {"z^2 + 2*z*x^2 + x^4 + y^4 + x^6", "-1", "yes"},
        {"z^2 + 2*z*x^3 + x^6 + y^6 + z^2*y - x^6/9", "0", "undecided"},
        {"z^2 + 2*z*x^3 + x^6 + y^6 + z^2*y - x^6/9", "-1", "no"},
        {"x^4 + y^4 + z^4 - 2.8*x^2*y*z", "0", "yes"},
        {"x^4 + y^4 + z^4 - 2.9*x^2*y*z", "0", "no"},
        {"(x + y)^2 + (y - z)^2 + 1e-6*x^3", "-2", "no"},
        {"x^2 + sqrt(1 + z)*y*z^2 - exp(y)*z^3", "0", "no"},
    };
    char forces[3][32];
    char lagrangian[160];
    const TestModel model = {.coordinates = {"x", "y", "z"},
                             .lagrangian = lagrangian,
                             .forces = {{"x", forces[0], "", NULL},
                                        {"y", forces[1], "", NULL},
                                        {"z", forces[2], "", NULL}}};
    const NamedValue q[] = {{"x", 0, ""}, {"y", 0, ""}, {"z", 0, ""}};

    snprintf(lagrangian, sizeof lagrangian, "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - (%s)",
             CASES[_i].V);
    for (size_t i = 0; i < 3; i++)
        snprintf(forces[i], sizeof forces[i], "%s*dot(%s)", CASES[_i].drag, q[i].name);
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 3, NULL, 0);
    ck_assert_str_eq(value_member(test_equilibrium(&run, 0), "stable")->text, CASES[_i].stable);
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
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 3, NULL, 0);
    const Value *found = test_equilibrium(&run, 0);
    const Value *at = value_member(found, "q");

    ck_assert_double_eq_tol(test_number(at, "y"), 0, 1e-12);
    ck_assert_double_eq_tol(2 * test_number(at, "x") + test_number(at, "z") / 2, 0, 1e-12);
    ck_assert_double_eq(test_number(found, "dimension"), 5);
    ck_assert_double_eq(test_number(found, "family"), 1);
    ck_assert_double_eq(test_number(found, "zero_eigenvalues"), 1);
    test_expect_eigenvalue(found, 0, 0, 0);
    test_expect_eigenvalue(found, 1, -0.15, sqrt(2 - 0.15 * 0.15));
    test_expect_text(found, "stable", "yes");
    test_run_done(&run);
}
END_TEST

/* A strict minimum of V among all places is one among those that constraints leave, and reactions
 * do no work where these are linear and homogeneous: the equilibria beside it, which they hold,
 * tell nothing. */
START_TEST(a_minimum_is_stable_under_nonholonomic_constraints)
{
    static const struct {
        const char *V, *constraint, *drag, *stable;
        double z;
    } CASES[] = {
        {"x^2 + y^2 + z^2", "dot(z) = y*dot(x)", "0", "yes", 0},
        {"x^4 + y^2 + z^6", "dot(z) = y*dot(x)", "-1", "yes", 0},
        {"x^2 + y^2 + z^2", "dot(z) = y*dot(x)", "1", "no", 0},
        {"x^2 + y^2 + z^2", "dot(z) = y*dot(x)", "0", "undecided", 0.5},
        {"x^2 + y^2", "dot(z) = y*dot(x)", "0", "undecided", 0},
        {"x^2 + y^2 - z^2", "dot(z) = y*dot(x)", "0", "undecided", 0},
        {"-x^2 - y^2 - z^2", "dot(z) = y*dot(x)", "0", "no", 0},
        {"x^2 + y^2 + z^2", "dot(z) = (y + t)*dot(x)", "0", "undecided", 0},
        {"x^4 + y^4 + (z - 1)^4", "x^2 + y^2 + z^2 = 1", "0", "yes", 1},
    };
    char lagrangian[120], drag[40];
    const TestModel model = {.coordinates = {"x", "y", "z"},
                             .lagrangian = lagrangian,
                             .constraints = {CASES[_i].constraint},
                             .forces = {{"x", drag, "", NULL}}};
    const NamedValue q[] = {{"x", 0, ""}, {"y", 0, ""}, {"z", CASES[_i].z, ""}};

    snprintf(lagrangian, sizeof lagrangian, "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - (%s)",
             CASES[_i].V);
    snprintf(drag, sizeof drag, "%s*dot(x)", CASES[_i].drag);
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 3, NULL, 0);
    test_expect_text(test_equilibrium(&run, 0), "stable", CASES[_i].stable);
    test_run_done(&run);
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
    TestRun run = test_analyse(&falling, "equilibria", NULL, q, 1, NULL, 0);
    ck_assert(!value_member(test_equilibrium(&run, 0), "found")->boolean);
    test_run_done(&run);
    run = test_analyse(&shaken, "equilibria", NULL, q, 1, NULL, 0);
    ck_assert(!value_member(test_equilibrium(&run, 0), "found")->boolean);
    test_run_done(&run);
    run = test_analyse(&swung, "equilibria", NULL, q, 1, NULL, 0);
    test_expect_text(test_equilibrium(&run, 0), "stable", "undecided");
    ck_assert_ptr_nonnull(
        strstr(value_member(test_equilibrium(&run, 0), "reason")->text, "floquet"));
    test_run_done(&run);
    /* rest is one at all times, and only how velocities change depends on time */
    run = test_analyse(&turning, "equilibria", NULL, q, 1, NULL, 0);
    test_expect_text(test_equilibrium(&run, 0), "stable", "undecided");
    ck_assert_ptr_nonnull(
        strstr(value_member(test_equilibrium(&run, 0), "reason")->text, "floquet"));
    test_run_done(&run);
    run = test_analyse(&rubbing, "equilibria", NULL, q, 1, v, 1);
    ck_assert(!value_member(test_equilibrium(&run, 0), "found")->boolean);
    test_run_done(&run);
}
END_TEST

/* A pendulum in Cartesian coordinates, in moving and in resting air: about rest the latter has no
 * effect. */
START_TEST(air_resistance_is_linearised_at_rest)
{
    const TestModel model = {.coordinates = {"x", "y"},
                             .parameters = {{"k", 0.3, ""}},
                             .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9*y",
                             .constraints = {"x^2 + y^2 - 1"},
                             .forces = {{"x", "-k*hypot(dot(x), dot(y))*dot(x)", "", NULL},
                                        {"y", "-k*sqrt(dot(x)^2 + dot(y)^2)*dot(y)", "", NULL}}};
    const NamedValue q[] = {{"x", 0.6, ""}, {"y", -0.8, ""}};
    TestRun run = test_analyse(&model, "linearise", NULL, q, 2, NULL, 0);
    const Value *found;

    ck_assert_double_eq(test_finding(&run, "linearise", "C")->first->first->number, 0);
    test_run_done(&run);
    run = test_analyse(&model, "equilibria", NULL, q, 2, NULL, 0);
    found = test_equilibrium(&run, 0);
    test_expect_eigenvalue(found, 0, 0, 3);
    test_expect_eigenvalue(found, 1, 0, -3);
    test_expect_text(found, "stable", "yes");
    ck_assert_ptr_nonnull(strstr(value_member(found, "reason")->text, "Dirichlet"));
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
    TestRun run = test_analyse(&rod, "linearise", NULL, hanging, 1, NULL, 0);

    ck_assert_uint_eq(value_count(test_finding(&run, "linearise", "coordinates")), 1);
    ck_assert_str_eq(test_finding(&run, "linearise", "velocities")->first->text, "x");
    ck_assert_double_eq_tol(test_finding(&run, "linearise", "M")->first->first->number, 1, 1e-14);
    ck_assert_double_eq_tol(test_finding(&run, "linearise", "C")->first->first->number, 0.125,
                            1e-14);
    ck_assert_double_eq_tol(test_finding(&run, "linearise", "K")->first->first->number, 9, 1e-9);
    ck_assert_double_eq_tol(
        test_number(test_nth(test_finding(&run, "linearise", "eigenvalues"), 0), "im"),
        sqrt(9 - 1.0 / 256), 1e-9);
    const Value *vector = test_nth(test_finding(&run, "linearise", "eigenvectors"), 0);
    ck_assert_double_eq_tol(value_member(vector, "re")->first->number, 1, 1e-14);
    test_run_done(&run);
}
END_TEST

SUITE(equilibria)
{
    TCase *tc = suite_case(suite, "equilibria");
    tcase_add_test(tc, a_pendulum_hangs_and_stands);
    tcase_add_loop_test(tc, flat_places_in_space_are_told_apart, 0, 19);
    tcase_add_test(tc, air_resistance_is_linearised_at_rest);
    tcase_add_loop_test(tc, stability_is_claimed_where_a_theorem_says_so, 0,
                        sizeof STABILITY / sizeof STABILITY[0]);
    tcase_add_loop_test(tc, families_are_known_by_the_sums_that_conditions_are_made_of, 0, 14);
    tcase_add_test(tc, nonholonomic_equilibria_fill_a_family_with_zero_eigenvalues);
    tcase_add_loop_test(tc, a_minimum_is_stable_under_nonholonomic_constraints, 0, 9);
    tcase_add_test(tc, where_there_is_no_equilibrium_none_is_claimed);
    tcase_add_loop_test(tc, redundant_rods_of_any_length_leave_one_pendulum, 0, 2);
}
