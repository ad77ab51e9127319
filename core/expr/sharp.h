/* Which parts of expressions may change within a small part of a motion. */
#ifndef CORE_EXPR_SHARP_H
#define CORE_EXPR_SHARP_H

#include "core/expr/expr.h"

/* What may change much, and perhaps back, while what it is made of changes little, of the nodes under the
 * roots that one of the symbols below n_moving is under: all functions but sin, cos and corners; powers whose
 * exponent is negative, high or no number, and polynomials of such a degree in what is no symbol. Each is
 * told as an expression that changes much beside its own size where the node is narrow:
 * - of functions that bend without changing much, sqrt(u^2 + tiny) or log(1 + exp(u)), and of sinh, tan and
 *   atanh, which may rest at 0, the slope, but for a factor;
 * - of functions that are bounded the function less a bound, for they may rest at 0, too;
 * - of a product its narrow powers, for a simple factor may vanish throughout.
 * Writes the first `room` of them, and to the pool, and tells how many there are; with room 0 how many nodes. */
Status sharp_nodes(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                   Expr *ret_parts, size_t room, size_t *ret_n, Error *err) MUST_CHECK;

/* The guards of the corners under the roots, where they change sign: u of abs(u) and sign(u), a - b of
 * min, max and comparisons. Otherwise like sharp_nodes(). */
Status sharp_corners(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                     Expr *ret_guards, size_t room, size_t *ret_n, Error *err) MUST_CHECK;

#endif
