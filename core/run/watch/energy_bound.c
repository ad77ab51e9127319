/* The energy at states that are as far off as the tolerances let them be. */
#include "core/run/watch/energy_bound.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/run/parts/result.h"
#include "core/run/state/projection.h"
#include "core/run/state/stochastic.h"

/* Walsh's functions of three bits: of errors in several components, some add up. */
enum { PATTERNS = 8 };
/* Rounding error of a coordinate after many steps, relative to its size. Convention. */
static const double COORDINATE_ROUNDING = 1024 * DBL_EPSILON;

static double sign_of(size_t component, size_t pattern)
{
    return __builtin_parityll(component & pattern) ? -1 : 1;
}

/* The velocities with each component off by a share. Dependent velocities are moved themselves,
 * because a bad choice of them must not excuse an error. */
static const double *move(MotionState *at, double t, const double *y, double share, size_t pattern)
{
    const bool dependent = at->s->motion->formulation->uses_dependent;
    const size_t n = dependent ? at->model->n : at->size;
    double *moved = at->scratch;
    const double *q, *v;

    state_locate(at, t, y, &q, &v);
    if (!dependent)
        memcpy(moved, y, (at->size + 1) * sizeof *y);
    for (size_t k = 0; k < n; k++)
        moved[k] = (dependent ? v : y)[k] * (1 + share * sign_of(k, pattern));
    if (dependent)
        return moved;
    state_locate(at, t, moved, &q, &v);
    return v;
}

/* By how much rounding of the coordinates q changes the energy at the velocities v; at->q is
 * changed. */
static double rounding_of_energy(MotionState *at, Evidence *evidence, double t, const double *q,
                                 const double *v, double energy)
{
    double worst = 0;

    for (size_t pattern = 0; pattern < PATTERNS; pattern++) {
        for (size_t i = 0; i < at->model->n; i++)
            at->q[i] = q[i] * (1 + COORDINATE_ROUNDING * sign_of(i, pattern));
        worst = fmax(worst, fabs(evidence_energy(evidence, t, at->q, v) - energy));
    }
    return worst;
}

/* The rounding noise of the accelerations at the state y, into at->q. */
static void take_noise(MotionState *at, double t, const double *y)
{
    const size_t n = at->model->n;
    double *vdot = at->v, *noise = at->q;
    Random random;

    memcpy(vdot, motion_eval_point(at->eq.eval, t, y).vdot, n * sizeof *vdot);
    memset(noise, 0, n * sizeof *noise);
    random_init(&random, 1);
    Shakes shakes = {.by = DBL_EPSILON, .random = &random};
    for (int k = 0; k < SHAKE_DRAWS; k++) {
        const double *shaken = motion_eval_point_shaken(at->eq.eval, t, y, &shakes).vdot;
        for (size_t i = 0; i < n; i++)
            noise[i] = fmax(noise[i], fabs(shaken[i] - vdot[i]));
    }
}

/* Are all velocities at the state y no more than that noise makes in the time of the motion? */
static bool within_noise(MotionState *at, Evidence *evidence, double t, const double *y)
{
    const double reach = ODE_NOISE_MARGIN * fabs(t - evidence->sums.start_t);
    const double *q, *v;

    state_locate(at, t, y, &q, &v);
    for (size_t i = 0; i < at->model->n; i++)
        if (!(fabs(v[i]) <= reach * at->q[i]))
            return false;
    return true;
}

/* Does the motion rest, on a slope that a constraint holds but for the cosine of a right angle? By
 * the noise here, and by that of the start: where it has grown on the way, rounding decides how the
 * motion goes on. */
static bool rests(MotionState *at, Evidence *evidence, double t, const double *y)
{
    const Simulation *s = at->s;
    const size_t n = at->model->n;
    double *start = at->scratch;

    take_noise(at, t, y);
    if (!within_noise(at, evidence, t, y))
        return false;
    memcpy(start, y, at->size * sizeof *y);
    /* the state at the start, if need be in the formulation's own variables */
    if (s->motion->plain) {
        memcpy(start, s->start.q, n * sizeof *start);
        memcpy(start + n, s->start.v, n * sizeof *start);
    } else if (motion_eval_restate_seen(at->eq.eval, s->times.t0, s->start.q, s->start.v,
                                        s->start.multipliers, start, NULL) != OK) {
        return false;
    }
    take_noise(at, s->times.t0, start);
    return within_noise(at, evidence, t, y);
}

double energy_error_bound(MotionState *at, Evidence *evidence, double t, const double *y)
{
    const double believable = result_believable_energy(at->s);
    const double share = believable * result_share_of_terms(at->s);
    double worst = 0;
    const double *q, *v;

    if (rests(at, evidence, t, y)) /* its energy is rounding, and in balance */
        return 2 * evidence->imbalance.balance / believable;
    state_locate(at, t, y, &q, &v);
    const double energy = evidence_energy(evidence, t, q, v);
    const double rounding = rounding_of_energy(at, evidence, t, q, v, energy);
    memcpy(at->q, q, at->model->n * sizeof *q);
    for (size_t pattern = 0; pattern < PATTERNS; pattern++) {
        v = move(at, t, y, share, pattern);
        worst = fmax(worst, fabs(evidence_energy(evidence, t, at->q, v) - energy));
    }
    /* a kinetic energy changes by twice the share; an imbalance that rounding explains must stay
     * within the share */
    return fmax(worst / 2, rounding) / believable;
}
