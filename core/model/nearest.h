/* The nearest admissible state, for initial states. */
#ifndef CORE_MODEL_NEAREST_H
#define CORE_MODEL_NEAREST_H

#include "core/model/project.h"

/* Whether the constraints are linear in velocities that are corrected: a flat space, in which one
 * Newton step leads to the nearest point in the same metric. */
bool correction_is_flat(const Model *model, const Correction *correction);

/* As correction_apply(), but continues from the admissible point along the constraints to a local
 * minimum of the distance from q, or v, as given. Then it tries other starts and keeps the nearest
 * point found. A nearer one may exist. The distance is that of the metric at the point found. */
Status nearest_apply(ModelEval *eval, const Correction *correction, double t, double *q, double *v,
                     double *ret_change, Error *err) MUST_CHECK;

#endif
