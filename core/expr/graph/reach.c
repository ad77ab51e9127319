/* Nodes below some roots, operands first: depth-first search. */
#include "core/expr/graph/reach.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

/* A node whose operands from number `next` on are not yet visited. */
typedef struct Visit {
    Expr e;
    uint32_t next;
} Visit;

typedef struct Walk {
    Visit *stack;
    size_t depth, capacity;
} Walk;

static bool enter(Reach *reach, Walk *walk, Expr e)
{
    reach->seen[e.id >> 3] |= (unsigned char)(1u << (e.id & 7));
    if (!grow_array(&walk->stack, &walk->capacity, walk->depth + 1, sizeof(Visit)))
        return false;
    walk->stack[walk->depth++] = (Visit){e, 0};
    return true;
}

/* Depth first from one root; a node is put in order after all of its operands. */
static bool visit(const ExprPool *pool, Reach *reach, Walk *walk, Expr root)
{
    if (reach_has(reach, root))
        return true;
    if (!enter(reach, walk, root))
        return false;
    while (walk->depth > 0) {
        /* the next operand that is not in order, or the node itself */
        Visit *top = &walk->stack[walk->depth - 1];
        const Node *node = pool_node(pool, top->e);
        while (top->next < node->n && reach_has(reach, pool->args[node->first + top->next]))
            top->next++;
        if (top->next < node->n) {
            if (!enter(reach, walk, pool->args[node->first + top->next]))
                return false;
            continue;
        }
        if (!grow_array(&reach->order, &reach->capacity, reach->n + 1, sizeof(Expr)))
            return false;
        reach->slot[top->e.id] = reach->n;
        reach->order[reach->n++] = top->e;
        walk->depth--;
    }
    return true;
}

/* Makes room for all ids of the pool, at least twice the old size if it has to grow. */
static bool reserve_ids(const ExprPool *pool, Reach *reach)
{
    const size_t old = reach->seen ? reach->size / 8 + 1 : 0;
    const size_t size = pool->n_nodes > 2 * reach->size ? pool->n_nodes : 2 * reach->size;

    if (reach->seen && pool->n_nodes <= reach->size)
        return true;
    uint32_t *slot = realloc(reach->slot, (size + 1) * sizeof *slot);
    if (slot)
        reach->slot = slot;
    unsigned char *seen = slot ? realloc(reach->seen, size / 8 + 1) : NULL;
    if (!seen)
        return false;
    memset(seen + old, 0, size / 8 + 1 - old);
    reach->seen = seen;
    reach->size = size;
    return true;
}

Status reach_extend(const ExprPool *pool, Reach *reach, const Expr *roots, size_t n_roots,
                    Error *err)
{
    Walk walk = {0};
    bool ok = reserve_ids(pool, reach);

    for (size_t i = 0; i < n_roots && ok; i++)
        ok = expr_is_none(roots[i]) || visit(pool, reach, &walk, roots[i]);
    free(walk.stack);
    return ok ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}

Status reach_init(const ExprPool *pool, const Expr *roots, size_t n_roots, Reach *ret_reach,
                  Error *err)
{
    Reach reach = {0};
    Status status = reach_extend(pool, &reach, roots, n_roots, err);

    if (status == OK)
        *ret_reach = reach;
    else
        reach_done(&reach);
    return status;
}

void reach_done(Reach *reach)
{
    free(reach->order);
    free(reach->slot);
    free(reach->seen);
    *reach = (Reach){0};
}
