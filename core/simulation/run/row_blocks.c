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

Status rows_init(Rows *rows, const SimulationSink *sink, size_t columns, size_t tables, Error *err)
{
    size_t capacity = BLOCK_BYTES / (columns * sizeof(double));
    if (capacity == 0)
        capacity = 1;

    *rows =
        (Rows){.sink = sink, .columns = columns, .tables = tables, .last_flush = clock_seconds()};
    rows->buffers = alloc_array(1 + tables, sizeof *rows->buffers);
    rows->counts = alloc_array(1 + tables, sizeof *rows->counts);
    if (!rows->buffers || !rows->counts)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k <= tables; k++) {
        RowBuffer *buffer = &rows->buffers[k];
        buffer->capacity = k == 0 || capacity < EVENT_ROWS ? capacity : EVENT_ROWS;
        buffer->rows = alloc_array(buffer->capacity * columns, sizeof *buffer->rows);
        if (!buffer->rows)
            return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    return OK;
}

void rows_done(Rows *rows)
{
    for (size_t k = 0; rows->buffers && k <= rows->tables; k++)
        free(rows->buffers[k].rows);
    free(rows->buffers);
    free(rows->counts);
}

double *rows_next(Rows *rows, int table)
{
    const RowBuffer *buffer = &rows->buffers[table + 1];
    return buffer->rows + buffer->used * rows->columns;
}

static Status flush(Rows *rows, int table, Error *err)
{
    RowBuffer *buffer = &rows->buffers[table + 1];
    size_t n = buffer->used;

    buffer->used = 0;
    if (table == -1)
        rows->last_flush = clock_seconds();
    if (n == 0)
        return OK;
    return rows->sink->rows(rows->sink->self, table, buffer->rows, n, err);
}

Status rows_commit(Rows *rows, int table, Error *err)
{
    RowBuffer *buffer = &rows->buffers[table + 1];

    buffer->used++;
    rows->counts[table + 1]++;
    bool old =
        table == -1 && buffer->used % 16 == 0 && clock_seconds() - rows->last_flush > FLUSH_SECONDS;
    return buffer->used == buffer->capacity || old ? flush(rows, table, err) : OK;
}

Status rows_flush(Rows *rows, Error *err)
{
    Status status = OK;
    for (int table = -1; status == OK && table < (int)rows->tables; table++)
        status = flush(rows, table, err);
    return status;
}
