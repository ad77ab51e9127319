/* Residuals of the constraints, relative to the size of their own terms
 * (docs/explanation/numerics.md, "Residuals"). */
#ifndef CORE_MODEL_RESIDUALS_H
#define CORE_MODEL_RESIDUALS_H

#include <float.h>
#include <math.h>

#include "core/model/model.h"

/* Places of one constraint's numbers in a block of model_residuals(). */
enum {
    RESIDUAL_F,
    RESIDUAL_F_SCALE,
    RESIDUAL_F_ROUNDING,
    RESIDUAL_PHI,
    RESIDUAL_PHI_SCALE,
    RESIDUAL_PHI_ROUNDING,
    RESIDUAL_PARTS
};

/* ret[RESIDUAL_PARTS][r]: f (0 if not holonomic) and phi of every constraint, each with its scale
 * and its rounding. The rounding is the change of f or phi by one unit of error in each of its
 * inputs, relative to the largest coordinate or velocity of the same kind. The pool is a clone of
 * the model's. */
void model_residuals(const Model *model, ExprPool *pool, Expr *ret);

/* Units of rounding of the state that a residual may contain. A convention. */
static const double RESIDUAL_ROUNDINGS = 1024;
/* Residuals relative to the size of their terms (no unit): a state with no larger residual is not
 * projected, and Newton's method ends at the second, because rounding allows no smaller residual.
 * Powers of two, see residual_is_within(). Conventions. */
static const double RESIDUAL_UNTOUCHED = DBL_EPSILON, RESIDUAL_ROUND_OFF = 2 * DBL_EPSILON;
/* Residual relative to the size of its terms (no unit) up to which a given state is admissible. A
 * convention. */
static const double RESIDUAL_ADMISSIBLE = 1e-8;

/* |value| relative to the scale of its equation, or to the rounding if that explains the value. If
 * an equation holds exactly, its residual is 0, even if its scale vanishes and its rounding is not
 * finite. */
static inline double residual_relative(double value, double scale, double rounding)
{
    const double size = fabs(value);
    const bool rounded = size <= RESIDUAL_ROUNDINGS * DBL_EPSILON * rounding;
    const double relative = size / (rounded ? rounding : scale);

    return size == 0 ? 0 : relative;
}

/* Whether the relative residual is at most `bound`, a power of two, without a division. The product
 * with a power of two is exact, and a value larger by one unit in the last place has a quotient
 * that does not round down to the bound. */
static inline bool residual_is_within(double value, double scale, double rounding, double bound)
{
    const double size = fabs(value);
    const bool rounded = size <= RESIDUAL_ROUNDINGS * DBL_EPSILON * rounding;

    return (size <= bound * (rounded ? rounding : scale) && size < (double)INFINITY) || size == 0;
}

#endif
