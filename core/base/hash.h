/* SHA-256, which identifies documents and compiled models; and a quick hash for tables. */
#ifndef CORE_BASE_HASH_H
#define CORE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_BYTES = 32, HASH_TEXT_MAX = 2 * HASH_BYTES + 1 };

typedef struct Hash {
    unsigned char bytes[HASH_BYTES];
} Hash;

Hash hash_bytes(const void *data, size_t length);

/* FNV-1a, for tables in memory: fast, but no protection if an attacker chooses the data. */
uint64_t hash_quick(const void *data, size_t length);

/* Lower-case hexadecimal digits and a zero byte. */
void hash_format(const Hash *hash, char *ret_text);

#endif
