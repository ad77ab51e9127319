/* The stored rows of a job, block by block, as a source for row writers. */
#ifndef API_ROUTES_STORED_ROWS_H
#define API_ROUTES_STORED_ROWS_H

#include "api/documents/result_writer.h"
#include "db/store.h"

/* Rows of: a table of a plain job; the summary of an ensemble, in which members may be missing; a
 * table of one member. */
typedef enum StoredRowsOf { ROWS_OF_JOB, ROWS_OF_MEMBERS, ROWS_OF_MEMBER } StoredRowsOf;

/* `member`: for ROWS_OF_MEMBER. Release with stored_rows_free(ret->self). */
Status stored_rows_new(TenantStore store, const char *job_id, StoredRowsOf of, int table,
                       uint64_t member, RowsSource *ret, Error *err) MUST_CHECK;
void stored_rows_free(void *self);

/* Counts the rows by reading all blocks. */
Status stored_rows_count(const RowsSource *source, uint64_t *ret_n, Error *err) MUST_CHECK;

#endif
