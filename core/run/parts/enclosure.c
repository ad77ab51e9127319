/* A guard, which may be as narrow or as fast as it likes, is not sampled: its values and its rate
 * over a part of the step come from interval arithmetic on the path of what it reads, the values
 * from the mean value theorem too. */
#include "core/run/parts/enclosure.h"

#include <math.h>

void enclosure_init(Enclosure *e, Observed *observed, size_t n_events, bool exact, Arena *arena)
{
    const size_t n = observed_n_inputs(observed);

    *e = (Enclosure){.observed = observed};
    if (n_events == 0)
        return;
    e->ranges = ARENA_NEW(arena, n, Range);
    path_init(&e->path, n, exact, arena);
    if (arena_failed(arena))
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_events; k++)
            e->path.used[i] = e->path.used[i] || observed_guard_reads(observed, k, i);
}

Range enclosure_range(Enclosure *e, size_t event, double s, double r, bool with_remainder)
{
    for (size_t i = 0; i < e->path.n_inputs; i++)
        if (e->path.used[i])
            e->ranges[i] = path_range(&e->path, i, s, r, with_remainder);
    return observed_guard_range(e->observed, event, e->ranges);
}

void enclosure_take(Enclosure *e, size_t event, double from, double to, OdeRange *ret)
{
    const double s = from + to - 1, r = to - from;
    const Range all = enclosure_range(e, event, s, r, true);

    *ret = (OdeRange){.low = all.value.low,
                      .high = all.value.high,
                      .rate_low = all.rate.low,
                      .rate_high = all.rate.high,
                      .whole = all.whole};
    if (!all.whole || all.value.low > 0 || all.value.high < 0)
        return;
    const Range middle = enclosure_range(e, event, s, 0, true);
    const double reach = fmax(fabs(all.rate.low), fabs(all.rate.high)) * r / 2;
    if (middle.whole && isfinite(reach)) {
        ret->low = fmax(ret->low, middle.value.low - reach);
        ret->high = fmin(ret->high, middle.value.high + reach);
    }
    /* noise: the enclosure of the middle without errors of the path */
    const Range rounding = enclosure_range(e, event, s, 0, false);
    ret->noise = (rounding.value.high - rounding.value.low) / 2;
    ret->blurred = middle.value.low <= 0 && middle.value.high >= 0 &&
                   (rounding.value.low > 0 || rounding.value.high < 0);
}
