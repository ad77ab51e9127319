/* Second thoughts about zeros: values of expressions at random states.
 *
 * The graph knows that x - x is 0, not that sin(2 x) - 2 sin(x) cos(x) is. A probe evaluates
 * expressions at a fixed set of random states, random parameter values included, and compares them
 * with the size of their terms. It gives no verdict ("cannot tell": false) on expressions with
 * corners (abs, if, ...), on pools too big for that, and where hardly any state is finite. */
#ifndef CORE_MODEL_IDENTITIES_H
#define CORE_MODEL_IDENTITIES_H

#include "core/model/model.h"

/* Every expression vanishes at all states. */
bool identity_zero(const Model *model, const Expr *e, size_t n);

/* No expression changes its value when the `count` symbols from `first` on are drawn anew. */
bool identity_constant(const Model *model, const Expr *e, size_t n, uint32_t first, size_t count);

/* A v = k phi at all states for one positive integer k; A[model->n]. */
bool identity_homogeneous(const Model *model, Expr phi, const Expr *A);

#endif
