/* What follows from the model's L: momenta, mass matrix, the other terms of D/Dt L_v - L_q, and the
 * energy. */
#include "core/model/build.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/model/lagrangian.h"

/* ret_moves[id]: the node of that id is a function of the state or of time, not of parameters alone. */
static void find_moving(const Builder *b, bool *ret_moves)
{
    const uint32_t end_of_state = builder_symbol(b, b->model->t) + 1 + 3 * (uint32_t)b->model->n;

    for (uint32_t id = 1; id <= expr_pool_size(b->pool); id++) {
        const ExprNode node = expr_node(b->pool, (Expr){id});
        ret_moves[id] = node.op == EXPR_SYMBOL && node.symbol < end_of_state;
        for (uint32_t k = 0; k < node.n; k++)
            ret_moves[id] = ret_moves[id] || ret_moves[node.args[k].id];
    }
}

/* Which entries of A stay what they are along a motion, and whether all of M does. */
static void build_fixed(Builder *b)
{
    Model *m = b->model;
    bool *A_fixed = builder_alloc(b, m->r * m->n, sizeof *A_fixed);
    bool *moves = alloc_array((size_t)expr_pool_size(b->pool) + 1, sizeof *moves);

    if (A_fixed && moves) {
        find_moving(b, moves);
        for (size_t k = 0; k < m->r * m->n; k++)
            A_fixed[k] = !moves[m->A[k].id];
        m->M_fixed = true;
        for (size_t k = 0; k < m->n * m->n; k++)
            m->M_fixed = m->M_fixed && !moves[m->M[k].id];
    }
    b->no_memory = b->no_memory || !moves;
    m->A_fixed = A_fixed;
    free(moves);
}

void build_dynamics(Builder *b)
{
    Model *m = b->model;
    const LagrangianSymbols symbols = {
        .t = m->t, .q = m->q, .v = m->v, .n = m->n, .params = m->params, .n_params = m->n_params};
    LagrangianTerms elements = {.p = builder_alloc(b, m->n, sizeof *elements.p),
                                .M = b->M,
                                .l = b->l = builder_alloc(b, m->n, sizeof *elements.l)};

    if (b->no_memory || !lagrangian_derive(b->pool, &symbols, m->L, &elements)) {
        b->no_memory = true;
        return;
    }
    m->p = elements.p;
    m->l = elements.l;
    m->energy = elements.energy;
    m->L_t = elements.L_t;
    if (builder_usable(b))
        build_fixed(b);
}
