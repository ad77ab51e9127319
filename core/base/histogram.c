/* Durations counted in buckets from half a millisecond to 10 seconds. */
#include "core/base/histogram.h"

#include <stddef.h>

const double histogram_bounds[HISTOGRAM_BUCKETS - 1] = {0.0005, 0.001, 0.0025, 0.005, 0.01,
                                                        0.025,  0.1,   0.5,    2.5,   10.0};

void histogram_add(Histogram *histogram, double seconds)
{
    size_t bucket = 0;
    while (bucket < HISTOGRAM_BUCKETS - 1 && seconds > histogram_bounds[bucket])
        bucket++;
    atomic_fetch_add(&histogram->counts[bucket], 1);
    atomic_fetch_add(&histogram->total_us, (uint_fast64_t)(seconds * 1e6));
}

uint64_t histogram_count(const Histogram *histogram)
{
    uint64_t count = 0;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
        count += atomic_load(&histogram->counts[i]);
    return count;
}
