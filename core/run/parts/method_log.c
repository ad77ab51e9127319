/* Methods, in the order of time. */
#include "core/run/parts/method_log.h"

#include <string.h>

#include "core/integrate/methods.h"
#include "core/run/parts/result.h"

void method_log_take(MethodLog *log, const Simulation *s, double t, const OdeMethod *method,
                     double ratio)
{
    if (log->n == METHOD_USES)
        return;
    const char *because =
        method == s->integration.method
            ? "the first method goes on behind a break"
            : arena_printf(s->arena,
                           "the motion is stiff: stability, not the error, limits the steps of an "
                           "explicit method (length times spectral radius %.3g)",
                           ratio);
    log->uses[log->n++] =
        (MethodUse){.t = t, .method = ode_method_name(method), .because = because ? because : ""};
}

static void warn_of_stiffness(const Simulation *s, const OdeOutcome *outcome,
                              SimulationResult *result)
{
    if (outcome->stiff)
        result_warn(s, result,
                    "stiff: at least from t = %.6g on stability, not the error, limits the steps "
                    "of %s; \"method\": \"bdf\" takes longer ones",
                    outcome->stiff_t, ode_method_name(s->integration.method));
}

void method_log_report(const MethodLog *log, const Simulation *s, const OdeOutcome *outcome,
                       SimulationResult *result)
{
    MethodUse *uses = ARENA_NEW(s->arena, log->n + 1, MethodUse);

    warn_of_stiffness(s, outcome, result);
    if (!uses)
        return;
    uses[0] =
        (MethodUse){.t = s->times.t0,
                    .method = ode_method_name(s->integration.method),
                    .because = s->integration.options.stiff ? "auto starts with an explicit method"
                                                            : "as the job says"};
    memcpy(uses + 1, log->uses, log->n * sizeof *uses);
    result->methods = (MethodsUsed){.uses = uses,
                                    .n = log->n + 1,
                                    .stiff_method = log->n > 0 ? log->uses[0].method : NULL,
                                    .stiff_accepted = outcome->stiff_accepted,
                                    .stiff_rejected = outcome->stiff_rejected};
}
