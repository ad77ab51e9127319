/* The summary of an ensemble as clients see it: the columns of core/ensemble/ensemble.h, of which
 * the last, the number of a member's state, becomes two with words: "state" (succeeded, failed or
 * cancelled) and "reason" (of a failure). */
#ifndef API_DOCUMENTS_SUMMARY_H
#define API_DOCUMENTS_SUMMARY_H

#include "api/documents/result_writer.h"
#include "core/base/arena.h"

typedef struct SummaryColumns {
    const char *const *names; /* n */
    const char *const *units; /* n; NULL where there is none, or NULL */
    const ResultWords *words; /* n */
    size_t n;
} SummaryColumns;

/* From the n_stored > 0 columns as they are stored, and their units (or NULL); lives in the arena,
 * and borrows the texts. */
Status summary_columns(const char *const *stored, const char *const *units, size_t n_stored,
                       Arena *arena, SummaryColumns *ret_columns, Error *err) MUST_CHECK;

/* ret_row[n] from row[n - 1]. */
void summary_view(const double *row, size_t n, double *ret_row);

#endif
