/* Whether the Legendre transform folds along a motion.
 *
 * If M = L_vv depends on velocities, p = L_v(q, v, t) may belong to several v. As long as M
 * keeps its signature on the way from one state to the next, and is positive or negative definite
 * there, there is one v of p on this way (L_v is monotone along it); where the signature changes,
 * det M vanishes between, and the velocities that p is solved for may be others than those that the
 * motion leads to. */
#ifndef CORE_MODEL_LEGENDRE_WATCH_H
#define CORE_MODEL_LEGENDRE_WATCH_H

#include "core/model/state.h"

typedef struct LegendreWatch {
    ModelEval *eval;      /* NULL: nothing to watch */
    double *last, *state; /* 1 + 2 n: t, q, v */
    double *unit;         /* n: of velocities, at the start */
    double *work;         /* n x n */
    double *values;       /* n */
    size_t negative;      /* eigenvalues of M at the last state */
    bool begun;
} LegendreWatch;

/* Arrays live in the arena. */
void legendre_watch_init(LegendreWatch *watch, ModelEval *eval, Arena *arena);

/* After each step: whether M has another signature somewhere on the straight way from the last
 * state, as far as a look at some places on it can tell. */
bool legendre_watch_folds(LegendreWatch *watch, double t, const double *q, const double *v);

/* The next state is not led to by the last one: an impact. */
void legendre_watch_restart(LegendreWatch *watch);

#endif
