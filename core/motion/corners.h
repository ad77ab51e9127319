/* Corners (abs, sign, min, max, if) of a model's expressions, for the formulations that need
 * smooth ones. */
#ifndef CORE_MOTION_CORNERS_H
#define CORE_MOTION_CORNERS_H

#include "core/model/model.h"

/* Whether the place of a corner of the expressions depends on one of the model's symbols. */
Status corners_depend(const Model *model, const Expr *exprs, size_t n, const Expr *symbols,
                      size_t n_symbols, bool *ret_depend, Error *err) MUST_CHECK;

#endif
