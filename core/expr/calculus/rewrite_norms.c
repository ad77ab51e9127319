/* Derivatives of norms at their zeros: h = hypot(u, w) has the derivative (u du + w dw)/h, which is
 * 0/0 at u = w = 0. A product of h with a factor that vanishes there, such as h u, still has the
 * derivative 0. */
#include "core/expr/calculus/calculus.h"
#include "core/expr/calculus/rewrite.h"
#include "core/expr/graph/build.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/memory.h"

/* hypot(h, LEAST) is h to the last bit except near 0; LEAST^2 is normal. No unit; convention. */
static const double LEAST = 1e-150;

enum { MOST_NORMS = EXPR_MOST_NORMS, MOST_PARTS = 16 };

/* A norm below the roots, and its components without constant factors. */
typedef struct Norm {
    Expr h;
    Expr parts[MOST_PARTS];
    size_t n_parts;
} Norm;

/* The decay of an expression if all parts of a norm go to 0: at least like the power `order` of the
 * norm. If it is not `continuous`, it is bounded by that power, but undefined at 0. */
typedef struct Decay {
    double order;
    bool continuous;
} Decay;

/* e without a constant factor: e for 2*e. */
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

/* The parts of sqrt of a sum of squares. False if it is not a norm. */
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

static bool add_parts(const ExprPool *pool, Expr e, Norm *norm)
{
    if (pool_op(pool, e) != EXPR_HYPOT)
        return pool_op(pool, e) == EXPR_SQRT && parts_of_root(pool, pool_arg(pool, e, 0), norm);
    add_part(norm, without_factor(pool, pool_arg(pool, e, 0)));
    add_part(norm, without_factor(pool, pool_arg(pool, e, 1)));
    return true;
}

/* The norm with the parts of norms among its parts: hypot(hypot(u, v), w). */
static bool norm_of(const ExprPool *pool, Expr e, Norm *norm)
{
    *norm = (Norm){.h = e};
    if (!add_parts(pool, e, norm))
        return false;
    for (size_t k = 0; k < norm->n_parts && k < MOST_PARTS; k++) {
        Norm inner = *norm;
        if (add_parts(pool, norm->parts[k], &inner))
            *norm = inner;
    }
    for (size_t k = 0; k < norm->n_parts && k < MOST_PARTS; k++)
        if (pool_op(pool, norm->parts[k]) == EXPR_CONST)
            return false; /* hypot(u, 1) is never 0 */
    return norm->n_parts <= MOST_PARTS;
}

/* The norms in denominators of products. */
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

/* Norms in denominators, inner before outer ones, and the decay of every node with each. */
typedef struct Norms {
    const Reach *reach;
    const ExprPool *pool;
    Norm *norms;   /* n */
    Decay *decays; /* [n][reach->n] */
    size_t n;
} Norms;

static Decay *decays_with(const Norms *all, size_t k)
{
    return all->decays + k * all->reach->n;
}

/* The index `inside` of the norm e among the parts of norms[k]; k if there is none. */
static size_t find_inside(const Norms *all, size_t k, Expr e)
{
    for (size_t j = 0; j < all->norms[k].n_parts; j++)
        for (size_t inside = 0; inside < k && expr_same(all->norms[k].parts[j], e); inside++)
            if (expr_same(all->norms[inside].h, e))
                return inside;
    return k;
}

/* True if the numerator of the product decays with norms[inside] at least like the power in the
 * denominator: u/h for h = hypot(u, w) in hypot(h, z) is bounded. With h1 inside h2, every term is
 * bounded by a power of h1 times one of h2. Sums take the least exponents and products add them. So
 * the order by h2 falls by that power, as if h2 were the divisor. */
static bool is_bounded(const Norms *all, size_t inside, Expr e, double power)
{
    const Decay *decays = decays_with(all, inside);
    double order = 0;

    for (uint32_t k = 0; k < pool_node(all->pool, e)->n; k++) {
        const double exponent = pool_coef(all->pool, e, k);
        if (exponent > 0)
            order += exponent * decays[all->reach->slot[pool_arg(all->pool, e, k).id]].order;
    }
    return order >= power;
}

/* A vanishing divisor must be the norm itself, at most squared, or a single norm inside it with
 * which the numerator vanishes. Other divisors must not vanish with the norm. */
static Decay of_product(const Norms *all, size_t which, Expr e)
{
    const Reach *reach = all->reach;
    const ExprPool *pool = all->pool;
    const Decay *decays = decays_with(all, which);
    Decay decay = {0, true};
    size_t n_inside = 0;

    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++) {
        const Expr factor = pool_arg(pool, e, k);
        const double exponent = pool_coef(pool, e, k);
        const Decay of_factor = decays[reach->slot[factor.id]];
        const bool divided = exponent < 0 && (of_factor.order > 0 || !of_factor.continuous);
        decay.order += exponent * of_factor.order;
        decay.continuous = decay.continuous && of_factor.continuous && !divided;
        /* a divisor that vanishes with the norm */
        const size_t inside = divided ? find_inside(all, which, factor) : which;
        const bool bounded = inside < which ? is_bounded(all, inside, e, -exponent)
                                            : expr_same(factor, all->norms[which].h);
        n_inside += inside < which;
        if (divided && (!bounded || exponent < -2 || n_inside > 1))
            return (Decay){-1e9, false};
    }
    decay.continuous = decay.continuous || decay.order > 0;
    return decay;
}

static Decay decay_of(const Norms *all, size_t which, Expr e)
{
    const Reach *reach = all->reach;
    const ExprPool *pool = all->pool;
    const Norm *norm = &all->norms[which];
    const Decay *decays = decays_with(all, which);
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
        return of_product(all, which, e);
    if (op == EXPR_ABS)
        return decays[reach->slot[pool_arg(pool, e, 0).id]];
    /* functions may hide any order of their operands */
    for (uint32_t k = 0; k < pool_node(pool, e)->n; k++)
        decay.continuous =
            decay.continuous && decays[reach->slot[pool_arg(pool, e, k).id]].continuous;
    return decay;
}

static void find_decays(const Norms *all, size_t which)
{
    Decay *decays = decays_with(all, which);

    for (uint32_t i = 0; i < all->reach->n; i++)
        decays[i] = decay_of(all, which, all->reach->order[i]);
}

static bool has_limits(const Norms *all, size_t which, const Expr *roots, size_t n)
{
    const Decay *decays = decays_with(all, which);

    for (size_t i = 0; i < n; i++)
        if (!decays[all->reach->slot[roots[i].id]].continuous)
            return false;
    return true;
}

static int by_place(const void *a, const void *b)
{
    const uint32_t x = ((const Norm *)a)->h.id, y = ((const Norm *)b)->h.id;

    return (x > y) - (x < y);
}

/* Symbols with their values. */
typedef struct Place {
    const Expr *symbols, *values;
    size_t n;
} Place;

/* Whether the norm is 0 there. */
static bool in_middle(ExprPool *pool, Expr h, const Place *place)
{
    Expr value;

    return expr_substitute_finite(pool, &h, 1, place->symbols, place->values, place->n, &value) &&
           expr_vanishes(pool, value);
}

/* Norms at whose zeros all roots have limits; with a place, only those that are 0 there. */
static size_t find_norms(const Rewrite *rewrite, const Expr *roots, size_t n, const Place *place,
                         Expr *ret)
{
    ExprPool *pool = rewrite->pool;
    Arena memory = {0};
    Norms all = {
        .reach = &rewrite->reach, .pool = pool, .norms = ARENA_NEW(&memory, MOST_NORMS, Norm)};
    size_t found = 0;

    if (all.norms && pool->status == OK)
        all.n = divisors(&rewrite->reach, pool, all.norms);
    all.decays = ARENA_NEW(&memory, all.n * rewrite->reach.n, Decay);
    /* in the order of the pool: inner norms before outer ones */
    if (arena_failed(&memory))
        expr_pool_no_memory(pool);
    else
        qsort(all.norms, all.n, sizeof *all.norms, by_place);
    for (size_t k = 0; pool->status == OK && k < all.n; k++)
        find_decays(&all, k);
    for (size_t k = 0; pool->status == OK && k < all.n; k++)
        if ((!place || in_middle(pool, all.norms[k].h, place)) && has_limits(&all, k, roots, n))
            ret[found++] = all.norms[k].h;
    arena_done(&memory);
    return found;
}

/* Numerators keep the norm, which is 0 at its zero; denominators get the softer norm. */
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

/* softer[slot of a norm]: the replacement that is never 0. */
static void soften(Rewrite *rewrite, const Expr *norms, size_t n_norms, Expr *softer)
{
    ExprPool *pool = rewrite->pool;

    for (size_t k = 0; k < n_norms; k++) {
        const Expr sides[2] = {norms[k], expr_const(pool, LEAST)};
        softer[rewrite->reach.slot[norms[k].id]] = expr_call(pool, EXPR_HYPOT, sides, 2);
    }
    for (uint32_t i = 0; i < rewrite->reach.n && pool->status == OK; i++) {
        const Expr e = rewrite->reach.order[i];
        rewrite->to[i] = pool_op(pool, e) == EXPR_PRODUCT ? divide_softly(rewrite, e, softer)
                                                          : rewrite_node(rewrite, e);
    }
}

static size_t soften_at(ExprPool *pool, const Expr *roots, size_t n, const Place *place, Expr *ret,
                        Expr *ret_norms)
{
    Rewrite rewrite = {0};
    size_t n_norms = 0;
    bool known = true;

    for (size_t i = 0; i < n; i++)
        known = known && !expr_is_none(roots[i]);
    const bool ready = known && rewrite_init(&rewrite, pool, roots, n);
    Expr *softer = ready ? alloc_array(rewrite.reach.n, sizeof *softer) : NULL;
    if (ready && !softer)
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
    /* replace divisors, or return the roots unchanged */
    if (softer)
        n_norms = find_norms(&rewrite, roots, n, place, ret_norms);
    if (n_norms) {
        soften(&rewrite, ret_norms, n_norms, softer);
        rewrite_end(&rewrite, pool->status == OK, roots, n, ret);
    } else {
        memmove(ret, roots, n * sizeof *ret);
        rewrite_done(&rewrite);
    }
    free(softer);
    return n_norms;
}

size_t expr_soften_norms(ExprPool *pool, const Expr *roots, size_t n, Expr *ret, Expr *ret_norms)
{
    Expr norms[EXPR_MOST_NORMS];

    return soften_at(pool, roots, n, NULL, ret, ret_norms ? ret_norms : norms);
}

void expr_substitute_limits(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                            const Expr *replacements, size_t n, Expr *ret)
{
    const Place place = {.symbols = symbols, .values = replacements, .n = n};
    Expr norms[EXPR_MOST_NORMS];

    soften_at(pool, roots, n_roots, &place, ret, norms);
    expr_substitute(pool, ret, n_roots, symbols, replacements, n, ret);
}
