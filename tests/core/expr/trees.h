/* Random expressions that exist twice: as a tree with its own plain recursive evaluator (the
 * oracle), and as a node of a pool. */
#ifndef TESTS_CORE_EXPR_TREES_H
#define TESTS_CORE_EXPR_TREES_H

#include "core/base/random.h"
#include "core/expr/graph/expr.h"

enum { TREE_SYMBOLS = 5, TREE_MAX_NODES = 4000 };

typedef enum TreeKind {
    TREE_NUMBER,
    TREE_SYMBOL,
    TREE_ADD,
    TREE_SUB,
    TREE_MUL,
    TREE_DIV,
    TREE_NEG,
    TREE_INTEGER_POWER,
    TREE_CALL, /* of `op`, also min, max, pow */
    TREE_IF,   /* if(a < b, c, d) */
} TreeKind;

typedef struct Tree {
    TreeKind kind;
    ExprOp op;
    double value; /* of a number; the exponent of an integer power */
    uint32_t symbol;
    int child[4]; /* in Trees.nodes */
} Tree;

typedef struct Trees {
    Tree nodes[TREE_MAX_NODES];
    int n;
} Trees;

/* A random tree of this depth; every function gets operands in its domain. The root's place. */
int tree_random(Trees *trees, Random *random, int depth);
/* The same with smooth functions only: no abs, sign, min, max, if. */
int tree_random_smooth(Trees *trees, Random *random, int depth);

/* The value; *ret_largest grows to the largest intermediate size met. */
double tree_value(const Trees *trees, int root, const double *symbols, double *ret_largest);

/* Through the one-by-one builders, bottom up. */
Expr tree_build(const Trees *trees, int root, ExprPool *pool);

/* A random point with coordinates in [-1.5, 1.5). */
void random_point(Random *random, double *ret_symbols);

#endif
