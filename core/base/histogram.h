/* How long something took, as counts by duration. Any thread may count. */
#ifndef CORE_BASE_HISTOGRAM_H
#define CORE_BASE_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

enum { HISTOGRAM_BUCKETS = 11 };

/* Zeroed before use. */
typedef struct Histogram {
    atomic_uint_fast64_t counts[HISTOGRAM_BUCKETS]; /* not cumulative */
    atomic_uint_fast64_t total_us;                  /* of all durations, in microseconds */
} Histogram;

/* The upper ends of the buckets in seconds, ascending; the last bucket has none. */
extern const double histogram_bounds[HISTOGRAM_BUCKETS - 1];

void histogram_add(Histogram *histogram, double seconds);
/* All durations that were counted. */
uint64_t histogram_count(const Histogram *histogram);

#endif
