/* Levels of trust, and texts. */
#include "core/run/parts/result.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/integrate/methods.h"

/* Relative imbalance of the energy that is reported at any tolerance. No unit; convention. */
static const double MAX_BELIEVED_IMBALANCE = 1e-2;
/* Relative error that is believed even at a tighter tolerance. No unit; convention. */
static const double MIN_BELIEVED_ERROR = 1e-5;
/* Relative error of a column without a warning: this factor times the tolerance, at least
 * ACCURACY_HALF and at most the second. Convention: an estimate has rounding errors of its own. No
 * unit. */
static const double ACCURATE_TOLERANCES = 1e4, MAX_ACCURATE_ERROR = 1e-3;

double result_believable(const Simulation *s)
{
    const double rtol = s->integration.options.step > 0 ? 0 : s->integration.options.rtol;
    return fmax(MIN_BELIEVED_ERROR, rtol * ERROR_GROWTH);
}

double result_accurate(const Simulation *s)
{
    return s->integration.options.step > 0
               ? MAX_ACCURATE_ERROR
               : fmin(MAX_ACCURATE_ERROR,
                      fmax(ACCURATE_TOLERANCES * s->integration.options.rtol, ACCURACY_HALF));
}

double result_believable_energy(const Simulation *s)
{
    return fmin(result_believable(s), MAX_BELIEVED_IMBALANCE);
}

double result_share_of_terms(const Simulation *s)
{
    if (s->integration.options.step > 0)
        return 1;
    return ERROR_GROWTH * s->integration.options.rtol / result_believable(s);
}

void result_warn(const Simulation *s, SimulationResult *result, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(s->arena, format, args);
    va_end(args);
    const char **all = text ? arena_alloc(s->arena, result->n_warnings + 1, sizeof *all) : NULL;

    if (!all)
        return;
    for (size_t i = 0; i < result->n_warnings; i++)
        all[i] = result->warnings[i];
    all[result->n_warnings++] = text;
    result->warnings = all;
}

const char *reason_name(Status status)
{
    static const char *const NAMES[] = {[ERR_NUMERIC] = "numeric",
                                        [ERR_LIMIT] = "limit",
                                        [ERR_TIMEOUT] = "timeout",
                                        [ERR_CANCELLED] = "cancelled",
                                        [ERR_INTERNAL] = "internal"};
    const bool named = status < sizeof NAMES / sizeof *NAMES && NAMES[status];

    if (status == OK)
        return NULL;
    return named ? NAMES[status] : "internal";
}

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
    /* the method of the start, then the exchanges */
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
