/* Voronec's equations against Lagrange-d'Alembert with multipliers, and against coefficients
 * computed independently. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/motion/voronec/voronec.h"
#include "core/numeric/dense.h"
#include "tests/core/motion/random_model.h"
#include "tests/core/motion/voronec_systems.h"
#include "tests/suite.h"

enum { ARENA_BYTES = 1 << 22, MAX_VALUES = 256 };

/* How badly the constraints, rows scaled to 1, determine the dependent velocities. */
static double condition(const RandomModel *m, double t, const double *q, const double *v)
{
    const size_t n = m->model->n, r = m->model->r;
    double matrix[RANDOM_MAX_R * RANDOM_MAX_R], singular[RANDOM_MAX_R];

    if (r == 0)
        return 1;
    ModelPoint point = model_point(m->eval, t, q, v);
    for (size_t k = 0; k < r; k++) {
        double largest = 0;
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(point.A[k * n + i]));
        for (size_t l = 0; l < r; l++)
            matrix[k * r + l] = point.A[k * n + m->dependent[l]] / largest;
    }
    ck_assert_int_eq(dense_singular_values(matrix, r, r, singular, NULL), OK);
    return 1 / singular[r - 1];
}

/* Both formulations at random states; dependent coordinates are chosen for each state. */
static void compare(const RandomModel *given, Random *random, uint64_t seed, Elimination kind)
{
    enum { STATES = 3 };
    RandomModel m = *given;
    Motion *multipliers, *voronec;
    double t, q[RANDOM_MAX_N], v[RANDOM_MAX_N];

    m.options.rows = m.rows;
    m.options.dependent = m.dependent;
    for (int k = 0; k < STATES; k++) {
        if (!random_state(&m, random, &t, q, v))
            continue;
        random_model_choose(&m, t, q, v);
        const double cond = condition(&m, t, q, v);
        if (!(cond < 1e6))
            continue; /* a job with this base is refused, or nearly so */
        m.options.elimination = ELIMINATE_PIVOTED;
        ck_assert_int_eq(
            motion_new(m.model, &formulation_lagrange_dalembert, &m.options, &multipliers, NULL),
            OK);
        m.options.elimination = kind;
        Error err = {0};
        Status status = motion_new(m.model, &formulation_voronec, &m.options, &voronec, &err);
        ck_assert_msg(status == OK, "seed %llu: %s", (unsigned long long)seed, err.message);
        MotionGap gap = motion_gap(&m, multipliers, voronec, t, q, v);
        ck_assert_msg(!gap.found || (gap.state < 1e-12 * cond && gap.vdot < 1e-11 * cond &&
                                     gap.lambda < 1e-11 * cond && gap.power < 1e-11 * cond),
                      "seed %llu: state %g, vdot %g, lambda %g, power %g", (unsigned long long)seed,
                      gap.state, gap.vdot, gap.lambda, gap.power);
        motion_free(multipliers);
        motion_free(voronec);
    }
}

static void compare_random_model(uint64_t seed, unsigned features, bool with_base, Elimination kind)
{
    Arena *arena = arena_new(ARENA_BYTES);
    ModelDocument document = random_document(seed, features, arena);
    NamedText base[RANDOM_MAX_N];
    Random random;
    RandomModel m;

    random_init(&random, seed);
    if (with_base && document.n_coordinates > document.n_constraints) {
        /* one coordinate must be independent, whether that is wise or not */
        size_t i = (size_t)random_uniform(&random, 0, (double)document.n_coordinates);
        base[0] = (NamedText){.name = document.coordinates[i].name, .pointer = "/model/base/0"};
        document.base = base;
        document.n_base = 1;
    }
    if (random_model_init(&m, &document, &random)) {
        compare(&m, &random, seed, kind);
        random_model_done(&m);
    }
    arena_free(arena);
}

START_TEST(random_models_move_as_with_multipliers)
{
    compare_random_model(200000 + (uint64_t)_i, RANDOM_EVERYTHING, false, ELIMINATE_PIVOTED);
}
END_TEST

START_TEST(the_unrolled_elimination_agrees)
{
    compare_random_model(300000 + (uint64_t)_i, RANDOM_EVERYTHING, false, ELIMINATE_NULL_SPACE);
}
END_TEST

START_TEST(any_base_gives_the_same_motion)
{
    compare_random_model(400000 + (uint64_t)_i, RANDOM_EVERYTHING & ~RANDOM_IMPLICIT, true,
                         ELIMINATE_PIVOTED);
}
END_TEST

START_TEST(implicit_constraints_are_solved_on_the_way)
{
    compare_random_model(500000 + (uint64_t)_i,
                         RANDOM_IMPLICIT | RANDOM_HOLONOMIC | RANDOM_TIME | RANDOM_FORCES, false,
                         ELIMINATE_PIVOTED);
}
END_TEST

START_TEST(affine_constraints_may_leave_the_mass_matrix_singular)
{
    compare_random_model(600000 + (uint64_t)_i,
                         RANDOM_LINEAR | RANDOM_AFFINE | RANDOM_TIME | RANDOM_FORCES |
                             RANDOM_MASSLESS,
                         false, ELIMINATE_NULL_SPACE);
}
END_TEST

/* Coefficients. */

typedef struct Known {
    Arena *arena;
    Model *model;
    MotionOptions options;
    size_t rows[VORONEC_MAX_R];
    Presentation page;
    double symbols[MAX_VALUES]; /* values by symbol number, those of printed names included */
} Known;

static void set(Known *k, Expr symbol, double value)
{
    uint32_t number = expr_node(k->page.pool, symbol).symbol;
    ck_assert_uint_lt(number, MAX_VALUES);
    k->symbols[number] = value;
}

static double value_of(const Known *k, Expr e)
{
    double value;
    ck_assert_int_eq(expr_eval(k->page.pool, &e, 1, k->symbols, &value, NULL), OK);
    return value;
}

static ModelDocument document_of(const VoronecSystem *system, Arena *arena)
{
    CoordinateText *coordinates = arena_alloc(arena, VORONEC_MAX_N, sizeof *coordinates);
    NamedValue *parameters = arena_alloc(arena, VORONEC_MAX_PARAMETERS, sizeof *parameters);
    NamedText *constraints = arena_alloc(arena, VORONEC_MAX_R, sizeof *constraints);
    ModelDocument document = {.name = system->id,
                              .description = "",
                              .coordinates = coordinates,
                              .parameters = parameters,
                              .lagrangian = {.text = system->lagrangian, .pointer = "/lagrangian"},
                              .constraints = constraints};

    for (size_t i = 0; i < VORONEC_MAX_N && system->coordinates[i]; i++, document.n_coordinates++)
        coordinates[i] = (CoordinateText){.name = system->coordinates[i], .pointer = "/c"};
    for (size_t i = 0; i < VORONEC_MAX_PARAMETERS && system->parameters[i].name; i++) {
        parameters[i] = (NamedValue){system->parameters[i].name, system->parameters[i].value, "/p"};
        document.n_parameters++;
    }
    for (size_t i = 0; i < VORONEC_MAX_R && system->constraints[i]; i++, document.n_constraints++)
        constraints[i] = (NamedText){.text = system->constraints[i], .pointer = "/a"};
    return document;
}

static void known_init(Known *k, const VoronecSystem *system)
{
    Diagnostics diag;
    Error err = {0};

    *k = (Known){.arena = arena_new(ARENA_BYTES)};
    diagnostics_init(&diag, k->arena);
    ModelDocument document = document_of(system, k->arena);
    Status status = model_build(&document, &diag, &k->model, &err);
    ck_assert_msg(status == OK, "%s: %s", system->id, err.message);
    for (size_t a = 0; a < k->model->r; a++)
        k->rows[a] = a;
    k->options = (MotionOptions){.rows = k->rows,
                                 .n_rows = k->model->r,
                                 .dependent = system->dependent,
                                 .elimination = ELIMINATE_PIVOTED};
    ck_assert_int_eq(presentation_init(&k->page, k->model, NULL), OK);
    set(k, k->model->sym.t, system->t);
    for (size_t i = 0; i < k->model->n; i++) {
        set(k, k->model->sym.q[i], system->q[i]);
        set(k, k->model->sym.v[i], system->v[i]);
        set(k, k->model->sym.vdot[i], system->vdot[i]);
    }
    for (size_t i = 0; i < k->model->n_params; i++)
        set(k, k->model->sym.params[i], k->model->param_values[i]);
}

static void known_done(Known *k)
{
    presentation_done(&k->page);
    model_unref(k->model);
    arena_free(k->arena);
}

/* What is printed under a name; 0 where nothing is. */
static double printed(const Known *k, const char *name)
{
    for (size_t i = 0; i < k->page.n; i++)
        if (strcmp(k->page.items[i].name, name) == 0)
            return value_of(k, k->page.items[i].rhs);
    return 0;
}

START_TEST(printed_coefficients_are_those_known)
{
    const VoronecSystem *system = &VORONEC_SYSTEMS[_i];
    Known k;

    known_init(&k, system);
    ck_assert_int_eq(formulation_voronec.present(k.model, &k.options, &k.page, NULL), OK);
    for (size_t i = 0; i < VORONEC_MAX_FACTS && system->facts[i].name; i++) {
        double value = printed(&k, system->facts[i].name), fact = system->facts[i].value;
        ck_assert_msg(fabs(value - fact) <= 1e-14 * (1 + fabs(fact)), "%s: %s = %.17g, not %.17g",
                      system->id, system->facts[i].name, value, fact);
    }
    known_done(&k);
}
END_TEST

START_TEST(printed_equations_hold_on_the_motion)
{
    const VoronecSystem *system = &VORONEC_SYSTEMS[_i];
    Known k;
    size_t motions = 0;

    known_init(&k, system);
    ck_assert_int_eq(formulation_voronec.present(k.model, &k.options, &k.page, NULL), OK);
    for (size_t i = 0; i < k.page.n; i++) {
        const PresentedEquation *item = &k.page.items[i];
        if (expr_node(k.page.pool, item->lhs).op == EXPR_SYMBOL &&
            strcmp(item->role, "motion") != 0) {
            set(&k, item->lhs, value_of(&k, item->rhs));
            continue;
        }
        double lhs = value_of(&k, item->lhs), rhs = value_of(&k, item->rhs);
        ck_assert_msg(fabs(lhs - rhs) <= 1e-13 * (1 + fabs(lhs)), "%s: %s: %.17g = %.17g",
                      system->id, item->name, lhs, rhs);
        motions += strcmp(item->role, "motion") == 0;
    }
    ck_assert_uint_eq(motions, k.model->n - k.model->r);
    known_done(&k);
}
END_TEST

/* Nonlinear constraints: N^T M N is Lc_ij - K_a C^a_ij, which is minus h. */
START_TEST(the_mass_matrix_is_that_of_the_constrained_lagrangian)
{
    for (size_t s = 0; s < N_VORONEC_SYSTEMS; s++) {
        Known k;
        Voronec w;
        known_init(&k, &VORONEC_SYSTEMS[s]);
        ck_assert_int_eq(voronec_init(&w, k.page.pool, k.model, &k.options, false, NULL), OK);
        const Dependent *d = &w.d;
        for (size_t i = 0; i < d->m; i++)
            for (size_t j = 0; j < d->m; j++) {
                Expr second;
                dependent_by_velocity(d, j, &w.Lc_i[i], 1, &second);
                double expected = value_of(&k, second);
                for (size_t a = 0; a < d->r; a++) {
                    dependent_by_velocity(d, j, &d->C_i[a * d->m + i], 1, &second);
                    expected -= value_of(&k, w.K[a]) * value_of(&k, second);
                }
                ck_assert_double_eq_tol(value_of(&k, w.G[i * d->m + j]), expected,
                                        1e-13 * (1 + fabs(expected)));
            }
        voronec_done(&w);
        known_done(&k);
    }
}
END_TEST

SUITE(voronec)
{
    TCase *tc = suite_case(suite, "voronec");
    tcase_add_loop_test(tc, random_models_move_as_with_multipliers, 0, random_models(200));
    tcase_add_loop_test(tc, the_unrolled_elimination_agrees, 0, random_models(100));
    tcase_add_loop_test(tc, any_base_gives_the_same_motion, 0, random_models(100));
    tcase_add_loop_test(tc, implicit_constraints_are_solved_on_the_way, 0, random_models(100));
    tcase_add_loop_test(tc, affine_constraints_may_leave_the_mass_matrix_singular, 0,
                        random_models(50));
    tcase_add_loop_test(tc, printed_coefficients_are_those_known, 0, (int)N_VORONEC_SYSTEMS);
    tcase_add_loop_test(tc, printed_equations_hold_on_the_motion, 0, (int)N_VORONEC_SYSTEMS);
    tcase_add_test(tc, the_mass_matrix_is_that_of_the_constrained_lagrangian);
}
