/* Whether the Legendre transform folds along a motion.
 *
 * If M = L_vv depends on velocities, p = L_v(q, v, t) may belong to several v. If M is positive or
 * negative definite along the segment from one state to the next, L_v is monotone along it and p
 * determines v there. If the signature of M changes, det M vanishes between the states. Then
 * solving p for v may give other velocities than those the motion leads to. */
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

/* After each step: whether M has another signature at one of several points of the segment from the
 * last state. */
bool legendre_watch_folds(LegendreWatch *watch, double t, const double *q, const double *v);

/* The last state does not lead to the next one: an impact. */
void legendre_watch_restart(LegendreWatch *watch);

#endif
