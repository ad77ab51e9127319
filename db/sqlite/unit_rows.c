/* Rows of a unit gather by member, because members end in any order. They are written in the order
 * of members. */
#include "db/sqlite/unit_rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "db/sqlite/blocks.h"

UnitRows *unit_rows_new(MemberRange range)
{
    UnitRows *unit = alloc_array(1, sizeof *unit);
    if (unit)
        unit->range = range;
    return unit;
}

static void free_one(UnitRows *unit)
{
    for (size_t k = 0; k < unit->n_tables; k++) {
        for (uint64_t i = 0; unit->tables[k].members && i < unit->range.n; i++)
            free(unit->tables[k].members[i].rows);
        free(unit->tables[k].members);
    }
    free(unit->tables);
    free(unit->summary);
    free(unit->told);
    free(unit);
}

void unit_rows_free(UnitRows *unit)
{
    while (unit) {
        UnitRows *next = unit->next;
        free_one(unit);
        unit = next;
    }
}

static Status no_memory(Error *err)
{
    return error_set(err, ERR_NO_MEMORY, "out of memory for rows of members");
}

static Status add_summary(UnitRows *unit, uint64_t i, const double *row, size_t n_rows,
                          size_t n_columns, Error *err)
{
    if (n_rows != 1 || (unit->n_columns && unit->n_columns != n_columns))
        return error_set(err, ERR_INVALID, "%zu rows of %zu columns of a member's summary", n_rows,
                         n_columns);
    /* allocate at the first row */
    if (!unit->summary) {
        if (!unit->told)
            unit->told = alloc_array((size_t)unit->range.n, sizeof *unit->told);
        if (unit->told && n_columns <= SIZE_MAX / sizeof *row)
            unit->summary = alloc_array((size_t)unit->range.n, n_columns * sizeof *row);
        if (!unit->summary)
            return no_memory(err);
        unit->n_columns = n_columns;
    }
    /* store the row, once */
    if (unit->told[i])
        return error_set(err, ERR_INVALID, "member %llu is told twice",
                         (unsigned long long)(unit->range.first + i));
    memcpy(unit->summary + i * n_columns, row, n_columns * sizeof *row);
    unit->told[i] = true;
    return OK;
}

static UnitTable *table_of(UnitRows *unit, size_t table)
{
    if (!grow_array(&unit->tables, &unit->capacity, table + 1, sizeof *unit->tables))
        return NULL;
    while (unit->n_tables <= table)
        unit->tables[unit->n_tables++] = (UnitTable){0};
    UnitTable *found = &unit->tables[table];
    if (!found->members)
        found->members = alloc_array((size_t)unit->range.n, sizeof *found->members);
    return found->members ? found : NULL;
}

Status unit_rows_add(UnitRows *unit, int table, uint64_t member, const double *rows, size_t n_rows,
                     size_t n_columns, Error *err)
{
    /* check the member of each row */
    const uint64_t i = member - unit->range.first;
    if (member < unit->range.first || i >= unit->range.n)
        return error_set(err, ERR_INVALID, "member %llu is not of this unit",
                         (unsigned long long)member);
    for (size_t k = 0; k < n_rows; k++)
        if (rows[k * n_columns] != (double)member)
            return error_set(err, ERR_INVALID, "row %zu is not of member %llu", k,
                             (unsigned long long)member);
    if (table < 0)
        return add_summary(unit, i, rows, n_rows, n_columns, err);
    /* append to the member's rows of the table */
    UnitTable *found = table_of(unit, (size_t)table);
    if (!found)
        return no_memory(err);
    if (found->n_columns && found->n_columns != n_columns)
        return error_set(err, ERR_INVALID, "rows of %zu columns in a table of %zu", n_columns,
                         found->n_columns);
    found->n_columns = n_columns;
    MemberRows *to = &found->members[i];
    if (!grow_array(&to->rows, &to->capacity, (to->n_rows + n_rows) * n_columns, sizeof *to->rows))
        return no_memory(err);
    memcpy(to->rows + to->n_rows * n_columns, rows, n_rows * n_columns * sizeof *rows);
    to->n_rows += n_rows;
    unit->held += n_rows * n_columns * sizeof *rows;
    return OK;
}

bool unit_rows_full(const UnitRows *unit, int table, size_t bytes)
{
    return table >= 0 && unit->held > 0 && unit->held + bytes > UNIT_HELD_MAX;
}

/* A block on its way to the writer. */
typedef struct BlockOp {
    WriteOp op;
    BlockRow block;
    double rows[]; /* in the stored form */
} BlockOp;

static Status block_run(Store *store, WriteOp *op, Error *err)
{
    const BlockRow *block = &((const BlockOp *)op)->block;
    Query query =
        query_new(&store->writer.connection, "SELECT 1 FROM units WHERE job = ?1 AND token = ?2");
    query_int(&query, 1, block->job);
    query_int(&query, 2, op->lease->token);
    const bool held = query_next(&query);
    Status status = query_end(&query, err);
    if (status == OK && !held)
        status = lease_missing(op->lease->id, err);
    return status == OK ? block_write(store, block, err) : status;
}

static void block_settle(Store *store, WriteOp *op)
{
    if (op->status != OK)
        unit_lose(store, op->lease, &op->err);
    free(op);
}

/* The shape of a block of one table; its first row is number `row` of its member. */
static BlockRow block_of(int64_t job, int table, const double *rows, uint64_t row, size_t n_rows,
                         size_t n_columns)
{
    const double last = rows[(n_rows - 1) * n_columns];
    return (BlockRow){.job = job,
                      .table = table,
                      .first_row = table < 0 ? (uint64_t)rows[0]
                                             : (uint64_t)MEMBER_KEY((uint64_t)rows[0], row),
                      .n_rows = n_rows,
                      .n_columns = n_columns,
                      .t_first = rows[0],
                      .t_last = last,
                      .size = n_rows * n_columns * sizeof *rows};
}

/* Posts the first rows of a member as one block. */
static Status post_block(Store *store, Lease *lease, int table, MemberRows *member, Error *err)
{
    UnitRows *unit = lease->unit;
    const size_t n_columns = unit->tables[table].n_columns, most = rows_of_block(n_columns);
    const size_t n = member->n_rows < most ? member->n_rows : most, n_doubles = n * n_columns;
    BlockOp *op = malloc(sizeof *op + n_doubles * sizeof *op->rows);
    if (!op)
        return no_memory(err);
    /* copy the rows to an operation */
    op->op = (WriteOp){.run = block_run,
                       .settle = block_settle,
                       .lease = lease,
                       .rows = true,
                       .bytes = sizeof *op + n_doubles * sizeof *op->rows};
    op->block = block_of(lease->seq, table, member->rows, member->written, n, n_columns);
    op->block.data = op->rows;
    doubles_copy(op->rows, member->rows, n_doubles);
    /* remove them from the member */
    member->n_rows -= n;
    member->written += n;
    memmove(member->rows, member->rows + n_doubles,
            member->n_rows * n_columns * sizeof *member->rows);
    unit->held -= n_doubles * sizeof *op->rows;
    writer_post(store, &op->op);
    return OK;
}

Status unit_rows_post(Store *store, Lease *lease, Error *err)
{
    UnitRows *unit = lease->unit;
    Status status = OK;
    for (size_t k = 0; k < unit->n_tables && status == OK; k++)
        for (uint64_t i = 0; unit->tables[k].members && i < unit->range.n && status == OK; i++) {
            MemberRows *member = &unit->tables[k].members[i];
            while (member->n_rows && status == OK)
                status = post_block(store, lease, (int)k, member, err);
            if (status == OK) {
                free(member->rows);
                member->rows = NULL;
                member->capacity = 0;
            }
        }
    return status;
}

Status unit_rows_check(const UnitRows *unit, uint64_t done, Error *err)
{
    if (done > unit->range.n)
        return error_set(err, ERR_INVALID, "a unit of %llu members has no %llu",
                         (unsigned long long)unit->range.n, (unsigned long long)done);
    for (uint64_t i = 0; i < done; i++)
        if (!unit->told || !unit->told[i])
            return error_set(err, ERR_INVALID, "member %llu was not told",
                             (unsigned long long)(unit->range.first + i));
    return OK;
}

/* Collects rows in the order of members until they fill a block. */
typedef struct Gathered {
    Store *store;
    int64_t job;
    int table;
    size_t n_columns, n_rows, capacity;
    uint64_t row; /* number of the first row within its member */
    double *rows, *bytes;
} Gathered;

static Status gathered_write(Gathered *gathered, Error *err)
{
    if (gathered->n_rows == 0)
        return OK;
    BlockRow block = block_of(gathered->job, gathered->table, gathered->rows, gathered->row,
                              gathered->n_rows, gathered->n_columns);
    doubles_copy(gathered->bytes, gathered->rows, gathered->n_rows * gathered->n_columns);
    block.data = gathered->bytes;
    gathered->n_rows = 0;
    return block_write(gathered->store, &block, err);
}

static Status gathered_add(Gathered *gathered, const double *rows, size_t n_rows, uint64_t row,
                           Error *err)
{
    Status status = OK;
    for (size_t at = 0, n; at < n_rows && status == OK; at += n) {
        if (gathered->n_rows == 0)
            gathered->row = row + at;
        const size_t room = gathered->capacity - gathered->n_rows, left = n_rows - at;
        n = left < room ? left : room;
        memcpy(gathered->rows + gathered->n_rows * gathered->n_columns,
               rows + at * gathered->n_columns, n * gathered->n_columns * sizeof *rows);
        gathered->n_rows += n;
        if (gathered->n_rows == gathered->capacity)
            status = gathered_write(gathered, err);
    }
    return status;
}

/* A member with rows written earlier begins a new block, because blocks are found by first rows. */
static Status write_table(Gathered *gathered, const UnitTable *table, uint64_t done, Error *err)
{
    Status status = OK;
    for (uint64_t i = 0; i < done && status == OK; i++) {
        const MemberRows *member = &table->members[i];
        if (member->written)
            status = gathered_write(gathered, err);
        if (status == OK)
            status = gathered_add(gathered, member->rows, member->n_rows, member->written, err);
    }
    return status == OK ? gathered_write(gathered, err) : status;
}

static Status write_rows(Store *store, const Lease *lease, int table, uint64_t done, Error *err)
{
    const UnitRows *unit = lease->unit;
    const size_t n_columns = table < 0 ? unit->n_columns : unit->tables[table].n_columns;
    Gathered gathered = {.store = store, .job = lease->seq, .table = table, .n_columns = n_columns};
    if (n_columns == 0)
        return OK;
    /* buffers of one block */
    gathered.capacity = rows_of_block(n_columns);
    gathered.rows = alloc_array(gathered.capacity, n_columns * sizeof *gathered.rows);
    gathered.bytes = alloc_array(gathered.capacity, n_columns * sizeof *gathered.bytes);
    Status status = gathered.rows && gathered.bytes ? OK : no_memory(err);
    /* write a table, or the summary */
    if (status == OK && table >= 0) {
        status = write_table(&gathered, &unit->tables[table], done, err);
    } else if (status == OK) {
        status = gathered_add(&gathered, unit->summary, (size_t)done, 0, err);
        if (status == OK)
            status = gathered_write(&gathered, err);
    }
    free(gathered.rows);
    free(gathered.bytes);
    return status;
}

Status unit_rows_write(Store *store, const Lease *lease, uint64_t done, Error *err)
{
    const UnitRows *unit = lease->unit;
    Status status = OK;
    for (int k = -1; k < (int)unit->n_tables && status == OK; k++)
        status = write_rows(store, lease, k, done, err);
    for (size_t k = 0; k < unit->n_tables && status == OK && done < unit->range.n; k++) {
        Query query = query_new(&store->writer.connection, "DELETE FROM blocks WHERE job = ?1 AND "
                                                           "tab = ?2 AND first_row >= ?3 AND "
                                                           "first_row < ?4");
        query_int(&query, 1, lease->seq);
        query_int(&query, 2, (int64_t)k);
        query_int(&query, 3, MEMBER_KEY(unit->range.first + done, 0));
        query_int(&query, 4, MEMBER_KEY(unit->range.first + unit->range.n, 0));
        status = query_run(&query, err);
    }
    return status;
}
