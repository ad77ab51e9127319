/* A state of the motion, with the values of the equations there. */
#include "core/run/watch/look.h"

#include <string.h>

#include "core/base/accuracy.h"
#include "core/numeric/dense.h"
#include "core/run/equations/stand_in.h"
#include "core/run/state/crossing.h"
#include "core/run/state/projection.h"
#include "core/run/state/row.h"

MotionPoint look_at(Run *run, double t, const double *y)
{
    MotionPoint point = motion_eval_point(run->eq.eval, t, y);

    row_take_point(run, t, &point);
    stand_in_columns(run);
    return point;
}

/* Accelerations inside a passage, from the velocities along it, which the state of a formulation's
 * own tells where accelerations have no value: differences of order 8. */
static void differentiate_velocities(Run *run, double t, double *ret_vdot)
{
    static const double WEIGHTS[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    /* Fraction of the passage between two places. Convention. */
    static const double PLACE_DISTANCE = 0.01;
    const size_t n = run->model->n;
    const OdeArc *arc = run->watch.singular.arc;
    const double theta = (t - arc->t) / arc->h;
    const double *q, *v;

    memset(ret_vdot, 0, n * sizeof *ret_vdot);
    for (int k = 1; k <= 4; k++)
        for (int side = -1; side <= 1; side += 2) {
            const double place = theta + side * k * PLACE_DISTANCE;
            arc->state(arc, place, run->at.scratch);
            run_locate(run, arc->t + place * arc->h, run->at.scratch, &q, &v);
            for (size_t i = 0; i < n; i++)
                ret_vdot[i] += side * WEIGHTS[k - 1] * v[i] / (PLACE_DISTANCE * arc->h);
        }
}

/* Inside a passage the equations of motion say nothing: the accelerations are those of the passage,
 * and the multipliers the shortest that give them. These grow beyond all bounds towards the
 * singular configuration; the reaction does not. */
Status look_in_passage(Run *run, const double *y, Error *err)
{
    const Model *model = run->model;
    const size_t n = model->n, r = model->r;
    const OdeArc *arc = run->watch.singular.arc;
    const bool kept = run->s->compiled->formulation->keeps_multipliers;
    ObservedState *state = &run->at.state;
    MotionPoint point;

    if (!run->s->motion->plain && !kept && !arc->smooth)
        differentiate_velocities(run, state->t, run->at.passage_vdot);
    point = look_at(run, state->t, y);
    crossing_look(run);
    stand_in_columns(run); /* at that state */
    if (run->s->motion->plain || kept ||
        arc->smooth) { /* q, v, and the multipliers that are kept */
        arc->rates(arc, (state->t - arc->t) / arc->h, run->at.inside);
        memcpy(run->at.passage_vdot, run->at.inside + n, n * sizeof *run->at.inside);
    }
    state->vdot = run->at.passage_vdot;
    if (kept) {
        state->lambda_rate = run->at.inside + 2 * n;
        return row_multipliers(run, &point, err);
    }
    /* R = M vdot + l - F, and the shortest lambda with A^T lambda = R */
    ModelPoint at = model_point(run->s->eval, state->t, state->q, state->v);
    for (size_t i = 0; i < n; i++) {
        run->at.reaction[i] = at.l[i] - at.F[i];
        for (size_t j = 0; j < n; j++)
            run->at.reaction[i] += at.M[i * n + j] * state->vdot[j];
        for (size_t a = 0; a < r; a++)
            run->at.transpose[i * r + a] = at.A[a * n + i];
    }
    /* dependent rows leave smaller singular values */
    return dense_least_norm(run->at.transpose, n, r, run->at.reaction, ACCURACY_SOLVED,
                            run->at.lambda, err);
}

Status look_whole(Run *run, double t, const double *y, Error *err)
{
    const MotionPoint point = look_at(run, t, y);

    return singular_covers(&run->watch.singular, t) ? look_in_passage(run, y, err)
                                                    : row_multipliers(run, &point, err);
}
