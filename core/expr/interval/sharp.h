/* Which parts of expressions may change within a small part of a motion. */
#ifndef CORE_EXPR_SHARP_H
#define CORE_EXPR_SHARP_H

#include "core/expr/graph/expr.h"

/* The parts of expressions that may change much, and back, while their arguments change little.
 * These are the nodes under the roots that depend on a symbol below n_moving: all functions but
 * sin, cos and corners; powers whose exponent is negative, high or no number; and polynomials of
 * such a degree in what is no symbol. Each node is told as an expression that changes much, beside
 * its own size, if the node is narrow:
 * - the slope, but for a factor, of a function that bends without changing much, as sqrt(u^2 + c)
 *   or log(1 + exp(u)), and of sinh, tan and atanh, which may rest at 0;
 * - a bounded function plus a bound, for it may rest at 0, too;
 * - the narrow powers of a product, for a simple factor may vanish throughout.
 * Writes the first `room` of them, and to the pool. *ret_n: how many there are; with room 0, how
 * many nodes, and nothing is written. */
Status sharp_nodes(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                   Expr *ret_parts, size_t room, size_t *ret_n, Error *err) MUST_CHECK;

/* The guards of the corners under the roots, where they change sign: u of abs(u) and sign(u), a - b
 * of min, max and comparisons. Otherwise like sharp_nodes(). */
Status sharp_corners(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                     Expr *ret_guards, size_t room, size_t *ret_n, Error *err) MUST_CHECK;

#endif
