/* The keys of the daemon, opened with its store. */
#ifndef SERVER_KEYS_H
#define SERVER_KEYS_H

#include "api/keyring.h"
#include "server/log.h"

/* Fills a keyring with the keys in force of the store. If the store has never had a key, the token
 * in the file (""; none) becomes one with all scopes. ERR_INVALID with the ways out: there is no
 * key in force, or no token in the file. Rate: requests of a key in a minute; 0: without limit. */
Status keys_open(Store *store, unsigned rate, const char *first_key_file, const Log *log,
                 Keyring **ret_keyring, Error *err) MUST_CHECK;

#endif
