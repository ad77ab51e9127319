/* The energy at states that are as far off as the tolerances let them be. */
#include "core/simulation/run/worth.h"

#include <math.h>
#include <string.h>

#include "core/simulation/run/projection.h"
#include "core/simulation/run/result.h"

/* Walsh's functions of three bits: of errors in several components, some add up. */
enum { PATTERNS = 8 };

static double sign_of(size_t component, size_t pattern)
{
    return __builtin_parityll(component & pattern) ? -1 : 1;
}

/* The velocities with each component off by a share. Where some depend on others they are moved themselves: what a bad choice of
 * these makes of an error is no excuse. */
static const double *move(Run *run, double t, const double *y, double share, size_t pattern)
{
    const bool dependent = run->s->motion->formulation->uses_dependent;
    const size_t n = dependent ? run->model->n : run->size;
    double *moved = run->unprojected;
    const double *q, *v;

    run_locate(run, t, y, &q, &v);
    if (!dependent)
        memcpy(moved, y, (run->size + 1) * sizeof *y);
    for (size_t k = 0; k < n; k++)
        moved[k] = (dependent ? v : y)[k] * (1 + share * sign_of(k, pattern));
    if (dependent)
        return moved;
    run_locate(run, t, moved, &q, &v);
    return v;
}

double energy_worth(Run *run, double t, const double *y)
{
    const double believable = result_believable(run->s);
    const double share = believable * result_share_of_terms(run->s);
    double worst = 0;
    const double *q, *v;

    run_locate(run, t, y, &q, &v);
    const double energy = evidence_energy(&run->evidence, t, q, v);
    memcpy(run->q, q, run->model->n * sizeof *q);
    for (size_t pattern = 0; pattern < PATTERNS; pattern++) {
        v = move(run, t, y, share, pattern);
        worst = fmax(worst, fabs(evidence_energy(&run->evidence, t, run->q, v) - energy));
    }
    /* of a kinetic energy the change is twice the share */
    return worst / (2 * believable);
}
