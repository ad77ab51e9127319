/* Potentials of closed forms, one symbol after the other. Integration by a few rules: sums, powers,
 * elementary functions f(u) beside a multiple of du/dsymbol, powers times sine, cosine and
 * exponential. */
#include "core/invariants/structure/hidden.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"

/* Factors of a product, and the largest power that is integrated by parts. Conventions. */
enum { MAX_FACTORS = 16, MAX_POWER = 6 };

/* A product: the factors with the symbol, and all the others as one. */
typedef struct Factors {
    ExprPool *pool;
    Expr symbol;
    Expr constant;
    Expr base[MAX_FACTORS];
    double power[MAX_FACTORS];
    size_t n;
} Factors;

static bool depends(const ExprPool *pool, Expr e, Expr symbol)
{
    return expr_may_use(pool, &e, 1, &symbol, 1);
}

static Expr call(ExprPool *pool, ExprOp op, Expr e)
{
    return expr_call(pool, op, &e, 1);
}

static Expr power(ExprPool *pool, Expr base, double exponent)
{
    return expr_pow(pool, base, expr_const(pool, exponent));
}

/* log|e|, without a corner */
static Expr log_of(ExprPool *pool, Expr e)
{
    return expr_scale(pool, 0.5, call(pool, EXPR_LOG, power(pool, e, 2)));
}

static bool take_factor(Factors *f, Expr base, double exponent)
{
    if (!depends(f->pool, base, f->symbol)) {
        f->constant = expr_mul(f->pool, f->constant, power(f->pool, base, exponent));
        return true;
    }
    if (f->n == MAX_FACTORS)
        return false;
    f->base[f->n] = base;
    f->power[f->n++] = exponent;
    return true;
}

static bool take_factors(Factors *f, ExprPool *pool, Expr e, Expr symbol)
{
    ExprNode node = expr_node(pool, e);

    *f = (Factors){.pool = pool, .symbol = symbol, .constant = expr_const(pool, 1)};
    if (node.op != EXPR_PRODUCT)
        return take_factor(f, e, 1);
    const uint32_t n = node.n;
    for (uint32_t k = 0; k < n; k++) {
        node = expr_node(pool, e); /* the pool may have moved */
        if (!take_factor(f, node.args[k], node.coefs[k]))
            return false;
    }
    return true;
}

/* The product of all moving factors but one. */
static Expr others(const Factors *f, size_t without)
{
    Expr product = expr_const(f->pool, 1);

    for (size_t k = 0; k < f->n; k++)
        if (k != without)
            product = expr_mul(f->pool, product, power(f->pool, f->base[k], f->power[k]));
    return product;
}

/* Antiderivatives by u of f(u)^exponent; NONE when not in the table. */
static Expr function_integral(ExprPool *pool, ExprOp op, Expr u, double exponent)
{
    /* functions whose integral is a function again */
    if (exponent == 1 && op == EXPR_SIN)
        return expr_neg(pool, call(pool, EXPR_COS, u));
    if (exponent == 1 && op == EXPR_COS)
        return call(pool, EXPR_SIN, u);
    if (exponent == 1 && op == EXPR_SINH)
        return call(pool, EXPR_COSH, u);
    if (exponent == 1 && op == EXPR_COSH)
        return call(pool, EXPR_SINH, u);
    if (exponent == 1 && op == EXPR_TAN)
        return expr_neg(pool, log_of(pool, call(pool, EXPR_COS, u)));
    if (exponent == -2 && op == EXPR_COS)
        return call(pool, EXPR_TAN, u);
    /* powers of exponentials and roots */
    if (op == EXPR_EXP)
        return expr_scale(pool, 1 / exponent, power(pool, call(pool, EXPR_EXP, u), exponent));
    if (op == EXPR_SQRT && exponent != -2)
        return expr_scale(pool, 2 / (exponent + 2),
                          power(pool, call(pool, EXPR_SQRT, u), exponent + 2));
    /* squares of sine and cosine by twice the angle */
    if (exponent == 2 && (op == EXPR_SIN || op == EXPR_COS)) {
        Expr twice = expr_scale(pool, 0.25, call(pool, EXPR_SIN, expr_scale(pool, 2, u)));
        Expr half = expr_scale(pool, 0.5, u);
        return op == EXPR_SIN ? expr_sub(pool, half, twice) : expr_add(pool, half, twice);
    }
    return EXPR_NONE;
}

/* Integrates if the factors beside f(u), or u^p, are a multiple of du/dsymbol. */
static bool by_substitution(const Factors *f, size_t k, Expr *ret)
{
    ExprPool *pool = f->pool;
    const Expr base = f->base[k], rest = others(f, k);
    const double exponent = f->power[k];
    Expr quotient = expr_div(pool, rest, expr_diff(pool, base, f->symbol));

    if (!expr_is_none(quotient) && !depends(pool, quotient, f->symbol)) {
        Expr integral = exponent == -1
                            ? log_of(pool, base)
                            : expr_scale(pool, 1 / (exponent + 1), power(pool, base, exponent + 1));
        *ret = expr_mul(pool, quotient, integral);
        return true;
    }
    /* or a function of its argument */
    ExprNode node = expr_node(pool, base);
    if (node.op < EXPR_SIN || node.n != 1)
        return false;
    const ExprOp op = node.op;
    const Expr u = node.args[0];
    quotient = expr_div(pool, rest, expr_diff(pool, u, f->symbol));
    if (expr_is_none(quotient) || depends(pool, quotient, f->symbol))
        return false;
    Expr integral = function_integral(pool, op, u, exponent);
    if (expr_is_none(integral))
        return false;
    *ret = expr_mul(pool, quotient, integral);
    return true;
}

/* symbol^p f(u), u linear in the symbol, by parts. */
static bool by_parts(const Factors *f, Expr *ret)
{
    ExprPool *pool = f->pool;
    if (f->n != 2)
        return false;
    const size_t k = expr_same(f->base[0], f->symbol) ? 0 : 1;
    const double p = f->power[k];
    if (!expr_same(f->base[k], f->symbol) || !(p >= 1 && p <= MAX_POWER) || f->power[1 - k] != 1)
        return false;

    Expr sum = expr_const(pool, 0), inner = f->base[1 - k];
    double factor = 1;
    for (double left = p; left >= 0; left--) {
        Factors single;
        ExprNode node = expr_node(pool, inner);
        /* the integral of a multiple of f is one of sin, cos or exp again */
        if (node.op == EXPR_SUM && node.n == 1 && node.value == 0) {
            factor *= node.coefs[0];
            inner = node.args[0];
        }
        if (!take_factors(&single, pool, inner, f->symbol) || single.n != 1 ||
            !by_substitution(&single, 0, &inner))
            return false;
        inner = expr_mul(pool, single.constant, inner);
        sum =
            expr_add(pool, sum,
                     expr_scale(pool, factor, expr_mul(pool, power(pool, f->symbol, left), inner)));
        factor *= -left;
    }
    *ret = sum;
    return true;
}

static bool term_integral(ExprPool *pool, Expr e, Expr symbol, Expr *ret)
{
    Factors f;
    Expr integral = EXPR_NONE;
    bool found = false;

    /* a constant, then substitution, then parts */
    if (!depends(pool, e, symbol)) {
        *ret = expr_mul(pool, e, symbol);
        return true;
    }
    if (!take_factors(&f, pool, e, symbol))
        return false;
    for (size_t k = 0; k < f.n && !found; k++)
        found = by_substitution(&f, k, &integral);
    if (!found)
        found = by_parts(&f, &integral);
    if (found)
        *ret = expr_mul(pool, f.constant, integral);
    return found;
}

/* G with dG/dsymbol = e. */
static bool antiderivative(ExprPool *pool, Expr e, Expr symbol, Expr *ret)
{
    Expr whole, sum;

    /* as it stands, then multiplied out */
    if (expr_node(pool, e).op != EXPR_SUM && term_integral(pool, e, symbol, ret))
        return true;
    expr_expand(pool, &e, 1, &whole);
    if (expr_is_none(whole))
        return false;
    ExprNode node = expr_node(pool, whole);
    if (node.op != EXPR_SUM)
        return term_integral(pool, whole, symbol, ret);
    sum = expr_scale(pool, node.value, symbol);
    const uint32_t n = node.n;
    for (uint32_t k = 0; k < n; k++) {
        node = expr_node(pool, whole); /* the pool may have moved */
        const double coef = node.coefs[k];
        Expr integral;
        if (!term_integral(pool, node.args[k], symbol, &integral))
            return false;
        sum = expr_add(pool, sum, expr_scale(pool, coef, integral));
    }
    *ret = sum;
    return !expr_is_none(sum);
}

bool potential(ExprPool *pool, const Expr *form, const Expr *symbols, size_t n, Expr *ret)
{
    Expr *left = alloc_array(n, sizeof *left), F = expr_const(pool, 0);
    bool found = left != NULL;

    if (found)
        memcpy(left, form, n * sizeof *left);
    for (size_t k = 0; k < n && found; k++) {
        Expr part;
        if (expr_is_none(left[k]))
            found = false;
        if (!found || expr_is_zero(pool, left[k]))
            continue;
        /* the rest may not depend on the symbols before */
        for (size_t j = 0; j < k && found; j++)
            found = !depends(pool, left[k], symbols[j]);
        found = found && antiderivative(pool, left[k], symbols[k], &part);
        if (!found)
            break;
        F = expr_add(pool, F, part);
        for (size_t j = k + 1; j < n; j++) {
            left[j] = expr_sub(pool, left[j], expr_diff(pool, part, symbols[j]));
            expr_expand(pool, &left[j], 1, &left[j]);
        }
    }
    free(left);
    if (found && !expr_is_none(F))
        *ret = F;
    return found && !expr_is_none(F);
}
