/* The part of a pool under some roots, operands first. Private to core/expr.
 *
 * A pass over it costs as much as that part is large, whatever else is in the pool. */
#ifndef CORE_EXPR_REACH_H
#define CORE_EXPR_REACH_H

#include "core/expr/graph/pool.h"

typedef struct Reach {
    Expr *order; /* n nodes, every operand before its users */
    uint32_t n;
    size_t capacity;
    uint32_t *slot;      /* by id: the place in order; only valid for ids in it */
    unsigned char *seen; /* bit by id */
    size_t size;         /* the largest id that slot and seen have room for */
} Reach;

Status reach_init(const ExprPool *pool, const Expr *roots, size_t n_roots, Reach *ret_reach,
                  Error *err) MUST_CHECK;
/* Adds what is under further roots behind what is there already, nodes made meanwhile included: it
 * costs as much as there is to add. {0} is an empty one. */
Status reach_extend(const ExprPool *pool, Reach *reach, const Expr *roots, size_t n_roots,
                    Error *err) MUST_CHECK;
void reach_done(Reach *reach); /* {0} is fine */

static inline bool reach_has(const Reach *reach, Expr e)
{
    return e.id <= reach->size && (reach->seen[e.id >> 3] >> (e.id & 7) & 1);
}

#endif
