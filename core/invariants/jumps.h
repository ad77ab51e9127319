/* Jumps: what the rate of a quantity, made of derivatives, does not show.
 *
 * The derivative of if(x < 1, a, b) is that of the branch that is taken: what happens where the branch
 * changes is not in it. Wherever a - b is not zero at x = 1 a motion that goes through meets an impulse,
 * or a quantity that is no longer what it was, and a rate that vanishes proves nothing. */
#ifndef CORE_INVARIANTS_JUMPS_H
#define CORE_INVARIANTS_JUMPS_H

#include "core/invariants/analysis.h"

/* After a verdict of yes on the rate of a quantity, by verdict_predict(), or on terms[n_terms] that vanish.
 * It stays where it is proved that neither L nor a constraint nor the quantity jumps, or that what
 * jumps does not matter; it becomes no where a ball proves that the quantity jumps at a state through
 * which a motion goes; else undecided. verdict->jump and proof.doubt say where, and what may jump.
 *
 * What matters, by the guard of the step, the surface on which it changes, and context->concern:
 *
 *   any              constraints phi (and f): other velocities are allowed behind it
 *   motion           L_v, for velocities or momenta jump with it; L, for the slope of its jump is an
 *                    impulse, but along fields that keep the guard constant; the quantity
 *   volume           L_v. With v continuous the flow goes through a surface in (t, q) as if there were none;
 *                    through one in the velocities if what it goes across with, the accelerations, does not
 *                    jump: L, M, l, F, psi (Coulomb's friction sign(v) is a sink of volume)
 *   power            as motion, unless the terms vanish for all accelerations and multipliers, hence
 *                    for those of any impulse
 *   constraints      nothing else
 *
 * Where L and L_v are continuous across a guard that depends on velocities, and the mass matrix is positive
 * definite, velocities are continuous functions of (q, L_v): motions go through, and nothing jumps but
 * accelerations. Where L_v jumps there, the limit of smooth motions stays on the surface while L_v
 * goes from one value to the other, or there is none: undecided. */
Status jumps_settle(const AnalysisContext *context, ExprPool *pool, const Quantity *quantity,
                    const Expr *terms, size_t n_terms, Verdict *verdict, Error *err) MUST_CHECK;

/* Whether e jumps by a constant at the guard, which is the cut of an atan2(): one turn more is another value at the same
 * place. L has no impulse there, and a constraint allows the same velocities. */
Status jumps_by_turns(const Model *model, ExprPool *pool, Expr e, Expr guard, bool *ret,
                      Error *err) MUST_CHECK;

#endif
