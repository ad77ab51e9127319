/* One connection to SQLite: settings, a cache of prepared statements, sticky queries, and its
 * error codes as statuses. */
#include "db/sqlite/sqlite_store.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "db/sqlite/checksum.h"

/* SQLite reports only some full disks as such: a quota and a file size limit are I/O errors. */
static bool out_of_space(int cause)
{
    return cause == ENOSPC || cause == EDQUOT || cause == EFBIG;
}

static Status status_of(int code, int cause)
{
    /* the low byte is the primary result code */
    switch (code & 0xff) {
    case SQLITE_FULL:
        return ERR_NO_SPACE;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return out_of_space(cause) ? ERR_NO_SPACE : ERR_IO;
    case SQLITE_NOMEM:
        return ERR_NO_MEMORY;
    case SQLITE_TOOBIG:
        return ERR_LIMIT;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_PROTOCOL:
        return ERR_IO;
    default:
        return ERR_INTERNAL;
    }
}

/* cause: errno right after the call that failed. */
static Status failure(const Connection *connection, int code, int cause, Error *err)
{
    sqlite3 *db = connection->db;
    /* corruption seen by a reader, or of one row, is permanent; for the writer it may pass if the
     * file is put back */
    const bool corrupt = (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
    const bool damaged = corrupt && (!connection->writable || code == SQLITE_CORRUPT_INDEX);
    const Status status = damaged ? ERR_DAMAGED : status_of(code, cause);
    if (status == ERR_NO_SPACE)
        return error_set(err, status, "the disk of the database is full");
    if (status == ERR_NO_MEMORY)
        return error_set(err, status, "out of memory for the database");
    const char *detail = db && sqlite3_errcode(db) ? sqlite3_errmsg(db) : sqlite3_errstr(code);
    if (cause && ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN))
        return error_set(err, status, "database: %s (%s)", detail, strerror(cause));
    return error_set(err, status, "database: %s", detail);
}

Status connection_open(Connection *connection, const char *path, bool writable, Error *err)
{
    const int flags = writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    *connection = (Connection){.writable = writable};
    errno = 0;
    int code = sqlite3_open_v2(path, &connection->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_extended_result_codes(connection->db, 1);
    if (code == SQLITE_OK)
        code = sqlite3_busy_timeout(connection->db, BUSY_TIMEOUT_MS);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(connection->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    if (code == SQLITE_OK)
        code = checksum_register(connection->db);
    /* only the writer checkpoints */
    if (code == SQLITE_OK && !writable)
        code = sqlite3_db_config(connection->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    if (code == SQLITE_OK)
        return OK;
    Status status = failure(connection, code, errno, err);
    error_prefix(err, "'%s'", path);
    connection_close(connection);
    return status;
}

void connection_close(Connection *connection)
{
    for (size_t i = 0; i < connection->n_statements; i++)
        sqlite3_finalize(connection->statements[i]);
    free(connection->statements);
    sqlite3_close(connection->db);
    memset(connection, 0, sizeof *connection);
}

Status connection_script(Connection *connection, const char *sql, Error *err)
{
    errno = 0;
    int code = sqlite3_exec(connection->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? OK : failure(connection, code, errno, err);
}

Status connection_exec(Connection *connection, const char *sql, Error *err)
{
    Query query = query_new(connection, sql);
    return query_run(&query, err);
}

Status connection_int(Connection *connection, const char *sql, int64_t *ret_value, Error *err)
{
    Query query = query_new(connection, sql);
    int64_t value = query_next(&query) ? row_int(&query, 0) : 0;
    Status status = query_end(&query, err);
    if (status == OK)
        *ret_value = value;
    return status;
}

bool connection_changed(const Connection *connection)
{
    return sqlite3_changes(connection->db) > 0;
}

bool connection_in_transaction(const Connection *connection)
{
    return !sqlite3_get_autocommit(connection->db);
}

static int statement_prepare(Connection *connection, const char *sql, sqlite3_stmt **ret_statement)
{
    for (size_t i = 0; i < connection->n_statements; i++) {
        if (strcmp(sqlite3_sql(connection->statements[i]), sql) == 0) {
            *ret_statement = connection->statements[i];
            return SQLITE_OK;
        }
    }
    if (!grow_array(&connection->statements, &connection->capacity, connection->n_statements + 1,
                    sizeof(sqlite3_stmt *)))
        return SQLITE_NOMEM;
    int code =
        sqlite3_prepare_v3(connection->db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret_statement, NULL);
    if (code == SQLITE_OK)
        connection->statements[connection->n_statements++] = *ret_statement;
    return code;
}

Query query_new(Connection *connection, const char *sql)
{
    Query query = {.connection = connection};
    query.code = statement_prepare(connection, sql, &query.statement);
    return query;
}

void query_int(Query *query, int parameter, int64_t value)
{
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_int64(query->statement, parameter, value);
}

void query_real(Query *query, int parameter, double value)
{
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_double(query->statement, parameter, value);
}

void query_text(Query *query, int parameter, const char *text)
{
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_text(query->statement, parameter, text, -1, SQLITE_STATIC);
}

void query_blob(Query *query, int parameter, const void *bytes, size_t size)
{
    /* a NULL pointer would bind NULL, not an empty blob */
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_blob64(query->statement, parameter, bytes ? bytes : "",
                                          (sqlite3_uint64)size, SQLITE_STATIC);
}

bool query_next(Query *query)
{
    if (query->code != SQLITE_OK)
        return false;
    errno = 0;
    int code = sqlite3_step(query->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        query->cause = errno; /* a failed COMMIT does not set sqlite3_system_errno() */
        query->code = code;
    }
    return code == SQLITE_ROW;
}

void query_damaged(Query *query, const char *format, ...)
{
    va_list args;
    if (query->code != SQLITE_OK)
        return;
    query->code = SQLITE_CORRUPT;
    va_start(args, format);
    vsnprintf(query->damage, sizeof query->damage, format, args);
    va_end(args);
    for (char *c = query->damage; *c; c++) /* damaged names may contain control characters */
        if (*c < ' ' || *c > '~')
            *c = '?';
}

Status query_end(Query *query, Error *err)
{
    Status status = OK;
    if (query->statement) {
        sqlite3_reset(query->statement);
        if (query->damage[0])
            status = error_set(err, ERR_DAMAGED, "%s", query->damage);
        else if (query->code != SQLITE_OK)
            status = failure(query->connection, query->code, query->cause, err);
        sqlite3_clear_bindings(query->statement);
    } else {
        status = failure(query->connection, query->code, 0, err);
    }
    if (status == ERR_DAMAGED)
        query->connection->damaged = true;
    return status;
}

Status query_run(Query *query, Error *err)
{
    while (query_next(query)) {
    }
    return query_end(query, err);
}

int64_t row_int(const Query *query, int column)
{
    return sqlite3_column_int64(query->statement, column);
}

double row_real(const Query *query, int column)
{
    return sqlite3_column_double(query->statement, column);
}

const char *row_bytes(Query *query, int column, Arena *arena, size_t *ret_size)
{
    *ret_size = 0;
    if (sqlite3_column_type(query->statement, column) == SQLITE_NULL)
        return NULL;
    const void *bytes = sqlite3_column_blob(query->statement, column);
    size_t size = (size_t)sqlite3_column_bytes(query->statement, column);
    const char *copy = arena_strndup(arena, size ? bytes : "", size);
    if (copy)
        *ret_size = size;
    else
        query->code = SQLITE_NOMEM;
    return copy;
}

const char *row_text(Query *query, int column, Arena *arena)
{
    size_t size;
    return row_bytes(query, column, arena, &size);
}

const char *row_peek(const Query *query, int column)
{
    const unsigned char *text = sqlite3_column_text(query->statement, column);
    return text ? (const char *)text : "";
}
