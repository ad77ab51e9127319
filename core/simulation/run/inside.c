/* The inside of a step, as features and corners of the model are looked for there. */
#include "core/simulation/run/inside.h"

#include <math.h>
#include <string.h>

#include "core/simulation/run/projection.h"

/* t, q, v inside a step. */
static const double *take_state_inside(void *self, const OdeArc *arc, double theta)
{
    Run *run = self;
    const size_t n = run->model->n;
    const double *q, *v;

    arc->state(arc, theta, run->inside);
    run->state_inside[0] = arc->t + theta * arc->h;
    run_locate(run, run->state_inside[0], run->inside, &q, &v);
    memcpy(run->state_inside + 1, q, n * sizeof *q);
    memcpy(run->state_inside + 1 + n, v, n * sizeof *v);
    return run->state_inside;
}

static const double *take_accelerations_inside(void *self, const OdeArc *arc, double theta)
{
    Run *run = self;
    arc->state(arc, theta, run->inside);
    return motion_eval_point(run->equations, 0, arc->t + theta * arc->h, run->inside).vdot;
}

/* Tolerances of a state carried over to q and v, to first order. */
static void carry_tolerances(Run *run, double t, double *y, const double *tolerances, double *ret)
{
    const size_t n = run->model->n;

    memset(ret, 0, 2 * n * sizeof *ret);
    run_take_out(run, t, y);
    for (size_t k = 0; k < run->s->motion->dim; k++) {
        const double value = y[k];
        y[k] += tolerances[k];
        const MotionPoint point = motion_eval_point(run->equations, 0, t, y);
        y[k] = value;
        for (size_t i = 0; i < n; i++) {
            ret[i] += fabs(point.q[i] - run->q[i]);
            ret[n + i] += fabs(point.v[i] - run->v[i]);
        }
    }
}

static void take_tolerances(void *self, const OdeArc *arc, double *ret_told, double *ret_resting)
{
    Run *run = self;
    const size_t size = 2 * run->model->n * sizeof *ret_told;
    double *told = run->tolerances, *resting = told + run->size;

    arc->tolerances(arc, told, resting);
    if (run->s->motion->plain) {
        memcpy(ret_told, told, size);
        memcpy(ret_resting, resting, size);
        return;
    }
    arc->state(arc, 1, run->unprojected);
    carry_tolerances(run, arc->t + arc->h, run->unprojected, told, ret_told);
    carry_tolerances(run, arc->t + arc->h, run->unprojected, resting, ret_resting);
}

/* At the ends of a step. */
static const double *take_accelerations_at(void *self, const OdeArc *arc, double theta)
{
    Run *run = self;

    if (!run->s->motion->plain)
        return take_accelerations_inside(self, arc, theta);
    arc->rates(arc, theta, run->inside);
    return run->inside + run->model->n;
}

bool run_may_pass(void *self, size_t lane, const OdeArc *ends)
{
    Run *run = self;
    const FeatureLook look = {
        .state = take_state_inside, .accelerations = take_accelerations_at, .self = run};

    (void)lane;
    return run->visits.n || (run->features.n && features_may_pass(&run->features, &look, ends));
}

OdePassed run_find_passed(void *self, size_t lane, const OdeArc *arc, double *ret_from,
                          double *ret_length)
{
    Run *run = self;
    const FeatureLook look = {take_state_inside, take_accelerations_inside, take_tolerances, run};

    (void)lane;
    if (run->visits.n && visits_passed(&run->visits, take_state_inside, run, arc, ret_from))
        return ODE_VISIT;
    if (run->features.n && features_passed(&run->features, &look, arc, ret_from, ret_length))
        return ODE_FEATURE;
    return ODE_NOTHING;
}
