/* Whether M comes near to a singular matrix along a motion.
 *
 * If M is positive definite, the equations of motion are solved with M^-1. A motion may reach a
 * state at which M is singular although the constraints leave no velocity without inertia. The
 * whole system is well conditioned there, but a solution with M^-1 is a difference of unbounded
 * numbers. */
#ifndef CORE_MODEL_MASS_WATCH_H
#define CORE_MODEL_MASS_WATCH_H

#include "core/model/state.h"
#include "core/model/watch_rows.h"

typedef struct MassWatch {
    ModelEval *eval;
    MassRows rows;  /* of one lane; rows.pivots NULL: nothing to watch */
    double taken_t; /* time for which rows.work was given by mass_watch_take(); NAN: none */
    bool begun;
} MassWatch;

/* Only blocks of M whose pivots may change are watched (ModelFixed.changing). Arrays live in the
 * arena. */
void mass_watch_init(MassWatch *watch, ModelEval *eval, Arena *arena);

/* Gives the part of M that a projection evaluated near the end of a step; the difference to M at
 * the state is negligible. The next look uses it if it is at t and not the first look of all. */
void mass_watch_take(MassWatch *watch, double t, const double *changing);

/* After each step: whether a pivot of M is small relative to the largest M_ii so far, or will be at
 * the end of the next step if it keeps falling at this rate. */
bool mass_watch_suspects(MassWatch *watch, double t, const double *q, const double *v);

/* After each step without division by M: whether all pivots are large enough again to divide by
 * M. */
bool mass_watch_recovers(MassWatch *watch, double t, const double *q, const double *v);

#endif
