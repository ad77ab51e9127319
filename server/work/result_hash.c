/* The hash of a result: a SHA-256 for each table, fed while its rows pass, and one over all of
 * them at the end. */
#include "server/work/result_hash.h"

Status result_hash_init(ResultHash *hash, size_t n_event_tables, Arena *arena, Error *err)
{
    hash->n_tables = n_event_tables + 1;
    hash->tables = arena_alloc(arena, hash->n_tables, sizeof *hash->tables);
    if (!hash->tables)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < hash->n_tables; i++)
        sha256_init(&hash->tables[i]);
    return OK;
}

void result_hash_add(ResultHash *hash, int table, const double *numbers, size_t n)
{
    sha256_update(&hash->tables[table + 1], n * sizeof *numbers, (const uint8_t *)numbers);
}

void result_hash_finish(ResultHash *hash, char ret_text[HASH_TEXT_MAX])
{
    struct sha256_ctx all;
    Hash digest;
    sha256_init(&all);
    for (size_t i = 0; i < hash->n_tables; i++) {
        sha256_digest(&hash->tables[i], sizeof digest.bytes, digest.bytes);
        sha256_update(&all, sizeof digest.bytes, digest.bytes);
    }
    sha256_digest(&all, sizeof digest.bytes, digest.bytes);
    hash_format(&digest, ret_text);
}
