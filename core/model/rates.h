/* Derivatives along a motion, and the symbols of a state in the order of all programs. */
#ifndef CORE_MODEL_RATES_H
#define CORE_MODEL_RATES_H

#include "core/model/model.h"

/* A direction in the space of (q, v, t): q changes by qdot, v by vdot, t by 1. */
typedef struct Direction {
    size_t n;
    const Expr *q, *qdot;
    const Expr *v, *vdot; /* NULL: v does not change */
    Expr t;               /* EXPR_NONE: t does not change */
} Direction;

/* ret[k] = d roots[k] along the direction: e_q qdot + e_v vdot + e_t. The roots are differentiated
 * together and share their work; ret may not overlap roots. */
void rates_along(ExprPool *pool, const Direction *direction, const Expr *roots, size_t n_roots,
                 Expr *ret);

/* D/Dt e = e_q v + e_v vdot + e_t along the motions of the model. */
void rates_total(ExprPool *pool, const Model *model, const Expr *roots, size_t n_roots, Expr *ret);

/* The part of D/Dt e without accelerations: e_q v + e_t. */
void rates_without_acceleration(ExprPool *pool, const Model *model, const Expr *roots,
                                size_t n_roots, Expr *ret);

/* Along the lift of the field Y(q, t) to the velocities: q changes by Y, v by Y_q v.
 * False when out of memory. */
bool rates_lifted(ExprPool *pool, const Model *model, const Expr *Y, const Expr *roots,
                  size_t n_roots, Expr *ret);

/* The inputs t, q, v of programs over a state: ret[1 + 2 n]. */
void rates_state(const Model *model, Expr *ret);

#endif
