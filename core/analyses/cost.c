/* Cost estimates of analyses. The constants are orders of magnitude counted over the catalog: an
 * estimate shows which part of a job is larger, not the exact ratio. */
#include "core/analyses/analyses.h"

#include <math.h>

/* Operations of a derivative along one direction, relative to the function (no unit). Measured;
 * changes no result. */
static const double DIRECTION = 3;
/* Operations to derive and compile a program, relative to the program's own (no unit). Measured;
 * changes no result. */
static const double DERIVATION = 300;
/* NEWTON_STEPS: Newton steps to an equilibrium. DECOMPOSITION: operations of a decomposition
 * relative to n^3. No units; measured; they change no result. */
static const double NEWTON_STEPS = 15, DECOMPOSITION = 30;
/* Order of the error estimates (no unit): determines the cost of tighter tolerances. That of
 * dop853 (E. Hairer, S. P. Norsett, G. Wanner, 1993). It changes no result. */
static const double ORDER = 8;

/* Least ratio of the tolerances that is considered (no unit). Convention; changes no result. */
static const double LEAST_RTOL_RATIO = 1e-8;

double cost_of_motion(const CostQuestion *q, double duration, double rtol, double columns)
{
    const double more = pow(fmax(q->rtol / rtol, LEAST_RTOL_RATIO), 1 / ORDER);

    return q->evaluations * duration / q->span * more * q->operations * (1 + DIRECTION * columns);
}

double cost_of_linearising(const CostQuestion *q)
{
    return DERIVATION * q->operations * DIRECTION;
}

double cost_of_equilibrium(const CostQuestion *q)
{
    const double n = (double)(q->model->n + q->model->given.n_symmetries);

    return NEWTON_STEPS * (DIRECTION * q->operations * n + DECOMPOSITION * n * n * n);
}
