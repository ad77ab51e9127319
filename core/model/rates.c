/* Derivatives along a motion: the chain rule, by forward mode on the graph. */
#include "core/model/rates.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"

void rates_along(ExprPool *pool, const Direction *direction, const Expr *roots, size_t n_roots,
                 Expr *ret)
{
    const Expr one = expr_const(pool, 1);
    const ExprChange changes[] = {
        {direction->q, direction->qdot, direction->n},
        {direction->v, direction->vdot, direction->v ? direction->n : 0},
        {&direction->t, &one, 1},
    };

    expr_along(pool, roots, n_roots, changes, sizeof changes / sizeof *changes, ret);
}

void rates_total(ExprPool *pool, const Model *model, const Expr *roots, size_t n_roots, Expr *ret)
{
    const Direction motion = {.n = model->n,
                              .q = model->sym.q,
                              .qdot = model->sym.v,
                              .v = model->sym.v,
                              .vdot = model->sym.vdot,
                              .t = model->sym.t};

    rates_along(pool, &motion, roots, n_roots, ret);
}

void rates_without_acceleration(ExprPool *pool, const Model *model, const Expr *roots,
                                size_t n_roots, Expr *ret)
{
    const Direction motion = {
        .n = model->n, .q = model->sym.q, .qdot = model->sym.v, .t = model->sym.t};

    rates_along(pool, &motion, roots, n_roots, ret);
}

bool rates_lifted(ExprPool *pool, const Model *model, const Expr *Y, const Expr *roots,
                  size_t n_roots, Expr *ret)
{
    const size_t n = model->n;
    Expr *Y_q_v = alloc_array(n, sizeof *Y_q_v);
    const Direction lift = {.n = n, .q = model->sym.q, .qdot = Y, .v = model->sym.v, .vdot = Y_q_v};

    if (!Y_q_v)
        return false;
    expr_directional(pool, Y, n, model->sym.q, model->sym.v, n, Y_q_v);
    rates_along(pool, &lift, roots, n_roots, ret);
    free(Y_q_v);
    return true;
}

void rates_state(const Model *model, Expr *ret)
{
    ret[0] = model->sym.t;
    memcpy(ret + 1, model->sym.q, model->n * sizeof *ret);
    memcpy(ret + 1 + model->n, model->sym.v, model->n * sizeof *ret);
}
