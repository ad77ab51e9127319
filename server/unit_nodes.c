/* Members are gathered in blocks as they end, so that little is left to do when the unit ends, or is cut short. */
#include "server/unit_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum { BLOCK = 256 }; /* members, a power of 2 */

Status unit_nodes_init(UnitNodes *ret_nodes, OverTimeShape shape, uint64_t first, uint64_t n,
                       Error *err)
{
    const size_t cells = over_time_cells(shape);

    *ret_nodes = (UnitNodes){.shape = shape, .first = first, .n = n};
    if (cells == 0)
        return OK;
    ret_nodes->cells = alloc_array((size_t)n, cells * sizeof(double));
    if (!ret_nodes->cells)
        return error_set(err, ERR_NO_MEMORY, "out of memory for members over time");
    for (size_t k = 0; k < (size_t)n * cells; k++)
        ret_nodes->cells[k] = NAN;
    return OK;
}

void unit_nodes_done(UnitNodes *nodes)
{
    over_time_forest_done(&nodes->forest);
    free(nodes->nodes);
    free(nodes->cells);
    *nodes = (UnitNodes){0};
}

void unit_nodes_note(UnitNodes *nodes, uint64_t member, const double *cells)
{
    const size_t n = over_time_cells(nodes->shape);
    memcpy(nodes->cells + (member - nodes->first) * n, cells, n * sizeof *cells);
}

/* Members gathered .. upto - 1 of the unit. */
static Status gather(UnitNodes *nodes, uint64_t upto, Error *err)
{
    const double *cells = nodes->cells + nodes->gathered * over_time_cells(nodes->shape);
    const Status status =
        over_time_forest_add(&nodes->forest, nodes->shape, nodes->first + nodes->gathered,
                             upto - nodes->gathered, cells, err);

    nodes->gathered = upto;
    return status;
}

Status unit_nodes_reach(UnitNodes *nodes, uint64_t ended, Error *err)
{
    Status status = OK;

    while (nodes->cells && status == OK && nodes->gathered < ended) {
        const uint64_t at = nodes->first + nodes->gathered;
        const uint64_t upto = at - at % BLOCK + BLOCK - nodes->first;
        if (upto > ended)
            break;
        status = gather(nodes, upto, err);
    }
    return status;
}

Status unit_nodes_make(UnitNodes *nodes, uint64_t done, MemberNodes *ret_nodes, Error *err)
{
    Status status = nodes->cells && done > nodes->gathered ? gather(nodes, done, err) : OK;
    if (status != OK)
        return status;
    nodes->nodes = alloc_array(nodes->forest.n, sizeof *nodes->nodes);
    if (!nodes->nodes)
        return error_set(err, ERR_NO_MEMORY, "out of memory for members over time");
    for (size_t k = 0; k < nodes->forest.n; k++) {
        const OverTimeNode *node = &nodes->forest.nodes[k];
        nodes->nodes[k] = (MemberNode){.level = node->level,
                                       .number = node->number,
                                       .part = (unsigned)node->part,
                                       .words = over_time_words(&node->words),
                                       .n_words = node->words.length / sizeof(uint64_t)};
    }
    *ret_nodes = (MemberNodes){nodes->nodes, nodes->forest.n, over_time_merge};
    return OK;
}
