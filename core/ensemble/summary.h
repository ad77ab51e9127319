/* Inside core/ensemble/: the summary table: its columns, and a member's row. */
#ifndef CORE_ENSEMBLE_SUMMARY_H
#define CORE_ENSEMBLE_SUMMARY_H

#include "core/ensemble/design.h"
#include "core/ensemble/member_state.h"
#include "core/simulate.h"

typedef struct Summary {
    size_t n_axes, n;          /* n: coordinates */
    size_t n_reduce, n_drifts; /* reductions of the document, and those behind them (drifts.h) */
    size_t n_columns;
    const char *const *columns;
    const char *const
        *units; /* NULL where a column has none; NULL: those of the model are not known */
} Summary;

/* The names live in the arena. job: with n_drifts reductions behind those of the document;
 * reduced: the dimensions of all of them. */
Status summary_init(Summary *ret_summary, const Model *model, const JobSpec *job, size_t n_drifts,
                    const Dimension *reduced, const DesignSpec *design, Arena *arena,
                    Error *err) MUST_CHECK;

/* A member of which nothing is known but its inputs and how it ended. */
void summary_blank(const Summary *summary, uint64_t member, const double *inputs, MemberState state,
                   double *ret_row);
/* result: of its run. */
void summary_row(const Summary *summary, uint64_t member, const double *inputs, MemberState state,
                 const SimulationResult *result, double *ret_row);

#endif
