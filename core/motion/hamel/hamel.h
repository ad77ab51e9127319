/* The parts of the formulation by Hamel's equations. Private to core/motion. */
#ifndef CORE_MOTION_HAMEL_HAMEL_H
#define CORE_MOTION_HAMEL_HAMEL_H

#include "core/motion/formulation.h"

/* For Formulation. Refuses constraints that are not affine, fields of the model's frame that are
 * not tangent to the constraints at random admissible states, and frames that do not span. */
Status hamel_check(const MotionQuestion *question, Diagnostics *diag, Error *err);

/* For Formulation: frame, object of anholonomity, quasi-momenta, Hamel's equations. */
Status hamel_present(const Model *model, const MotionOptions *options, Presentation *presentation,
                     Error *err);

#endif
