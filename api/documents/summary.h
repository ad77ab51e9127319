/* The summary of an ensemble as clients see it: the columns of core/ensemble/ensemble.h. The last
 * one, the number of a member's state, becomes two columns with words: "state" (succeeded, failed
 * or cancelled) and "reason" (of a failure). */
#ifndef API_DOCUMENTS_SUMMARY_H
#define API_DOCUMENTS_SUMMARY_H

#include "api/documents/result_writer.h"
#include "core/base/arena.h"

typedef struct SummaryColumns {
    const char *const *names; /* n */
    const char *const *units; /* n; NULL for columns without a unit, or NULL */
    const ResultWords *words; /* n */
    size_t n;
} SummaryColumns;

/* From the n_stored > 0 stored columns and their units (or NULL). Lives in the arena, and borrows
 * the texts. */
Status summary_columns(const char *const *stored, const char *const *units, size_t n_stored,
                       Arena *arena, SummaryColumns *ret_columns, Error *err) MUST_CHECK;

/* Computes ret_row[n] from row[n - 1]. */
void summary_view(const double *row, size_t n, double *ret_row);

#endif
