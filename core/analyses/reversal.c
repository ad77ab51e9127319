/* Reversals of time that leave the equations unchanged, by exact tests: M(q, t) vdot = F - l
 * must stay the same if t is reflected and v changes its sign (J. S. W. Lamb and J. A. G.
 * Roberts, Physica D 112, 1998). */
#include "core/analyses/periodicity.h"

#include <math.h>

#include "core/expr/calculus/calculus.h"

/* Whole multiples of a slope that are considered are smaller than this. No unit; convention. */
static const double MOST_MULTIPLE = 1e6;

typedef struct Reversal {
    const AnalysisContext *context;
    ExprPool *pool; /* a clone */
    size_t n_roots;
    Expr *roots;       /* M, then F - l */
    Circular circular; /* sin(u) and cos(u) with u = slope t */
    Arena scratch;
} Reversal;

Status reversal_is_hamiltonian(const AnalysisContext *context, bool *ret, Error *err)
{
    const Model *model = context->model;
    const size_t n = model->n;
    ExprPool *pool = expr_pool_clone(model->pool);
    if (!pool)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    /* holonomic constraints, and forces with symmetric derivatives that do not depend on v */
    *ret = model_is_holonomic(model);
    for (size_t i = 0; i < n && *ret; i++)
        for (size_t j = 0; j < n && *ret; j++) {
            Expr curl = expr_sub(pool, expr_diff(pool, model->F[i], model->sym.q[j]),
                                 expr_diff(pool, model->F[j], model->sym.q[i]));
            Expr drag = expr_diff(pool, model->F[i], model->sym.v[j]);
            expr_expand(pool, &curl, 1, &curl);
            *ret = expr_vanishes(pool, curl) && expr_vanishes(pool, drag);
        }
    Status status = expr_pool_status(pool, err);
    expr_pool_free(pool);
    return status;
}

static Status reversal_init(Reversal *x, const AnalysisContext *context, Error *err)
{
    const Model *model = context->model;
    const size_t n = model->n;

    *x = (Reversal){.context = context, .n_roots = n * n + n};
    x->pool = expr_pool_clone(model->pool);
    x->roots = ARENA_NEW(&x->scratch, x->n_roots, Expr);
    if (!x->pool || !x->roots)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < n * n; k++)
        x->roots[k] = model->M[k];
    for (size_t i = 0; i < n; i++)
        x->roots[n * n + i] = expr_sub(x->pool, model->F[i], model->l[i]);
    return expr_pool_status(x->pool, err);
}

/* Whether the roots are unchanged if symbols[n] are replaced, and v by -v. */
static Status is_mirror(Reversal *x, const Expr *symbols, const Expr *images, size_t n, bool *ret,
                        Error *err)
{
    const Model *model = x->context->model;
    Expr *mirrored = ARENA_NEW(&x->scratch, x->n_roots, Expr);
    Expr *back = ARENA_NEW(&x->scratch, model->n, Expr);
    Status status = arena_status(&x->scratch, err);
    if (status != OK)
        return status;

    /* substitute, then test that the differences vanish */
    for (size_t i = 0; i < model->n; i++)
        back[i] = expr_neg(x->pool, model->sym.v[i]);
    expr_substitute(x->pool, x->roots, x->n_roots, symbols, images, n, mirrored);
    expr_substitute(x->pool, mirrored, x->n_roots, model->sym.v, back, model->n, mirrored);
    for (size_t k = 0; k < x->n_roots; k++)
        mirrored[k] = expr_sub(x->pool, mirrored[k], x->roots[k]);
    status = expr_pool_status(x->pool, err);
    return status == OK ? circular_all_vanish(x->context, x->pool, mirrored, x->n_roots, ret, err)
                        : status;
}

/* The slope of which all others are whole multiples, to which `values` are set; n: there is
 * none. */
static Status find_base(Reversal *x, size_t *ret_base, Error *err)
{
    Circular *c = &x->circular;
    Expr *rest = ARENA_NEW(&x->scratch, c->n, Expr);
    Status status = arena_status(&x->scratch, err);
    size_t base = 0;
    bool whole = true;
    if (status != OK)
        return status;

    /* the smallest slope is the candidate */
    for (size_t k = 0; k < c->n; k++)
        if (fabs(c->values[k]) < fabs(c->values[base]))
            base = k;
    /* the others have to be whole multiples of it, proved by exact tests */
    for (size_t k = 0; k < c->n; k++) {
        c->values[k] = k == base ? c->values[k] : nearbyint(c->values[k] / c->values[base]);
        whole = whole && isfinite(c->values[k]) && fabs(c->values[k]) < MOST_MULTIPLE;
        rest[k] = expr_sub(x->pool, c->slopes[k],
                           expr_scale(x->pool, k == base ? 1 : c->values[k], c->slopes[base]));
    }
    if (whole)
        status = circular_all_vanish(x->context, x->pool, rest, c->n, &whole, err);
    if (status == OK)
        c->values[base] = 1;
    *ret_base = whole ? base : c->n;
    return status;
}

/* t becomes pi/a - t: sin(k a t) becomes -(-1)^k sin(k a t), cos(k a t) (-1)^k cos(k a t). */
static Status mirror_at_quarter(Reversal *x, bool *ret, Error *err)
{
    Circular *c = &x->circular;
    Expr images[CIRCULAR_MOST];
    size_t base;
    bool found;
    /* find all sines and cosines of time */
    const CircularQuestion question = {.context = x->context,
                                       .pool = x->pool,
                                       .roots = x->roots,
                                       .n_roots = x->n_roots,
                                       .scratch = &x->scratch};
    Status status = circular_find(&question, c, &found, err);

    *ret = false;
    if (status != OK || !found)
        return status;
    status = find_base(x, &base, err);
    if (status != OK || base == c->n)
        return status;
    /* the signs that they get */
    for (size_t k = 0; k < c->n; k++) {
        const double even = fmod(c->values[k], 2) == 0 ? 1 : -1;
        const bool sine = expr_node(x->pool, c->nodes[k]).op == EXPR_SIN;
        images[k] = expr_scale(x->pool, sine ? -even : even, c->nodes[k]);
    }
    return is_mirror(x, c->nodes, images, c->n, ret, err);
}

Status reversal_is_proven(const AnalysisContext *context, bool *ret, Error *err)
{
    Reversal x;
    Error failure = {0};
    Status status = reversal_init(&x, context, &failure);

    *ret = false;
    if (status == OK) {
        const Expr t = context->model->sym.t, back = expr_neg(x.pool, t);
        status = is_mirror(&x, &t, &back, 1, ret, &failure);
    }
    if (status == OK && !*ret)
        status = mirror_at_quarter(&x, ret, &failure);
    expr_pool_free(x.pool);
    arena_done(&x.scratch);
    return status == OK || status == ERR_LIMIT ? OK : error_set(err, status, "%s", failure.message);
}
