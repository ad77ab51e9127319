/* A pool owns every node. Building the same expression twice gives the same id, so comparing ids
 * compares expressions. An operand's id is always smaller than the id of the node that uses it. So
 * every pass over a pool is one forward (or backward) loop, and no recursion depth depends on a
 * client.
 *
 * Single builder calls report no failure. Past the node or depth limit, out of memory, or if a
 * constant would not be finite, they return EXPR_NONE. Every builder passes EXPR_NONE through.
 * Check once, with expr_pool_status().
 *
 * Builders keep a canonical form: sums and products are flat and sorted, like terms and powers are
 * collected, constants are folded, neutral and absorbing elements vanish, and
 * c sin(u)^2 + c cos(u)^2 becomes c. An identity is applied if it holds at every state at which
 * both sides are finite (x/x is 1).
 *
 * A pool has one writer. While it is not written to, any number of threads may read it. */
#ifndef CORE_EXPR_EXPR_H
#define CORE_EXPR_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

typedef struct ExprPool ExprPool;

/* A node of some pool; a value, copied freely. Zero is no node. */
typedef struct Expr {
    uint32_t id;
} Expr;

#define EXPR_NONE ((Expr){0})

static inline bool expr_same(Expr a, Expr b)
{
    return a.id == b.id;
}

static inline bool expr_is_none(Expr a)
{
    return a.id == 0;
}

/* The functions of the language: operation, name, number of operands, arguments and meaning for the
 * documentation. min and max of more operands are nested; log10, sqrt, ... as in C. */
/* clang-format off */
#define EXPR_FUNCTION_LIST(X) \
    X(EXPR_SIN, "sin", 1, "x", "sine; angles are in radians") \
    X(EXPR_COS, "cos", 1, "x", "cosine") \
    X(EXPR_TAN, "tan", 1, "x", "tangent") \
    X(EXPR_ASIN, "asin", 1, "x", "inverse sine, from -pi/2 to pi/2") \
    X(EXPR_ACOS, "acos", 1, "x", "inverse cosine, from 0 to pi") \
    X(EXPR_ATAN, "atan", 1, "x", "inverse tangent, from -pi/2 to pi/2") \
    X(EXPR_SINH, "sinh", 1, "x", "hyperbolic sine") \
    X(EXPR_COSH, "cosh", 1, "x", "hyperbolic cosine") \
    X(EXPR_TANH, "tanh", 1, "x", "hyperbolic tangent") \
    X(EXPR_ASINH, "asinh", 1, "x", "inverse hyperbolic sine") \
    X(EXPR_ACOSH, "acosh", 1, "x", "inverse hyperbolic cosine, not negative") \
    X(EXPR_ATANH, "atanh", 1, "x", "inverse hyperbolic tangent") \
    X(EXPR_EXP, "exp", 1, "x", "e to the power x") \
    X(EXPR_LOG, "log", 1, "x", "natural logarithm") \
    X(EXPR_LOG10, "log10", 1, "x", "logarithm to base 10") \
    X(EXPR_SQRT, "sqrt", 1, "x", "square root") \
    X(EXPR_CBRT, "cbrt", 1, "x", "cube root, also of negative x") \
    X(EXPR_ERF, "erf", 1, "x", "error function") \
    X(EXPR_ABS, "abs", 1, "x", "absolute value") \
    X(EXPR_SIGN, "sign", 1, "x", "-1, 0 or 1") \
    X(EXPR_ATAN2, "atan2", 2, "y, x", "angle of the point (x, y), from -pi to pi") \
    X(EXPR_POW, "pow", 2, "x, y", "x^y") \
    X(EXPR_HYPOT, "hypot", 2, "x, y", "sqrt(x^2 + y^2)") \
    X(EXPR_MIN, "min", 2, "a, b, ...", "least of two or more") \
    X(EXPR_MAX, "max", 2, "a, b, ...", "greatest of two or more")
/* clang-format on */

typedef enum ExprOp {
    EXPR_CONST,   /* value */
    EXPR_SYMBOL,  /* symbol: an index the caller chose */
    EXPR_SUM,     /* value + sum of coef[k] * arg[k]; no arg is a sum. A constant arg is 1, and
                   * its coef[k] is the part that `value` cannot hold (1e16 + 1). coefs are not 0 */
    EXPR_PRODUCT, /* product of arg[k] ^ coef[k]; exponents are nonzero integers; a numeric
                   * factor is a sum of one term around the product */
#define EXPR_FUNCTION_ENUM(op, name, operands, arguments, meaning) op,
    EXPR_FUNCTION_LIST(EXPR_FUNCTION_ENUM)
#undef EXPR_FUNCTION_ENUM
        EXPR_LT, /* conditions: 1 or 0; false with a NaN */
    EXPR_LE,
    EXPR_EQ,
    EXPR_NOT,
    EXPR_AND,
    EXPR_OR,
    EXPR_IF,      /* condition, value if it holds, value if not */
    EXPR_FACTOR,  /* an n x n matrix, row by row (n * n operands), factorized with pivoting;
                    `symbol`: 0, or 1 + r of expr_factor_saddle() */
    EXPR_SOLVE,   /* a factor and n right-hand sides: the solution vector; use EXPR_ELEMENT */
    EXPR_ELEMENT, /* component `symbol` of an EXPR_SOLVE */
    EXPR_RCOND,   /* of a factor: an estimate of 1/condition number of the scaled matrix */
} ExprOp;

/* A view of a node; args and coefs are valid until the pool is written to. */
typedef struct ExprNode {
    ExprOp op;
    uint32_t n; /* operands */
    const Expr *args;
    const double *coefs; /* of EXPR_SUM and EXPR_PRODUCT, else NULL */
    double value;        /* of EXPR_CONST and EXPR_SUM */
    uint32_t symbol;     /* of EXPR_SYMBOL and EXPR_ELEMENT */
} ExprNode;

/* Limits guard against expression bombs; 0 stands for the default. */
typedef struct ExprLimits {
    uint32_t max_nodes; /* default 400000 */
    uint32_t max_depth; /* default 1000: longest path from a node to a leaf */
} ExprLimits;

ExprPool *expr_pool_new(ExprLimits limits);      /* NULL if memory is out */
ExprPool *expr_pool_clone(const ExprPool *pool); /* same ids; NULL if memory is out */
void expr_pool_free(ExprPool *pool);             /* NULL is fine */
Status expr_pool_status(const ExprPool *pool, Error *err) MUST_CHECK;
/* For builders with memory of their own: makes the pool fail if that memory is out. */
void expr_pool_no_memory(ExprPool *pool);
/* True if two numbers have the same double, one is rounded to 0, or one is unknown
 * (core/expr/graph/real.h). Then the doubles of the pool may differ from the written numbers. */
bool expr_pool_rounded(const ExprPool *pool);
uint32_t expr_pool_size(const ExprPool *pool); /* ids are 1 .. size */
/* The work on the pool so far: operands hashed and written, places of the table examined, terms
 * moved while sorting, nodes visited by derivatives, bytes of text read into it. It is the same on
 * every machine, and so shows how the cost of an operation grows. */
uint64_t expr_pool_work(const ExprPool *pool);
ExprNode expr_node(const ExprPool *pool, Expr e);

/* A number of an expression: the fraction 1/3 is the double nearest to it (core/base/decimal.h). */
Expr expr_const(ExprPool *pool, double value);
/* A written decimal: 1.36986301369863 < 100/73, although both have the same double. */
Expr expr_decimal(ExprPool *pool, double value, const char *text, size_t length);
/* The value of a parameter: its shortest decimal. */
Expr expr_given(ExprPool *pool, double value);
Expr expr_pi(ExprPool *pool);
/* 1 / value as a coefficient, for a nonzero coefficient of the pool. It stands for the inverse of
 * the number that the value stands for. */
double expr_inverse(ExprPool *pool, double value);
Expr expr_symbol(ExprPool *pool, uint32_t symbol);
Expr expr_add(ExprPool *pool, Expr a, Expr b);
Expr expr_sub(ExprPool *pool, Expr a, Expr b);
Expr expr_neg(ExprPool *pool, Expr a);
Expr expr_mul(ExprPool *pool, Expr a, Expr b);
Expr expr_div(ExprPool *pool, Expr a, Expr b);
Expr expr_pow(ExprPool *pool, Expr a, Expr b);
Expr expr_scale(ExprPool *pool, double factor, Expr a);
Expr expr_abs(ExprPool *pool, Expr a);
/* Sum of coefs[k] * terms[k] in one go (coefs NULL: all 1); cheaper than n additions. */
Expr expr_sum(ExprPool *pool, size_t n, const double *coefs, const Expr *terms);
/* Sum of a[k] * b[k]. */
Expr expr_dot(ExprPool *pool, size_t n, const Expr *a, const Expr *b);
/* A function of EXPR_FUNCTION_LIST, a comparison, a connective or EXPR_IF. */
Expr expr_call(ExprPool *pool, ExprOp op, const Expr *args, size_t n);

/* Solves matrix x = rhs (n x n, row-major) by a pivoted factorization at run time; one factor
 * serves any number of right-hand sides and derivatives. Scaling rows by powers of two changes
 * neither pivots nor condition. */
Expr expr_factor(ExprPool *pool, size_t n, const Expr *matrix);
/* The same for a matrix [K B; C 0] in any units. The last r rows and columns are those of C and B
 * (r = 0: none). Rows and columns are first scaled to one size. Scaling K, a row of C or a column
 * of B by powers of two changes neither pivots nor condition. */
Expr expr_factor_saddle(ExprPool *pool, size_t n, size_t r, const Expr *matrix);
void expr_solve(ExprPool *pool, Expr factor, size_t n, const Expr *rhs, Expr *ret_x);
Expr expr_rcond(ExprPool *pool, Expr factor);

bool expr_is_const(const ExprPool *pool, Expr e, double *ret_value); /* ret_value may be NULL */
bool expr_is_zero(const ExprPool *pool, Expr e);
/* The same, and the written number is zero, too: see expr_pool_rounded(). */
bool expr_vanishes(const ExprPool *pool, Expr e);

/* ret[i]: the union of the bits classes[symbol] of the symbols below roots[i], for symbols below
 * n_symbols; others have none. One pass for all roots. */
Status expr_symbol_classes(const ExprPool *pool, const Expr *roots, size_t n,
                           const unsigned char *classes, size_t n_symbols, unsigned char *ret,
                           Error *err) MUST_CHECK;

/* Sets ret_used[symbol] = true for symbols < n_symbols below the roots; start with false. */
Status expr_used_symbols(const ExprPool *pool, const Expr *roots, size_t n, bool *ret_used,
                         size_t n_symbols, Error *err) MUST_CHECK;
/* Whether a symbol occurs below the roots; expr_may_use(): or if memory is out. */
Status expr_uses(const ExprPool *pool, const Expr *roots, size_t n, const Expr *symbols,
                 size_t n_symbols, bool *ret_uses, Error *err) MUST_CHECK;
bool expr_may_use(const ExprPool *pool, const Expr *roots, size_t n, const Expr *symbols,
                  size_t n_symbols);

/* Values of n expressions by a plain forward loop over the graph with the C library's functions:
 * the reference for tests, and good enough for a constant. symbols[symbol] are the inputs. */
Status expr_eval(const ExprPool *pool, const Expr *e, size_t n, const double *symbols,
                 double *ret_values, Error *err) MUST_CHECK;

#endif
