/* M, l, A, psi, p, energy against extrapolated differences of L and the constraints themselves, and
 * against the equations of motion of independently computed systems. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/model/references.h"
#include "tests/suite.h"

enum { MAX = 16 };

/* A curve through states, and a function on it: the derivative at s = 0. */
typedef struct Curve {
    const Bench *bench;
    Expr e;
    double t, q[MAX], v[MAX];    /* at s = 0 */
    double dt, dq[MAX], dv[MAX]; /* rates */
} Curve;

static double value_at(const Curve *c, double s)
{
    const size_t n = c->bench->model->n;
    double q[MAX], v[MAX], value;

    for (size_t i = 0; i < n; i++) {
        q[i] = c->q[i] + s * c->dq[i];
        v[i] = c->v[i] + s * c->dv[i];
    }
    bench_values(c->bench, c->t + s * c->dt, q, v, &c->e, 1, &value);
    return value;
}

/* Richardson's extrapolation of central differences of order 1 or 2. */
static double difference(const Curve *c, int order)
{
    enum { ROWS = 4 };
    double table[ROWS][ROWS], h = order == 1 ? 0.04 : 0.08;

    for (int i = 0; i < ROWS; i++, h /= 2) {
        double up = value_at(c, h), down = value_at(c, -h);
        table[i][0] =
            order == 1 ? (up - down) / (2 * h) : (up - 2 * value_at(c, 0) + down) / (h * h);
        double factor = 1;
        for (int j = 1; j <= i; j++) {
            factor *= 4;
            table[i][j] = table[i][j - 1] + (table[i][j - 1] - table[i - 1][j - 1]) / (factor - 1);
        }
    }
    return table[ROWS - 1][ROWS - 1];
}

static Curve curve_at(const Bench *bench, Expr e, double t, const double *q, const double *v)
{
    Curve c = {.bench = bench, .e = e, .t = t};
    memcpy(c.q, q, bench->model->n * sizeof *q);
    memcpy(c.v, v, bench->model->n * sizeof *v);
    return c;
}

static void along_motion(Curve *c)
{
    c->dt = 1;
    memcpy(c->dq, c->v, sizeof c->dq);
}

static void check_close(double value, double expected, double scale, double tolerance,
                        const char *what)
{
    ck_assert_msg(fabs(value - expected) <= tolerance * (1 + fabs(expected) + scale),
                  "%s: %.15g, expected %.15g", what, value, expected);
}

/* Second derivatives of L come from second differences along sums of directions. */
static double second_difference(Curve *c, double *a, double *b)
{
    *a += 1;
    *b += 1;
    double both = difference(c, 2);
    *a = *b = 0;
    *a += 1;
    double first = difference(c, 2);
    *a = 0;
    *b += 1;
    double second = difference(c, 2);
    *b = 0;
    return a == b ? both / 4 : (both - first - second) / 2;
}

static void check_dynamics(const Bench *bench, double t, const double *q, const double *v)
{
    const Model *m = bench->model;
    const ModelPoint point = model_point(bench->eval, t, q, v);
    double p[MAX], energy, L_t;

    bench_values(bench, t, q, v, m->p, m->n, p);
    bench_values(bench, t, q, v, &m->energy, 1, &energy);
    bench_values(bench, t, q, v, &m->L_t, 1, &L_t);
    Curve c = curve_at(bench, m->L, t, q, v);
    double L = value_at(&c, 0), p_v = 0;
    c.dt = 1;
    check_close(L_t, difference(&c, 1), fabs(L), 1e-8, "L_t");
    c.dt = 0;
    for (size_t i = 0; i < m->n; i++) {
        c.dv[i] = 1;
        check_close(p[i], difference(&c, 1), fabs(L), 1e-8, "p");
        c.dv[i] = 0;
        p_v += p[i] * v[i];
        for (size_t j = 0; j < m->n; j++)
            check_close(point.M[i * m->n + j], second_difference(&c, &c.dv[i], &c.dv[j]), fabs(L),
                        1e-6, "M");
    }
    check_close(energy, p_v - L, fabs(L), 1e-12, "energy");
    check_close(point.energy, energy, fabs(L), 1e-13, "energy of the point");
    for (size_t i = 0; i < m->n; i++) {
        Curve momentum = curve_at(bench, m->p[i], t, q, v); /* p itself is checked above */
        along_motion(&momentum);
        c.dq[i] = 1;
        double L_q = difference(&c, 1);
        c.dq[i] = 0;
        check_close(point.l[i], difference(&momentum, 1) - L_q, fabs(L), 1e-7, "l");
    }
}

static void check_constraint(const Bench *bench, size_t a, double t, const double *q,
                             const double *v)
{
    const Model *m = bench->model;
    const Constraint *constraint = &m->constraints[a];
    const ModelPoint point = model_point(bench->eval, t, q, v);
    const bool holonomic = constraint->kind == CONSTRAINT_HOLONOMIC;
    Curve c = curve_at(bench, holonomic ? constraint->f : constraint->phi, t, q, v);
    const double size = fabs(value_at(&c, 0));

    for (size_t i = 0; i < m->n; i++) {
        double *direction = holonomic ? c.dq : c.dv;
        direction[i] = 1;
        check_close(point.A[a * m->n + i], difference(&c, 1), size, 1e-8, "A");
        direction[i] = 0;
    }
    along_motion(&c);
    if (holonomic) {
        check_close(point.f[a], value_at(&c, 0), size, 1e-13, "f");
        check_close(point.phi[a], difference(&c, 1), size, 1e-8, "phi");
        check_close(point.psi[a], difference(&c, 2), size, 1e-6, "psi");
    } else {
        check_close(point.phi[a], value_at(&c, 0), size, 1e-13, "phi");
        check_close(point.psi[a], difference(&c, 1), size, 1e-7, "psi");
    }
}

static void check_at(const Bench *bench, double t, const double *q, const double *v)
{
    check_dynamics(bench, t, q, v);
    for (size_t a = 0; a < bench->model->r; a++)
        check_constraint(bench, a, t, q, v);
}

START_TEST(derivatives_are_those_of_the_functions)
{
    Reference ref;
    Bench bench;

    reference_init(&ref, &bench, _i);
    check_at(&bench, ref.t, ref.q, ref.v);
    bench_done(&bench);
}
END_TEST

/* M vdot + l = F + A^T lambda, A vdot + psi = 0, p = L_v with the numbers of the reference. */
START_TEST(references_satisfy_the_equations)
{
    Reference ref;
    Bench bench;

    reference_init(&ref, &bench, _i);
    const Model *m = bench.model;
    const ModelPoint point = model_point(bench.eval, ref.t, ref.q, ref.v);
    double p[MAX];
    bench_values(&bench, ref.t, ref.q, ref.v, m->p, m->n, p);
    for (size_t i = 0; i < m->n; i++) {
        double sum = point.l[i] - point.F[i], size = fabs(point.l[i]) + fabs(point.F[i]);
        for (size_t j = 0; j < m->n; j++) {
            sum += point.M[i * m->n + j] * ref.vdot[j];
            size += fabs(point.M[i * m->n + j] * ref.vdot[j]);
        }
        for (size_t a = 0; a < m->r; a++) {
            sum -= point.A[a * m->n + i] * ref.lambda[a];
            size += fabs(point.A[a * m->n + i] * ref.lambda[a]);
        }
        check_close(sum, 0, size, 1e-13, ref.id);
        check_close(p[i], ref.p[i], 0, 1e-14, ref.id);
    }
    for (size_t a = 0; a < m->r; a++) {
        double sum = point.psi[a], size = fabs(point.psi[a]);
        for (size_t j = 0; j < m->n; j++) {
            sum += point.A[a * m->n + j] * ref.vdot[j];
            size += fabs(point.A[a * m->n + j] * ref.vdot[j]);
        }
        check_close(sum, 0, size, 1e-13, ref.id);
        ck_assert_double_le(point_velocity_residual(&point, a), 1e-14);
        ck_assert_double_le(point_position_residual(&point, a), 1e-14);
    }
    bench_done(&bench);
}
END_TEST

/* A smooth term of three randomly chosen factors. */
static void append_term(Random *random, const char *const *factors, size_t n, char *text,
                        size_t size)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, " + %.3f*%s*%s*%s", random_uniform(random, -1, 1),
             factors[random_bits(random) % n], factors[random_bits(random) % n],
             factors[random_bits(random) % n]);
}

START_TEST(derivatives_of_random_models)
{
    static const char *const position[] = {"x",        "y",           "z", "sin(x)",   "cos(y*z)",
                                           "exp(z/4)", "sqrt(2+x^2)", "t", "cos(w*t)", "w"};
    static const char *const any[] = {"dot(x)", "dot(y)", "dot(z)", "dot(x)^2",     "dot(x*y)",
                                      "x",      "sin(y)", "t",      "atan(dot(z))", "1/(3+z^2)"};
    Random random;
    const uint64_t seed = 100 + (uint64_t)_i;
    char L[1024] = "dot(x)^2 + dot(y)^2 + dot(z)^2", f[1024] = "x", phi[1024] = "dot(y)";

    printf("seed %d\n", (int)seed);
    random_init(&random, seed);
    for (int k = 0; k < 5; k++) {
        append_term(&random, any, sizeof any / sizeof *any, L, sizeof L);
        append_term(&random, position, sizeof position / sizeof *position, f, sizeof f);
        append_term(&random, any, sizeof any / sizeof *any, phi, sizeof phi);
    }
    Sketch sketch = {
        .coordinates = "x y z", .parameters = "w=1.3", .lagrangian = L, .constraints = {f, phi}};
    Bench bench;
    bench_init(&bench, &sketch);
    double q[3], v[3];
    for (int i = 0; i < 3; i++) {
        q[i] = random_uniform(&random, -1, 1);
        v[i] = random_uniform(&random, -1, 1);
    }
    check_at(&bench, random_uniform(&random, 0, 1), q, v);
    bench_done(&bench);
}
END_TEST

START_TEST(symbols_are_numbered_as_promised)
{
    Sketch sketch = {.coordinates = "x y",
                     .parameters = "m=2",
                     .lagrangian = "m*(dot(x)^2+dot(y)^2)",
                     .constraints = {"rail: dot(x) - y*dot(y)"},
                     .chart = "a b: x = a*cos(b), y = a*sin(b)"};
    Bench bench;
    bench_init(&bench, &sketch);
    const Model *m = bench.model;
    ck_assert_uint_eq(expr_node(m->pool, m->sym.t).symbol, 0);
    ck_assert_uint_eq(expr_node(m->pool, m->sym.q[1]).symbol, 2);
    ck_assert_uint_eq(expr_node(m->pool, m->sym.v[0]).symbol, 3);
    ck_assert_uint_eq(expr_node(m->pool, m->sym.vdot[0]).symbol, 5);
    ck_assert_uint_eq(expr_node(m->pool, m->sym.params[0]).symbol, 7);
    ck_assert_uint_eq(expr_node(m->pool, m->sym.lambda[0]).symbol, 8);
    ck_assert_uint_eq(m->given.chart.n, 2);
    ck_assert_uint_ge(m->sym.first_free, 9);
    size_t n;
    char **names = model_print_names(m, PRINT_TEXT, &n);
    ck_assert_str_eq(names[0], "t");
    ck_assert_str_eq(names[3], "dot(x)");
    ck_assert_str_eq(names[6], "ddot(y)");
    ck_assert_str_eq(names[8], "multiplier(rail)");
    free(names);
    names = model_print_names(m, PRINT_C, &n);
    ck_assert_str_eq(names[2], "q[1]");
    ck_assert_str_eq(names[7], "p[0]");
    ck_assert_str_eq(names[8], "lambda[0]");
    free(names);
    bench_done(&bench);
}
END_TEST

/* The scope of observables knows what the model's texts may not use. */
START_TEST(motion_scope_knows_accelerations_and_reactions)
{
    Sketch sketch = {.coordinates = "x y",
                     .definitions = {"s: x + y"},
                     .lagrangian = "dot(x)^2/2+dot(y)^2/2",
                     .constraints = {"dot(x) - 2*dot(y)", "rail: dot(y) - s"}};
    Bench bench;
    bench_init(&bench, &sketch);
    const Model *m = bench.model;
    ExprPool *pool = expr_pool_clone(m->pool);
    ExprScope *scope = model_scope(m, pool, true, NULL);
    ck_assert_ptr_nonnull(scope);
    Expr e = expr_parse(pool, scope, "reaction(y) + 2*multiplier(c1) - multiplier(rail)",
                        PARSE_EXPRESSION, "/observe/a", &bench.diag);
    ck_assert(expr_is_zero(pool, e));
    e = expr_parse(pool, scope, "multiplier(c2) - multiplier(rail)", PARSE_EXPRESSION, "/observe/b",
                   &bench.diag);
    ck_assert(expr_is_zero(pool, e));
    e = expr_parse(pool, scope, "energy() - dot(x)^2/2 - dot(y)^2/2 + ddot(x) - dot(dot(x))",
                   PARSE_EXPRESSION, "/observe/c", &bench.diag);
    ck_assert(!expr_is_none(e));
    expr_scope_free(scope);
    scope = model_scope(m, pool, false, NULL);
    e = expr_parse(pool, scope, "s + ddot(x)", PARSE_EXPRESSION, "/observe/d", &bench.diag);
    ck_assert(expr_is_none(e));
    expr_scope_free(scope);
    expr_pool_free(pool);
    bench_done(&bench);
}
END_TEST

/* The value of an observable text at q = 0.3, 0.7, v = 1.1, -0.4; NAN after a mistake, whose
 * message is in the diagnostics. */
static double observed_value(Bench *bench, const char *text)
{
    const Model *m = bench->model;
    ExprPool *pool = expr_pool_clone(m->pool);
    ExprScope *scope = model_scope(m, pool, true, NULL);
    double symbols[64] = {0}, value = NAN;
    Error err;

    ck_assert_ptr_nonnull(scope);
    diagnostics_init(&bench->diag, bench->diag.arena);
    for (size_t i = 0; i < 2; i++) {
        symbols[expr_node(pool, m->sym.q[i]).symbol] = (const double[]){0.3, 0.7}[i];
        symbols[expr_node(pool, m->sym.v[i]).symbol] = (const double[]){1.1, -0.4}[i];
    }
    Expr e = expr_parse(pool, scope, text, PARSE_EXPRESSION, "/observe/e", &bench->diag);
    if (!expr_is_none(e))
        ck_assert_int_eq(expr_eval(pool, &e, 1, symbols, &value, &err), OK);
    expr_scope_free(scope);
    expr_pool_free(pool);
    return value;
}

static const struct {
    const char *lagrangian, *text;
    double value; /* NAN: refused */
} DYNAMICS[] = {
    {"(2 + x)*dot(x)^2/2 + 3*x*dot(y) - y^2", "momentum(x)", 2.3 * 1.1},
    {"(2 + x)*dot(x)^2/2 + 3*x*dot(y) - y^2", "momentum(y)", 0.9},
    {"(2 + x)*dot(x)^2/2 + 3*x*dot(y) - y^2", "kinetic()", 2.3 * 1.21 / 2},
    {"(2 + x)*dot(x)^2/2 + 3*x*dot(y) - y^2", "lagrangian()", 2.3 * 1.21 / 2 - 0.36 - 0.49},
    {"(dot(x) + y)^2/2 + (dot(x) - 2*dot(y))^2/2", "kinetic()", (1.21 + 3.61) / 2},
    {"dot(x)^4 + x*dot(x)^2*(1 + dot(y)) - dot(y)^3", "kinetic()", 0.3 * 1.21},
    /* no cancellation against what is larger */
    {"dot(x)^2/2 + dot(y)^2/2 - 1e30*y", "kinetic()", (1.21 + 0.16) / 2},
    {"-sqrt(1 - dot(x)^2) + dot(y)^2/2", "kinetic()", NAN},
    {"-sqrt(1 - dot(x)^2) + dot(y)^2/2", "momentum(y)", -0.4},
    {"dot(x)^2/2 + dot(y)^2/dot(x)", "kinetic()", NAN},
    {"if(dot(x) > 0, 1, 2)*dot(x)^2/2 + dot(y)^2/2", "kinetic()", NAN},
};

START_TEST(dynamics_are_observable)
{
    Sketch sketch = {.coordinates = "x y", .lagrangian = DYNAMICS[_i].lagrangian};
    Bench bench;
    bench_init(&bench, &sketch);
    const double value = observed_value(&bench, DYNAMICS[_i].text);
    if (isnan(DYNAMICS[_i].value)) {
        ck_assert(isnan(value));
        ck_assert_ptr_nonnull(strstr(bench.diag.items[0].message, "polynomial"));
        ck_assert_int_eq((int)bench.diag.items[0].offset, 0);
    } else {
        ck_assert_double_eq_tol(value, DYNAMICS[_i].value, 1e-15);
    }
    bench_done(&bench);
}
END_TEST

SUITE(derivatives)
{
    TCase *tc = suite_case(suite, "derivatives");
    tcase_add_loop_test(tc, derivatives_are_those_of_the_functions, 0, n_references());
    tcase_add_loop_test(tc, references_satisfy_the_equations, 0, n_references());
    tcase_add_loop_test(tc, derivatives_of_random_models, 0, 40);
    tcase_add_test(tc, symbols_are_numbered_as_promised);
    tcase_add_test(tc, motion_scope_knows_accelerations_and_reactions);
    tcase_add_loop_test(tc, dynamics_are_observable, 0, sizeof DYNAMICS / sizeof DYNAMICS[0]);
}
