/* Copies of a database beside a running daemon, and directories that appear whole or not at all. */
#ifndef DB_BACKUP_H
#define DB_BACKUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/status.h"
#include "db/store.h"

#define STORE_FILE "dalembert.db" /* the database's name in its directory */

typedef struct CopyOptions {
    const char *source; /* the data directory */
    const char *target; /* the directory in which STORE_FILE is made; there must be none */
    uint64_t rate;      /* bytes a second at most; 0: no limit */
    /* Bytes that stay free on the disk of either directory, else ERR_NO_SPACE; 0: none. The disk of
     * the source counts too, because the daemon's log cannot start anew during the copy. */
    uint64_t disk_reserve;
    void *self;
    void (*progress)(void *self, uint64_t done, uint64_t total); /* bytes; NULL: not told */
} CopyOptions;

/* What is in a copy. */
typedef struct CopyFacts {
    int format;
    int64_t revision;
    StoreCounts counts;
} CopyFacts;

/* Copies the database as it is at one moment. It is read by a connection of its own, which neither
 * writes nor checkpoints, so that a daemon beside goes on. The thread's stop token
 * (core/base/stop_token.h) is asked between steps of at most 1 MiB. The copy is on the disk when OK
 * is returned; after a failure a part of it is left. ERR_NOT_FOUND: the directory has no store. */
Status store_copy(const CopyOptions *options, CopyFacts *ret_facts, Error *err) MUST_CHECK;

/* How long the copy pauses after the step that ends it at so many bytes, copied within so many
 * seconds. */
double copy_pause(uint64_t bytes, double seconds, uint64_t rate);

/* A directory that is filled as TARGET.part and then renamed: what stands under the name TARGET is
 * whole. A process that is killed leaves TARGET.part, which the next one empties. */
typedef struct Staging {
    char target[PATH_MAX], part[PATH_MAX];
    int directory; /* locked, so that two processes never fill it at the same time; or -1 */
} Staging;

/* TARGET is absent, or an empty directory where that is allowed; ERR_CONFLICT otherwise, and while
 * another process fills it. */
Status staging_begin(Staging *staging, const char *target, bool may_be_empty,
                     Error *err) MUST_CHECK;
/* A new file of this text in the directory; on the disk when OK is returned. */
Status staging_write(const Staging *staging, const char *name, const char *text,
                     Error *err) MUST_CHECK;
/* What SQLite leaves beside a database that was only read goes; the directory gets its name. Files
 * are on the disk before. */
Status staging_publish(Staging *staging, Error *err) MUST_CHECK;
void staging_drop(Staging *staging); /* after publishing nothing; else what was filled is removed */

/* Renames a file that is on the disk; its name is on the disk, too, when OK is returned. */
Status file_publish(const char *part, const char *path, Error *err) MUST_CHECK;
/* Writes the file anew: whoever reads it finds the old text or the new one, whole. */
Status file_replace(const char *path, const char *text, Error *err) MUST_CHECK;

#endif
