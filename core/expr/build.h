/* Sums and products under construction. Private to core/expr.
 *
 * The terms lie on the pool's stack: a build that was begun must be ended, and builds nest. */
#ifndef CORE_EXPR_BUILD_H
#define CORE_EXPR_BUILD_H

#include "core/expr/pool.h"

typedef struct SumBuild {
    size_t base; /* of its terms on the stack */
    double value;
    bool failed;
} SumBuild;

SumBuild sum_begin(const ExprPool *pool);
void sum_push(ExprPool *pool, SumBuild *sum, double coef, Expr e);
Expr sum_end(ExprPool *pool, SumBuild *sum);

/* Replaces pairs c w sin(u)^2 + c w cos(u)^2 among terms[base ..] (canonical) by c w. True when
 * there were any: the new terms lie at the end, and those without a factor w are added to
 * *value. */
bool sum_join_squares(ExprPool *pool, size_t base, double *value);

/* The numeric factor is num / den, divided once at the end so that 5 * x / 3 has the factor 5/3. */
typedef struct ProductBuild {
    size_t base;
    double num, den;
    bool failed;
} ProductBuild;

/* Integer powers beyond this are EXPR_POW. */
enum { PRODUCT_MAX_EXPONENT = 1000000 };

ProductBuild product_begin(const ExprPool *pool);
void product_push(ExprPool *pool, ProductBuild *product, Expr e, double exponent);
Expr product_end(ExprPool *pool, ProductBuild *product);

/* e = ret_factor * result with a result whose sign, and size where all coefficients agree, are
 * canonical. The factor is 1 for everything but sums. */
Expr sum_split_content(ExprPool *pool, Expr e, double *ret_factor);

/* True when e is minus something canonical: sums whose first coefficient is negative. */
bool sum_is_negative(const ExprPool *pool, Expr e);

#endif
