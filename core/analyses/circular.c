/* Sines and cosines of multiples of time, on the expression graph. */
#include "core/analyses/periodicity.h"

#include "core/exact/exact.h"
#include "core/expr/calculus/calculus.h"

Status circular_all_vanish(const AnalysisContext *context, ExprPool *pool, const Expr *exprs,
                           size_t n, bool *ret, Error *err)
{
    const Model *model = context->model;
    Status status = OK;

    *ret = true;
    /* each expression is tested as a sum of one term, with the job's parameters */
    for (size_t k = 0; k < n && *ret && status == OK; k++) {
        const ExactProblem problem = {.pool = pool,
                                      .terms = &exprs[k],
                                      .n_terms = 1,
                                      .known = model->sym.params,
                                      .values = context->params,
                                      .n_known = model->n_params};
        ExactResult result = {.answer = EXACT_ZERO};
        if (!expr_vanishes(pool, exprs[k]))
            status = exact_identity(&problem, &result, err);
        *ret = result.answer == EXACT_ZERO;
    }
    return status;
}

static bool has_state(const CircularQuestion *x, Expr e)
{
    bool moves = true;

    return model_moves(x->context->model, x->pool, e, &moves, NULL) != OK || moves;
}

/* Takes a sine or cosine of slope t. Returns false if its argument contains time in another way.
 * With phases such a node is skipped, because its operands may be circular. */
static bool add_circular(const CircularQuestion *x, Expr e, Circular *found)
{
    const Expr t = x->context->model->sym.t, u = expr_node(x->pool, e).args[0];
    const Expr slope = expr_diff(x->pool, u, t);

    if (expr_vanishes(x->pool, slope))
        return true;
    const Expr rest = expr_sub(x->pool, u, expr_mul(x->pool, slope, t));
    if (has_state(x, slope) || (!x->phases && !expr_vanishes(x->pool, rest)))
        return x->phases;
    if (found->n == CIRCULAR_MOST)
        return false;
    found->slopes[found->n] = slope;
    found->nodes[found->n++] = e;
    return true;
}

static Status collect(const CircularQuestion *x, Circular *found, bool *ret_simple, Error *err)
{
    const uint32_t size = expr_pool_size(x->pool);
    bool *reached = ARENA_NEW(x->scratch, (size_t)size + 1, bool);
    Status status = arena_status(x->scratch, err);

    *ret_simple = true;
    /* mark the nodes below the roots from the top down */
    for (size_t k = 0; status == OK && k < x->n_roots; k++)
        reached[x->roots[k].id] = true;
    for (uint32_t id = size; status == OK && id > 0 && *ret_simple; id--) {
        if (!reached[id])
            continue;
        const ExprNode node = expr_node(x->pool, (Expr){id});
        for (uint32_t k = 0; k < node.n; k++)
            reached[node.args[k].id] = true;
        /* take each sine and cosine among them */
        if (node.op == EXPR_SIN || node.op == EXPR_COS || (x->phases && node.op == EXPR_TAN))
            *ret_simple = add_circular(x, (Expr){id}, found);
    }
    return status;
}

static Status evaluate_slopes(const CircularQuestion *x, Circular *found, Error *err)
{
    const Model *model = x->context->model;
    double *symbols = arena_doubles(x->scratch, model->sym.first_free);
    Status status = arena_status(x->scratch, err);

    for (size_t j = 0; status == OK && j < model->n_params; j++)
        symbols[expr_node(x->pool, model->sym.params[j]).symbol] = x->context->params[j];
    return status == OK ? expr_eval(x->pool, found->slopes, found->n, symbols, found->values, err)
                        : status;
}

/* Whether time occurs in the roots after the sines and cosines are replaced by another symbol.
 * (Numbers would be computed with, and rounded.) */
static Status has_other_time(const CircularQuestion *x, const Circular *found, bool *ret,
                             Error *err)
{
    const ModelSymbols *sym = &x->context->model->sym;
    Expr *rest = ARENA_NEW(x->scratch, x->n_roots, Expr), others[CIRCULAR_MOST];
    Status status = arena_status(x->scratch, err);
    if (status != OK)
        return status;

    for (size_t k = 0; k < found->n; k++)
        others[k] = sym->vdot[0];
    expr_substitute(x->pool, x->roots, x->n_roots, found->nodes, others, found->n, rest);
    status = expr_pool_status(x->pool, err);
    if (status == OK)
        status = expr_uses(x->pool, rest, x->n_roots, &sym->t, 1, ret, err);
    return status;
}

Status circular_find(const CircularQuestion *x, Circular *ret, bool *ret_found, Error *err)
{
    bool simple, elsewhere = false;

    ret->n = 0;
    Status status = collect(x, ret, &simple, err);
    if (status == OK)
        status = evaluate_slopes(x, ret, err);
    if (status == OK && simple && ret->n > 0)
        status = has_other_time(x, ret, &elsewhere, err);
    *ret_found = status == OK && simple && ret->n > 0 && !elsewhere;
    return status;
}
