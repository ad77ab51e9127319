/* The state of the write-ahead log at the start, judged from three sources: the log itself, the
 * revision of the database with it, and the record in the lock file. */
#ifndef DB_SQLITE_LOG_FINDING_H
#define DB_SQLITE_LOG_FINDING_H

#include "db/sqlite/lock_file.h"
#include "db/store.h"

/* Looks before SQLite does. Writes neither the log nor the database. `record`: read before. A
 * database that cannot be read is found sound here: opening it reports the error. */
Status log_find(const char *database, const LogRecord *record, StoreLog *ret_log,
                Error *err) MUST_CHECK;

#endif
