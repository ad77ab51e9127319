/* One step of every rewriting pass. Private to core/expr. */
#ifndef CORE_EXPR_REWRITE_H
#define CORE_EXPR_REWRITE_H

#include "core/expr/graph/reach.h"

typedef struct Rewrite {
    ExprPool *pool;
    Reach reach;
    Expr *to; /* by slot: what the node has become; EXPR_NONE before the pass has come to it */
} Rewrite;

/* False (and the pool failed) when memory is out; rewrite_done() in any case. */
bool rewrite_init(Rewrite *rewrite, ExprPool *pool, const Expr *roots, size_t n_roots);
void rewrite_done(Rewrite *rewrite);
/* What the roots have become, and rewrite_done(); EXPR_NONE for all when the pass has failed. */
void rewrite_end(Rewrite *rewrite, bool ok, const Expr *roots, size_t n_roots, Expr *ret);

static inline Expr rewrite_of(const Rewrite *rewrite, Expr e)
{
    return rewrite->to[rewrite->reach.slot[e.id]];
}

/* The node with its operands as they have become: itself where none has changed. */
Expr rewrite_node(const Rewrite *rewrite, Expr e);

#endif
