/* Mirrors of time that leave the equations as they are, by exact tests: M(q, t) vdot = F - l must be the
 * same when t is mirrored and v changes its sign (J. S. W. Lamb and J. A. G. Roberts, Physica D 112,
 * 1998). */
#include "core/simulation/analyses/reversal.h"

#include <math.h>

#include "core/exact/exact.h"
#include "core/expr/calculus.h"

enum { MOST_CIRCULAR = 32 };

typedef struct Reversal {
    const AnalysisContext *context;
    ExprPool *pool; /* a clone */
    size_t n_roots;
    Expr *roots; /* M, then F - l */
    size_t n_circular;
    Expr circular[MOST_CIRCULAR]; /* sin(u) and cos(u) with u = slope t */
    Expr slopes[MOST_CIRCULAR];
    double values[MOST_CIRCULAR]; /* of the slopes */
    Arena scratch;
} Reversal;

Status reversal_is_hamiltonian(const AnalysisContext *context, bool *ret, Error *err)
{
    const Model *model = context->model;
    const size_t n = model->n;
    ExprPool *pool = expr_pool_clone(model->pool);
    if (!pool)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    *ret = true;
    for (size_t k = 0; k < model->r; k++)
        *ret = *ret && model->constraints[k].kind == CONSTRAINT_HOLONOMIC;
    for (size_t i = 0; i < n && *ret; i++)
        for (size_t j = 0; j < n && *ret; j++) {
            Expr curl = expr_sub(pool, expr_diff(pool, model->F[i], model->q[j]),
                                 expr_diff(pool, model->F[j], model->q[i]));
            Expr drag = expr_diff(pool, model->F[i], model->v[j]);
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

/* Whether each of n expressions vanishes identically. */
static Status all_vanish(const Reversal *x, const Expr *exprs, size_t n, bool *ret, Error *err)
{
    const Model *model = x->context->model;
    Status status = OK;

    *ret = true;
    for (size_t k = 0; k < n && *ret && status == OK; k++) {
        const ExactProblem problem = {.pool = x->pool,
                                      .terms = &exprs[k],
                                      .n_terms = 1,
                                      .known = model->params,
                                      .values = x->context->params,
                                      .n_known = model->n_params};
        ExactResult result = {.answer = EXACT_ZERO};
        if (!expr_vanishes(x->pool, exprs[k]))
            status = exact_identity(&problem, &result, err);
        *ret = result.answer == EXACT_ZERO;
    }
    return status;
}

/* Whether the roots are what they become when symbols[n] are replaced, and v by -v. */
static Status is_mirror(Reversal *x, const Expr *symbols, const Expr *images, size_t n, bool *ret,
                        Error *err)
{
    const Model *model = x->context->model;
    Expr *mirrored = ARENA_NEW(&x->scratch, x->n_roots, Expr);
    Expr *back = ARENA_NEW(&x->scratch, model->n, Expr);
    Status status = arena_status(&x->scratch, err);
    if (status != OK)
        return status;

    for (size_t i = 0; i < model->n; i++)
        back[i] = expr_neg(x->pool, model->v[i]);
    expr_substitute(x->pool, x->roots, x->n_roots, symbols, images, n, mirrored);
    expr_substitute(x->pool, mirrored, x->n_roots, model->v, back, model->n, mirrored);
    for (size_t k = 0; k < x->n_roots; k++)
        mirrored[k] = expr_sub(x->pool, mirrored[k], x->roots[k]);
    status = expr_pool_status(x->pool, err);
    return status == OK ? all_vanish(x, mirrored, x->n_roots, ret, err) : status;
}

static bool has_state(const Reversal *x, Expr e)
{
    const Model *model = x->context->model;
    bool used[1 + 2 * MODEL_MAX_COORDINATES] = {false}, found = false;

    if (expr_used_symbols(x->pool, &e, 1, used, 1 + 2 * model->n, NULL) != OK)
        return true;
    for (size_t k = 0; k < 1 + 2 * model->n; k++)
        found = found || used[k];
    return found;
}

/* A sine or cosine of slope t; false where it is one of something else with time in it. */
static bool add_circular(Reversal *x, Expr e)
{
    const Expr t = x->context->model->t, u = expr_node(x->pool, e).args[0];
    const Expr slope = expr_diff(x->pool, u, t);

    if (expr_vanishes(x->pool, slope))
        return true;
    const Expr rest = expr_sub(x->pool, u, expr_mul(x->pool, slope, t));
    if (x->n_circular == MOST_CIRCULAR || has_state(x, slope) || !expr_vanishes(x->pool, rest))
        return false;
    x->slopes[x->n_circular] = slope;
    x->circular[x->n_circular++] = e;
    return true;
}

static Status find_circular(Reversal *x, bool *ret_found, Error *err)
{
    const uint32_t size = expr_pool_size(x->pool);
    bool *reached = ARENA_NEW(&x->scratch, (size_t)size + 1, bool), simple = true;
    Status status = arena_status(&x->scratch, err);

    for (size_t k = 0; status == OK && k < x->n_roots; k++)
        reached[x->roots[k].id] = true;
    for (uint32_t id = size; status == OK && id > 0 && simple; id--) {
        if (!reached[id])
            continue;
        const ExprNode node = expr_node(x->pool, (Expr){id});
        for (uint32_t k = 0; k < node.n; k++)
            reached[node.args[k].id] = true;
        if (node.op == EXPR_SIN || node.op == EXPR_COS)
            simple = add_circular(x, (Expr){id});
    }
    *ret_found = simple && x->n_circular > 0;
    return status;
}

/* The slope of which all others are whole multiples; n_circular: there is none. */
static Status find_base(Reversal *x, size_t *ret_base, Error *err)
{
    const Model *model = x->context->model;
    double *symbols = arena_doubles(&x->scratch, model->first_free);
    Expr *rest = ARENA_NEW(&x->scratch, x->n_circular, Expr);
    Status status = arena_status(&x->scratch, err);
    size_t base = 0;
    bool whole = true;

    for (size_t j = 0; status == OK && j < model->n_params; j++)
        symbols[expr_node(x->pool, model->params[j]).symbol] = x->context->params[j];
    if (status == OK)
        status = expr_eval(x->pool, x->slopes, x->n_circular, symbols, x->values, err);
    for (size_t k = 0; status == OK && k < x->n_circular; k++)
        if (fabs(x->values[k]) < fabs(x->values[base]))
            base = k;
    for (size_t k = 0; status == OK && k < x->n_circular; k++) {
        x->values[k] = k == base ? x->values[k] : nearbyint(x->values[k] / x->values[base]);
        whole = whole && isfinite(x->values[k]) && fabs(x->values[k]) < 1e6;
        rest[k] = expr_sub(x->pool, x->slopes[k],
                           expr_scale(x->pool, k == base ? 1 : x->values[k], x->slopes[base]));
    }
    if (status == OK && whole)
        status = all_vanish(x, rest, x->n_circular, &whole, err);
    if (status == OK)
        x->values[base] = 1;
    *ret_base = whole ? base : x->n_circular;
    return status;
}

/* t becomes pi/a - t: sin(k a t) becomes -(-1)^k sin(k a t), cos(k a t) (-1)^k cos(k a t). */
static Status mirror_at_quarter(Reversal *x, bool *ret, Error *err)
{
    Expr images[MOST_CIRCULAR], without[MOST_CIRCULAR];
    size_t base;
    bool found;
    Status status = find_circular(x, &found, err);

    *ret = false;
    if (status != OK || !found)
        return status;
    status = find_base(x, &base, err);
    if (status != OK || base == x->n_circular)
        return status;
    for (size_t k = 0; k < x->n_circular; k++) {
        const double even = fmod(x->values[k], 2) == 0 ? 1 : -1;
        const bool sine = expr_node(x->pool, x->circular[k]).op == EXPR_SIN;
        images[k] = expr_scale(x->pool, sine ? -even : even, x->circular[k]);
        without[k] = expr_const(x->pool, 0.5);
    }
    /* nowhere else is there time */
    Expr *rest = ARENA_NEW(&x->scratch, x->n_roots, Expr);
    if (!rest)
        return arena_status(&x->scratch, err);
    expr_substitute(x->pool, x->roots, x->n_roots, x->circular, without, x->n_circular, rest);
    bool used[1] = {false};
    status = expr_pool_status(x->pool, err);
    if (status == OK)
        status = expr_used_symbols(x->pool, rest, x->n_roots, used, 1, err);
    return status == OK && !used[0] ? is_mirror(x, x->circular, images, x->n_circular, ret, err)
                                    : status;
}

Status reversal_is_proven(const AnalysisContext *context, bool *ret, Error *err)
{
    Reversal x;
    Error failure = {0};
    Status status = reversal_init(&x, context, &failure);

    *ret = false;
    if (status == OK) {
        const Expr t = context->model->t, back = expr_neg(x.pool, t);
        status = is_mirror(&x, &t, &back, 1, ret, &failure);
    }
    if (status == OK && !*ret)
        status = mirror_at_quarter(&x, ret, &failure);
    expr_pool_free(x.pool);
    arena_done(&x.scratch);
    return status == OK || status == ERR_LIMIT ? OK : error_set(err, status, "%s", failure.message);
}
