/* Whether a formulation applies at a consistent state, and with which options. */
#ifndef CORE_MOTION_CHOICE_H
#define CORE_MOTION_CHOICE_H

#include "core/motion/motion.h"

/* Chooses the dependent coordinates (always with_dependent) and whatever else the formulation
 * decides at the state; `at->options` gives the rows, `at->answer` is not used. What does not apply
 * goes to diag (then ERR_INVALID). The options live in the arena and borrow the rows; the
 * elimination is left open. */
Status motion_choose_options(const Formulation *formulation, const MotionQuestion *at,
                             bool with_dependent, Arena *arena, MotionOptions *ret_options,
                             Diagnostics *diag, Error *err) MUST_CHECK;

/* Dependent coordinates where no formulation asks for them: outside the model's base where that can
 * be, those that the constraints give with a constant coefficient first (the simplest before the
 * others), then those they determine best at the state. ret_dependent: at->options->n_rows,
 * ascending. */
Status motion_choose_dependent(const MotionQuestion *at, size_t *ret_dependent,
                               Error *err) MUST_CHECK;

/* Those that the constraints determine best at the state, as the formulation prefers them, whatever
 * base the model gives. ret_dependent: as above. */
Status motion_choose_best(const Formulation *formulation, const MotionQuestion *at,
                          size_t *ret_dependent, Error *err) MUST_CHECK;

/* What the state tells of the mass matrix. */
MotionClass motion_class_of(const InitialReport *report);

#endif
