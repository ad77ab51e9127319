/* Rows leave the run.
 *
 * A sample is reported before the step that it lies in ends. Its row of evidence is retained until
 * the next one comes, so that a step that ends at the sample still counts. */
#include "core/run/tell/rows.h"

#include <math.h>

#include "core/base/finite.h"
#include "core/prepare/column_units.h"
#include "core/run/state/row.h"

static size_t row_length(size_t r)
{
    return 1 + evidence_instant_size(r);
}

void instants_init(Instants *instants, size_t r, Arena *memory)
{
    instants->held = arena_doubles(memory, row_length(r));
    instants->since = arena_doubles(memory, row_length(r));
}

void instants_step(RunEvidence *evidence, double t, double h)
{
    const size_t r = evidence->motion.model->r, n = evidence_instant_size(r);
    Instants *instants = &evidence->instants;
    double *held = instants->held;

    evidence_step(&evidence->motion, h);
    if (!instants->holds || held[0] != t)
        return;
    /* the step of the sample that is held: residuals and energy count by the largest, the rest by
     * the smallest */
    evidence_instant(&evidence->motion, instants->since);
    for (size_t i = 0; i < n; i++)
        held[1 + i] =
            i <= r ? fmax(held[1 + i], instants->since[i]) : fmin(held[1 + i], instants->since[i]);
}

Status instants_end(RunEvidence *evidence, RunRows *rows, Error *err)
{
    Instants *instants = &evidence->instants;

    if (!instants->holds)
        return OK;
    instants->holds = false;
    rows->sink_status = rows->sink->evidence(rows->sink->self, instants->held,
                                             row_length(evidence->motion.model->r), err);
    return rows->sink_status;
}

Status instants_sample(RunEvidence *evidence, RunRows *rows, double t, Error *err)
{
    Instants *instants = &evidence->instants;

    if (!instants->held)
        return OK;
    const Status status = instants_end(evidence, rows, err);
    if (status != OK)
        return status;
    instants->held[0] = t;
    evidence_instant(&evidence->motion, instants->held + 1);
    instants->holds = true;
    return OK;
}

static Status not_finite(const MotionState *at, size_t column, bool observable, Error *err)
{
    if (observable)
        return error_set(err, ERR_NUMERIC,
                         "the observable %s is not finite at t = %.17g: write it so that it is "
                         "finite all along the motion, with if(..) where need be",
                         at->s->columns.names[column], at->state.t);
    const size_t multipliers = 1 + 2 * at->model->n;
    const bool multiplier = column >= multipliers && column < multipliers + at->model->r;
    return error_set(err, ERR_NUMERIC, "the column %s is not finite at t = %.17g%s",
                     at->s->columns.names[column], at->state.t,
                     multiplier ? ": the constraints lose rank or the mass matrix degenerates there"
                                : "");
}

static Status tell_row(RunRows *rows, int table, const double *shown, Error *err)
{
    rows->n += table < 0;
    rows->sink_status = rows->sink->rows(rows->sink->self, table, shown, 1, err);
    return rows->sink_status;
}

Status rows_add(RunRows *rows, MotionState *at, int table, const double *y, Error *err)
{
    double *row = rows->row, *observed = row_state(at, row);

    observed_columns(at->s->observed, &at->state, observed);
    if (at->eq.sensitivities)
        sensitivity_run_row(at->eq.sensitivities, &at->state, y,
                            row + at->s->columns.n - at->s->columns.n_sensitivities);
    for (size_t c = 0; !all_finite(row, at->s->columns.n) && c < at->s->columns.n; c++)
        if (!isfinite(row[c]))
            return not_finite(at, c, row + c >= observed, err);
    const double *shown = row_shown(at->s, row);
    for (size_t c = 0; shown != row && c < at->s->columns.n; c++)
        if (!isfinite(shown[c]))
            return not_finite(at, c, row + c >= observed, err);
    return tell_row(rows, table, shown, err);
}

Status rows_end(RunRows *rows, RunEvidence *evidence, const Simulation *s, Error *err)
{
    const Status status = tell_row(rows, -1, row_shown(s, rows->row), err);
    return status == OK ? instants_sample(evidence, rows, rows->row[0], err) : status;
}
