/* The builder of sums: terms sorted, like terms collected, and sin^2 + cos^2 joined. */
#include "core/expr/build.h"

#include <math.h>

#include "core/base/decimal.h"

/* Coefficients that are no short decimals, 1/3 x + 1/6 x - 1/2 x, have been rounded: what they have
 * cancelled down to their own rounding error is zero, as it must be for the structure of a model to be
 * seen. */
static const double CANCELLED = 0x1p-50;

/* More like terms in one sum are added up as doubles. */
enum { MOST_ALIKE = 64 };

SumBuild sum_begin(const ExprPool *pool)
{
    return (SumBuild){.base = pool->n_terms};
}

void sum_push(ExprPool *pool, SumBuild *sum, double coef, Expr e)
{
    if (expr_is_none(e)) {
        sum->failed = true;
        return;
    }
    const Node *node = pool_node(pool, e);
    if (node->op == EXPR_CONST) {
        sum->value = decimal_add(sum->value, decimal_multiply(coef, node->value));
        return;
    }
    if (node->op != EXPR_SUM) {
        if (coef != 0.0 && !pool_push_term(pool, e, coef))
            sum->failed = true;
        return;
    }
    sum->value = decimal_add(sum->value, decimal_multiply(coef, node->value));
    for (uint32_t k = 0; k < node->n && !sum->failed; k++) {
        double product = decimal_multiply(coef, pool->coefs[node->first + k]);
        if (product != 0.0 && !pool_push_term(pool, pool->args[node->first + k], product))
            sum->failed = true;
    }
}

static double add_rounded(const Term *terms, size_t n)
{
    double sum = 0, largest = 0;

    for (size_t k = 0; k < n; k++) {
        sum += terms[k].coef;
        largest = fmax(largest, fabs(terms[k].coef));
    }
    return isfinite(sum) && fabs(sum) <= CANCELLED * largest ? 0 : sum;
}

/* Collects n equal terms; returns how many are left, of different size. */
static size_t collect_alike(Term *terms, size_t n)
{
    double coefs[MOST_ALIKE];
    size_t left;

    for (size_t k = 0; k < n && k < MOST_ALIKE; k++)
        coefs[k] = terms[k].coef;
    if (n > MOST_ALIKE || !decimal_collect(coefs, n, &left)) {
        terms[0].coef = add_rounded(terms, n);
        return terms[0].coef != 0;
    }
    for (size_t k = 0; k < left; k++)
        terms[k].coef = coefs[k];
    return left;
}

/* Adds up the coefficients of equal terms in terms[base ..], which are sorted. Decimals too different
 * in size for one double, 1e14 x + 1e-14 x, remain two terms: nothing of a model is lost. */
static void collect_terms(ExprPool *pool, size_t base)
{
    Term *terms = pool->terms;
    size_t out = base;

    for (size_t i = base, end; i < pool->n_terms; i = end) {
        size_t left = terms[i].coef != 0;
        for (end = i + 1; end < pool->n_terms && expr_same(terms[end].e, terms[i].e);)
            end++;
        if (end - i > 1)
            left = collect_alike(terms + i, end - i);
        for (size_t k = 0; k < left; k++)
            terms[out++] = terms[i + k];
    }
    pool->n_terms = out;
}

static bool sum_all_finite(const Term *terms, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!isfinite(terms[k].coef))
            return false;
    return true;
}

/* The node of the canonical terms[base ..]. */
static Expr sum_node(ExprPool *pool, size_t base, double value)
{
    const Term *terms = pool->terms + base;
    size_t n = pool->n_terms - base;

    if (!isfinite(value) || !sum_all_finite(terms, n))
        return pool_fail_finite(pool, "a constant in a sum is not a finite number");
    if (n == 0)
        return expr_const(pool, value);
    if (n == 1 && value == 0.0 && terms[0].coef == 1.0)
        return terms[0].e;
    return pool_intern(pool, &(Shape){.op = EXPR_SUM,
                                      .n = (uint32_t)n,
                                      .terms = terms,
                                      .value = value + 0.0}); /* -0 becomes 0 */
}

Expr sum_end(ExprPool *pool, SumBuild *sum)
{
    Expr result = EXPR_NONE;

    if (!sum->failed && pool->status == OK) {
        do {
            pool_sort_terms(pool, sum->base);
            collect_terms(pool, sum->base);
        } while (sum_join_squares(pool, sum->base, &sum->value));
        if (pool->status == OK)
            result = sum_node(pool, sum->base, sum->value);
    }
    pool->n_terms = sum->base;
    return result;
}

bool sum_is_negative(const ExprPool *pool, Expr e)
{
    const Node *node = pool_node(pool, e);
    return node->op == EXPR_SUM && pool->coefs[node->first] < 0.0;
}

/* The size that all coefficients and the constant of a sum share, or 1. */
static double common_size(const ExprPool *pool, const Node *sum)
{
    double size = fabs(pool->coefs[sum->first]);

    if (sum->value != 0.0 && fabs(sum->value) != size)
        return 1.0;
    for (uint32_t k = 1; k < sum->n; k++)
        if (fabs(pool->coefs[sum->first + k]) != size)
            return 1.0;
    return size;
}

Expr sum_split_content(ExprPool *pool, Expr e, double *ret_factor)
{
    const Node *node = pool_node(pool, e);

    *ret_factor = 1.0;
    if (node->op != EXPR_SUM || (node->flags & NODE_PRIMITIVE))
        return e;
    double factor = common_size(pool, node);
    if (pool->coefs[node->first] < 0.0)
        factor = -factor;
    *ret_factor = factor;
    uint32_t n = node->n, first = node->first;
    double value = decimal_divide(node->value, factor);
    size_t base = pool->n_terms;
    for (uint32_t k = 0; k < n; k++)
        if (!pool_push_term(pool, pool->args[first + k],
                            decimal_divide(pool->coefs[first + k], factor)))
            return EXPR_NONE;
    Expr rest = sum_node(pool, base, value);
    pool->n_terms = base;
    return rest;
}
