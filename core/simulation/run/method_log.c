/* By which methods the motion was integrated, and what is said of stiffness. */
#include "core/simulation/run/method_log.h"

#include <string.h>

#include "core/integrate/methods.h"
#include "core/simulation/run/result.h"
#include "core/simulation/run/run_state.h"

void method_log_take(Run *run, double t, const OdeMethod *method, double ratio)
{
    MethodLog *log = &run->methods;
    Arena *arena = run->s->arena;

    run->evidence.damped = true;
    if (log->n == METHOD_USES)
        return;
    const char *because =
        method == run->s->method
            ? "the first method goes on behind a break"
            : arena_printf(arena,
                           "the motion is stiff: stability, not the error, limits the steps of an "
                           "explicit method (length times spectral radius %.3g)",
                           ratio);
    log->uses[log->n++] =
        (MethodUse){.t = t, .method = ode_method_name(method), .because = because ? because : ""};
}

static void warn_of_stiffness(Run *run, const OdeOutcome *outcome)
{
    const Simulation *s = run->s;

    if (outcome->stiff)
        result_warn(
            s, &run->result,
            arena_printf(s->arena,
                         "stiff: at least from t = %.6g on stability, not the error, limits "
                         "the steps of %s; \"method\": \"bdf\" takes longer ones",
                         outcome->stiff_t, ode_method_name(s->method)));
}

void method_log_report(Run *run, const OdeOutcome *outcome)
{
    const Simulation *s = run->s;
    const MethodLog *log = &run->methods;
    MethodsUsed *used = &run->result.methods;
    MethodUse *uses = ARENA_NEW(s->arena, log->n + 1, MethodUse);

    warn_of_stiffness(run, outcome);
    if (!uses)
        return;
    uses[0] = (MethodUse){.t = s->times.t0,
                          .method = ode_method_name(s->method),
                          .because = s->options.stiff ? "auto starts with an explicit method"
                                                      : "as the job says"};
    memcpy(uses + 1, log->uses, log->n * sizeof *uses);
    *used = (MethodsUsed){.uses = uses,
                          .n = log->n + 1,
                          .stiff_method = log->n > 0 ? log->uses[0].method : NULL,
                          .stiff_accepted = outcome->stiff_accepted,
                          .stiff_rejected = outcome->stiff_rejected};
}
