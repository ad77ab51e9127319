/* Keys in the database: added, revoked, listed. A trigger keeps the checksum of a row that
 * changes, as those of jobs and models. */
#include "db/keys.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "db/sqlite/checksum.h"
#include "db/sqlite/schema.h"

#define KEY_DUE(row) "row_checksum(" KEY_SAYS(row) ")"
#define KEY_SOUND "k.checksum IS " KEY_CHECKSUM("k.")
#define IN_FORCE "revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?1)"

/* Without the tenant, which is a later column. */
const char schema_keys[] = "CREATE TABLE keys ("
                           "  seq INTEGER PRIMARY KEY,"
                           "  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),"
                           "  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),"
                           "  name TEXT NOT NULL,"
                           "  scopes TEXT NOT NULL,"
                           "  created_ms INTEGER NOT NULL,"
                           "  expires_ms INTEGER,"
                           "  revoked_ms INTEGER,"
                           "  last_used_ms INTEGER,"
                           "  checksum INTEGER"
                           ") STRICT;" //
    SEAL_ADDED("keys", "checksum", KEY_DUE("new."))
        SEAL_CHANGED("keys", "checksum", KEY_DUE("old."), KEY_DUE("new."));

typedef struct KeyAddOp {
    WriteOp op;
    KeyRecord *key;
    bool first;
} KeyAddOp;

typedef struct KeyRevokeOp {
    WriteOp op;
    const char *id;
} KeyRevokeOp;

typedef struct KeysUsedOp {
    WriteOp op;
    const KeyUse *uses; /* n */
    size_t n;
} KeysUsedOp;

static Status key_missing(const char *id, Error *err)
{
    return error_set(err, ERR_NOT_FOUND, "no key '%.80s'", id);
}

Status keys_count(Connection *connection, int64_t now_ms, int64_t *ret_all, int64_t *ret_in_force,
                  Error *err)
{
    int64_t all = 0, in_force = 0;
    Query query =
        query_new(connection, "SELECT count(*), count(*) FILTER (WHERE " IN_FORCE ") FROM keys");
    query_int(&query, 1, now_ms);
    if (query_next(&query)) {
        all = row_int(&query, 0);
        in_force = row_int(&query, 1);
    }
    const Status status = query_end(&query, err);
    if (status == OK) {
        *ret_all = all;
        *ret_in_force = in_force;
    }
    return status;
}

/* Whether the store may take one more key. */
static Status check_room(Connection *connection, const KeyAddOp *add, Error *err)
{
    int64_t all, in_force;
    const Status status = keys_count(connection, add->key->created_ms, &all, &in_force, err);
    if (status != OK)
        return status;
    if (add->first && all > 0)
        return error_set(err, ERR_CONFLICT, "there is a key already");
    if (in_force >= KEYS_MAX)
        return error_set(err, ERR_LIMIT, "there are %d keys in force; revoke some", KEYS_MAX);
    return OK;
}

static Status check_hash(Connection *connection, const KeyRecord *key, Error *err)
{
    Query query = query_new(connection, "SELECT 1 FROM keys WHERE hash = ?1");
    query_text(&query, 1, key->hash);
    const bool found = query_next(&query);
    const Status status = query_end(&query, err);
    return status == OK && found ? error_set(err, ERR_CONFLICT, "the token is that of another key")
                                 : status;
}

static Status key_insert(Connection *connection, const KeyRecord *key, Error *err)
{
    Query query = query_new(connection, "INSERT INTO keys (id, hash, name, scopes, created_ms, "
                                        "expires_ms, tenant) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    query_text(&query, 1, key->id);
    query_text(&query, 2, key->hash);
    query_text(&query, 3, key->name);
    query_text(&query, 4, key->scopes);
    query_int(&query, 5, key->created_ms);
    if (key->expires_ms)
        query_int(&query, 6, key->expires_ms);
    query_int(&query, 7, key->tenant);
    return query_run(&query, err);
}

static Status key_add_run(Store *store, WriteOp *op, Error *err)
{
    const KeyAddOp *add = (const KeyAddOp *)op;
    Connection *connection = &store->writer.connection;
    add->key->created_ms = clock_unix_ms();
    Status status = check_room(connection, add, err);
    if (status == OK)
        status = check_hash(connection, add->key, err);
    if (status == OK)
        status = tenant_find(connection, add->key->tenant_name, &add->key->tenant, err);
    if (status == OK)
        status = uuid_next(&store->writer.ids, add->key->created_ms, add->key->id, err);
    writer_revision(store, TENANT_ALL); /* by which a lost commit is noticed */
    return status == OK ? key_insert(connection, add->key, err) : status;
}

Status store_key_add(Store *store, KeyRecord *key, bool first, Error *err)
{
    KeyAddOp add = {.op = {.run = key_add_run}, .key = key, .first = first};
    if (!key->tenant_name)
        key->tenant_name = "default";
    const Status status = space_check(store, store->disk_reserve, err);
    return status == OK ? writer_do(store, &add.op, err) : status;
}

static Status key_revoke_run(Store *store, WriteOp *op, Error *err)
{
    const char *id = ((const KeyRevokeOp *)op)->id;
    Connection *connection = &store->writer.connection;
    Query query = query_new(connection,
                            "UPDATE keys SET revoked_ms = coalesce(revoked_ms, ?2) WHERE id = ?1");
    query_text(&query, 1, id);
    query_int(&query, 2, clock_unix_ms());
    const Status status = query_run(&query, err);
    writer_revision(store, TENANT_ALL); /* by which a lost commit is noticed */
    return status == OK && !connection_changed(connection) ? key_missing(id, err) : status;
}

Status store_key_revoke(Store *store, const char *id, Error *err)
{
    KeyRevokeOp revoke = {.op = {.run = key_revoke_run}, .id = id};
    return writer_do(store, &revoke.op, err);
}

static Status keys_used_run(Store *store, WriteOp *op, Error *err)
{
    const KeysUsedOp *used = (const KeysUsedOp *)op;
    Status status = OK;
    for (size_t k = 0; k < used->n && status == OK; k++) {
        Query query =
            query_new(&store->writer.connection, "UPDATE keys SET last_used_ms = ?2 WHERE id = ?1");
        query_text(&query, 1, used->uses[k].id);
        query_int(&query, 2, used->uses[k].last_used_ms);
        status = query_run(&query, err);
    }
    return status;
}

Status store_keys_used(Store *store, const KeyUse *uses, size_t n, Error *err)
{
    KeysUsedOp used = {.op = {.run = keys_used_run}, .uses = uses, .n = n};
    return n ? writer_do(store, &used.op, err) : OK;
}

#define KEY_COLUMNS                                                                              \
    "k.id, k.hash, k.name, k.scopes, k.created_ms, k.expires_ms, k.revoked_ms, k.last_used_ms, " \
    "k.tenant, (SELECT t.name FROM tenants t WHERE t.seq = k.tenant), k.seq, " KEY_SOUND
enum { KEY_COLUMN_SEQ = 10, KEY_COLUMN_SOUND };

static void key_row(Query *query, Arena *arena, KeyRecord *ret_key)
{
    *ret_key = (KeyRecord){.name = row_text(query, 2, arena),
                           .scopes = row_text(query, 3, arena),
                           .created_ms = row_int(query, 4),
                           .expires_ms = row_int(query, 5),
                           .revoked_ms = row_int(query, 6),
                           .last_used_ms = row_int(query, 7),
                           .tenant = tenant_number(row_int(query, 8)),
                           .tenant_name = row_text(query, 9, arena)};
    job_id_copy(ret_key->id, row_peek(query, 0));
    snprintf(ret_key->hash, sizeof ret_key->hash, "%s", row_peek(query, 1));
}

/* The row behind which a list goes on. */
static Status find_cursor(Connection *reader, const char *before, int64_t *ret_seq, Error *err)
{
    *ret_seq = INT64_MAX;
    if (!before)
        return OK;
    Query query = query_new(reader, "SELECT seq FROM keys WHERE id = ?1");
    query_text(&query, 1, before);
    const bool found = query_next(&query);
    if (found)
        *ret_seq = row_int(&query, 0);
    const Status status = query_end(&query, err);
    return status == OK && !found ? key_missing(before, err) : status;
}

static Status read_list(Connection *reader, int64_t seq, size_t most, Arena *arena, KeyRecord *keys,
                        size_t *ret_n, Error *err)
{
    size_t n = 0;
    Query query = query_new(reader, "SELECT " KEY_COLUMNS
                                    " FROM keys k WHERE k.seq < ?1 ORDER BY k.seq DESC LIMIT ?2");
    query_int(&query, 1, seq);
    query_int(&query, 2, (int64_t)most);
    while (n < most && query_next(&query)) {
        key_row(&query, arena, &keys[n++]);
        if (!row_int(&query, KEY_COLUMN_SOUND))
            query_damaged(&query, "the row of key %s is damaged (row %lld of the keys)",
                          row_peek(&query, 0), (long long)row_int(&query, KEY_COLUMN_SEQ));
    }
    *ret_n = n;
    return query_end(&query, err);
}

Status store_key_list(Store *store, const char *before, size_t limit, Arena *arena,
                      KeyRecord **ret_keys, size_t *ret_n, Error *err)
{
    const size_t most = limit < LIST_MAX ? limit : LIST_MAX;
    KeyRecord *keys = ARENA_NEW(arena, most, KeyRecord);
    size_t n = 0;
    int64_t seq;
    if (!keys)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a list of keys");
    Connection *reader = reader_take(store);
    Status status = find_cursor(reader, before, &seq, err);
    if (status == OK)
        status = read_list(reader, seq, most, arena, keys, &n, err);
    reader_give(store, reader);
    if (status == OK)
        status = arena_status(arena, err);
    if (status == OK) {
        *ret_keys = keys;
        *ret_n = n;
    }
    return status;
}

Status store_keys_in_force(Store *store, int64_t now_ms, Arena *arena, KeyRecord **ret_keys,
                           size_t *ret_n, size_t *ret_damaged, Error *err)
{
    KeyRecord *keys = ARENA_NEW(arena, KEYS_MAX, KeyRecord);
    size_t n = 0, damaged = 0;
    if (!keys)
        return error_set(err, ERR_NO_MEMORY, "out of memory for the keys");
    /* read the keys in force and count the damaged rows */
    Connection *reader = reader_take(store);
    Query query = query_new(reader, "SELECT " KEY_COLUMNS " FROM keys k WHERE " IN_FORCE
                                    " OR NOT " KEY_SOUND);
    query_int(&query, 1, now_ms);
    while (n < KEYS_MAX && query_next(&query)) {
        if (row_int(&query, KEY_COLUMN_SOUND))
            key_row(&query, arena, &keys[n++]);
        else
            damaged++;
    }
    Status status = query_end(&query, err);
    reader_give(store, reader);
    if (status == OK)
        status = arena_status(arena, err);
    if (status == OK) {
        *ret_keys = keys;
        *ret_n = n;
        *ret_damaged = damaged;
    }
    return status;
}
