/* A look at a data directory that changes nothing. */
#ifndef DB_LOOK_H
#define DB_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "db/store.h"

enum { LOOK_OWNER_MAX = 128 };

typedef struct StoreLook {
    bool in_use;                /* a process has the lock */
    char owner[LOOK_OWNER_MAX]; /* "process 4711 on host 'x'", the last one to have it; or "" */
    bool has_database;          /* the file is there, and not empty */
    bool is_lost;               /* it is not, but dalembert.lock records commits */
    bool is_foreign;            /* it is no database of this program */
    int format, newest;         /* 0: not written yet; the newest that this program reads */
    uint64_t upgrade_bytes;     /* free ones that the change of an older format needs; 0: unknown */
    uint64_t copy_bytes;        /* .. and those of --upgrade copy */
    int64_t keys;               /* -1: unknown, a service uses the store or left a log behind */
    int64_t keys_in_force;      /* of these, neither revoked nor expired */
} StoreLook;

/* ERR_IO: a file cannot be read. A directory that is missing is one without files. */
Status store_look(const char *directory, StoreLook *ret_look, Error *err) MUST_CHECK;

/* Space of the disk of a directory, which is perhaps not made yet. */
Status store_space_of(const char *directory, StoreSpace *ret_space, Error *err) MUST_CHECK;

/* The version of SQLite in use; *ret_is_old: it is older than that of the build. */
const char *store_sqlite_version(bool *ret_is_old);

#endif
