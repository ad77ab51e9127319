/* The lift (u, u_q v) of generators to velocities, compiled with its derivatives. */
#include "core/stability/find/drift.h"

#include <string.h>

#include "core/expr/calculus/calculus.h"

void drift_done(Drift *x)
{
    function_done(&x->values);
    directions_done(&x->slopes);
    *x = (Drift){0};
}

void drift_build(ExprPool *pool, const Model *model, const size_t *fields, size_t s, const Expr *c,
                 Expr *roots)
{
    const size_t n = model->n;

    for (size_t i = 0; i < n; i++) {
        roots[i] = expr_const(pool, 0);
        for (size_t a = 0; a < s; a++)
            roots[i] =
                expr_add(pool, roots[i],
                         expr_mul(pool, c[a], model->given.symmetries[fields[a]].components[i]));
    }
    expr_directional(pool, roots, n, model->sym.q, model->sym.v, n, roots + n);
}

Status drift_init(Drift *x, const Model *model, const double *params, const size_t *fields,
                  size_t s, size_t columns, Error *err)
{
    const size_t n = model->n, n_state = 2 * n + s;
    ExprPool *pool = expr_pool_clone(model->pool);
    Arena scratch = {0};
    Expr *symbols = ARENA_NEW(&scratch, n_state, Expr), *roots = ARENA_NEW(&scratch, 2 * n, Expr);
    Status status =
        pool ? arena_status(&scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    *x = (Drift){.n = n, .s = s};
    if (status == OK) {
        memcpy(symbols, model->sym.q, n * sizeof *symbols);
        memcpy(symbols + n, model->sym.v, n * sizeof *symbols);
        for (size_t a = 0; a < s; a++)
            symbols[2 * n + a] = expr_symbol(pool, model->sym.first_free + (uint32_t)a);
        drift_build(pool, model, fields, s, symbols + 2 * n, roots);
        /* one program for the values, one for their slopes along all inputs */
        ProgramSpec spec = {.pool = pool,
                            .params = model->sym.params,
                            .n_params = model->n_params,
                            .inputs = symbols,
                            .n_inputs = n_state,
                            .outputs = roots,
                            .n_outputs = 2 * n};
        DirectionSpec along = {.pool = pool,
                               .model = model,
                               .next_symbol = model->sym.first_free + (uint32_t)s,
                               .state = symbols,
                               .n_state = n_state,
                               .directed = symbols,
                               .n_directed = n_state,
                               .roots = roots,
                               .n_roots = 2 * n};
        status = expr_pool_status(pool, err);
        if (status == OK)
            status = function_init(&x->values, &spec, params, err);
        if (status == OK)
            status = directions_derive(&x->slopes, &along, columns, params, err);
    }
    expr_pool_free(pool);
    arena_done(&scratch);
    return status;
}

static void drift_set_state(Drift *x, DriftState at)
{
    memcpy(x->values.in, at.q, x->n * sizeof *at.q);
    memcpy(x->values.in + x->n, at.v, x->n * sizeof *at.v);
    memcpy(x->values.in + 2 * x->n, at.c, x->s * sizeof *at.c);
}

const double *drift_velocity(Drift *x, DriftState at, const double **ret_w)
{
    drift_set_state(x, at);
    const double *out = function_eval(&x->values);
    *ret_w = out + x->n;
    return out;
}

void drift_along(Drift *x, DriftState at, const DirectionRows *parts, size_t n_parts, size_t m,
                 double *ret)
{
    drift_set_state(x, at);
    directions_eval(&x->slopes, x->values.in, parts, n_parts, m, ret);
}
