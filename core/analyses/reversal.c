/* Reversals of time that leave the equations unchanged, by exact tests: M(q, t) vdot = F - l
 * must stay the same if t is reflected and v changes its sign (J. S. W. Lamb and J. A. G.
 * Roberts, Physica D 112, 1998). */
#include "core/analyses/periodicity.h"

#include <math.h>

#include "core/expr/calculus/calculus.h"

/* Whole multiples of a slope that are considered are smaller than this. No unit; convention. */
static const double MOST_MULTIPLE = 1e6;

Status reversal_is_hamiltonian(const AnalysisContext *context, bool *ret, Error *err)
{
    const Model *model = context->model;
    const size_t n = model->n;
    ExprPool *pool = context->pool;

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
    return expr_pool_status(pool, err);
}

/* Whether the roots are unchanged if symbols[n] are replaced, and v by -v. */
static Status is_mirror(Circular *x, const Expr *symbols, const Expr *images, size_t n, bool *ret,
                        Error *err)
{
    const Model *model = x->context->model;
    ExprPool *pool = x->context->pool;
    Expr *mirrored = ARENA_NEW(&x->scratch, x->n_roots, Expr);
    Expr *back = ARENA_NEW(&x->scratch, model->n, Expr);
    Status status = arena_status(&x->scratch, err);
    if (status != OK)
        return status;

    /* substitute, then test that the differences vanish */
    for (size_t i = 0; i < model->n; i++)
        back[i] = expr_neg(pool, model->sym.v[i]);
    expr_substitute(pool, x->roots, x->n_roots, symbols, images, n, mirrored);
    expr_substitute(pool, mirrored, x->n_roots, model->sym.v, back, model->n, mirrored);
    return circular_same(x, mirrored, ret, err);
}

/* The slope of which all others are whole multiples, to which `values` are set; n: there is
 * none. */
static Status find_base(Circular *c, size_t *ret_base, Error *err)
{
    ExprPool *pool = c->context->pool;
    Expr *rest = ARENA_NEW(&c->scratch, c->n, Expr);
    Status status = arena_status(&c->scratch, err);
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
        rest[k] = expr_sub(pool, c->slopes[k],
                           expr_scale(pool, k == base ? 1 : c->values[k], c->slopes[base]));
    }
    if (whole)
        status = circular_all_vanish(c, rest, c->n, &whole, err);
    if (status == OK)
        c->values[base] = 1;
    *ret_base = whole ? base : c->n;
    return status;
}

/* t becomes pi/a - t: sin(k a t) becomes -(-1)^k sin(k a t), cos(k a t) (-1)^k cos(k a t). */
static Status mirror_at_quarter(Circular *c, bool *ret, Error *err)
{
    ExprPool *pool = c->context->pool;
    Expr images[CIRCULAR_MOST];
    size_t base;
    bool found;
    /* find all sines and cosines of time */
    Status status = circular_find(c, &found, err);

    *ret = false;
    if (status != OK || !found)
        return status;
    status = find_base(c, &base, err);
    if (status != OK || base == c->n)
        return status;
    /* the signs that they get */
    for (size_t k = 0; k < c->n; k++) {
        const double even = fmod(c->values[k], 2) == 0 ? 1 : -1;
        const bool sine = expr_node(pool, c->nodes[k]).op == EXPR_SIN;
        images[k] = expr_scale(pool, sine ? -even : even, c->nodes[k]);
    }
    return is_mirror(c, c->nodes, images, c->n, ret, err);
}

Status reversal_is_proven(const AnalysisContext *context, bool *ret, Error *err)
{
    Circular x;
    Error failure = {0};
    Status status = circular_init(&x, context, false, &failure);

    *ret = false;
    if (status == OK) {
        const Expr t = context->model->sym.t, back = expr_neg(context->pool, t);
        status = is_mirror(&x, &t, &back, 1, ret, &failure);
    }
    if (status == OK && !*ret)
        status = mirror_at_quarter(&x, ret, &failure);
    arena_done(&x.scratch);
    return status == OK || status == ERR_LIMIT ? OK : error_set(err, status, "%s", failure.message);
}
