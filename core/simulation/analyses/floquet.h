/* Inside core/simulation/: a motion over one period, its monodromy, and what that tells of deviations;
 * shared by the files of the analysis `floquet`. */
#ifndef CORE_SIMULATION_ANALYSES_FLOQUET_H
#define CORE_SIMULATION_ANALYSES_FLOQUET_H

#include "core/simulation/analyses/local.h"
#include "core/simulation/analyses/periodicity.h"
#include "core/simulation/linear/watch.h"

/* Tolerances of the motion over the period; those of a second integration are so much larger. What it differs
 * by is about so many times the error of the first, which is taken for no better. */
static const double FLOQUET_RTOL = 1e-12, FLOQUET_ATOL = 1e-14, FLOQUET_LOOSER = 100;

typedef struct Floquet {
    const AnalysisContext *context;
    Local local;
    Watch watch;
    const char *jump; /* where L or a constraint jumps on the way, as text; or NULL */
    double period, t0;
    bool correct;
    Repetition repetition;
    bool repeats;        /* the equations, after the period: proved */
    const char *pairing; /* why 1/mu is a multiplier with mu; NULL: not known to be */
    double return_error;
    double matrix_error; /* of the monodromy, of its size: what it is taken to be known to */
    size_t corrections;
    double *start;     /* dim: q, v at t0 */
    double *sizes;     /* dim: of a harmonic motion from there */
    double *y;         /* linearised_size + 1 */
    double *units;     /* dim: of deviations */
    double *Z;         /* dim x d: orthonormal in these units */
    double *dual;      /* dim x d: components along Z are dual^T (dq, dv) */
    double *monodromy; /* d x d, by Z */
    double *basis;     /* dim x d: that of the matrix told; orthonormal in those of the model */
    double *told;      /* d x d: the monodromy by it */
    double *miss;      /* dim: state after a period - start, angles by their periods */
    Eigenvalue *multipliers; /* d */
    Arena memory;            /* owns the arrays */
} Floquet;

/* The motion over the period, closed first if that is wanted, its monodromy and the multipliers.
 * ERR_INVALID where the period is none of the equations, or the motion does not return. */
Status floquet_compute(Floquet *x, Error *err) MUST_CHECK;

/* What the verdict rests on beside the multipliers: why they come in pairs, what jumps on the way. */
Status floquet_survey(Floquet *x, Error *err) MUST_CHECK;

/* "yes", "no" or "undecided": whether deviations stay small. The multipliers by their moduli, the largest first. */
const char *floquet_judge(const Floquet *x, const char **ret_reason);

#endif
