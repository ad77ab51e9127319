/* Samples inside the steps of lanes on the fast path: they are told to the runs one by one, as
 * alone; the dense output and the rest of the step are those of all lanes. */
#include "core/integrate/fast_path.h"

#include "core/integrate/lane.h"

bool fast_path_has_sample(const FastPath *c, size_t lane)
{
    const Lane *l = c->drives[lane] ? &c->drives[lane]->lane : NULL;

    return l && l->state != LANE_DONE && l->direction * (l->sample_t - c->course.t_new[lane]) < 0;
}

bool fast_path_end_at_samples(FastPath *c)
{
    const FastCourse *o = &c->course;
    bool any = false;

    for (size_t k = 0; k < c->step->lanes; k++) {
        const double ahead = o->direction[k] * (o->sample_t[k] - o->t_new[k]);
        any |= c->masks[k] && ahead < 0;
        c->masks[k] &= ahead == 0 ? 0 : -1;
    }
    return any;
}

/* Those up to the end of the step, which they are not; false where the lane leaves. */
static bool tell_lane(FastPath *c, const FastStep *step, size_t lane)
{
    Drive *drive = c->drives[lane];
    Lane *l = &drive->lane;
    double *y = drive->state;

    while (fast_path_has_sample(c, lane)) {
        c->method->dense(c->step, lane, (l->sample_t - step->t[lane]) / step->h[lane], y);
        if (!c->runs->project(c->runs->self, lane, l->sample_t, y))
            return false;
        c->told[lane] = -1;
        if (!lane_tell_sample(drive, y))
            return false;
    }
    return l->sample_t != step->t_new[lane];
}

void fast_path_tell_samples(FastPath *c, const FastStep *step)
{
    const FastPathRuns *runs = c->runs;
    const size_t lanes = c->step->lanes;

    for (size_t k = 0; k < lanes; k++) {
        if (!c->masks[k] || !fast_path_has_sample(c, k))
            continue;
        runs->open(runs->self, k);
        if (!tell_lane(c, step, k))
            c->masks[k] = 0;
        runs->close(runs->self, k);
        c->course.sample_t[k] = c->drives[k]->lane.sample_t;
    }
    for (size_t k = 0; k < lanes; k++)
        c->sampled[k] = c->told[k] & c->masks[k];
    /* lanes that the runs refuse after their samples leave */
    runs->told(runs->self, step, c->sampled);
    for (size_t k = 0; k < lanes; k++)
        c->masks[k] &= c->sampled[k] | ~c->told[k];
}
