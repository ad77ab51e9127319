#include "core/expr/reach.h"

#include <stdlib.h>

#include "core/base/memory.h"

/* A node whose operands from `next` on are still to be visited. */
typedef struct Visit {
    Expr e;
    uint32_t next;
} Visit;

typedef struct Walk {
    Visit *stack;
    size_t depth, stack_capacity, order_capacity;
} Walk;

static bool enter(Reach *reach, Walk *walk, Expr e)
{
    reach->seen[e.id >> 3] |= (unsigned char)(1u << (e.id & 7));
    if (!grow_array(&walk->stack, &walk->stack_capacity, walk->depth + 1, sizeof(Visit)))
        return false;
    walk->stack[walk->depth++] = (Visit){e, 0};
    return true;
}

/* Depth first from one root; a node is put in order when all of its operands are. */
static bool visit(const ExprPool *pool, Reach *reach, Walk *walk, Expr root)
{
    if (reach_has(reach, root))
        return true;
    if (!enter(reach, walk, root))
        return false;
    while (walk->depth > 0) {
        Visit *top = &walk->stack[walk->depth - 1];
        const Node *node = pool_node(pool, top->e);
        while (top->next < node->n && reach_has(reach, pool->args[node->first + top->next]))
            top->next++;
        if (top->next < node->n) {
            if (!enter(reach, walk, pool->args[node->first + top->next]))
                return false;
            continue;
        }
        if (!grow_array(&reach->order, &walk->order_capacity, reach->n + 1, sizeof(Expr)))
            return false;
        reach->slot[top->e.id] = reach->n;
        reach->order[reach->n++] = top->e;
        walk->depth--;
    }
    return true;
}

Status reach_init(const ExprPool *pool, const Expr *roots, size_t n_roots, Reach *ret_reach,
                  Error *err)
{
    Reach reach = {.size = pool->n_nodes};
    Walk walk = {0};
    bool ok;

    reach.slot = malloc((pool->n_nodes + 1) * sizeof *reach.slot);
    reach.seen = alloc_array(pool->n_nodes / 8 + 1, 1);
    ok = reach.slot && reach.seen;
    for (size_t i = 0; i < n_roots && ok; i++)
        ok = expr_is_none(roots[i]) || visit(pool, &reach, &walk, roots[i]);
    free(walk.stack);
    if (!ok) {
        reach_done(&reach);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    *ret_reach = reach;
    return OK;
}

void reach_done(Reach *reach)
{
    free(reach->order);
    free(reach->slot);
    free(reach->seen);
    *reach = (Reach){0};
}
