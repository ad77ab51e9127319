/* Hamel's equations against Lagrange and d'Alembert's, the object of anholonomity against its
 * identities, the printed equations against those that are integrated. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/motion/hamel/frame.h"
#include "core/numeric/dense.h"
#include "tests/core/motion/random_model.h"
#include "tests/suite.h"

enum {
    KINDS = RANDOM_HOLONOMIC | RANDOM_LINEAR | RANDOM_AFFINE,
    FEATURES = KINDS | RANDOM_TIME | RANDOM_FORCES | RANDOM_GENERAL,
    MODELS = 60,
    STATES = 4,
    FURTHER_SEEDS = 100000,
};

/* A model, perhaps with a frame that its document does not have. */
typedef struct Setting {
    uint64_t seed;
    Arena *arena;
    Random random;
    RandomModel m;
    Model framed; /* m.model with another frame; shares everything else */
} Setting;

static bool setting_init(Setting *s, uint64_t seed, unsigned features)
{
    *s = (Setting){.seed = seed, .arena = arena_new(1 << 22)};
    random_init(&s->random, seed);
    ModelDocument document = random_document(seed, features, s->arena);
    if (!random_model_init(&s->m, &document, &s->random)) {
        arena_free(s->arena);
        return false;
    }
    s->framed = *s->m.model;
    return true;
}

static void setting_done(Setting *s)
{
    random_model_done(&s->m);
    arena_free(s->arena);
}

/* A smooth function of q and t as a node of the model's pool. */
static Expr smooth(Setting *s)
{
    const Model *model = s->m.model;
    ExprPool *pool = model->pool;
    Expr angle = expr_scale(pool, random_uniform(&s->random, -1, 1), model->sym.t);

    for (size_t i = 0; i < model->n; i++)
        angle = expr_add(pool, angle,
                         expr_scale(pool, random_uniform(&s->random, -1, 1), model->sym.q[i]));
    return expr_scale(pool, random_uniform(&s->random, -1, 1),
                      expr_call(pool, EXPR_SIN, &angle, 1));
}

/* Gives the model a frame: X'_i = X_i + random combinations of the derived frame's fields, which
 * vary unless `constant`; with `all` also a complement Y'_a = Y_a + combinations of everything. */
static void add_frame(Setting *s, bool all, bool constant)
{
    const Model *model = s->m.model;
    ExprPool *pool = model->pool;
    const size_t n = model->n, m = n - model->r, n_fields = all ? n : m;
    Frame frame;
    ck_assert_int_eq(frame_init(&frame, pool, s->arena, model, &s->m.options, false, NULL), OK);
    ModelField *fields = arena_alloc(s->arena, n, sizeof *fields);
    Expr *X = arena_alloc(s->arena, n * n, sizeof *X);

    for (size_t k = 0; k < n_fields; k++) {
        memcpy(X + k * n, frame.X + k * n, n * sizeof *X);
        for (size_t l = 0; l < (k < m ? m : n); l++) {
            Expr factor = constant ? expr_const(pool, random_uniform(&s->random, -0.6, 0.6))
                                   : expr_scale(pool, 0.6, smooth(s));
            for (size_t i = 0; i < n; i++)
                X[k * n + i] =
                    expr_add(pool, X[k * n + i], expr_mul(pool, factor, frame.X[l * n + i]));
        }
        fields[k].name = arena_printf(s->arena, "Z%zu", k + 1);
        fields[k].components = X + k * n;
    }
    s->framed.given.frame = fields;
    s->framed.given.n_frame = n_fields;
    frame_done(&frame);
}

static Motion *motion_of(const Setting *s, const Model *model, const Formulation *formulation,
                         Elimination elimination)
{
    MotionOptions options = s->m.options;
    Motion *motion = NULL;
    Error err = {0};

    options.elimination = elimination;
    Status status = motion_new(model, formulation, &options, &motion, &err);
    ck_assert_msg(status == OK, "seed %llu: %s", (unsigned long long)s->seed, err.message);
    return motion;
}

/* Admissible states of the setting, the first one that for which its dependent velocities are. */
static bool next_state(Setting *s, int k, double *t, double *q, double *v)
{
    if (k > 0)
        return random_state(&s->m, &s->random, t, q, v);
    *t = s->m.t;
    memcpy(q, s->m.q, sizeof s->m.q);
    memcpy(v, s->m.v, sizeof s->m.v);
    return true;
}

/* Values. */

/* Symbols by number, at a state; those of the model and `more`. */
static double *symbol_values(const Setting *s, size_t more, double t, const double *q)
{
    const Model *model = s->m.model;
    double *values = arena_alloc(s->arena, model->sym.first_free + more, sizeof *values);

    values[0] = t;
    memcpy(values + 1, q, model->n * sizeof *q);
    return values;
}

static double size_of(const double *x, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(x[i]));
    return size;
}

/* Condition number of the fields together; X_0, which v is reached by too, may be the largest. */
static double frame_condition(Setting *s, const Frame *frame, double t, const double *q)
{
    const size_t n = frame->n;
    const double *values = symbol_values(s, 0, t, q);
    double X[RANDOM_MAX_N * RANDOM_MAX_N], X0[RANDOM_MAX_N], singular[RANDOM_MAX_N];

    ck_assert_int_eq(expr_eval(frame->pool, frame->X, n * n, values, X, NULL), OK);
    ck_assert_int_eq(expr_eval(frame->pool, frame->X0, n, values, X0, NULL), OK);
    ck_assert_int_eq(dense_singular_values(X, n, n, singular, NULL), OK);
    return fmax(singular[0], size_of(X0, n)) / singular[n - 1];
}

/* Accelerations, multipliers and power are those of Lagrange and d'Alembert, as far as the frame is
 * good: derivatives of its fields grow like the square of its condition number. Returns how many
 * states were compared. */
static int agree(Setting *s, Elimination elimination)
{
    Motion *motion = motion_of(s, &s->framed, &formulation_hamel, elimination);
    Motion *reference =
        motion_of(s, s->m.model, &formulation_lagrange_dalembert, ELIMINATE_PIVOTED);
    double t, q[RANDOM_MAX_N], v[RANDOM_MAX_N];
    MotionValues values;
    Frame frame;
    int compared = 0;

    ck_assert_int_eq(
        frame_init(&frame, s->m.model->pool, s->arena, &s->framed, &s->m.options, false, NULL), OK);
    ck_assert_uint_eq(motion->dim, 2 * s->m.model->n - s->m.model->r);
    for (int k = 0; k < STATES; k++) {
        if (!next_state(s, k, &t, q, v) ||
            !motion_values(&s->framed, motion, t, q, v, NULL, &values) || values.regularity < 1e-4)
            continue;
        MotionGap gap = motion_gap(&s->m, reference, motion, t, q, v);
        double condition = frame_condition(s, &frame, t, q);
        if (!gap.found || condition > 1e4)
            continue;
        double worst = fmax(fmax(gap.state, gap.vdot), fmax(gap.lambda, gap.power));
        ck_assert_msg(worst < 1e-12 * condition * condition,
                      "seed %llu: state %g, vdot %g, lambda %g, power %g (frame %g)",
                      (unsigned long long)s->seed, gap.state, gap.vdot, gap.lambda, gap.power,
                      condition);
        compared++;
    }
    frame_done(&frame);
    motion_free(motion);
    motion_free(reference);
    return compared;
}

/* Every model with a derived frame, m given fields and n given ones, constant combinations and
 * varying ones, in every elimination. */
START_TEST(accelerations_and_multipliers_are_those_of_lagrange_dalembert)
{
    const Elimination eliminations[] = {ELIMINATE_NULL_SPACE, ELIMINATE_NULL_SPACE_EXPANDED,
                                        ELIMINATE_PIVOTED};
    const int models = random_models(MODELS);
    int compared = 0;

    for (int k = 0; k < models; k++) {
        unsigned features = FEATURES | (k % 4 == 3 ? RANDOM_MASSLESS : 0);
        Setting s;
        if (!setting_init(&s, FURTHER_SEEDS * (uint64_t)_i + (uint64_t)k, features))
            continue;
        if (_i > 0)
            add_frame(&s, _i > 2, _i % 2);
        for (int e = 0; e < 3; e++)
            compared += agree(&s, eliminations[e]);
        setting_done(&s);
    }
    ck_assert_int_ge(compared, 2 * models * STATES); /* of three times as many */
}
END_TEST

/* Brackets. */

/* R^k_ij and X_l(R^k_ij) of a frame for i, j, l = 0 .. n. */
typedef struct Brackets {
    size_t n;
    double *R, *slope;
} Brackets;

static double bracket_entry(const Brackets *b, size_t i, size_t j, size_t k)
{
    return b->R[(i * (b->n + 1) + j) * b->n + k - 1];
}

static double bracket_slope(const Brackets *b, size_t l, size_t i, size_t j, size_t k)
{
    const size_t size = (b->n + 1) * (b->n + 1) * b->n;
    return b->slope[l * size + (i * (b->n + 1) + j) * b->n + k - 1];
}

static Brackets evaluate_brackets(Setting *s, const Frame *frame, const double *values)
{
    const size_t n = frame->n, size = (n + 1) * (n + 1) * n;
    const Model *model = s->m.model;
    Expr *R = arena_alloc(s->arena, (n + 2) * size, sizeof *R), *slope = R + size;
    Expr bracket[RANDOM_MAX_N], symbols[RANDOM_MAX_N + 1], rates[RANDOM_MAX_N + 1];
    Brackets b = {.n = n, .R = arena_alloc(s->arena, (n + 2) * size, sizeof *b.R)};

    b.slope = b.R + size;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= n; j++) {
            frame_bracket(frame, i, j, bracket);
            frame_components(frame, bracket, R + (i * (n + 1) + j) * n);
        }
    memcpy(symbols, model->sym.q, n * sizeof *symbols);
    symbols[n] = model->sym.t;
    for (size_t l = 0; l <= n; l++) {
        memcpy(rates, l ? frame->X + (l - 1) * n : frame->X0, n * sizeof *rates);
        rates[n] = expr_const(model->pool, l == 0);
        expr_directional(model->pool, R, size, symbols, rates, n + 1, slope + l * size);
    }
    ck_assert_int_eq(expr_eval(model->pool, R, (n + 2) * size, values, b.R, NULL), OK);
    return b;
}

/* The l-th component of [X_i, [X_j, X_k]]. */
static double nested(const Brackets *b, size_t i, size_t j, size_t k, size_t l)
{
    double sum = bracket_slope(b, i, j, k, l);
    for (size_t p = 1; p <= b->n; p++)
        sum += bracket_entry(b, j, k, p) * bracket_entry(b, i, p, l);
    return sum;
}

START_TEST(the_object_of_anholonomity_is_antisymmetric_and_satisfies_jacobi)
{
    int checked = 0;

    for (int seed = 0; seed < 24; seed++) {
        Setting s;
        Frame frame;
        if (!setting_init(&s, 8000 + (uint64_t)seed, FEATURES))
            continue;
        add_frame(&s, seed % 2, seed % 4 < 2);
        if (seed % 3 == 0)
            s.framed.given.n_frame = 0;
        ck_assert_int_eq(
            frame_init(&frame, s.m.model->pool, s.arena, &s.framed, &s.m.options, false, NULL), OK);
        Brackets b = evaluate_brackets(&s, &frame, symbol_values(&s, 0, s.m.t, s.m.q));
        const size_t n = b.n, size = (n + 1) * (n + 1) * n;
        double scale = size_of(b.R, size);
        double cubic = 1 + scale * scale + size_of(b.slope, (n + 1) * size);
        for (size_t i = 0; i <= n; i++)
            for (size_t j = 0; j <= n; j++)
                for (size_t l = 1; l <= n; l++) {
                    double sum = bracket_entry(&b, i, j, l) + bracket_entry(&b, j, i, l);
                    ck_assert_double_le(fabs(sum), 1e-12 * (1 + scale));
                    for (size_t k = 0; k <= n && cubic < 1e6; k++) {
                        double cyclic = nested(&b, i, j, k, l) + nested(&b, j, k, i, l) +
                                        nested(&b, k, i, j, l);
                        ck_assert_double_le(fabs(cyclic), 1e-10 * cubic);
                        checked++;
                    }
                }
        frame_done(&frame);
        setting_done(&s);
    }
    ck_assert_int_ge(checked, 1000);
}
END_TEST

/* The printed equations. */

typedef struct Page {
    Presentation presentation;
    double *values; /* by symbol */
} Page;

static double value_of(const Page *page, Expr e)
{
    double value;
    ck_assert_int_eq(expr_eval(page->presentation.pool, &e, 1, page->values, &value, NULL), OK);
    return value;
}

/* w, wdot and the velocities, then what the page itself defines, in its order. */
static void fill_in(Page *page, const Setting *s, const MotionValues *motion)
{
    const Model *model = s->m.model;
    const size_t n = model->n, m = n - model->r;
    const uint32_t first = model->sym.first_free;

    for (size_t k = 0; k < m; k++) {
        page->values[first + k] = motion->y[n + k];
        page->values[first + m + k] = motion->rates[n + k];
    }
    for (size_t k = 0; k < page->presentation.n; k++) {
        const PresentedEquation *item = &page->presentation.items[k];
        ExprNode node = expr_node(page->presentation.pool, item->lhs);
        if (node.op == EXPR_SYMBOL)
            page->values[node.symbol] = value_of(page, item->rhs);
    }
}

/* Y_k . A^T lambda for the k-th field of the complement. */
static double along_complement(const Setting *s, const Frame *frame, const double *values, size_t k,
                               const MotionValues *motion)
{
    const Model *model = s->m.model;
    double S[RANDOM_MAX_R * RANDOM_MAX_N], Y[RANDOM_MAX_N], sum = 0;

    ck_assert_int_eq(expr_eval(frame->pool, frame->S, model->r * model->n, values, S, NULL), OK);
    ck_assert_int_eq(
        expr_eval(frame->pool, frame->X + (frame->m + k) * model->n, model->n, values, Y, NULL),
        OK);
    for (size_t a = 0; a < model->r; a++)
        for (size_t i = 0; i < model->n; i++)
            sum += motion->lambda[a] * S[a * model->n + i] * Y[i];
    return sum;
}

/* Residuals of the printed equations at a state of the motion, of 1 + the largest quantity. */
static void check_page(Setting *s, Page *page, const MotionValues *motion)
{
    const Model *model = s->m.model;
    const size_t n = model->n;
    Frame frame;
    size_t equations = 0, multipliers = 0;

    ck_assert_int_eq(
        frame_init(&frame, model->pool, s->arena, &s->framed, &s->m.options, true, NULL), OK);
    fill_in(page, s, motion);
    double scale = 1 + size_of(motion->vdot, n) + size_of(motion->lambda, model->r) +
                   size_of(page->values + model->sym.first_free, page->presentation.n_symbols);
    for (size_t k = 0; k < page->presentation.n; k++) {
        const PresentedEquation *item = &page->presentation.items[k];
        double gap = 0;
        if (strcmp(item->role, "frame") == 0)
            gap = value_of(page, item->rhs) - motion->v[k];
        else if (strcmp(item->role, "hamel") == 0 && ++equations)
            gap = value_of(page, item->lhs) - value_of(page, item->rhs);
        else if (strcmp(item->role, "frame_reaction") == 0)
            gap = value_of(page, item->rhs) -
                  along_complement(s, &frame, page->values, multipliers++, motion);
        ck_assert_msg(fabs(gap) < 1e-10 * scale, "seed %llu: %s %s is off by %g of %g",
                      (unsigned long long)s->seed, item->role, item->name, gap, scale);
    }
    ck_assert_uint_eq(equations, n - model->r);
    ck_assert_uint_eq(multipliers, model->r);
    frame_done(&frame);
}

/* The fundamental equations, with R^k_ij and the quasi-momenta, hold for the accelerations that the
 * shorter form gives; they determine them, since both contain N^T M N wdot. */
START_TEST(the_printed_equations_hold_along_the_motion)
{
    for (int seed = 0; seed < 40; seed++) {
        Setting s;
        MotionValues motion;
        if (!setting_init(&s, 9000 + (uint64_t)seed, FEATURES))
            continue;
        if (seed % 2)
            add_frame(&s, seed % 4 == 1, seed % 8 < 4);
        Page page;
        ck_assert_int_eq(presentation_init(&page.presentation, &s.framed, NULL), OK);
        ck_assert_int_eq(hamel_present(&s.framed, &s.m.options, &page.presentation, NULL), OK);
        page.values = symbol_values(&s, page.presentation.n_symbols, s.m.t, s.m.q);
        Motion *hamel = motion_of(&s, &s.framed, &formulation_hamel, ELIMINATE_PIVOTED);
        ck_assert(motion_values(&s.framed, hamel, s.m.t, s.m.q, s.m.v, NULL, &motion));
        check_page(&s, &page, &motion);
        motion_free(hamel);
        presentation_done(&page.presentation);
        setting_done(&s);
    }
}
END_TEST

/* Systems of known frames. */

/* A document in short: coordinates by letter, fields "component per coordinate". */
typedef struct Short {
    const char *coordinates[RANDOM_MAX_N];
    const char *lagrangian;
    const char *constraints[RANDOM_MAX_R];
    struct {
        const char *name;
        const char *components[RANDOM_MAX_N]; /* in the order of the coordinates */
    } frame[RANDOM_MAX_N];
} Short;

static FieldText *short_frame(const Short *text, size_t n, size_t *ret_n, Arena *arena)
{
    FieldText *fields = arena_alloc(arena, RANDOM_MAX_N, sizeof *fields);

    for (*ret_n = 0; *ret_n < RANDOM_MAX_N && text->frame[*ret_n].name; ++*ret_n) {
        NamedText *components = arena_alloc(arena, n, sizeof *components);
        for (size_t i = 0; i < n; i++)
            components[i] = (NamedText){.name = text->coordinates[i],
                                        .text = text->frame[*ret_n].components[i],
                                        .pointer = "/model/frame"};
        fields[*ret_n] = (FieldText){.name = text->frame[*ret_n].name,
                                     .pointer = "/model/frame",
                                     .components = components,
                                     .n_components = n};
    }
    return fields;
}

static void short_init(Setting *s, const Short *text)
{
    ModelDocument d = {.name = "", .description = ""};
    *s = (Setting){.arena = arena_new(1 << 22)};
    random_init(&s->random, 3);
    CoordinateText *coordinates = arena_alloc(s->arena, RANDOM_MAX_N, sizeof *coordinates);
    NamedText *constraints = arena_alloc(s->arena, RANDOM_MAX_R, sizeof *constraints);

    for (; d.n_coordinates < RANDOM_MAX_N && text->coordinates[d.n_coordinates]; d.n_coordinates++)
        coordinates[d.n_coordinates] = (CoordinateText){.name = text->coordinates[d.n_coordinates],
                                                        .pointer = "/model/coordinates"};
    for (; d.n_constraints < RANDOM_MAX_R && text->constraints[d.n_constraints]; d.n_constraints++)
        constraints[d.n_constraints] = (NamedText){.text = text->constraints[d.n_constraints],
                                                   .pointer = "/model/constraints"};
    d.coordinates = coordinates;
    d.constraints = constraints;
    d.lagrangian = (NamedText){.text = text->lagrangian, .pointer = "/model/lagrangian"};
    d.frame = short_frame(text, d.n_coordinates, &d.n_frame, s->arena);
    ck_assert(random_model_init(&s->m, &d, &s->random));
    s->framed = *s->m.model;
}

/* The two-wheeled carriage of Crampin and Mestdag, R = 1, c = 1/2, with their frame. */
static const Short CARRIAGE = {
    .coordinates = {"psi1", "psi2", "x", "y", "theta"},
    .lagrangian = "3/2*(dot(x)^2 + dot(y)^2) + 0.4*dot(theta)*(cos(theta)*dot(y) - "
                  "sin(theta)*dot(x)) + dot(theta)^2 + (dot(psi1)^2 + dot(psi2)^2)/4",
    .constraints = {"dot(x) = -1/2*cos(theta)*(dot(psi1) + dot(psi2))",
                    "dot(y) = -1/2*sin(theta)*(dot(psi1) + dot(psi2))",
                    "dot(theta) = dot(psi2) - dot(psi1)"},
    .frame = {{"X1", {"1", "0", "-cos(theta)/2", "-sin(theta)/2", "-1"}},
              {"X2", {"0", "1", "-cos(theta)/2", "-sin(theta)/2", "1"}}},
};

/* A blade whose heading turns through every angle. */
static const Short BLADE = {
    .coordinates = {"x", "y", "phi"},
    .lagrangian = "dot(x)^2 + dot(y)^2 + dot(phi)^2",
    .constraints = {"dot(x)*sin(phi) = dot(y)*cos(phi)"},
};

static const double *quasi_velocities(Setting *s, const double *q, const double *v,
                                      const char *const *names, size_t m)
{
    MotionValues *values = arena_alloc(s->arena, 1, sizeof *values);
    Motion *motion = motion_of(s, &s->framed, &formulation_hamel, ELIMINATE_NULL_SPACE);

    ck_assert_uint_eq(motion->n_own, m);
    for (size_t k = 0; k < m; k++)
        ck_assert_str_eq(motion->own_names[k], names[k]);
    ck_assert(motion_values(&s->framed, motion, 0, q, v, NULL, values));
    motion_free(motion);
    return values->y + s->framed.n;
}

START_TEST(the_carriage_has_the_wheels_rates_as_quasi_velocities)
{
    const char *names[] = {"w(X1)", "w(X2)"};
    double q[RANDOM_MAX_N] = {0.1, 0.2, 3, 4, 0.7}, u = -0.5 * (1.25 - 2);
    double v[RANDOM_MAX_N] = {1.25, -2, u * cos(0.7), u * sin(0.7), -3.25};
    Setting s;

    short_init(&s, &CARRIAGE);
    const double *w = quasi_velocities(&s, q, v, names, 2);
    ck_assert_double_eq_tol(w[0], 1.25, 1e-15);
    ck_assert_double_eq_tol(w[1], -2, 1e-15);
    ck_assert_int_ge(agree(&s, ELIMINATE_NULL_SPACE), STATES - 1);
    setting_done(&s);
}
END_TEST

/* [X1, X2] by hand: only the derivatives by theta count. */
START_TEST(the_carriages_bracket_is_the_known_one)
{
    double q[RANDOM_MAX_N] = {0.1, 0.2, 3, 4, 0.7}, value[5];
    Expr bracket[RANDOM_MAX_N];
    Frame frame;
    Setting s;

    short_init(&s, &CARRIAGE);
    ck_assert_int_eq(
        frame_init(&frame, s.m.model->pool, s.arena, &s.framed, &s.m.options, false, NULL), OK);
    frame_bracket(&frame, 1, 2, bracket);
    ck_assert_int_eq(expr_eval(frame.pool, bracket, 5, symbol_values(&s, 0, 0, q), value, NULL),
                     OK);
    /* DX2 X1 - DX1 X2, x: (sin/2)(-1) - (sin/2)(1), y: (-cos/2)(-1) - (-cos/2)(1) */
    ck_assert_double_eq_tol(value[2], -sin(0.7), 1e-15);
    ck_assert_double_eq_tol(value[3], cos(0.7), 1e-15);
    ck_assert(value[0] == 0 && value[1] == 0 && value[4] == 0);
    frame_done(&frame);
    setting_done(&s);
}
END_TEST

START_TEST(no_heading_of_a_blade_is_special)
{
    const char *names[] = {"w(x_y)", "w(phi)"};
    Setting s;

    short_init(&s, &BLADE);
    for (int k = 0; k < 16; k++) {
        double phi = k * acos(-1) / 8, q[RANDOM_MAX_N] = {1, 2, phi};
        double v[RANDOM_MAX_N] = {3 * cos(phi), 3 * sin(phi), -0.5};
        const double *w = quasi_velocities(&s, q, v, names, 2);
        ck_assert_double_eq_tol(w[0], 3, 1e-14);
        ck_assert_double_eq_tol(w[1], -0.5, 1e-14);
    }
    setting_done(&s);
}
END_TEST

/* Refusals. */

typedef struct Refusal {
    Short text;
    const char *pointer, *words; /* NULL: it is not refused */
} Refusal;

#define BLADE_WITH(...)                                                                     \
    {                                                                                       \
        .coordinates = {"x", "y", "phi"}, .lagrangian = "dot(x)^2 + dot(y)^2 + dot(phi)^2", \
        .constraints = {"dot(x)*sin(phi) = dot(y)*cos(phi)"}, .frame = {                    \
            __VA_ARGS__                                                                     \
        }                                                                                   \
    }

static const Refusal REFUSALS[] = {
    {BLADE_WITH({"A", {"cos(phi)", "sin(phi)", "0"}}, {"B", {"0", "0", "1"}}), NULL, NULL},
    {BLADE_WITH({"A", {"exp(t)*cos(phi)", "exp(t)*sin(phi)", "x"}}, {"B", {"0", "0", "2 + cos(x)"}},
                {"C", {"-sin(phi)", "cos(phi)", "y"}}),
     NULL, NULL},
    {BLADE_WITH({"A", {"cos(phi)", "0", "0"}}, {"B", {"0", "0", "1"}}), "/model/frame/0",
     "the field A is not tangent to the constraint c1"},
    {BLADE_WITH({"A", {"cos(phi)", "sin(phi)", "0"}}, {"B", {"0.1*t", "0", "1"}}), "/model/frame/1",
     "the field B is not tangent"},
    {BLADE_WITH({"A", {"cos(phi)", "sin(phi)", "0"}}, {"B", {"2*cos(phi)", "2*sin(phi)", "0"}}),
     "/model/frame/1", "the field B is a combination"},
    {BLADE_WITH({"A", {"cos(phi)", "sin(phi)", "0"}}, {"B", {"0", "0", "1"}},
                {"C", {"3*cos(phi)", "3*sin(phi)", "1"}}),
     "/model/frame/2", "the field C is a combination"},
    {BLADE_WITH({"A", {"cos(phi)", "sin(phi)", "0"}}), "/model/frame", "the frame has 1 fields"},
    {{.coordinates = {"x", "y", "z"},
      .lagrangian = "dot(x)^2 + dot(y)^2 + dot(z)^2",
      .constraints = {"dot(z) = sqrt(dot(x)^2 + dot(y)^2)"}},
     "/formulation",
     "the constraint c1 is not linear in the velocities"},
};
enum { N_REFUSALS = sizeof REFUSALS / sizeof REFUSALS[0] };

START_TEST(what_has_no_adapted_frame_is_refused_with_the_reason)
{
    const Refusal *refusal = &REFUSALS[_i];
    Setting s;

    short_init(&s, &refusal->text);
    Diagnostics *diag = arena_alloc(s.arena, 1, sizeof *diag);
    diagnostics_init(diag, s.arena);
    MotionQuestion question = {.model = s.m.model,
                               .eval = s.m.eval,
                               .params = s.m.model->param_values,
                               .t = s.m.t,
                               .q = s.m.q,
                               .v = s.m.v,
                               .options = &s.m.options};
    Status status = formulation_hamel.check(&question, diag, NULL);
    ck_assert_int_eq(status, refusal->words ? ERR_INVALID : OK);
    ck_assert_uint_eq(diag->count > 0, refusal->words != NULL);
    if (refusal->words) {
        ck_assert_str_eq(diag->items[0].pointer, refusal->pointer);
        ck_assert_msg(strstr(diag->items[0].message, refusal->words), "%s", diag->items[0].message);
    }
    setting_done(&s);
}
END_TEST

SUITE(hamel)
{
    TCase *tc = suite_case(suite, "hamel");
    tcase_add_loop_test(tc, accelerations_and_multipliers_are_those_of_lagrange_dalembert, 0, 5);
    tcase_add_test(tc, the_object_of_anholonomity_is_antisymmetric_and_satisfies_jacobi);
    tcase_add_test(tc, the_printed_equations_hold_along_the_motion);
    tcase_add_test(tc, the_carriage_has_the_wheels_rates_as_quasi_velocities);
    tcase_add_test(tc, the_carriages_bracket_is_the_known_one);
    tcase_add_test(tc, no_heading_of_a_blade_is_special);
    tcase_add_loop_test(tc, what_has_no_adapted_frame_is_refused_with_the_reason, 0, N_REFUSALS);
}
