/* The part of a pool below some roots, operands first. Private to core/expr.
 *
 * A pass over it costs time proportional to the size of that part, not of the pool. */
#ifndef CORE_EXPR_REACH_H
#define CORE_EXPR_REACH_H

#include "core/expr/graph/pool.h"

typedef struct Reach {
    Expr *order; /* n nodes, every operand before its users */
    uint32_t n;
    size_t capacity;
    uint32_t *slot;      /* by id: the place in order; valid only for ids in it */
    unsigned char *seen; /* bit by id */
    size_t size;         /* the largest id that fits slot and seen */
} Reach;

Status reach_init(const ExprPool *pool, const Expr *roots, size_t n_roots, Reach *ret_reach,
                  Error *err) MUST_CHECK;
/* Appends the nodes below further roots, including nodes made since the last call. The cost is
 * proportional to the number of added nodes. {0} is an empty Reach. */
Status reach_extend(const ExprPool *pool, Reach *reach, const Expr *roots, size_t n_roots,
                    Error *err) MUST_CHECK;
void reach_done(Reach *reach); /* {0} is fine */

static inline bool reach_has(const Reach *reach, Expr e)
{
    return e.id <= reach->size && (reach->seen[e.id >> 3] >> (e.id & 7) & 1);
}

#endif
