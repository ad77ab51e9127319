/* Budgets of bytes: a counter that is raised only if it stays below its limit. */
#include "core/base/budget.h"

void budget_init(Budget *budget, size_t most)
{
    budget->most = most;
    atomic_init(&budget->used, 0);
}

bool budget_take(Budget *budget, size_t *holding, size_t bytes)
{
    if (bytes <= *holding)
        return true;
    const size_t more = bytes - *holding;
    size_t used = atomic_load(&budget->used);
    do {
        const size_t others = used - *holding;
        if (others > 0 && (others > budget->most || bytes > budget->most - others))
            return false;
    } while (!atomic_compare_exchange_weak(&budget->used, &used, used + more));
    *holding = bytes;
    return true;
}

void budget_take_anyway(Budget *budget, size_t *holding, size_t bytes)
{
    if (bytes <= *holding)
        return;
    atomic_fetch_add(&budget->used, bytes - *holding);
    *holding = bytes;
}

size_t budget_left(const Budget *budget)
{
    const size_t used = atomic_load(&budget->used);
    return used < budget->most ? budget->most - used : 0;
}

void budget_give(Budget *budget, size_t *holding)
{
    atomic_fetch_sub(&budget->used, *holding);
    *holding = 0;
}
