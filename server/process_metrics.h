/* The program and its process in GET /metrics. */
#ifndef SERVER_PROCESS_METRICS_H
#define SERVER_PROCESS_METRICS_H

#include "api/documents/provenance.h"
#include "core/base/text.h"

/* Names and units are those that Prometheus' client libraries share. Start: Unix time in ms. */
void process_metrics_write(const Origin *origin, int64_t started_ms, Text *out);

#endif
