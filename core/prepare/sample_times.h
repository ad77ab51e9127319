/* Inside core/prepare/: the sample times of a job. */
#ifndef CORE_PREPARE_SAMPLE_TIMES_H
#define CORE_PREPARE_SAMPLE_TIMES_H

#include "core/base/diagnostics.h"
#include "core/integrate/ode.h"
#include "core/job.h"

typedef struct SampleTimes {
    TimeKind kind;
    double t0, end;
    double every;     /* signed */
    const double *at; /* n_at */
    uint64_t n;       /* samples */
} SampleTimes;

/* As in the document, unchecked and borrowed from it. n of TIME_EVERY is not known. */
SampleTimes sample_times_of(const JobSpec *spec);

/* Checks the document's times and counts its samples. Mistakes go to diag. max_samples 0: no
 * limit. */
Status sample_times_init(SampleTimes *times, const JobSpec *spec, uint64_t max_samples,
                         Arena *arena, Diagnostics *diag, Error *err) MUST_CHECK;

bool sample_times_backwards(const SampleTimes *times);

/* The requested double of sample k; for OdeSpan, self is the Times. */
double sample_times_at(void *self, size_t k);

#endif
