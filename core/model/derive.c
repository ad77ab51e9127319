/* What follows from L: momenta, mass matrix, the other terms of D/Dt L_v - L_q, energy. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/model/builder.h"
#include "core/program/program.h"

/* Nodes beyond which a model is taken as it was written: multiplying out and comparing costs as
 * much as deriving does. */
enum { SHORTEN_MAX_NODES = 20000 };

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
    Expr *l = b->l = builder_alloc(b, n, sizeof *l), *rates = alloc_array(n + 1, sizeof *rates);

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

/* Operations of a program that computes these; SIZE_MAX when there is none. */
static size_t operations(const Builder *b, const Expr *exprs, size_t count)
{
    const Model *m = b->model;
    const size_t n = m->n;
    Expr *inputs = alloc_array(2 * n + 1, sizeof *inputs);
    Program *program = NULL;
    size_t length = SIZE_MAX;

    if (inputs) {
        memcpy(inputs, m->q, n * sizeof *inputs);
        memcpy(inputs + n, m->v, n * sizeof *inputs);
        inputs[2 * n] = m->t;
        ProgramSpec spec = {.pool = b->pool,
                            .params = m->params,
                            .n_params = m->n_params,
                            .inputs = inputs,
                            .n_inputs = 2 * n + 1,
                            .outputs = exprs,
                            .n_outputs = count};
        if (program_compile(&spec, &program, NULL) == OK)
            length = program_length(program);
        program_free(program);
    }
    free(inputs);
    return length;
}

/* Whether multiplying out stays within the pool's limits: tried on a copy, for failure sticks. */
static bool expandable(const Builder *b, const Expr *exprs, size_t count, Expr *scratch)
{
    ExprPool *copy = expr_pool_clone(b->pool);
    bool ok = copy != NULL;

    if (ok) {
        expr_expand(copy, exprs, count, scratch);
        ok = expr_pool_status(copy, NULL) == OK;
    }
    expr_pool_free(copy);
    return ok;
}

/* Multiplied out where that makes the program shorter: terms that cancel or join inside factors
 * are the rule in mechanics (the derivative of a kinetic energy, taken both ways). */
static void shorten(Builder *b, Expr *exprs, size_t count)
{
    if (expr_pool_size(b->pool) > SHORTEN_MAX_NODES)
        return;
    Expr *expanded = alloc_array(count, sizeof *expanded);
    if (!expanded) {
        b->no_memory = true;
        return;
    }
    if (expandable(b, exprs, count, expanded)) {
        expr_expand(b->pool, exprs, count, expanded);
        if (operations(b, expanded, count) <= operations(b, exprs, count))
            memcpy(exprs, expanded, count * sizeof *exprs);
    }
    free(expanded);
}

/* M and l are needed together and share their terms. */
static void shorten_dynamics(Builder *b)
{
    const size_t n = b->model->n, count = n * n + n;
    Expr *all = alloc_array(count, sizeof *all);

    if (!all) {
        b->no_memory = true;
        return;
    }
    memcpy(all, b->M, n * n * sizeof *all);
    memcpy(all + n * n, b->l, n * sizeof *all);
    shorten(b, all, count);
    memcpy(b->M, all, n * n * sizeof *all);
    memcpy(b->l, all + n * n, n * sizeof *all);
    free(all);
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
        if (builder_usable(b)) {
            shorten_dynamics(b);
            shorten(b, &m->energy, 1);
            shorten(b, p, n);
        }
    } else {
        b->no_memory = true;
    }
    free(symbols);
    free(L_x);
}
