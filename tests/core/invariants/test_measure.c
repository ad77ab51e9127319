/* Preserved measures, on systems whose densities are known, and against the divergence by finite
 * differences. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/expr/parse/parse.h"
#include "core/invariants/admissible.h"
#include "tests/core/invariants/setting.h"
#include "tests/suite.h"

#define EUCLIDEAN3 "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2"
/* A sleigh whose centre of mass lies a in front of the blade; z is the heading. */
#define SLEIGH(A)                                                                                \
    {                                                                                            \
        .coordinates = {"x", "y", "z"},                                                          \
        .lagrangian =                                                                            \
            "(dot(x)^2 + dot(y)^2)/2 + dot(z)^2 + " A "*dot(z)*(cos(z)*dot(y) - sin(z)*dot(x))", \
        .constraints = {"dot(x)*sin(z) = dot(y)*cos(z)"},                                        \
    }

static const struct {
    const char *what;
    SettingModel model;
    size_t dependent;
    Predicted qv, qp, exists;
    const char *in_qv, *in_qp; /* densities; NULL: none is found */
} KNOWN[] = {
    {"the nonholonomic particle: N in (q, p), 1/N in (q, v)",
     {.coordinates = {"x", "y", "z"},
      .lagrangian = EUCLIDEAN3,
      .constraints = {"dot(z) = -x*dot(y)"}},
     2,
     PREDICTED_NO,
     PREDICTED_NO,
     PREDICTED_YES,
     "sqrt(x^2 + 1)",
     "1/sqrt(x^2 + 1)"},
    {"a free particle in the plane, polar coordinates: Liouville",
     {.coordinates = {"x", "y"}, .lagrangian = "(dot(x)^2 + x^2*dot(y)^2)/2 - x", .centre = {2}},
     0,
     PREDICTED_NO,
     PREDICTED_YES,
     PREDICTED_YES,
     "x^2",
     "1"},
    {"a pendulum on its circle: Liouville",
     {.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
      .constraints = {"x^2 + y^2 = 1"},
      .centre = {0.6, 0.8}},
     1,
     PREDICTED_NO,
     PREDICTED_YES,
     PREDICTED_YES,
     "1/y^2",
     "1"},
    {"a force at right angles to the velocity",
     {.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
      .forces = {"x", "x*dot(y)", "y", "-x*dot(x)"}},
     0,
     PREDICTED_YES,
     PREDICTED_YES,
     PREDICTED_YES,
     "1",
     "1"},
    {"friction",
     {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 - x^2", .forces = {"x", "-dot(x)/5"}},
     0,
     PREDICTED_NO,
     PREDICTED_NO,
     PREDICTED_NO,
     NULL,
     NULL},
    {"resistance that grows with the square of the speed",
     {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2", .forces = {"x", "-dot(x)^2/2"}},
     0,
     PREDICTED_NO,
     PREDICTED_NO,
     PREDICTED_YES,
     "exp(x)",
     "exp(x)"},
    {"resistance that grows with the cube of the speed",
     {.coordinates = {"x"}, .lagrangian = "dot(x)^2/2", .forces = {"x", "-dot(x)^3/2"}},
     0,
     PREDICTED_NO,
     PREDICTED_NO,
     PREDICTED_UNDECIDED,
     NULL,
     NULL},
    {"resistance of the air, whose divergence has no derivative at rest",
     {.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
      .forces = {"x", "-hypot(dot(x), dot(y))*dot(x)", "y", "-hypot(dot(x), dot(y))*dot(y)"}},
     0,
     PREDICTED_NO,
     PREDICTED_NO,
     PREDICTED_UNDECIDED,
     NULL,
     NULL},
    {"a sleigh with its mass over the blade", SLEIGH("0"), 1, PREDICTED_NO, PREDICTED_NO,
     PREDICTED_YES, "1/cos(z)", "cos(z)"},
    {"Chaplygin's sleigh: no density", SLEIGH("0.5"), 1, PREDICTED_NO, PREDICTED_NO, PREDICTED_NO,
     NULL, NULL},
    {"a particle on belts that run",
     {.coordinates = {"x", "y", "z"},
      .lagrangian = EUCLIDEAN3,
      .constraints = {"dot(z) + x*dot(y) - y*dot(x) = 3/4"}},
     2,
     PREDICTED_YES,
     PREDICTED_NO,
     PREDICTED_YES,
     "1",
     "1/(x^2 + y^2 + 1)"},
};

static bool same(const Value *text, const char *expected)
{
    if (!expected)
        return !text || text->kind != VALUE_TEXT;
    return text && text->kind == VALUE_TEXT && strcmp(text->text, expected) == 0;
}

START_TEST(densities_of_known_systems)
{
    Setting *s = setting_new(&KNOWN[_i].model);
    s->context.dependent = &KNOWN[_i].dependent;
    setting_run(s, "measure", NULL);

    const Value *record = value_member(s->findings.record, "measure");
    const Value *qv = value_member(value_member(record, "qv"), "density");
    const Value *qp = value_member(value_member(record, "qp"), "density");
    ck_assert_msg(same(qv, KNOWN[_i].in_qv), "%s: %s", KNOWN[_i].what,
                  qv && qv->text ? qv->text : "none");
    ck_assert_msg(same(qp, KNOWN[_i].in_qp), "%s: %s", KNOWN[_i].what,
                  qp && qp->text ? qp->text : "none");
    const Predicted found[] = {setting_verdict(s, "volume in (q, v)")->predicted,
                               setting_verdict(s, "volume in (q, p)")->predicted,
                               setting_verdict(s, "preserved density")->predicted};
    const Predicted expected[] = {KNOWN[_i].qv, KNOWN[_i].qp, KNOWN[_i].exists};
    for (size_t k = 0; k < 3; k++)
        ck_assert_msg(found[k] == expected[k], "%s: %zu is %s", KNOWN[_i].what, k,
                      predicted_name(found[k]));
    setting_free(s);
}
END_TEST

/* exp(z) does not repeat with z, 1/cos(z) is infinite somewhere. */
START_TEST(a_density_is_single_valued_and_finite)
{
    static const SettingModel CASES[] = {
        {.coordinates = {"x", "y", "z"},
         .lagrangian = EUCLIDEAN3,
         .constraints = {"dot(z) = -x*dot(y)"}},
        {.coordinates = {"x"}, .lagrangian = "(2 + sin(x))*dot(x)^2/2"},
        SLEIGH("0"),
        {.coordinates = {"x", "y"}, .lagrangian = "x^2*(dot(x)^2 + dot(y)^2)/2", .centre = {2}},
        {.coordinates = {"x", "y"}, .lagrangian = "(dot(x)^2 + dot(y)^2/x^2)/2", .centre = {2}},
    };
    static const bool FINITE[] = {true, true, false, true, false};
    static const size_t DEPENDENT[] = {2, 0, 1, 0, 0};
    Setting *s = setting_new(&CASES[_i]);
    s->context.dependent = &DEPENDENT[_i];

    setting_run(s, "measure", NULL);
    const Value *record = value_member(s->findings.record, "measure");
    ck_assert_msg(value_member(record, "single_valued")->boolean == FINITE[_i], "%s",
                  value_member(value_member(record, "qv"), "density")->text);
    setting_free(s);
}
END_TEST

/* Random constraints dot(z) = a dot(x) + b dot(y). */

enum { TEXT = 600 };

/* (qdot, xddot, yddot) at (q, xdot, ydot): the constraint and the equations solved with numbers. */
static void reduced_rates(const Setting *s, double t, const double *y, double *ret)
{
    double v[3] = {y[3], y[4], 0}, vdot[3], lambda[1], scratch[24];
    const size_t row = 0;
    ModelPoint p = model_point(s->eval, t, y, v);

    v[2] = -p.phi[0] / p.A[2]; /* phi at v_z = 0 */
    const ConstrainedModel constrained = {s->eval, s->model, &row, 1};
    ck_assert(admissible_motion(&constrained, t, y, v, scratch, vdot, lambda));
    memcpy(ret, v, sizeof v);
    ret[3] = vdot[0];
    ret[4] = vdot[1];
}

static double differenced_divergence(const Setting *s, double t, const double *y)
{
    static const double H = 1e-5;
    double sum = 0, before[5], after[5], moved[5];

    for (size_t i = 0; i < 5; i++) {
        memcpy(moved, y, sizeof moved);
        moved[i] = y[i] - H;
        reduced_rates(s, t, moved, before);
        moved[i] = y[i] + H;
        reduced_rates(s, t, moved, after);
        sum += (after[i] - before[i]) / (2 * H);
    }
    return sum;
}

/* D/Dt ln N + div, by differences. */
static double defect(const Setting *s, const ExprPool *pool, Expr N, double t, const double *y)
{
    static const double H = 1e-5;
    double rates[5], ln[2];

    reduced_rates(s, t, y, rates);
    for (size_t side = 0; side < 2; side++) {
        double symbols[8 * SETTING_MAX] = {0}, value, h = side ? H : -H;
        symbols[0] = t + h;
        for (size_t i = 0; i < 3; i++)
            symbols[1 + i] = y[i] + h * rates[i];
        ck_assert_int_eq(expr_eval(pool, &N, 1, symbols, &value, NULL), OK);
        ln[side] = log(fabs(value));
    }
    return (ln[1] - ln[0]) / (2 * H) + differenced_divergence(s, t, y);
}

static void random_function(Random *random, char *text, size_t size, const char *const *names,
                            size_t n)
{
    snprintf(text, size, "(%.2f*%s + %.2f*sin(%s) + %.2f*%s^2)", random_uniform(random, -1, 1),
             names[random_bits(random) % n], random_uniform(random, -1, 1),
             names[random_bits(random) % n], random_uniform(random, -1, 1),
             names[random_bits(random) % n]);
}

/* Whatever density is claimed balances the divergence; constant volumes have none. Constraints
 * whose coefficients depend on x alone have one. */
START_TEST(claimed_densities_balance_the_divergence)
{
    static const char *const NAMES[] = {"x", "y", "z"};
    static const size_t DEPENDENT = 2;
    char a[200], b[200], constraint[TEXT];
    const bool planted = _i % 2;
    Random random;

    random_init(&random, 700 + (uint64_t)_i);
    random_function(&random, a, sizeof a, NAMES, planted ? 1 : 3);
    random_function(&random, b, sizeof b, NAMES, planted ? 1 : 3);
    snprintf(constraint, sizeof constraint, "dot(z) = %s*dot(x) + %s*dot(y)", planted ? "0" : a, b);
    const SettingModel model = {.coordinates = {"x", "y", "z"},
                                .lagrangian = "(dot(x)^2 + 2*dot(y)^2 + 3*dot(z)^2)/2 - x*y",
                                .constraints = {constraint}};
    Setting *s = setting_new(&model);
    s->context.dependent = &DEPENDENT;
    setting_run(s, "measure", NULL);

    const Verdict *density = setting_verdict(s, "preserved density");
    const Verdict *volume = setting_verdict(s, "volume in (q, v)");
    ck_assert_msg(!planted || (density->predicted == PREDICTED_YES && density->expression),
                  "seed %d: %s", 700 + _i, constraint);
    const Trajectory *states = s->context.states;
    ExprPool *pool = expr_pool_clone(s->model->pool);
    ExprScope *scope = model_scope(s->model, pool, false, NULL);
    Diagnostics diag;
    diagnostics_init(&diag, s->arena);
    Expr N = density->expression
                 ? expr_parse(pool, scope, density->expression, PARSE_EXPRESSION, "", &diag)
                 : EXPR_NONE;
    double largest = 0, left = 0;
    for (size_t k = 0; k < 16; k++) {
        const double *q = states->q + 3 * k, *v = states->v + 3 * k;
        const double y[] = {q[0], q[1], q[2], v[0], v[1]};
        largest = fmax(largest, fabs(differenced_divergence(s, states->t[k], y)));
        if (density->predicted == PREDICTED_YES && !expr_is_none(N))
            left = fmax(left, fabs(defect(s, pool, N, states->t[k], y)));
    }
    ck_assert_msg((volume->predicted == PREDICTED_YES) == (largest < 1e-7), "seed %d: %g", 700 + _i,
                  largest);
    ck_assert_msg(left < 1e-6, "seed %d: %g with %s for %s", 700 + _i, left, density->expression,
                  constraint);
    expr_scope_free(scope);
    expr_pool_free(pool);
    setting_free(s);
}
END_TEST

/* The same body in other coordinates, y + 4 x^2 and z + y^3/3 in place of y and z. Of the third
 * brackets there doubles see nothing at any state; the second ones contradict each other
 * already. */
START_TEST(what_brackets_contradict_they_do_in_any_coordinates)
{
    static const SettingModel MODELS[] = {
        {.coordinates = {"x", "y", "z"},
         .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
         .constraints = {"dot(z) = 3*y*dot(x) + x/2"}},
        {.coordinates = {"x", "y", "z"},
         .lagrangian = "(dot(x)^2 + (dot(y) + 8*x*dot(x))^2 + (dot(z) + y^2*dot(y))^2)/2",
         .constraints = {"dot(z) + y^2*dot(y) = 3*(y + 4*x^2)*dot(x) + x/2"},
         .centre = {3, -30, 1}},
    };
    Setting *s = setting_new(&MODELS[_i]);
    const size_t dependent = 2;

    s->context.dependent = &dependent;
    setting_run(s, "measure", NULL);
    ck_assert_int_eq(setting_verdict(s, "preserved density")->predicted, PREDICTED_NO);
    setting_free(s);
}
END_TEST

SUITE(measure)
{
    TCase *tc = suite_case(suite, "measure");

    tcase_add_loop_test(tc, densities_of_known_systems, 0, sizeof KNOWN / sizeof KNOWN[0]);
    tcase_add_loop_test(tc, a_density_is_single_valued_and_finite, 0, 5);
    tcase_add_loop_test(tc, what_brackets_contradict_they_do_in_any_coordinates, 0, 2);
    tcase_add_loop_test(tc, claimed_densities_balance_the_divergence, 0, 40);
}
