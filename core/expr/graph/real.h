/* The real numbers that doubles of a pool stand for, where a text means more than they hold: pi,
 * values of functions at constants, decimals and quotients of many digits, and what sums, products
 * and powers make of these. Programs calculate with the doubles; exact tests ask for the numbers.
 *
 * Every other double stands for what core/base/decimal.h says. That one which is no rational number
 * in that sense and was not made from a text is its shortest decimal, but for some units of its
 * last bit: it is vague.
 *
 * A double stands for one number. If two fall on it, the pool says so: expr_pool_rounded().
 * Numbers are told apart by their residues: each function value is an unknown of a prime field, at
 * which polynomials that differ have equal values with a chance of degree / 2^62 (J. T. Schwartz,
 * R. Zippel). Equal residues hence prove equal numbers; different ones do not prove different
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
    double value; /* roughly */
    double error; /* of the value, at most; infinite where it is not known */
    uint64_t residue;
} Real;

/* The number that a double without its sign stands for; 0: it is what core/base/decimal.h says. */
uint32_t expr_real_find(const ExprPool *pool, double value);
/* The number `real`, which is not 0. It lives as long as the pool is not written to. */
const Real *expr_real(const ExprPool *pool, uint32_t real);

#endif
