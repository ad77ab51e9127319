/* The outcome of an ensemble from its rows: members by state, the worst of their evidence, and
 * whether it has failed as a whole. The same for the service and the command line. */
#ifndef SERVER_ENSEMBLE_SUM_H
#define SERVER_ENSEMBLE_SUM_H

#include "api/documents/documents.h"
#include "api/prepared_job.h"
#include "db/store.h"

typedef struct EnsembleSum {
    EnsembleEvidence evidence;
    const MemberText *said; /* n_said messages of failed members, ascending */
    size_t n_said, next_said;
    MemberFailure *failures; /* of the evidence */
    size_t n_columns, worst_residual, energy_balance, steps, warnings;
    const ReduceSpec *reduce; /* n_reduce, in the columns from first_reduced on */
    size_t n_reduce, first_reduced;
    bool *reduced; /* n_reduce: some member has a value */
    Arena *arena;
} EnsembleSum;

/* Largest number of warnings of an ensemble. */
enum { ENSEMBLE_WARNINGS = 2 };

/* For a prepared ensemble. Lives in the arena; borrows the rest. */
Status ensemble_sum_init(EnsembleSum *ret_sum, const PreparedJob *job, const MemberText *said,
                         size_t n_said, Arena *arena, Error *err) MUST_CHECK;
/* Rows of ensemble_columns(), in the order of members. */
void ensemble_sum_add(EnsembleSum *sum, const double *row);

/* The reason of the ensemble's failure, unless it was cancelled; NULL: it has not failed. `stops`:
 * a failed member ends it. */
const char *ensemble_sum_reason(const EnsembleSum *sum, bool stops);

/* Warns of members that have warnings, and of findings that no member has; returns the number of
 * warnings. They live in the arena. */
size_t ensemble_sum_warnings(const EnsembleSum *sum, const char *ret_warnings[ENSEMBLE_WARNINGS]);

#endif
