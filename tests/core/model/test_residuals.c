/* Residuals in the measure of their own equations: scale decides nothing. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/model/evaluate.h"
#include "core/model/residuals.h"
#include "tests/core/model/sketch.h"
#include "tests/suite.h"

enum { MAX = 4 };

typedef struct Start {
    double q[MAX], v[MAX];
    bool given[MAX];
} Start;

/* What `require` makes of the start; all velocities given. */
static Status require(Bench *bench, Start *s)
{
    size_t independent[MAX];
    InitialReport report = {.independent = independent};
    memset(s->given, true, sizeof s->given);
    InitialState state = {.q = s->q,
                          .v = s->v,
                          .v_given = s->given,
                          .consistency = CONSISTENCY_REQUIRE,
                          .pointer = "/initial"};
    Error err;

    diagnostics_init(&bench->diag, bench->arena);
    return model_initial_state(bench->eval, &state, &report, &bench->diag, &err);
}

/* A pendulum in Cartesian coordinates, its length 10^exponent, its constraint times a factor. */
static void pendulum(Bench *bench, int exponent, const char *factor)
{
    char parameters[64], constraint[64];

    snprintf(parameters, sizeof parameters, "l=1e%d", exponent);
    snprintf(constraint, sizeof constraint, "%s*(x^2 + y^2 - l^2) = 0", factor);
    const Sketch sketch = {.coordinates = "x y",
                           .parameters = parameters,
                           .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9.81*l*y",
                           .constraints = {constraint}};
    bench_init(bench, &sketch);
}

START_TEST(starts_are_judged_the_same_at_every_length)
{
    static const char *const FACTORS[] = {"1", "1e-30", "1e-10", "1e5", "1e30"};
    static const struct {
        double x, y, vx, vy;
        bool good;
    } STARTS[] = {
        {0.6, -0.8, 0.8, 0.6, true},
        {0.6, -0.8 + 1e-9, 0.8, 0.6, true},
        {0.6, -0.8 + 1e-7, 0.8, 0.6, false},
        {10, 0, 0, 1, false},
        {0, -1, 1, 0, true},
        {1e-9, -1, 1, 0, true},
        {0, -1, 1, 1e-7, false},
        {0.6, -0.8, 0.8, 0.6 + 1e-7, false},
    };
    const double length = pow(10, _i);

    for (size_t f = 0; f < sizeof FACTORS / sizeof *FACTORS; f++) {
        Bench bench;
        pendulum(&bench, _i, FACTORS[f]);
        for (size_t k = 0; k < sizeof STARTS / sizeof *STARTS; k++) {
            Start s = {.q = {STARTS[k].x * length, STARTS[k].y * length},
                       .v = {STARTS[k].vx * length, STARTS[k].vy * length}};
            ck_assert_msg((require(&bench, &s) == OK) == STARTS[k].good, "1e%d, %s, start %zu", _i,
                          FACTORS[f], k);
        }
        bench_done(&bench);
    }
}
END_TEST

START_TEST(powers_of_two_on_a_constraint_or_on_L_keep_the_bits)
{
    static const char *const FACTORS[] = {"1", "1024", "2^(-40)", "2^77"};
    double q[2], v[2];

    for (size_t k = 0; k < 16; k++) {
        const char *of_L = FACTORS[k % 4], *of_f = FACTORS[k / 4];
        char lagrangian[100], constraint[100];
        Bench bench;
        Error err;
        size_t row = 0;
        double dq, dv, x[] = {0.7, -0.75}, u[] = {0.9, 0.6};
        snprintf(lagrangian, sizeof lagrangian, "%s*(dot(x)^2 + dot(x)*dot(y) + 3*dot(y)^2)", of_L);
        snprintf(constraint, sizeof constraint, "%s*(x^2 + 0.3*x*y + y^2 - 1) = 0", of_f);
        const Sketch sketch = {
            .coordinates = "x y", .lagrangian = lagrangian, .constraints = {constraint}};
        bench_init(&bench, &sketch);
        ck_assert_int_eq(model_project(bench.eval, 0, x, u, &row, 1, &dq, &dv, &err), OK);
        if (k == 0) {
            memcpy(q, x, sizeof q);
            memcpy(v, u, sizeof v);
        }
        ck_assert_msg(memcmp(q, x, sizeof q) == 0 && memcmp(v, u, sizeof v) == 0, "%s L, %s f",
                      of_L, of_f);
        bench_done(&bench);
    }
}
END_TEST

START_TEST(rounding_is_no_violation)
{
    /* a tether of 1 km between satellites at 7000 km, at any place of the orbit */
    const Sketch tether = {.coordinates = "x1 y1 x2 y2",
                           .parameters = "l=1000",
                           .lagrangian = "(dot(x1)^2 + dot(y1)^2 + dot(x2)^2 + dot(y2)^2)/2",
                           .constraints = {"(x1 - x2)^2 + (y1 - y2)^2 = l^2"}};
    /* crank and slider in line: sin(pi) is 1.2e-16 */
    const Sketch crank = {.coordinates = "x a",
                          .parameters = "l=1e-6",
                          .lagrangian = "(dot(x)^2 + l^2*dot(a)^2)/2",
                          .constraints = {"x = l*sin(a)"}};
    Bench bench;

    bench_init(&bench, &tether);
    for (int k = 0; k < 100; k++) {
        const double a = 0.0628 * k, c = cos(a), s = sin(a), r1 = 7e6, r2 = 7.001e6;
        Start start = {.q = {r1 * c, r1 * s, r2 * c, r2 * s},
                       .v = {-7546 * s, 7546 * c, -7547 * s, 7547 * c}};
        ck_assert_int_eq(require(&bench, &start), OK);
        start.q[2] += 1 * c; /* a metre too long */
        start.q[3] += 1 * s;
        ck_assert_int_eq(require(&bench, &start), ERR_INVALID);
    }
    bench_done(&bench);
    bench_init(&bench, &crank);
    Start start = {.q = {0, 3.141592653589793}, .v = {-1e-6, 1}};
    ck_assert_int_eq(require(&bench, &start), OK);
    bench_done(&bench);
}
END_TEST

START_TEST(coordinates_are_of_one_kind_where_units_say_so)
{
    static const struct {
        Sketch sketch;
        size_t kinds[MAX];
        bool pure[MAX];
    } CASES[] = {
        {{.coordinates = "x y a",
          .parameters = "R=1",
          .lagrangian = "dot(x)^2 + dot(y)^2 + dot(a)^2",
          .constraints = {"dot(x) = R*cos(a)*dot(y)"}},
         {0, 0, 0}, /* L adds all three */
         {true, true, true}},
        {{.coordinates = "x y a",
          .parameters = "m=1 J=1 R=1",
          .lagrangian = "m*(dot(x)^2 + dot(y)^2)/2 + J*dot(a)^2/2",
          .constraints = {"dot(x) = R*cos(a)*dot(a)"}},
         {0, 0, 2},
         {false, false, true}},
        {{.coordinates = "x y",
          .parameters = "m=1 k=1 n=1",
          .lagrangian = "m*dot(x)^2/2 + n*dot(y)^2/2"},
         {0, 1},
         {false}},
        {{.coordinates = "x y",
          .parameters = "m=1 k=1 n=1",
          .lagrangian = "m*dot(x)^2/2 + n*dot(y)^2/2 - k*(x - y)^2"},
         {0, 0},
         {false}},
        /* 1e-8 is a radius, 1/2 a number */
        {{.coordinates = "x a",
          .parameters = "m=1 J=1",
          .lagrangian = "m*dot(x)^2/2 + J*dot(a)^2/2",
          .constraints = {"dot(x) = 1e-8*dot(a)"}},
         {0, 1},
         {false}},
        /* nor is 1e-18, the square of 1e-9, or 0, with which anything compares */
        {{.coordinates = "x a",
          .lagrangian = "dot(x)^2/2 + 1e-18*dot(a)^2/2 + cos(a)",
          .constraints = {"x^2 = 2*1e-9*x*cos(a)"}},
         {0, 1},
         {false, true}},
        {{.coordinates = "x a",
          .parameters = "m=1 J=1 k=1",
          .lagrangian = "m*dot(x)^2/2 + J*dot(a)^2/2 - k*max(x, 0)^2 + cos(a)"},
         {0, 1},
         {false, true}},
        {{.coordinates = "x y",
          .parameters = "m=1 J=1",
          .lagrangian = "m*dot(x)^2/2 + J*dot(y)^2/2",
          .constraints = {"dot(x) = dot(y)/2"}},
         {0, 0},
         {false}},
        {{.coordinates = "x y a b",
          .parameters = "m=1 J=1 l=1 c=1",
          .lagrangian = "m*dot(x)^2/2 + J*dot(y)^2/2 + dot(a)^2*l + dot(b)^2*c",
          .constraints = {"hypot(x, y) = l", "exp(a) = cos(b)"}},
         {0, 0, 2, 2},
         {false, false, true, true}},
        /* without a unit of time there is none of length */
        {{.coordinates = "x", .lagrangian = "dot(x)^2/2 - x^2/2 - x^4/4"}, {0}, {true}},
        {{.coordinates = "x", .lagrangian = "dot(x)^2/2 - x^4/4"}, {0}, {false}},
    };
    Bench bench;

    bench_init(&bench, &CASES[_i].sketch);
    for (size_t i = 0; i < bench.model->n; i++) {
        ck_assert_uint_eq(bench.model->kinds.first[i], CASES[_i].kinds[i]);
        ck_assert_int_eq(bench.model->kinds.pure[i], CASES[_i].pure[i]);
    }
    bench_done(&bench);
}
END_TEST

/* What is there already, at the same state, is not evaluated again. */
START_TEST(what_the_point_has_is_what_the_smaller_programs_find)
{
    static const Sketch SKETCHES[] = {
        {.coordinates = "x y th",
         .parameters = "m=1 a=0.3 I=0.5",
         .lagrangian = "m/2*(dot(x)^2+dot(y)^2)+m*a*dot(th)*(dot(y)*cos(th)-dot(x)*sin(th))+"
                       "(I+m*a^2)/2*dot(th)^2",
         .constraints = {"dot(y)*cos(th)-dot(x)*sin(th)"}},
        {.coordinates = "x y",
         .parameters = "l=2",
         .lagrangian = "exp(x)*hypot(dot(x), 2*dot(y))^2 - 9.81*sin(x*y)",
         .constraints = {"x^2 + y^2 - l^2 + t/3 = 0"}},
        {.coordinates = "x y z",
         .lagrangian = "dot(x)^4/4 + dot(y)^2/2 + cos(x)^2*dot(z)^2",
         .constraints = {"dot(x)^2 + dot(y)^2 = 2*dot(z)^2 + x"}},
    };
    const double q[] = {0.7, -1.3, 0.3}, v[] = {0.955, 0.31, 2.1}, t = 0.4;
    const double *of_point[2], *own[2];
    ModelEval *alone = NULL;
    Bench bench;

    bench_init(&bench, &SKETCHES[_i]);
    ck_assert_int_eq(model_eval_new(bench.programs, NULL, &alone, NULL), OK);
    const size_t n = bench.model->n, r = bench.model->r;
    const size_t sizes[] = {(n + r) * n, RESIDUAL_PARTS * r};
    (void)model_point(bench.eval, t, q, v);
    of_point[0] = evaluate_at(bench.eval, &bench.eval->linear, t, q, v);
    of_point[1] = evaluate_at(bench.eval, &bench.eval->residuals, t, q, v);
    own[0] = evaluate_at(alone, &alone->linear, t, q, v);
    own[1] = evaluate_at(alone, &alone->residuals, t, q, v);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sizes[k]; i++)
            ck_assert_double_le(fabs(of_point[k][i] - own[k][i]),
                                8 * DBL_EPSILON * (1 + fabs(own[k][i])));
    model_eval_free(alone);
    bench_done(&bench);
}
END_TEST

/* Values beside the bound, to the last place, and of every kind elsewhere. */
START_TEST(being_within_a_power_of_two_is_the_quotient_being_so)
{
    static const double SPECIAL[] = {0, 1, 1e300, 1e-300, INFINITY, NAN};
    const size_t n = sizeof SPECIAL / sizeof *SPECIAL;
    int within = 0, looked = 0;
    Random random;

    random_init(&random, 3);
    for (size_t k = 0; k < 3000; k++) {
        const double scale = exp(20 * random_normal(&random));
        const double rounding = k % 3 ? 0.1 * scale : 1e-4 * scale;
        const double bound = ldexp(1, -(int)(k % 60)), at = bound * (k % 2 ? scale : rounding);
        const double values[] = {at, nextafter(at, 0), -nextafter(at, INFINITY), 0.3 * at};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++, looked++) {
            const bool is = residual_is_within(values[i], scale, rounding, bound);
            ck_assert_int_eq(is, residual_relative(values[i], scale, rounding) <= bound);
            within += is;
        }
    }
    for (size_t k = 0; k < n * n * n; k++) {
        const double value = SPECIAL[k % n], scale = SPECIAL[k / n % n];
        const double rounding = SPECIAL[k / n / n];
        ck_assert_int_eq(residual_is_within(value, scale, rounding, DBL_EPSILON),
                         residual_relative(value, scale, rounding) <= DBL_EPSILON);
    }
    ck_assert_int_gt(within, looked / 4);
    ck_assert_int_lt(within, 7 * looked / 8);
}
END_TEST

SUITE(residuals)
{
    TCase *tc = suite_case(suite, "scale");
    tcase_add_loop_test(tc, starts_are_judged_the_same_at_every_length, -12, 13);
    tcase_add_test(tc, powers_of_two_on_a_constraint_or_on_L_keep_the_bits);
    tcase_add_test(tc, rounding_is_no_violation);
    tcase_add_test(tc, being_within_a_power_of_two_is_the_quotient_being_so);
    tcase_add_loop_test(tc, coordinates_are_of_one_kind_where_units_say_so, 0, 11);
    tcase_add_loop_test(tc, what_the_point_has_is_what_the_smaller_programs_find, 0, 3);
}
