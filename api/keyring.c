/* The keys in force: an array in the order of their hashes, and the rate of each. */
#include "api/keyring.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

const char *const scope_names[SCOPES] = {"read", "write", "metrics", "admin"};

enum { FAILURE_PLACES = 65536, FAILURES_A_MINUTE = 10, USES_AT_ONCE = 500 };
static const double MINUTE = 60;

typedef struct Entry {
    Hash hash;
    char id[JOB_ID_MAX];
    int64_t tenant;
    unsigned scopes;
    int64_t expires_ms; /* 0: never */
    double busy_until;  /* of the rate: when the requests so far have been worked off */
    int64_t used_ms;    /* 0: not since it was told */
} Entry;

struct Keyring {
    KeyringOptions options;
    pthread_mutex_t lock;
    Entry *entries; /* n, by their hashes */
    size_t n, capacity;
    double *failures; /* FAILURE_PLACES: busy_until of the clients whose addresses fall there */
};

void scopes_format(unsigned scopes, char *ret_text)
{
    size_t length = 0;
    *ret_text = '\0';
    for (size_t k = 0; k < SCOPES; k++)
        if (scopes & 1u << k)
            length += (size_t)snprintf(ret_text + length, SCOPES_TEXT_MAX - length, "%s%s",
                                       length ? " " : "", scope_names[k]);
}

bool scopes_parse(const char *text, unsigned *ret_scopes)
{
    unsigned scopes = 0;
    while (*text) {
        const size_t length = strcspn(text, " ");
        size_t k = 0;
        while (k < SCOPES &&
               (strlen(scope_names[k]) != length || strncmp(scope_names[k], text, length) != 0))
            k++;
        if (k == SCOPES)
            return false;
        scopes |= 1u << k;
        text += length;
        text += *text == ' ';
    }
    *ret_scopes = scopes;
    return scopes != 0;
}

Keyring *keyring_new(const KeyringOptions *options)
{
    Keyring *keyring = alloc_array(1, sizeof *keyring);
    if (!keyring)
        return NULL;
    keyring->options = *options;
    keyring->failures = alloc_array(FAILURE_PLACES, sizeof *keyring->failures);
    if (!keyring->failures || pthread_mutex_init(&keyring->lock, NULL) != 0) {
        free(keyring->failures);
        free(keyring);
        return NULL;
    }
    return keyring;
}

void keyring_free(Keyring *keyring)
{
    if (!keyring)
        return;
    pthread_mutex_destroy(&keyring->lock);
    free(keyring->entries);
    free(keyring->failures);
    free(keyring);
}

/* The first entry whose hash is not below this one. */
static size_t find(const Keyring *keyring, const Hash *hash)
{
    size_t from = 0, to = keyring->n;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (memcmp(&keyring->entries[middle].hash, hash, sizeof *hash) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The entry of this hash, if it has not expired. With the lock held. */
static Entry *find_in_force(Keyring *keyring, const Hash *hash)
{
    const size_t at = find(keyring, hash);
    Entry *entry = &keyring->entries[at];
    if (at == keyring->n || memcmp(&entry->hash, hash, sizeof *hash) != 0)
        return NULL;
    const bool expired = entry->expires_ms && keyring->options.now_ms() >= entry->expires_ms;
    return expired ? NULL : entry;
}

static bool read_hash(const char *text, Hash *ret_hash)
{
    for (size_t k = 0; k < HASH_BYTES; k++) {
        unsigned byte;
        if (sscanf(text + 2 * k, "%2x", &byte) != 1)
            return false;
        ret_hash->bytes[k] = (unsigned char)byte;
    }
    return true;
}

Status keyring_add(Keyring *keyring, const KeyRecord *key, Error *err)
{
    Entry entry = {.tenant = key->tenant, .expires_ms = key->expires_ms};
    Status status = OK;
    if (!read_hash(key->hash, &entry.hash) || !scopes_parse(key->scopes, &entry.scopes))
        return error_set(err, ERR_INVALID, "the key %s has no valid scopes or hash", key->id);
    snprintf(entry.id, sizeof entry.id, "%s", key->id);
    pthread_mutex_lock(&keyring->lock);
    if (keyring->n == KEYS_MAX)
        status = error_set(err, ERR_LIMIT, "there are %d keys in force", KEYS_MAX);
    else if (!grow_array(&keyring->entries, &keyring->capacity, keyring->n + 1,
                         sizeof *keyring->entries))
        status = error_set(err, ERR_NO_MEMORY, "out of memory for a key");
    if (status == OK) {
        const size_t at = find(keyring, &entry.hash);
        memmove(&keyring->entries[at + 1], &keyring->entries[at],
                (keyring->n - at) * sizeof *keyring->entries);
        keyring->entries[at] = entry;
        keyring->n++;
    }
    pthread_mutex_unlock(&keyring->lock);
    return status;
}

void keyring_remove(Keyring *keyring, const char *id)
{
    size_t at = 0;
    pthread_mutex_lock(&keyring->lock);
    while (at < keyring->n && strcmp(keyring->entries[at].id, id) != 0)
        at++;
    if (at < keyring->n) {
        keyring->n--;
        memmove(&keyring->entries[at], &keyring->entries[at + 1],
                (keyring->n - at) * sizeof *keyring->entries);
    }
    pthread_mutex_unlock(&keyring->lock);
}

size_t keyring_count(Keyring *keyring)
{
    pthread_mutex_lock(&keyring->lock);
    const size_t n = keyring->n;
    pthread_mutex_unlock(&keyring->lock);
    return n;
}

/* Takes one of `limit` requests a minute. */
static RateState take(double *busy_until, unsigned limit, double now)
{
    const double each = MINUTE / limit;
    const double busy = fmax(*busy_until, now);
    const double over = busy + each - now - MINUTE;
    RateState rate = {.limit = limit};
    if (over > 0)
        rate.wait = over;
    else
        *busy_until = busy + each;
    rate.full = fmax(*busy_until - now, 0);
    rate.left = over > 0 ? 0 : (unsigned)fmax((MINUTE - rate.full) / each, 0);
    return rate;
}

bool keyring_admit(Keyring *keyring, const char *token, Caller *ret_caller)
{
    const KeyringOptions *options = &keyring->options;
    if (!token_well_formed(token))
        return false;
    const Hash hash = token_hash(token);
    const double now = options->seconds();
    pthread_mutex_lock(&keyring->lock);
    Entry *entry = find_in_force(keyring, &hash);
    if (entry) {
        const int64_t now_ms = options->now_ms();
        *ret_caller = (Caller){
            .hash = hash, .tenant = entry->tenant, .scopes = entry->scopes, .ends = INFINITY};
        memcpy(ret_caller->key, entry->id, sizeof ret_caller->key);
        if (entry->expires_ms)
            ret_caller->ends = now + (double)(entry->expires_ms - now_ms) / 1e3;
        if (options->rate)
            ret_caller->rate = take(&entry->busy_until, options->rate, now);
        entry->used_ms = now_ms;
    }
    pthread_mutex_unlock(&keyring->lock);
    return entry != NULL;
}

bool keyring_holds(Keyring *keyring, const Caller *caller)
{
    pthread_mutex_lock(&keyring->lock);
    const bool holds = find_in_force(keyring, &caller->hash) != NULL;
    pthread_mutex_unlock(&keyring->lock);
    return holds;
}

double keyring_failure(Keyring *keyring, const char *client)
{
    const size_t place = hash_quick(client, strlen(client)) % FAILURE_PLACES;
    pthread_mutex_lock(&keyring->lock);
    const RateState rate =
        take(&keyring->failures[place], FAILURES_A_MINUTE, keyring->options.seconds());
    pthread_mutex_unlock(&keyring->lock);
    return rate.wait;
}

size_t keyring_take_uses(Keyring *keyring, KeyUse *ret_uses, size_t most)
{
    size_t n = 0;
    pthread_mutex_lock(&keyring->lock);
    for (size_t k = 0; k < keyring->n && n < most; k++) {
        Entry *entry = &keyring->entries[k];
        if (!entry->used_ms)
            continue;
        ret_uses[n].last_used_ms = entry->used_ms;
        memcpy(ret_uses[n++].id, entry->id, sizeof entry->id);
        entry->used_ms = 0;
    }
    pthread_mutex_unlock(&keyring->lock);
    return n;
}

void keyring_note_uses(Keyring *keyring, Store *store)
{
    KeyUse uses[USES_AT_ONCE];
    size_t n = USES_AT_ONCE;
    while (keyring && n == USES_AT_ONCE) {
        n = keyring_take_uses(keyring, uses, USES_AT_ONCE);
        if (store_keys_used(store, uses, n, NULL) != OK)
            return;
    }
}
