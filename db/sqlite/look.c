/* The state of a data directory, from its lock, the head of its database and its keys. */
#include "db/look.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "db/sqlite/schema.h"
#include "db/sqlite/sqlite_store.h"

/* The head of a database file (https://www.sqlite.org/fileformat2.html, section 1.3). */
enum { HEAD_BYTES = 100, USER_VERSION_AT = 60, APPLICATION_ID_AT = 68 };
static const char MAGIC[16] = "SQLite format 3";

enum { PATH_MOST = 4096 + 20 };
enum { FORMAT_OF_KEYS = 16 };

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* A file that is missing has no bytes. */
static Status read_head(const char *path, unsigned char *bytes, size_t size, size_t *ret_n,
                        Error *err)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    *ret_n = 0;
    if (file < 0)
        return errno == ENOENT ? OK : system_error(err, "read", path);
    const ssize_t n = read(file, bytes, size);
    Status status = n < 0 ? system_error(err, "read", path) : OK;
    close(file);
    *ret_n = n > 0 ? (size_t)n : 0;
    return status;
}

/* The lock is tried and given back at once. */
static bool has_lock(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool taken = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (file >= 0)
        close(file);
    return taken;
}

static Status look_at_lock(const char *directory, StoreLook *look, Error *err)
{
    char path[PATH_MOST];
    size_t n;
    snprintf(path, sizeof path, "%s/dalembert.lock", directory);
    look->in_use = has_lock(path);
    const Status status =
        read_head(path, (unsigned char *)look->owner, sizeof look->owner - 1, &n, err);
    look->owner[n] = '\0';
    look->owner[strcspn(look->owner, "\n")] = '\0';
    return status;
}

static Status look_at_database(const char *directory, StoreLook *look, Error *err)
{
    char path[PATH_MOST];
    unsigned char head[HEAD_BYTES];
    size_t n;
    snprintf(path, sizeof path, "%s/dalembert.db", directory);
    const Status status = read_head(path, head, sizeof head, &n, err);
    look->has_database = n > 0;
    look->is_lost = n == 0 && !look->in_use && lock_read(directory).state != LOG_UNKNOWN;
    if (n == 0)
        return status;
    /* the first page of a new database is written before its tables */
    const bool whole = n == sizeof head && memcmp(head, MAGIC, sizeof MAGIC) == 0;
    const uint32_t application = whole ? big_endian(head + APPLICATION_ID_AT) : 0;
    look->format = whole ? (int)big_endian(head + USER_VERSION_AT) : 0;
    look->is_foreign = !whole || (application != APPLICATION_ID && (application || look->format));
    return status;
}

/* Opens a database that nothing changes: SQLite makes no files beside it, and reads no log. */
static Status open_immutable(Connection *connection, const char *path, Error *err)
{
    char uri[(size_t)3 * PATH_MOST + sizeof "file:?immutable=1"] = "file:";
    size_t n = strlen(uri);
    for (const char *c = path; *c; c++)
        n += (size_t)snprintf(uri + n, sizeof uri - n, strchr("%?#", *c) ? "%%%02x" : "%c", *c);
    snprintf(uri + n, sizeof uri - n, "?immutable=1");
    *connection = (Connection){0};
    if (sqlite3_open_v2(uri, &connection->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) ==
        SQLITE_OK)
        return OK;
    const Status status = error_set(err, ERR_IO, "'%s': %s", path, sqlite3_errmsg(connection->db));
    connection_close(connection);
    return status;
}

/* Reads the database if nobody uses the store and all of it is in the file: counts the keys, or
 * finds the room for an upgrade. */
static Status look_inside(const char *directory, StoreLook *look, Error *err)
{
    char path[PATH_MOST];
    struct stat info;
    Connection connection;
    UpgradeSpace need = {0};
    snprintf(path, sizeof path, "%s/dalembert.db-wal", directory);
    if (look->in_use || look->is_lost || look->is_foreign || look->format > look->newest ||
        (stat(path, &info) == 0 && info.st_size > 0))
        return OK;
    look->keys = 0;
    if (!look->has_database || look->format == 0)
        return OK;
    snprintf(path, sizeof path, "%s/dalembert.db", directory);
    Status status = open_immutable(&connection, path, err);
    if (status != OK)
        return status;
    if (look->format >= FORMAT_OF_KEYS)
        status = keys_count(&connection, clock_unix_ms(), &look->keys, &look->keys_in_force, err);
    if (status == OK && look->format < look->newest)
        status = upgrade_space(&connection, &need, err);
    connection_close(&connection);
    look->upgrade_bytes = need.steps;
    look->copy_bytes = need.copy;
    return status;
}

Status store_look(const char *directory, StoreLook *ret_look, Error *err)
{
    StoreLook look = {.newest = SCHEMA_NEWEST, .keys = -1};
    Status status = look_at_lock(directory, &look, err);
    if (status == OK)
        status = look_at_database(directory, &look, err);
    if (status == OK)
        status = look_inside(directory, &look, err);
    if (status == OK)
        *ret_look = look;
    return status;
}

/* The nearest directory above that is there. */
Status store_space_of(const char *directory, StoreSpace *ret_space, Error *err)
{
    char path[PATH_MOST];
    snprintf(path, sizeof path, "%s", directory);
    while (access(path, F_OK) != 0 && errno == ENOENT && strchr(path, '/')) {
        char *last = strrchr(path, '/');
        last[last == path] = '\0';
    }
    return directory_space(access(path, F_OK) == 0 ? path : ".", ret_space, err);
}

const char *store_sqlite_version(bool *ret_is_old)
{
    *ret_is_old = sqlite3_libversion_number() < SQLITE_VERSION_NUMBER;
    return sqlite3_libversion();
}
