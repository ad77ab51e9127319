/* The choice of a frame that fits the constraints (G. Hamel, 1904), and components in it. */
#include "core/motion/hamel/frame.h"

#include <stdlib.h>
#include <string.h>

#include "core/model/rates.h"
#include "core/motion/algebra/invert.h"
#include "core/motion/weights.h"

enum { DETERMINANT_MAX = 3 }; /* larger ones are solved at run time */

void frame_done(Frame *f)
{
    arena_done(&f->arena);
    *f = (Frame){0};
}

static Status frame_allocate(Frame *f, Error *err)
{
    const size_t n = f->n, r = f->r;

    f->S = ARENA_NEW(&f->arena, r * n + r, Expr);
    f->s = f->S ? f->S + r * n : NULL;
    f->X = ARENA_NEW(&f->arena, n * n, Expr);
    f->X0 = ARENA_NEW(&f->arena, n, Expr);
    f->G = ARENA_NEW(&f->arena, r * r, Expr);
    f->weights = ARENA_NEW(&f->arena, n, Expr);
    f->work = ARENA_NEW(&f->arena, 2 * n, Expr);
    f->dependent = arena_sizes(&f->arena, r);
    f->own = arena_sizes(&f->arena, f->m);
    f->names = ARENA_NEW(f->names_arena, n, const char *);
    return f->names ? arena_status(&f->arena, err) : arena_status(f->names_arena, err);
}

/* S = A and s = phi at v = 0, because the graph may not show that A is free of velocities. */
static void take_rows(Frame *f, const size_t *rows)
{
    const Model *model = f->model;
    const size_t n = f->n, r = f->r;

    for (size_t k = 0; k < r; k++) {
        memcpy(f->S + k * n, model->A + rows[k] * n, n * sizeof *f->S);
        f->s[k] = model->constraints[rows[k]].phi;
    }
    expr_substitute(f->pool, f->S, r * n + r, model->sym.v, NULL, n, f->S); /* s follows S */
}

static bool free_of_motion(Frame *f, Expr e)
{
    bool moves = true;

    if (model_moves(f->model, f->pool, e, &moves, NULL) != OK)
        arena_fail(&f->arena);
    return !moves;
}

/* G = (S Y)^-1. */
static bool invert_complement(Frame *f, bool pivoted, Expr *ret_singular)
{
    const size_t n = f->n, r = f->r;
    Expr *SY = ARENA_NEW(&f->arena, r * r, Expr);
    Inverse inverse = {.inverse = f->G};
    if (!SY)
        return false;

    for (size_t a = 0; a < r; a++)
        for (size_t k = 0; k < r; k++)
            SY[a * r + k] = expr_dot(f->pool, n, f->S + a * n, f->X + (f->m + k) * n);
    if (!invert_matrix(f->pool, r, SY, pivoted, &inverse))
        return false;
    f->regularity = inverse.regularity;
    *ret_singular = f->orientation = inverse.singular;
    return true;
}

static void take_units(Frame *f)
{
    const Model *model = f->model;

    for (size_t k = 0; k < f->r; k++) {
        for (size_t i = 0; i < f->n; i++)
            f->X[(f->m + k) * f->n + i] = expr_const(f->pool, i == f->dependent[k]);
        f->names[f->m + k] = model->names.coordinates[f->dependent[k]];
    }
}

/* Y = S^T in the metric of the weights: orthogonal to ker S in any units. */
static void take_gradients(Frame *f, const size_t *rows)
{
    for (size_t k = 0; k < f->r; k++) {
        for (size_t i = 0; i < f->n; i++)
            f->X[(f->m + k) * f->n + i] = expr_mul(f->pool, f->weights[i], f->S[k * f->n + i]);
        f->names[f->m + k] = f->model->constraints[rows[k]].name;
    }
}

static int ascending(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Dependent velocities from numeric pivots, which are valid at every state. */
static bool numeric_dependent(Frame *f, const bool *preferred)
{
    const size_t n = f->n, r = f->r;
    Expr *work = ARENA_NEW(&f->arena, r * n, Expr);
    if (!work)
        return false;

    memcpy(work, f->S, r * n * sizeof *work);
    if (eliminate_numeric(f->pool, work, r, n, n, preferred, f->dependent) < r)
        return false;
    qsort(f->dependent, r, sizeof *f->dependent, ascending);
    return true;
}

/* Unit vectors as complement. *ret_lasting: they remain one for the whole motion. */
static bool choose_units(Frame *f, const MotionOptions *options, bool pivoted, bool *ret_lasting)
{
    bool *preferred = ARENA_NEW(&f->arena, f->n, bool);
    Expr singular;
    if (!preferred)
        return false;

    for (size_t k = 0; k < f->r; k++)
        preferred[options->dependent[k]] = true;
    if (f->model->given.n_base || !numeric_dependent(f, preferred))
        memcpy(f->dependent, options->dependent, f->r * sizeof *f->dependent);
    take_units(f);
    bool ok = invert_complement(f, pivoted, &singular);
    *ret_lasting = ok && free_of_motion(f, singular);
    return ok;
}

/* A measure of the independence of the rows of S, scaled to length 1: the square of the determinant
 * of their Gram matrix, or the reciprocal condition of a pivoted solution. */
static void measure_rows(Frame *f)
{
    const size_t n = f->n, r = f->r;
    Expr *gram = ARENA_NEW(&f->arena, r * r, Expr), *length = ARENA_NEW(&f->arena, r, Expr);
    if (arena_failed(&f->arena))
        return;

    for (size_t k = 0; k < r; k++) {
        length[k] = weighted_dot(f->pool, n, f->S + k * n, f->S + k * n, f->weights);
        length[k] = expr_call(f->pool, EXPR_SQRT, &length[k], 1);
    }
    for (size_t k = 0; k < r; k++)
        for (size_t l = 0; l < r; l++) {
            const Expr lengths = expr_mul(f->pool, length[k], length[l]);
            const Expr along = weighted_dot(f->pool, n, f->S + k * n, f->S + l * n, f->weights);
            gram[k * r + l] = k == l ? expr_const(f->pool, 1) : expr_div(f->pool, along, lengths);
        }
    /* a large one has a reciprocal condition instead */
    if (r > DETERMINANT_MAX) {
        f->regularity = expr_rcond(f->pool, expr_factor(f->pool, r, gram));
        return;
    }
    const Expr determinant = small_determinant(f->pool, r, gram, r);
    f->regularity = expr_mul(f->pool, determinant, determinant);
}

static bool complete_by_gradients(Frame *f, const size_t *rows, bool pivoted)
{
    Expr singular;

    take_gradients(f, rows);
    if (!invert_complement(f, pivoted, &singular))
        return false;
    if (!expr_is_none(f->regularity))
        measure_rows(f);
    return true;
}

/* 1 / |P|, |P|^2 = r^-1 tr ( (G S) W (G S)^T Y^T W^-1 Y ), Y the complement, W the weights. */
static void measure_complement(Frame *f)
{
    const size_t n = f->n, r = f->r;
    const Expr *Y = f->X + f->m * n;
    Expr *GS = ARENA_NEW(&f->arena, r * n, Expr), *column = ARENA_NEW(&f->arena, r, Expr);
    Expr *inverse = ARENA_NEW(&f->arena, n, Expr), sum = expr_const(f->pool, 0);
    if (arena_failed(&f->arena))
        return;
    for (size_t i = 0; i < n; i++)
        inverse[i] = expr_div(f->pool, expr_const(f->pool, 1), f->weights[i]);

    /* G S: components along the complement; P = Y G S */
    for (size_t k = 0; k < r; k++)
        for (size_t i = 0; i < n; i++) {
            for (size_t a = 0; a < r; a++)
                column[a] = f->S[a * n + i];
            GS[k * n + i] = expr_dot(f->pool, r, f->G + k * r, column);
        }
    for (size_t k = 0; k < r; k++)
        for (size_t l = 0; l < r; l++)
            sum = expr_add(f->pool, sum,
                           expr_mul(f->pool,
                                    weighted_dot(f->pool, n, GS + k * n, GS + l * n, f->weights),
                                    weighted_dot(f->pool, n, Y + k * n, Y + l * n, inverse)));
    Expr square = expr_div(f->pool, expr_const(f->pool, (double)r), sum);
    f->determined = expr_call(f->pool, EXPR_SQRT, &square, 1);
    f->regularity = f->determined;
}

static void take_fields(Frame *f, size_t n_fields)
{
    for (size_t k = 0; k < n_fields; k++) {
        memcpy(f->X + k * f->n, f->model->given.frame[k].components, f->n * sizeof *f->X);
        f->names[k] = f->model->given.frame[k].name;
    }
}

/* X_i: velocity 1 of a base coordinate; those of the dependent ones are -S_dep^-1 S_i. */
static void solve_fields(Frame *f)
{
    const size_t n = f->n, r = f->r;
    size_t field = 0;

    for (size_t i = 0; i < n; i++) {
        bool dependent = false;
        for (size_t k = 0; k < r; k++)
            dependent = dependent || f->dependent[k] == i;
        if (dependent)
            continue;
        Expr *X = f->X + field * n;
        for (size_t j = 0; j < n; j++)
            X[j] = expr_const(f->pool, i == j);
        /* G is S_dep^-1, because the complement has the dependent velocities alone */
        for (size_t k = 0; k < r; k++) {
            Expr sum = expr_const(f->pool, 0);
            for (size_t a = 0; a < r; a++)
                sum = expr_sub(f->pool, sum, expr_mul(f->pool, f->G[k * r + a], f->S[a * n + i]));
            X[f->dependent[k]] = sum;
        }
        f->names[field++] = f->model->names.coordinates[i];
    }
}

/* The frame's fields, tangent ones and complement, and G. *ret_lasting: the complement remains one
 * wherever the constraints keep their rank. */
static bool choose_fields(Frame *f, const MotionOptions *options, bool pivoted, bool *ret_lasting)
{
    const Model *model = f->model;
    Expr singular;

    if (model->given.n_frame == f->n) {
        f->kind = FRAME_GIVEN;
        take_fields(f, f->n);
        bool ok = invert_complement(f, pivoted, &singular);
        *ret_lasting = ok && free_of_motion(f, singular);
        return ok;
    }
    /* unit vectors may fail to complete tangent fields; then the rows of S do */
    bool ok = choose_units(f, options, pivoted, ret_lasting);
    const bool products = !*ret_lasting && model->given.n_base == 0;
    if (model->given.n_frame == f->m && f->m) {
        f->kind = FRAME_TANGENT;
        take_fields(f, f->m);
        if (ok && *ret_lasting)
            return true;
    } else if (products && frame_products(f)) {
        f->kind = FRAME_PRODUCTS;
    } else {
        f->kind = FRAME_SOLVED;
        if (ok)
            solve_fields(f);
        return ok;
    }
    *ret_lasting = true;
    return complete_by_gradients(f, options->rows, pivoted);
}

/* Finds for each field a coordinate whose velocity is a multiple of w^i, or the Gram matrix. */
static void find_own(Frame *f)
{
    f->each_has_own = true;

    for (size_t k = 0; k < f->m; k++) {
        f->own[k] = f->n;
        /* a numeric component that no other tangent field has */
        for (size_t i = f->n; i-- > 0;) {
            double value;
            bool alone = expr_is_const(f->pool, f->X[k * f->n + i], &value) && value != 0;
            for (size_t l = 0; l < f->m; l++)
                alone = alone && (l == k || expr_is_zero(f->pool, f->X[l * f->n + i]));
            if (alone)
                f->own[k] = i;
        }
        f->each_has_own = f->each_has_own && f->own[k] < f->n;
    }
    Expr *matrix = ARENA_NEW(&f->arena, f->m * f->m, Expr);
    if (!matrix || f->each_has_own)
        return;
    for (size_t k = 0; k < f->m; k++)
        for (size_t l = 0; l < f->m; l++)
            matrix[k * f->m + l] = expr_dot(f->pool, f->n, f->X + k * f->n, f->X + l * f->n);
    symmetric_init(&f->gram, f->pool, f->m, matrix, false, &f->arena);
}

static void find_affine_part(Frame *f)
{
    const size_t r = f->r;

    /* X_0 = -Y G s, in the complement */
    for (size_t i = 0; i < f->n; i++) {
        Expr sum = expr_const(f->pool, 0);
        for (size_t k = 0; k < r; k++) {
            Expr along = expr_dot(f->pool, r, f->G + k * r, f->s);
            sum = expr_sub(f->pool, sum, expr_mul(f->pool, f->X[(f->m + k) * f->n + i], along));
        }
        f->X0[i] = sum;
    }
}

bool frame_by_fields(const Frame *f)
{
    return f->kind == FRAME_GIVEN || f->kind == FRAME_TANGENT;
}

/* The determinant of the whole frame, up to a factor, if it is not too large. */
static void orient_fields(Frame *f)
{
    Inverse inverse = {.inverse = ARENA_NEW(&f->arena, f->n * f->n, Expr)};

    if (inverse.inverse && invert_matrix(f->pool, f->n, f->X, false, &inverse))
        f->orientation = inverse.singular;
}

Status frame_init(Frame *f, ExprPool *pool, Arena *names, const Model *model,
                  const MotionOptions *options, bool pivoted, Error *err)
{
    *f = (Frame){.pool = pool,
                 .model = model,
                 .names_arena = names,
                 .n = model->n,
                 .r = options->n_rows,
                 .m = model->n - options->n_rows,
                 .orientation = EXPR_NONE,
                 .determined = EXPR_NONE};
    bool lasting = false;
    Status status = frame_allocate(f, err);
    if (status != OK)
        return status;
    /* the rows, and fields that span the kernel of the constraints */
    take_rows(f, options->rows);
    velocity_weights(pool, model, options, f->S, f->r, &f->arena, f->weights);
    const bool closed = choose_fields(f, options, pivoted, &lasting);
    status = arena_status(&f->arena, err);
    if (status == OK && expr_pool_status(pool, NULL) == ERR_NO_MEMORY)
        status = expr_pool_status(pool, err);
    if (status == OK && !closed)
        status = error_set(err, ERR_NOT_FOUND, "the constraints are not solved in closed form");
    if (status != OK)
        return status;
    if (!lasting)
        measure_complement(f);
    else
        f->orientation = EXPR_NONE;
    if (frame_by_fields(f))
        orient_fields(f);
    find_affine_part(f);
    find_own(f);
    status = arena_status(&f->arena, err);
    return status == OK ? expr_pool_status(pool, err) : status;
}

void frame_velocity(const Frame *f, const Expr *w, Expr *ret_v)
{
    for (size_t i = 0; i < f->n; i++) {
        Expr sum = f->X0[i];
        for (size_t k = 0; k < f->m; k++)
            sum = expr_add(f->pool, sum, expr_mul(f->pool, w[k], f->X[k * f->n + i]));
        ret_v[i] = sum;
    }
}

/* Components of a vector in the span of X_1 .. X_m. */
static void tangent_components(const Frame *f, const Expr *vector, Expr *ret)
{
    for (size_t k = 0; k < f->m; k++)
        ret[k] = f->each_has_own ? expr_div(f->pool, vector[f->own[k]], f->X[k * f->n + f->own[k]])
                                 : expr_dot(f->pool, f->n, f->X + k * f->n, vector);
    if (!f->each_has_own)
        symmetric_solve(&f->gram, ret, ret);
}

void frame_quasi(const Frame *f, const Expr *v, Expr *ret_w)
{
    for (size_t i = 0; i < f->n; i++)
        f->work[i] = expr_sub(f->pool, v[i], f->X0[i]);
    tangent_components(f, f->work, ret_w);
}

void frame_components(const Frame *f, const Expr *vector, Expr *ret)
{
    const size_t n = f->n, r = f->r, m = f->m;
    Expr *tangent = f->work, *along = f->work + n;

    /* along the complement theta = G S; the rest of the vector is tangent */
    for (size_t a = 0; a < r; a++)
        along[a] = expr_dot(f->pool, n, f->S + a * n, vector);
    for (size_t k = 0; k < r; k++)
        ret[m + k] = expr_dot(f->pool, r, f->G + k * r, along);
    for (size_t i = 0; i < n; i++) {
        tangent[i] = vector[i];
        for (size_t k = 0; k < r; k++)
            tangent[i] =
                expr_sub(f->pool, tangent[i], expr_mul(f->pool, ret[m + k], f->X[(m + k) * n + i]));
    }
    tangent_components(f, tangent, ret);
}

void frame_bracket(const Frame *f, size_t i, size_t j, Expr *ret)
{
    const size_t n = f->n;
    const Expr *Xi = i ? f->X + (i - 1) * n : f->X0, *Xj = j ? f->X + (j - 1) * n : f->X0;
    /* X_0 includes d/dt */
    const Direction along_i = {
        .n = n, .q = f->model->sym.q, .qdot = Xi, .t = i ? EXPR_NONE : f->model->sym.t};
    const Direction along_j = {
        .n = n, .q = f->model->sym.q, .qdot = Xj, .t = j ? EXPR_NONE : f->model->sym.t};

    rates_along(f->pool, &along_i, Xj, n, ret);
    rates_along(f->pool, &along_j, Xi, n, f->work);
    for (size_t k = 0; k < n; k++)
        ret[k] = expr_sub(f->pool, ret[k], f->work[k]);
}

void frame_multipliers(const Frame *f, const Expr *force, Expr *ret_lambda)
{
    const size_t n = f->n, r = f->r;

    /* Y^T force = (S Y)^T lambda */
    for (size_t a = 0; a < r; a++) {
        Expr sum = expr_const(f->pool, 0);
        for (size_t k = 0; k < r; k++) {
            Expr along = expr_dot(f->pool, n, f->X + (f->m + k) * n, force);
            sum = expr_add(f->pool, sum, expr_mul(f->pool, f->G[k * r + a], along));
        }
        ret_lambda[a] = sum;
    }
}
