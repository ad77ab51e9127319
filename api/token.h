/* Tokens: the secrets that clients send as `Authorization: Bearer TOKEN`.
 *
 * "dlmb_", 43 base-62 digits of 32 random bytes, 6 base-62 digits of the CRC-32 of the 48
 * characters before them. Scanners of source code find a leaked token by the prefix, and a typing
 * error is told without a look at the keys. 2^256 tokens cannot be guessed: so they are stored as
 * plain SHA-256 hashes, which cost no time that a slow hash of a password would. */
#ifndef API_TOKEN_H
#define API_TOKEN_H

#include <stdbool.h>

#include "core/base/hash.h"
#include "core/base/status.h"

enum { TOKEN_LENGTH = 54, TOKEN_MAX = TOKEN_LENGTH + 1 };

/* A new token from the operating system's random bytes. */
Status token_make(char ret_token[TOKEN_MAX], Error *err) MUST_CHECK;
/* The token of these 32 bytes. */
void token_format(const unsigned char bytes[32], char ret_token[TOKEN_MAX]);
/* Whether the text has the form of a token, with the check digits that are due. */
bool token_well_formed(const char *text);
/* The hash of a well-formed token, by which its key is found. */
Hash token_hash(const char *token);

#endif
