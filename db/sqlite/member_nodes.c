/* Adding nodes of members: a new node merges with its stored other half, and goes on as their
 * parent. */
#include "db/sqlite/member_nodes.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "db/sqlite/blocks.h"
#include "db/sqlite/checksum.h"

Status member_nodes_check(const MemberNodes *nodes, const MemberRange *range, uint64_t done,
                          Error *err)
{
    bool good = true;

    for (size_t i = 0; good && i < nodes->n; i++) {
        const MemberNode *node = &nodes->nodes[i];
        const uint64_t size = UINT64_C(1) << (node->level < 54 ? node->level : 54);
        const uint64_t first = node->number * size;
        good = node->level < 54 && node->number < UINT64_C(1) << (54 - node->level) &&
               node->n_words > 0 && first >= range->first && size <= done &&
               first - range->first <= done - size;
    }
    return good ? OK : error_set(err, ERR_INVALID, "a node of members that are not done");
}

const uint64_t *row_words(Query *query, int column, Arena *arena, size_t *ret_n)
{
    const void *bytes = sqlite3_column_blob(query->statement, column);
    const size_t n = (size_t)sqlite3_column_bytes(query->statement, column) / sizeof(uint64_t);
    uint64_t *words = ARENA_NEW(arena, n, uint64_t);

    if (words && n)
        doubles_copy(words, bytes, n);
    *ret_n = n;
    return words;
}

/* The other half of a node, removed from the database; words NULL: it is not stored. */
typedef struct Half {
    Arena arena;
    const uint64_t *words;
    size_t n;
} Half;

static Status take_half(Store *store, int64_t job, const MemberNode *node, Half *half, Error *err)
{
    Connection *connection = &store->writer.connection;
    int64_t seq = 0;
    bool sound = true;

    arena_reset(&half->arena);
    half->words = NULL;
    Query query = query_new(connection, "SELECT seq, words, checksum = row_checksum(" //
                            MEMBER_NODE_SAYS("") ") FROM member_nodes WHERE job = ?1 AND "
                                                 "part = ?2 AND level = ?3 AND number = ?4");
    query_int(&query, 1, job);
    query_int(&query, 2, (int64_t)node->part);
    query_int(&query, 3, (int64_t)node->level);
    query_int(&query, 4, (int64_t)(node->number ^ 1));
    if (query_next(&query)) {
        seq = row_int(&query, 0);
        half->words = row_words(&query, 1, &half->arena, &half->n);
        sound = row_int(&query, 2);
    }
    Status status = query_end(&query, err);
    if (status == OK && !sound)
        status = damage(store, err, "a node of members is damaged");
    if (status == OK)
        status = arena_status(&half->arena, err);
    if (status != OK || !seq)
        return status;
    Query gone = query_new(connection, "DELETE FROM member_nodes WHERE seq = ?1");
    query_int(&gone, 1, seq);
    return query_run(&gone, err);
}

static Status insert_node(Store *store, int64_t job, const MemberNode *node, Error *err)
{
    uint64_t *bytes = alloc_array(node->n_words, sizeof *bytes);
    if (!bytes)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a node of members");
    doubles_copy(bytes, node->words, node->n_words);
    Query query = query_new(&store->writer.connection,
                            "INSERT INTO member_nodes (job, part, level, number, words, checksum) "
                            "VALUES (?1, ?2, ?3, ?4, ?5, row_checksum(?1, ?2, ?3, ?4, ?5))");
    query_int(&query, 1, job);
    query_int(&query, 2, (int64_t)node->part);
    query_int(&query, 3, (int64_t)node->level);
    query_int(&query, 4, (int64_t)node->number);
    query_blob(&query, 5, bytes, node->n_words * sizeof *bytes);
    const Status status = query_run(&query, err);
    free(bytes);
    return status;
}

/* Replaces a node by its parent, merged from both halves; its words are in *io_words. */
static Status go_up(const MemberNodes *nodes, MemberNode *node, const Half *half, Text *io_words,
                    Error *err)
{
    const bool upper = node->number & 1;
    const uint64_t above = node->number / 2;
    Text words = TEXT_INIT;

    const Status status =
        upper ? nodes->merge(half->words, half->n, node->words, node->n_words, above, &words, err)
              : nodes->merge(node->words, node->n_words, half->words, half->n, above, &words, err);
    text_done(io_words);
    *io_words = words;
    node->level++;
    node->number = above;
    node->words = (const uint64_t *)(const void *)words.data;
    node->n_words = words.length / sizeof *node->words;
    return status;
}

static Status add_node(Store *store, int64_t job, const MemberNodes *nodes, MemberNode node,
                       Error *err)
{
    Text words = TEXT_INIT;
    Half half = {0};
    Status status = take_half(store, job, &node, &half, err);

    while (status == OK && half.words) {
        status = go_up(nodes, &node, &half, &words, err);
        if (status == OK)
            status = take_half(store, job, &node, &half, err);
    }
    if (status == OK)
        status = insert_node(store, job, &node, err);
    arena_done(&half.arena);
    text_done(&words);
    return status;
}

Status member_nodes_add(Store *store, int64_t job, const MemberNodes *nodes, Error *err)
{
    Status status = OK;

    for (size_t i = 0; i < nodes->n && status == OK; i++)
        status = add_node(store, job, nodes, nodes->nodes[i], err);
    return status;
}
