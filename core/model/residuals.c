/* Residuals of the constraints, and the sizes relative to which they are small. */
#include "core/model/residuals.h"

#include "core/base/arena.h"
#include "core/expr/calculus/calculus.h"

typedef struct Sizes {
    const Model *model;
    ExprPool *pool;
    Expr *q, *v; /* n each: the largest |q|, |v| of the same kind */
} Sizes;

/* The largest of n expressions, which are overwritten. */
static Expr largest(ExprPool *pool, Expr *e, size_t n)
{
    for (; n > 1; n = (n + 1) / 2)
        for (size_t i = 0; i < n / 2; i++)
            e[i] = expr_call(pool, EXPR_MAX, (const Expr[]){e[i], e[n - 1 - i]}, 2);
    return e[0];
}

/* ret[n]: the largest |x| of the same kind. */
static void sizes_by_kind(const Sizes *s, const Expr *x, Expr *scratch, Expr *ret)
{
    const size_t n = s->model->n, *kinds = s->model->kinds.first;

    for (size_t i = 0; i < n; i++) {
        size_t count = 0;
        if (kinds[i] != i) {
            ret[i] = ret[kinds[i]];
            continue;
        }
        for (size_t j = i; j < n; j++)
            if (kinds[j] == i)
                scratch[count++] = expr_abs(s->pool, x[j]);
        ret[i] = largest(s->pool, scratch, count);
    }
}

static Expr reach(const Sizes *s, Expr e, const Expr *slopes, const Expr *sizes)
{
    Expr sum = expr_rounding(s->pool, e);

    for (size_t i = 0; i < s->model->n; i++)
        if (!expr_is_zero(s->pool, slopes[i]))
            sum = expr_add(s->pool, sum, expr_mul(s->pool, expr_abs(s->pool, slopes[i]), sizes[i]));
    return sum;
}

/* The size of the slope of f by q_i if the terms of f are as large as now, because q_i may be zero
 * at this state only: sqrt(scale |f_ii|), from f = scale + f_ii q_i^2 / 2. */
static Expr slope_about(const Sizes *s, Expr slope, size_t i, Expr f_scale)
{
    ExprPool *pool = s->pool;
    const Expr bend = expr_diff(pool, slope, s->model->sym.q[i]);

    if (expr_is_zero(pool, bend))
        return expr_const(pool, 0);
    return expr_call(pool, EXPR_SQRT, (const Expr[]){expr_mul(pool, f_scale, expr_abs(pool, bend))},
                     1);
}

static Expr velocity_scale(const Sizes *s, const Constraint *c, const Expr *A, Expr f_scale)
{
    Expr scale = expr_residual_scale(s->pool, c->phi);

    for (size_t i = 0; i < s->model->n && c->kind == CONSTRAINT_HOLONOMIC; i++)
        scale = expr_add(s->pool, scale,
                         expr_mul(s->pool, slope_about(s, A[i], i, f_scale),
                                  expr_abs(s->pool, s->model->sym.v[i])));
    return scale;
}

static void put_constraint(const Sizes *s, size_t a, Expr *ret)
{
    const Model *m = s->model;
    const Constraint *c = &m->constraints[a];
    const Expr *A = m->A + a * m->n, zero = expr_const(s->pool, 0);
    const bool holonomic = c->kind == CONSTRAINT_HOLONOMIC;
    const Expr f_scale = holonomic ? expr_residual_scale(s->pool, c->f) : zero;

    ret[RESIDUAL_F * m->r + a] = holonomic ? c->f : zero;
    ret[RESIDUAL_F_SCALE * m->r + a] = f_scale;
    ret[RESIDUAL_F_ROUNDING * m->r + a] = holonomic ? reach(s, c->f, A, s->q) : zero;
    ret[RESIDUAL_PHI * m->r + a] = c->phi;
    ret[RESIDUAL_PHI_SCALE * m->r + a] = velocity_scale(s, c, A, f_scale);
    ret[RESIDUAL_PHI_ROUNDING * m->r + a] = reach(s, c->phi, A, s->v);
}

void model_residuals(const Model *model, ExprPool *pool, Expr *ret)
{
    Arena scratch = {0};
    Sizes s = {.model = model,
               .pool = pool,
               .q = ARENA_NEW(&scratch, model->n, Expr),
               .v = ARENA_NEW(&scratch, model->n, Expr)};
    Expr *of_kind = ARENA_NEW(&scratch, model->n, Expr);

    for (size_t k = 0; k < RESIDUAL_PARTS * model->r; k++)
        ret[k] = EXPR_NONE; /* the result if the pool is out of memory */
    if (arena_failed(&scratch)) {
        expr_pool_no_memory(pool);
    } else {
        sizes_by_kind(&s, model->sym.q, of_kind, s.q);
        sizes_by_kind(&s, model->sym.v, of_kind, s.v);
        for (size_t a = 0; a < model->r; a++)
            put_constraint(&s, a, ret);
    }
    arena_done(&scratch);
}
