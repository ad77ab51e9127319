/* Rows leave the run. */
#include "core/run/tell/rows.h"

#include <math.h>

#include "core/base/finite.h"
#include "core/prepare/column_units.h"
#include "core/run/state/row.h"
#include "core/run/tell/instants.h"

static Status not_finite(const Run *run, size_t column, bool observable, Error *err)
{
    if (observable)
        return error_set(err, ERR_NUMERIC,
                         "the observable %s is not finite at t = %.17g: write it so that it is "
                         "finite all along the motion, with if(..) where need be",
                         run->at.s->columns.names[column], run->at.state.t);
    const size_t multipliers = 1 + 2 * run->at.model->n;
    const bool multiplier = column >= multipliers && column < multipliers + run->at.model->r;
    return error_set(err, ERR_NUMERIC, "the column %s is not finite at t = %.17g%s",
                     run->at.s->columns.names[column], run->at.state.t,
                     multiplier ? ": the constraints lose rank or the mass matrix degenerates there"
                                : "");
}

static Status tell_row(Run *run, int table, const double *shown, Error *err)
{
    run->rows.n += table < 0;
    run->rows.sink_status = run->rows.sink->rows(run->rows.sink->self, table, shown, 1, err);
    return run->rows.sink_status;
}

Status rows_add(Run *run, int table, const double *y, Error *err)
{
    double *row = run->rows.row, *observed = row_state(&run->at, row);

    observed_columns(run->at.s->observed, &run->at.state, observed);
    if (run->at.eq.sensitivities)
        sensitivity_run_row(run->at.eq.sensitivities, &run->at.state, y,
                            row + run->at.s->columns.n - run->at.s->columns.n_sensitivities);
    for (size_t c = 0; !all_finite(row, run->at.s->columns.n) && c < run->at.s->columns.n; c++)
        if (!isfinite(row[c]))
            return not_finite(run, c, row + c >= observed, err);
    const double *shown = row_shown(run->at.s, row);
    for (size_t c = 0; shown != row && c < run->at.s->columns.n; c++)
        if (!isfinite(shown[c]))
            return not_finite(run, c, row + c >= observed, err);
    return tell_row(run, table, shown, err);
}

Status rows_end(Run *run, Error *err)
{
    SimulationResult *result = &run->result;

    if (run->outcome.status != OK) {
        result->end.stopped_by = NULL;
        result->end.between = false;
    }
    if (!result->end.between)
        return OK;
    const Status status = tell_row(run, -1, row_shown(run->at.s, run->rows.row), err);
    return status == OK ? instants_sample(run, run->rows.row[0], err) : status;
}
