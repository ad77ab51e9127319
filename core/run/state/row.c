/* The state a run looks at as columns of its result. */
#include "core/run/state/row.h"

#include <string.h>

#include "core/base/accuracy.h"
#include "core/numeric/dense.h"

void row_take_point(Run *run, double t, const MotionPoint *point)
{
    run->at.state = (ObservedState){.t = t,
                                    .q = point->q,
                                    .v = point->v,
                                    .vdot = point->vdot,
                                    .lambda = run->at.lambda,
                                    .lambda_rate = point->lambda_rate,
                                    .own = point->own};
}

Status row_multipliers(Run *run, const MotionPoint *point, Error *err)
{
    const Model *model = run->model;
    const size_t n = model->n, r = model->r, rank = run->s->start.report.rank;

    if (rank == r) {
        if (r)
            memcpy(run->at.lambda, point->lambda, r * sizeof *run->at.lambda);
        return OK;
    }
    /* the reaction A^T lambda of the rows in use, */
    ModelPoint at = model_point(run->s->eval, run->at.state.t, run->at.state.q, run->at.state.v);
    memset(run->at.reaction, 0, n * sizeof *run->at.reaction);
    for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < n; i++)
            run->at.reaction[i] += point->lambda[k] * at.A[run->s->start.rows[k] * n + i];
    /* and the shortest lambda of all rows that gives it */
    for (size_t a = 0; a < r; a++)
        for (size_t i = 0; i < n; i++)
            run->at.transpose[i * r + a] = at.A[a * n + i];
    /* dependent rows leave smaller singular values */
    return dense_least_norm(run->at.transpose, n, r, run->at.reaction, ACCURACY_SOLVED,
                            run->at.lambda, err);
}

double *row_state(const Run *run, double *ret_row)
{
    const size_t n = run->model->n, r = run->model->r, n_own = run->s->motion->n_own;
    double *own = ret_row + 1 + 2 * n + r;

    ret_row[0] = run->at.state.t;
    memcpy(ret_row + 1, run->at.state.q, n * sizeof *ret_row);
    memcpy(ret_row + 1 + n, run->at.state.v, n * sizeof *ret_row);
    if (r)
        memcpy(ret_row + 1 + 2 * n, run->at.lambda, r * sizeof *ret_row);
    if (n_own)
        memcpy(own, run->at.state.own, n_own * sizeof *ret_row);
    return own + n_own;
}
