/* Vakonomic equations against another system altogether: the unconstrained Lagrangian
 *
 *     L(q, v, t) - dot(w1) phi1 - ... - dot(wr) phir
 *
 * on q and r more coordinates w. Its equations for w say D/Dt phi = 0, those for q are the
 * vakonomic ones with mu = dot(w). Its mass matrix is regular and indefinite. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numeric/dense.h"
#include "tests/core/motion/random_model.h"
#include "tests/suite.h"

enum { MODELS = 120, STATES = 3, MOST = RANDOM_MAX_N + RANDOM_MAX_R, MOST_OUT = 128 };

/* "(lhs) - (rhs)", of a holonomic entry its time derivative. */
static const char *phi_text(const Model *model, const ModelDocument *document, size_t a,
                            Arena *arena)
{
    const char *text = document->constraints[a].text, *equals = strchr(text, '=');
    const char *difference = text;

    if (equals)
        difference = arena_printf(arena, "(%.*s) - (%s)", (int)(equals - text), text, equals + 1);
    if (model->constraints[a].kind == CONSTRAINT_HOLONOMIC)
        difference = arena_printf(arena, "dot(%s)", difference);
    return difference;
}

static ModelDocument extended_document(const Model *model, const ModelDocument *document,
                                       Arena *arena)
{
    const size_t n = document->n_coordinates, r = document->n_constraints;
    ModelDocument extended = *document;
    CoordinateText *coordinates = arena_alloc(arena, n + r, sizeof *coordinates);

    ck_assert_ptr_nonnull(coordinates);
    memcpy(coordinates, document->coordinates, n * sizeof *coordinates);
    extended.lagrangian.text = arena_printf(arena, "%s", document->lagrangian.text);
    for (size_t a = 0; a < r; a++) {
        coordinates[n + a] =
            (CoordinateText){.name = arena_printf(arena, "w_%zu", a), .pointer = "/coordinates"};
        extended.lagrangian.text =
            arena_printf(arena, "%s - dot(w_%zu)*(%s)", extended.lagrangian.text, a,
                         phi_text(model, document, a, arena));
    }
    extended.coordinates = coordinates;
    extended.n_coordinates = n + r;
    extended.constraints = NULL;
    extended.n_constraints = 0;
    return extended;
}

/* The unconstrained system, as numbers. */
typedef struct Oracle {
    Model *model;
    ModelPrograms *programs;
    ModelEval *eval;
} Oracle;

static void oracle_init(Oracle *o, const ModelDocument *document, Arena *arena)
{
    Diagnostics diag;
    diagnostics_init(&diag, arena);
    ck_assert_msg(model_build(document, &diag, &o->model, NULL) == OK, "%s",
                  diag.count ? diag.items[0].message : "");
    ck_assert_int_eq(model_programs_new(o->model, &o->programs, NULL), OK);
    ck_assert_int_eq(model_eval_new(o->programs, NULL, &o->eval, NULL), OK);
}

static void oracle_done(Oracle *o)
{
    model_eval_free(o->eval);
    model_programs_free(o->programs);
    model_unref(o->model);
}

/* vdot and mudot; false where the matrix is singular. x: n + r. */
static bool oracle_solve(const Oracle *o, double t, const double *q, const double *v, double *ret_x,
                         double *ret_rcond)
{
    const size_t size = o->model->n;
    double M[MOST * MOST], values[MOST];
    ModelPoint point = model_point(o->eval, t, q, v);

    memcpy(M, point.M, size * size * sizeof *M);
    for (size_t i = 0; i < size; i++)
        ret_x[i] = point.F[i] - point.l[i];
    ck_assert_int_eq(dense_singular_values(M, size, size, values, NULL), OK);
    *ret_rcond = values[size - 1] / values[0];
    return dense_solve(M, size, ret_x, 1, NULL) == OK;
}

/* dE/dt along (v, vdot) by extrapolated central differences. */
static double energy_rate(const RandomModel *m, double t, const double *q, const double *v,
                          const double *vdot)
{
    double slope[2];

    for (int k = 0; k < 2; k++) {
        const double h = k ? 1e-4 : 2e-4;
        double E[2];
        for (int side = 0; side < 2; side++) {
            const double s = side ? h : -h;
            double at_q[RANDOM_MAX_N], at_v[RANDOM_MAX_N];
            for (size_t i = 0; i < m->model->n; i++) {
                at_q[i] = q[i] + s * v[i] + s * s / 2 * vdot[i];
                at_v[i] = v[i] + s * vdot[i];
            }
            E[side] = model_point(m->eval, t + s, at_q, at_v).energy;
        }
        slope[k] = (E[1] - E[0]) / (2 * h);
    }
    return (4 * slope[1] - slope[0]) / 3;
}

/* One state: accelerations, the multipliers' rates and the power. */
static bool check_state(const RandomModel *m, const Motion *motion, const Oracle *oracle,
                        uint64_t seed, Random *random)
{
    const size_t n = m->model->n, r = m->model->r;
    double in[MOST_OUT], out[MOST_OUT], rates[MOST_OUT], x[MOST], rcond, scale = 1;
    double q[MOST] = {0}, v[MOST] = {0};

    if (!random_state(m, random, &in[0], q, v))
        return false;
    for (size_t a = 0; a < r; a++)
        v[n + a] = random_normal(random);
    memcpy(in + 1, q, n * sizeof *q);
    memcpy(in + 1 + n, v, n * sizeof *v);
    memcpy(in + 1 + 2 * n, v + n, r * sizeof *v);
    if (!oracle_solve(oracle, in[0], q, v, x, &rcond) || rcond < 1e-6)
        return false;
    model_program_values(m->model, motion->point, in, out);
    model_program_values(m->model, motion->rates, in, rates);
    for (size_t i = 0; i < n + r; i++)
        scale = fmax(scale, fabs(x[i]));
    for (size_t i = 0; i < n + r; i++) {
        double error = fabs(rates[n + i] - x[i]) * rcond / scale;
        ck_assert_msg(error < 1e-12, "seed %llu: rate %zu is off by %g", (unsigned long long)seed,
                      i, error);
    }
    const double *mudot = out + program_n_outputs(motion->point) - r;
    for (size_t i = 0; i < n; i++) /* other programs round in another order */
        ck_assert_double_le(fabs(out[2 * n + i] - rates[n + i]) * rcond, 1e-12 * scale);
    for (size_t a = 0; a < r; a++) {
        ck_assert_double_eq(out[3 * n + a], v[n + a]);
        ck_assert_double_le(fabs(mudot[a] - rates[2 * n + a]) * rcond, 1e-12 * scale);
    }
    double power = energy_rate(m, in[0], q, v, rates + n);
    if (scale < 1e2)
        ck_assert_msg(fabs(power - rates[2 * n + r]) < 1e-6 * (1 + fabs(power)),
                      "seed %llu: power %g, not %g", (unsigned long long)seed, rates[2 * n + r],
                      power);
    return true;
}

static size_t check_model(const RandomModel *m, const ModelDocument *document, uint64_t seed,
                          Random *random, Arena *arena)
{
    const Elimination eliminations[] = {ELIMINATE_PIVOTED, ELIMINATE_SCHUR, ELIMINATE_NULL_SPACE};
    ModelDocument extended = extended_document(m->model, document, arena);
    size_t checked = 0;
    Oracle oracle;

    oracle_init(&oracle, &extended, arena);
    for (size_t e = 0; e < sizeof eliminations / sizeof eliminations[0]; e++) {
        MotionOptions options = m->options;
        Motion *motion = NULL;
        options.elimination = eliminations[e];
        Status status = motion_new(m->model, &formulation_vakonomic, &options, &motion, NULL);
        ck_assert(status == OK || (status == ERR_NOT_FOUND && e > 0));
        for (int k = 0; status == OK && k < STATES; k++)
            checked += check_state(m, motion, &oracle, seed, random);
        motion_free(motion);
    }
    oracle_done(&oracle);
    return checked;
}

START_TEST(the_multipliers_move_as_velocities_of_an_unconstrained_system)
{
    const size_t models = (size_t)random_models(MODELS);
    size_t checked = 0, constrained = 0;

    for (uint64_t seed = 9000; seed < 9000 + models; seed++) {
        Arena *arena = arena_new(4 << 20);
        ModelDocument document = random_document(seed, RANDOM_EVERYTHING, arena);
        Random random;
        RandomModel m;
        random_init(&random, seed);
        if (random_model_init(&m, &document, &random)) {
            if (m.model->r && m.options.n_rows == m.model->r) {
                checked += check_model(&m, &document, seed, &random, arena);
                constrained++;
            }
            random_model_done(&m);
        }
        arena_free(arena);
    }
    ck_assert_uint_ge(constrained, models / 3);
    ck_assert_uint_ge(checked, 2 * constrained);
}
END_TEST

SUITE(vakonomic)
{
    TCase *tc = suite_case(suite, "vakonomic");
    tcase_add_test(tc, the_multipliers_move_as_velocities_of_an_unconstrained_system);
}
