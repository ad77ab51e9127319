/* States to start from: found, kept, projected, or refused with the reason. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tests/core/model/references.h"
#include "tests/suite.h"

enum { MAX = 8 };

/* A start and what became of it. */
typedef struct Start {
    double t, q[MAX], v[MAX];
    bool given[MAX];
    Consistency consistency;
    const char *held[MAX];
    size_t independent[MAX];
    InitialReport report;
    Error err;
} Start;

static Status begin(Bench *bench, Start *s)
{
    bool any = false;
    for (size_t i = 0; i < MAX; i++)
        any = any || s->held[i];
    InitialState state = {.t = s->t,
                          .q = s->q,
                          .v = s->v,
                          .v_given = s->given,
                          .consistency = s->consistency,
                          .pointer = "/initial",
                          .held = any ? s->held : NULL};
    s->report = (InitialReport){.independent = s->independent};
    diagnostics_init(&bench->diag, bench->arena);
    return model_initial_state(bench->eval, &state, &s->report, &bench->diag, &s->err);
}

/* NULL leaves zeros; n_given velocities are given, from the first on. */
static Start start_from(const double *q, const double *v, size_t n, size_t n_given)
{
    Start s = {0};
    for (size_t i = 0; i < n; i++) {
        s.q[i] = q ? q[i] : 0;
        s.v[i] = v ? v[i] : 0;
        s.given[i] = i < n_given;
    }
    return s;
}

static void check_admissible(const Bench *bench, const Start *s)
{
    const ModelPoint point = model_point(bench->eval, s->t, s->q, s->v);
    for (size_t a = 0; a < bench->model->r; a++) {
        ck_assert_double_le(point_position_residual(&point, a), 8 * DBL_EPSILON);
        ck_assert_double_le(point_velocity_residual(&point, a), 8 * DBL_EPSILON);
    }
}

START_TEST(references_start_where_they_are)
{
    Reference ref;
    Bench bench;

    reference_init(&ref, &bench, _i);
    Start s = start_from(ref.q, ref.v, bench.model->n, bench.model->n);
    s.t = ref.t;
    ck_assert_msg(begin(&bench, &s) == OK, "%s: %s", ref.id, s.err.message);
    ck_assert_uint_eq(s.report.rank, bench.model->r);
    ck_assert_uint_eq(s.report.n_redundant, 0);
    ck_assert_double_le(s.report.position_change, 1e-15);
    ck_assert_double_le(s.report.velocity_change, 1e-15);
    check_admissible(&bench, &s);
    bench_done(&bench);
}
END_TEST

/* All velocities left out, or the first half of them given: found again with p.v least. */
START_TEST(missing_velocities_have_least_energy)
{
    Reference ref;
    Bench bench;
    bool linear = true;

    reference_init(&ref, &bench, _i);
    const Model *m = bench.model;
    for (size_t a = 0; a < m->r; a++)
        linear = linear && m->constraints[a].kind != CONSTRAINT_NONLINEAR;
    const size_t n_given = m->n > m->r ? m->n - m->r - (m->n - m->r) / 2 : 0;
    Start s = start_from(ref.q, ref.v, m->n, n_given);
    for (size_t i = n_given; i < m->n; i++)
        s.v[i] = 0;
    s.t = ref.t;
    Status status = begin(&bench, &s);
    if (linear) {
        ck_assert_msg(status == OK, "%s: %s", ref.id, s.err.message);
    }
    if (status == OK) {
        check_admissible(&bench, &s);
        for (size_t i = 0; i < n_given; i++)
            ck_assert_msg(s.v[i] == ref.v[i], "%s: %zu", ref.id, i);
    }
    /* among the admissible velocities that keep the given ones, the reference's is one */
    const ModelPoint point = model_point(bench.eval, s.t, s.q, s.v);
    double found = 0, reference = 0;
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < m->n; j++) {
            found += s.v[i] * point.M[i * m->n + j] * s.v[j];
            reference += ref.v[i] * point.M[i * m->n + j] * ref.v[j];
        }
    if (linear && s.report.metric_is_mass)
        ck_assert_msg(found <= reference * (1 + 1e-12) + 1e-12, "%s: %g > %g", ref.id, found,
                      reference);
    bench_done(&bench);
}
END_TEST

static const Sketch SLED = {.coordinates = "x y phi",
                            .lagrangian = "dot(x)^2/2 + dot(y)^2/2 + dot(phi)^2/2",
                            .constraints = {"blade: dot(x)*sin(phi) = dot(y)*cos(phi)"}};

START_TEST(violations_are_named_with_their_size)
{
    double q[] = {0, 0, 0}, v[] = {1, 0.1, 0};
    Bench bench;

    bench_init(&bench, &SLED);
    Start s = start_from(q, v, 3, 3);
    ck_assert_int_eq(begin(&bench, &s), ERR_INVALID);
    ck_assert_uint_eq(bench.diag.total, 1);
    ck_assert_str_eq(bench.diag.items[0].pointer, "/initial");
    ck_assert_ptr_nonnull(strstr(bench.diag.items[0].message, "blade is violated by -0.1 "));
    ck_assert_ptr_nonnull(strstr(bench.diag.items[0].hint, "\"project\""));
    ck_assert_ptr_nonnull(strstr(bench.diag.items[0].hint, "dot(y) = 0"));
    bench_done(&bench);
}
END_TEST

START_TEST(small_violations_are_projected_and_reported)
{
    double q[] = {0, 0, 0}, v[] = {1, 1e-9, 0};
    Bench bench;

    bench_init(&bench, &SLED);
    Start s = start_from(q, v, 3, 3);
    ck_assert_int_eq(begin(&bench, &s), OK);
    ck_assert_double_eq_tol(s.report.velocity_change, 1e-9, 1e-20);
    ck_assert_double_eq(s.v[0], 1);
    ck_assert_double_le(fabs(s.v[1]), 1e-24);
    ck_assert(s.report.metric_is_mass && s.report.mass_positive);
    bench_done(&bench);
}
END_TEST

/* The nearest point of an ellipse-like metric: M (q - q0) is parallel to the gradient. */
START_TEST(positions_go_to_the_nearest_point_in_the_metric)
{
    Sketch sketch = {.coordinates = "x y",
                     .parameters = "a=1 b=3",
                     .lagrangian = "a/2*dot(x)^2 + b/2*dot(y)^2",
                     .constraints = {"x^2 + y^2 = 1"}};
    double q[] = {1.2, 0.7}, v[] = {0.3, 0.4};
    Bench bench;

    bench_init(&bench, &sketch);
    Start s = start_from(q, v, 2, 2);
    ck_assert_int_eq(begin(&bench, &s), ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(bench.diag.items[0].message, "the constraint c1 is violated"));
    s = start_from(q, v, 2, 2);
    s.consistency = CONSISTENCY_PROJECT;
    ck_assert_msg(begin(&bench, &s) == OK, "%s", s.err.message);
    check_admissible(&bench, &s);
    double dx = s.q[0] - q[0], dy = s.q[1] - q[1];
    ck_assert_double_eq_tol(dx * s.q[1] - 3 * dy * s.q[0], 0, 1e-12);
    ck_assert_double_gt(s.q[0], 0);
    ck_assert_double_eq_tol(s.report.position_change, hypot(dx, dy), 1e-15);
    /* velocities in the tangent at the new position, changed along M^-1 times the normal */
    ck_assert_double_eq_tol((s.v[0] - v[0]) * s.q[1] - 3 * (s.v[1] - v[1]) * s.q[0], 0, 1e-14);
    bench_done(&bench);
}
END_TEST

/* Starts far from a curve in the plane, given by its points; lengths in any unit. */
static void ellipse(double s, double *x, double *y)
{
    *x = 2 * cos(6.2831853 * s);
    *y = sin(6.2831853 * s);
}

static void hyperbola(double s, double *x, double *y)
{
    *x = (s < 0.5 ? -1 : 1) * exp(24 * (s < 0.5 ? s : s - 0.5) - 6);
    *y = 1 / *x;
}

static void lemniscate(double s, double *x, double *y)
{
    const double a = 6.2831853 * s;
    *x = cos(a) / (1 + sin(a) * sin(a));
    *y = *x * sin(a);
}

static const struct FarStart {
    const char *constraint; /* in units of l */
    void (*curve)(double s, double *x, double *y);
    double mass_y, q[2];
} FAR_STARTS[] = {
    {"x^2 + 4*y^2 = 4*l^2", ellipse, 1, {3, 2}},
    {"x^2 + 4*y^2 = 4*l^2", ellipse, 100, {3, 2}},
    {"x^2 + 4*y^2 = 4*l^2", ellipse, 1, {-40, 1}},
    /* Newton's method ends in the farthest of its neighbours */
    {"x^2 + 4*y^2 = 4*l^2", ellipse, 1, {0.1, 0}},
    {"x^2 + 4*y^2 = 4*l^2", ellipse, 1, {1.7, 0}},
    {"x*y = l^2", hyperbola, 1, {1e-5, 0}},
    {"x*y = l^2", hyperbola, 1, {0.1, -1}},
    {"(x^2 + y^2)^2 = l^2*(x^2 - y^2)", lemniscate, 1, {0.3, 0.8}},
    {"(x^2 + y^2)^2 = l^2*(x^2 - y^2)", lemniscate, 3, {-2, 0.3}},
};
static const double UNITS[] = {1, 1e-9, 1e9};
enum { FAR_STARTS_N = sizeof FAR_STARTS / sizeof *FAR_STARTS };

static double distance_of_curve(const struct FarStart *far)
{
    double least = INFINITY;
    for (int k = 0; k < 1000000; k++) {
        double x, y;
        far->curve(k / 1e6, &x, &y);
        x -= far->q[0];
        y -= far->q[1];
        least = fmin(least, x * x + far->mass_y * y * y);
    }
    return sqrt(least);
}

START_TEST(of_many_admissible_positions_the_nearest_is_taken)
{
    const struct FarStart *far = &FAR_STARTS[_i % FAR_STARTS_N];
    const double l = UNITS[_i / FAR_STARTS_N];
    char parameters[64];
    snprintf(parameters, sizeof parameters, "m=%g l=%g", far->mass_y, l);
    Sketch sketch = {.coordinates = "x y",
                     .parameters = parameters,
                     .lagrangian = "dot(x)^2/2 + m/2*dot(y)^2",
                     .constraints = {far->constraint}};
    double q[] = {far->q[0] * l, far->q[1] * l};
    Bench bench;

    bench_init(&bench, &sketch);
    Start s = start_from(q, NULL, 2, 0);
    s.consistency = CONSISTENCY_PROJECT;
    ck_assert_msg(begin(&bench, &s) == OK, "%s", s.err.message);
    check_admissible(&bench, &s);
    const double dx = (s.q[0] - q[0]) / l, dy = (s.q[1] - q[1]) / l;
    /* the samples of the curve are not the points themselves */
    ck_assert_double_eq_tol(sqrt(dx * dx + far->mass_y * dy * dy) / distance_of_curve(far), 1,
                            1e-9);
    ck_assert_double_eq_tol(s.report.position_change / l / hypot(dx, dy), 1, 1e-14);
    bench_done(&bench);
}
END_TEST

/* A bead on a sphere of radius 2 l whose height is held: on a circle, nearest in the metric of M to
 * where it was given. The coupling of masses must not move it. */
START_TEST(held_coordinates_keep_their_values)
{
    static const double MASSES[] = {1, 1e-30, 1e12};
    const double l = UNITS[_i % 3], m = MASSES[_i / 3];
    char parameters[96];
    snprintf(parameters, sizeof parameters, "m=%g l=%g", m, l);
    Sketch sketch = {.coordinates = "x y z",
                     .parameters = parameters,
                     .lagrangian = "m*(dot(x)^2 + 3*dot(y)^2 + 2*dot(z)^2 + dot(x)*dot(z))/2 - m*z",
                     .constraints = {"x^2 + y^2 + z^2 = 4*l^2", "dot(x) = dot(y)"}};
    const double q[] = {2 * l, l, 0.7 * l};
    Bench bench;

    bench_init(&bench, &sketch);
    Start s = start_from(q, NULL, 3, 0);
    s.consistency = CONSISTENCY_PROJECT;
    s.held[2] = "/initial/hold/0";
    ck_assert_msg(begin(&bench, &s) == OK, "%s", s.err.message);
    check_admissible(&bench, &s);
    ck_assert(s.q[2] == q[2]);
    const double dx = (s.q[0] - q[0]) / l, dy = (s.q[1] - q[1]) / l;
    ck_assert_double_eq_tol(dx * s.q[1] / l - 3 * dy * s.q[0] / l, 0, 1e-11);
    ck_assert_double_gt(s.q[0], 0);
    /* what follows of the report is of all constraints and coordinates */
    ck_assert_uint_eq(s.report.rank, 2);
    ck_assert(s.report.metric_is_mass);
    /* the same evaluator, without: the height moves */
    Start loose = start_from(q, NULL, 3, 0);
    loose.consistency = CONSISTENCY_PROJECT;
    ck_assert_msg(begin(&bench, &loose) == OK, "%s", loose.err.message);
    ck_assert(loose.q[2] != q[2]);
    bench_done(&bench);
}
END_TEST

/* A crank that is held, a bar and a rocker: what is left has no freedom. */
START_TEST(a_linkage_is_assembled_around_its_crank)
{
    static const Sketch LINKAGE = {
        .coordinates = "th x y",
        .lagrangian = "(dot(th)^2 + dot(x)^2 + dot(y)^2)/2",
        .constraints = {"bar: (x - cos(th))^2 + (y - sin(th))^2 = 9",
                        "rocker: (x - 4)^2 + y^2 = 4"},
    };
    const double q[] = {0.1 * _i, 3.5, 2}, v[] = {1, 0, 0};
    Bench bench;

    bench_init(&bench, &LINKAGE);
    Start s = start_from(q, v, 3, 1);
    s.consistency = CONSISTENCY_PROJECT;
    s.held[0] = "/initial/hold/0";
    ck_assert_msg(begin(&bench, &s) == OK, "%d: %s", _i, s.err.message);
    check_admissible(&bench, &s);
    ck_assert(s.q[0] == q[0] && s.v[0] == 1);
    bench_done(&bench);
}
END_TEST

START_TEST(what_is_left_of_each_constraint_is_told)
{
    static const Sketch SPHERE = {
        .coordinates = "x y z",
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
        .constraints = {"ball: x^2 + y^2 + z^2 = 4", "floor: z = 1"},
    };
    const double high[] = {2, 1, 3}, right[] = {1, 1, 1};
    Bench bench;

    bench_init(&bench, &SPHERE);
    Start s = start_from(high, NULL, 3, 0);
    s.consistency = CONSISTENCY_PROJECT;
    s.held[2] = "/initial/hold/0";
    ck_assert_int_eq(begin(&bench, &s), ERR_INVALID);
    ck_assert_uint_eq(bench.diag.total, 2);
    for (size_t k = 0; k < 2; k++)
        ck_assert_str_eq(bench.diag.items[k].pointer, "/initial/hold");
    ck_assert_ptr_nonnull(strstr(bench.diag.items[1].message, "floor is violated by 2 "));
    ck_assert_ptr_nonnull(strstr(bench.diag.items[0].message, "ball is violated by "));
    /* everything is held: off the constraints, and on them */
    s = start_from(right, NULL, 3, 0);
    s.consistency = CONSISTENCY_PROJECT;
    s.held[0] = "/initial/hold/2";
    s.held[1] = "/initial/hold/1";
    s.held[2] = "/initial/hold/0";
    ck_assert_int_eq(begin(&bench, &s), ERR_INVALID);
    ck_assert_uint_eq(bench.diag.total, 1);
    ck_assert_str_eq(bench.diag.items[0].pointer, "/initial/hold/2");
    ck_assert_ptr_nonnull(strstr(bench.diag.items[0].message, "ball is violated by -1 "));
    s.q[0] = sqrt(2);
    s.q[1] = 1;
    ck_assert_msg(begin(&bench, &s) == OK, "%s", s.err.message);
    bench_done(&bench);
}
END_TEST

/* Velocities on dot(x) dot(y) = 1: a hyperbola, too. */
START_TEST(of_many_admissible_velocities_the_nearest_is_taken)
{
    Sketch sketch = {.coordinates = "x y",
                     .lagrangian = "dot(x)^2/2 + dot(y)^2/2",
                     .constraints = {"dot(x)*dot(y) = 1"}};
    const double v[] = {1e-5, 0};
    Bench bench;

    bench_init(&bench, &sketch);
    Start s = start_from(NULL, v, 2, 2);
    s.consistency = CONSISTENCY_PROJECT;
    ck_assert_msg(begin(&bench, &s) == OK, "%s", s.err.message);
    check_admissible(&bench, &s);
    /* (x - 1e-5) = 1/x^3 */
    ck_assert_double_eq_tol(s.v[0], 1.000002500009375, 1e-14);
    bench_done(&bench);
}
END_TEST

typedef struct Case {
    Sketch sketch;
    double q[MAX], v[MAX];
    size_t n_given;
    const char *fragments[3]; /* of one message; none: the start is accepted */
    const char *redundant;
} Case;

#define FREE3 "dot(x)^2/2 + dot(y)^2/2 + dot(z)^2/2"
#define MINKOWSKI "(dot(x)^2 - dot(y)^2)/2"
#define EULER "(dot(a)^2 + dot(b)^2 + dot(c)^2 + 2*cos(b)*dot(a)*dot(c))/2"

static const Case CASES[] = {
    /* redundant */
    {{.coordinates = "x y z",
      .lagrangian = FREE3,
      .constraints = {"dot(x) - y", "dot(y) - x", "dot(x) + 2*dot(y) - y - 2*x"}},
     {1, 2},
     {2, 1, 5},
     3,
     {NULL},
     "c3 = c1 + 2*c2"},
    {{.coordinates = "x y z", .lagrangian = FREE3, .constraints = {"x - y", "a: dot(x) - dot(y)"}},
     {1, 1},
     {2, 2},
     3,
     {NULL},
     "a = c1"},
    {{.coordinates = "x y z",
      .lagrangian = FREE3,
      .constraints = {"dot(x) - dot(y)", "b: 3*y = 3*x"}},
     {1, 1},
     {2, 2},
     3,
     {NULL},
     "c1 = -1/3*b"},
    {{.coordinates = "x y z",
      .parameters = "k=0",
      .lagrangian = FREE3,
      .constraints = {"k*dot(x)"}},
     {0},
     {1},
     3,
     {NULL},
     "c1 = 0"},
    /* redundant only where the others hold */
    {{.coordinates = "x y z", .lagrangian = FREE3, .constraints = {"x", "x*(1+y^2)"}},
     {0, 2, 0},
     {0, 1, 1},
     3,
     {NULL},
     "c2 = 5*c1"},
    /* contradictory */
    {{.coordinates = "x y z", .lagrangian = FREE3, .constraints = {"x = 0", "other: x = 1"}},
     {0},
     {0},
     3,
     {"other contradicts c1", "-1"},
     NULL},
    {{.coordinates = "x y z", .lagrangian = FREE3, .constraints = {"dot(x) = 1", "dot(x) = 2"}},
     {0},
     {1},
     3,
     {"c2 contradicts c1", "-1"},
     NULL},
    {{.coordinates = "x y z", .lagrangian = FREE3, .constraints = {"dot(x) = 1", "dot(x) = 2"}},
     {0},
     {0},
     0,
     {"c2 contradicts c1", "-1"},
     NULL},
    {{.coordinates = "x y z",
      .lagrangian = FREE3,
      .constraints = {"dot(x) = 0", "dot(x) = sin(t)"}},
     {0},
     {0},
     3,
     {"c2 contradicts c1", "time derivatives"},
     NULL},
    {{.coordinates = "x y z",
      .lagrangian = FREE3,
      .constraints = {"dot(x) + dot(y) = 1", "dot(x) - dot(y) = 1", "dot(x) = 2"}},
     {0},
     {1, 0, 0},
     3,
     {"c3 contradicts c1 and c2"},
     NULL},
    /* velocities that cannot be found */
    {{.coordinates = "x y z", .lagrangian = FREE3, .constraints = {"dot(x) = 1"}},
     {0},
     {2},
     1,
     {"no velocities of y, z", "c1 (off by 1)"},
     NULL},
    {{.coordinates = "x y z", .lagrangian = FREE3, .constraints = {"dot(x)^2 + dot(y)^2 = 1"}},
     {0},
     {2},
     1,
     {"no velocities of y, z", "c1"},
     NULL},
    /* singular states */
    {{.coordinates = "x y z",
      .lagrangian = FREE3,
      .constraints = {"cone: dot(x)^2 + dot(y)^2 = dot(z)^2"}},
     {0},
     {0},
     3,
     {"cone is singular at the initial state"},
     NULL},
    {{.coordinates = "x y z", .lagrangian = FREE3, .constraints = {"x^2 + y^2 = 0"}},
     {0},
     {0},
     3,
     {"c1 is singular"},
     NULL},
    {{.coordinates = "x y z", .lagrangian = FREE3, .constraints = {"x*dot(y) = 0"}},
     {0},
     {0, 1},
     3,
     {"c1 is singular"},
     NULL},
    /* rows that are one at this instant alone, or at all */
    {{.coordinates = "x y z",
      .lagrangian = FREE3,
      .constraints = {"dot(x) = y*dot(z)", "dot(x) - y*dot(z) + (1 - cos(t))*dot(y) = 0"}},
     {0, 1},
     {0.5, 0, 0.5},
     3,
     {"c2 is singular at the initial state"},
     NULL},
    {{.coordinates = "x y z",
      .lagrangian = FREE3,
      .constraints = {"dot(x) = y*dot(z)", "cos(t)*(dot(x) - y*dot(z)) = 0"}},
     {0, 1},
     {0.5, 0, 0.5},
     3,
     {NULL},
     "c2 = c1"},
    {{.coordinates = "a b c", .lagrangian = EULER},
     {0},
     {1},
     3,
     {"singular", "a, c at this state; choose another start"},
     NULL},
    {{.coordinates = "a b c", .lagrangian = EULER}, {0, 0.5}, {1}, 3, {NULL}, NULL},
    /* degenerate mass: refused, unless the constraints make up for it */
    {{.coordinates = "x y z", .lagrangian = "dot(x)^2/2 + dot(y)^2/2 - z^2"},
     {0},
     {1},
     3,
     {"direction of z", "does not contain dot(z)"},
     NULL},
    {{.coordinates = "x y", .lagrangian = "x*dot(y) - dot(x)*y - x^2"},
     {1},
     {1},
     2,
     {"singular", "is linear in dot(x)"},
     NULL},
    {{.coordinates = "x y", .lagrangian = "(dot(x) + dot(y))^2"},
     {1},
     {1},
     2,
     {"in the direction of x, y"},
     NULL},
    {{.coordinates = "x y z",
      .lagrangian = "dot(x)^2/2 + dot(y)^2/2",
      .constraints = {"dot(z) = y*dot(x) - x*dot(y)"}},
     {1, 2},
     {1, 1, 1},
     3,
     {NULL},
     NULL},
    /* masses that cancel on the constraints: nothing is left, everywhere or at this state; one
     * direction of two */
    {{.coordinates = "x y", .lagrangian = MINKOWSKI, .constraints = {"dot(x) = dot(y)"}},
     {0},
     {1, 1},
     2,
     {"accelerations are not determined: on the velocities that the constraints allow",
      "the kinetic energy is zero"},
     NULL},
    {{.coordinates = "x y z",
      .lagrangian = "(dot(x)^2 - dot(y)^2)/2 - x^2/2",
      .constraints = {"dot(x) = dot(y)", "dot(z) = x*dot(y)"}},
     {1, 1},
     {1, 1, 1},
     3,
     {"accelerations are not determined", "the kinetic energy is zero"},
     NULL},
    {{.coordinates = "x y",
      .lagrangian = "(dot(x)^2 - (1 + x)*dot(y)^2)/2",
      .constraints = {"dot(x) = dot(y)"}},
     {0},
     {1, 1},
     2,
     {"accelerations are not determined",
      "the kinetic energy is zero at this state; choose another start"},
     NULL},
    {{.coordinates = "x y",
      .lagrangian = "(dot(x)^2 - (1 + x)*dot(y)^2)/2",
      .constraints = {"dot(x) = dot(y)"}},
     {0.01},
     {1, 1},
     2,
     {NULL},
     NULL},
    {{.coordinates = "x y",
      .lagrangian = "(dot(x)^2 - (1 + t)*dot(y)^2)/2",
      .constraints = {"x = y"}},
     {0},
     {1, 1},
     2,
     {"at this state; choose another start"},
     NULL},
    {{.coordinates = "x y", .lagrangian = MINKOWSKI, .constraints = {"dot(x)^2 = dot(y)^2"}},
     {0},
     {1, -1},
     2,
     {"accelerations are not determined", "the kinetic energy is zero"},
     NULL},
    {{.coordinates = "x y z",
      .lagrangian = MINKOWSKI " + dot(z)^2/2",
      .constraints = {"dot(x)^2 + dot(z)^2 = dot(y)^2"}},
     {0},
     {3, 5, 4},
     3,
     {"singular on the constraints in the direction of x, y, z"},
     NULL},
    {{.coordinates = "x y z",
      .lagrangian = MINKOWSKI " + dot(z)^2/2",
      .constraints = {"dot(x) = dot(y)"}},
     {0},
     {1, 1, 1},
     3,
     {"singular on the constraints in the direction of x, y"},
     NULL},
    {{.coordinates = "x y", .lagrangian = MINKOWSKI, .constraints = {"dot(x) = 2*dot(y)"}},
     {0},
     {2, 1},
     2,
     {NULL},
     NULL},
    {{.coordinates = "x y",
      .lagrangian = MINKOWSKI " + 1e-9*dot(x)^2",
      .constraints = {"dot(x) = dot(y)"}},
     {0},
     {1, 1},
     2,
     {NULL},
     NULL},
    /* indefinite, but not degenerate */
    {{.coordinates = "x y", .lagrangian = "dot(x)^2/2 - dot(y)^2/2"}, {0}, {1}, 2, {NULL}, NULL},
    /* units do not matter */
    {{.coordinates = "x y", .lagrangian = "1e-15*dot(x)^2 + 1e12*dot(y)^2"},
     {0},
     {1},
     2,
     {NULL},
     NULL},
    /* not finite */
    {{.coordinates = "x y", .lagrangian = "dot(x)^2/2 + dot(y)^2/2 + 3*log(x - 2)"},
     {1},
     {1},
     2,
     {"the Lagrangian is not finite", "log(x - 2) is undefined"},
     NULL},
    {{.coordinates = "x y", .lagrangian = "dot(x)^2/2 + dot(y)^2/2", .forces = {"y: 1/x"}},
     {0},
     {1},
     2,
     {"the force on y is not finite"},
     NULL},
    {{.coordinates = "x y",
      .lagrangian = "dot(x)^2/2 + dot(y)^2/2",
      .constraints = {"ring: sqrt(x^2 + y^2 - 1) = 1"}},
     {0},
     {1},
     2,
     {"ring is not finite", "sqrt(x^2 + y^2 - 1) is undefined"},
     NULL},
    {{.coordinates = "x y z",
      .lagrangian = FREE3,
      .constraints = {"tip: dot(z) = sqrt(dot(x)^2 + dot(y)^2)"}},
     {0},
     {0},
     3,
     {"derivative of the constraint tip is not finite"},
     NULL},
};

START_TEST(states_are_accepted_or_refused_with_the_reason)
{
    const Case *c = &CASES[_i];
    Bench bench;

    bench_init(&bench, &c->sketch);
    Start s = start_from(c->q, c->v, bench.model->n, c->n_given);
    Status status = begin(&bench, &s);
    const char *message = bench.diag.count ? bench.diag.items[0].message : "";
    if (c->fragments[0]) {
        ck_assert_int_eq(status, ERR_INVALID);
        ck_assert_msg(bench.diag.total == 1, "%zu: %s", bench.diag.total, message);
        for (int k = 0; k < 3 && c->fragments[k]; k++)
            ck_assert_msg(strstr(message, c->fragments[k]) != NULL, "%s", message);
    } else {
        ck_assert_msg(status == OK, "%s", s.err.message);
        ck_assert_uint_eq(s.report.n_redundant, c->redundant != NULL);
        if (c->redundant)
            ck_assert_str_eq(s.report.redundant_texts[0], c->redundant);
        ck_assert_uint_eq(s.report.rank + s.report.n_redundant, bench.model->r);
    }
    bench_done(&bench);
}
END_TEST

START_TEST(every_object_that_is_not_finite_is_named)
{
    Sketch sketch = {.coordinates = "x y",
                     .lagrangian = "dot(x)^2/2 + dot(y)^2/2 + sqrt(x)",
                     .forces = {"x: log(x)", "y: 1"},
                     .constraints = {"a: dot(x)*acos(y) = 0", "b: dot(y) = 0"}};
    double q[] = {-1, 2}, v[] = {0, 0};
    Bench bench;

    bench_init(&bench, &sketch);
    Start s = start_from(q, v, 2, 2);
    ck_assert_int_eq(begin(&bench, &s), ERR_INVALID);
    ck_assert_uint_eq(bench.diag.total, 3);
    bench_done(&bench);
}
END_TEST

START_TEST(nonlinear_velocities_are_found)
{
    Sketch sketch = {.coordinates = "x y z",
                     .lagrangian = FREE3,
                     .constraints = {"4*(dot(x)^2 + dot(y)^2) = dot(z)^2"}};
    double v[] = {3, 4, 0};
    Bench bench;

    bench_init(&bench, &sketch);
    Start s = start_from(NULL, v, 3, 2);
    ck_assert_msg(begin(&bench, &s) == OK, "%s", s.err.message);
    ck_assert_double_eq(s.v[0], 3);
    ck_assert_double_eq(s.v[1], 4);
    ck_assert_double_eq_tol(fabs(s.v[2]), 10, 1e-14);
    /* a sphere of velocities: whatever is found has the right speed */
    bench_done(&bench);
    sketch.constraints[0] = "dot(x)^2 + dot(y)^2 + dot(z)^2 = 4";
    bench_init(&bench, &sketch);
    s = start_from(NULL, NULL, 3, 0);
    ck_assert_msg(begin(&bench, &s) == OK, "%s", s.err.message);
    ck_assert_double_eq_tol(hypot(hypot(s.v[0], s.v[1]), s.v[2]), 2, 1e-14);
    bench_done(&bench);
}
END_TEST

/* M = [2 1 0; 1 3 1; 0 1 4]: d(v.M.v) = 0 along what the constraint leaves free. */
START_TEST(given_velocities_weigh_on_the_missing_ones)
{
    Sketch sketch = {.coordinates = "x y z",
                     .lagrangian = "dot(x)^2 + 3/2*dot(y)^2 + 2*dot(z)^2 + dot(x)*dot(y) + "
                                   "dot(y)*dot(z)"};
    double v[] = {3, 0, 0};
    Bench bench;

    bench_init(&bench, &sketch);
    Start s = start_from(NULL, v, 3, 1);
    ck_assert_int_eq(begin(&bench, &s), OK);
    ck_assert_double_eq(s.v[0], 3);
    ck_assert_double_eq_tol(s.v[0] + 3 * s.v[1] + s.v[2], 0, 1e-14);
    ck_assert_double_eq_tol(s.v[1] + 4 * s.v[2], 0, 1e-14);
    bench_done(&bench);
    sketch.constraints[0] = "dot(y) + dot(z) = 5";
    bench_init(&bench, &sketch);
    s = start_from(NULL, v, 3, 1);
    ck_assert_int_eq(begin(&bench, &s), OK);
    ck_assert_double_eq_tol(s.v[1] + s.v[2], 5, 1e-14);
    ck_assert_double_eq_tol((s.v[0] + 3 * s.v[1] + s.v[2]) - (s.v[1] + 4 * s.v[2]), 0, 1e-14);
    bench_done(&bench);
}
END_TEST

START_TEST(a_cone_is_met_at_its_nearest_point)
{
    Sketch sketch = {.coordinates = "x y z",
                     .lagrangian = FREE3,
                     .constraints = {"dot(x)^2 + dot(y)^2 = dot(z)^2"}};
    double v[] = {3, 4, 2};
    Bench bench;

    bench_init(&bench, &sketch);
    Start s = start_from(NULL, v, 3, 3);
    s.consistency = CONSISTENCY_PROJECT;
    ck_assert_msg(begin(&bench, &s) == OK, "%s", s.err.message);
    /* the distance of (rho, z) = (5, 2) from the line rho = z */
    ck_assert_double_eq_tol(s.report.velocity_change, 3 / sqrt(2.0), 1e-9);
    ck_assert_double_eq_tol(s.v[2], 3.5, 1e-9);
    bench_done(&bench);
}
END_TEST

START_TEST(no_motion_may_be_left)
{
    Sketch sketch = {.coordinates = "x y",
                     .lagrangian = "dot(x)^2/2 + dot(y)^2/2",
                     .constraints = {"x = sin(t)", "dot(y) = 2"}};
    double q[] = {0, 0}, v[] = {1, 2};
    Bench bench;

    bench_init(&bench, &sketch);
    Start s = start_from(q, v, 2, 2);
    ck_assert_msg(begin(&bench, &s) == OK, "%s", s.err.message);
    ck_assert_uint_eq(s.report.rank, 2);
    ck_assert_double_eq(s.report.condition_M, 1);
    bench_done(&bench);
}
END_TEST

/* Sixty masses on a line, each tied to its neighbour, and the ends tied again. */
START_TEST(redundancy_is_found_among_many)
{
    enum { N = 60 };
    Bench bench = {.arena = arena_new(1 << 26)};
    Text lagrangian = TEXT_INIT, coordinates = TEXT_INIT;
    NamedText ties[N];
    double q[N], v[N];
    size_t independent[N];
    Error err = {0};

    for (int i = 0; i < N; i++) {
        text_printf(&coordinates, "q%d ", i);
        text_printf(&lagrangian, " + dot(q%d)^2", i);
        ties[i] = (NamedText){.text = arena_printf(bench.arena, "q%d - q%d", i, (i + 1) % N),
                              .pointer = "/model/constraints"};
        q[i] = v[i] = 3;
    }
    Sketch sketch = {.coordinates = text_string(&coordinates),
                     .lagrangian = text_string(&lagrangian)};
    ModelDocument document = sketch_document(&sketch, bench.arena);
    document.constraints = ties;
    document.n_constraints = N;
    diagnostics_init(&bench.diag, bench.arena);
    ck_assert_int_eq(model_build(&document, &bench.diag, &bench.model, &err), OK);
    ck_assert_int_eq(model_programs_new(bench.model, &bench.programs, &err), OK);
    ck_assert_int_eq(model_eval_new(bench.programs, NULL, &bench.eval, &err), OK);
    InitialState state = {.q = q, .v = v, .pointer = "/initial"};
    InitialReport report = {.independent = independent};
    ck_assert_msg(model_initial_state(bench.eval, &state, &report, &bench.diag, &err) == OK, "%s",
                  err.message);
    ck_assert_uint_eq(report.rank, N - 1);
    ck_assert_uint_eq(report.n_redundant, 1);
    ck_assert_ptr_nonnull(strstr(report.redundant_texts[0], "c60 = -c1 - c2 - c3"));
    text_done(&lagrangian);
    text_done(&coordinates);
    bench_done(&bench);
}
END_TEST

SUITE(initial)
{
    TCase *tc = suite_case(suite, "initial");
    tcase_add_loop_test(tc, references_start_where_they_are, 0, n_references());
    tcase_add_loop_test(tc, missing_velocities_have_least_energy, 0, n_references());
    tcase_add_test(tc, violations_are_named_with_their_size);
    tcase_add_test(tc, small_violations_are_projected_and_reported);
    tcase_add_test(tc, positions_go_to_the_nearest_point_in_the_metric);
    tcase_add_loop_test(tc, of_many_admissible_positions_the_nearest_is_taken, 0, 3 * FAR_STARTS_N);
    tcase_add_loop_test(tc, held_coordinates_keep_their_values, 0, 9);
    tcase_add_loop_test(tc, a_linkage_is_assembled_around_its_crank, 0, 63);
    tcase_add_test(tc, what_is_left_of_each_constraint_is_told);
    tcase_add_test(tc, of_many_admissible_velocities_the_nearest_is_taken);
    tcase_add_loop_test(tc, states_are_accepted_or_refused_with_the_reason, 0,
                        sizeof CASES / sizeof *CASES);
    tcase_add_test(tc, every_object_that_is_not_finite_is_named);
    tcase_add_test(tc, nonlinear_velocities_are_found);
    tcase_add_test(tc, given_velocities_weigh_on_the_missing_ones);
    tcase_add_test(tc, a_cone_is_met_at_its_nearest_point);
    tcase_add_test(tc, no_motion_may_be_left);
    tcase_add_test(tc, redundancy_is_found_among_many);
}
