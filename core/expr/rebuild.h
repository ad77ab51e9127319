/* One step of every rewriting pass. Private to core/expr. */
#ifndef CORE_EXPR_REBUILD_H
#define CORE_EXPR_REBUILD_H

#include "core/expr/reach.h"

typedef struct Rebuild {
    ExprPool *pool;
    Reach reach;
    Expr *to; /* by slot: what the node has become; EXPR_NONE before the pass has come to it */
} Rebuild;

/* False (and the pool failed) when memory is out; rebuild_done() in any case. */
bool rebuild_init(Rebuild *rebuild, ExprPool *pool, const Expr *roots, size_t n_roots);
void rebuild_done(Rebuild *rebuild);

static inline Expr rebuild_of(const Rebuild *rebuild, Expr e)
{
    return rebuild->to[rebuild->reach.slot[e.id]];
}

/* The node with its operands as they have become: itself where none has changed. */
Expr rebuild_node(const Rebuild *rebuild, Expr e);

#endif
