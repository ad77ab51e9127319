/* Random admissible states of a model. Identities that are claimed for all motions are tested
 * there. */
#ifndef CORE_INVARIANTS_ADMISSIBLE_H
#define CORE_INVARIANTS_ADMISSIBLE_H

#include "core/base/random.h"
#include "core/model/state.h"

/* The range of random states: times between two ends, coordinates around a center, velocities of
 * a size. n each. */
typedef struct StateRange {
    double t_from, t_to;
    const double *centre;
    const double *width; /* half widths */
    const double *speed; /* standard deviations of the velocities before they are made admissible */
    const double *size;  /* of coordinates that are neither small nor large (kinds_scales()) */
} StateRange;

/* A model with its independent constraints. */
typedef struct ConstrainedModel {
    ModelEval *eval;
    const Model *model;
    const size_t *rows; /* n_rows */
    size_t n_rows;
} ConstrainedModel;

/* One state with phi = 0 (and f = 0) on the independent rows, to round-off. False when the try
 * failed: not finite, or no admissible state near; the caller tries again a bounded number of
 * times. ret_q, ret_v: n each. */
bool admissible_state(const ConstrainedModel *c, const StateRange *range, Random *random,
                      double *ret_t, double *ret_q, double *ret_v);

/* vdot[n] and lambda[r] (0 for rows not in use) at a state, from the whole linear system of
 * section 1 of docs/explanation/numerics.md by a pivoted solve: independent of the equations that
 * are integrated. False: the system is singular. scratch: (n + n_rows + 2) * (n + n_rows). */
bool admissible_motion(const ConstrainedModel *c, double t, const double *q, const double *v,
                       double *scratch, double *ret_vdot, double *ret_lambda);

#endif
