/* Counters of the daemon, for GET /metrics. Any thread may count. */
#ifndef SERVER_METRICS_H
#define SERVER_METRICS_H

#include <stdatomic.h>
#include <stdint.h>

#include "api/exchange.h"
#include "core/base/histogram.h"
#include "core/base/text.h"

enum { METRICS_CLASSES = 6, METRICS_FAILURES = 7, METRICS_RETIRE_RULES = 3 };

/* Requests of one route, by status / 100. */
typedef struct RouteMetrics {
    atomic_uint_fast64_t requests[METRICS_CLASSES];
    Histogram durations[METRICS_CLASSES]; /* without requests that wait or stream */
} RouteMetrics;

/* Start with metrics_init(). */
typedef struct Metrics {
    int64_t started_ms;   /* Unix time of metrics_init() */
    RouteMetrics *routes; /* as api_routes, then one more: requests of no route */
    atomic_uint_fast64_t waits, streams;
    atomic_uint_fast64_t refused_connections, auth_failures, rate_limited;
    atomic_uint_fast64_t jobs_succeeded, jobs_cancelled, jobs_released;
    atomic_uint_fast64_t jobs_failed[METRICS_FAILURES];      /* by reason */
    atomic_uint_fast64_t jobs_retired[METRICS_RETIRE_RULES]; /* by the rule of retention */
    atomic_uint_fast64_t job_us, rows;
    atomic_uint_fast64_t steps_together, member_steps_together, member_steps_alone;
} Metrics;

/* Names of the rules of retention, as the flags that set them. */
extern const char *const metrics_retire_rules[METRICS_RETIRE_RULES];

/* ERR_NO_MEMORY. */
Status metrics_init(Metrics *metrics, Error *err) MUST_CHECK;
void metrics_done(Metrics *metrics);

/* How the duration of a request came about. */
typedef enum RequestKind {
    REQUEST_SERVED,
    REQUEST_WAITED,   /* it lasted as long as a job did */
    REQUEST_STREAMED, /* it told events until its client left */
} RequestKind;
/* Counts an answer. Route NULL: there is none. */
void metrics_request(Metrics *metrics, const Route *route, int status, RequestKind kind,
                     double seconds);
/* Counts a failed job. An unknown reason counts as "internal". */
void metrics_job_failed(Metrics *metrics, const char *reason);

/* The counters in Prometheus' text format. */
void metrics_write(const Metrics *metrics, Text *out);
/* One more value: "# HELP", "# TYPE" and the sample, with the prefix dalembert_. */
void metrics_put(Text *out, const char *name, const char *type, const char *help, double value);
/* The same without a prefix, for names that are the same for every program. */
void metrics_put_standard(Text *out, const char *name, const char *type, const char *help,
                          double value);
/* A metric with labels, with the prefix dalembert_: "# HELP" and "# TYPE", then its samples; of a
 * whole number, with labels such as NAME="VALUE",.. */
void metrics_put_head(Text *out, const char *name, const char *type, const char *help);
void metrics_put_sample(Text *out, const char *name, const char *labels, double value);
/* One more histogram, with the prefix dalembert_. */
void metrics_put_histogram(Text *out, const char *name, const char *help,
                           const Histogram *histogram);

#endif
