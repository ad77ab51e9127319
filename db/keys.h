/* Keys of clients, with the permissions of each.
 *
 * The store keeps the SHA-256 of a key's token, never the token, so that a reader of the database
 * cannot use it. A revoked key stays in the list of keys. As in db/store.h, all functions are
 * thread-safe, and a change that is answered OK is durable. */
#ifndef DB_KEYS_H
#define DB_KEYS_H

#include "core/base/hash.h"
#include "db/tenants.h"

enum { KEYS_MAX = 10000 }; /* keys in force in one store */

typedef struct KeyRecord {
    char id[JOB_ID_MAX];                        /* UUIDv7 */
    char hash[HASH_TEXT_MAX];                   /* SHA-256 of the token, hexadecimal */
    const char *name;                           /* for people */
    const char *scopes;                         /* opaque text */
    const char *tenant_name;                    /* whose jobs and models it opens */
    int64_t tenant;                             /* its number */
    int64_t created_ms, expires_ms, revoked_ms; /* Unix time in ms; 0: never */
    int64_t last_used_ms;                       /* to about a minute; 0: never */
} KeyRecord;

/* Adds a key: the store sets its id, created_ms and tenant, by tenant_name (NULL: the default one).
 * ERR_NOT_FOUND: there is no such tenant. ERR_LIMIT: there are KEYS_MAX in force.
 * ERR_CONFLICT: `first` and there is a key already, or the token is that of another key. */
Status store_key_add(Store *store, KeyRecord *key, bool first, Error *err) MUST_CHECK;
/* Revokes a key; a revoked one stays as it is. ERR_NOT_FOUND. */
Status store_key_revoke(Store *store, const char *id, Error *err) MUST_CHECK;

typedef struct KeyUse {
    char id[JOB_ID_MAX];
    int64_t last_used_ms;
} KeyUse;
/* Notes when keys were used last, n of them; unknown ids are passed over. */
Status store_keys_used(Store *store, const KeyUse *uses, size_t n, Error *err) MUST_CHECK;

/* Keys, newest first, at most `limit` (and 1000). `before`: the id behind which the page begins
 * (cursor); NULL: the newest. ERR_NOT_FOUND: there is no such id. ERR_DAMAGED: a row is not as it
 * was written. */
Status store_key_list(Store *store, const char *before, size_t limit, Arena *arena,
                      KeyRecord **ret_keys, size_t *ret_n, Error *err) MUST_CHECK;
/* The keys in force: not revoked, not expired at now_ms. Damaged rows are left out and counted: a
 * flipped bit must not let anybody in. */
Status store_keys_in_force(Store *store, int64_t now_ms, Arena *arena, KeyRecord **ret_keys,
                           size_t *ret_n, size_t *ret_damaged, Error *err) MUST_CHECK;

#endif
