/* The counters of the daemon, and their text for GET /metrics in the format of Prometheus. */
#include "server/metrics.h"

#include <stddef.h>

static const double BOUNDS[METRICS_BUCKETS - 1] = {0.0005, 0.001, 0.0025, 0.005, 0.01,
                                                   0.025,  0.1,   0.5,    2.5,   10.0};

void metrics_request(Metrics *metrics, int status, double seconds)
{
    int class = status / 100;
    if (class >= 0 && class < METRICS_CLASSES)
        atomic_fetch_add(&metrics->requests[class], 1);
    if (status == 429)
        atomic_fetch_add(&metrics->rate_limited, 1);
    size_t bucket = 0;
    while (bucket < METRICS_BUCKETS - 1 && seconds > BOUNDS[bucket])
        bucket++;
    atomic_fetch_add(&metrics->durations[bucket], 1);
    atomic_fetch_add(&metrics->duration_us, (uint_fast64_t)(seconds * 1e6));
}

static void head(Text *out, const char *name, const char *type, const char *help)
{
    text_printf(out, "# HELP dalembert_%s %s\n# TYPE dalembert_%s %s\n", name, help, name, type);
}

void metrics_put(Text *out, const char *name, const char *type, const char *help, double value)
{
    head(out, name, type, help);
    text_printf(out, "dalembert_%s ", name);
    text_number(out, value);
    text_putc(out, '\n');
}

static double load(atomic_uint_fast64_t *counter)
{
    return (double)atomic_load(counter);
}

static void write_durations(Metrics *metrics, Text *out)
{
    static const char *const NAME = "http_request_duration_seconds";
    double sum = 0.0;
    head(out, NAME, "histogram", "From the first line of a request to its answer.");
    for (size_t i = 0; i < METRICS_BUCKETS; i++) {
        sum += load(&metrics->durations[i]);
        text_printf(out, "dalembert_%s_bucket{le=\"", NAME);
        if (i < METRICS_BUCKETS - 1)
            text_number(out, BOUNDS[i]);
        else
            text_puts(out, "+Inf");
        text_printf(out, "\"} %.0f\n", sum);
    }
    text_printf(out, "dalembert_%s_sum %.6f\ndalembert_%s_count %.0f\n", NAME,
                load(&metrics->duration_us) * 1e-6, NAME, sum);
}

const char *const metrics_retire_rules[METRICS_RETIRE_RULES] = {"keep", "keep-failed",
                                                                "keep-bytes"};

static void write_retired(Metrics *metrics, Text *out)
{
    head(out, "jobs_retired_total", "counter", "Finished jobs deleted by a rule of retention.");
    for (int i = 0; i < METRICS_RETIRE_RULES; i++)
        text_printf(out, "dalembert_jobs_retired_total{rule=\"%s\"} %.0f\n",
                    metrics_retire_rules[i], load(&metrics->jobs_retired[i]));
}

void metrics_write(Metrics *metrics, Text *out)
{
    /* requests and connections */
    head(out, "http_requests_total", "counter", "Requests by class of their status.");
    for (int i = 1; i < METRICS_CLASSES; i++)
        text_printf(out, "dalembert_http_requests_total{status=\"%dxx\"} %.0f\n", i,
                    load(&metrics->requests[i]));
    write_durations(metrics, out);
    metrics_put(out, "connections_refused_total", "counter",
                "Connections beyond the limit, answered 503.", load(&metrics->refused_connections));
    metrics_put(out, "auth_failures_total", "counter", "Requests refused without a valid key.",
                load(&metrics->auth_failures));
    metrics_put(out, "rate_limited_total", "counter", "Requests answered 429.",
                load(&metrics->rate_limited));
    /* jobs and rows */
    head(out, "jobs_finished_total", "counter", "Jobs that ended in this process.");
    text_printf(out, "dalembert_jobs_finished_total{state=\"succeeded\"} %.0f\n",
                load(&metrics->jobs_succeeded));
    text_printf(out, "dalembert_jobs_finished_total{state=\"failed\"} %.0f\n",
                load(&metrics->jobs_failed));
    text_printf(out, "dalembert_jobs_finished_total{state=\"cancelled\"} %.0f\n",
                load(&metrics->jobs_cancelled));
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
    head(out, "member_steps_total", "counter", "Steps of members of ensembles.");
    text_printf(out, "dalembert_member_steps_total{lanes=\"shared\"} %.0f\n",
                load(&metrics->member_steps_together));
    text_printf(out, "dalembert_member_steps_total{lanes=\"alone\"} %.0f\n",
                load(&metrics->member_steps_alone));
}
