/* Inside core/simulation/: the sample times of a job. */
#ifndef CORE_SIMULATION_PREPARE_SAMPLE_TIMES_H
#define CORE_SIMULATION_PREPARE_SAMPLE_TIMES_H

#include "core/base/diagnostics.h"
#include "core/integrate/ode.h"
#include "core/job.h"

typedef struct Times {
    TimeKind kind;
    double t0, end;
    double every; /* signed */
    double *at;   /* owned; n_at */
    uint64_t n;   /* samples */
} Times;

/* Checks and expands the document's time; mistakes go to diag. max_samples 0: no limit. */
Status times_init(Times *times, const JobSpec *spec, uint64_t max_samples, Diagnostics *diag,
                  Error *err) MUST_CHECK;
void times_done(Times *times);

bool times_backwards(const Times *times);

/* The requested double of sample k; for OdeSpan, self is the Times. */
double times_sample(void *self, size_t k);

#endif
