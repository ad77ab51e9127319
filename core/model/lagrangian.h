/* The terms derived from a Lagrangian L(q, v, t) on the graph, in any coordinates: those of the
 * model or of a chart.
 *
 *     p = L_v,  M = L_vv,  l = L_vq v + L_vt - L_q   (so that D/Dt L_v - L_q = M vdot + l),
 *     E = v.L_v - L,  and L_t. */
#ifndef CORE_MODEL_LAGRANGIAN_H
#define CORE_MODEL_LAGRANGIAN_H

#include "core/expr/graph/expr.h"

/* The symbols that expressions are functions of. Borrowed. */
typedef struct LagrangianSymbols {
    Expr t;
    const Expr *q, *v; /* n */
    size_t n;
    const Expr *params; /* n_params */
    size_t n_params;
} LagrangianSymbols;

/* Arrays are the caller's. */
typedef struct LagrangianTerms {
    Expr *p; /* n */
    Expr *M; /* n x n, symmetric */
    Expr *l; /* n */
    Expr energy, L_t;
} LagrangianTerms;

/* Fills all terms. False if out of memory; the pool has a status of its own. */
bool lagrangian_derive(ExprPool *pool, const LagrangianSymbols *symbols, Expr L,
                       LagrangianTerms *ret);

/* Multiplies the expressions out if that shortens a program that computes all of them: terms that
 * cancel or join inside factors are common in mechanics. False if out of memory. */
bool lagrangian_shorten(ExprPool *pool, const LagrangianSymbols *symbols, Expr *exprs,
                        size_t count);

#endif
