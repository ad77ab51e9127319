/* Dimensions and units derived from those of a model's names (core/model/units.h). If those are
 * unknown, so are these. */
#ifndef CORE_MODEL_DIMENSIONS_H
#define CORE_MODEL_DIMENSIONS_H

#include "core/model/model.h"

/* Reports an expression of the wrong dimension: "`what` NAME is in J, but has to be in N,
 * `why`". */
void units_check(Diagnostics *diag, const NamedText *text, const Dimension *found,
                 const Dimension *due, const char *what, const char *why);

/* A coordinate (k < n) or velocity (n + i) in its unit, and in the SI. */
double units_shown(const Model *model, size_t k, double value);
double units_to_si(const Model *model, size_t k, double value);

/* The unit of the number at "parameters.NAME", "initial.q.NAME", "initial.v.NAME",
 * "initial.chart.q.NAME" or "initial.chart.v.NAME"; NULL for other paths, or if units are not
 * known. */
const Unit *units_of_path(const Model *model, const char *path);
/* values[n] in their units; the values themselves if units is NULL. NULL if out of memory. */
const double *units_show(const Unit *units, const double *values, size_t n, Arena *arena);

/* L / q_i. */
Dimension units_force(const Model *model, size_t i);
/* L s / q_i. */
Dimension units_momentum(const Model *model, size_t i);
/* Of lambda in A^T lambda = force; if multipliers are kept (vakonomic motions), of mu in A^T
 * d(mu)/dt = force. */
Dimension units_multiplier(const Model *model, size_t a, bool kept);
/* a b^n; not known if an exponent overflows. */
Dimension units_product(Dimension a, Dimension b, int n);

/* The dimension of a formulation's own column, by its name: a coordinate of the chart or its
 * velocity, a momentum p(NAME), a velocity w(NAME) in a frame. *ret_unit: the chart's unit in which
 * the column is shown, or NULL. */
Dimension units_own_column(const Model *model, const char *column, const Unit **ret_unit);

#endif
