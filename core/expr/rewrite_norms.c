/* Derivatives of norms, in the middle: h = hypot(u, w) has the derivative (u du + w dw)/h, which is
 * 0/0 where u = w = 0. A product of h with what vanishes there, such as h u, has the derivative 0
 * all the same. */
#include "core/expr/build.h"
#include "core/expr/calculus.h"
#include "core/expr/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

/* hypot(h, LEAST) is h to the last bit but next to 0, where its square is a number still. */
static const double LEAST = 1e-150;

enum { MOST_NORMS = 16, MOST_PARTS = 16 };

/* A norm under the roots, and what it is the norm of, up to constant factors. */
typedef struct Norm {
    Expr h;
    Expr parts[MOST_PARTS];
    size_t n_parts;
} Norm;

/* How an expression goes to 0 where all parts of a norm do: like the power `order` of the norm, at
 * least. One that is not `continuous` is bounded by that power, but has no value in the middle. */
typedef struct Decay {
    double order;
    bool continuous;
} Decay;

/* e without a constant factor: e of 2*e. */
static Expr without_factor(const ExprPool *pool, Expr e)
{
    const Node *node = pool_node(pool, e);
    return node->op == EXPR_SUM && node->n == 1 && node->value == 0 ? pool_arg(pool, e, 0) : e;
}

static void add_part(Norm *norm, Expr part)
{
    if (norm->n_parts < MOST_PARTS)
        norm->parts[norm->n_parts] = part;
    norm->n_parts++;
}

/* sqrt of a sum of squares. False when it is no norm. */
static bool parts_of_root(const ExprPool *pool, Expr u, Norm *norm)
{
    const Node *node = pool_node(pool, u);

    if (node->op != EXPR_SUM || node->value != 0)
        return false;
    for (uint32_t k = 0; k < node->n; k++) {
        const Expr term = pool_arg(pool, u, k);
        if (!(pool_coef(pool, u, k) > 0) || pool_op(pool, term) != EXPR_PRODUCT ||
            pool_node(pool, term)->n != 1 || pool_coef(pool, term, 0) != 2)
            return false;
        add_part(norm, without_factor(pool, pool_arg(pool, term, 0)));
    }
    return true;
}

static bool norm_of(const ExprPool *pool, Expr e, Norm *norm)
{
    *norm = (Norm){.h = e};
    if (pool_op(pool, e) == EXPR_HYPOT) {
        add_part(norm, without_factor(pool, pool_arg(pool, e, 0)));
        add_part(norm, without_factor(pool, pool_arg(pool, e, 1)));
    } else if (pool_op(pool, e) != EXPR_SQRT || !parts_of_root(pool, pool_arg(pool, e, 0), norm))
        return false;
    for (size_t k = 0; k < norm->n_parts && k < MOST_PARTS; k++)
        if (pool_op(pool, norm->parts[k]) == EXPR_CONST)
            return false; /* hypot(u, 1) is never 0 */
    return norm->n_parts <= MOST_PARTS;
}

/* The norms that some product divides by. */
static size_t divisors(const Reach *reach, const ExprPool *pool, Norm *ret)
{
    size_t n = 0;

    for (uint32_t i = 0; i < reach->n; i++) {
        const Expr e = reach->order[i];
        if (pool_op(pool, e) != EXPR_PRODUCT)
            continue;
        for (uint32_t k = 0; k < pool_node(pool, e)->n && n < MOST_NORMS; k++) {
            const Expr h = pool_arg(pool, e, k);
            bool new = pool_coef(pool, e, k) < 0;
            for (size_t j = 0; j < n; j++)
                new = new && !expr_same(ret[j].h, h);
            if (new &&norm_of(pool, h, &ret[n]))
                n++;
        }
    }
    return n;
}

static Decay of_sum(const Reach *reach, const ExprPool *pool, Expr e, const Decay *decays)
{
    const Node *node = pool_node(pool, e);
    Decay decay = {node->value != 0 ? 0 : 1e9, true};

    for (uint32_t k = 0; k < node->n; k++) {
        const Decay term = decays[reach->slot[pool_arg(pool, e, k).id]];
        decay.continuous = decay.continuous && term.continuous;
        if (term.order < decay.order)
            decay.order = term.order;
    }
    return decay;
}

/* What is divided by has to be the norm, once or twice, or not to vanish with it. */
static Decay of_product(const Reach *reach, const ExprPool *pool, Expr e, const Norm *norm,
                        const Decay *decays)
{
    Decay decay = {0, true};

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        const Expr factor = pool_arg(pool, e, k);
        const double exponent = pool_coef(pool, e, k);
        const Decay of_factor = decays[reach->slot[factor.id]];
        const bool divided = exponent < 0 && (of_factor.order > 0 || !of_factor.continuous);
        decay.order += exponent * of_factor.order;
        decay.continuous = decay.continuous && of_factor.continuous && !divided;
        if (divided && (!expr_same(factor, norm->h) || exponent < -2))
            return (Decay){-1e9, false};
    }
    decay.continuous = decay.continuous || decay.order > 0;
    return decay;
}

static Decay decay_of(const Reach *reach, const ExprPool *pool, Expr e, const Norm *norm,
                      const Decay *decays)
{
    const ExprOp op = pool_op(pool, e);
    Decay decay = {0, true};

    if (expr_same(e, norm->h))
        return (Decay){1, true};
    for (size_t k = 0; k < norm->n_parts; k++)
        if (expr_same(e, norm->parts[k]))
            return (Decay){1, true};
    if (op == EXPR_SUM)
        return of_sum(reach, pool, e, decays);
    if (op == EXPR_PRODUCT)
        return of_product(reach, pool, e, norm, decays);
    /* nothing is known of what functions make of it */
    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++)
        decay.continuous =
            decay.continuous && decays[reach->slot[pool_arg(pool, e, k).id]].continuous;
    return decay;
}

static bool has_limits(const Reach *reach, const ExprPool *pool, const Expr *roots, size_t n,
                       const Norm *norm, Decay *decays)
{
    for (uint32_t i = 0; i < reach->n; i++)
        decays[i] = decay_of(reach, pool, reach->order[i], norm, decays);
    for (size_t i = 0; i < n; i++)
        if (!decays[reach->slot[roots[i].id]].continuous)
            return false;
    return true;
}

/* ret[slot of a norm of which all roots have limits in the middle]: what is never 0 instead. */
static bool find_softer(Rewrite *rewrite, const Expr *roots, size_t n, Expr *ret)
{
    ExprPool *pool = rewrite->pool;
    Norm *norms = alloc_array(MOST_NORMS, sizeof *norms);
    Decay *decays = alloc_array(rewrite->reach.n, sizeof *decays);
    bool any = false;

    if (!norms || !decays)
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    const size_t n_norms = pool->status == OK ? divisors(&rewrite->reach, pool, norms) : 0;
    for (size_t k = 0; k < n_norms; k++)
        if (has_limits(&rewrite->reach, pool, roots, n, &norms[k], decays)) {
            const Expr sides[2] = {norms[k].h, expr_const(pool, LEAST)};
            ret[rewrite->reach.slot[norms[k].h.id]] = expr_call(pool, EXPR_HYPOT, sides, 2);
            any = true;
        }
    free(decays);
    free(norms);
    return any;
}

/* What multiplies stays the norm, which is 0 in the middle; what divides must not be. */
static Expr divide_softly(const Rewrite *rewrite, Expr e, const Expr *softer)
{
    ExprPool *pool = rewrite->pool;
    ProductBuild product = product_begin(pool);

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        const Expr factor = pool_arg(pool, e, k);
        const double exponent = pool_coef(pool, e, k);
        const Expr instead = softer[rewrite->reach.slot[factor.id]];
        const bool soft = exponent < 0 && !expr_is_none(instead);
        product_push(pool, &product, soft ? instead : rewrite_of(rewrite, factor), exponent);
    }
    return product_end(pool, &product);
}

static void soften(Rewrite *rewrite, const Expr *softer)
{
    ExprPool *pool = rewrite->pool;

    for (uint32_t i = 0; i < rewrite->reach.n && pool->status == OK; i++) {
        const Expr e = rewrite->reach.order[i];
        rewrite->to[i] = pool_op(pool, e) == EXPR_PRODUCT ? divide_softly(rewrite, e, softer)
                                                          : rewrite_node(rewrite, e);
    }
}

void expr_soften_norms(ExprPool *pool, const Expr *roots, size_t n, Expr *ret)
{
    Rewrite rewrite = {0};
    bool known = true;

    for (size_t i = 0; i < n; i++)
        known = known && !expr_is_none(roots[i]);
    const bool ready = known && rewrite_init(&rewrite, pool, roots, n);
    Expr *softer = ready ? alloc_array(rewrite.reach.n, sizeof *softer) : NULL;
    if (ready && !softer)
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    if (softer && find_softer(&rewrite, roots, n, softer)) {
        soften(&rewrite, softer);
        rewrite_end(&rewrite, pool->status == OK, roots, n, ret);
    } else {
        memmove(ret, roots, n * sizeof *ret);
        rewrite_done(&rewrite);
    }
    free(softer);
}
