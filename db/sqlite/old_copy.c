/* The copy of a file of an older format, for `--upgrade copy`. It is made beside its place and
 * renamed, so that a whole copy has that name or none. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/sqlite/sqlite_store.h"

/* Makes the file before SQLite writes it: it is its owner's alone. */
static Status write_copy(Connection *connection, const char *path, Error *err)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    Query query = query_new(connection, "VACUUM INTO ?1");
    query_text(&query, 1, path);
    Status status = query_run(&query, err);
    if (status == OK)
        status = file_sync(path, err);
    if (status != OK)
        error_prefix(err, "the copy '%s' of the older file", path);
    return status;
}

static bool same_bytes(const char *one, const char *other)
{
    FILE *a = fopen(one, "re"), *b = fopen(other, "re");
    bool same = a && b;
    for (size_t n = 1; same && n > 0;) {
        char bytes_a[8192], bytes_b[8192];
        n = fread(bytes_a, 1, sizeof bytes_a, a);
        same = fread(bytes_b, 1, sizeof bytes_b, b) == n && memcmp(bytes_a, bytes_b, n) == 0;
    }
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return same;
}

Status schema_copy_old(Connection *connection, const char *path, Error *err)
{
    char copy[4200], part[4208];
    int64_t version;
    Status status = connection_int(connection, "PRAGMA user_version", &version, err);
    if (status != OK || version == 0 || version == SCHEMA_NEWEST)
        return status;
    snprintf(copy, sizeof copy, "%s.format-%" PRId64, path, version);
    snprintf(part, sizeof part, "%s.part", copy);
    /* written anew if a kill has left a part of it */
    status = write_copy(connection, part, err);
    /* a start that was killed in the migration may have left the same copy */
    if (status == OK && access(copy, F_OK) == 0 && !same_bytes(part, copy))
        status = error_set(err, ERR_CONFLICT,
                           "'%s' is there, from an upgrade of other data: move it away, then start "
                           "again",
                           copy);
    if (status == OK && rename(part, copy) != 0)
        status = system_error(err, "write", copy);
    if (status != OK)
        unlink(part);
    return status;
}
