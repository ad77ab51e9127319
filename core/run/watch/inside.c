/* Features, corners and contradictions inside a step. */
#include "core/run/watch/inside.h"

#include <math.h>

#include "core/base/accuracy.h"
#include "core/integrate/limits.h"
#include "core/run/equations/smooth.h"
#include "core/run/equations/stand_in.h"
#include "core/run/parts/singular.h"
#include "core/run/state/projection.h"
#include "core/run/watch/residuals.h"

/* Places of a part of a step that are examined for a contradiction. */
enum { PLACES = 2 };
/* Precision of the place at which a contradiction begins, as a fraction of it, and ratio of the end
 * of the shorter step to that place. Convention: the step ends a little behind, because a residual
 * may have the size of rounding alone, as dot(z) with dot(z) = 0. No unit. */
static const double PLACE_PRECISION = 1e-3, END_BEHIND_RATIO = 1.01;

/* Redundant constraints take no part in the equations of motion, so neither the steps nor the other
 * watches notice that they contradict the others. */
static bool contradiction_watched(const Simulation *s)
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

/* True if a contradiction begins within the step. The middle and the end of each of the n parts
 * of the step, ends[n + 1], are examined, and bisection finds the place, *ret_theta. False, too,
 * if it begins near the end of the step and lasts until there, because the end shows it. */
static bool contradiction_begins(MotionState *at, Evidence *evidence, const OdeArc *arc, size_t n,
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

Status inside_init(Watch *features, const MotionState *at, double rtol, Arena *memory, Error *err)
{
    const WatchSpec spec = {.model = at->model,
                            .params = at->s->params,
                            .motion = at->s->motion,
                            .equations = at->eq.eval,
                            .rows = smooth_widest(at) + 1,
                            .beside = at->eq.sensitivities != NULL,
                            .sized = true,
                            .rtol = rtol};
    return watch_init(features, &spec, memory, err);
}

/* The equations may be others by now. */
static void use_equations(Watch *features, const MotionState *at, bool smooth)
{
    features->motion = smooth ? at->eq.smooth.motion : stand_in_motion(at);
    features->equations = smooth ? at->eq.smooth.equations : at->eq.eval;
}

bool inside_watched(const Watches *watch, const Simulation *s)
{
    return watch->features.features.n > 0 || watch->corner_checks.n > 0 || contradiction_watched(s);
}

bool inside_may_pass(Watches *watch, const MotionState *at, const OdeArc *ends)
{
    use_equations(&watch->features, at, false);
    watch->may_cross_twice =
        watch->corner_checks.n > 0 &&
        corner_checks_may_pass(&watch->corner_checks, &watch->features.features.look, ends);
    watch->may_pass = watch_may_pass(&watch->features, ends);
    return watch->may_cross_twice || watch->may_pass || contradiction_watched(at->s);
}

size_t inside_divide(Watch *features, const MotionState *at, const OdeArc *arc,
                     const double **ret_ends, bool *ret_known)
{
    static const double WHOLE[] = {0, 1};

    if (features->features.n > 0) {
        use_equations(features, at, arc->smooth);
        return features_divide(&features->features, arc, ret_ends, ret_known);
    }
    *ret_ends = WHOLE;
    *ret_known = true;
    return 1;
}

/* Do redundant constraints begin to contradict the others there? */
static bool breaks_off(Watch *features, MotionState *at, Evidence *evidence, const OdeArc *arc,
                       double *ret_from)
{
    const double *ends;
    bool known;

    if (singular_covers(&at->singular, arc->t + arc->h / 2))
        return false;
    const size_t n = inside_divide(features, at, arc, &ends, &known);
    return contradiction_begins(at, evidence, arc, n, ends, ret_from);
}

OdePassed inside_find_passed(Watches *watch, MotionState *at, Evidence *evidence, const OdeArc *arc,
                             double *ret_from, double *ret_length)
{
    Watch *features = &watch->features;

    use_equations(features, at, arc->smooth);
    /* a feature narrower than rounding of t elsewhere is not looked for about t = 0 either: a power
     * of t is as narrow on every way to it */
    if (collapse_is_in(&watch->collapse, arc->t + arc->h, arc->h))
        return ODE_NOTHING;
    if (watch->may_cross_twice &&
        corner_checks_passed(&watch->corner_checks, watch_state_inside, features, arc, ret_from))
        return ODE_VISIT;
    if (contradiction_watched(at->s) && breaks_off(features, at, evidence, arc, ret_from))
        return ODE_VISIT;
    return watch->may_pass ? watch_find_passed(features, arc, ret_from, ret_length) : ODE_NOTHING;
}

OdePassed inside_find_all_passed(Watches *watch, MotionState *at, Evidence *evidence,
                                 const OdeArc *arc)
{
    double from, length;

    watch->may_cross_twice = watch->corner_checks.n > 0;
    watch->may_pass = true;
    return inside_find_passed(watch, at, evidence, arc, &from, &length);
}
