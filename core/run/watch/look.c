/* A state of the motion, with the values of the equations there. */
#include "core/run/watch/look.h"

#include <string.h>

#include "core/run/equations/stand_in.h"
#include "core/run/state/projection.h"
#include "core/run/state/row.h"

MotionPoint look_at(MotionState *at, double t, const double *y)
{
    MotionPoint point = motion_eval_point(at->eq.eval, t, y);

    row_take_point(at, t, &point);
    stand_in_columns(at);
    return point;
}

/* Accelerations inside a passage, from the velocities along it, which the state of a formulation's
 * own tells where accelerations have no value: differences of order 8. */
static void differentiate_velocities(MotionState *at, double t, double *ret_vdot)
{
    static const double WEIGHTS[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    /* Fraction of the passage between two places. Convention. */
    static const double PLACE_DISTANCE = 0.01;
    const size_t n = at->model->n;
    const OdeArc *arc = at->singular.arc;
    const double theta = (t - arc->t) / arc->h;
    const double *q, *v;

    memset(ret_vdot, 0, n * sizeof *ret_vdot);
    for (int k = 1; k <= 4; k++)
        for (int side = -1; side <= 1; side += 2) {
            const double place = theta + side * k * PLACE_DISTANCE;
            arc->state(arc, place, at->scratch);
            state_locate(at, arc->t + place * arc->h, at->scratch, &q, &v);
            for (size_t i = 0; i < n; i++)
                ret_vdot[i] += side * WEIGHTS[k - 1] * v[i] / (PLACE_DISTANCE * arc->h);
        }
}

/* Inside a passage the equations of motion say nothing: the accelerations are those of the passage,
 * and the multipliers the shortest that give them. These grow beyond all bounds towards the
 * singular configuration; the reaction does not. */
Status look_in_passage(MotionState *at, const double *y, Error *err)
{
    const size_t n = at->model->n;
    const OdeArc *arc = at->singular.arc;
    const bool kept = at->s->compiled->formulation->keeps_multipliers;
    ObservedState *state = &at->state;
    MotionPoint point;

    if (!at->s->motion->plain && !kept && !arc->smooth)
        differentiate_velocities(at, state->t, at->passage_vdot);
    point = look_at(at, state->t, y);
    state_look_in_passage(at);
    stand_in_columns(at);                              /* at that state */
    if (at->s->motion->plain || kept || arc->smooth) { /* q, v, and the multipliers that are kept */
        arc->rates(arc, (state->t - arc->t) / arc->h, at->inside);
        memcpy(at->passage_vdot, at->inside + n, n * sizeof *at->inside);
    }
    state->vdot = at->passage_vdot;
    if (kept) {
        state->lambda_rate = at->inside + 2 * n;
        return row_multipliers(at, &point, err);
    }
    /* R = M vdot + l - F, and the shortest lambda with A^T lambda = R */
    const ModelPoint model_at = model_point(at->s->eval, state->t, state->q, state->v);
    for (size_t i = 0; i < n; i++) {
        at->reaction[i] = model_at.l[i] - model_at.F[i];
        for (size_t j = 0; j < n; j++)
            at->reaction[i] += model_at.M[i * n + j] * state->vdot[j];
    }
    return row_shortest_multipliers(at, model_at.A, err);
}

Status look_whole(MotionState *at, double t, const double *y, Error *err)
{
    const MotionPoint point = look_at(at, t, y);

    return singular_covers(&at->singular, t) ? look_in_passage(at, y, err)
                                             : row_multipliers(at, &point, err);
}
