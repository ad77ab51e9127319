/* Inside core/analyses/: a motion over one period, its monodromy, and the consequences for
 * deviations. Shared by the files of the analysis `floquet`. */
#ifndef CORE_ANALYSES_FLOQUET_H
#define CORE_ANALYSES_FLOQUET_H

#include "core/analyses/local.h"
#include "core/analyses/periodicity.h"
#include "core/linear/watch.h"

/* A second integration over the period uses tolerances this factor larger. Its difference is about
 * that multiple of the error of the first integration, and bounds it. No unit; convention. */
static const double FLOQUET_LOOSER = 100;

typedef struct Floquet {
    const AnalysisContext *context;
    Local local;
    Watch watch;
    const char *jump; /* condition at which L or a constraint jumps on the way, as text; or NULL */
    double period, t0;
    bool correct;
    Repetition repetition;
    bool repeats;        /* the equations repeat after the period: proved */
    const char *pairing; /* why 1/mu is a multiplier with mu; NULL: not known to be */
    double return_error;
    double matrix_error; /* error bound of the monodromy relative to its size */
    size_t corrections;
    double *start;     /* dim: q, v at t0 */
    double *sizes;     /* dim: of a harmonic motion from there */
    double *y;         /* linearised_size + 1 */
    double *units;     /* dim: of deviations */
    double *Z;         /* dim x d: orthonormal in these units */
    double *dual;      /* dim x d: components along Z are dual^T (dq, dv) */
    double *monodromy; /* d x d, by Z */
    double *basis;     /* dim x d: that of the reported matrix; orthonormal in those of the model */
    double *told;      /* d x d: the monodromy by it */
    double *miss;      /* dim: state after a period - start, angles by their periods */
    Eigenvalue *multipliers; /* d */
    Arena memory;            /* owns the arrays */
} Floquet;

/* Integrates the motion over the period, closed first if requested; computes its monodromy and
 * the multipliers. ERR_INVALID if the equations do not have the period, or if the motion does
 * not return. */
Status floquet_compute(Floquet *x, Error *err) MUST_CHECK;

/* Finds further reasons for the verdict: why multipliers come in pairs, and jumps on the way. */
Status floquet_survey(Floquet *x, Error *err) MUST_CHECK;

/* "yes", "no" or "undecided": whether deviations stay small. Multipliers are sorted by modulus,
 * the largest first. */
const char *floquet_judge(const Floquet *x, const char **ret_reason);

#endif
