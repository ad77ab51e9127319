/* Sines and cosines of multiples of time, on the expression graph. */
#include "core/analyses/periodicity.h"

#include "core/exact/exact.h"
#include "core/expr/calculus/calculus.h"

Status circular_init(Circular *x, const AnalysisContext *context, bool phases, Error *err)
{
    const Model *model = context->model;
    const size_t n = model->n;

    *x = (Circular){.context = context, .phases = phases, .n_masses = n * n};
    x->roots = ARENA_NEW(&x->scratch, n * n + n + 2 * model->r, Expr);
    Status status = arena_status(&x->scratch, err);
    if (status != OK)
        return status;
    /* M, then F - l, then the constraints */
    for (size_t k = 0; k < n * n; k++)
        x->roots[x->n_roots++] = model->M[k];
    for (size_t i = 0; i < n; i++)
        x->roots[x->n_roots++] = expr_sub(context->pool, model->F[i], model->l[i]);
    for (size_t k = 0; k < model->r; k++) {
        const Constraint *constraint = &model->constraints[k];
        x->roots[x->n_roots++] = constraint->phi;
        if (constraint->kind == CONSTRAINT_HOLONOMIC)
            x->roots[x->n_roots++] = constraint->f;
    }
    return expr_pool_status(context->pool, err);
}

Status circular_all_vanish(const Circular *x, const Expr *exprs, size_t n, bool *ret, Error *err)
{
    const Model *model = x->context->model;
    Status status = OK;

    *ret = true;
    /* each expression is tested as a sum of one term, with the job's parameters */
    for (size_t k = 0; k < n && *ret && status == OK; k++) {
        const ExactProblem problem = {.pool = x->context->pool,
                                      .terms = &exprs[k],
                                      .n_terms = 1,
                                      .known = model->sym.params,
                                      .values = x->context->params,
                                      .n_known = model->n_params};
        ExactResult result = {.answer = EXACT_ZERO};
        if (!expr_vanishes(x->context->pool, exprs[k]))
            status = exact_identity(&problem, &result, err);
        *ret = result.answer == EXACT_ZERO;
    }
    return status;
}

Status circular_same(const Circular *x, Expr *changed, bool *ret, Error *err)
{
    for (size_t k = 0; k < x->n_roots; k++)
        changed[k] = expr_sub(x->context->pool, changed[k], x->roots[k]);
    Status status = expr_pool_status(x->context->pool, err);
    return status == OK ? circular_all_vanish(x, changed, x->n_roots, ret, err) : status;
}

static bool has_state(const Circular *x, Expr e)
{
    bool moves = true;

    return model_moves(x->context->model, x->context->pool, e, &moves, NULL) != OK || moves;
}

/* Takes a sine or cosine of slope t. Returns false if its argument contains time in another way.
 * With phases such a node is skipped, because its operands may be circular. */
static bool add_circular(Circular *x, Expr e)
{
    const Expr t = x->context->model->sym.t, u = expr_node(x->context->pool, e).args[0];
    const Expr slope = expr_diff(x->context->pool, u, t);

    if (expr_vanishes(x->context->pool, slope))
        return true;
    const Expr rest = expr_sub(x->context->pool, u, expr_mul(x->context->pool, slope, t));
    if (has_state(x, slope) || (!x->phases && !expr_vanishes(x->context->pool, rest)))
        return x->phases;
    if (x->n == CIRCULAR_MOST)
        return false;
    x->slopes[x->n] = slope;
    x->nodes[x->n++] = e;
    return true;
}

static Status collect(Circular *x, bool *ret_simple, Error *err)
{
    const uint32_t size = expr_pool_size(x->context->pool);
    bool *reached = ARENA_NEW(&x->scratch, (size_t)size + 1, bool);
    Status status = arena_status(&x->scratch, err);

    *ret_simple = true;
    /* mark the nodes below the roots from the top down */
    for (size_t k = 0; status == OK && k < x->n_roots; k++)
        reached[x->roots[k].id] = true;
    for (uint32_t id = size; status == OK && id > 0 && *ret_simple; id--) {
        if (!reached[id])
            continue;
        const ExprNode node = expr_node(x->context->pool, (Expr){id});
        for (uint32_t k = 0; k < node.n; k++)
            reached[node.args[k].id] = true;
        /* take each sine and cosine among them */
        if (node.op == EXPR_SIN || node.op == EXPR_COS || (x->phases && node.op == EXPR_TAN))
            *ret_simple = add_circular(x, (Expr){id});
    }
    return status;
}

static Status evaluate_slopes(Circular *x, Error *err)
{
    const Model *model = x->context->model;
    double *symbols = arena_doubles(&x->scratch, model->sym.first_free);
    Status status = arena_status(&x->scratch, err);

    for (size_t j = 0; status == OK && j < model->n_params; j++)
        symbols[expr_node(x->context->pool, model->sym.params[j]).symbol] = x->context->params[j];
    return status == OK ? expr_eval(x->context->pool, x->slopes, x->n, symbols, x->values, err)
                        : status;
}

/* Whether time occurs in the roots after the sines and cosines are replaced by another symbol.
 * (Numbers would be computed with, and rounded.) */
static Status has_other_time(Circular *x, bool *ret, Error *err)
{
    const ModelSymbols *sym = &x->context->model->sym;
    Expr *rest = ARENA_NEW(&x->scratch, x->n_roots, Expr), others[CIRCULAR_MOST];
    Status status = arena_status(&x->scratch, err);
    if (status != OK)
        return status;

    for (size_t k = 0; k < x->n; k++)
        others[k] = sym->vdot[0];
    expr_substitute(x->context->pool, x->roots, x->n_roots, x->nodes, others, x->n, rest);
    status = expr_pool_status(x->context->pool, err);
    if (status == OK)
        status = expr_uses(x->context->pool, rest, x->n_roots, &sym->t, 1, ret, err);
    return status;
}

Status circular_find(Circular *x, bool *ret_found, Error *err)
{
    bool simple, elsewhere = false;
    Status status = collect(x, &simple, err);

    if (status == OK)
        status = evaluate_slopes(x, err);
    if (status == OK && simple && x->n > 0)
        status = has_other_time(x, &elsewhere, err);
    *ret_found = status == OK && simple && x->n > 0 && !elsewhere;
    return status;
}
