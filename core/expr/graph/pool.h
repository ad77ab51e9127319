/* A node's hash is of its structure alone, never of ids. Sorting operands by it gives the same
 * order in every pool. So an expression's value has the same bits in every pool. */
#ifndef CORE_EXPR_POOL_H
#define CORE_EXPR_POOL_H

#include "core/expr/graph/expr.h"
#include "core/expr/graph/reals.h"

typedef enum NodeFlags {
    NODE_NONNEGATIVE = 1, /* never below zero if it is finite */
    NODE_SIN_SQUARED = 2, /* a product with a factor sin(u)^k, k >= 2 */
    NODE_COS_SQUARED = 4, /* a product with a factor cos(u)^k, k >= 2 */
    NODE_PRIMITIVE = 8,   /* a sum with content 1: sum_split_content() returns it unchanged */
} NodeFlags;

typedef struct Node {
    uint64_t hash;
    double value;
    uint32_t first; /* of its operands, in args and coefs */
    uint32_t n;
    uint32_t symbol;
    uint32_t depth;
    uint8_t op;
    uint8_t flags;
} Node;

/* A part of a sum or a product under construction: coef * e, or e ^ coef. */
typedef struct Term {
    Expr e;
    uint32_t key; /* the upper half of the hash of e, which decides most comparisons */
    double coef;
} Term;

/* A node's place in the table. */
typedef struct TablePlace {
    uint32_t key; /* of its hash: tells most other nodes apart without reading them */
    uint32_t id;  /* 0: empty */
} TablePlace;

struct ExprPool {
    Node *nodes; /* nodes[id - 1] */
    size_t n_nodes, nodes_capacity;
    Expr *args;
    size_t n_args, args_capacity;
    double *coefs; /* parallel to args */
    size_t coefs_capacity;
    TablePlace *table; /* by hash, open addressing */
    size_t table_size;
    Term *terms; /* a stack: builders take from its top and give back */
    size_t n_terms, terms_capacity;
    ExprLimits limits;
    uint64_t work; /* see expr_pool_work() */
    uint64_t told; /* work already reported to the thread's stop token */
    Status status;
    Reals reals;
    bool rounded; /* see expr_pool_rounded() */
    char message[240];
};

static inline const Node *pool_node(const ExprPool *pool, Expr e)
{
    return &pool->nodes[e.id - 1];
}

static inline ExprOp pool_op(const ExprPool *pool, Expr e)
{
    return (ExprOp)pool_node(pool, e)->op;
}

static inline Expr pool_arg(const ExprPool *pool, Expr e, size_t k)
{
    return pool->args[pool_node(pool, e)->first + k];
}

static inline double pool_coef(const ExprPool *pool, Expr e, size_t k)
{
    return pool->coefs[pool_node(pool, e)->first + k];
}

/* The canonical order of operands: symbols by number, then everything else by hash. */
static inline bool pool_before(const ExprPool *pool, Expr a, Expr b)
{
    uint64_t left = pool_node(pool, a)->hash, right = pool_node(pool, b)->hash;
    return left != right ? left < right : a.id < b.id;
}

/* Records the first failure. Always returns EXPR_NONE. ERR_INVALID: an impossible constant, which
 * is not a finite number or has too large an exponent. */
Expr pool_fail(ExprPool *pool, Status status, const char *format, ...) PRINTF_LIKE(3, 4);
/* Forgets a failure with ERR_INVALID (the parser has reported it). */
bool pool_recover(ExprPool *pool);

/* A copy (heap) of n elements; NULL for n = 0, and with *failed if memory is out. */
void *pool_copy(const void *from, size_t n, size_t size, bool *failed);

/* A node to intern or to find. Operands: terms of a sum or product, or plain expressions. */
typedef struct Shape {
    ExprOp op;
    uint32_t n;
    const Term *terms; /* of EXPR_SUM and EXPR_PRODUCT; may lie in pool->terms */
    const Expr *args;  /* of all others; must not lie in pool->args */
    double value;
    uint32_t symbol;
} Shape;

/* The node of this shape, made if necessary. The shape must be canonical. */
Expr pool_intern(ExprPool *pool, const Shape *shape);
/* The node of this shape, or EXPR_NONE if there is none yet. */
Expr pool_find(ExprPool *pool, const Shape *shape);

/* Pushes a term; false (and failed) if memory is out. */
bool pool_push_term(ExprPool *pool, Expr e, double coef);
/* Sorts terms[base ..] into the canonical order. */
void pool_sort_terms(ExprPool *pool, size_t base);
/* The place of e among the sorted terms[base .. end), or `end`. */
size_t pool_find_term(ExprPool *pool, size_t base, size_t end, Expr e);

#endif
