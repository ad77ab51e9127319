/* Reports to the observer, in order of time. */
#include "core/base/numbers.h"
#include "core/integrate/lane.h"

#include <math.h>

bool lane_check(Drive *drive, Status status)
{
    if (status == OK)
        return true;
    drive->lane.state = LANE_DONE;
    drive->lane.outcome->status = status;
    return false;
}

bool lane_tell_sample(Drive *drive, const double *y)
{
    const OdeObserver *observer = drive->observer;
    Lane *l = &drive->lane;
    Status status = OK;
    if (observer->sample != NULL)
        status = observer->sample(observer->self, l->sample, l->sample_t, y, &l->outcome->error);
    l->sample++;
    l->sample_t = l->sample < l->span->n_samples ? l->span->sample_time(l->span->self, l->sample)
                                                 : l->direction * INFINITY;
    return lane_check(drive, status) && ode_pulse(&drive->step.pulse);
}

bool lane_tell_step(Drive *drive, double h)
{
    const OdeObserver *observer = drive->observer;
    const OdeStep *step = &drive->step;
    return observer->step == NULL ||
           lane_check(drive, observer->step(observer->self, step->t[0], h, step->y,
                                            &drive->lane.outcome->error));
}

void lane_start(Drive *drive)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    if (!lane_tell_step(drive, 0))
        return;
    numbers_copy(drive->state, step->y, step->rows);
    while (l->state != LANE_DONE && l->direction * (l->sample_t - step->t[0]) <= 0)
        if (!lane_tell_sample(drive, drive->state))
            return;
    if (l->span->t_end == l->span->t0)
        l->state = LANE_DONE;
}

static void state_inside(Drive *drive, double t)
{
    const OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    if (t == l->t_new) {
        numbers_copy(drive->state, step->y_new, step->rows);
        return;
    }
    drive->method->dense(step, 0, (t - step->t[0]) / step->h[0], drive->state);
    if (step->system->project != NULL && !l->singular.passing)
        lane_check(drive, step->system->project(step->system->self, t, drive->state, false,
                                                &l->outcome->error));
}

static double root_time(const Drive *drive, const Root *root)
{
    const OdeStep *step = &drive->step;
    return root->theta == 1 ? drive->lane.t_new : step->t[0] + root->theta * step->h[0];
}

static bool tell_record(Drive *drive, const Root *root)
{
    const OdeObserver *observer = drive->observer;
    const double t = root_time(drive, root);
    Lane *l = &drive->lane;
    OdeAction action = ODE_CONTINUE;
    if (observer->event == NULL)
        return true;
    state_inside(drive, t);
    return l->state != LANE_DONE &&
           lane_check(drive, observer->event(observer->self, root->guard,
                                             lane_root_direction(l, root->direction), t,
                                             drive->state, &action, &l->outcome->error));
}

bool lane_tell_inside(Drive *drive)
{
    Lane *l = &drive->lane;
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
        const double root_t = root != NULL ? root_time(drive, root) : l->t_new;
        while (l->direction * (l->sample_t - root_t) <= 0) {
            state_inside(drive, l->sample_t);
            if (l->state == LANE_DONE || !lane_tell_sample(drive, drive->state))
                return false;
        }
        if (root == NULL)
            return true;
        if (!tell_record(drive, root))
            return false;
        next++;
    }
}

void lane_tell_arc(Drive *drive)
{
    if (drive->observer->arc == NULL)
        return;
    const OdeArcOf of = {&drive->step, drive->method};
    const OdeArc arc = ode_arc(&of);
    drive->observer->arc(drive->observer->self, &arc);
}

/* Backwards in time: impacts whose guards cross zero the other way, or leave it so at the start. */
static void tell_unheeded(Drive *drive)
{
    const OdeStep *step = &drive->step;
    const OdeObserver *observer = drive->observer;
    const Guards *guards = &drive->guards;
    const Lane *l = &drive->lane;
    const double t = step->t[0], h = step->h[0];

    for (size_t k = 0; k < guards->n && l->outcome->accepted == 0; k++)
        if (guards_leaves(guards, k))
            observer->unheeded(observer->self, k, t);
    for (size_t i = 0; i < l->n_roots; i++) {
        const Root *root = &guards->roots[i];
        if (guards->kinds[root->guard].is_impact && !lane_wants(drive, l, root))
            observer->unheeded(observer->self, root->guard, t + root->theta * h);
    }
}

void lane_tell_doubts(Drive *drive)
{
    const OdeStep *step = &drive->step;
    const OdeObserver *observer = drive->observer;
    const Guards *guards = &drive->guards;
    const double t = step->t[0], h = step->h[0];
    for (size_t k = 0; k < step->system->n_enclosed && observer->unsure != NULL; k++)
        if (!isnan(guards->each[k].unsure))
            observer->unsure(observer->self, k, t, h);
    for (size_t k = 0; k < guards->n && observer->lost != NULL; k++)
        if (!isnan(guards->each[k].lost))
            observer->lost(observer->self, k, t + guards->each[k].lost * h);
    if (observer->unheeded != NULL && drive->lane.direction < 0)
        tell_unheeded(drive);
}
