/* Exporting: a query for each kind of objects, all of one snapshot. */
#include "db/export.h"

#include <stdio.h>
#include <string.h>

#include "core/base/stop_token.h"
#include "db/backup.h"
#include "db/sqlite/exported.h"
#include "db/sqlite/snapshot.h"

enum { OBJECT_WORK = STOP_TOKEN_WORK / 64 }; /* how often a stop is asked for: some milliseconds */

typedef struct Export {
    const ExportOptions *options;
    Connection source;
    int64_t tenant; /* its number; TENANT_ALL */
} Export;

static Status check_format(Export *export, const char *path, Error *err)
{
    int64_t format = 0;
    const Status status = connection_int(&export->source, "PRAGMA user_version", &format, err);
    if (status == OK && format != SCHEMA_NEWEST)
        return error_set(err, ERR_INVALID,
                         "'%s' has the older format %lld, and only format %d is exported: start "
                         "`dalembert serve` once, which brings it up to date",
                         path, (long long)format, SCHEMA_NEWEST);
    return status;
}

static Status find_tenant(Export *export, Error *err)
{
    const char *name = export->options->tenant;
    if (!name)
        return OK;
    const Status status = tenant_find(&export->source, name, &export->tenant, err);
    if (status == ERR_NOT_FOUND)
        return error_set(err, ERR_NOT_FOUND, "no tenant '%.80s'; `dalembert tenants list` has all",
                         name);
    return status;
}

/* The objects of a kind, and their number. */
static Status export_kind(Export *export, const ExportedKind *kind, uint64_t *ret_n, Error *err)
{
    const ExportOptions *options = export->options;
    Text sql = TEXT_INIT;
    Status told = OK;
    exported_query(kind, &sql);
    if (!text_ok(&sql))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Query query = query_new(&export->source, sql.data);
    text_done(&sql);
    if (sqlite3_bind_parameter_count(query.statement) > 0)
        query_int(&query, 1, export->tenant);
    /* tell each object */
    uint64_t n = 0;
    for (; told == OK && query_next(&query); n++) {
        const char *text = row_peek(&query, 0);
        const size_t size = (size_t)sqlite3_column_bytes(query.statement, 0);
        told = options->object(options->self, text, size, err);
        told = told == OK ? stop_token_spend(OBJECT_WORK, err) : told;
    }
    const Status status = query_end(&query, told == OK ? err : NULL);
    if (status == ERR_LIMIT)
        return error_set(err, status, "an object of the kind \"%s\" is longer than %d bytes",
                         kind->name, EXPORT_OBJECT_MAX);
    if (told == OK && status == OK)
        *ret_n = n;
    return told == OK ? status : told;
}

static Status export_all(Export *export, const char *path, uint64_t *ret_jobs, Error *err)
{
    Status status = snapshot_open(export->options->source, path, &export->source, err);
    if (status == OK)
        status = check_format(export, path, err);
    if (status == OK)
        status = find_tenant(export, err);
    if (status == OK)
        status = exported_functions(&export->source, err);
    if (status != OK)
        return status;
    sqlite3_limit(export->source.db, SQLITE_LIMIT_LENGTH, EXPORT_OBJECT_MAX);
    for (int k = 0; k < EXPORTED_KINDS && status == OK; k++) {
        uint64_t n = 0;
        status = export_kind(export, &exported_kinds[k], &n, err);
        if (strcmp(exported_kinds[k].name, "job") == 0)
            *ret_jobs = n;
    }
    return status;
}

Status store_export(const ExportOptions *options, uint64_t *ret_jobs, Error *err)
{
    Export export = {.options = options};
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/" STORE_FILE, options->source) >= (int)sizeof path)
        return error_set(err, ERR_INVALID, "the name of the data directory is too long");
    const Status status = export_all(&export, path, ret_jobs, err);
    connection_close(&export.source);
    return status;
}
