/* Motion in a chart against Lagrange-d'Alembert with multipliers in the model's own coordinates,
 * and the fields of a moving frame against their definitions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/motion/chart/moving_frame.h"
#include "tests/core/motion/random_model.h"
#include "tests/suite.h"

enum { ARENA_BYTES = 1 << 22, MODELS = 150, FURTHER_SEEDS = 100000 };

/* Random charts. */

/* A document with the coordinates u1 .. um alone, for random functions of them. */
static ModelDocument chart_coordinates(size_t m, Arena *arena)
{
    CoordinateText *coordinates = arena_alloc(arena, m, sizeof *coordinates);

    for (size_t k = 0; k < m; k++)
        coordinates[k] = (CoordinateText){.name = arena_printf(arena, "u%zu", k + 1),
                                          .pointer = "/model/chart/coordinates"};
    return (ModelDocument){.coordinates = coordinates, .n_coordinates = m};
}

static void set_chart(ModelDocument *document, const ModelDocument *chart, NamedText *map,
                      size_t n_map, double clock)
{
    document->chart = (ChartText){.pointer = "/model/chart",
                                  .coordinates = chart->coordinates,
                                  .n_coordinates = chart->n_coordinates,
                                  .map = map,
                                  .n_map = n_map,
                                  .clock = clock};
}

/* q_i = u_i + a small function of all u and t'. */
static void add_moving_frame(ModelDocument *document, Random *random, Arena *arena)
{
    const size_t n = document->n_coordinates;
    const ModelDocument chart = chart_coordinates(n, arena);
    NamedText *map = arena_alloc(arena, n, sizeof *map);

    for (size_t i = 0; i < n; i++) {
        const char *bend = random_function(random, &chart, true, arena);
        map[i] = (NamedText){.name = document->coordinates[i].name,
                             .text = arena_printf(arena, "u%zu + 0.15*%s", i + 1, bend),
                             .pointer = "/model/chart/map"};
    }
    set_chart(document, &chart, map, n, random_uniform(random, -1, 1));
}

/* Never constant: a constraint sqrt(v1^2 + v2^2) with v2 = 0 would have a corner. */
static const char *graph_function(const ModelDocument *document, Random *random, Arena *arena)
{
    const char *any = random_function(random, document, true, arena);
    return arena_printf(arena, "%s + 0.4*sin(%s + 0.3*t)", any, document->coordinates[0].name);
}

/* One more constraint, q_n = g(other q, t), and the chart u of the others that satisfies it. */
static void add_intrinsic_chart(ModelDocument *document, Random *random, Arena *arena)
{
    const size_t n = document->n_coordinates, r = document->n_constraints;
    const ModelDocument chart = chart_coordinates(n - 1, arena);
    const Random before = *random;
    ModelDocument others = *document;
    NamedText *constraints = arena_alloc(arena, r + 1, sizeof *constraints);
    NamedText *map = arena_alloc(arena, n, sizeof *map);

    others.n_coordinates = n - 1;
    const char *of_model = graph_function(&others, random, arena);
    *random = before; /* the same function once more, of u */
    const char *of_chart = graph_function(&chart, random, arena);
    for (size_t i = 0; i < n; i++)
        map[i] = (NamedText){.name = document->coordinates[i].name,
                             .text = i + 1 < n ? chart.coordinates[i].name : of_chart,
                             .pointer = "/model/chart/map"};
    if (r)
        memcpy(constraints, document->constraints, r * sizeof *constraints);
    constraints[r] = (NamedText){
        .text = arena_printf(arena, "2*%s = 2*(%s)", document->coordinates[n - 1].name, of_model),
        .pointer = "/model/constraints"};
    document->constraints = constraints;
    document->n_constraints = r + 1;
    set_chart(document, &chart, map, n, 0);
}

/* The motion in the chart by every elimination that fits; returns the number of states compared. */
static size_t compare(RandomModel *m, const Formulation *formulation, Random *random, uint64_t seed)
{
    enum { STATES = 3 };
    size_t compared = 0, derived = 0;
    Motion *multipliers, *chart;
    double t, q[RANDOM_MAX_N], v[RANDOM_MAX_N];
    Error err = {0};

    ck_assert_int_eq(
        motion_new(m->model, &formulation_lagrange_dalembert, &m->options, &multipliers, NULL), OK);
    for (int kind = ELIMINATE_NULL_SPACE; kind <= ELIMINATE_PIVOTED; kind++) {
        MotionOptions options = m->options;
        options.elimination = (Elimination)kind;
        Status status = motion_new(m->model, formulation, &options, &chart, &err);
        if (status == ERR_NOT_FOUND)
            continue;
        ck_assert_msg(status == OK, "seed %llu: %s", (unsigned long long)seed, err.message);
        derived++;
        for (int k = 0; k < STATES; k++) {
            if (!random_state(m, random, &t, q, v))
                continue;
            MotionGap gap = motion_gap(m, multipliers, chart, t, q, v);
            compared += gap.found;
            ck_assert_msg(!gap.found || (gap.state < 1e-12 && gap.vdot < 1e-10 &&
                                         gap.lambda < 1e-10 && gap.power < 1e-10),
                          "seed %llu, %s: state %g, vdot %g, lambda %g, power %g",
                          (unsigned long long)seed, elimination_name(options.elimination),
                          gap.state, gap.vdot, gap.lambda, gap.power);
        }
        motion_free(chart);
    }
    ck_assert_uint_ge(derived, 1);
    motion_free(multipliers);
    return compared;
}

typedef void (*AddChart)(ModelDocument *document, Random *random, Arena *arena);

static size_t compare_random(uint64_t seed, unsigned features, AddChart add,
                             const Formulation *formulation)
{
    Arena *arena = arena_new(ARENA_BYTES);
    ModelDocument document = random_document(seed, features, arena);
    Random random;
    RandomModel m;
    size_t compared = 0;

    random_init(&random, seed);
    if (add == add_moving_frame || (document.n_constraints < RANDOM_MAX_R &&
                                    document.n_constraints + 1 < document.n_coordinates)) {
        add(&document, &random, arena);
        if (random_model_init(&m, &document, &random)) {
            compared = compare(&m, formulation, &random, seed);
            random_model_done(&m);
        }
    }
    arena_free(arena);
    return compared;
}

START_TEST(random_models_move_the_same_in_random_frames)
{
    const size_t models = (size_t)random_models(MODELS);
    size_t compared = 0;
    for (uint64_t seed = 0; seed < models; seed++)
        compared +=
            compare_random(seed, RANDOM_EVERYTHING, add_moving_frame, &formulation_moving_frame);
    ck_assert_uint_ge(compared, 3 * models);
}
END_TEST

START_TEST(random_models_move_the_same_in_charts_of_their_constraints)
{
    const unsigned features = RANDOM_EVERYTHING & ~(unsigned)RANDOM_HOLONOMIC;
    const size_t models = (size_t)random_models(MODELS);
    size_t compared = 0;
    for (uint64_t k = 0; k < models; k++)
        compared += compare_random(FURTHER_SEEDS + k, features, add_intrinsic_chart,
                                   &formulation_intrinsic);
    ck_assert_uint_ge(compared, models);
}
END_TEST

/* The fields of a frame. */

static Model *build(const char *lagrangian, const char *constraint, const ChartText *chart)
{
    static const CoordinateText COORDINATES[] = {{.name = "x", .pointer = "/coordinates/0"},
                                                 {.name = "y", .pointer = "/coordinates/1"}};
    static const NamedValue PARAMETERS[] = {{"w", 0.7, "/parameters/w"},
                                            {"k", 1.3, "/parameters/k"}};
    const NamedText constraints[] = {{.text = constraint, .pointer = "/constraints/0"}};
    const ModelDocument document = {.name = "",
                                    .coordinates = COORDINATES,
                                    .n_coordinates = 2,
                                    .parameters = PARAMETERS,
                                    .n_parameters = 2,
                                    .lagrangian = {.text = lagrangian, .pointer = "/lagrangian"},
                                    .constraints = constraints,
                                    .n_constraints = constraint != NULL,
                                    .chart = *chart};
    Arena *arena = arena_new(ARENA_BYTES);
    Diagnostics diag;
    Model *model = NULL;

    diagnostics_init(&diag, arena);
    Status status = model_build(&document, &diag, &model, NULL);
    ck_assert_msg(status == OK, "%s", diag.count ? diag.items[0].message : "");
    arena_free(arena);
    return model;
}

static const CoordinateText FRAME_COORDINATES[] = {{.name = "X", .pointer = "/chart"},
                                                   {.name = "Y", .pointer = "/chart"}};

/* Turning and drifting, on a clock of its own. */
static const NamedText TURNING_MAP[] = {{"x", "X*cos(w*t) - Y*sin(w*t) + t^2/5", "/chart", NULL},
                                        {"y", "X*sin(w*t) + Y*cos(w*t) - k*t", "/chart", NULL}};
static const ChartText TURNING = {"/chart", FRAME_COORDINATES, 2, TURNING_MAP, 2, 0.25};

/* Neither affine in X, Y nor orthogonal. */
static const NamedText BENT_MAP[] = {{"x", "X + Y^3/3 + sin(w*t)", "/chart", NULL},
                                     {"y", "Y*exp(k*t/5) + X*t/3", "/chart", NULL}};
static const ChartText BENT = {"/chart", FRAME_COORDINATES, 2, BENT_MAP, 2, 0};

typedef struct Scene {
    Model *model;
    ExprPool *pool;
    MotionOptions options;
    Chart chart;
    MovingFrame fields;
    double symbols[64];
} Scene;

static void scene_init(Scene *s, const char *lagrangian, const char *constraint,
                       const ChartText *chart)
{
    static const size_t ROW = 0;

    s->model = build(lagrangian, constraint, chart);
    s->pool = expr_pool_clone(s->model->pool);
    s->options = (MotionOptions){.rows = &ROW, .n_rows = s->model->r, .dependent = &ROW};
    ck_assert_int_eq(chart_init(&s->chart, s->pool, s->model, &s->options, EXPR_NONE, NULL), OK);
    ck_assert_int_eq(chart_dynamics(&s->chart, NULL), OK);
    ck_assert_int_eq(moving_frame_init(&s->fields, &s->chart, NULL), OK);
    ck_assert_uint_lt(s->model->sym.first_free, 64);
}

static void scene_done(Scene *s)
{
    moving_frame_done(&s->fields);
    chart_done(&s->chart);
    expr_pool_free(s->pool);
    model_unref(s->model);
}

static void evaluate(const Scene *s, const Expr *e, size_t n, double *ret)
{
    ck_assert_int_eq(expr_eval(s->pool, e, n, s->symbols, ret, NULL), OK);
}

static uint32_t number(const Scene *s, Expr symbol)
{
    return expr_node(s->pool, symbol).symbol;
}

/* x and xdot random (xdot 0 where at_rest), q and v to match. */
static void draw(Scene *s, Random *random, bool at_rest)
{
    double q[2], v[2];

    s->symbols[number(s, s->model->sym.t)] = random_uniform(random, -1, 2);
    for (size_t i = 0; i < 2; i++) {
        s->symbols[number(s, s->model->sym.params[i])] = s->model->param_values[i];
        s->symbols[number(s, s->chart.symbols.q[i])] = random_normal(random);
        s->symbols[number(s, s->chart.symbols.v[i])] = at_rest ? 0 : random_normal(random);
    }
    evaluate(s, s->chart.map.Q, 2, q);
    evaluate(s, s->chart.map.v, 2, v);
    for (size_t i = 0; i < 2; i++) {
        s->symbols[number(s, s->model->sym.q[i])] = q[i];
        s->symbols[number(s, s->model->sym.v[i])] = v[i];
    }
}

/* Replaces the model's velocity, keeping everything else. */
static void set_velocity(Scene *s, const double *v)
{
    for (size_t i = 0; i < 2; i++)
        s->symbols[number(s, s->model->sym.v[i])] = v[i];
}

static const char NATURAL[] = "(2 + sin(x))*dot(x)^2/2 + cos(y)*dot(x)*dot(y)/3 + dot(y)^2 + "
                              "x*y*dot(x) + sin(t)*dot(y) - x^2*y + k*t*y";

static const ChartText *const FRAMES[] = {&TURNING, &BENT};

/* kappa = dg^T K dg, delta = dg^T (Delta + K omega), v = V - K(omega, omega)/2 - Delta(omega). */
START_TEST(a_natural_lagrangian_transforms_by_its_parts)
{
    Scene s;
    Random random;
    double K[4], Delta[2], V, J[4], omega[2], kappa[4], delta[2], l;
    const double zero[2] = {0, 0};

    random_init(&random, 5);
    scene_init(&s, NATURAL, NULL, FRAMES[_i]);
    for (int k = 0; k < 20; k++) {
        draw(&s, &random, true);
        evaluate(&s, s.chart.map.J, 4, J);
        evaluate(&s, s.chart.elements.M, 4, kappa);
        evaluate(&s, s.chart.elements.p, 2, delta);
        evaluate(&s, &s.chart.L, 1, &l);
        evaluate(&s, s.fields.omega, 2, omega);
        set_velocity(&s, zero);
        evaluate(&s, s.model->M, 4, K);
        evaluate(&s, s.model->p, 2, Delta);
        evaluate(&s, &s.model->L, 1, &V); /* -V */
        double K_omega[2], potential = -V;
        for (size_t i = 0; i < 2; i++)
            K_omega[i] = K[2 * i] * omega[0] + K[2 * i + 1] * omega[1];
        for (size_t i = 0; i < 2; i++)
            potential -= K_omega[i] * omega[i] / 2 + Delta[i] * omega[i];
        ck_assert_double_eq_tol(-l, potential, 1e-12 * (1 + fabs(l)));
        for (size_t a = 0; a < 2; a++) {
            double sum = 0;
            for (size_t i = 0; i < 2; i++)
                sum += J[2 * i + a] * (Delta[i] + K_omega[i]);
            ck_assert_double_eq_tol(delta[a], sum, 1e-12 * (1 + fabs(sum)));
            for (size_t b = 0; b < 2; b++) {
                sum = 0;
                for (size_t i = 0; i < 4; i++)
                    sum += J[2 * (i / 2) + a] * K[i] * J[2 * (i % 2) + b];
                ck_assert_double_eq_tol(kappa[2 * a + b], sum, 1e-12 * (1 + fabs(sum)));
            }
        }
    }
    scene_done(&s);
}
END_TEST

/* omega = d_t g, dg Omega = omega, E_l = E_L - p.omega. */
START_TEST(the_velocity_of_the_frame_carries_the_energy_over)
{
    Scene s;
    Random random;
    double J[4], Q_t[2], omega[2], Omega[2], p[2], energy, of_chart;

    random_init(&random, 6);
    scene_init(&s, NATURAL, NULL, FRAMES[_i]);
    ck_assert_int_eq(s.fields.affine, FRAMES[_i] == &TURNING);
    for (int k = 0; k < 20; k++) {
        draw(&s, &random, false);
        evaluate(&s, s.chart.map.J, 4, J);
        evaluate(&s, s.chart.map.Q_t, 2, Q_t);
        evaluate(&s, s.fields.omega, 2, omega);
        evaluate(&s, s.fields.Omega, 2, Omega);
        evaluate(&s, s.model->p, 2, p);
        evaluate(&s, &s.model->energy, 1, &energy);
        evaluate(&s, &s.chart.elements.energy, 1, &of_chart);
        for (size_t i = 0; i < 2; i++) {
            ck_assert_double_eq_tol(omega[i], Q_t[i], 1e-12);
            ck_assert_double_eq_tol(J[2 * i] * Omega[0] + J[2 * i + 1] * Omega[1], Q_t[i], 1e-11);
        }
        ck_assert_double_eq_tol(of_chart, energy - p[0] * omega[0] - p[1] * omega[1],
                                1e-12 * (1 + fabs(energy)));
    }
    scene_done(&s);
}
END_TEST

/* A blade on a turning table: at rest relative to the table it may rest, so that the table is a
 * distinguished frame; a frame turning at another rate is not. */
START_TEST(a_frame_is_distinguished_if_it_may_rest_there)
{
    static const char *const BLADES[] = {"(dot(x) + w*y)*cos(k) + (dot(y) - w*x)*sin(k)",
                                         "(dot(x) + k*y)*cos(k) + (dot(y) - k*x)*sin(k)"};
    static const NamedText TABLE_MAP[] = {{"x", "X*cos(w*t) - Y*sin(w*t)", "/chart", NULL},
                                          {"y", "X*sin(w*t) + Y*cos(w*t)", "/chart", NULL}};
    static const ChartText TABLE = {"/chart", FRAME_COORDINATES, 2, TABLE_MAP, 2, 0};
    Scene s;

    scene_init(&s, "(dot(x)^2 + dot(y)^2)/2", BLADES[_i], &TABLE);
    ck_assert_int_eq(expr_is_zero(s.pool, s.fields.rest[0]), _i == 0);
    scene_done(&s);
}
END_TEST

SUITE(chart)
{
    TCase *tc = suite_case(suite, "charts");
    tcase_add_test(tc, random_models_move_the_same_in_random_frames);
    tcase_add_test(tc, random_models_move_the_same_in_charts_of_their_constraints);
    tcase_add_loop_test(tc, a_natural_lagrangian_transforms_by_its_parts, 0, 2);
    tcase_add_loop_test(tc, the_velocity_of_the_frame_carries_the_energy_over, 0, 2);
    tcase_add_loop_test(tc, a_frame_is_distinguished_if_it_may_rest_there, 0, 2);
}
