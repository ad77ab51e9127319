/* Estimates of what analyses cost. Constants are of the order of what was counted over the catalog:
 * an estimate says which part of a job is the larger one, not how much larger to the last digit. */
#include "core/simulation/analyses/cost.h"

#include <math.h>

/* Operations of a derivative along one direction for one of the function. */
static const double DIRECTION = 3;
/* Operations that deriving and compiling costs, for one of the program that comes of it. */
static const double DERIVATION = 300;
/* Newton's steps to an equilibrium; operations of a decomposition of n x n for one of n^3. */
static const double NEWTON_STEPS = 15, DECOMPOSITION = 30;
/* Error estimates are of this order: what tighter tolerances cost. */
static const double ORDER = 8;

double cost_of_motion(const CostQuestion *q, double duration, double rtol, double columns)
{
    const double more = pow(fmax(q->rtol / rtol, 1e-8), 1 / ORDER);

    return q->evaluations * duration / q->span * more * q->operations * (1 + DIRECTION * columns);
}

double cost_of_linearising(const CostQuestion *q)
{
    return DERIVATION * q->operations * DIRECTION;
}

double cost_of_equilibrium(const CostQuestion *q)
{
    const double n = (double)(q->model->n + q->model->n_symmetries);

    return NEWTON_STEPS * (DIRECTION * q->operations * n + DECOMPOSITION * n * n * n);
}
