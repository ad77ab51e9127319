/* Hamilton's equations are Lagrange-d'Alembert in other coordinates: the same accelerations,
 * multipliers and power; and their momenta are L_v along the motion. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/motion/random_model.h"
#include "tests/suite.h"

enum { MODELS = 120, STATES = 3, MOST = 128 };

/* L_v, by the reference evaluator of the graph. */
static void momenta(const Model *m, double t, const double *q, const double *v, double *ret)
{
    double *values = calloc(m->sym.first_free, sizeof *values);

    ck_assert_ptr_nonnull(values);
    values[expr_node(m->pool, m->sym.t).symbol] = t;
    for (size_t i = 0; i < m->n; i++) {
        values[expr_node(m->pool, m->sym.q[i]).symbol] = q[i];
        values[expr_node(m->pool, m->sym.v[i]).symbol] = v[i];
    }
    for (size_t k = 0; k < m->n_params; k++)
        values[expr_node(m->pool, m->sym.params[k]).symbol] = m->param_values[k];
    ck_assert_int_eq(expr_eval(m->pool, m->p, m->n, values, ret, NULL), OK);
    free(values);
}

/* t, q, p, guess: the inputs of a motion at (q, v), its guess off by `off` per velocity. */
static void inputs_at(const RandomModel *m, const Motion *motion, double t, const double *q,
                      const double *v, double off, double *ret)
{
    const size_t n = m->model->n;

    ret[0] = t;
    memcpy(ret + 1, q, n * sizeof *q);
    momenta(m->model, t, q, v, ret + 1 + n);
    for (size_t i = 0; i < motion->n_implicit; i++)
        ret[1 + 2 * n + i] = v[i] + (i % 2 ? off : -off);
}

/* pdot against the derivative of L_v along (v, vdot), extrapolated central differences. */
static double momentum_rate_error(const RandomModel *m, const Motion *motion, double t,
                                  const double *q, const double *v)
{
    const size_t n = m->model->n;
    const double h = 2e-3;
    double in[MOST], out[MOST], rates[MOST], worst = 0;
    double slope[2][RANDOM_MAX_N];

    inputs_at(m, motion, t, q, v, 0, in);
    model_program_values(m->model, motion->point, in, out);
    model_program_values(m->model, motion->rates, in, rates);
    for (int k = 0; k < 2; k++) {
        const double step = k ? h / 2 : h;
        double p[2][RANDOM_MAX_N];
        for (int side = 0; side < 2; side++) {
            const double s = side ? step : -step;
            double at_q[RANDOM_MAX_N], at_v[RANDOM_MAX_N];
            for (size_t i = 0; i < n; i++) {
                at_q[i] = q[i] + s * v[i];
                at_v[i] = v[i] + s * out[2 * n + i];
            }
            momenta(m->model, t + s, at_q, at_v, p[side]);
        }
        for (size_t i = 0; i < n; i++)
            slope[k][i] = (p[1][i] - p[0][i]) / (2 * step);
    }
    for (size_t i = 0; i < n; i++) {
        double expected = (4 * slope[1][i] - slope[0][i]) / 3;
        worst = fmax(worst, fabs(rates[n + i] - expected) / (1 + fabs(expected)));
    }
    return worst;
}

static void check_model(const RandomModel *m, uint64_t seed, Random *random)
{
    Motion *lagrangian, *motions[2];
    double t, q[RANDOM_MAX_N], v[RANDOM_MAX_N];
    MotionOptions options = m->options;

    ck_assert_int_eq(
        motion_new(m->model, &formulation_lagrange_dalembert, &m->options, &lagrangian, NULL), OK);
    ck_assert_int_eq(motion_new(m->model, &formulation_hamiltonian, &m->options, &motions[0], NULL),
                     OK);
    options.elimination = ELIMINATE_SCHUR;
    ck_assert_int_eq(motion_new(m->model, &formulation_hamiltonian, &options, &motions[1], NULL),
                     OK);
    for (int k = 0; k < STATES; k++) {
        if (!random_state(m, random, &t, q, v))
            continue;
        for (int i = 0; i < 2; i++) {
            MotionGap gap = motion_gap(m, lagrangian, motions[i], t, q, v);
            if (!gap.found)
                continue;
            ck_assert_msg(gap.state < 1e-11 && gap.vdot < 1e-10 && gap.lambda < 1e-10 &&
                              gap.power < 1e-10,
                          "seed %llu: %g %g %g %g", (unsigned long long)seed, gap.state, gap.vdot,
                          gap.lambda, gap.power);
            if (gap.condition < 1e4)
                ck_assert_double_lt(momentum_rate_error(m, motions[i], t, q, v), 1e-5);
        }
    }
    motion_free(lagrangian);
    motion_free(motions[0]);
    motion_free(motions[1]);
}

START_TEST(momenta_and_velocities_describe_one_motion)
{
    const uint64_t seed = 100000 + (uint64_t)_i;
    Arena *arena = arena_new(1 << 20);
    ModelDocument document = random_document(seed, RANDOM_EVERYTHING, arena);
    Random random;
    RandomModel m;

    random_init(&random, seed);
    if (random_model_init(&m, &document, &random)) {
        check_model(&m, seed, &random);
        random_model_done(&m);
    }
    arena_free(arena);
}
END_TEST

START_TEST(newtons_steps_forgive_a_guess_of_the_step_before)
{
    size_t asked = 0;

    for (uint64_t seed = 7000; seed < 7060; seed++) {
        Arena *arena = arena_new(1 << 20);
        ModelDocument document = random_document(seed, RANDOM_GENERAL | RANDOM_TIME, arena);
        Random random;
        RandomModel m;
        Motion *motion;
        double t, q[RANDOM_MAX_N], v[RANDOM_MAX_N], in[MOST], out[MOST];
        random_init(&random, seed);
        if (random_model_init(&m, &document, &random)) {
            ck_assert_int_eq(
                motion_new(m.model, &formulation_hamiltonian, &m.options, &motion, NULL), OK);
            if (motion->n_implicit && random_state(&m, &random, &t, q, v)) {
                inputs_at(&m, motion, t, q, v, 0.02, in);
                model_program_values(m.model, motion->point, in, out);
                asked++;
                for (size_t i = 0; i < m.model->n; i++)
                    ck_assert_msg(fabs(out[m.model->n + i] - v[i]) < 1e-12 * (1 + fabs(v[i])),
                                  "seed %llu: %.3g", (unsigned long long)seed,
                                  out[m.model->n + i] - v[i]);
            }
            motion_free(motion);
            random_model_done(&m);
        }
        arena_free(arena);
    }
    ck_assert_uint_ge(asked, 10);
}
END_TEST

SUITE(hamiltonian)
{
    TCase *tc = suite_case(suite, "hamiltonian");
    tcase_add_loop_test(tc, momenta_and_velocities_describe_one_motion, 0, random_models(MODELS));
    tcase_add_test(tc, newtons_steps_forgive_a_guess_of_the_step_before);
}
