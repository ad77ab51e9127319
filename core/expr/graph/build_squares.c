/* c w sin(u)^2 + c w cos(u)^2 = c w. This makes the mass matrix of a rotating body constant. */
#include "core/expr/graph/build.h"

/* Longer products are skipped, because finding the partners of n factors costs n^2. */
enum { MAX_FACTORS = 64 };

/* Pushes the factors of a product without a square of `e`. */
static bool push_factors(ExprPool *pool, Expr product, Expr e)
{
    for (uint32_t k = 0; k < pool_node(pool, product)->n; k++) {
        Expr factor = pool_arg(pool, product, k);
        double exponent = pool_coef(pool, product, k);
        if (expr_same(factor, e))
            exponent -= 2.0;
        if (exponent != 0.0 && !pool_push_term(pool, factor, exponent))
            return false;
    }
    return true;
}

/* Finds the product with cos(u)^2 in place of sin(u)^2; EXPR_NONE if it is not a node. */
static Expr find_partner(ExprPool *pool, Expr product, Expr sine, Expr cosine)
{
    size_t base = pool->n_terms;
    bool has_cosine = false;
    Expr partner = EXPR_NONE;

    if (push_factors(pool, product, sine)) {
        /* raise the exponent of the cosine, or add the factor */
        for (size_t i = base; i < pool->n_terms; i++) {
            if (expr_same(pool->terms[i].e, cosine)) {
                pool->terms[i].coef += 2.0;
                has_cosine = true;
            }
        }
        if (has_cosine || pool_push_term(pool, cosine, 2.0)) {
            pool_sort_terms(pool, base);
            partner = pool_find(pool, &(Shape){.op = EXPR_PRODUCT,
                                               .n = (uint32_t)(pool->n_terms - base),
                                               .terms = pool->terms + base});
        }
    }
    pool->n_terms = base;
    return partner;
}

/* The term at `place` is c w sin(u)^2: finds c w cos(u)^2 among the terms and joins the two. */
static bool join_term(ExprPool *pool, SumBuild *sum, size_t end, size_t place)
{
    Expr product = pool->terms[place].e;
    double coef = pool->terms[place].coef;

    if (pool_node(pool, product)->n > MAX_FACTORS)
        return false;
    for (uint32_t k = 0; k < pool_node(pool, product)->n; k++) {
        Expr sine = pool_arg(pool, product, k);
        if (pool_op(pool, sine) != EXPR_SIN || pool_coef(pool, product, k) < 2.0)
            continue;
        Expr angle = pool_arg(pool, sine, 0);
        /* the cosine of the angle and c times the product with its square must exist */
        Expr cosine = pool_find(pool, &(Shape){.op = EXPR_COS, .n = 1, .args = &angle});
        if (expr_is_none(cosine))
            continue;
        Expr partner = find_partner(pool, product, sine, cosine);
        if (expr_is_none(partner))
            continue;
        size_t other = pool_find_term(pool, sum->base, end, partner);
        if (other == end || pool->terms[other].coef != coef)
            continue;

        /* c w sin^2 + c w cos^2 = c w: replace both terms by c w */
        ProductBuild rest = product_begin(pool);
        rest.failed = !push_factors(pool, product, sine);
        Expr factor = product_end(pool, &rest);
        pool->terms[place].coef = pool->terms[other].coef = 0.0;
        sum_push(pool, sum, coef, factor);
        return true;
    }
    return false;
}

bool sum_join_squares(ExprPool *pool, SumBuild *sum)
{
    size_t end = pool->n_terms;
    unsigned seen = 0;
    bool joined = false;

    for (size_t i = sum->base; i < end; i++)
        seen |= pool_node(pool, pool->terms[i].e)->flags;
    if (!(seen & NODE_SIN_SQUARED) || !(seen & NODE_COS_SQUARED))
        return false;
    for (size_t i = sum->base; i < end && pool->status == OK; i++) {
        unsigned flags = pool_node(pool, pool->terms[i].e)->flags;
        if (pool->terms[i].coef != 0.0 && (flags & NODE_SIN_SQUARED))
            joined |= join_term(pool, sum, end, i);
    }
    return joined;
}
