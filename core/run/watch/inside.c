/* The inside of a step, as features and corners of the model are looked for there. */
#include "core/run/watch/inside.h"

#include "core/run/equations/smooth.h"
#include "core/run/equations/stand_in.h"
#include "core/run/parts/singular.h"
#include "core/run/watch/contradiction.h"

Status run_watch(Run *run, double rtol, Error *err)
{
    const WatchSpec spec = {.model = run->at.model,
                            .params = run->at.s->params,
                            .motion = run->at.s->motion,
                            .equations = run->at.eq.eval,
                            .rows = smooth_widest(&run->at) + 1,
                            .beside = run->at.eq.sensitivities != NULL,
                            .sized = true,
                            .rtol = rtol};
    return watch_init(&run->watch.features, &spec, &run->lasting, err);
}

/* The equations may be others by now. */
static Watch *watch_of(Run *run, bool smooth)
{
    run->watch.features.motion = smooth ? run->at.eq.smooth.motion : stand_in_motion(&run->at);
    run->watch.features.equations = smooth ? run->at.eq.smooth.equations : run->at.eq.eval;
    return &run->watch.features;
}

static bool may_pass(void *self, const OdeArc *ends)
{
    Run *run = self;
    const FeatureLook look = watch_ends(watch_of(run, false));

    run->watch.may_cross_twice = run->watch.corner_checks.n > 0 &&
                                 corner_checks_may_pass(&run->watch.corner_checks, &look, ends);
    run->watch.may_pass = watch_may_pass(&run->watch.features, ends);
    return run->watch.may_cross_twice || run->watch.may_pass || contradiction_watched(run);
}

size_t run_divide(Run *run, const OdeArc *arc, const double **ret_ends, bool *ret_known)
{
    static const double WHOLE[] = {0, 1};

    if (run->watch.features.features.n > 0)
        return watch_divide(watch_of(run, arc->smooth), arc, ret_ends, ret_known);
    *ret_ends = WHOLE;
    *ret_known = true;
    return 1;
}

/* Do redundant constraints begin to contradict the others there? */
static bool breaks_off(Run *run, const OdeArc *arc, double *ret_from)
{
    const double *ends;
    bool known;

    if (singular_covers(&run->at.singular, arc->t + arc->h / 2))
        return false;
    const size_t n = run_divide(run, arc, &ends, &known);
    return contradiction_begins(run, arc, n, ends, ret_from);
}

static OdePassed find_passed(void *self, const OdeArc *arc, double *ret_from, double *ret_length)
{
    Run *run = self;
    Watch *watch = watch_of(run, arc->smooth);

    /* a feature narrower than rounding of t elsewhere is not looked for about t = 0 either: a power
     * of t is as narrow on every way to it */
    if (collapse_is_in(&run->watch.collapse, arc->t + arc->h, arc->h))
        return ODE_NOTHING;
    if (run->watch.may_cross_twice &&
        corner_checks_passed(&run->watch.corner_checks, watch_state_inside, watch, arc, ret_from))
        return ODE_VISIT;
    if (contradiction_watched(run) && breaks_off(run, arc, ret_from))
        return ODE_VISIT;
    return run->watch.may_pass ? watch_find_passed(watch, arc, ret_from, ret_length) : ODE_NOTHING;
}

OdePassed run_find_all_passed(Run *run, const OdeArc *arc)
{
    double from, length;

    run->watch.may_cross_twice = run->watch.corner_checks.n > 0;
    run->watch.may_pass = true;
    return find_passed(run, arc, &from, &length);
}

OdeWatch run_watch_system(Run *run)
{
    if (run->watch.features.features.n == 0 && run->watch.corner_checks.n == 0 &&
        !contradiction_watched(run))
        return (OdeWatch){0};
    return (OdeWatch){.self = run, .may_pass = may_pass, .passed = find_passed};
}
