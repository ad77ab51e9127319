/* Inside core/motion: the parts of the formulation "chaplygin". */
#ifndef CORE_MOTION_CHAPLYGIN_CHAPLYGIN_H
#define CORE_MOTION_CHAPLYGIN_CHAPLYGIN_H

#include "core/motion/chaplygin/reduction.h"
#include "core/motion/draw.h"

/* Identities are tested at random states. A sum counts as zero if it is at most this fraction of
 * the size of the terms that cancel in it (no unit; a convention, far above rounding). */
static const double CHAPLYGIN_ZERO_FRACTION = 1e-10;

/* Formulation.check: whether the reduced equations close on the base, at random states; if not,
 * which of them depends on the fibre and, if a group is given, why it is none. A group that is
 * said to move the fibre has to be one even if the equations close without it. Decides which
 * multiplier exists (answer->choice is a Multiplier); where none does, answer->note says why. */
Status chaplygin_check(const MotionQuestion *question, Diagnostics *diag, Error *err) MUST_CHECK;

/* Whether the model's symmetries make a group whose orbits are the fibres and under which the
 * Lagrangian, the forces and the constraints are invariant, at random states. What fails goes to
 * diag, at the symmetry, with the hint (may be NULL). */
Status chaplygin_group(const MotionQuestion *question, const Reduction *reduction, const char *hint,
                       Diagnostics *diag, Error *err) MUST_CHECK;

/* The structure constants of the model's k symmetries, [xi_a, xi_b] = c[(a k + b) k + c] xi_c, to
 * the nearest whole numbers where they are that near; *ret_closed false: there are none. */
Status chaplygin_structure_constants(const MotionQuestion *question, const Reduction *reduction,
                                     double *ret_constants, bool *ret_closed,
                                     Error *err) MUST_CHECK;

/* Which multiplier makes the reduced system Lagrangian; of MULTIPLIER_NONE the reason (static). */
Status chaplygin_multiplier(const MotionQuestion *question, const Reduction *reduction,
                            Multiplier *ret_multiplier, const char **ret_reason,
                            Error *err) MUST_CHECK;

/* Formulation.present. */
Status chaplygin_present(const Model *model, const MotionOptions *options,
                         Presentation *presentation, Error *err) MUST_CHECK;

#endif
