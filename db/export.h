/* Exports: a store as objects of JSON, and a store made of them.
 *
 * A backup is a file of one format of the database. An export is for people, other programs and
 * later versions: docs/reference/data-directory.md describes its objects. Each object is one line
 * of text without its end. The first one describes the export; each of the others is a row of the
 * store. Keys of clients are left out. A running job is exported as a queued one without the rows
 * of its run. */
#ifndef DB_EXPORT_H
#define DB_EXPORT_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

#define EXPORT_FORMAT 1                 /* of the objects */
enum { EXPORT_OBJECT_MAX = 256 << 20 }; /* bytes of one */

typedef struct ExportOptions {
    const char *source; /* the data directory */
    const char *tenant; /* name of the only tenant to be exported; NULL: all tenants */
    void *self;
    /* Takes an object; the text is borrowed. A status that is not OK ends the export. */
    Status (*object)(void *self, const char *text, size_t size, Error *err);
} ExportOptions;

/* Exports the store as it is at one moment. A daemon may use the directory meanwhile. The thread's
 * stop token (core/base/stop_token.h) is asked between objects. Checksums are not compared:
 * store_verify() does that. ERR_NOT_FOUND: there is no store, or no such tenant. ERR_INVALID: the
 * database has an older or a newer format. ERR_LIMIT: an object is too long. */
Status store_export(const ExportOptions *options, uint64_t *ret_jobs, Error *err) MUST_CHECK;

/* A store that is being made of objects. */
typedef struct StoreImport StoreImport;

/* Makes the database in a directory that has none. */
Status store_import_begin(const char *directory, StoreImport **ret_import, Error *err) MUST_CHECK;
/* Takes the next object, in the order of the export. ERR_INVALID: it is no object of an export that
 * this program reads, or it does not fit to those before it. */
Status store_import_object(StoreImport *import, const char *text, size_t size,
                           Error *err) MUST_CHECK;
/* After the last object. The database is on the disk when OK is returned. */
Status store_import_end(StoreImport *import, uint64_t *ret_jobs, Error *err) MUST_CHECK;
/* Ends the import. Before store_import_end() has returned OK, a useless file is left. NULL is
 * fine. */
void store_import_free(StoreImport *import);

#endif
