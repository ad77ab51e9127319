#include "core/simulation/run/row_blocks.h"

#include <stdlib.h>

#include "core/base/clock.h"
#include "core/base/memory.h"

enum {
    BLOCK_BYTES = 512 * 1024, /* what the store writes fastest */
    EVENT_ROWS = 64,
};

/* A run that makes few samples still shows them while it runs. */
static const double FLUSH_SECONDS = 0.5;

Status row_blocks_init(RowBlocks *blocks, const SimulationSink *sink, size_t columns, size_t tables,
                       Error *err)
{
    size_t capacity = BLOCK_BYTES / (columns * sizeof(double));
    if (capacity == 0)
        capacity = 1;

    *blocks = (RowBlocks){
        .sink = sink, .columns = columns, .tables = tables, .last_flush = clock_seconds()};
    blocks->buffers = alloc_array(1 + tables, sizeof *blocks->buffers);
    blocks->counts = alloc_array(1 + tables, sizeof *blocks->counts);
    if (!blocks->buffers || !blocks->counts)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k <= tables; k++) {
        RowBuffer *buffer = &blocks->buffers[k];
        buffer->capacity = k == 0 || capacity < EVENT_ROWS ? capacity : EVENT_ROWS;
        buffer->rows = alloc_array(buffer->capacity * columns, sizeof *buffer->rows);
        if (!buffer->rows)
            return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    return OK;
}

void row_blocks_done(RowBlocks *blocks)
{
    for (size_t k = 0; blocks->buffers && k <= blocks->tables; k++)
        free(blocks->buffers[k].rows);
    free(blocks->buffers);
    free(blocks->counts);
}

double *row_blocks_next(RowBlocks *blocks, int table)
{
    const RowBuffer *buffer = &blocks->buffers[table + 1];
    return buffer->rows + buffer->used * blocks->columns;
}

static Status flush(RowBlocks *blocks, int table, Error *err)
{
    RowBuffer *buffer = &blocks->buffers[table + 1];
    size_t n = buffer->used;

    buffer->used = 0;
    if (table == -1)
        blocks->last_flush = clock_seconds();
    if (n == 0)
        return OK;
    return blocks->sink->rows(blocks->sink->self, table, buffer->rows, n, err);
}

Status row_blocks_commit(RowBlocks *blocks, int table, Error *err)
{
    RowBuffer *buffer = &blocks->buffers[table + 1];

    buffer->used++;
    blocks->counts[table + 1]++;
    bool old = table == -1 && buffer->used % 16 == 0 &&
               clock_seconds() - blocks->last_flush > FLUSH_SECONDS;
    return buffer->used == buffer->capacity || old ? flush(blocks, table, err) : OK;
}

Status row_blocks_flush(RowBlocks *blocks, Error *err)
{
    Status status = OK;
    for (int table = -1; status == OK && table < (int)blocks->tables; table++)
        status = flush(blocks, table, err);
    return status;
}
