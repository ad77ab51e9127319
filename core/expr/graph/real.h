/* The real numbers that doubles of a pool stand for, if a text means more than a double holds: pi,
 * values of functions at constants, decimals and quotients of many digits, and sums, products and
 * powers of these. Programs calculate with the doubles; exact tests use the numbers.
 *
 * Every other double has the meaning of core/base/decimal.h. If it is not a rational number in that
 * sense and not made from a text, it is its shortest decimal, up to some units of its last bit.
 * Such a number is vague.
 *
 * A double stands for one number. If two numbers have the same double, expr_pool_rounded() is true.
 * Numbers are told apart by their residues: each function value is an unknown of a prime field, at
 * which different polynomials have equal values with a chance of degree / 2^62 (J. T. Schwartz, R.
 * Zippel). Hence equal residues prove equal numbers, but different residues do not prove different
 * numbers: log(6) and log(2) + log(3). */
#ifndef CORE_EXPR_REAL_H
#define CORE_EXPR_REAL_H

#include "core/base/rational.h"
#include "core/expr/graph/expr.h"

typedef struct Real {
    ExprOp
        op; /* EXPR_CONST: `rational`; EXPR_SUM and EXPR_PRODUCT: of a and b; EXPR_POW: a to b; or
                        another function of a, or of a and b */
    uint32_t a, b; /* numbers of the pool, made before this one; 0: none */
    Rational rational;
    bool vague;   /* of EXPR_CONST */
    double value; /* approximately */
    double error; /* bound on the value's error; infinite if unknown */
    uint64_t residue;
} Real;

/* The number that a double without its sign stands for; 0: the meaning of core/base/decimal.h. */
uint32_t expr_real_find(const ExprPool *pool, double value);
/* The number `real`, which is not 0. It is valid until the pool is written to. */
const Real *expr_real(const ExprPool *pool, uint32_t real);

#endif
