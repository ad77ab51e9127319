/* Importing: each object becomes a row, in one transaction. A row keeps its number and the checksum
 * that it was first written with, so that store_verify() compares the new store with the old one.
 * The rows of jobs, tenants and owners get theirs from triggers. */
#include "db/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/backup.h"
#include "db/sqlite/exported.h"

/* Nobody sees the file before it is whole, so it needs neither a journal nor syncs. */
static const char SETTINGS[] = "PRAGMA auto_vacuum = INCREMENTAL;"
                               "PRAGMA journal_mode = MEMORY;"
                               "PRAGMA synchronous = OFF;"
                               "PRAGMA foreign_keys = ON;";
/* The tenants are those of the export; the first is always there. */
static const char BEGIN[] = "BEGIN; DELETE FROM tenants; DELETE FROM ledgers;";
static const char END[] = "INSERT OR IGNORE INTO tenants (seq, name, created_ms) "
                          "VALUES (1, 'default', unixepoch() * 1000); COMMIT";

struct StoreImport {
    Connection target;
    char path[PATH_MAX];
    bool begun; /* the first object was taken */
};

static Status open_target(StoreImport *import, Error *err)
{
    const int file = open(import->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return error_set(err, ERR_IO, "cannot make '%s': %s", import->path, strerror(errno));
    close(file);
    Connection *target = &import->target;
    Status status = connection_open(target, import->path, true, err);
    if (status == OK)
        status = exported_functions(target, err);
    if (status == OK)
        status = connection_script(target, SETTINGS, err);
    if (status == OK)
        status = schema_migrate(target, err);
    return status == OK ? connection_script(target, BEGIN, err) : status;
}

Status store_import_begin(const char *directory, StoreImport **ret_import, Error *err)
{
    StoreImport *import = calloc(1, sizeof *import);
    if (!import)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const int n = snprintf(import->path, sizeof import->path, "%s/" STORE_FILE, directory);
    Status status = n < (int)sizeof import->path
                        ? open_target(import, err)
                        : error_set(err, ERR_INVALID, "the name of the directory is too long");
    if (status == OK)
        *ret_import = import;
    else
        store_import_free(import);
    return status;
}

void store_import_free(StoreImport *import)
{
    if (!import)
        return;
    connection_close(&import->target);
    free(import);
}

typedef struct Object {
    const char *text;
    size_t size;
} Object;

static Query query_object(Connection *connection, const char *sql, const Object *object)
{
    Query query = query_new(connection, sql);
    if (query.code == SQLITE_OK)
        query.code = sqlite3_bind_text64(query.statement, 1, object->text, object->size,
                                         SQLITE_STATIC, SQLITE_UTF8);
    return query;
}

static Status find_kind(Connection *target, const Object *object, const ExportedKind **ret_kind,
                        Error *err)
{
    Query query = query_object(target, "SELECT iif(json_valid(?1), ?1 ->> '$.kind', NULL)", object);
    if (query_next(&query))
        for (int k = 0; k < EXPORTED_KINDS; k++)
            if (strcmp(exported_kinds[k].name, row_peek(&query, 0)) == 0)
                *ret_kind = &exported_kinds[k];
    return query_end(&query, err);
}

/* Of the first object: whether this program reads the export. */
static Status check_formats(Connection *target, const Object *object, Error *err)
{
    int64_t format = 0, data_format = 0;
    Query query = query_object(target, "SELECT ?1 ->> '$.format', ?1 ->> '$.data_format'", object);
    if (query_next(&query)) {
        format = row_int(&query, 0);
        data_format = row_int(&query, 1);
    }
    const Status status = query_end(&query, err);
    if (status == OK && (format != EXPORT_FORMAT || data_format > SCHEMA_NEWEST))
        return error_set(err, ERR_INVALID,
                         "the export has format %lld of data of format %lld; this program reads "
                         "format %d of data up to format %d: use a newer dalembert",
                         (long long)format, (long long)data_format, EXPORT_FORMAT, SCHEMA_NEWEST);
    return status;
}

static Status run_object(Connection *target, const char *sql, const Object *object, Error *err)
{
    Query query = query_object(target, sql, object);
    return query_run(&query, err);
}

static Status store_object(Connection *target, const ExportedKind *kind, const Object *object,
                           Error *err)
{
    Status status = OK;
    if (kind->table) {
        Text sql = TEXT_INIT;
        exported_insertion(kind, &sql);
        status = text_ok(&sql) ? run_object(target, sql.data, object, err)
                               : error_set(err, ERR_NO_MEMORY, "out of memory");
        text_done(&sql);
    }
    if (status == OK && kind->then)
        status = run_object(target, kind->then, object, err);
    if (status == OK && kind->then_too)
        status = run_object(target, kind->then_too, object, err);
    return status;
}

Status store_import_object(StoreImport *import, const char *text, size_t size, Error *err)
{
    Connection *target = &import->target;
    const Object object = {text, size};
    const ExportedKind *kind = NULL;
    Status status = find_kind(target, &object, &kind, err);
    if (status != OK)
        return status;
    /* the first object says whether the others can be read */
    const bool is_first = kind == &exported_kinds[0];
    if (!kind || is_first == import->begun)
        return error_set(err, ERR_INVALID, "it is not the object of an export that belongs here");
    if (is_first)
        status = check_formats(target, &object, err);
    if (status != OK)
        return status;
    import->begun = true;
    status = store_object(target, kind, &object, err);
    if (status == ERR_INTERNAL) /* SQLite refuses the values */
        return error_set(err, ERR_INVALID, "its values do not fit: %s", sqlite3_errmsg(target->db));
    return status;
}

Status store_import_end(StoreImport *import, uint64_t *ret_jobs, Error *err)
{
    int64_t jobs = 0;
    if (!import->begun)
        return error_set(err, ERR_INVALID, "the export is empty");
    Status status = connection_int(&import->target, "SELECT count(*) FROM jobs", &jobs, err);
    if (status == OK)
        status = connection_script(&import->target, END, err);
    connection_close(&import->target);
    if (status == OK)
        status = file_sync(import->path, err);
    if (status == OK)
        *ret_jobs = (uint64_t)jobs;
    return status;
}
