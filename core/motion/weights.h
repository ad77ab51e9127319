/* Weights w_i that make the squares of velocities comparable, for lengths and angles: the sum of
 * a_i^2 w_i over a row a of A then has the units of energy, up to a factor.
 *
 * w_i is the inertia (the sum of M_jj) of the kind of the first coordinate in the rows, divided by
 * that of the kind of coordinate i: 1 for coordinates of one kind. */
#ifndef CORE_MOTION_WEIGHTS_H
#define CORE_MOTION_WEIGHTS_H

#include "core/motion/formulation.h"

/* ret_weights[n], for rows[n_rows x n]; all are 1 unless options->mass_positive. Entries of M that
 * depend on velocities do not count. */
void velocity_weights(ExprPool *pool, const Model *model, const MotionOptions *options,
                      const Expr *rows, size_t n_rows, Arena *scratch, Expr *ret_weights);

/* Sum of a[k] b[k] weights[k], k < n. */
Expr weighted_dot(ExprPool *pool, size_t n, const Expr *a, const Expr *b, const Expr *weights);

#endif
