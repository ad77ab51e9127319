/* Inside core/simulation/: the rows of a run on their way out, gathered into blocks.
 *
 * Table -1 is the trajectory, k >= 0 the k-th event table. Memory does not grow with the number of
 * rows. */
#ifndef CORE_SIMULATION_RUN_ROW_BLOCKS_H
#define CORE_SIMULATION_RUN_ROW_BLOCKS_H

#include "core/simulate.h"

typedef struct RowBuffer {
    double *rows;
    size_t used, capacity; /* rows */
} RowBuffer;

typedef struct RowBlocks {
    const SimulationSink *sink;
    size_t columns, tables;
    RowBuffer *buffers; /* 1 + tables: the trajectory, then the event tables */
    uint64_t *counts;   /* 1 + tables: rows that went through */
    double last_flush;  /* clock of the last block of the trajectory */
} RowBlocks;

Status row_blocks_init(RowBlocks *blocks, const SimulationSink *sink, size_t columns, size_t tables,
                       Error *err) MUST_CHECK;
void row_blocks_done(RowBlocks *blocks);

/* The next row of a table, to be filled; columns doubles. */
double *row_blocks_next(RowBlocks *blocks, int table);
/* The row from row_blocks_next is filled: sends the block when it is full (or the trajectory's is
 * old).
 */
Status row_blocks_commit(RowBlocks *blocks, int table, Error *err) MUST_CHECK;
Status row_blocks_flush(RowBlocks *blocks, Error *err) MUST_CHECK;

#endif
