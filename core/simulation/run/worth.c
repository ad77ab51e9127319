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

double energy_worth(Run *run, double t, const double *y)
{
    const double believable = result_believable(run->s);
    const double share = believable * result_share_of_terms(run->s);
    double *moved = run->unprojected, worst = 0;
    const double *q, *v;

    run_locate(run, t, y, &q, &v);
    const double energy = evidence_energy(&run->evidence, t, q, v);
    memcpy(run->q, q, run->model->n * sizeof *q);
    memcpy(moved, y, (run->size + 1) * sizeof *y);
    for (size_t pattern = 0; pattern < PATTERNS; pattern++) {
        for (size_t k = 0; k < run->size; k++)
            moved[k] = y[k] * (1 + share * sign_of(k, pattern));
        run_locate(run, t, moved, &q, &v);
        worst = fmax(worst, fabs(evidence_energy(&run->evidence, t, run->q, v) - energy));
    }
    /* of a kinetic energy the change is twice the share */
    return worst / (2 * believable);
}
