/* The hash of a result: the same for the same numbers, in portions of any size. */
#ifndef SERVER_RESULT_HASH_H
#define SERVER_RESULT_HASH_H

#include <nettle/sha2.h>

#include "core/base/arena.h"
#include "core/base/hash.h"
#include "core/base/status.h"

/* SHA-256 over the SHA-256s of the tables' rows (doubles as they lie in memory), the trajectory
 * first. */
typedef struct ResultHash {
    size_t n_tables; /* with the trajectory */
    struct sha256_ctx *tables;
} ResultHash;

/* For a trajectory and n_event_tables event tables; its memory is the arena's. */
Status result_hash_init(ResultHash *hash, size_t n_event_tables, Arena *arena,
                        Error *err) MUST_CHECK;
/* The next n numbers of a table (-1: the trajectory). */
void result_hash_add(ResultHash *hash, int table, const double *numbers, size_t n);
/* Once, at the end. */
void result_hash_finish(ResultHash *hash, char ret_text[HASH_TEXT_MAX]);

#endif
