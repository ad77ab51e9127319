/* Levels of trust, and texts. */
#include "core/run/parts/result.h"

#include <math.h>

#include "core/base/accuracy.h"

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
