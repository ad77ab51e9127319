/* The terms lie on the pool's stack: every build must be ended, and builds nest. */
#ifndef CORE_EXPR_BUILD_H
#define CORE_EXPR_BUILD_H

#include "core/base/rational.h"
#include "core/expr/graph/pool.h"

/* Constants are added exactly, by the meanings of their doubles (core/base/decimal.h). */
typedef struct SumBuild {
    size_t base;  /* start of its terms on the stack */
    double value; /* constants that add up to one double; others are terms of the number 1 */
    bool split;   /* there are constants that are terms */
    bool made;    /* the value stands for `number`, see core/expr/graph/real.h */
    bool failed;
    uint32_t number;
} SumBuild;

SumBuild sum_begin(const ExprPool *pool);
void sum_push(ExprPool *pool, SumBuild *sum, double coef, Expr e);
/* Adds p * q * e, even if p * q is not one double. */
void sum_push_product(ExprPool *pool, SumBuild *sum, double p, double q, Expr e);
Expr sum_end(ExprPool *pool, SumBuild *sum);

/* Replaces pairs c w sin(u)^2 + c w cos(u)^2 among the sum's terms (canonical) by c w. True if
 * there were any; the new terms lie at the end. */
bool sum_join_squares(ExprPool *pool, SumBuild *sum);

/* The numeric factor is num / den, divided once at the end so that 5 * x / 3 has the factor 5/3. */
typedef struct ProductBuild {
    size_t base;
    double num, den;
    enum {
        PRODUCT_PLAIN, /* num and den are exact */
        PRODUCT_EXACT, /* num and den are rounded; `rational` is the factor */
        PRODUCT_REAL,  /* num and den are rounded; the factor is the number `real`, see
                        * core/expr/graph/real.h */
    } state;
    Rational rational; /* only of PRODUCT_EXACT */
    uint32_t real;     /* only of PRODUCT_REAL */
    bool zero;         /* a factor is the number 0 */
    bool failed;
} ProductBuild;

/* Integer powers beyond this are EXPR_POW. */
enum { PRODUCT_MAX_EXPONENT = 1000000 };

ProductBuild product_begin(const ExprPool *pool);
void product_push(ExprPool *pool, ProductBuild *product, Expr e, double exponent);
Expr product_end(ExprPool *pool, ProductBuild *product);

/* base^exponent with an integer exponent. */
Expr product_power(ExprPool *pool, Expr base, double exponent);
/* The sum of parts[k] * e. */
Expr sum_multiples(ExprPool *pool, const double *parts, size_t n, Expr e);

/* Splits e = ret_factor * result. The result has a canonical sign, and a canonical size if all
 * coefficients have the same size. The factor is 1 for everything except sums. */
Expr sum_split_content(ExprPool *pool, Expr e, double *ret_factor);

/* True if e is the negative of a canonical expression: a sum with a negative first coefficient. */
bool sum_is_negative(const ExprPool *pool, Expr e);

#endif
