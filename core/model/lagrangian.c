/* The terms of D/Dt L_v - L_q by reverse and forward mode, multiplied out if that is shorter. */
#include "core/model/lagrangian.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"
#include "core/model/rates.h"
#include "core/program/program.h"

/* Largest pool in which expressions are multiplied out, because multiplying out and comparing costs
 * as much as deriving does. */
enum { SHORTEN_MAX_NODES = 20000 };

/* The upper triangle row by row, one reverse sweep each; the lower one is a copy. */
static void derive_mass(ExprPool *pool, const LagrangianSymbols *s, const Expr *p, Expr *M)
{
    const size_t n = s->n;

    for (size_t i = 0; i < n; i++) {
        expr_gradient(pool, p[i], s->v + i, n - i, M + i * n + i);
        for (size_t j = i + 1; j < n; j++)
            M[j * n + i] = M[i * n + j];
    }
}

/* l = L_vq v + L_vt - L_q */
static void derive_remainder(ExprPool *pool, const LagrangianSymbols *s, const Expr *p,
                             const Expr *L_q, Expr *l)
{
    const Direction motion = {.n = s->n, .q = s->q, .qdot = s->v, .t = s->t};

    rates_along(pool, &motion, p, s->n, l);
    for (size_t i = 0; i < s->n; i++)
        l[i] = expr_sub(pool, l[i], L_q[i]);
}

/* Operations of a program that computes these; SIZE_MAX if it cannot be compiled. False if out of
 * memory. */
static bool operations(const ExprPool *pool, const LagrangianSymbols *s, const Expr *exprs,
                       size_t count, size_t *ret)
{
    const size_t n = s->n;
    Expr *inputs = alloc_array(2 * n + 1, sizeof *inputs);
    Program *program = NULL;
    Status status = ERR_NO_MEMORY;

    *ret = SIZE_MAX;
    if (inputs) {
        /* the inputs may have any order: the program never runs */
        memcpy(inputs, s->q, n * sizeof *inputs);
        memcpy(inputs + n, s->v, n * sizeof *inputs);
        inputs[2 * n] = s->t;
        ProgramSpec spec = {.pool = pool,
                            .params = s->params,
                            .n_params = s->n_params,
                            .inputs = inputs,
                            .n_inputs = 2 * n + 1,
                            .outputs = exprs,
                            .n_outputs = count};
        status = program_compile(&spec, &program, NULL);
        if (status == OK)
            *ret = program_length(program);
        program_free(program);
    }
    free(inputs);
    return status != ERR_NO_MEMORY;
}

/* OK if multiplying out stays within the pool's limits. Tried on a copy, because failure is
 * sticky. */
static Status try_expanding(const ExprPool *pool, const Expr *exprs, size_t count, Expr *scratch)
{
    ExprPool *copy = expr_pool_clone(pool);
    if (!copy)
        return ERR_NO_MEMORY;
    expr_expand(copy, exprs, count, scratch);
    const Status status = expr_pool_status(copy, NULL);
    expr_pool_free(copy);
    return status;
}

bool lagrangian_shorten(ExprPool *pool, const LagrangianSymbols *symbols, Expr *exprs, size_t count)
{
    /* large or failed pools stay as they are */
    if (expr_pool_size(pool) > SHORTEN_MAX_NODES || expr_pool_status(pool, NULL) != OK)
        return true;
    Expr *expanded = alloc_array(count, sizeof *expanded);
    if (!expanded)
        return false;
    size_t before = 0, after = 0;
    const Status status = try_expanding(pool, exprs, count, expanded);
    bool ok = status != ERR_NO_MEMORY;
    if (status == OK) {
        expr_expand(pool, exprs, count, expanded);
        ok = operations(pool, symbols, expanded, count, &after) &&
             operations(pool, symbols, exprs, count, &before);
        if (ok && after <= before)
            memcpy(exprs, expanded, count * sizeof *exprs);
    }
    free(expanded);
    return ok;
}

/* M and l are needed together and share their terms. all: scratch of n^2 + n. */
static bool shorten_dynamics(ExprPool *pool, const LagrangianSymbols *s, LagrangianTerms *e,
                             Expr *all)
{
    const size_t n = s->n;

    memcpy(all, e->M, n * n * sizeof *all);
    memcpy(all + n * n, e->l, n * sizeof *all);
    bool ok = lagrangian_shorten(pool, s, all, n * n + n);
    memcpy(e->M, all, n * n * sizeof *all);
    memcpy(e->l, all + n * n, n * sizeof *all);
    return ok;
}

bool lagrangian_derive(ExprPool *pool, const LagrangianSymbols *symbols, Expr L,
                       LagrangianTerms *ret)
{
    const size_t n = symbols->n;
    Arena arena = {0};
    Expr *wrt = ARENA_NEW(&arena, 2 * n + 1, Expr); /* q, t, v */
    Expr *L_x = ARENA_NEW(&arena, 2 * n + 1, Expr); /* L by these */
    Expr *scratch = ARENA_NEW(&arena, n * n + n, Expr);
    bool ok = !arena_failed(&arena);

    if (ok) {
        memcpy(wrt, symbols->q, n * sizeof *wrt);
        wrt[n] = symbols->t;
        memcpy(wrt + n + 1, symbols->v, n * sizeof *wrt);
        expr_gradient(pool, L, wrt, 2 * n + 1, L_x);
        memcpy(ret->p, L_x + n + 1, n * sizeof *ret->p);
        ret->L_t = L_x[n];
        ret->energy = expr_sub(pool, expr_dot(pool, n, ret->p, symbols->v), L);
        derive_mass(pool, symbols, ret->p, ret->M);
        derive_remainder(pool, symbols, ret->p, L_x, ret->l);
        ok = shorten_dynamics(pool, symbols, ret, scratch) &&
             lagrangian_shorten(pool, symbols, &ret->energy, 1) &&
             lagrangian_shorten(pool, symbols, ret->p, n);
    }
    arena_done(&arena);
    return ok;
}
