/* Which parts of expressions may change within a small part of a motion. */
#ifndef CORE_EXPR_SHARP_H
#define CORE_EXPR_SHARP_H

#include "core/expr/expr.h"

/* The nodes under the roots that may change much, and perhaps back, while what they are made of
 * changes little: all functions but sin, cos and corners; powers whose exponent is negative, high or no
 * number, and polynomials of such a degree in what is no symbol. Only those that one of the symbols
 * below n_moving is under. Writes the first `room` of them and tells how many there are. */
Status sharp_nodes(const ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                   Expr *ret_nodes, size_t room, size_t *ret_n, Error *err) MUST_CHECK;

/* Does the node bend within a small part, without changing much: sqrt(u^2 + tiny), log(1 + exp(u))? Then
 * its slope, but for a factor, does change. */
bool sharp_bends(const ExprPool *pool, Expr node);
Expr sharp_slope(ExprPool *pool, Expr node);

/* The guards of the corners under the roots, where they change sign: u of abs(u) and sign(u), a - b of
 * min, max and comparisons. Otherwise like sharp_nodes(), but for the pool, which is written to. */
Status sharp_corners(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                     Expr *ret_guards, size_t room, size_t *ret_n, Error *err) MUST_CHECK;

#endif
