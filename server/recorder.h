/* The rows of a run on their way into the store: gathered into blocks, and hashed. */
#ifndef SERVER_RECORDER_H
#define SERVER_RECORDER_H

#include "core/base/hash.h"
#include "db/store.h"

typedef struct Recorder Recorder;

/* For a trajectory and n_tables event tables of n_columns each. job_id is borrowed. */
Status recorder_new(Store *store, const char *job_id, int64_t token, size_t n_columns,
                    size_t n_tables, Recorder **ret_recorder, Error *err) MUST_CHECK;
void recorder_free(Recorder *recorder); /* NULL is fine */

/* Rows of a table (-1: the trajectory). They reach the store when there are enough of them, or
 * after a second, so that a slow run can be watched. */
Status recorder_rows(Recorder *recorder, int table, const double *rows, size_t n_rows,
                     Error *err) MUST_CHECK;
Status recorder_flush(Recorder *recorder, Error *err) MUST_CHECK;

uint64_t recorder_count(const Recorder *recorder); /* rows, of all tables */
/* SHA-256 over the SHA-256s of the tables' rows (doubles as they lie in memory), trajectory first:
 * the same for the same numbers, however they were gathered. Once, at the end. */
void recorder_hash(Recorder *recorder, char ret_text[HASH_TEXT_MAX]);

#endif
