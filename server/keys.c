/* Keys of the daemon: the first one from a file, all others from the store. */
#include "server/keys.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"

/* The one line of the file. */
static Status read_token(const char *path, char ret_token[TOKEN_MAX], Error *err)
{
    char line[TOKEN_MAX + 2] = "";
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(err, ERR_INVALID, "first-key-file: cannot read '%.200s': %s", path,
                         strerror(errno));
    (void)!fgets(line, sizeof line, file);
    fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    if (!token_well_formed(line))
        return error_set(
            err, ERR_INVALID,
            "first-key-file: '%.200s' must hold one line with a token; `dalembert keys "
            "token` prints a new one",
            path);
    memcpy(ret_token, line, TOKEN_MAX);
    return OK;
}

/* Whether the store has, or had, a key; a damaged one counts. */
static bool has_keys(Store *store)
{
    Arena scratch = {0};
    KeyRecord *keys;
    size_t n = 0;
    const Status status = store_key_list(store, NULL, 1, &scratch, &keys, &n, NULL);
    arena_done(&scratch);
    return status == ERR_DAMAGED || n > 0;
}

/* Only a store that has never had a key reads the file: one that was left behind brings no revoked
 * key back, and may be gone. */
static Status add_first(Store *store, const char *path, const Log *log, Error *err)
{
    char token[TOKEN_MAX], scopes[SCOPES_TEXT_MAX];
    if (has_keys(store))
        return OK;
    Status status = read_token(path, token, err);
    if (status != OK)
        return status;
    scopes_format(SCOPES_ALL, scopes);
    KeyRecord key = {.name = "first", .scopes = scopes};
    const Hash hash = token_hash(token);
    hash_format(&hash, key.hash);
    status = store_key_add(store, &key, true, err);
    if (status == OK)
        log_event(log, LOG_INFO, "first_key", "id=%s", key.id);
    return status;
}

static Status load(Keyring *keyring, Store *store, const Log *log, Error *err)
{
    Arena scratch = {0};
    KeyRecord *keys;
    size_t n = 0, damaged = 0;
    Status status = store_keys_in_force(store, clock_unix_ms(), &scratch, &keys, &n, &damaged, err);
    for (size_t k = 0; k < n && status == OK; k++)
        status = keyring_add(keyring, &keys[k], err);
    arena_done(&scratch);
    if (damaged)
        log_event(log, LOG_ERROR, "damaged_keys", "n=%zu mend=\"dalembert verify names them\"",
                  damaged);
    if (status == OK && n == 0)
        status = error_set(
            err, ERR_INVALID,
            "there is no key in force yet: make one with `dalembert keys create NAME --scopes "
            "read,write,metrics,admin`, or put the token that `dalembert keys token` prints into a "
            "file and start with --first-key-file FILE; --auth loopback on a loopback address and "
            "--auth none need no keys");
    return status;
}

Status keys_open(Store *store, unsigned rate, const char *first_key_file, const Log *log,
                 Keyring **ret_keyring, Error *err)
{
    const KeyringOptions options = {rate, clock_unix_ms, clock_seconds};
    Keyring *keyring = keyring_new(&options);
    if (!keyring)
        return error_set(err, ERR_NO_MEMORY, "out of memory for the keys");
    Status status = *first_key_file ? add_first(store, first_key_file, log, err) : OK;
    if (status == OK)
        status = load(keyring, store, log, err);
    if (status != OK) {
        keyring_free(keyring);
        return status;
    }
    *ret_keyring = keyring;
    log_event(log, LOG_INFO, "keys", "in_force=%zu", keyring_count(keyring));
    return OK;
}
