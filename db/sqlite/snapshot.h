/* A store as it is at one moment, read beside the process that uses it. */
#ifndef DB_SQLITE_SNAPSHOT_H
#define DB_SQLITE_SNAPSHOT_H

#include "db/sqlite/sqlite_store.h"

/* Opens the database `path` of the directory by a connection that neither writes nor checkpoints,
 * and begins a read transaction. ERR_NOT_FOUND: there is no store. ERR_DAMAGED: commits are lost
 * with the write-ahead log. The caller closes the connection in any case. */
Status snapshot_open(const char *directory, const char *path, Connection *connection,
                     Error *err) MUST_CHECK;

#endif
