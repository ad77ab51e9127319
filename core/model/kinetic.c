/* The part of a Lagrangian of degree 2 in the velocities: of L = L_0 + L_1 + L_2 + ..., by degrees,
 * the Hessian at v = 0 is that of L_2. */
#include "core/model/kinetic.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/expr/calculus/calculus.h"

/* Degrees saturate at this value: not a polynomial, or one of a huge degree. */
enum { NO_DEGREE = UINT8_MAX };

/* The degree of a node from those of its operands, as written, before anything cancels. */
static uint8_t node_degree(const ExprNode *node, const uint8_t *degrees)
{
    unsigned long degree = 0;

    for (uint32_t k = 0; k < node->n; k++) {
        const unsigned long of_operand = degrees[node->args[k].id];
        if (of_operand == 0)
            continue;
        if (node->op == EXPR_SUM)
            degree = of_operand > degree ? of_operand : degree;
        else if (node->op == EXPR_PRODUCT && node->coefs[k] > 0 && node->coefs[k] < NO_DEGREE)
            degree += of_operand * (unsigned long)node->coefs[k];
        else
            return NO_DEGREE;
    }
    return degree < NO_DEGREE ? (uint8_t)degree : NO_DEGREE;
}

/* The degree of L in the velocities. */
static Status velocity_degree(const Model *m, const ExprPool *pool, uint8_t *ret, Error *err)
{
    /* operands have smaller ids, so degrees are needed up to L's id only */
    uint8_t *degrees = calloc((size_t)m->L.id + 1, 1);

    if (!degrees)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < m->n; i++)
        if (m->sym.v[i].id <= m->L.id)
            degrees[m->sym.v[i].id] = 1;
    for (uint32_t id = 1; id <= m->L.id; id++) {
        const ExprNode node = expr_node(pool, (Expr){id});
        if (node.op != EXPR_SYMBOL)
            degrees[id] = node_degree(&node, degrees);
    }
    *ret = degrees[m->L.id];
    free(degrees);
    return OK;
}

/* v.M v / 2 with the velocities in M replaced by 0. */
static Expr quadratic_part(const Model *m, ExprPool *pool, const Expr *M, Expr *Mv)
{
    for (size_t i = 0; i < m->n; i++)
        Mv[i] = expr_dot(pool, m->n, M + i * m->n, m->sym.v);
    return expr_scale(pool, 0.5, expr_dot(pool, m->n, Mv, m->sym.v));
}

Status model_kinetic(const Model *model, ExprPool *pool, Expr *ret_T, Error *err)
{
    const size_t n = model->n;
    uint8_t degree = 0;
    Status status = velocity_degree(model, pool, &degree, err);

    if (status != OK)
        return status;
    if (degree == NO_DEGREE)
        return error_set(err, ERR_NOT_FOUND, "L is not written as a polynomial in the velocities");
    Arena arena = {0};
    Expr *M = ARENA_NEW(&arena, n * n, Expr), *zeros = ARENA_NEW(&arena, n, Expr);
    Expr *Mv = ARENA_NEW(&arena, n, Expr);
    status = arena_status(&arena, err);
    /* M at v = 0; if L has degree 2, M contains no velocities */
    if (status == OK) {
        for (size_t i = 0; i < n; i++)
            zeros[i] = expr_const(pool, 0);
        if (degree > 2)
            expr_substitute(pool, model->M, n * n, model->sym.v, zeros, n, M);
        else
            memcpy(M, model->M, n * n * sizeof *M);
        *ret_T = quadratic_part(model, pool, M, Mv);
    }
    arena_done(&arena);
    return status;
}
