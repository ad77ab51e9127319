/* Inside core/ensemble/: the summary table: its columns, and a member's row. */
#ifndef CORE_ENSEMBLE_SUMMARY_H
#define CORE_ENSEMBLE_SUMMARY_H

#include "core/ensemble/design.h"
#include "core/ensemble/member.h"
#include "core/simulate.h"

typedef struct Summary {
    size_t n_axes, n;          /* n: coordinates */
    size_t n_reduce, n_drifts; /* reductions of the document, and those behind them */
    size_t n_columns;
    const char *const *columns;
    const char *const *units; /* NULL for a column without one; NULL: the model's are not known */
} Summary;

/* The columns: a job, whose last n_drifts reductions are drifts, and a design. */
typedef struct SummarySpec {
    const JobSpec *job;
    size_t n_drifts;
    const Dimension *reduced; /* job->n_reduce */
    const DesignSpec *design;
} SummarySpec;

/* The names live in the arena. */
Status summary_init(Summary *ret_summary, const Model *model, const SummarySpec *spec, Arena *arena,
                    Error *err) MUST_CHECK;

/* The row of a member that has only its inputs and its state. */
void summary_blank(const Summary *summary, uint64_t member, const double *inputs, MemberState state,
                   double *ret_row);
/* result: of its run. */
void summary_row(const Summary *summary, uint64_t member, const double *inputs, MemberState state,
                 const SimulationResult *result, double *ret_row);

/* Copies the job and appends a reduction "drift.NAME" to its own for the momentum of each symmetry
 * that the model names. Adds none if the multipliers are part of the motion, because its momenta
 * differ, and none for an expression too long to print. In the arena. */
Status drifts_add(const Compiled *compiled, const JobSpec *job, Arena *arena, JobSpec *ret_job,
                  Error *err) MUST_CHECK;

#endif
