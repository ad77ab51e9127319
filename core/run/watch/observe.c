/* The equations at states of a run. */
#include "core/run/watch/observe.h"

#include <string.h>

#include "core/base/accuracy.h"
#include "core/run/equations/change_base.h"
#include "core/run/equations/change_elimination.h"
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

static Status observe_closely(MotionState *at, Evidence *evidence, double t, const double *y,
                              Error *err)
{
    MotionPoint point = look_at(at, t, y);

    if (singular_covers(&at->singular, t))
        return look_in_passage(at, y, err);
    /* a step may end where M has degenerated before it is seen to come */
    if (!(point.regularity >= ACCURACY_ROUNDED) && change_elimination_possible(at)) {
        Status status = change_elimination(at, t, y, err);
        if (status != OK)
            return status;
        point = look_at(at, t, y);
    }
    if (t == at->corner_t || point.regularity >= ACCURACY_ROUNDED) {
        evidence_rcond(evidence, point.regularity);
        return row_multipliers(at, &point, err);
    }
    if (at->s->motion->n_own && singular_near(&at->singular))
        return change_base_singular(t, err);
    return error_set(err, ERR_NUMERIC,
                     "the equations of motion became singular at t = %.17g (smallest relative "
                     "pivot %.3g): the constraints lose rank or the mass matrix degenerates there",
                     t, point.regularity);
}

bool observe_regular(MotionState *at, Evidence *evidence, double t, const double *y)
{
    const MotionPoint point = look_at(at, t, y);

    if (!(point.regularity >= ACCURACY_ROUNDED))
        return false;
    evidence_rcond(evidence, point.regularity);
    return row_multipliers(at, &point, NULL) == OK;
}

Status observe_state(MotionState *at, Evidence *evidence, double t, const double *y, Error *err)
{
    if (!singular_covers(&at->singular, t) && observe_regular(at, evidence, t, y))
        return OK;
    return observe_closely(at, evidence, t, y, err);
}

Status observe_step(MotionState *at, Evidence *evidence, StateSamples *samples, uint64_t steps,
                    double t, const double *y, Error *err)
{
    const bool wanted = state_samples_want(samples, steps);
    Status status = OK;

    if (wanted || steps % REGULARITY_STEPS == 0)
        status = observe_state(at, evidence, t, y, err);
    if (status == OK && wanted)
        state_samples_add(samples, &at->state);
    return status;
}
