/* Redundant constraints within a step. */
#include "core/run/watch/contradiction.h"

#include <math.h>

#include "core/base/accuracy.h"
#include "core/integrate/limits.h"
#include "core/run/parts/evidence.h"
#include "core/run/state/projection.h"

/* Of a part of a step. */
enum { PLACES = 2 };
/* Precision of the place at which a contradiction begins, as a fraction of it, and ratio of the end
 * of the shorter step to that place. Convention: the step ends a little behind, because a residual
 * may have the size of rounding alone, as dot(z) with dot(z) = 0. No unit. */
static const double PLACE_PRECISION = 1e-3, END_BEHIND_RATIO = 1.01;

bool contradiction_watched(const Simulation *s)
{
    return s->integration.projection && s->start.report.rank > 0 &&
           s->start.report.rank < s->compiled->model->r;
}

static bool contradicts(MotionState *at, Evidence *evidence, const OdeArc *arc, double theta)
{
    const double t = arc->t + theta * arc->h;
    const double *q, *v;
    StepEndChange ignored;
    Error error;

    arc->state(arc, theta, at->inside);
    if (state_project(at, evidence, t, at->inside, false, &ignored, &error) != OK)
        return false;
    state_locate(at, t, at->inside, &q, &v);
    /* clearly above, because a step that is taken again does not end in the same bits */
    return evidence_beyond(evidence, t, q, v, ESTIMATE_MARGIN * CONTRADICTION) < at->model->r;
}

/* The first examined place with a contradiction, and *ret_before the place before it; NAN: none. */
static double find_place(MotionState *at, Evidence *evidence, const OdeArc *arc, size_t n,
                         const double *ends, double *ret_before)
{
    *ret_before = 0;
    for (size_t k = 0; k < n; k++)
        for (int i = 1; i <= PLACES; i++) {
            const double theta = ends[k] + (ends[k + 1] - ends[k]) * i / PLACES;
            if (contradicts(at, evidence, arc, theta))
                return theta;
            *ret_before = theta;
        }
    return NAN;
}

bool contradiction_begins(MotionState *at, Evidence *evidence, const OdeArc *arc, size_t n,
                          const double *ends, double *ret_theta)
{
    double good, bad = find_place(at, evidence, arc, n, ends, &good);

    if (isnan(bad))
        return false;
    while (bad - good > PLACE_PRECISION * bad) {
        const double middle = good + (bad - good) / 2;
        if (contradicts(at, evidence, arc, middle))
            bad = middle;
        else
            good = middle;
    }
    const double behind = fmin(1, END_BEHIND_RATIO * bad);
    *ret_theta = contradicts(at, evidence, arc, behind) ? behind : bad;
    return *ret_theta < FULL_STEP_FRACTION ||
           !contradicts(at, evidence, arc, 1); /* else the look at the end of the step finds it */
}
