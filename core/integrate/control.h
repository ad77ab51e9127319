/* Step sizes: proportional-integral control, and the first step. */
#ifndef CORE_INTEGRATE_CONTROL_H
#define CORE_INTEGRATE_CONTROL_H

#include "core/integrate/method.h"

/* The controller of one lane. The error of a step (in units of the tolerance) is taken to go with
 * h to the power `order`; its root is the ratio by which the step was too long. With r that of
 * this step and r' that of the last accepted one,
 *     h_next = 0.9 h / r * (r r')^(1/8),
 * the stabilised form of Gustafsson, Lundh and Soederlind (BIT 28 (1988) 270) with exponents
 * 7/8 and 1/8 of the order's. Square roots only for orders that are powers of two: the same bits on
 * every machine. */
typedef struct Control {
    unsigned order;
    double last, least; /* r', and its lower bound */
    bool after_rejection;
} Control;

void control_start(Control *control, unsigned order);
/* Next step after an accepted one: between h/3 and 6 h, not above h right after a rejection. */
double control_accept(Control *control, double h, double error);
/* Next try after a rejected one; the error may be NaN. */
double control_reject(Control *control, double h, double error);

/* Chooses the first step of one lane, step->h; in: its sign and its largest length. An explicit
 * Euler step estimates the second derivative, so that a method of the given error order errs by
 * about 1 % of the tolerance (after Hairer, Norsett, Wanner, section II.4, with the time of the
 * state in place of a unit of time). One evaluation; uses y_new, rates_new as scratch. False: the
 * pulse stopped.
 *
 * If the state tells no time, since all is zero or rests, the step is a guess (*ret_guessed), a
 * power of FIRST_STEP_RATIO: it is divided by that until the error allows the step. */
bool control_first_step(OdeStep *step, unsigned error_order, bool *ret_guessed);
/* Ratio of two guesses of a first step. Convention; a power of 2, so that guesses are exact. */
static const double FIRST_STEP_RATIO = 4;

/* Measures step->rounding.noise at the state of one lane: the change of the rates if the state
 * and t change by their rounding. Four evaluations; uses y_new, carry_new, rates_new,
 * noise_before as scratch. False: the pulse stopped. */
bool control_measure_noise(OdeStep *step);

#endif
