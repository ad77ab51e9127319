/* Features, corners and contradictions inside a step. */
#include "core/run/watch/inside.h"

#include "core/run/equations/smooth.h"
#include "core/run/equations/stand_in.h"
#include "core/run/parts/singular.h"
#include "core/run/watch/contradiction.h"

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
    const FeatureLook look = watch_ends(&watch->features);

    watch->may_cross_twice =
        watch->corner_checks.n > 0 && corner_checks_may_pass(&watch->corner_checks, &look, ends);
    watch->may_pass = watch_may_pass(&watch->features, ends);
    return watch->may_cross_twice || watch->may_pass || contradiction_watched(at->s);
}

size_t inside_divide(Watch *features, const MotionState *at, const OdeArc *arc,
                     const double **ret_ends, bool *ret_known)
{
    static const double WHOLE[] = {0, 1};

    if (features->features.n > 0) {
        use_equations(features, at, arc->smooth);
        return watch_divide(features, arc, ret_ends, ret_known);
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
