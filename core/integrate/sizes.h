/* Sizes of the components of a state, by which the absolute tolerance is multiplied, and what
 * rounding does to their rates, below which no tolerance falls.
 *
 * Where it is not given, the size of a component is the largest value that it had, and no less than
 * 1e-9 of others of its kind, or of what it moves. So a model has the same steps in all units.
 *
 * The value of a component that should rest is rounding, and so would be its size. But what rounding
 * of the rates makes of it over a step is below its tolerance; that is measured where integration
 * begins, where the rates have changed by much, and after 1, 2, 4, .. steps. */
#ifndef CORE_INTEGRATE_SIZES_H
#define CORE_INTEGRATE_SIZES_H

#include "core/integrate/method.h"

/* Whether there is a size for every component, that counts: OdeStep.given. */
bool sizes_are_given(const double *nominal, size_t dim);

/* The lane starts, or goes on from a break, with y, rates, and h up to which it may go: a component
 * that was zero up to now counts for the first step as what its rate may make of it. */
void sizes_begin(OdeStep *step, size_t lane);

/* After that, with rates_new at the end of an Euler step h > 0 in either direction: of a kind of which all that is zero, or
 * rounding, does not move yet either, a component counts as what its second derivative makes of it. y_new is scratch. */
void sizes_begin_at_rest(OdeStep *step, size_t lane, double h);

/* The same, with h of its first step. */
void sizes_begin_noise(OdeStep *step, size_t lane, double h);

/* After that, while the motion has hardly begun: what is nothing beside what its rates, here and after
 * an Euler step h, make of it until the end reaches that far. A body that rests about its floor has no
 * size yet that would tell rounding from a distance to it. */
void sizes_begin_reach(OdeStep *step, double h, double elapsed);

/* The lane has come to y, after so many steps. */
void sizes_take(OdeStep *step, size_t lane, uint64_t steps);

/* The same in pieces, for lanes of which many are taken at once: from the largest values of the lane; whether rounding of the
 * rates is watched; after how many steps it is measured in any case, and anew where the pace is so many times larger or smaller
 * than it was; and that. */
void sizes_make(OdeStep *step, size_t lane);
bool sizes_have_noise(const OdeStep *step);
/* What rounding of the rates makes over h of the largest values of a component's kind, at most, as it was measured last. A
 * kind of which it makes more than `rest` is nothing else, and does not count. */
double sizes_noise_over(const OdeStep *step, double h, double rest);
static inline bool sizes_noise_is_due(uint64_t steps)
{
    return (steps & (steps - 1)) == 0;
}
static const double SIZES_OUTDATED = 4;
void sizes_measure_noise(OdeStep *step);

/* The largest size of the kind of component r, of a system whose sizes are known (nominal); 1 where
 * nothing tells. */
double sizes_of_kind(const OdeStep *step, size_t lane, size_t r);

#endif
