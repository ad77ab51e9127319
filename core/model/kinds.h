/* Kinds of coordinates: lengths with lengths, angles with angles.
 *
 * Summands and compared quantities have one dimension, the argument of sin or exp has none, every
 * term of L has that of L. These are linear equations for the exponents of unknown units of t, the
 * coordinates and the parameters. Two coordinates are of one kind if both have the same unit in
 * every solution. Numbers like 2 and 1/3 are pure; others may carry a unit and give no equation. */
#ifndef CORE_MODEL_KINDS_H
#define CORE_MODEL_KINDS_H

#include "core/model/model.h"

/* ret_kinds[n]: the first coordinate of the same kind, by coordinate; ret_pure[n]: those without a
 * dimension, like angles. Needs L, F and the constraints of the model. If a model is too big, each
 * coordinate is a kind of its own and none is pure. */
Status kinds_find(const Model *model, size_t *ret_kinds, bool *ret_pure, Error *err) MUST_CHECK;

/* The largest |x| of the kind of coordinate i, of x[n]. */
double kinds_largest(const Model *model, const double *x, size_t i);

/* ret_units[n]: units of the velocities of each kind, in which the |M_ii| of the kind add up to 1,
 * so that lengths and angles can be compared in any units; 1 if M is zero for the kind. */
void kinds_velocity_units(const Model *model, const double *M, double *ret_units);

/* The size of a motion that passes (q, v) and lasts for `time`: ret_q[n], the largest |q| and |v|
 * time of each coordinate's kind; ret_v[n], the largest |v| and |q| / time of each velocity's
 * kind. */
void kinds_sizes(const Model *model, const double *q, const double *v, double time, double *ret_q,
                 double *ret_v);

/* Typical sizes of positions and speeds of a motion through (q, v) that lasts for `time`: ret_q[n],
 * ret_v[n], equal within a kind. They are the largest |q| and |v| of each kind; angles count at
 * least as 1. A kind whose positions are all zero gets the size at which M gives it as much
 * energy as the others. The speed of a slow kind is at least a tenth of that size. */
void kinds_scales(const Model *model, const double *M, const double *q, const double *v,
                  double time, double *ret_q, double *ret_v);

/* Typical sizes from a model's parameters alone: *ret_time and ret_q[n] are products of powers of
 * params[n_params] with the least exponents that have the dimension of the time and of each
 * coordinate (E. Buckingham, Phys. Rev. 4 (1914) 345); 1 for pure numbers, or if no product has the
 * dimension. */
Status kinds_of_parameters(const Model *model, const double *params, double *ret_q,
                           double *ret_time, Error *err) MUST_CHECK;

#endif
