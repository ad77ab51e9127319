/* The part of a Lagrangian of degree 2 in the velocities. Inside core/model. */
#ifndef CORE_MODEL_KINETIC_H
#define CORE_MODEL_KINETIC_H

#include "core/model/model.h"

/* *ret_T = v.M(q, 0, t) v / 2, written into the pool, a clone of the model's. ERR_NOT_FOUND if L is
 * not written as a polynomial in the velocities, so that no part of it has a degree. */
Status model_kinetic(const Model *model, ExprPool *pool, Expr *ret_T, Error *err) MUST_CHECK;

#endif
