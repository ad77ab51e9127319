/* Random documents, admissible states of their models, and how far two motions differ. */
#include "tests/core/motion/random_model.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/numeric/dense.h"
#include "tests/suite.h"

int random_models(int few)
{
    const char *times = getenv("RANDOM_MODELS");
    return times ? few * atoi(times) : SUITE_DRAWS(few);
}

/* Documents. */

typedef struct Writer {
    Random random;
    unsigned features;
    Arena *arena;
    ModelDocument *document;
} Writer;

static size_t below(Random *random, size_t n)
{
    return (size_t)(random_uniform(random, 0, 1) * (double)n);
}

static bool chance(Random *random, double probability)
{
    return random_uniform(random, 0, 1) < probability;
}

static double coefficient(Random *random)
{
    double size = random_uniform(random, 0.2, 0.9);
    return chance(random, 0.5) ? size : -size;
}

const char *random_function(Random *random, const ModelDocument *document, bool with_time,
                            Arena *arena)
{
    const char *x = document->coordinates[below(random, document->n_coordinates)].name;
    const char *y = document->coordinates[below(random, document->n_coordinates)].name;
    const char *clock = with_time ? arena_printf(arena, " + %.3f*t", coefficient(random)) : "";
    double a = coefficient(random), b = coefficient(random), c = coefficient(random);

    switch (below(random, 6)) {
    case 0:
        return arena_printf(arena, "%.3f*sin(%s - %.3f*%s%s)", a, x, b, y, clock);
    case 1:
        return arena_printf(arena, "(%.3f + %.3f*cos(%s)*%s)", a, b, x, y);
    case 2:
        return arena_printf(arena, "%.3f*exp(%.3f*%s%s)", a, 0.3 * b, x, clock);
    case 3:
        return arena_printf(arena, "%.3f/(1 + %s^2 + (%.3f*%s%s)^2)", a, x, b, y, clock);
    case 4:
        return arena_printf(arena, "(%.3f*%s + %.3f*%s^2%s)", a, x, 0.3 * b, y, clock);
    default:
        return arena_printf(arena, "(%.3f)", c);
    }
}

static const char *function(Writer *w)
{
    bool with_time = (w->features & RANDOM_TIME) && chance(&w->random, 0.5);
    return random_function(&w->random, w->document, with_time, w->arena);
}

static const char *name_of(const Writer *w, size_t i)
{
    return w->document->coordinates[i].name;
}

/* Sum of functions times velocities; coordinates but `skipped`. */
static const char *linear_form(Writer *w, size_t skipped, double density)
{
    const char *text = "0";

    for (size_t i = 0; i < w->document->n_coordinates; i++)
        if (i != skipped && chance(&w->random, density))
            text = arena_printf(w->arena, "%s + %s*dot(%s)", text, function(w), name_of(w, i));
    return text;
}

/* Definite: squares of each velocity, then what is convex in the velocities. */
static const char *lagrangian(Writer *w, size_t massless)
{
    const size_t n = w->document->n_coordinates;
    const char *text = arena_printf(w->arena, "-%s - %s", function(w), function(w));

    for (size_t i = 0; i < n; i++) {
        double mass = random_uniform(&w->random, 0.5, 2);
        if (i != massless)
            text = arena_printf(w->arena, "%s + %.3f*dot(%s)^2", text, mass, name_of(w, i));
    }
    for (int k = 0; k < 2; k++)
        text = arena_printf(w->arena, "%s + 0.3*(%s)^2", text, linear_form(w, massless, 0.5));
    if (chance(&w->random, 0.5)) /* gyroscopic */
        text = arena_printf(w->arena, "%s + %s", text, linear_form(w, n, 0.4));
    if ((w->features & RANDOM_GENERAL) && chance(&w->random, 0.6)) {
        const char *form = linear_form(w, massless, 0.6);
        text = chance(&w->random, 0.5)
                   ? arena_printf(w->arena, "%s + sqrt(1 + (%s)^2)", text, form)
                   : arena_printf(w->arena, "%s + 0.1*(%s + 0.3)^4", text, form);
    }
    return text;
}

/* Constraints: each has a velocity (or coordinate) of its own, x; another one is y. */

static const char *holonomic(Writer *w, const char *x, const char *y, size_t own)
{
    (void)own;
    return arena_printf(w->arena, "%s + 0.3*sin(%s) + 0.2*%s*%s + %.3f = 0.3*%s", x, x, x, y,
                        coefficient(&w->random), function(w));
}

static const char *linear(Writer *w, const char *x, const char *y, size_t own)
{
    (void)y;
    return arena_printf(w->arena, "(1.5 + %s)*dot(%s) = %s", function(w), x,
                        linear_form(w, own, 0.7));
}

static const char *affine(Writer *w, const char *x, const char *y, size_t own)
{
    (void)y;
    return arena_printf(w->arena, "dot(%s) = %s + %s", x, linear_form(w, own, 0.7), function(w));
}

static const char *nonlinear_explicit(Writer *w, const char *x, const char *y, size_t own)
{
    const char *form = linear_form(w, own, 0.7);

    if (chance(&w->random, 0.5)) /* homogeneous */
        return arena_printf(w->arena, "dot(%s) = %s*sqrt((%s)^2 + 2*dot(%s)^2)", x, function(w),
                            form, y);
    return arena_printf(w->arena, "dot(%s) = %s*dot(%s)*(%s) + %s", x, function(w), y, form,
                        function(w));
}

static const char *nonlinear_implicit(Writer *w, const char *x, const char *y, size_t own)
{
    const char *form = linear_form(w, own, 0.7);

    if (chance(&w->random, 0.5))
        return arena_printf(w->arena, "dot(%s)^2 = 0.5*(%s)^2 + dot(%s)^2 + 0.3", x, form, y);
    return arena_printf(w->arena, "dot(%s)^3 + 2*dot(%s) = %s + %s", x, x, form, function(w));
}

typedef struct Kind {
    RandomFeature feature;
    const char *(*write)(Writer *w, const char *x, const char *y, size_t own);
} Kind;

static const Kind KINDS[] = {{RANDOM_HOLONOMIC, holonomic},
                             {RANDOM_LINEAR, linear},
                             {RANDOM_AFFINE, affine},
                             {RANDOM_EXPLICIT, nonlinear_explicit},
                             {RANDOM_IMPLICIT, nonlinear_implicit}};
enum { N_KINDS = sizeof KINDS / sizeof KINDS[0] };

static void write_constraints(Writer *w, const size_t *own, size_t r)
{
    const size_t n = w->document->n_coordinates;
    const Kind *allowed[N_KINDS] = {NULL};
    size_t n_allowed = 0;
    for (size_t k = 0; k < N_KINDS; k++)
        if (w->features & (unsigned)KINDS[k].feature)
            allowed[n_allowed++] = &KINDS[k];
    NamedText *list = arena_alloc(w->arena, r, sizeof *list);
    for (size_t a = 0; n_allowed && a < r; a++) {
        const Kind *kind = allowed[below(&w->random, n_allowed)];
        const char *x = name_of(w, own[a]), *y = name_of(w, (own[a] + 1) % n);
        list[a] = (NamedText){.text = kind->write(w, x, y, own[a]),
                              .pointer = arena_printf(w->arena, "/model/constraints/%zu", a)};
        w->document->n_constraints++;
    }
    w->document->constraints = list;
}

static void write_forces(Writer *w)
{
    const size_t n = w->document->n_coordinates;
    NamedText *list = arena_alloc(w->arena, n, sizeof *list);

    for (size_t i = 0; i < n; i++) {
        if (!(w->features & RANDOM_FORCES) || chance(&w->random, 0.4))
            continue;
        const char *text =
            arena_printf(w->arena, "%s - 0.2*(%s)", function(w), linear_form(w, n, 0.5));
        list[w->document->n_forces++] =
            (NamedText){.name = name_of(w, i), .text = text, .pointer = "/model/forces"};
    }
    w->document->forces = list;
}

ModelDocument random_document(uint64_t seed, unsigned features, Arena *arena)
{
    ModelDocument document = {.name = "random", .description = ""};
    Writer w = {.features = features, .arena = arena, .document = &document};

    random_init(&w.random, seed);
    const size_t n = 2 + below(&w.random, RANDOM_MAX_N - 1);
    size_t r = below(&w.random, RANDOM_MAX_R + 1);
    r = r < n ? r : n - 1;
    CoordinateText *coordinates = arena_alloc(arena, n, sizeof *coordinates);
    for (size_t i = 0; i < n; i++)
        coordinates[i] = (CoordinateText){.name = arena_printf(arena, "x%zu", i + 1),
                                          .pointer = "/model/coordinates"};
    document.coordinates = coordinates;
    document.n_coordinates = n;

    size_t order[RANDOM_MAX_N] = {0};
    for (size_t i = 0; i < n; i++) {
        size_t j = below(&w.random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    bool massless = (features & RANDOM_MASSLESS) && r > 0;
    document.lagrangian = (NamedText){.text = lagrangian(&w, massless ? order[0] : n),
                                      .pointer = "/model/lagrangian"};
    write_constraints(&w, order, r);
    write_forces(&w);
    return document;
}

/* Models. */

static double smallest_singular(const double *a, size_t r, size_t n, const size_t *columns)
{
    double square[RANDOM_MAX_R * RANDOM_MAX_R], s[RANDOM_MAX_R];

    for (size_t k = 0; k < r; k++)
        for (size_t j = 0; j < r; j++)
            square[k * r + j] = a[k * n + columns[j]];
    ck_assert_int_eq(dense_singular_values(square, r, r, s, NULL), OK);
    return s[r - 1];
}

void random_model_choose(RandomModel *m, double t, const double *q, const double *v)
{
    const Model *model = m->model;
    const size_t n = model->n, r = model->r;
    ModelPoint point = model_point(m->eval, t, q, v);
    double best = -1;

    for (size_t set = 0; set < (size_t)1 << n; set++) {
        size_t columns[RANDOM_MAX_N], count = 0;
        for (size_t i = 0; i < n; i++)
            if (set >> i & 1)
                columns[count++] = i;
        bool wanted = count == r;
        for (size_t k = 0; k < model->given.n_base; k++)
            wanted = wanted && !(set >> model->given.base[k] & 1);
        double size = wanted && r ? smallest_singular(point.A, r, n, columns) : -1;
        if (size > best) {
            best = size;
            memcpy(m->dependent, columns, r * sizeof *columns);
        }
    }
}

/* False at a corner of a constraint, as where the velocities under a root vanish together: there A
 * differs between velocities on both sides. */
static bool is_smooth(const RandomModel *m, Random *random, double t, const double *q,
                      const double *v)
{
    const size_t n = m->model->n, size = m->model->r * n;
    double before[RANDOM_MAX_N], after[RANDOM_MAX_N], A[RANDOM_MAX_R * RANDOM_MAX_N];

    for (size_t i = 0; i < n; i++) {
        double step = 1e-6 * random_normal(random);
        before[i] = v[i] - step;
        after[i] = v[i] + step;
    }
    memcpy(A, model_point(m->eval, t, q, before).A, size * sizeof *A);
    ModelPoint point = model_point(m->eval, t, q, after);
    for (size_t k = 0; k < size; k++)
        if (!(fabs(point.A[k] - A[k]) <= 1e-3 * (1 + fabs(A[k])))) /* a NaN is none either */
            return false;
    return true;
}

bool random_state(const RandomModel *m, Random *random, double *ret_t, double *ret_q, double *ret_v)
{
    const Model *model = m->model;
    double dq, dv, q[RANDOM_MAX_N], v[RANDOM_MAX_N], t = random_uniform(random, -1, 1);

    for (size_t i = 0; i < model->n; i++) {
        q[i] = random_uniform(random, -1, 1);
        v[i] = random_normal(random);
    }
    /* twice: the first leaves the residuals at the tolerance, the second at round-off */
    for (int k = 0; k < 2; k++)
        if (model_project(m->eval, t, q, v, m->rows, model->r, &dq, &dv, NULL) != OK)
            return false;
    for (size_t i = 0; i < model->n; i++)
        if (!(fabs(q[i]) < 10 && fabs(v[i]) < 30))
            return false;
    if (!is_smooth(m, random, t, q, v))
        return false;
    *ret_t = t;
    memcpy(ret_q, q, model->n * sizeof *q);
    memcpy(ret_v, v, model->n * sizeof *v);
    return true;
}

bool random_model_init(RandomModel *m, const ModelDocument *document, Random *random)
{
    enum { ATTEMPTS = 20 };
    Arena *arena = arena_new(1 << 20);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Error err = {0};

    *m = (RandomModel){0};
    diagnostics_init(diag, arena);
    Status status = model_build(document, diag, &m->model, &err);
    ck_assert_msg(status == OK, "%s: %s", err.message,
                  diag->count ? diag->items[0].message : "no diagnostic");
    arena_free(arena);
    ck_assert_uint_le(m->model->n, RANDOM_MAX_N);
    ck_assert_uint_le(m->model->r, RANDOM_MAX_R);
    ck_assert_int_eq(model_programs_new(m->model, &m->programs, NULL), OK);
    ck_assert_int_eq(model_eval_new(m->programs, NULL, &m->eval, NULL), OK);
    model_eval_set_metric(m->eval, (ModelMetric){false, false});
    for (size_t a = 0; a < m->model->r; a++)
        m->rows[a] = a;
    m->options = (MotionOptions){.rows = m->rows,
                                 .n_rows = m->model->r,
                                 .dependent = m->dependent,
                                 .elimination = ELIMINATE_PIVOTED};
    for (int k = 0; k < ATTEMPTS; k++)
        if (random_state(m, random, &m->t, m->q, m->v)) {
            random_model_choose(m, m->t, m->q, m->v);
            return true;
        }
    random_model_done(m);
    return false;
}

void random_model_done(RandomModel *m)
{
    model_eval_free(m->eval);
    model_programs_free(m->programs);
    model_unref(m->model);
    *m = (RandomModel){0};
}

/* Motions. */

void model_program_values(const Model *model, const Program *program, const double *in, double *ret)
{
    double *work = alloc_array(program_work_doubles(program, 1) + 1, sizeof *work);

    ck_assert_ptr_nonnull(work);
    program_bind(program, model->param_values, work, 1);
    program_eval(program, in, ret, work, 1);
    free(work);
}

/* Applies the motion's map back from (q, v, lambda) until it settles; fills y and the guess. */
static bool find_state(const Model *model, const Motion *motion, double *inputs, double *y,
                       double *guess)
{
    const size_t dim = motion->dim, n_in = program_n_inputs(motion->restate);
    double *out = alloc_array(program_n_outputs(motion->restate), sizeof *out);
    double change = INFINITY;

    memset(y, 0, dim * sizeof *y);
    for (int k = 0; k < 100 && change > 1e-15; k++) {
        memcpy(inputs + n_in - dim, y, dim * sizeof *y);
        model_program_values(model, motion->restate, inputs, out);
        change = 0;
        for (size_t i = 0; i < dim; i++) {
            double step = fabs(out[i] - y[i]) / (1 + fabs(out[i]));
            if (!(step <= change))
                change = step;
            y[i] = out[i];
        }
        if (!isfinite(change))
            break;
    }
    if (motion->n_implicit)
        memcpy(guess, out + dim, motion->n_implicit * sizeof *guess);
    free(out);
    return change < 1e-12;
}

static void read_point(const Motion *motion, const double *out, MotionValues *ret)
{
    const size_t n = motion->n, r = motion->n_rows;
    const double *regularity = out + 3 * n + r;

    memcpy(ret->q, out, n * sizeof *out);
    memcpy(ret->v, out + n, n * sizeof *out);
    memcpy(ret->vdot, out + 2 * n, n * sizeof *out);
    memcpy(ret->lambda, out + 3 * n, r * sizeof *out);
    ret->regularity = 1;
    for (size_t i = 0; i < motion->n_regularity; i++)
        if (!(regularity[i] >= ret->regularity))
            ret->regularity = regularity[i];
}

bool motion_values(const Model *model, const Motion *motion, double t, const double *q,
                   const double *v, const double *lambda, MotionValues *ret)
{
    enum { MOST = 256 };
    const size_t n = model->n, dim = motion->dim, r = motion->n_rows;
    double in[MOST] = {t}, back[MOST] = {t}, out[MOST];
    bool found = true;

    ck_assert_uint_eq(motion->n_switches, 0);
    ck_assert_uint_lt(1 + 2 * n + r + dim, MOST);
    ck_assert_uint_lt(program_n_outputs(motion->point), MOST);
    memcpy(back + 1, q, n * sizeof *q);
    memcpy(back + 1 + n, v, n * sizeof *v);
    if (lambda)
        memcpy(back + 1 + 2 * n, lambda, r * sizeof *lambda);
    if (motion->plain)
        memcpy(in + 1, back + 1, 2 * n * sizeof *in);
    else
        found = find_state(model, motion, back, in + 1, in + 1 + dim);
    if (!found)
        return false;
    model_program_values(model, motion->point, in, out);
    read_point(motion, out, ret);
    model_program_values(model, motion->rates, in, out);
    ret->power = out[dim];
    ck_assert_uint_le(dim, RANDOM_MAX_DIM);
    memcpy(ret->y, in + 1, dim * sizeof *out);
    memcpy(ret->rates, out, dim * sizeof *out);
    return true;
}

/* Condition number of [M -A^T; A 0], rows scaled to largest entry 1; infinite when singular. */
static double kkt_condition(const RandomModel *m, double t, const double *q, const double *v)
{
    const size_t n = m->model->n, r = m->model->r, size = n + r;
    double a[RANDOM_MAX_KKT * RANDOM_MAX_KKT] = {0}, s[RANDOM_MAX_KKT];
    ModelPoint point = model_point(m->eval, t, q, v);

    for (size_t i = 0; i < n; i++)
        memcpy(a + i * size, point.M + i * n, n * sizeof *a);
    for (size_t k = 0; k < r; k++)
        for (size_t i = 0; i < n; i++) {
            a[(n + k) * size + i] = point.A[k * n + i];
            a[i * size + n + k] = -point.A[k * n + i];
        }
    for (size_t i = 0; i < size; i++) {
        double largest = 0;
        for (size_t j = 0; j < size; j++)
            largest = fmax(largest, fabs(a[i * size + j]));
        for (size_t j = 0; j < size && largest > 0; j++)
            a[i * size + j] /= largest;
    }
    if (dense_singular_values(a, size, size, s, NULL) != OK)
        return INFINITY;
    return s[0] / s[size - 1];
}

/* Largest |a - b| / (1 + largest |a|). */
static double difference(const double *a, const double *b, size_t n)
{
    double worst = 0, size = 0;

    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(a[i]));
        if (!(fabs(a[i] - b[i]) <= worst)) /* a NaN is taken too */
            worst = fabs(a[i] - b[i]);
    }
    return worst / (1 + size);
}

MotionGap motion_gap(const RandomModel *m, const Motion *a, const Motion *b, double t,
                     const double *q, const double *v)
{
    const size_t n = m->model->n;
    MotionValues x, y;
    MotionGap gap = {.condition = kkt_condition(m, t, q, v)};

    ck_assert_uint_eq(a->n_rows, b->n_rows);
    gap.found = gap.condition < 1e8 && motion_values(m->model, a, t, q, v, NULL, &x) &&
                motion_values(m->model, b, t, q, v, NULL, &y);
    if (!gap.found)
        return gap;
    gap.state = fmax(difference(x.q, y.q, n), difference(x.v, y.v, n));
    gap.vdot = difference(x.vdot, y.vdot, n) / gap.condition;
    gap.lambda = difference(x.lambda, y.lambda, a->n_rows) / gap.condition;
    gap.power = difference(&x.power, &y.power, 1) / gap.condition;
    return gap;
}
