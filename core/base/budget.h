/* A number of bytes that threads share: for memory with many users, whose sizes clients choose.
 * Every user has a holding, which begins with 0. */
#ifndef CORE_BASE_BUDGET_H
#define CORE_BASE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Start with budget_init(). */
typedef struct Budget {
    size_t most;
    atomic_size_t used;
} Budget;

void budget_init(Budget *budget, size_t most);

/* Raises a holding to this number of bytes; false if there is no room. If all other holdings are 0,
 * any amount fits, so that a request larger than the whole budget has its turn, too. */
bool budget_take(Budget *budget, size_t *holding, size_t bytes);
/* The same without a check, for small amounts that are bounded by other means. */
void budget_take_anyway(Budget *budget, size_t *holding, size_t bytes);
/* The bytes that no user holds; other threads may take them at once. */
size_t budget_left(const Budget *budget);
void budget_give(Budget *budget, size_t *holding); /* the whole holding */

#endif
