/* One step of every rewriting pass. Private to core/expr. */
#ifndef CORE_EXPR_REWRITE_H
#define CORE_EXPR_REWRITE_H

#include "core/expr/graph/reach.h"

typedef struct Rewrite {
    ExprPool *pool;
    Reach reach;
    Expr *to; /* by slot: the rewritten node; EXPR_NONE before the pass reaches it */
} Rewrite;

/* If memory is out: false, and the pool fails. Call rewrite_done() in any case. */
bool rewrite_init(Rewrite *rewrite, ExprPool *pool, const Expr *roots, size_t n_roots);
void rewrite_done(Rewrite *rewrite);
/* Returns the rewritten roots, EXPR_NONE if the pass failed, and calls rewrite_done(). */
void rewrite_end(Rewrite *rewrite, bool ok, const Expr *roots, size_t n_roots, Expr *ret);

static inline Expr rewrite_of(const Rewrite *rewrite, Expr e)
{
    return rewrite->to[rewrite->reach.slot[e.id]];
}

/* The node with its rewritten operands; the node itself if none has changed. */
Expr rewrite_node(const Rewrite *rewrite, Expr e);
/* A sum with its rewritten operands; `sizes`: with the absolute values of its coefficients. */
Expr rewrite_sum(const Rewrite *rewrite, Expr e, bool sizes);

#endif
