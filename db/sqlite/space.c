/* The space on the disk: a reserve that only ends and deletions may use, and free pages of the file given
 * back after deletions. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "db/sqlite/sqlite_store.h"

enum {
    VACUUM_PAGES = 1000, /* given back in one transaction: a pause of some 10 ms */
    FREE_FRACTION = 8,   /* of the file's pages, one in so many may stay free for what comes next */
};

Status store_space(const Store *store, StoreSpace *ret_space, Error *err)
{
    struct statvfs info;
    if (statvfs(store->directory, &info) != 0)
        return error_set(err, ERR_IO, "cannot ask for the space of '%s': %s", store->directory,
                         strerror(errno));
    *ret_space = (StoreSpace){.free = (uint64_t)info.f_bavail * info.f_frsize,
                              .total = (uint64_t)info.f_blocks * info.f_frsize};
    return OK;
}

Status space_check(const Store *store, uint64_t least, Error *err)
{
    StoreSpace space;
    if (least == 0 || store_space(store, &space, NULL) != OK || space.free >= least)
        return OK;
    return error_set(
        err, ERR_NO_SPACE,
        "the disk has %llu bytes free, fewer than the %llu that are kept for jobs to end",
        (unsigned long long)space.free, (unsigned long long)least);
}

/* Gives some free pages back; true when there are more. Failure does no harm: they are used again. */
bool space_give_back(Connection *connection)
{
    char sql[60];
    int64_t automatic = 0, unused = 0, pages = 0;
    if (connection_int(connection, "PRAGMA auto_vacuum", &automatic, NULL) != OK ||
        connection_int(connection, "PRAGMA freelist_count", &unused, NULL) != OK ||
        connection_int(connection, "PRAGMA page_count", &pages, NULL) != OK)
        return false;
    if (automatic != AUTO_VACUUM_INCREMENTAL || unused <= VACUUM_PAGES ||
        unused <= pages / FREE_FRACTION)
        return false;
    snprintf(sql, sizeof sql, "PRAGMA incremental_vacuum(%d)", VACUUM_PAGES);
    return connection_exec(connection, sql, NULL) == OK;
}
