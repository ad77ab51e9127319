/* Tests for zeros that the graph does not show: values of expressions at random states.
 *
 * The graph shows that x - x is 0, but not that sin(2 x) - 2 sin(x) cos(x) is. A probe evaluates
 * expressions at a fixed set of random states, random parameter values included, and compares them
 * with the size of their terms. It gives no verdict (false) for expressions with corners (abs, if,
 * ...), for pools that are too big, and if hardly any state is finite. */
#ifndef CORE_MODEL_IDENTITIES_H
#define CORE_MODEL_IDENTITIES_H

#include "core/model/model.h"

/* Every expression vanishes at all states. */
bool identity_zero(const Model *model, const Expr *e, size_t n);

/* All expressions keep their values if the `count` symbols from `first` on are drawn again. */
bool identity_constant(const Model *model, const Expr *e, size_t n, uint32_t first, size_t count);

/* A v = k phi at all states for one positive integer k; A[model->n]. */
bool identity_homogeneous(const Model *model, Expr phi, const Expr *A);

#endif
