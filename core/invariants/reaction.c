/* Whether an effect of the reactions vanishes, and the states at which that is tested. */
#include "core/invariants/observation.h"

#include <math.h>

#include "core/base/accuracy.h"

Status reaction_context(const AnalysisContext *context, AnalysisContext *ret, Error *err)
{
    enum { STATES = 64, SEED = 14 }; /* as many as analyses share; any seed will do */

    *ret = *context;
    if (!analysis_keeps_multipliers(context))
        return OK;
    ret->formulation = NULL;
    ret->trajectory = NULL;
    return analysis_make_states(ret, STATES, SEED, err);
}

static void take_observation(const AnalysisContext *context, const double *values, size_t count,
                             Verdict *verdict)
{
    double size = 0;

    verdict->initial = values[0];
    verdict->final = values[2 * (count - 1)];
    for (size_t k = 0; k < count; k++) {
        verdict->max_drift = fmax(verdict->max_drift, fabs(values[2 * k]));
        size = fmax(size, fabs(values[2 * k + 1]));
    }
    verdict->conserved =
        verdict->max_drift <= ERROR_GROWTH * fmax(context->steps.rtol, ACCURACY_ROUNDED) * size;
    verdict->observed = true;
}

Status verdict_observe_vanishing(const AnalysisContext *context, Expr quantity, Expr scale,
                                 Verdict *verdict, Error *err)
{
    const Trajectory *motion = context->trajectory;
    if (!motion || motion->n_states == 0)
        return OK;

    Arena scratch = {0};
    double *values = arena_doubles(&scratch, 2 * motion->n_states);
    const Expr pair[2] = {quantity, scale};
    Status status = arena_status(&scratch, err);
    if (status == OK)
        status = analysis_evaluate(context, pair, 2, motion, values, err);
    if (status == OK)
        take_observation(context, values, motion->n_states, verdict);
    arena_done(&scratch);
    return status;
}

Status verdict_vanish(const AnalysisContext *context, const TermSum *sum, Verdict *verdict,
                      double *ret_worst, Error *err)
{
    AnalysisContext of_power = *context;

    of_power.inquiry.concern = CONCERN_POWER;
    Status status = verdict_predict(&of_power, sum, verdict, ret_worst, err);
    if (status == OK)
        status = verdict_observe_vanishing(
            context, expr_sum(context->pool, sum->n, NULL, sum->terms), sum->scale, verdict, err);
    return status;
}
