/* Counters of the daemon, for GET /metrics. Any thread may count. */
#ifndef SERVER_METRICS_H
#define SERVER_METRICS_H

#include <stdatomic.h>
#include <stdint.h>

#include "core/base/text.h"

enum { METRICS_CLASSES = 6, METRICS_BUCKETS = 11, METRICS_RETIRE_RULES = 3 };

/* Zeroed before use. */
typedef struct Metrics {
    atomic_uint_fast64_t requests[METRICS_CLASSES]; /* by status / 100 */
    atomic_uint_fast64_t durations[METRICS_BUCKETS], duration_us;
    atomic_uint_fast64_t refused_connections, auth_failures, rate_limited;
    atomic_uint_fast64_t jobs_succeeded, jobs_failed, jobs_cancelled, jobs_released;
    atomic_uint_fast64_t jobs_retired[METRICS_RETIRE_RULES]; /* by the rule of retention */
    atomic_uint_fast64_t job_us, rows;
    atomic_uint_fast64_t steps_together, member_steps_together, member_steps_alone;
} Metrics;

/* Names of the rules of retention, as the flags that set them. */
extern const char *const metrics_retire_rules[METRICS_RETIRE_RULES];

void metrics_request(Metrics *metrics, int status, double seconds);

/* The counters in Prometheus' text format. */
void metrics_write(Metrics *metrics, Text *out);
/* One more value: "# HELP", "# TYPE" and the sample. */
void metrics_put(Text *out, const char *name, const char *type, const char *help, double value);

#endif
