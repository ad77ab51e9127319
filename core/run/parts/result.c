/* What a result says of itself: how far it is believed, warnings, and why it ended. */
#include "core/run/parts/result.h"

#include <math.h>

/* An energy that is lost beyond so much is told at any tolerance. */
static const double MOST_ENERGY = 1e-2;

double result_believable(const Simulation *s)
{
    const double rtol = s->integration.options.step > 0 ? 0 : s->integration.options.rtol;
    return fmax(1e-5, rtol * RESULT_TOLERANCES);
}

double result_accurate(const Simulation *s)
{
    return s->integration.options.step > 0
               ? 1e-3
               : fmin(1e-3, fmax(1e4 * s->integration.options.rtol, 1e-8));
}

double result_believable_energy(const Simulation *s)
{
    return fmin(result_believable(s), MOST_ENERGY);
}

double result_share_of_terms(const Simulation *s)
{
    if (s->integration.options.step > 0)
        return 1;
    return RESULT_TOLERANCES * s->integration.options.rtol / result_believable(s);
}

void result_warn(const Simulation *s, SimulationResult *result, const char *text)
{
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
    switch (status) {
    case OK:
        return NULL;
    case ERR_NUMERIC:
        return "numeric";
    case ERR_LIMIT:
        return "limit";
    case ERR_TIMEOUT:
        return "timeout";
    case ERR_CANCELLED:
        return "cancelled";
    case ERR_INVALID:
    case ERR_NOT_FOUND:
    case ERR_CONFLICT:
    case ERR_BUSY:
    case ERR_NO_MEMORY:
    case ERR_NO_SPACE:
    case ERR_IO:
    case ERR_DAMAGED:
    case ERR_INTERNAL:
        return "internal";
    }
    return "internal";
}
