/* The terms derived from the model's L: momenta, mass matrix, the other terms of D/Dt L_v - L_q,
 * and the energy. */
#include "core/model/build.h"

#include "core/model/lagrangian.h"

void build_dynamics(Builder *b)
{
    Model *m = b->model;
    const LagrangianSymbols symbols = {.t = m->sym.t,
                                       .q = m->sym.q,
                                       .v = m->sym.v,
                                       .n = m->n,
                                       .params = m->sym.params,
                                       .n_params = m->n_params};
    LagrangianTerms elements = {.p = builder_alloc(b, m->n, sizeof *elements.p),
                                .M = b->M,
                                .l = b->l = builder_alloc(b, m->n, sizeof *elements.l)};

    /* derive and keep the terms */
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
