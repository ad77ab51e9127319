/* One block at a time is in memory. */
#include "api/routes/stored_rows.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_MEMORY = 64 * 1024 * 1024 };

typedef struct StoredRows {
    TenantStore store;
    char job_id[JOB_ID_MAX];
    StoredRowsOf of;
    int table;
    uint64_t member;
    Arena *arena; /* of the block in memory */
} StoredRows;

void stored_rows_free(void *self)
{
    StoredRows *stored = self;

    arena_free(stored->arena);
    free(stored);
}

static void stored_release(void *self)
{
    StoredRows *stored = self;

    arena_reset(stored->arena);
}

static Status stored_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    StoredRows *s = self;
    ResultBlock block;
    uint64_t place = row;

    stored_release(s);
    Status status =
        s->of == ROWS_OF_MEMBER
            ? store_member_block(s->store, s->job_id, s->table, s->member, row, s->arena, &block,
                                 err)
            : store_result_block(s->store, s->job_id, s->table, row, s->arena, &block, err);
    /* a member may be missing, while later ones have ended */
    if (status == ERR_NOT_FOUND && s->of == ROWS_OF_MEMBERS)
        status = store_table_next(s->store, s->job_id, s->table, &place, s->arena, &block, err);
    if (status == OK)
        *ret_block = (RowsBlock){block.first_row, block.n_rows, block.rows};
    return status;
}

Status stored_rows_new(TenantStore store, const char *job_id, StoredRowsOf of, int table,
                       uint64_t member, RowsSource *ret, Error *err)
{
    StoredRows *stored = calloc(1, sizeof *stored);
    Arena *arena = arena_new(BLOCK_MEMORY);

    if (!stored || !arena) {
        free(stored);
        arena_free(arena);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    *stored =
        (StoredRows){.store = store, .of = of, .table = table, .member = member, .arena = arena};
    memcpy(stored->job_id, job_id, strlen(job_id) + 1);
    *ret = (RowsSource){stored, stored_block, stored_release};
    return OK;
}

Status stored_rows_count(const RowsSource *source, uint64_t *ret_n, Error *err)
{
    RowsBlock block;
    Status status = OK;

    *ret_n = 0;
    while ((status = source->block(source->self, *ret_n, &block, err)) == OK)
        *ret_n = block.first_row + block.n_rows;
    return status == ERR_NOT_FOUND ? OK : status;
}
