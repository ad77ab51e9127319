/* What has become of the write-ahead log since the last commit: the log itself, the revision of the
 * database with it, and the record in the lock file, put together. */
#ifndef DB_SQLITE_LOG_FINDING_H
#define DB_SQLITE_LOG_FINDING_H

#include "db/sqlite/lock_file.h"
#include "db/store.h"

/* Looks before SQLite does. Writes neither the log nor the database. `record`: read before. A
 * database that cannot be read is found sound here: whoever opens it next tells why. */
Status log_find(const char *database, const LogRecord *record, StoreLog *ret_log,
                Error *err) MUST_CHECK;

#endif
