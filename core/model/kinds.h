/* Which coordinates are of one kind: lengths with lengths, angles with angles.
 *
 * What is added or compared has one dimension, what sin or exp takes has none, every term of L that
 * of L: these are linear equations for the exponents of unknown units of t, the coordinates and the
 * parameters. Two coordinates are of one kind if every choice of units that satisfies them gives
 * both the same. Numbers like 2 and 1/3 are pure; others may carry a unit and say nothing. */
#ifndef CORE_MODEL_KINDS_H
#define CORE_MODEL_KINDS_H

#include "core/model/model.h"

/* ret_kinds[n]: the first coordinate of the same kind, by coordinate; ret_pure[n]: those without a
 * dimension, like angles. Needs L, F and the constraints of the model. A model too big for this has
 * coordinates of n kinds, none pure. */
Status kinds_find(const Model *model, size_t *ret_kinds, bool *ret_pure, Error *err) MUST_CHECK;

/* The largest |x| of the kind of coordinate i, of x[n]. */
double kinds_largest(const Model *model, const double *x, size_t i);

/* ret_units[n]: of each velocity of a kind, the one in which the |M_ii| of the kind add up to 1, so
 * that lengths and angles can be compared whatever they are measured in; 1 where M says nothing of
 * the kind. */
void kinds_velocity_units(const Model *model, const double *M, double *ret_units);

/* How large a motion is that passes (q, v) and lasts for `time`: ret_q[n], the largest |q| and |v|
 * time of each coordinate's kind; ret_v[n], the largest |v| and |q| / time of each velocity's. */
void kinds_sizes(const Model *model, const double *q, const double *v, double time, double *ret_q,
                 double *ret_v);

/* What is neither small nor large for the model, where a motion of which places and speeds are
 * known lasts for `time`: ret_q[n], ret_v[n], those of a kind alike. From the largest |q| and |v|
 * of each kind; angles count at least as 1. Kinds of which nothing is known get from M what takes
 * as much energy as the others, the speed of slow ones a tenth of it. */
void kinds_scales(const Model *model, const double *M, const double *q, const double *v,
                  double time, double *ret_q, double *ret_v);

/* The same of a model alone, of which no motion is known, as far as its parameters say so:
 * *ret_time and ret_q[n] are products of powers of params[n_params], those with the least
 * exponents, that have the dimension of the time and of each coordinate (E. Buckingham, Phys. Rev.
 * 4 (1914) 345); 1 of what has none, or where no product has it. */
Status kinds_of_parameters(const Model *model, const double *params, double *ret_q,
                           double *ret_time, Error *err) MUST_CHECK;

#endif
