/* Values and rates of an expression over intervals of its symbols, node by node. Functions are in
 * range_function.c, sums and products here. */
#include "core/expr/interval/range.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/memory.h"
#include "core/base/stop_token.h"
#include "core/expr/graph/reach.h"
#include "core/expr/interval/interval.h"

enum { NODE_WORK = 16 }; /* work of the stop token for the interval and rate of a node */
/* Limits of range_eval_calm(), no unit: the width of the argument of a function and the relative
 * spread of a divisor; and the degree of a polynomial times its relative spread. Conventions. */
static const double CALM_SPREAD = 1, CALM_DEGREE = 20;

/* It has room only for the nodes below its roots, because many evals share one pool. */
struct RangeEval {
    const ExprPool *pool;
    Expr *order; /* n nodes, every operand before its users */
    uint32_t n;
    uint32_t *operands; /* operands of one node after the other: their places in order */
    uint32_t *roots;    /* n_roots places */
    size_t n_roots, n_symbols;
    Range *ranges;   /* n */
    double *degrees; /* n: degrees as polynomials in symbols and functions */
    Arena memory;    /* owns the arrays, but `order` */
};

static Range constant(double value)
{
    return (Range){{value, value}, {0, 0}, true};
}

static Range sum_range(const RangeEval *eval, const ExprNode *node, const uint32_t *operands)
{
    Range sum = constant(node->value);
    for (uint32_t k = 0; k < node->n; k++) {
        const Range *term = &eval->ranges[operands[k]];
        sum.value = interval_add(sum.value, interval_scale(node->coefs[k], term->value));
        sum.rate = interval_add(sum.rate, interval_scale(node->coefs[k], term->rate));
        sum.whole = sum.whole && term->whole;
    }
    return sum;
}

static Range product_range(const RangeEval *eval, const ExprNode *node, const uint32_t *operands)
{
    Range all = constant(1);
    for (uint32_t k = 0; k < node->n; k++) {
        const Range factor = range_integer_power(&eval->ranges[operands[k]], node->coefs[k]);
        if (interval_empty(factor.value))
            return RANGE_NOWHERE;
        all = k == 0 ? factor : range_product(&all, &factor);
    }
    return all;
}

static Range node_range(const RangeEval *eval, const ExprNode *node, const uint32_t *operands,
                        const Range *symbols)
{
    const Range *ranges = eval->ranges;

    if (node->op == EXPR_CONST)
        return constant(node->value);
    if (node->op == EXPR_SYMBOL)
        return node->symbol < eval->n_symbols ? symbols[node->symbol] : RANGE_UNKNOWN;
    if (node->op >= EXPR_FACTOR)
        return RANGE_UNKNOWN;
    /* an operand that is nowhere defined */
    if (node->op != EXPR_IF)
        for (uint32_t k = 0; k < node->n; k++)
            if (interval_empty(ranges[operands[k]].value))
                return RANGE_NOWHERE;
    if (node->op == EXPR_SUM)
        return sum_range(eval, node, operands);
    if (node->op == EXPR_PRODUCT)
        return product_range(eval, node, operands);
    return range_function(node->op, &ranges[operands[0]], &ranges[operands[node->n > 1 ? 1 : 0]],
                          &ranges[operands[node->n > 2 ? 2 : 0]]);
}

static double degree_of(const RangeEval *eval, const ExprNode *node, const uint32_t *operands)
{
    double degree = node->op == EXPR_CONST ? 0 : 1;

    if (node->op != EXPR_SUM && node->op != EXPR_PRODUCT)
        return degree;
    degree = 0;
    for (uint32_t k = 0; k < node->n; k++) {
        const double part = eval->degrees[operands[k]];
        /* a quotient counts as a function */
        const double share = node->op == EXPR_SUM || node->coefs[k] < 0 ? 1 : node->coefs[k] * part;
        degree = node->op == EXPR_SUM ? fmax(degree, part) : degree + share;
    }
    return degree;
}

/* Takes over the order, and finds the places of operands and roots in it. */
static Status take_places(RangeEval *eval, Reach *reach, const Expr *roots, Error *err)
{
    size_t n_operands = 0;

    for (uint32_t i = 0; i < reach->n; i++)
        n_operands += expr_node(eval->pool, reach->order[i]).n;
    eval->operands = ARENA_NEW(&eval->memory, n_operands, uint32_t);
    eval->roots = ARENA_NEW(&eval->memory, eval->n_roots, uint32_t);
    eval->ranges = ARENA_NEW(&eval->memory, reach->n, Range);
    eval->degrees = arena_doubles(&eval->memory, reach->n);
    if (arena_failed(&eval->memory))
        return arena_status(&eval->memory, err);
    /* the order is ours now; each operand by its place */
    eval->order = reach->order;
    eval->n = reach->n;
    reach->order = NULL;
    uint32_t *next = eval->operands;
    for (uint32_t i = 0; i < eval->n; i++) {
        const ExprNode node = expr_node(eval->pool, eval->order[i]);
        for (uint32_t k = 0; k < node.n; k++)
            *next++ = reach->slot[node.args[k].id];
    }
    for (size_t k = 0; k < eval->n_roots; k++)
        eval->roots[k] = reach->slot[roots[k].id];
    return OK;
}

Status range_eval_new(const ExprPool *pool, const Expr *roots, size_t n_roots, size_t n_symbols,
                      RangeEval **ret_eval, Error *err)
{
    RangeEval *eval = alloc_array(1, sizeof *eval);
    Reach reach = {0};
    if (!eval)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *eval = (RangeEval){.pool = pool, .n_roots = n_roots, .n_symbols = n_symbols};
    Status status = reach_init(pool, roots, n_roots, &reach, err);
    if (status == OK)
        status = take_places(eval, &reach, roots, err);
    reach_done(&reach);
    if (status == OK)
        status = stop_token_spend((uint64_t)eval->n * NODE_WORK, err);
    if (status != OK) {
        range_eval_free(eval);
        return status;
    }
    /* operands come before their users, so their degrees are known */
    const uint32_t *operands = eval->operands;
    for (uint32_t i = 0; i < eval->n; i++) {
        const ExprNode node = expr_node(pool, eval->order[i]);
        eval->degrees[i] = degree_of(eval, &node, operands);
        operands += node.n;
    }
    *ret_eval = eval;
    return OK;
}

void range_eval_free(RangeEval *eval)
{
    if (!eval)
        return;
    free(eval->order);
    arena_done(&eval->memory);
    free(eval);
}

bool range_eval_uses(const RangeEval *eval, size_t symbol)
{
    for (uint32_t i = 0; i < eval->n; i++) {
        const ExprNode node = expr_node(eval->pool, eval->order[i]);
        if (node.op == EXPR_SYMBOL && node.symbol == symbol)
            return true;
    }
    return false;
}

void range_eval(RangeEval *eval, const Range *symbols, Range *ret_ranges)
{
    const uint32_t *operands = eval->operands;

    (void)stop_token_spend((uint64_t)eval->n * NODE_WORK, NULL);
    for (uint32_t i = 0; i < eval->n; i++) {
        const ExprNode node = expr_node(eval->pool, eval->order[i]);
        eval->ranges[i] = node_range(eval, &node, operands, symbols);
        operands += node.n;
    }
    for (size_t k = 0; k < eval->n_roots; k++)
        ret_ranges[k] = eval->ranges[eval->roots[k]];
}

/* The relative spread of an interval; infinite if it may contain zero. */
static double spread(Interval a)
{
    const Interval size = interval_absolute(a);
    return size.low > 0 ? size.high / size.low - 1 : INFINITY;
}

static double width(Interval a)
{
    return a.high - a.low;
}

static bool calm_product(const RangeEval *eval, const ExprNode *node, const uint32_t *operands)
{
    for (uint32_t k = 0; k < node->n; k++) {
        const double power = node->coefs[k];
        const Range *factor = &eval->ranges[operands[k]];
        if ((power < 0 || power >= HIGH_POWER) && fabs(power) * spread(factor->value) > CALM_SPREAD)
            return false;
    }
    return true;
}

static bool calm_function(ExprOp op, const Range *u, const Range *value)
{
    if (op == EXPR_SIN || op == EXPR_COS || op == EXPR_EXP || op == EXPR_TANH || op == EXPR_ATAN ||
        op == EXPR_ERF || op == EXPR_ASINH || op == EXPR_SINH || op == EXPR_COSH)
        return width(u->value) <= CALM_SPREAD;
    if (op == EXPR_TAN)
        return width(u->value) <= CALM_SPREAD && width(value->value) <= CALM_SPREAD;
    if (op == EXPR_SQRT || op == EXPR_CBRT || op == EXPR_LOG || op == EXPR_LOG10)
        return spread(u->value) <= CALM_SPREAD;
    if (op == EXPR_HYPOT)
        return spread(value->value) <= CALM_SPREAD;
    return op == EXPR_ABS && spread(u->value) < INFINITY;
}

bool range_eval_calm(const RangeEval *eval)
{
    const uint32_t *operands = eval->operands;
    bool calm = true;

    for (uint32_t i = 0; calm && i < eval->n; i++) {
        const ExprNode node = expr_node(eval->pool, eval->order[i]);
        const Range *value = &eval->ranges[i];
        calm = value->whole && !interval_empty(value->value) && eval->degrees[i] <= CALM_DEGREE;
        if (node.op == EXPR_PRODUCT)
            calm = calm && calm_product(eval, &node, operands);
        else if (node.op != EXPR_CONST && node.op != EXPR_SYMBOL && node.op != EXPR_SUM)
            calm = calm && node.n > 0 && node.op < EXPR_FACTOR &&
                   calm_function(node.op, &eval->ranges[operands[0]], value);
        operands += node.n;
    }
    return calm;
}
