/* Inside core/motion: the Legendre transform of a model. */
#ifndef CORE_MOTION_HAMILTONIAN_HAMILTONIAN_H
#define CORE_MOTION_HAMILTONIAN_HAMILTONIAN_H

#include "core/motion/formulation.h"

/* Whether L is quadratic in the velocities, as far as the graph shows: M is free of them. */
Status hamiltonian_is_natural(const Model *model, bool *ret_natural, Error *err) MUST_CHECK;

/* One Newton step towards the velocities v (n, in and out) at which L_v = p: v + M^-1 (p - L_v).
 * From v = 0 it is exact if L is natural. */
void hamiltonian_newton_step(ExprPool *pool, const Model *model, Elimination elimination,
                             const Expr *p, Expr *v, Arena *arena);

/* For Formulation. */
Status hamiltonian_check(const MotionQuestion *question, Diagnostics *diag, Error *err) MUST_CHECK;
Status hamiltonian_present(const Model *model, const MotionOptions *options,
                           Presentation *presentation, Error *err) MUST_CHECK;

#endif
