/* A number of bytes that threads share: for memory whose users are many and whose sizes clients
 * choose. Every user has a holding, which begins with 0. */
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

/* Raises a holding to this number of bytes; false when there is no room. Whoever is alone has room
 * for any amount: what is larger than the whole must have its turn, too. */
bool budget_take(Budget *budget, size_t *holding, size_t bytes);
/* The same without asking, for what is small and bounded by other means. */
void budget_take_anyway(Budget *budget, size_t *holding, size_t bytes);
/* What nobody holds; others may take it at once. */
size_t budget_left(const Budget *budget);
void budget_give(Budget *budget, size_t *holding); /* all of it */

#endif
