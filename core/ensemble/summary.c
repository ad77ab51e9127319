/* The summary of an ensemble: what each member came to, in one row. */
#include "core/ensemble/summary.h"

#include <math.h>
#include <string.h>

/* Behind the reductions: final.t and the final state, then these. */
enum { WORST_RESIDUAL, ENERGY_BALANCE, DRIFT_ENERGY, STEPS, STATE, LAST_COLUMNS };

static const char *const LAST[LAST_COLUMNS] = {"worst_residual", "energy_balance", "drift.energy",
                                               "steps", "state"};

Status summary_init(Summary *ret_summary, const Model *model, const JobSpec *job,
                    const DesignSpec *design, Arena *arena, Error *err)
{
    const size_t n = model->n;
    const size_t n_columns = 1 + design->n_axes + job->n_reduce + 1 + 2 * n + LAST_COLUMNS;
    const char **columns = ARENA_NEW(arena, n_columns, const char *);
    size_t c = 0;

    if (!columns)
        return arena_status(arena, err);
    columns[c++] = "member";
    for (size_t a = 0; a < design->n_axes; a++)
        columns[c++] = arena_strdup(arena, design->axes[a].path);
    for (size_t k = 0; k < job->n_reduce; k++)
        columns[c++] = arena_strdup(arena, job->reduce[k].name);
    columns[c++] = "final.t";
    for (size_t i = 0; i < n; i++)
        columns[c++] = arena_join(arena, "final.q.", model->coordinate_names[i], "");
    for (size_t i = 0; i < n; i++)
        columns[c++] = arena_join(arena, "final.v.", model->coordinate_names[i], "");
    memcpy(columns + c, LAST, sizeof LAST);
    *ret_summary = (Summary){.n_axes = design->n_axes,
                             .n_reduce = job->n_reduce,
                             .n = n,
                             .n_columns = n_columns,
                             .columns = columns};
    return arena_status(arena, err);
}

void summary_blank(const Summary *s, uint64_t member, const double *inputs, MemberState state,
                   double *ret_row)
{
    for (size_t c = 0; c < s->n_columns; c++)
        ret_row[c] = NAN;
    ret_row[0] = (double)member;
    memcpy(ret_row + 1, inputs, s->n_axes * sizeof *inputs);
    ret_row[s->n_columns - LAST_COLUMNS + STATE] = state;
}

static double worst_residual(const SimulationResult *result)
{
    double worst = 0;

    for (size_t k = 0; k < result->n_constraints; k++)
        worst = fmax(worst, result->constraints[k].max);
    return worst;
}

void summary_row(const Summary *s, uint64_t member, const double *inputs, MemberState state,
                 const SimulationResult *result, double *ret_row)
{
    double *reduced = ret_row + 1 + s->n_axes, *final = reduced + s->n_reduce;
    double *last = ret_row + s->n_columns - LAST_COLUMNS;

    summary_blank(s, member, inputs, state, ret_row);
    final[0] = result->t_reached;
    last[WORST_RESIDUAL] = worst_residual(result);
    last[ENERGY_BALANCE] = result->energy.balance_scaled;
    last[DRIFT_ENERGY] = result->energy.max_drift;
    last[STEPS] = (double)result->accepted;
    if (state != MEMBER_SUCCEEDED)
        return;
    if (result->reduced)
        memcpy(reduced, result->reduced, s->n_reduce * sizeof *reduced);
    memcpy(final + 1, result->final_q, s->n * sizeof *final);
    memcpy(final + 1 + s->n, result->final_v, s->n * sizeof *final);
}
