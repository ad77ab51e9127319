/* SHA-256, by Nettle; FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo). */
#include "core/base/hash.h"

#include <nettle/sha2.h>

Hash hash_bytes(const void *data, size_t length)
{
    struct sha256_ctx context;
    Hash hash;

    sha256_init(&context);
    sha256_update(&context, length, data);
    sha256_digest(&context, HASH_BYTES, hash.bytes);
    return hash;
}

uint64_t hash_quick(const void *data, size_t length)
{
    const unsigned char *bytes = data;
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash ^ hash >> 32; /* the low bits of the hash are weaker than the high ones */
}

void hash_format(const Hash *hash, char *ret_text)
{
    static const char DIGITS[] = "0123456789abcdef";

    for (int i = 0; i < HASH_BYTES; i++) {
        *ret_text++ = DIGITS[hash->bytes[i] >> 4];
        *ret_text++ = DIGITS[hash->bytes[i] & 15];
    }
    *ret_text = '\0';
}
