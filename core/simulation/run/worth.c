/* The energy at states that are as far off as the tolerances let them be. */
#include "core/simulation/run/worth.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/simulation/run/projection.h"
#include "core/simulation/run/result.h"

/* Walsh's functions of three bits: of errors in several components, some add up. */
enum { PATTERNS = 8 };
/* Of a coordinate: what rounding may have made of it. */
static const double ROUNDING = 1024 * DBL_EPSILON;

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

/* By how much rounding of the coordinates q changes the energy at the velocities v; run->q is changed. */
static double rounding_of_energy(Run *run, double t, const double *q, const double *v,
                                 double energy)
{
    double worst = 0;

    for (size_t pattern = 0; pattern < PATTERNS; pattern++) {
        for (size_t i = 0; i < run->model->n; i++)
            run->q[i] = q[i] * (1 + ROUNDING * sign_of(i, pattern));
        worst = fmax(worst, fabs(evidence_energy(&run->evidence, t, run->q, v) - energy));
    }
    return worst;
}

double energy_worth(Run *run, double t, const double *y)
{
    const double believable = result_believable(run->s);
    const double share = believable * result_share_of_terms(run->s);
    double worst = 0;
    const double *q, *v;

    run_locate(run, t, y, &q, &v);
    const double energy = evidence_energy(&run->evidence, t, q, v);
    const double rounding = rounding_of_energy(run, t, q, v, energy);
    memcpy(run->q, q, run->model->n * sizeof *q);
    for (size_t pattern = 0; pattern < PATTERNS; pattern++) {
        v = move(run, t, y, share, pattern);
        worst = fmax(worst, fabs(evidence_energy(&run->evidence, t, run->q, v) - energy));
    }
    /* of a kinetic energy the change is twice the share; what rounding explains is to be within the share */
    return fmax(worst / 2, rounding) / believable;
}
