/* Stored models: stored once by the hash of their document, read, listed in pages, deleted. Models
 * that jobs name are kept. */
#include <string.h>

#include "core/base/clock.h"
#include "db/sqlite/checksum.h"

static Status model_missing(const char *id, Error *err)
{
    return error_set(err, ERR_NOT_FOUND, "no model '%.80s'", id);
}

typedef struct PutOp {
    WriteOp op;
    const char *id, *name, *document;
    size_t size;
    bool created;
} PutOp;

/* In the order of MODEL_SAYS. */
#define MODEL_INSERT(listed)                                                               \
    "INSERT INTO models (id, name, created_ms, document, checksum, listed, row_checksum) " \
    "VALUES (?1, ?2, ?3, ?4, ?5, " listed ", row_checksum(?1, ?2, ?3, " listed             \
    ", length(?4), ?5)) "

static Status model_insert(Connection *connection, const char *sql, const char *id,
                           const char *name, const char *document, size_t size, Error *err)
{
    Query query = query_new(connection, sql);
    query_text(&query, 1, id);
    query_text(&query, 2, name);
    query_int(&query, 3, clock_unix_ms());
    query_blob(&query, 4, document, size);
    query_int(&query, 5, model_checksum(id, name, document, size));
    return query_run(&query, err);
}

static Status model_put_run(Store *store, WriteOp *op, Error *err)
{
    PutOp *put = (PutOp *)op;
    Connection *connection = &store->writer.connection;
    Status status = model_insert(
        connection, MODEL_INSERT("1") "ON CONFLICT (id) DO UPDATE SET listed = 1 WHERE NOT listed",
        put->id, put->name, put->document, put->size, err);
    if (status == OK && connection_changed(connection)) {
        put->created = true;
        store->writer.ledger.counts.models++;
        writer_revision(store);
    }
    return status;
}

Status model_keep(Connection *connection, const JobDraft *draft, Error *err)
{
    if (!draft->model)
        return OK;
    return model_insert(connection, MODEL_INSERT("0") "ON CONFLICT (id) DO NOTHING",
                        draft->model_id, draft->model_name, draft->model, draft->model_size, err);
}

Status model_drop_unused(Connection *connection, const char *id, Error *err)
{
    Query query = query_new(connection,
                            "DELETE FROM models AS m WHERE id = ?1 AND NOT listed AND " MODEL_SOUND
                            " AND NOT EXISTS (SELECT 1 FROM jobs WHERE model_id = ?1)");
    query_text(&query, 1, id);
    return query_run(&query, err);
}

Status store_model_put(Store *store, const char *id, const char *name, const char *document,
                       size_t size, bool *ret_created, Error *err)
{
    PutOp put = {
        .op = {.run = model_put_run}, .id = id, .name = name, .document = document, .size = size};
    Status status = space_check(store, store->disk_reserve, err);
    if (status == OK)
        status = writer_do(store, &put.op, err);
    if (status == OK)
        *ret_created = put.created;
    return status;
}

typedef struct DeleteOp {
    WriteOp op;
    const char *id;
} DeleteOp;

static Status model_delete_run(Store *store, WriteOp *op, Error *err)
{
    const char *id = ((DeleteOp *)op)->id;
    Connection *connection = &store->writer.connection;
    Query query = query_new(connection, "UPDATE models SET listed = 0 WHERE id = ?1 AND listed");
    query_text(&query, 1, id);
    Status status = query_run(&query, err);
    if (status == OK && !connection_changed(connection))
        return model_missing(id, err);
    if (status == OK)
        status = model_drop_unused(connection, id, err);
    store->writer.ledger.counts.models--;
    writer_revision(store);
    return status;
}

Status store_model_delete(Store *store, const char *id, Error *err)
{
    DeleteOp deletion = {.op = {.run = model_delete_run}, .id = id};
    return writer_do(store, &deletion.op, err);
}

/* Finds an unlisted model only if `kept`. */
static Status read_model(Store *store, const char *id, bool kept, Arena *arena,
                         ModelRecord *ret_model, Error *err)
{
    ModelRecord model = {0};
    Connection *reader = reader_take(store);
    /* read the model, and check its row and its document */
    Query query =
        query_new(reader, "SELECT id, name, created_ms, document, checksum, listed, " MODEL_SOUND
                          " FROM models m WHERE id = ?1");
    query_text(&query, 1, id);
    bool found = query_next(&query);
    bool good = true;
    if (found) {
        model.id = row_text(&query, 0, arena);
        model.name = row_text(&query, 1, arena);
        model.created_ms = row_int(&query, 2);
        model.document = row_bytes(&query, 3, arena, &model.document_size);
        good = row_int(&query, 6) && model.id && strcmp(model.id, id) == 0 &&
               checksum_agrees(
                   &query, 4,
                   model_checksum(model.id, model.name, model.document, model.document_size));
        found = kept || row_int(&query, 5) || !good;
    }
    Status status = query_end(&query, err);
    reader_give(store, reader);
    if (status == OK && !found)
        status = model_missing(id, err);
    if (status == OK && !good)
        status = damage(store, err, "the model %.80s is damaged", id);
    if (status == OK)
        *ret_model = model;
    return status;
}

Status store_model_get(Store *store, const char *id, Arena *arena, ModelRecord *ret_model,
                       Error *err)
{
    return read_model(store, id, false, arena, ret_model, err);
}

Status store_model_kept(Store *store, const char *id, Arena *arena, ModelRecord *ret_model,
                        Error *err)
{
    return read_model(store, id, true, arena, ret_model, err);
}

/* The row number after which a list continues; INT64_MAX: from the start. */
static Status find_cursor(Connection *reader, const char *after, int64_t *ret_seq, Error *err)
{
    if (!after) {
        *ret_seq = INT64_MAX;
        return OK;
    }
    Query query = query_new(reader, "SELECT seq FROM models WHERE id = ?1");
    query_text(&query, 1, after);
    const bool found = query_next(&query);
    const int64_t seq = found ? row_int(&query, 0) : 0;
    Status status = query_end(&query, err);
    if (status == OK && !found)
        return model_missing(after, err);
    if (status == OK)
        *ret_seq = seq;
    return status;
}

Status store_model_list(Store *store, const char *after, size_t limit, Arena *arena,
                        ModelRecord **ret_models, size_t *ret_n, bool *ret_more, Error *err)
{
    const size_t most = limit < LIST_MAX ? limit : LIST_MAX;
    ModelRecord *models = arena_alloc(arena, most, sizeof *models);
    if (!models)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a list of models");
    size_t n = 0;
    bool more = false;
    int64_t seq = 0;
    const ArenaMark start = arena_mark(arena);
    Connection *reader = reader_take(store);
    Status status = find_cursor(reader, after, &seq, err);
    if (status == OK) {
        /* newest first; damaged rows are reported even if they are not listed */
        Query query =
            query_new(reader, "SELECT id, name, created_ms, length(document), seq, " MODEL_SOUND
                              " AS sound FROM models m WHERE seq < ?1 "
                              "AND (listed OR NOT sound) ORDER BY seq DESC LIMIT ?2");
        query_int(&query, 1, seq);
        query_int(&query, 2, (int64_t)most);
        while (!more && query_next(&query)) {
            models[n].id = row_text(&query, 0, arena);
            models[n].name = row_text(&query, 1, arena);
            models[n].created_ms = row_int(&query, 2);
            models[n].document_size = (size_t)row_int(&query, 3);
            if (!row_int(&query, 5))
                query_damaged(&query, "the row of model %s is damaged (row %lld of the models)",
                              row_peek(&query, 0), (long long)row_int(&query, 4));
            more = list_is_full(++n, most, arena, start);
        }
        status = query_end(&query, err);
    }
    reader_give(store, reader);
    if (status == OK) {
        *ret_models = models;
        *ret_n = n;
        *ret_more = more;
    }
    return status;
}
