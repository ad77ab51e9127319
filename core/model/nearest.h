/* The nearest admissible state, for initial states. */
#ifndef CORE_MODEL_NEAREST_H
#define CORE_MODEL_NEAREST_H

#include "core/model/project.h"

/* Velocities in linear constraints are a flat space: where one step of Newton's method comes to, in
 * the same metric, is the nearest. */
bool correction_is_flat(const Model *model, const Correction *correction);

/* As correction_apply(), but goes on from the admissible point that it finds, along the
 * constraints, to one from which every way along them leads away from q, or v, as given; and then
 * looks for nearer ones from other places. That is the nearest point of all those that are found:
 * nobody can tell that there is no other. The distance is that of the metric at the point found. */
Status nearest_apply(ModelEval *eval, const Correction *correction, double t, double *q, double *v,
                     double *ret_change, Error *err) MUST_CHECK;

#endif
