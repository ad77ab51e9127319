/* Values of expressions by one loop over the nodes below them, and their symbols. */
#include <math.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/memory.h"
#include "core/expr/graph/expr.h"
#include "core/expr/graph/function.h"
#include "core/expr/graph/reach.h"
#include "core/numeric/lu.h"

/* The value of every node below the roots. Factors and solutions lie in `store` instead. */
typedef struct Eval {
    const ExprPool *pool;
    const double *symbols;
    Reach reach;
    double *values; /* by slot */
    size_t *places; /* by slot: place in store of an EXPR_FACTOR or EXPR_SOLVE */
    double *store;
    double *scratch; /* 2 n for the largest order n */
    Arena memory;    /* owns the arrays */
} Eval;

static double value_of(const Eval *eval, Expr e)
{
    return eval->values[eval->reach.slot[e.id]];
}

static double *stored(const Eval *eval, Expr e)
{
    return eval->store + eval->places[eval->reach.slot[e.id]];
}

static size_t factor_order(uint32_t operands)
{
    return (size_t)(sqrt((double)operands) + 0.5);
}

static double eval_sum(const Eval *eval, const ExprNode *node)
{
    double sum = node->value;
    for (uint32_t k = 0; k < node->n; k++)
        sum += node->coefs[k] * value_of(eval, node->args[k]);
    return sum;
}

static double eval_product(const Eval *eval, const ExprNode *node)
{
    double num = 1.0, den = 1.0;
    for (uint32_t k = 0; k < node->n; k++) {
        double power = function_integer_power(value_of(eval, node->args[k]), fabs(node->coefs[k]));
        if (node->coefs[k] > 0.0)
            num *= power;
        else
            den *= power;
    }
    return num / den;
}

/* Copies the values of the operands from number `from` on. */
static void eval_gather(const Eval *eval, const ExprNode *node, uint32_t from, double *to)
{
    for (uint32_t k = from; k < node->n; k++)
        to[k - from] = value_of(eval, node->args[k]);
}

static double eval_function(const Eval *eval, const ExprNode *node)
{
    double args[3];
    eval_gather(eval, node, 0, args);
    return function_value(node->op, args);
}

/* Factors, solutions, their components and condition estimates. */
static void eval_linear(Eval *eval, Expr e, const ExprNode *node)
{
    double *value = &eval->values[eval->reach.slot[e.id]];

    if (node->op == EXPR_FACTOR) {
        eval_gather(eval, node, 0, stored(eval, e));
        lu_factor(factor_order(node->n), stored(eval, e));
    } else if (node->op == EXPR_SOLVE) {
        eval_gather(eval, node, 1, eval->scratch);
        lu_solve(node->n - 1, stored(eval, node->args[0]), eval->scratch, stored(eval, e));
    } else if (node->op == EXPR_ELEMENT) {
        *value = stored(eval, node->args[0])[node->symbol];
    } else {
        size_t n = factor_order(pool_node(eval->pool, node->args[0])->n);
        *value = lu_rcond(n, stored(eval, node->args[0]), eval->scratch);
    }
}

static void eval_node(Eval *eval, Expr e)
{
    ExprNode node = expr_node(eval->pool, e);
    double *value = &eval->values[eval->reach.slot[e.id]];

    if (node.op == EXPR_CONST)
        *value = node.value;
    else if (node.op == EXPR_SYMBOL)
        *value = eval->symbols[node.symbol];
    else if (node.op == EXPR_SUM)
        *value = eval_sum(eval, &node);
    else if (node.op == EXPR_PRODUCT)
        *value = eval_product(eval, &node);
    else if (node.op < EXPR_FACTOR)
        *value = eval_function(eval, &node);
    else
        eval_linear(eval, e, &node);
}

/* Allocates the values, and assigns places to factors and solutions. */
static Status lay_out(Eval *eval, Error *err)
{
    size_t length = 0, largest = 0;

    eval->values = arena_doubles(&eval->memory, eval->reach.n);
    eval->places = arena_sizes(&eval->memory, eval->reach.n);
    if (arena_failed(&eval->memory))
        return arena_status(&eval->memory, err);
    /* a factor stores its LU system, a solution its vector; the largest sets the scratch */
    for (uint32_t i = 0; i < eval->reach.n; i++) {
        const Node *node = pool_node(eval->pool, eval->reach.order[i]);
        eval->places[i] = length;
        if (node->op == EXPR_FACTOR) {
            size_t n = factor_order(node->n);
            length += lu_doubles(n);
            largest = n > largest ? n : largest;
        } else if (node->op == EXPR_SOLVE) {
            length += node->n - 1;
        }
    }
    eval->store = arena_doubles(&eval->memory, length);
    eval->scratch = arena_doubles(&eval->memory, 2 * largest);
    return arena_status(&eval->memory, err);
}

static Status check_roots(const ExprPool *pool, const Expr *e, size_t n, Error *err)
{
    Status status = expr_pool_status(pool, err);

    for (size_t i = 0; i < n && status == OK; i++)
        if (expr_is_none(e[i]))
            status = error_set(err, ERR_INTERNAL, "expression %zu is missing", i);
    return status;
}

Status expr_eval(const ExprPool *pool, const Expr *e, size_t n, const double *symbols,
                 double *ret_values, Error *err)
{
    Eval eval = {.pool = pool, .symbols = symbols};
    Status status = check_roots(pool, e, n, err);

    if (status == OK)
        status = reach_init(pool, e, n, &eval.reach, err);
    if (status == OK)
        status = lay_out(&eval, err);
    /* every operand comes before its users */
    if (status == OK) {
        for (uint32_t i = 0; i < eval.reach.n; i++)
            eval_node(&eval, eval.reach.order[i]);
        for (size_t i = 0; i < n; i++)
            ret_values[i] = value_of(&eval, e[i]);
    }
    reach_done(&eval.reach);
    arena_done(&eval.memory);
    return status;
}

Status expr_used_symbols(const ExprPool *pool, const Expr *roots, size_t n, bool *ret_used,
                         size_t n_symbols, Error *err)
{
    Reach reach = {0};
    Status status = reach_init(pool, roots, n, &reach, err);

    for (uint32_t i = 0; i < reach.n && status == OK; i++) {
        const Node *node = pool_node(pool, reach.order[i]);
        if (node->op == EXPR_SYMBOL && node->symbol < n_symbols)
            ret_used[node->symbol] = true;
    }
    reach_done(&reach);
    return status;
}

Status expr_symbol_classes(const ExprPool *pool, const Expr *roots, size_t n,
                           const unsigned char *classes, size_t n_symbols, unsigned char *ret,
                           Error *err)
{
    Reach reach = {0};
    unsigned char *below = alloc_array(expr_pool_size(pool) + 1, 1); /* by id */
    Status status = below ? reach_init(pool, roots, n, &reach, err)
                          : error_set(err, ERR_NO_MEMORY, "out of memory");

    /* operands come before the nodes that use them */
    for (uint32_t i = 0; i < reach.n && status == OK; i++) {
        const uint32_t id = reach.order[i].id;
        const ExprNode node = expr_node(pool, reach.order[i]);
        if (node.op == EXPR_SYMBOL && node.symbol < n_symbols)
            below[id] = classes[node.symbol];
        for (uint32_t k = 0; k < node.n; k++)
            below[id] |= below[node.args[k].id];
    }
    for (size_t i = 0; i < n && status == OK; i++)
        ret[i] = below[roots[i].id];
    reach_done(&reach);
    free(below);
    return status;
}

Status expr_uses(const ExprPool *pool, const Expr *roots, size_t n, const Expr *symbols,
                 size_t n_symbols, bool *ret_uses, Error *err)
{
    Reach reach = {0};
    Status status = reach_init(pool, roots, n, &reach, err);
    bool uses = false;

    for (uint32_t i = 0; i < reach.n && status == OK && !uses; i++)
        for (size_t k = 0; k < n_symbols; k++)
            uses = uses || expr_same(reach.order[i], symbols[k]);
    reach_done(&reach);
    if (status == OK)
        *ret_uses = uses;
    return status;
}

bool expr_may_use(const ExprPool *pool, const Expr *roots, size_t n, const Expr *symbols,
                  size_t n_symbols)
{
    bool uses = true;

    return expr_uses(pool, roots, n, symbols, n_symbols, &uses, NULL) != OK || uses;
}
