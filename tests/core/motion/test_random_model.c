/* The random models are what they are for: admissible states, the same motion by every
 * elimination. */

#include "tests/core/motion/random_model.h"
#include "tests/suite.h"

START_TEST(eliminations_agree_on_random_models)
{
    enum { STATES = 3 };
    const uint64_t seed = 100000 + (uint64_t)_i;
    Arena *arena = arena_new(1 << 20);
    ModelDocument document = random_document(seed, RANDOM_EVERYTHING, arena);
    Random random;
    RandomModel m;
    Motion *pivoted, *shortest;
    double t, q[RANDOM_MAX_N], v[RANDOM_MAX_N];

    random_init(&random, seed);
    if (random_model_init(&m, &document, &random)) {
        const Formulation *formulation = &formulation_lagrange_dalembert;
        ck_assert_int_eq(motion_new(m.model, formulation, &m.options, &pivoted, NULL), OK);
        ck_assert_int_eq(
            motion_best(m.model, formulation, &m.options, MOTION_POSITIVE, &shortest, NULL), OK);
        for (int k = 0; k < STATES; k++) {
            if (!random_state(&m, &random, &t, q, v))
                continue;
            MotionGap gap = motion_gap(&m, pivoted, shortest, t, q, v);
            ck_assert_msg(!gap.found || (gap.vdot < 1e-12 && gap.lambda < 1e-12),
                          "seed %llu: %g %g", (unsigned long long)seed, gap.vdot, gap.lambda);
        }
        motion_free(pivoted);
        motion_free(shortest);
        random_model_done(&m);
    }
    arena_free(arena);
}
END_TEST

START_TEST(most_random_models_have_admissible_states)
{
    const size_t asked = (size_t)random_models(200);
    size_t models = 0, states = 0, kinds[CONSTRAINT_NONLINEAR + 1] = {0};
    double t, q[RANDOM_MAX_N], v[RANDOM_MAX_N];

    for (uint64_t seed = 0; seed < asked; seed++) {
        Arena *arena = arena_new(1 << 20);
        ModelDocument document = random_document(seed, RANDOM_EVERYTHING, arena);
        Random random;
        RandomModel m;
        random_init(&random, seed);
        if (random_model_init(&m, &document, &random)) {
            models++;
            states += random_state(&m, &random, &t, q, v);
            for (size_t a = 0; a < m.model->r; a++)
                kinds[m.model->constraints[a].kind]++;
            random_model_done(&m);
        }
        arena_free(arena);
    }
    ck_assert_uint_ge(models, asked * 95 / 100);
    ck_assert_uint_ge(states, asked * 80 / 100);
    for (size_t kind = 0; kind <= CONSTRAINT_NONLINEAR; kind++)
        ck_assert_uint_ge(kinds[kind], asked / 8);
}
END_TEST

SUITE(random_model)
{
    TCase *tc = suite_case(suite, "random models");
    tcase_add_loop_test(tc, eliminations_agree_on_random_models, 0, random_models(60));
    tcase_add_test(tc, most_random_models_have_admissible_states);
}
