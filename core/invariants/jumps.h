/* Jumps, which the rate of a quantity does not show because it is made of derivatives.
 *
 * The derivative of if(x < 1, a, b) is that of the active branch and ignores the change of
 * branch. If a - b is not zero at x = 1, a motion across x = 1 meets an impulse, or the quantity
 * itself changes. A rate that vanishes proves nothing then. */
#ifndef CORE_INVARIANTS_JUMPS_H
#define CORE_INVARIANTS_JUMPS_H

#include "core/invariants/analysis.h"

/* Settles a verdict of yes of verdict_predict() on a sum, which may be the rate of a quantity.
 * Yes remains if it is proved that neither L nor a constraint nor the quantity jumps, or that the
 * jump has no effect. It becomes no if a ball proves a jump of the quantity at a state of a motion,
 * else undecided. verdict->jump and proof.doubt name the place and the part that may jump.
 *
 * The relevant parts by the guard of the step, the surface on which it changes, and by
 * inquiry.concern:
 *
 *   any          constraints phi (and f): other velocities are allowed behind it
 *   motion       L_v, for velocities or momenta jump with it; L, for the slope of its jump is an
 *                impulse, but along fields that keep the guard constant; the quantity
 *   volume       L_v. With v continuous the flow crosses a surface in (t, q) without effect. It
 *                crosses one in the velocities without effect if the accelerations do not jump:
 *                L, M, l, F, psi (Coulomb's friction sign(v) is a sink of volume)
 *   power        as motion, unless the terms vanish for all accelerations and multipliers, hence
 *                for those of any impulse
 *   constraints  nothing else
 *
 * If L and L_v are continuous across a guard that depends on velocities, and the mass matrix is
 * positive definite, velocities are continuous functions of (q, L_v): motions go through, and
 * only accelerations jump. If L_v jumps there, the limit of smooth motions stays on the surface
 * while L_v goes from one value to the other, or there is none: undecided. */
Status jumps_settle(const AnalysisContext *context, const TermSum *sum, Verdict *verdict,
                    Error *err) MUST_CHECK;

/* Whether e jumps by a constant at the guard, which is the cut of an atan2(): one turn more is
 * another value at the same place. L has no impulse there, and a constraint allows the same
 * velocities. */
Status jumps_by_turns(const Model *model, ExprPool *pool, Expr e, Expr guard, bool *ret,
                      Error *err) MUST_CHECK;

#endif
