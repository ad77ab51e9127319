/* Chaplygin's reduction of random systems that have a symmetry by construction, against
 * Lagrange-d'Alembert; and the same systems with the symmetry broken. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/motion/chaplygin/chaplygin.h"
#include "tests/core/motion/random_model.h"
#include "tests/suite.h"

enum { ARENA_BYTES = 1 << 22, MAX = 3 };

/* A random system whose Lagrangian, forces and constraints do not change along the fibres. */
typedef struct System {
    Arena *arena;
    Random random;
    ModelDocument document, base; /* base: its coordinates alone, for functions of them */
    CoordinateText coordinates[2 * MAX];
    NamedText constraints[MAX], forces[2 * MAX], base_names[MAX];
    size_t m, r;
    bool with_time;
    const char *rates[2 * MAX]; /* invariant velocities: dot(x), then those of the fibre */
} System;

static size_t below(System *s, size_t n)
{
    return (size_t)random_uniform(&s->random, 0, (double)n);
}

static const char *function(System *s)
{
    return random_function(&s->random, &s->base, s->with_time && below(s, 2), s->arena);
}

static void system_init(System *s, uint64_t seed, size_t m, size_t r)
{
    static const char *const NAMES[] = {"x1", "x2", "x3", "y1", "y2", "y3"};

    *s = (System){.arena = arena_new(ARENA_BYTES), .m = m, .r = r};
    random_init(&s->random, seed);
    s->with_time = seed % 2;
    for (size_t i = 0; i < m + r; i++) {
        const char *name = NAMES[i < m ? i : MAX + i - m];
        s->coordinates[i] = (CoordinateText){.name = name, .pointer = "/coordinates"};
        s->rates[i] = arena_printf(s->arena, "dot(%s)", name);
    }
    for (size_t i = 0; i < m; i++)
        s->base_names[i] = (NamedText){.name = s->coordinates[i].name, .pointer = "/base"};
    s->base = (ModelDocument){.coordinates = s->coordinates, .n_coordinates = m};
}

/* Sum of functions of the base times the first n invariant velocities. */
static const char *form(System *s, size_t n)
{
    const char *text = "0";

    for (size_t i = 0; i < n; i++)
        if (below(s, 3))
            text = arena_printf(s->arena, "%s + %s*%s", text, function(s), s->rates[i]);
    return text;
}

static const char *lagrangian(System *s)
{
    const size_t n = s->m + s->r;
    const char *text = arena_printf(s->arena, "-%s - %s", function(s), function(s));

    for (size_t i = 0; i < n; i++)
        text = arena_printf(s->arena, "%s + %.3f*(%s)^2", text, random_uniform(&s->random, 0.5, 2),
                            s->rates[i]);
    for (int k = 0; k < 2; k++)
        text = arena_printf(s->arena, "%s + 0.3*(%s)^2", text, form(s, n));
    if (below(s, 2))
        text = arena_printf(s->arena, "%s + %s", text, form(s, n));
    if (below(s, 4) == 0)
        text = arena_printf(s->arena, "%s + 0.1*(%s + 0.3)^4", text, form(s, n));
    return text;
}

static void finish(System *s, const char *L)
{
    for (size_t a = 0; a < s->r; a++) {
        const char *offset = below(s, 2) ? function(s) : "0";
        const char *text = arena_printf(s->arena, "(2 + %s)*(%s) = %s + %s", function(s),
                                        s->rates[s->m + a], form(s, s->m + a), offset);
        s->constraints[a] = (NamedText){.text = text, .pointer = "/constraints"};
    }
    for (size_t i = 0; i < s->m; i++)
        s->forces[i] =
            (NamedText){.name = s->coordinates[i].name,
                        .text = arena_printf(s->arena, "%s*%s + %s", function(s),
                                             s->rates[below(s, s->m + s->r)], function(s)),
                        .pointer = "/forces"};
    s->document = (ModelDocument){.name = "random",
                                  .description = "",
                                  .coordinates = s->coordinates,
                                  .n_coordinates = s->m + s->r,
                                  .lagrangian = {.text = L, .pointer = "/lagrangian"},
                                  .constraints = s->constraints,
                                  .n_constraints = s->r,
                                  .forces = s->forces,
                                  .n_forces = s->m,
                                  .base = s->base_names,
                                  .n_base = s->m};
}

/* Cyclic coordinates; each constraint may hold the velocities of the fibre before its own. */
static void abelian(System *s, uint64_t seed)
{
    system_init(s, seed, 1 + seed % 3, seed / 3 % 4);
    finish(s, lagrangian(s));
}

/* SE(2): the body velocities of a plane figure are invariant. */
static void motions_of_the_plane(System *s, uint64_t seed)
{
    system_init(s, seed, 1 + seed % 3, 3);
    const size_t m = s->m;
    s->rates[m] = "(cos(y3)*dot(y1) + sin(y3)*dot(y2))";
    s->rates[m + 1] = "(cos(y3)*dot(y2) - sin(y3)*dot(y1))";
    finish(s, lagrangian(s));
}

/* The affine group of the line: shifts of y2 scale y1. */
static void affine_group(System *s, uint64_t seed)
{
    system_init(s, seed, 1 + seed % 3, 2);
    const size_t m = s->m;
    s->rates[m] = "(dot(y1)*exp(-y2))";
    finish(s, lagrangian(s));
}

static Status ask(RandomModel *m, const double *q, const double *v, Diagnostics *diag,
                  MotionAnswer *answer)
{
    *answer = (MotionAnswer){0};
    MotionQuestion question = {.model = m->model,
                               .eval = m->eval,
                               .params = m->model->param_values,
                               .t = m->t,
                               .q = q,
                               .v = v,
                               .options = &m->options,
                               .answer = answer};
    return chaplygin_check(&question, diag, NULL);
}

static void agree(RandomModel *m, uint64_t seed, Random *random, Elimination elimination)
{
    Motion *multipliers, *reduced;
    double t, q[RANDOM_MAX_N], v[RANDOM_MAX_N];

    m->options.elimination = ELIMINATE_PIVOTED;
    ck_assert_int_eq(
        motion_new(m->model, &formulation_lagrange_dalembert, &m->options, &multipliers, NULL), OK);
    m->options.elimination = elimination;
    ck_assert_int_eq(motion_new(m->model, &formulation_chaplygin, &m->options, &reduced, NULL), OK);
    for (int k = 0; k < 3; k++) {
        if (!random_state(m, random, &t, q, v))
            continue;
        MotionGap gap = motion_gap(m, multipliers, reduced, t, q, v);
        ck_assert_msg(!gap.found || (gap.state < 1e-11 && gap.vdot < 1e-10 && gap.lambda < 1e-10 &&
                                     gap.power < 1e-10),
                      "seed %llu: state %g, vdot %g, lambda %g, power %g", (unsigned long long)seed,
                      gap.state, gap.vdot, gap.lambda, gap.power);
    }
    motion_free(multipliers);
    motion_free(reduced);
}

typedef void (*Maker)(System *system, uint64_t seed);

/* Fibre coordinates come last, so that the base of the document makes them dependent. */
static void reduce(Maker make, uint64_t seed)
{
    static const Elimination ELIMINATIONS[] = {ELIMINATE_NULL_SPACE, ELIMINATE_NULL_SPACE_EXPANDED,
                                               ELIMINATE_PIVOTED};
    System s;
    RandomModel m;
    MotionAnswer answer;
    make(&s, seed);
    Diagnostics *diag = arena_alloc(s.arena, 1, sizeof *diag);
    diagnostics_init(diag, s.arena);
    if (random_model_init(&m, &s.document, &s.random)) {
        Status status = ask(&m, m.q, m.v, diag, &answer);
        ck_assert_msg(status == OK, "seed %llu: %s", (unsigned long long)seed,
                      diag->count ? diag->items[0].message : "");
        m.options.choice = answer.choice;
        for (size_t k = 0; k < sizeof ELIMINATIONS / sizeof ELIMINATIONS[0]; k++)
            agree(&m, seed, &s.random, ELIMINATIONS[k]);
        random_model_done(&m);
    }
    arena_free(s.arena);
}

START_TEST(cyclic_fibres_reduce_to_the_same_motion)
{
    reduce(abelian, 100000 + (uint64_t)_i);
}
END_TEST

START_TEST(fibres_of_plane_motions_reduce_to_the_same_motion)
{
    reduce(motions_of_the_plane, 300000 + (uint64_t)_i);
}
END_TEST

START_TEST(fibres_of_the_affine_group_reduce_to_the_same_motion)
{
    reduce(affine_group, 500000 + (uint64_t)_i);
}
END_TEST

START_TEST(a_broken_symmetry_is_noticed)
{
    System s;
    RandomModel m;
    MotionAnswer answer;
    abelian(&s, 700002 + 3 * (uint64_t)_i);
    if (s.r > 0) {
        Diagnostics *diag = arena_alloc(s.arena, 1, sizeof *diag);
        diagnostics_init(diag, s.arena);
        s.document.lagrangian.text =
            arena_printf(s.arena, "%s + 1e-5*sin(y1)", s.document.lagrangian.text);
        if (random_model_init(&m, &s.document, &s.random)) {
            ck_assert_int_eq(ask(&m, m.q, m.v, diag, &answer), ERR_INVALID);
            ck_assert_ptr_nonnull(strstr(diag->items[0].message, "fibre coordinate y1"));
            random_model_done(&m);
        }
    }
    arena_free(s.arena);
}
END_TEST

SUITE(chaplygin)
{
    TCase *tc = suite_case(suite, "chaplygin");
    tcase_add_loop_test(tc, cyclic_fibres_reduce_to_the_same_motion, 0, random_models(60));
    tcase_add_loop_test(tc, fibres_of_plane_motions_reduce_to_the_same_motion, 0,
                        random_models(20));
    tcase_add_loop_test(tc, fibres_of_the_affine_group_reduce_to_the_same_motion, 0,
                        random_models(20));
    tcase_add_loop_test(tc, a_broken_symmetry_is_noticed, 0, random_models(10));
}
