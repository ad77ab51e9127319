/* Reading the tables of an ensemble: the rows of one member, and a whole table in the order of
 * members. Blocks of a unit that has not ended are skipped. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "db/sqlite/blocks.h"
#include "db/sqlite/member_nodes.h"

/* SQL: readers see block b. A block of the summary is written only when its members have ended. */
#define SEEN                                                               \
    "(b.tab < 0 OR EXISTS (SELECT 1 FROM unit_ends u WHERE u.job = b.job " \
    "AND u.first <= b.first_row >> " MEMBER_BITS                           \
    " AND u.first + u.n > b.first_row >> " MEMBER_BITS "))"

static Status ensemble_seq(Connection *reader, int64_t tenant, const char *job_id, int64_t *ret_seq,
                           Error *err)
{
    /* read the key of the result and check the rows */
    Query query = query_new(
        reader, "SELECT " RESULT_KEY("j.") ", " JOB_SOUND_ID " AND " RESULT_SOUND
                                           ", r.members FROM jobs j LEFT JOIN results r "
                                           "ON r.job = " RESULT_KEY("j.") " WHERE " JOB_OF("?2"));
    query_text(&query, 1, job_id);
    query_int(&query, 2, tenant);
    const bool found = query_next(&query);
    bool ensemble = false;
    if (found) {
        job_sound(&query, row_int(&query, 1), job_id);
        *ret_seq = row_int(&query, 0);
        ensemble = row_int(&query, 2) > 0;
    }
    Status status = query_end(&query, err);
    if (status == OK && !found)
        return job_missing(reader, job_id, err);
    if (status == OK && !ensemble)
        return error_set(err, ERR_NOT_FOUND, "job '%.40s' is no ensemble", job_id);
    return status;
}

/* A query for one block by its key in the order of members. */
typedef struct BlockPlace {
    const char *sql;
    int64_t job;
    int table;
    int64_t key;
} BlockPlace;

static Status seen_block(Store *store, Connection *reader, const char *job_id,
                         const BlockPlace *place, Arena *arena, BlockRow *ret_row,
                         ResultBlock *ret_block, Error *err)
{
    Status read = ERR_NOT_FOUND;
    Query query = query_new(reader, place->sql);
    query_int(&query, 1, place->job);
    query_int(&query, 2, place->table);
    query_int(&query, 3, place->key);
    if (query_next(&query)) {
        read = block_check(store, &query, job_id, ret_row, err);
        if (read == OK)
            read = block_read(store, &query, job_id, arena, ret_block, err);
    }
    Status status = query_end(&query, read == OK || read == ERR_NOT_FOUND ? err : NULL);
    return status != OK ? status : read;
}

static const char BLOCK_AT[] =
    "SELECT " BLOCK_COLUMNS " FROM blocks b WHERE b.job = ?1 AND "
    "b.tab = ?2 AND b.first_row <= ?3 AND " SEEN " ORDER BY b.first_row DESC LIMIT 1";
static const char BLOCK_FROM[] =
    "SELECT " BLOCK_COLUMNS " FROM blocks b WHERE b.job = ?1 AND "
    "b.tab = ?2 AND b.first_row >= ?3 AND " SEEN " ORDER BY b.first_row LIMIT 1";

/* The rows of one member in a block, from the member's row `row` on; n_rows is 0 if there are none.
 * `begin`: number of the block's first row within its member. */
static ResultBlock member_rows(const ResultBlock *block, uint64_t begin, uint64_t member,
                               uint64_t row)
{
    const size_t width = block->n_columns;
    uint64_t low = 0, high = block->n_rows; /* members ascend */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (block->rows[middle * width] < (double)member)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0)
        begin = 0; /* a later member: its rows begin in this block */
    const uint64_t at = row < begin ? block->n_rows : low + (row - begin);
    uint64_t end = at;
    for (; end < block->n_rows && block->rows[end * width] == (double)member; end++)
        ;
    return (ResultBlock){.first_row = row,
                         .n_rows = end - at,
                         .n_columns = width,
                         .rows = block->rows + (at < block->n_rows ? at * width : 0)};
}

Status store_member_block(TenantStore of, const char *job_id, int table, uint64_t member,
                          uint64_t row, Arena *arena, ResultBlock *ret_block, Error *err)
{
    Store *store = of.store;
    int64_t seq = 0;
    bool ended = false;
    ResultBlock block = {0};
    BlockRow at = {0};
    if (member > INT64_MAX >> MEMBER_ROW_BITS || row >> MEMBER_ROW_BITS)
        return error_set(err, ERR_NOT_FOUND, "there is no such row");
    /* find the block for the row */
    Connection *reader = reader_take(store);
    Status status = ensemble_seq(reader, of.tenant, job_id, &seq, err);
    if (status == OK)
        status = member_ended(reader, seq, member, &ended, err);
    const BlockPlace place = {BLOCK_AT, seq, table,
                              table < 0 ? (int64_t)member : MEMBER_KEY(member, row)};
    if (status == OK && ended)
        status = seen_block(store, reader, job_id, &place, arena, &at, &block, err);
    reader_give(store, reader);
    /* select the member's rows */
    if (status == OK && block.rows) {
        const uint64_t begin =
            table < 0 ? 0 : at.first_row & ((UINT64_C(1) << MEMBER_ROW_BITS) - 1);
        block = member_rows(&block, begin, member, row);
    }
    /* every ended member has a row in the summary, so a missing one is damage */
    if (status == OK && block.n_rows == 0)
        status = ERR_NOT_FOUND;
    if (status == ERR_NOT_FOUND && seq && table < 0 && ended && row == 0)
        return damage(store, err, "the row of member %llu of job %.40s is missing",
                      (unsigned long long)member, job_id);
    if (status == ERR_NOT_FOUND && seq)
        return error_set(err, ERR_NOT_FOUND, "member %llu has no row %llu in table %d",
                         (unsigned long long)member, (unsigned long long)row, table);
    if (status == OK)
        *ret_block = block;
    return status;
}

Status store_table_next(TenantStore of, const char *job_id, int table, uint64_t *io_place,
                        Arena *arena, ResultBlock *ret_block, Error *err)
{
    Store *store = of.store;
    int64_t seq = 0;
    ResultBlock block = {0};
    BlockRow at = {0};
    Connection *reader = reader_take(store);
    Status status = ensemble_seq(reader, of.tenant, job_id, &seq, err);
    const BlockPlace place = {BLOCK_FROM, seq, table, (int64_t)*io_place};
    if (status == OK)
        status = seen_block(store, reader, job_id, &place, arena, &at, &block, err);
    reader_give(store, reader);
    if (status == ERR_NOT_FOUND && seq)
        return error_set(err, ERR_NOT_FOUND, "table %d ends", table);
    if (status != OK)
        return status;
    *io_place = at.first_row + 1;
    if (table >= 0)
        block.first_row = 0; /* column 0 of each row is its member */
    *ret_block = block;
    return OK;
}

/* The nodes of a part, whether they are sound, and the number of ended members; at least one
 * row. */
static const char NODES_OF[] =
    "SELECT m.level, m.number, m.words, m.checksum = row_checksum(" MEMBER_NODE_SAYS(
        "m.") "), e.n "
              "FROM (SELECT coalesce(sum(n), 0) AS n FROM unit_ends WHERE job = ?1) e "
              "LEFT JOIN member_nodes m ON m.job = ?1 AND m.part = ?2 ORDER BY m.number << m.level";

static Status read_nodes(Store *store, Connection *reader, int64_t seq, unsigned part, Arena *arena,
                         MemberNode **ret_nodes, size_t *ret_n, Error *err)
{
    MemberNode *nodes = NULL;
    size_t n = 0, capacity = 0;
    uint64_t ended = 0, told = 0;
    bool sound = true, memory = true;
    Query query = query_new(reader, NODES_OF);
    query_int(&query, 1, seq);
    query_int(&query, 2, (int64_t)part);
    /* collect the nodes and count the members they cover */
    while (memory && query_next(&query)) {
        ended = (uint64_t)row_int(&query, 4);
        if (sqlite3_column_type(query.statement, 0) == SQLITE_NULL)
            break;
        MemberNode node = {.level = (unsigned)row_int(&query, 0),
                           .number = (uint64_t)row_int(&query, 1),
                           .part = part};
        node.words = row_words(&query, 2, arena, &node.n_words);
        sound = sound && row_int(&query, 3);
        told += UINT64_C(1) << (node.level & 63);
        memory = node.words && grow_array(&nodes, &capacity, n + 1, sizeof *nodes);
        if (memory)
            nodes[n++] = node;
    }
    Status status = query_end(&query, err);
    /* copy them to the arena */
    MemberNode *kept = ARENA_NEW(arena, n, MemberNode);
    if (kept && n)
        memcpy(kept, nodes, n * sizeof *kept);
    free(nodes);
    if (status == OK && (!memory || !kept))
        return error_set(err, ERR_NO_MEMORY, "out of memory for nodes of members");
    /* sound nodes cover exactly the ended members */
    if (status == OK && (!sound || told != ended))
        status = damage(store, err, "the nodes of members are damaged");
    *ret_nodes = kept;
    *ret_n = n;
    return status;
}

Status store_member_nodes(TenantStore of, const char *job_id, unsigned part, Arena *arena,
                          MemberNode **ret_nodes, size_t *ret_n, Error *err)
{
    Store *store = of.store;
    int64_t seq = 0;
    Connection *reader = reader_take(store);
    Status status = ensemble_seq(reader, of.tenant, job_id, &seq, err);
    if (status == OK)
        status = read_nodes(store, reader, seq, part, arena, ret_nodes, ret_n, err);
    reader_give(store, reader);
    if (status == ERR_DAMAGED)
        error_prefix(err, "job %.40s", job_id);
    return status;
}
