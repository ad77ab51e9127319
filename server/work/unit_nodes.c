/* Members gather in blocks as they end, in any order, so that little is left to do when the unit
 * ends or is cut short. */
#include "server/work/unit_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

/* Members from .. to - 1 of the unit. */
typedef struct Block {
    uint64_t from, to;
} Block;

static size_t block_of(const UnitNodes *nodes, uint64_t member)
{
    return (size_t)(member / UNIT_NODES_BLOCK - nodes->first / UNIT_NODES_BLOCK);
}

/* Blocks at the ends of the unit may be shorter. */
static Block block_at(const UnitNodes *nodes, size_t k)
{
    const uint64_t start = (nodes->first / UNIT_NODES_BLOCK + k) * UNIT_NODES_BLOCK;
    const uint64_t from = start > nodes->first ? start - nodes->first : 0;
    const uint64_t to = start + UNIT_NODES_BLOCK - nodes->first;

    return (Block){from, to < nodes->n ? to : nodes->n};
}

static bool is_gathered(const UnitNodes *nodes, size_t k)
{
    const Block block = block_at(nodes, k);
    return nodes->ended[k] == block.to - block.from;
}

Status unit_nodes_init(UnitNodes *ret_nodes, OverTimeShape shape, uint64_t first, uint64_t n,
                       Error *err)
{
    UnitNodes nodes = {.shape = shape, .first = first, .n = n};
    const size_t cells = over_time_cells(shape);

    if (cells > 0) {
        /* megabytes, but the system gives each page only when a member needs it */
        nodes.cells = alloc_array((size_t)n, cells * sizeof(double));
        nodes.noted = alloc_array((size_t)n, sizeof *nodes.noted);
        nodes.ended = alloc_array(block_of(&nodes, first + n - 1) + 1, sizeof *nodes.ended);
    }
    *ret_nodes = nodes;
    return cells == 0 || (nodes.cells && nodes.noted && nodes.ended)
               ? OK
               : error_set(err, ERR_NO_MEMORY, "out of memory for members over time");
}

void unit_nodes_done(UnitNodes *nodes)
{
    over_time_forest_done(&nodes->forest);
    free(nodes->nodes);
    free(nodes->cells);
    free(nodes->noted);
    free(nodes->ended);
    *nodes = (UnitNodes){0};
}

void unit_nodes_note(UnitNodes *nodes, uint64_t member, const double *cells)
{
    const size_t n = over_time_cells(nodes->shape), place = (size_t)(member - nodes->first);
    memcpy(nodes->cells + place * n, cells, n * sizeof *cells);
    nodes->noted[place] = true;
}

static Status gather(UnitNodes *nodes, Block block, Error *err)
{
    const size_t n = over_time_cells(nodes->shape);

    /* a lost member has reached no instant */
    for (uint64_t k = block.from; k < block.to; k++)
        for (size_t c = 0; c < n && !nodes->noted[k]; c++)
            nodes->cells[k * n + c] = NAN;
    nodes->gathered += block.to - block.from;
    return over_time_forest_add(&nodes->forest, nodes->shape, nodes->first + block.from,
                                block.to - block.from, nodes->cells + block.from * n, err);
}

Status unit_nodes_end(UnitNodes *nodes, uint64_t member, Error *err)
{
    if (!nodes->cells)
        return OK;
    const size_t k = block_of(nodes, member);
    nodes->ended[k]++;
    return is_gathered(nodes, k) ? gather(nodes, block_at(nodes, k), err) : OK;
}

/* Gathers the first `done` members. If a gathered block has later members, all blocks are gathered
 * again. */
static Status gather_rest(UnitNodes *nodes, uint64_t done, Error *err)
{
    const size_t n_blocks = block_of(nodes, nodes->first + nodes->n - 1) + 1;
    bool anew = false;
    Status status = OK;

    for (size_t k = 0; k < n_blocks; k++)
        anew = anew || (is_gathered(nodes, k) && block_at(nodes, k).to > done);
    if (anew) {
        over_time_forest_done(&nodes->forest);
        nodes->gathered = 0;
    }
    /* gather the other blocks */
    for (size_t k = 0; k < n_blocks && status == OK; k++) {
        Block block = block_at(nodes, k);
        if (block.to > done)
            block.to = done;
        if (block.from < block.to && (anew || !is_gathered(nodes, k)))
            status = gather(nodes, block, err);
    }
    return status;
}

Status unit_nodes_make(UnitNodes *nodes, uint64_t done, MemberNodes *ret_nodes, Error *err)
{
    const Status status = nodes->cells ? gather_rest(nodes, done, err) : OK;
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
