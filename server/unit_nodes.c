/* All cells of a unit are in memory, for nobody knows which of its members will count until it ends. */
#include "server/unit_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

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
    for (size_t k = 0; k < nodes->n_made; k++)
        text_done(&nodes->made[k].words);
    free(nodes->made);
    free(nodes->nodes);
    free(nodes->cells);
    *nodes = (UnitNodes){0};
}

void unit_nodes_note(UnitNodes *nodes, uint64_t member, const double *cells)
{
    const size_t n = over_time_cells(nodes->shape);
    memcpy(nodes->cells + (member - nodes->first) * n, cells, n * sizeof *cells);
}

/* How many nodes fill so many members. */
static size_t count_nodes(uint64_t first, uint64_t n)
{
    size_t count = 0;

    for (uint64_t taken; n > 0; first += taken, n -= taken, count++)
        taken = UINT64_C(1) << over_time_level(first, n);
    return count;
}

/* All parts of the node with the values. */
static Status make_parts(UnitNodes *nodes, unsigned level, uint64_t number, const double *values,
                         Error *err)
{
    const size_t parts = over_time_parts(nodes->shape);
    Status status = OK;

    for (size_t p = 0; p < parts && status == OK; p++) {
        OverTimeNode *made = &nodes->made[nodes->n_made];
        *made = (OverTimeNode){.level = level, .number = number, .part = p};
        status = over_time_node(nodes->shape, values, made, err);
        nodes->nodes[nodes->n_made++] =
            (MemberNode){.level = level,
                         .number = number,
                         .part = (unsigned)p,
                         .words = over_time_words(&made->words),
                         .n_words = made->words.length / sizeof(uint64_t)};
    }
    return status;
}

Status unit_nodes_make(UnitNodes *nodes, uint64_t done, MemberNodes *ret_nodes, Error *err)
{
    const size_t most = count_nodes(nodes->first, done) * over_time_parts(nodes->shape);
    const double *values = nodes->cells;
    Status status = OK;

    nodes->made = alloc_array(most, sizeof *nodes->made);
    nodes->nodes = alloc_array(most, sizeof *nodes->nodes);
    if (!nodes->made || !nodes->nodes)
        return error_set(err, ERR_NO_MEMORY, "out of memory for members over time");
    for (uint64_t at = nodes->first, left = most ? done : 0; left > 0 && status == OK;) {
        const unsigned level = over_time_level(at, left);
        const uint64_t taken = UINT64_C(1) << level;
        status = make_parts(nodes, level, at >> level, values, err);
        values += taken * over_time_cells(nodes->shape);
        at += taken;
        left -= taken;
    }
    *ret_nodes = (MemberNodes){nodes->nodes, nodes->n_made, over_time_merge};
    return status;
}
