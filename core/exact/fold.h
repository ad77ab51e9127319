/* Steps that are rational numbers for all values of the free symbols: parameters with values,
 * numbers, and their sums, products, comparisons and branches. Private to core/exact. */
#ifndef CORE_EXACT_FOLD_H
#define CORE_EXACT_FOLD_H

#include "core/exact/steps.h"

typedef struct Folded {
    const Steps *steps;
    uint32_t *place; /* by slot: place in values, +1; 0: not a number, or too long */
    fmpq *values;
    size_t n;
} Folded;

/* Uses the arena of the steps except for the numbers. False if memory is out. */
bool fold_init(Folded *folded, Steps *steps);
void fold_done(Folded *folded); /* {0} is fine */

/* The number at a slot, or NULL. */
static inline const fmpq *fold_value(const Folded *folded, uint32_t slot)
{
    return folded->place[slot] ? folded->values + folded->place[slot] - 1 : NULL;
}

static inline const fmpq *fold_operand(const Folded *folded, const Step *step, uint32_t k)
{
    return fold_value(folded, folded->steps->args[step->first + k]);
}

#endif
