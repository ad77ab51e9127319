/* Other equations are chosen, and asked when they may give way again. */
#include "core/run/equations/stand_in.h"

#include <math.h>
#include <string.h>

#include "core/motion/choice.h"
#include "core/run/equations/replace.h"
#include "core/run/state/projection.h"

/* Ratio of the quality of the given equations to that at which they were given up, from which they
 * serve again. Convention: a factor of hysteresis, so that equations do not alternate. */
static const double RETURN_QUALITY_RATIO = 2;
/* Fraction of the distance from a loss of rank at the start, within which the given equations do
 * not serve if the step is fixed. They serve again beyond RETURN_QUALITY_RATIO times that.
 * Convention. */
static const double NEAR_RANK_LOSS_FRACTION = 0.25;

const Motion *stand_in_motion(const MotionState *at)
{
    return at->eq.stand_in.motion ? at->eq.stand_in.motion : at->s->motion;
}

bool stand_in_fears_rank(const MotionState *at)
{
    const Motion *motion = at->s->motion;

    return ode_method_fixed_step(at->s->integration.method) && motion->n_own > 0 &&
           at->eq.smooth.wanted;
}

double stand_in_determined(const MotionState *at, const MotionPoint *point)
{
    const double first = at->eq.stand_in.inertia;

    if (point->inertia < 0 || point->inertia == first)
        return point->determined;
    const double change = fmin(point->inertia / first, first / point->inertia);
    return point->determined * sqrt(sqrt(change));
}

static double distance_at(MotionState *at, double t, const double *y)
{
    const double *q, *v;

    state_locate(at, t, y, &q, &v);
    return singular_distance(&at->singular, t, q, v);
}

void stand_in_start(MotionState *at, double t, const double *y)
{
    if (stand_in_fears_rank(at))
        at->eq.stand_in.distance = distance_at(at, t, y);
}

double stand_in_clear(MotionState *at, double t, const double *y)
{
    const double first = at->eq.stand_in.distance;
    return first > 0 ? distance_at(at, t, y) / first - NEAR_RANK_LOSS_FRACTION : 1;
}

/* Voronec's equations over the coordinates that serve best at (at->q, at->v); *ret_motion NULL:
 * there are none with a state and corners like those of the simulation's. */
static Status choose_motion(const MotionState *at, double t, const Motion **ret_motion, Error *err)
{
    const Simulation *s = at->s;
    const Formulation *voronec = formulation_find("voronec");
    const Motion *own = s->motion, *motion = NULL;
    const size_t room = own->n_rows + 1;
    size_t *dependent = arena_alloc(s->arena, room, sizeof *dependent);
    MotionOptions options = {.rows = s->start.rows, .n_rows = own->n_rows, .dependent = dependent};
    const MotionQuestion question = simulation_question(s, t, at->q, at->v, &options);

    *ret_motion = NULL;
    if (!dependent)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = motion_choose_best(voronec, &question, dependent, err);
    if (status == OK)
        status = compiled_motion_in(s->compiled, voronec, &options,
                                    motion_class_of(&s->start.report), &motion, err);
    /* no coordinates serve, or no equations can be derived: that is no failure of the run */
    if (status == ERR_NUMERIC || status == ERR_INVALID || status == ERR_NOT_FOUND)
        return OK;
    if (status == OK && motion->dim == own->dim && motion->n_switches == own->n_switches)
        *ret_motion = motion;
    return status;
}

Status stand_in_begin(MotionState *at, double floor, double t, double *y, bool *ret_found,
                      Error *err)
{
    StandIn *x = &at->eq.stand_in;
    const bool given_serve = x->motion == NULL; /* up to now: they are kept aside */
    const Motion *motion;

    *ret_found = false;
    Status status = choose_motion(at, t, &motion, err);
    if (status == OK && motion)
        status = replace_restated(at, motion, t, y, given_serve ? &x->given : NULL, err);
    if (status != OK || !motion)
        return status;
    if (given_serve && x->count++ == 0)
        x->first = t;
    if (given_serve)
        x->floor = floor;
    x->motion = motion;
    *ret_found = true;
    return OK;
}

Status stand_in_end(MotionState *at, double t, double *y, Error *err)
{
    StandIn *x = &at->eq.stand_in;
    const Status status = replace_by(at, x->given, t, y, err);

    if (status == OK) {
        x->given = NULL;
        x->motion = NULL;
    }
    return status;
}

/* Evaluates the given equations at (q, v). Returns false if they have no state there. */
static bool ask_given(MotionState *at, double t, const double *q, const double *v, MotionPoint *ret)
{
    StandIn *x = &at->eq.stand_in;

    memset(x->y, 0, at->s->motion->dim * sizeof *x->y);
    if (motion_eval_restate(x->given, t, q, v, NULL, x->y, NULL) != OK)
        return false;
    *ret = motion_eval_point(x->given, t, x->y);
    ret->determined = stand_in_determined(at, ret);
    return true;
}

double stand_in_wanted(MotionState *at, double t, const double *y)
{
    const MotionPoint other = motion_eval_point(at->eq.eval, t, y);
    const double level = RETURN_QUALITY_RATIO * at->eq.stand_in.floor;
    MotionPoint point;

    if (!ask_given(at, t, other.q, other.v, &point) || !isfinite(point.determined))
        return level;
    if (!(at->eq.stand_in.distance > 0))
        return level - point.determined;
    const double away =
        singular_distance(&at->singular, t, other.q, other.v) / at->eq.stand_in.distance;
    return fmax(level - point.determined, RETURN_QUALITY_RATIO * NEAR_RANK_LOSS_FRACTION - away);
}

void stand_in_columns(MotionState *at)
{
    StandIn *x = &at->eq.stand_in;
    const size_t n_own = at->s->motion->n_own;
    MotionPoint point;

    if (!x->motion || n_own == 0)
        return;
    const bool known = ask_given(at, at->state.t, at->state.q, at->state.v, &point);
    for (size_t k = 0; k < n_own; k++)
        x->own[k] = known ? point.own[k] : NAN;
    at->state.own = x->own;
}
