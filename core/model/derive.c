/* What follows from L: momenta, mass matrix, the other terms of D/Dt L_v - L_q, energy. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/model/builder.h"

#include "core/expr/calculus.h"

/* The upper triangle row by row, one reverse sweep each; the lower one is a copy. */
static void build_mass(Builder *b, const Expr *p)
{
    const Model *m = b->model;
    const size_t n = m->n;

    for (size_t i = 0; i < n; i++) {
        expr_gradient(b->pool, p[i], m->v + i, n - i, b->M + i * n + i);
        for (size_t j = i + 1; j < n; j++)
            b->M[j * n + i] = b->M[i * n + j];
    }
}

/* l = L_vq v + L_vt - L_q */
static void build_remainder(Builder *b, const Expr *p, const Expr *L_q, const Expr *symbols)
{
    Model *m = b->model;
    const size_t n = m->n;
    Expr *l = builder_alloc(b, n, sizeof *l), *rates = alloc_array(n + 1, sizeof *rates);

    if (l && rates) {
        memcpy(rates, m->v, n * sizeof *rates);
        rates[n] = expr_const(b->pool, 1);
        expr_directional(b->pool, p, n, symbols, rates, n + 1, l);
        for (size_t i = 0; i < n; i++)
            l[i] = expr_sub(b->pool, l[i], L_q[i]);
    } else {
        b->no_memory = true;
    }
    m->l = l;
    free(rates);
}

void build_dynamics(Builder *b)
{
    Model *m = b->model;
    const size_t n = m->n;
    Expr *p = builder_alloc(b, n, sizeof *p);
    Expr *symbols = alloc_array(2 * n + 1, sizeof *symbols); /* q, t, v */
    Expr *L_x = alloc_array(2 * n + 1, sizeof *L_x);         /* L by these */

    if (p && symbols && L_x) {
        memcpy(symbols, m->q, n * sizeof *symbols);
        symbols[n] = m->t;
        memcpy(symbols + n + 1, m->v, n * sizeof *symbols);
        expr_gradient(b->pool, m->L, symbols, 2 * n + 1, L_x);
        memcpy(p, L_x + n + 1, n * sizeof *p);
        m->p = p;
        m->L_t = L_x[n];
        m->energy = expr_sub(b->pool, expr_dot(b->pool, n, p, m->v), m->L);
        build_mass(b, p);
        build_remainder(b, p, L_x, symbols);
    } else {
        b->no_memory = true;
    }
    free(symbols);
    free(L_x);
}
