/* What the observer is told of a lane, in order of time. */
#include "core/integrate/lane.h"

#include <math.h>

bool lane_check(Drive *drive, size_t lane, Status status)
{
    if (status == OK)
        return true;
    drive->lanes[lane].state = LANE_DONE;
    drive->lanes[lane].outcome->status = status;
    return false;
}

bool lane_tell_sample(Drive *drive, size_t lane, const double *y)
{
    const OdeObserver *observer = drive->observer;
    Lane *l = &drive->lanes[lane];
    Status status = OK;
    if (observer->sample != NULL)
        status =
            observer->sample(observer->self, lane, l->sample, l->sample_t, y, &l->outcome->error);
    l->sample++;
    l->sample_t = l->sample < l->span->n_samples ? l->span->sample_time(l->span->self, l->sample)
                                                 : l->direction * INFINITY;
    return lane_check(drive, lane, status) && ode_pulse(&drive->step.pulse);
}

bool lane_tell_step(Drive *drive, size_t lane, double h)
{
    const OdeObserver *observer = drive->observer;
    const OdeStep *step = &drive->step;
    const double *y = step->y;
    if (observer->step == NULL)
        return true;
    if (step->lanes > 1) {
        ode_gather(step, step->y, lane, drive->state);
        y = drive->state;
    }
    return lane_check(drive, lane,
                      observer->step(observer->self, lane, step->t[lane], h, y,
                                     &drive->lanes[lane].outcome->error));
}

void lane_start(Drive *drive, size_t lane)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    if (!lane_tell_step(drive, lane, 0))
        return;
    ode_gather(step, step->y, lane, drive->state);
    while (l->state != LANE_DONE && l->direction * (l->sample_t - step->t[lane]) <= 0)
        if (!lane_tell_sample(drive, lane, drive->state))
            return;
    if (l->span->t_end == l->span->t0)
        l->state = LANE_DONE;
}

static void state_inside(Drive *drive, size_t lane, double t)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lanes[lane];
    if (t == l->t_new) {
        ode_gather(step, step->y_new, lane, drive->state);
        return;
    }
    drive->method->dense(step, lane, (t - step->t[lane]) / step->h[lane], drive->state);
    if (step->system->project != NULL && !l->singular.passing)
        lane_check(drive, lane,
                   step->system->project(step->system->self, lane, t, drive->state, false,
                                         &l->outcome->error));
}

static double root_time(const Drive *drive, size_t lane, const Root *root)
{
    const OdeStep *step = &drive->step;
    return root->theta == 1 ? drive->lanes[lane].t_new
                            : step->t[lane] + root->theta * step->h[lane];
}

static bool tell_record(Drive *drive, size_t lane, const Root *root)
{
    const OdeObserver *observer = drive->observer;
    const double t = root_time(drive, lane, root);
    Lane *l = &drive->lanes[lane];
    OdeAction action = ODE_CONTINUE;
    if (observer->event == NULL)
        return true;
    state_inside(drive, lane, t);
    return l->state != LANE_DONE &&
           lane_check(drive, lane,
                      observer->event(observer->self, lane, root->guard,
                                      lane_root_direction(l, root->direction), t, drive->state,
                                      &action, &l->outcome->error));
}

bool lane_tell_inside(Drive *drive, size_t lane)
{
    Lane *l = &drive->lanes[lane];
    size_t next = 0;
    for (;;) {
        const Root *root = NULL;
        /* the next root that is to be recorded, and all samples before it */
        for (; next < l->n_roots; next++) {
            root = &drive->guards.roots[next];
            if (drive->options->guards[root->guard].kind == ODE_GUARD_RECORD &&
                lane_wants(drive, l, root))
                break;
            root = NULL;
        }
        const double root_t = root != NULL ? root_time(drive, lane, root) : l->t_new;
        while (l->direction * (l->sample_t - root_t) <= 0) {
            state_inside(drive, lane, l->sample_t);
            if (l->state == LANE_DONE || !lane_tell_sample(drive, lane, drive->state))
                return false;
        }
        if (root == NULL)
            return true;
        if (!tell_record(drive, lane, root))
            return false;
        next++;
    }
}

void lane_tell_arc(Drive *drive, size_t lane)
{
    if (drive->observer->arc == NULL)
        return;
    const OdeArcOf of = {&drive->step, drive->method};
    const OdeArc arc = ode_arc(&of, lane);
    drive->observer->arc(drive->observer->self, lane, &arc);
}

/* Backwards in time: impacts whose guards cross zero the other way, or leave it so at the start. */
static void tell_unheeded(Drive *drive, size_t lane)
{
    const OdeStep *step = &drive->step;
    const OdeObserver *observer = drive->observer;
    const Guards *guards = &drive->guards;
    const Lane *l = &drive->lanes[lane];
    const double t = step->t[lane], h = step->h[lane];

    for (size_t k = 0; k < guards->n && l->outcome->accepted == 0; k++)
        if (guards_leaves(guards, lane, k))
            observer->unheeded(observer->self, lane, k, t);
    for (size_t i = 0; i < l->n_roots; i++) {
        const Root *root = &guards->roots[i];
        if (guards->kinds[root->guard].is_impact && !lane_wants(drive, l, root))
            observer->unheeded(observer->self, lane, root->guard, t + root->theta * h);
    }
}

void lane_tell_doubts(Drive *drive, size_t lane)
{
    const OdeStep *step = &drive->step;
    const OdeObserver *observer = drive->observer;
    const Guards *guards = &drive->guards;
    const double t = step->t[lane], h = step->h[lane];
    for (size_t k = 0; k < step->system->n_enclosed && observer->unsure != NULL; k++)
        if (!isnan(guards->unsure[lane * guards->n + k]))
            observer->unsure(observer->self, lane, k, t, h);
    for (size_t k = 0; k < guards->n && observer->lost != NULL; k++)
        if (!isnan(guards->lost[lane * guards->n + k]))
            observer->lost(observer->self, lane, k, t + guards->lost[lane * guards->n + k] * h);
    if (observer->unheeded != NULL && drive->lanes[lane].direction < 0)
        tell_unheeded(drive, lane);
}
