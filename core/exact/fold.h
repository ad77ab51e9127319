/* Steps that are rational numbers, whatever the free symbols are: parameters with values, numbers,
 * and what sums, products, comparisons and branches make of them. Private to core/exact. */
#ifndef CORE_EXACT_FOLD_H
#define CORE_EXACT_FOLD_H

#include "core/exact/steps.h"

typedef struct Folded {
    uint32_t *place; /* by slot: in values, +1; 0: no number, or too long a one */
    fmpq *values;
    size_t n;
} Folded;

/* Lives in the arena of the steps but for the numbers. False when memory is out. */
bool fold_init(Folded *folded, Steps *steps);
void fold_done(Folded *folded); /* {0} is fine */

/* The number at a slot; NULL: none. */
static inline const fmpq *fold_value(const Folded *folded, uint32_t slot)
{
    return folded->place[slot] ? folded->values + folded->place[slot] - 1 : NULL;
}

#endif
