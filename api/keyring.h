/* The keys in force, in memory, with the scopes and the rate of each.
 *
 * A key is found by the SHA-256 of its token. A revocation changes the store first, then the
 * keyring. A request that came before it is checked again (keyring_holds) before its answer and
 * before each piece of a stream. Thread-safe. */
#ifndef API_KEYRING_H
#define API_KEYRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/token.h"
#include "db/keys.h"

/* The permissions of a key. */
typedef enum Scope {
    SCOPE_READ = 1,    /* jobs, results, models */
    SCOPE_WRITE = 2,   /* to submit, cancel and delete */
    SCOPE_METRICS = 4, /* /metrics */
    SCOPE_ADMIN = 8,   /* keys, tenants, and reading all tenants */
} Scope;
enum { SCOPES = 4, SCOPES_ALL = 15, SCOPES_TEXT_MAX = 40 };
extern const char *const scope_names[SCOPES]; /* of the bits, from the lowest */

/* "read write", ordered by their bits, into SCOPES_TEXT_MAX bytes; and back. False: a word is the
 * name of no scope, or there is none. */
void scopes_format(unsigned scopes, char *ret_text);
bool scopes_parse(const char *text, unsigned *ret_scopes);

/* Requests in a minute, by the generic cell rate algorithm (ITU-T I.371): a burst of all of them is
 * allowed after a minute without any. */
typedef struct RateState {
    unsigned limit, left; /* limit 0: there is none */
    double full;          /* seconds until the whole burst is allowed again */
    double wait;          /* seconds until the next request is allowed; 0: this one was */
} RateState;

/* Who asks. */
typedef struct Caller {
    char key[JOB_ID_MAX]; /* id of the key; "": none was needed */
    Hash hash;            /* of its token */
    int64_t tenant;       /* whose jobs and models are meant; 0: none are, or not yet known */
    unsigned scopes;
    double ends; /* of clock_seconds(): when the key expires; INFINITY: never */
    RateState rate;
} Caller;

/* now_ms: the date, Unix time in ms; seconds: a clock that only goes forward. */
typedef struct KeyringOptions {
    unsigned rate; /* requests of a key in a minute; 0: without limit */
    int64_t (*now_ms)(void);
    double (*seconds)(void);
} KeyringOptions;

typedef struct Keyring Keyring;

Keyring *keyring_new(const KeyringOptions *options); /* NULL when out of memory */
void keyring_free(Keyring *keyring);                 /* NULL is fine */

/* ERR_LIMIT: KEYS_MAX are in it. ERR_INVALID: its scopes or its hash are none. */
Status keyring_add(Keyring *keyring, const KeyRecord *key, Error *err) MUST_CHECK;
void keyring_remove(Keyring *keyring, const char *id); /* an unknown id is fine */
size_t keyring_count(Keyring *keyring);

/* Finds the key of a token (any text) and counts a request of it. False: there is no such key, or
 * it has expired. */
bool keyring_admit(Keyring *keyring, const char *token, Caller *ret_caller);
/* Whether the caller's key is still in force. */
bool keyring_holds(Keyring *keyring, const Caller *caller);

/* Counts a request without a valid key: 10 in a minute of one client (its address) count as such.
 * Returns 0, or the seconds until the next one does. */
double keyring_failure(Keyring *keyring, const char *client);

/* The keys that were used since this was called last, at most `most`, and when. */
size_t keyring_take_uses(Keyring *keyring, KeyUse *ret_uses, size_t most);
/* Writes these uses into the store. Uses that cannot be written are dropped: the next one is noted
 * again. keyring NULL: nothing. */
void keyring_note_uses(Keyring *keyring, Store *store);

#endif
