/* How far the constraints hold on the way, and their rank. */
#include "core/run/watch/residuals.h"

#include <math.h>

#include "core/base/accuracy.h"
#include "core/model/rank.h"
#include "core/run/state/extent.h"
#include "core/run/state/projection.h"
#include "core/run/watch/column_sizes.h"
#include "core/run/watch/energy_bound.h"

/* Whether the state is the initial one, whose rank is known, or one with the same rank, for all
 * rows only turn, or the end of a step that was looked at; condition numbers are not asked for. */
static bool rank_is_known(const MotionState *at, bool first)
{
    const Simulation *s = at->s;
    const bool turns = at->model->fixed.A_turns && s->start.report.rank == at->model->r;
    const bool as_at_start = turns || (first && at->state.t == s->times.t0);

    return s->brief && s->motion->plain &&
           (as_at_start ? s->start.report.rank_is_clear
                        : singular_is_clear(&at->singular, at->state.t));
}

Status residuals_check_rank(MotionState *at, Evidence *evidence, bool first, Error *err)
{
    const size_t rank = at->s->start.report.rank;
    ConstraintRank found = {.rank_only = at->s->brief};

    if (rank == 0 || rank_is_known(at, first))
        return OK;
    const ModelPoint point = model_point(at->s->eval, at->state.t, at->state.q, at->state.v);
    Status status = rank_find(at->model, &point, false, &found, err);
    if (status != OK)
        return status;
    /* rank lost, or nearly so: a small singular value is known to half of its digits */
    if (found.rank < rank || found.smallest < ACCURACY_HALF * found.largest)
        return error_set(err, ERR_NUMERIC,
                         "the constraints lose rank at t = %.17g (singular values %.3g of %.3g)",
                         at->state.t, found.smallest, found.largest);
    if (!found.rank_only)
        evidence->condition_max = fmax(evidence->condition_max, found.largest / found.smallest);
    return OK;
}

/* Redundant constraints hold with the others, or contradict them. The ones in use are projected
 * onto, or hold by the formulation's construction: they are lost where its state says nothing any
 * more. */
static Status lost_constraint(const MotionState *at, const Evidence *evidence, double t, size_t a,
                              Error *err)
{
    const Simulation *s = at->s;
    const char *name = at->model->constraints[a].name;
    const bool own_state = !s->motion->plain && !s->compiled->formulation->keeps_multipliers;
    bool in_use = false;

    for (size_t k = 0; k < s->start.report.rank; k++)
        in_use = in_use || s->start.rows[k] == a;
    /* a redundant one: nothing projects onto it */
    if (!in_use)
        return error_set(err, ERR_NUMERIC,
                         "the constraint %s contradicts the others: it cannot be kept at t = %.17g",
                         name, t);
    return error_set(err, ERR_NUMERIC,
                     "the constraint %s is no longer satisfied at t = %.17g (relative residual "
                     "%.3g): the state%s has grown too large or lost its meaning there%s",
                     name, t, evidence_residual(evidence, a),
                     own_state ? " in the formulation's own variables" : "",
                     own_state ? ", as where a chart ends or a frame has a pole; the formulation "
                                 "lagrange-dalembert does without them"
                               : "");
}

Status residuals_take(MotionState *at, RunEvidence *evidence, Corners *corners, double t,
                      const double *y, bool on_step, Error *err)
{
    const double *q, *v;
    /* without projection drift is the client's choice; with it only redundant rows can drift, and
     * states that lose their meaning */
    double bound = at->s->integration.projection && !singular_covers(&at->singular, t)
                       ? CONTRADICTION
                       : INFINITY;

    if (t == at->corner_t) /* on neither side of the constraint */
        return OK;
    state_locate(at, t, y, &q, &v);
    if (on_step) {
        extent_widen(at, q, v);
        if (at->s->second.terms)
            column_sizes_widen(&evidence->sizes, at->model->n, q, v);
    }
    size_t beyond = evidence_take(&evidence->motion, t, q, v, on_step, y[at->size], bound);
    if (beyond == at->model->r) {
        if (on_step && evidence_doubts(&evidence->motion))
            evidence_spare(&evidence->motion, energy_error_bound(at, &evidence->motion, t, y));
        return OK;
    }
    Status status = state_check_corner(at, corners, t, y, err);
    return status == OK ? lost_constraint(at, &evidence->motion, t, beyond, err) : status;
}
