/* Equilibria and what is near them, against closed forms and the same system in other coordinates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/core/simulation/findings.h"
#include "tests/suite.h"

static const Value *equilibrium(const TestRun *run, size_t k)
{
    const Value *list = value_member(run->result.findings, "equilibria");
    ck_assert_msg(list && list->kind == VALUE_LIST, "%s",
                  list ? value_member(list, "failed")->text : "no equilibria");
    return test_nth(list, k);
}

static void expect_eigenvalue(const Value *found, size_t k, double re, double im)
{
    const Value *value = test_nth(value_member(found, "eigenvalues"), k);
    ck_assert_msg(hypot(test_number(value, "re") - re, test_number(value, "im") - im) < 1e-6,
                  "%zu: %.9g %+.9gi, not %.9g %+.9gi", k, test_number(value, "re"),
                  test_number(value, "im"), re, im);
}

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

    const Value *standing = equilibrium(&run, 0), *hanging = equilibrium(&run, 1);
    ck_assert_double_eq_tol(test_number(value_member(standing, "q"), "y"), 2, 1e-12);
    expect_eigenvalue(standing, 0, sqrt(4.5), 0);
    expect_eigenvalue(standing, 1, -sqrt(4.5), 0);
    test_expect_text(standing, "stable", "no");
    ck_assert_double_eq_tol(test_number(value_member(hanging, "q"), "y"), -2, 1e-12);
    expect_eigenvalue(hanging, 0, 0, sqrt(4.5));
    test_expect_text(hanging, "stable", "yes");
    ck_assert_ptr_nonnull(strstr(value_member(hanging, "reason")->text, "Dirichlet"));
    test_run_done(&run);

    model.forces[0] = (NamedText){.name = "x", .text = "-dot(x)", .pointer = ""};
    run = test_analyse(&model, "equilibria", NULL, q, 2, NULL, 0);
    expect_eigenvalue(equilibrium(&run, 0), 0, -0.5, sqrt(4.25));
    test_expect_text(equilibrium(&run, 0), "stable", "yes");
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
    /* flat along x: the first derivative that does not vanish tells, by Lagrange and Dirichlet or Chetaev */
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
    /* flat in both directions: where it falls along a line, drag on all motions or none at all tell */
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
    /* sums of terms that are nowhere negative, from which the coordinates follow one after the other */
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
    /* terms that are nowhere negative, and do not all vanish: V has a maximum along x, a valley, or a minimum */
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
    const Value *stable = value_member(equilibrium(&run, 0), "stable");

    ck_assert_ptr_nonnull(stable);
    ck_assert_msg(strcmp(stable->text, c->stable) == 0, "%s with %s, %s: %s, %s", c->lagrangian,
                  c->force_x, c->force_y, stable->text,
                  value_member(equilibrium(&run, 0), "reason")->text);
    test_run_done(&run);
}
END_TEST

/* Curves and surfaces in space to which motions with drag come: the conditions are sums of products of their
 * equations. Nearly a curve: 1e-12 x^2 leads along it. */
START_TEST(families_are_known_by_the_sums_that_conditions_are_made_of)
{
    static const struct {
        const char *potential, *stable;
        bool proven;
        double family, x, y, z;
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
    const Value *found = equilibrium(&run, 0);
    ck_assert_double_eq(test_number(found, "family"), CASES[_i].family);
    ck_assert_int_eq(value_member(found, "family_proven")->boolean, CASES[_i].proven);
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
    ck_assert_str_eq(value_member(equilibrium(&run, 0), "stable")->text, CASES[_i].stable);
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
    const Value *found = equilibrium(&run, 0);
    const Value *at = value_member(found, "q");

    ck_assert_double_eq_tol(test_number(at, "y"), 0, 1e-12);
    ck_assert_double_eq_tol(2 * test_number(at, "x") + test_number(at, "z") / 2, 0, 1e-12);
    ck_assert_double_eq(test_number(found, "dimension"), 5);
    ck_assert_double_eq(test_number(found, "family"), 1);
    ck_assert_double_eq(test_number(found, "zero_eigenvalues"), 1);
    expect_eigenvalue(found, 0, 0, 0);
    expect_eigenvalue(found, 1, -0.15, sqrt(2 - 0.15 * 0.15));
    test_expect_text(found, "stable", "yes");
    test_run_done(&run);
}
END_TEST

/* A strict minimum of V among all places is one among those that constraints leave, and reactions do no work where these are linear
 * and homogeneous: the equilibria beside it, which they hold, tell nothing. */
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
    test_expect_text(equilibrium(&run, 0), "stable", CASES[_i].stable);
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
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 2, v, 1);
    const Value *found = equilibrium(&run, 1);

    test_expect_text(found, "kind", "relative equilibrium");
    ck_assert_ptr_null(value_member(value_member(found, "along"), "shift"));
    const double rate = test_number(value_member(found, "along"), "turn");
    const double cosine = -test_number(value_member(found, "q"), "z");
    ck_assert_double_eq_tol(rate * rate, 9.81 / cosine, 1e-9);
    ck_assert_double_eq(test_number(found, "zero_eigenvalues"), 2);
    /* the zeros are one double eigenvalue, which rounding splits into any two of its square root */
    const double first = test_number(test_nth(value_member(found, "eigenvalues"), 0), "im");
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
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 1, v, 1);

    test_expect_text(equilibrium(&run, 1), "kind", "relative equilibrium");
    test_expect_text(equilibrium(&run, 1), "stable", POTENTIALS[_i][1]);
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
    TestRun run = test_analyse(&model, "equilibria", NULL, q, 1, v, 1);
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
    TestRun run = test_analyse(&model, "equilibria", NULL, NULL, 0, v, 1);
    const Value *found = equilibrium(&run, 1);
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
 * the sign of the direction in which it goes; also where the rotation is named among its symmetries. */
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
        const Value *found = equilibrium(&run, 1), *velocity = value_member(found, "v");
        const double speed = hypot(test_number(velocity, "x"), test_number(velocity, "y"));
        ck_assert_double_eq_tol(speed, 1, 1e-9);
        expect_eigenvalue(found, side > 0 ? 4 : 0, -side * 0.3 * speed / 0.6, 0);
        test_expect_text(found, "stable", side > 0 ? "yes" : "no");
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
    TestRun run = test_analyse(&falling, "equilibria", NULL, q, 1, NULL, 0);
    ck_assert(!value_member(equilibrium(&run, 0), "found")->boolean);
    test_run_done(&run);
    run = test_analyse(&shaken, "equilibria", NULL, q, 1, NULL, 0);
    ck_assert(!value_member(equilibrium(&run, 0), "found")->boolean);
    test_run_done(&run);
    run = test_analyse(&swung, "equilibria", NULL, q, 1, NULL, 0);
    test_expect_text(equilibrium(&run, 0), "stable", "undecided");
    ck_assert_ptr_nonnull(strstr(value_member(equilibrium(&run, 0), "reason")->text, "floquet"));
    test_run_done(&run);
    /* rest is one at all times, and only how velocities change depends on time */
    run = test_analyse(&turning, "equilibria", NULL, q, 1, NULL, 0);
    test_expect_text(equilibrium(&run, 0), "stable", "undecided");
    ck_assert_ptr_nonnull(strstr(value_member(equilibrium(&run, 0), "reason")->text, "floquet"));
    test_run_done(&run);
    run = test_analyse(&rubbing, "equilibria", NULL, q, 1, v, 1);
    ck_assert(!value_member(equilibrium(&run, 0), "found")->boolean);
    test_run_done(&run);
}
END_TEST

/* A pendulum in Cartesian coordinates, in moving and in resting air: about rest the latter has no effect. */
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
    found = equilibrium(&run, 0);
    expect_eigenvalue(found, 0, 0, 3);
    expect_eigenvalue(found, 1, 0, -3);
    test_expect_text(found, "stable", "yes");
    ck_assert_ptr_nonnull(strstr(value_member(found, "reason")->text, "Dirichlet"));
    test_run_done(&run);
}
END_TEST

/* About its axis, on which it vanishes, a rotation moves nothing, nor does a second one that is the first: the family has one
 * state for each place and rate of psi, two zeros, and no third that hides an eigenvalue, here that of
 * s^2 + s + 1 +- 2 i = 0 to the right. */
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
    const Value *found = equilibrium(&run, 1);

    test_expect_text(found, "kind", "relative equilibrium");
    ck_assert_double_eq(test_number(found, "family"), 2);
    test_expect_text(found, "stable", "no");
    test_run_done(&run);
}
END_TEST

/* The axis of a top, (x, y, z), upright: it stays there where (C w)^2 > 4 A m g l, with A = s, C = s/2, m g l = s r^2 where
 * w > 4 r. */
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

    test_expect_text(equilibrium(&run, 1), "stable", CASES[_i].stable);
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
    tcase_add_loop_test(tc, generators_that_move_nothing_make_no_zeros, 0, 2);
    tcase_add_loop_test(tc, a_top_sleeps_when_it_is_fast, 0, 11);
    tcase_add_test(tc, air_resistance_is_linearised_at_rest);
    tcase_add_loop_test(tc, stability_is_claimed_where_a_theorem_says_so, 0,
                        sizeof STABILITY / sizeof STABILITY[0]);
    tcase_add_loop_test(tc, families_are_known_by_the_sums_that_conditions_are_made_of, 0, 14);
    tcase_add_test(tc, nonholonomic_equilibria_fill_a_family_with_zero_eigenvalues);
    tcase_add_loop_test(tc, a_minimum_is_stable_under_nonholonomic_constraints, 0, 9);
    tcase_add_test(tc, a_conical_pendulum_is_a_relative_equilibrium);
    tcase_add_loop_test(tc, a_symmetry_is_proved_before_anything_is_said_of_motions_along_it, 0, 2);
    tcase_add_loop_test(tc, orbits_are_stable_by_the_theorem_of_routh, 0,
                        sizeof ORBITS / sizeof ORBITS[0]);
    tcase_add_loop_test(tc, a_carriage_runs_on_at_any_speed, 0,
                        sizeof CARRIAGES / sizeof CARRIAGES[0]);
    tcase_add_loop_test(tc, a_sleigh_runs_straight_one_way_only, 0, 2);
    tcase_add_test(tc, where_there_is_no_equilibrium_none_is_claimed);
    tcase_add_loop_test(tc, redundant_rods_of_any_length_leave_one_pendulum, 0, 2);
}
