/* The counters of the daemon, and their text for GET /metrics in the format of Prometheus. */
#include "server/metrics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/errors.h"
#include "core/base/clock.h"

static const char PREFIX[] = "dalembert_";
enum { FIRST_CLASS = 2 }; /* the lowest first digit of a status */

#define FAILURE_NAME(name, status, title) name,
static const char *const FAILURES[] = {FAILURE_LIST(FAILURE_NAME)};
_Static_assert(sizeof FAILURES / sizeof *FAILURES == METRICS_FAILURES, "a counter for each reason");

Status metrics_init(Metrics *metrics, Error *err)
{
    *metrics = (Metrics){.started_ms = clock_unix_ms(),
                         .routes = calloc(api_n_routes + 1, sizeof *metrics->routes)};
    return metrics->routes ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}

void metrics_done(Metrics *metrics)
{
    free(metrics->routes);
}

void metrics_request(Metrics *metrics, const Route *route, int status, RequestKind kind,
                     double seconds)
{
    RouteMetrics *counts = &metrics->routes[route ? (size_t)(route - api_routes) : api_n_routes];
    const int digit = status / 100;
    if (digit < 0 || digit >= METRICS_CLASSES)
        return;
    atomic_fetch_add(&counts->requests[digit], 1);
    if (status == 429)
        atomic_fetch_add(&metrics->rate_limited, 1);
    if (kind == REQUEST_SERVED)
        histogram_add(&counts->durations[digit], seconds);
    else
        atomic_fetch_add(kind == REQUEST_WAITED ? &metrics->waits : &metrics->streams, 1);
}

void metrics_job_failed(Metrics *metrics, const char *reason)
{
    size_t i = 0; /* "internal" is the last */
    while (i < METRICS_FAILURES - 1 && strcmp(FAILURES[i], reason) != 0)
        i++;
    atomic_fetch_add(&metrics->jobs_failed[i], 1);
}

static void head(Text *out, const char *prefix, const char *name, const char *type,
                 const char *help)
{
    text_printf(out, "# HELP %s%s %s\n# TYPE %s%s %s\n", prefix, name, help, prefix, name, type);
}

static void put(Text *out, const char *prefix, const char *name, const char *type, const char *help,
                double value)
{
    head(out, prefix, name, type, help);
    text_printf(out, "%s%s ", prefix, name);
    text_number(out, value);
    text_putc(out, '\n');
}

void metrics_put(Text *out, const char *name, const char *type, const char *help, double value)
{
    put(out, PREFIX, name, type, help, value);
}

void metrics_put_standard(Text *out, const char *name, const char *type, const char *help,
                          double value)
{
    put(out, "", name, type, help, value);
}

static double load(const atomic_uint_fast64_t *counter)
{
    return (double)atomic_load(counter);
}

/* The samples of a histogram. Labels: NAME="VALUE",.. or "". */
static void put_buckets(Text *out, const char *name, const char *labels, const Histogram *histogram)
{
    const char *comma = *labels ? "," : "", *open = *labels ? "{" : "", *close = *labels ? "}" : "";
    double sum = 0.0;
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        sum += load(&histogram->counts[i]);
        text_printf(out, "%s%s_bucket{%s%sle=\"", PREFIX, name, labels, comma);
        if (i < HISTOGRAM_BUCKETS - 1)
            text_number(out, histogram_bounds[i]);
        else
            text_puts(out, "+Inf");
        text_printf(out, "\"} %.0f\n", sum);
    }
    text_printf(out, "%s%s_sum%s%s%s %.6f\n", PREFIX, name, open, labels, close,
                load(&histogram->total_us) * 1e-6);
    text_printf(out, "%s%s_count%s%s%s %.0f\n", PREFIX, name, open, labels, close, sum);
}

void metrics_put_histogram(Text *out, const char *name, const char *help,
                           const Histogram *histogram)
{
    head(out, PREFIX, name, "histogram", help);
    put_buckets(out, name, "", histogram);
}

void metrics_put_head(Text *out, const char *name, const char *type, const char *help)
{
    head(out, PREFIX, name, type, help);
}

void metrics_put_sample(Text *out, const char *name, const char *labels, double value)
{
    text_printf(out, "%s%s{%s} %.0f\n", PREFIX, name, labels, value);
}

static void put_labelled(Text *out, const char *name, const char *label, const char *value,
                         const atomic_uint_fast64_t *counter)
{
    text_printf(out, "%s%s{%s=\"%s\"} %.0f\n", PREFIX, name, label, value, load(counter));
}

/* The labels of a row of api_routes; the number behind the last row: no route. */
static void route_labels(size_t i, int digit, char *ret_labels, size_t size)
{
    const bool known = i < api_n_routes;
    snprintf(ret_labels, size, "method=\"%s\",route=\"%s\",status=\"%dxx\"",
             known ? api_routes[i].method : "none", known ? api_routes[i].path : "none", digit);
}

/* All counters are there from the start; a histogram comes with its first request. */
static void write_requests(const Metrics *metrics, Text *out)
{
    static const char *const TOTAL = "http_requests_total";
    static const char *const DURATION = "http_request_duration_seconds";
    char labels[160];
    metrics_put_head(out, TOTAL, "counter", "Answers by method, route and class of their status.");
    for (size_t i = 0; i <= api_n_routes; i++)
        for (int digit = FIRST_CLASS; digit < METRICS_CLASSES; digit++) {
            route_labels(i, digit, labels, sizeof labels);
            metrics_put_sample(out, TOTAL, labels, load(&metrics->routes[i].requests[digit]));
        }
    head(out, PREFIX, DURATION, "histogram",
         "From the first line of a request to the end of its answer, without waits and streams.");
    for (size_t i = 0; i <= api_n_routes; i++)
        for (int digit = FIRST_CLASS; digit < METRICS_CLASSES; digit++) {
            const Histogram *durations = &metrics->routes[i].durations[digit];
            route_labels(i, digit, labels, sizeof labels);
            if (histogram_count(durations) > 0)
                put_buckets(out, DURATION, labels, durations);
        }
    metrics_put(out, "http_waits_total", "counter", "Requests that waited for a job.",
                load(&metrics->waits));
    metrics_put(out, "http_streams_total", "counter", "Requests answered by a stream of events.",
                load(&metrics->streams));
}

static void write_ends(const Metrics *metrics, Text *out)
{
    static const char *const FINISHED = "jobs_finished_total", *const FAILED = "jobs_failed_total";
    double failed = 0.0;
    for (int i = 0; i < METRICS_FAILURES; i++)
        failed += load(&metrics->jobs_failed[i]);
    metrics_put_head(out, FINISHED, "counter",
                     "Jobs that ended in this process; cancelled: while they ran.");
    put_labelled(out, FINISHED, "state", "succeeded", &metrics->jobs_succeeded);
    metrics_put_sample(out, FINISHED, "state=\"failed\"", failed);
    put_labelled(out, FINISHED, "state", "cancelled", &metrics->jobs_cancelled);
    metrics_put_head(out, FAILED, "counter", "Jobs that failed in this process, by reason.");
    for (int i = 0; i < METRICS_FAILURES; i++)
        put_labelled(out, FAILED, "reason", FAILURES[i], &metrics->jobs_failed[i]);
}

const char *const metrics_retire_rules[METRICS_RETIRE_RULES] = {"keep", "keep-failed",
                                                                "keep-bytes"};

static void write_retired(const Metrics *metrics, Text *out)
{
    static const char *const RETIRED = "jobs_retired_total";
    metrics_put_head(out, RETIRED, "counter", "Finished jobs deleted by a rule of retention.");
    for (int i = 0; i < METRICS_RETIRE_RULES; i++)
        put_labelled(out, RETIRED, "rule", metrics_retire_rules[i], &metrics->jobs_retired[i]);
}

void metrics_write(const Metrics *metrics, Text *out)
{
    static const char *const MEMBER_STEPS = "member_steps_total";
    /* requests and connections */
    write_requests(metrics, out);
    metrics_put(out, "connections_refused_total", "counter",
                "Connections beyond the limit, answered 503.", load(&metrics->refused_connections));
    metrics_put(out, "auth_failures_total", "counter",
                "Requests without a valid key, answered 401; 429 is counted by rate_limited_total.",
                load(&metrics->auth_failures));
    metrics_put(out, "rate_limited_total", "counter",
                "Requests answered 429: beyond a rate or a quota.", load(&metrics->rate_limited));
    /* jobs and rows */
    write_ends(metrics, out);
    metrics_put(out, "jobs_released_total", "counter", "Jobs put back in the queue at a shutdown.",
                load(&metrics->jobs_released));
    write_retired(metrics, out);
    metrics_put(out, "job_seconds_total", "counter", "Time that worker threads spent on jobs.",
                load(&metrics->job_us) * 1e-6);
    metrics_put(out, "rows_total", "counter", "Rows of results stored.", load(&metrics->rows));
    /* steps of ensembles */
    metrics_put(out, "lane_steps_total", "counter",
                "Steps of all lanes at once, made for members of ensembles.",
                load(&metrics->steps_together));
    metrics_put_head(out, MEMBER_STEPS, "counter", "Steps of members of ensembles.");
    put_labelled(out, MEMBER_STEPS, "lanes", "shared", &metrics->member_steps_together);
    put_labelled(out, MEMBER_STEPS, "lanes", "alone", &metrics->member_steps_alone);
}
