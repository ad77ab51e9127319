/* Parts of expressions that may change within a small part of a motion. */
#ifndef CORE_EXPR_SHARP_H
#define CORE_EXPR_SHARP_H

#include "core/expr/graph/expr.h"

/* Finds the parts of expressions that may change much, and back, while their arguments change
 * little. These are nodes below the roots that depend on a symbol below n_moving: all functions
 * except sin, cos and corners; powers with a negative, high or variable exponent; and polynomials
 * of a high degree in nodes other than symbols. Each node is represented by an expression that
 * changes much relative to its own size if the node is narrow:
 * - the slope, up to a factor, of a function that bends without changing much, such as
 *   sqrt(u^2 + c) or log(1 + exp(u)), and of sinh, tan and atanh, which may rest at 0;
 * - a bounded function plus a bound, because it may rest at 0, too;
 * - the narrow powers of a product, because a simple factor may vanish throughout.
 * Writes the first `room` of them; writes to the pool. *ret_n is their number. With room 0 it is
 * the number of nodes, and nothing is written. */
Status sharp_nodes(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                   Expr *ret_parts, size_t room, size_t *ret_n, Error *err) MUST_CHECK;

/* The guards of the corners below the roots, which change sign there: u of abs(u) and sign(u),
 * a - b of min, max and comparisons. Otherwise like sharp_nodes(). */
Status sharp_corners(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t n_moving,
                     Expr *ret_guards, size_t room, size_t *ret_n, Error *err) MUST_CHECK;

#endif
