/* The state of a member in words. */
#include "api/documents/summary.h"

#include <math.h>
#include <string.h>

#include "core/ensemble/ensemble.h"

enum { WORD_FAILED = MEMBER_STATES };

/* One numbering for both columns, so that a word means the same in every comparison. */
static const char *const STATES[] = {
    [MEMBER_SUCCEEDED] = "succeeded", [MEMBER_CANCELLED] = "cancelled", [WORD_FAILED] = "failed"};
static const char *const REASONS[] = {[MEMBER_MODEL] = "model",
                                      [MEMBER_NUMERIC] = "numeric",
                                      [MEMBER_LIMIT] = "limit",
                                      [MEMBER_TIMEOUT] = "timeout",
                                      [MEMBER_WORKER_LOST] = "worker_lost",
                                      [MEMBER_INTERNAL] = "internal"};

Status summary_columns(const char *const *stored, const char *const *units, size_t n_stored,
                       Arena *arena, SummaryColumns *ret_columns, Error *err)
{
    const char **names = ARENA_NEW(arena, n_stored + 1, const char *);
    const char **kept = ARENA_NEW(arena, n_stored + 1, const char *);
    ResultWords *words = ARENA_NEW(arena, n_stored + 1, ResultWords);

    if (!names || !kept || !words)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    memcpy(names, stored, n_stored * sizeof *names);
    if (units)
        memcpy(kept, units, n_stored * sizeof *kept);
    names[n_stored] = "reason";
    words[n_stored - 1] = (ResultWords){STATES, sizeof STATES / sizeof *STATES};
    words[n_stored] = (ResultWords){REASONS, sizeof REASONS / sizeof *REASONS};
    *ret_columns = (SummaryColumns){names, units ? kept : NULL, words, n_stored + 1};
    return OK;
}

void summary_view(const double *row, size_t n, double *ret_row)
{
    const double state = row[n - 2];
    const bool failed = state != MEMBER_SUCCEEDED && state != MEMBER_CANCELLED;

    memcpy(ret_row, row, (n - 2) * sizeof *row);
    ret_row[n - 2] = failed ? WORD_FAILED : state;
    ret_row[n - 1] = failed ? state : NAN;
}
