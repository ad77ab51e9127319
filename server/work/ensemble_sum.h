/* What an ensemble comes to, from its rows: how many members ended how, the worst of their
 * evidence, and whether it has failed as a whole. The same for the service and the command line. */
#ifndef SERVER_ENSEMBLE_SUM_H
#define SERVER_ENSEMBLE_SUM_H

#include "api/documents/documents.h"
#include "api/prepared_job.h"
#include "db/store.h"

typedef struct EnsembleSum {
    EnsembleEvidence evidence;
    const MemberText *said; /* n_said: what those that failed said; ascending */
    size_t n_said, next_said;
    MemberFailure *failures; /* of the evidence */
    size_t n_columns, worst_residual, energy_balance, steps, warnings;
    const ReduceSpec *reduce; /* n_reduce, in the columns from first_reduced on */
    size_t n_reduce, first_reduced;
    bool *reduced; /* n_reduce: some member has a value */
    Arena *arena;
} EnsembleSum;

/* What an ensemble is warned of, at most. */
enum { ENSEMBLE_WARNINGS = 2 };

/* Of a prepared ensemble. Lives in the arena; borrows the rest. */
Status ensemble_sum_init(EnsembleSum *ret_sum, const PreparedJob *job, const MemberText *said,
                         size_t n_said, Arena *arena, Error *err) MUST_CHECK;
/* Rows of ensemble_columns(), in the order of members. */
void ensemble_sum_add(EnsembleSum *sum, const double *row);

/* Why the ensemble has failed, unless it was cancelled; NULL: it has not. `stops`: a member that
 * fails ends it. */
const char *ensemble_sum_reason(const EnsembleSum *sum, bool stops);

/* What is to be told of members that have warnings, and of findings that no member has; how many.
 * They live in the arena. */
size_t ensemble_sum_warnings(const EnsembleSum *sum, const char *ret_warnings[ENSEMBLE_WARNINGS]);

#endif
