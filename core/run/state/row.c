/* Columns of the state looked at. */
#include "core/run/state/row.h"

#include <string.h>

#include "core/base/accuracy.h"
#include "core/numeric/dense.h"

void row_take_point(MotionState *at, double t, const MotionPoint *point)
{
    at->state = (ObservedState){.t = t,
                                .q = point->q,
                                .v = point->v,
                                .vdot = point->vdot,
                                .lambda = at->lambda,
                                .lambda_rate = point->lambda_rate,
                                .own = point->own};
}

Status row_shortest_multipliers(MotionState *at, const double *A, Error *err)
{
    const size_t n = at->model->n, r = at->model->r;

    for (size_t a = 0; a < r; a++)
        for (size_t i = 0; i < n; i++)
            at->transpose[i * r + a] = A[a * n + i];
    /* dependent rows leave smaller singular values */
    return dense_least_norm(at->transpose, n, r, at->reaction, ACCURACY_SOLVED, at->lambda, err);
}

Status row_multipliers(MotionState *at, const MotionPoint *point, Error *err)
{
    const Model *model = at->model;
    const size_t n = model->n, r = model->r, rank = at->s->start.report.rank;

    if (rank == r) {
        if (r)
            memcpy(at->lambda, point->lambda, r * sizeof *at->lambda);
        return OK;
    }
    /* the reaction A^T lambda of the rows in use, */
    const ModelPoint model_at = model_point(at->s->eval, at->state.t, at->state.q, at->state.v);
    memset(at->reaction, 0, n * sizeof *at->reaction);
    for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < n; i++)
            at->reaction[i] += point->lambda[k] * model_at.A[at->s->start.rows[k] * n + i];
    /* and the shortest lambda of all rows that gives it */
    return row_shortest_multipliers(at, model_at.A, err);
}

double *row_state(const MotionState *at, double *ret_row)
{
    const size_t n = at->model->n, r = at->model->r, n_own = at->s->motion->n_own;
    double *own = ret_row + 1 + 2 * n + r;

    ret_row[0] = at->state.t;
    memcpy(ret_row + 1, at->state.q, n * sizeof *ret_row);
    memcpy(ret_row + 1 + n, at->state.v, n * sizeof *ret_row);
    if (r)
        memcpy(ret_row + 1 + 2 * n, at->lambda, r * sizeof *ret_row);
    if (n_own)
        memcpy(own, at->state.own, n_own * sizeof *ret_row);
    return own + n_own;
}
