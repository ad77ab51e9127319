/* Stored models: stored once by the hash of their document, with the tenants that own them; read,
 * listed in pages, deleted. Models that jobs name are kept. */
#include <string.h>

#include "core/base/clock.h"
#include "db/sqlite/checksum.h"

static Status model_missing(const char *id, Error *err)
{
    return error_set(err, ERR_NOT_FOUND, "no model '%.80s'", id);
}

typedef struct PutOp {
    WriteOp op;
    int64_t tenant;
    const char *id, *name, *document;
    size_t size;
    bool created;
} PutOp;

/* In the order of MODEL_SAYS. Nobody reads the column `listed`: owners tell. */
static Status model_insert(Connection *connection, const char *id, const char *name,
                           const char *document, size_t size, Error *err)
{
    Query query = query_new(
        connection,
        "INSERT INTO models (id, name, created_ms, document, checksum, listed, row_checksum) "
        "VALUES (?1, ?2, ?3, ?4, ?5, 1, row_checksum(?1, ?2, ?3, 1, length(?4), ?5)) "
        "ON CONFLICT (id) DO NOTHING");
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
    Status status = model_insert(connection, put->id, put->name, put->document, put->size, err);
    if (status != OK)
        return status;
    Query query = query_new(connection, "INSERT INTO owners (tenant, model, created_ms) "
                                        "SELECT ?2, seq, ?3 FROM models WHERE id = ?1 "
                                        "ON CONFLICT (model, tenant) DO NOTHING");
    query_text(&query, 1, put->id);
    query_int(&query, 2, put->tenant);
    query_int(&query, 3, clock_unix_ms());
    status = query_run(&query, err);
    if (status == OK && connection_changed(connection)) {
        put->created = true;
        writer_revision(store, put->tenant);
    }
    return status;
}

Status model_keep(Connection *connection, const JobDraft *draft, Error *err)
{
    if (!draft->model)
        return OK;
    return model_insert(connection, draft->model_id, draft->model_name, draft->model,
                        draft->model_size, err);
}

Status model_drop_unused(Connection *connection, const char *id, Error *err)
{
    Query query =
        query_new(connection, "DELETE FROM models AS m WHERE id = ?1 AND " MODEL_SOUND
                              " AND NOT EXISTS (SELECT 1 FROM owners o WHERE o.model = m.seq)"
                              " AND NOT EXISTS (SELECT 1 FROM jobs WHERE model_id = ?1)");
    query_text(&query, 1, id);
    return query_run(&query, err);
}

Status store_model_put(TenantStore of, const char *id, const char *name, const char *document,
                       size_t size, bool *ret_created, Error *err)
{
    Store *store = of.store;
    PutOp put = {.op = {.run = model_put_run},
                 .tenant = of.tenant,
                 .id = id,
                 .name = name,
                 .document = document,
                 .size = size};
    Status status = space_check(store, store->disk_reserve, err);
    if (status == OK)
        status = writer_do(store, &put.op, err);
    if (status == OK)
        *ret_created = put.created;
    return status;
}

typedef struct DeleteOp {
    WriteOp op;
    int64_t tenant;
    const char *id;
} DeleteOp;

static Status model_delete_run(Store *store, WriteOp *op, Error *err)
{
    const DeleteOp *deletion = (const DeleteOp *)op;
    const char *id = deletion->id;
    Connection *connection = &store->writer.connection;
    Query query = query_new(connection, "DELETE FROM owners WHERE tenant = ?2 AND "
                                        "model = (SELECT seq FROM models WHERE id = ?1)");
    query_text(&query, 1, id);
    query_int(&query, 2, deletion->tenant);
    Status status = query_run(&query, err);
    if (status == OK && !connection_changed(connection))
        return model_missing(id, err);
    if (status == OK)
        status = model_drop_unused(connection, id, err);
    writer_revision(store, deletion->tenant);
    return status;
}

Status store_model_delete(TenantStore of, const char *id, Error *err)
{
    Store *store = of.store;
    DeleteOp deletion = {.op = {.run = model_delete_run}, .tenant = of.tenant, .id = id};
    return writer_do(store, &deletion.op, err);
}

#define OWNER_SOUND "o.checksum IS row_checksum(" OWNER_SAYS("o.") ")"

/* A model that the tenant owns; or, if `kept`, one that a job of it names. */
static Status read_model(TenantStore of, const char *id, bool kept, Arena *arena,
                         ModelRecord *ret_model, Error *err)
{
    ModelRecord model = {0};
    Store *store = of.store;
    Connection *reader = reader_take(store);
    /* read the model, and check its rows and its document */
    Query query =
        query_new(reader, "SELECT m.id, m.name, coalesce(o.created_ms, m.created_ms), m.document, "
                          "m.checksum, " MODEL_SOUND " AND (o.seq IS NULL OR " OWNER_SOUND ") "
                          "FROM models m LEFT JOIN owners o ON o.model = m.seq AND o.tenant = ?2 "
                          "WHERE m.id = ?1 AND (o.seq IS NOT NULL OR (?3 AND EXISTS "
                          "(SELECT 1 FROM jobs j WHERE j.model_id = ?1 AND j.tenant = ?2)))");
    query_text(&query, 1, id);
    query_int(&query, 2, of.tenant);
    query_int(&query, 3, kept);
    const bool found = query_next(&query);
    bool good = true;
    if (found) {
        model.id = row_text(&query, 0, arena);
        model.name = row_text(&query, 1, arena);
        model.created_ms = row_int(&query, 2);
        model.document = row_bytes(&query, 3, arena, &model.document_size);
        good = row_int(&query, 5) && model.id && strcmp(model.id, id) == 0 &&
               checksum_agrees(
                   &query, 4,
                   model_checksum(model.id, model.name, model.document, model.document_size));
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

Status store_model_get(TenantStore of, const char *id, Arena *arena, ModelRecord *ret_model,
                       Error *err)
{
    return read_model(of, id, false, arena, ret_model, err);
}

Status store_model_kept(TenantStore of, const char *id, Arena *arena, ModelRecord *ret_model,
                        Error *err)
{
    return read_model(of, id, true, arena, ret_model, err);
}

/* The owner's row after which a list continues; INT64_MAX: from the start. */
static Status find_cursor(Connection *reader, int64_t tenant, const char *after, int64_t *ret_seq,
                          Error *err)
{
    if (!after) {
        *ret_seq = INT64_MAX;
        return OK;
    }
    Query query = query_new(reader, "SELECT o.seq FROM models m JOIN owners o ON "
                                    "o.model = m.seq AND o.tenant = ?2 WHERE m.id = ?1");
    query_text(&query, 1, after);
    query_int(&query, 2, tenant);
    const bool found = query_next(&query);
    const int64_t seq = found ? row_int(&query, 0) : 0;
    Status status = query_end(&query, err);
    if (status == OK && !found)
        return model_missing(after, err);
    if (status == OK)
        *ret_seq = seq;
    return status;
}

Status store_model_list(TenantStore of, const char *after, size_t limit, Arena *arena,
                        ModelRecord **ret_models, size_t *ret_n, bool *ret_more, Error *err)
{
    Store *store = of.store;
    const size_t most = limit < LIST_MAX ? limit : LIST_MAX;
    ModelRecord *models = arena_alloc(arena, most, sizeof *models);
    if (!models)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a list of models");
    size_t n = 0;
    bool more = false;
    int64_t seq = 0;
    const ArenaMark start = arena_mark(arena);
    Connection *reader = reader_take(store);
    Status status = find_cursor(reader, of.tenant, after, &seq, err);
    if (status == OK) {
        /* newest first */
        Query query = query_new(
            reader, "SELECT m.id, m.name, o.created_ms, length(m.document), o.model, " MODEL_SOUND
                    " AND " OWNER_SOUND " FROM owners o LEFT JOIN models m ON m.seq = o.model "
                    "WHERE o.tenant = ?3 AND o.seq < ?1 ORDER BY o.seq DESC LIMIT ?2");
        query_int(&query, 1, seq);
        query_int(&query, 2, (int64_t)most);
        query_int(&query, 3, of.tenant);
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
