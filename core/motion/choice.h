/* Whether a formulation applies at a consistent state, and with which options. */
#ifndef CORE_MOTION_CHOICE_H
#define CORE_MOTION_CHOICE_H

#include "core/motion/motion.h"

/* Chooses the dependent coordinates (always if with_dependent) and the other choices of the
 * formulation at the state; `at->options` gives the rows. Objections go to diag (then ERR_INVALID).
 * The options live in the arena and borrow the rows. */
Status motion_choose_options(const Formulation *formulation, const MotionQuestion *at,
                             bool with_dependent, Arena *arena, MotionOptions *ret_options,
                             Diagnostics *diag, Error *err) MUST_CHECK;

/* Dependent coordinates if the formulation does not choose them: outside the model's base if
 * possible. Velocities with a constant coefficient in the constraints come first (simple
 * coefficients before others), then those that the constraints determine best at the state.
 * ret_dependent: at->options->n_rows, ascending. */
Status motion_choose_dependent(const MotionQuestion *at, size_t *ret_dependent,
                               Error *err) MUST_CHECK;

/* The coordinates that the constraints determine best at the state, as the formulation prefers
 * them, regardless of the model's base. ret_dependent: as above. */
Status motion_choose_best(const Formulation *formulation, const MotionQuestion *at,
                          size_t *ret_dependent, Error *err) MUST_CHECK;

/* The class of the mass matrix, from the report on the state. */
MotionClass motion_class_of(const InitialReport *report);

#endif
