/* Sizes of the components of a state, by which the absolute tolerance is multiplied, and the
 * rounding of their rates, below which no tolerance falls.
 *
 * The size of a component is given, or else the largest |value| that it has had so far: it depends
 * neither on the length of the run nor on other components.
 *
 * If a component stays at zero, its value is rounding. The rounding of the rates bounds its
 * tolerance from below; it is measured at a start, when the step size has changed by a factor of
 * SIZES_OUTDATED, 1, 2, 4, .. steps after that, and at each step whose tolerance it decides. */
#ifndef CORE_INTEGRATE_SIZES_H
#define CORE_INTEGRATE_SIZES_H

#include "core/integrate/method.h"

/* The size of a component that has been zero so far, in its own unit. The tail of a pulse that is
 * far ahead, such as exp(-t^2), is below it and takes no steps; no unit is so large. Convention. */
static const double SIZES_LEAST = 1e-100;

/* Is the size of every component given? nominal NULL: all are 1. */
bool sizes_are_given(const double *nominal, size_t dim);

/* Sets size and unsized before the first state is known. */
void sizes_start(OdeStep *step);

/* A guessed first step to y_new was rejected: least sizes of components that start at zero. */
void sizes_guess(OdeStep *step);

/* The lane starts, or goes on from a break, at y. */
void sizes_begin(OdeStep *step);

/* After that, if there is noise, with the length h of its first step. */
void sizes_begin_noise(OdeStep *step, double h);

/* The lane has come to y after `steps` accepted steps; the next one has the length next_h. */
void sizes_take(OdeStep *step, uint64_t steps, double next_h);

/* Is the rounding of the rates measured, and is it due after so many accepted steps in any case? */
bool sizes_have_noise(const OdeStep *step);
static inline bool sizes_noise_is_due(const OdeStep *step, uint64_t steps)
{
    const uint64_t since = steps - step->rounding.paced_steps;
    return (since & (since - 1)) == 0;
}
/* Measures it. least: the part of the noise known before that is kept at least; 1 until that is
 * outdated. A measurement may find too little by accident, if few bits of a value are left. */
void sizes_measure_noise(OdeStep *step, double least);
/* Fills rounding.carried: the noise of a velocity's rate moves its coordinate. */
void sizes_carry_noise(OdeStep *step);
/* The largest error that rounding of the rates, as last measured, makes over h, relative to the
 * size of its kind; a kind for which it is more than `rest` is at rest and not counted. */
double sizes_noise_over(const OdeStep *step, double h, double rest);

/* The largest size of the kind of component r; 1 if all of that kind have been zero. */
double sizes_of_kind(const OdeStep *step, size_t r);

#endif
