/* Inside core/motion: the parts of the formulation "chaplygin". */
#ifndef CORE_MOTION_CHAPLYGIN_CHAPLYGIN_H
#define CORE_MOTION_CHAPLYGIN_CHAPLYGIN_H

#include "core/motion/chaplygin/reduction.h"
#include "core/motion/draw.h"

/* Formulation.check: whether the reduced equations close on the base, at random states. If not, the
 * message names the equation that depends on the fiber, and the fault of a given group. Symmetries
 * that move just the fiber must form a group in any case. answer->choice is the Multiplier that
 * exists; if there is none, answer->note has the reason. */
Status chaplygin_check(const MotionQuestion *question, Diagnostics *diag, Error *err) MUST_CHECK;

/* Whether the model's symmetries form a group whose orbits are the fibers and under which the
 * Lagrangian, the forces and the constraints are invariant, at random states. Failed conditions go
 * to diag, at the symmetry, with the hint (may be NULL). */
Status chaplygin_group(const MotionQuestion *question, const Reduction *reduction, const char *hint,
                       Diagnostics *diag, Error *err) MUST_CHECK;

/* The structure constants of the model's k symmetries, [xi_a, xi_b] = c[(a k + b) k + c] xi_c,
 * rounded to whole numbers if they are that near. *ret_closed false: there are none. */
Status chaplygin_structure_constants(const MotionQuestion *question, const Reduction *reduction,
                                     double *ret_constants, bool *ret_closed,
                                     Error *err) MUST_CHECK;

/* The multiplier that makes the reduced system Lagrangian; if none, the reason (static). */
Status chaplygin_multiplier(const MotionQuestion *question, const Reduction *reduction,
                            Multiplier *ret_multiplier, const char **ret_reason,
                            Error *err) MUST_CHECK;

/* Formulation.present. */
Status chaplygin_present(const Model *model, const MotionOptions *options,
                         Presentation *presentation, Error *err) MUST_CHECK;

#endif
