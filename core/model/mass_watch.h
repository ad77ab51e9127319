/* Whether M comes near to a singular one along a motion.
 *
 * The equations of motion are solved by way of M^-1 where M is positive definite. A motion may come
 * to where M is not, though the constraints leave no velocity without inertia: the solution of the
 * whole is as well conditioned there as elsewhere, that by way of M^-1 is the difference of numbers
 * beyond all bounds. */
#ifndef CORE_MODEL_MASS_WATCH_H
#define CORE_MODEL_MASS_WATCH_H

#include "core/model/state.h"

typedef struct MassWatch {
    ModelEval *eval;
    double *pivots, *largest; /* Model.n_changing; of M_ii so far; NULL: nothing to watch */
    double *work;             /* their part of M, n_changing x n_changing .. */
    double taken_t;           /* .. as it was told of that instant; NAN: it was not */
    bool begun;
} MassWatch;

/* Blocks of M whose pivots do not change are not watched (Model.changing). Arrays live in the
 * arena. */
void mass_watch_init(MassWatch *watch, ModelEval *eval, Arena *arena);

/* The part of M as a projection to the end of a step has evaluated it: so near to the state that it
 * ends at, that the difference does not count. The next look, if it is at t, goes by that; the
 * first one of all does not. */
void mass_watch_take(MassWatch *watch, double t, const double *changing);

/* After each step: whether a pivot of M is small beside the largest M_ii so far, or will be by the
 * end of the next step, if it falls as it did in this one. */
bool mass_watch_suspects(MassWatch *watch, double t, const double *q, const double *v);

/* After each step in which M is not divided by: whether all pivots are far above that again, so
 * that it may be. */
bool mass_watch_recovers(MassWatch *watch, double t, const double *q, const double *v);

#endif
