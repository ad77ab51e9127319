/* Sample times: a number of them from end to end, one at every multiple of a spacing, or a list. */
#include "core/prepare/sample_times.h"

#include <math.h>

bool sample_times_backwards(const SampleTimes *times)
{
    return times->end < times->t0;
}

/* Sample k of n from end to end. The product is formed first: ten samples of [0, 1] are 0.1,
 * 0.2, 0.3, not 0.30000000000000004. If the product overflows, the quotient is formed first. */
static double evenly_spaced(const SampleTimes *times, size_t k)
{
    const double span = times->end - times->t0, last = (double)(times->n - 1);
    const double product = span * (double)k;

    return times->t0 + (isfinite(product) ? product / last : span * ((double)k / last));
}

double sample_times_at(void *self, size_t k)
{
    const SampleTimes *times = self;
    double t;

    switch (times->kind) {
    case TIME_SAMPLES:
        return k + 1 == times->n ? times->end : evenly_spaced(times, k);
    case TIME_EVERY:
        /* the last sample of a span of all doubles may be rounded beyond them */
        t = times->t0 + (double)k * times->every;
        return isfinite(t) ? t : times->end;
    case TIME_AT:
        return times->at[k];
    }
    return times->end;
}

/* The length of the time interval has to be a finite double. */
static void check_length(double t0, double end, const char *place, Diagnostics *diag)
{
    if (isfinite(t0) && isfinite(end) && !isfinite(end - t0))
        diagnostics_add(diag, place, -1, NULL, "from initial.t (%.17g) to %.17g is no finite time",
                        t0, end);
}

static void check_at(const JobSpec *spec, Diagnostics *diag)
{
    const double *at = spec->time.at;
    const size_t n = spec->time.n_at;

    if (n == 0) {
        diagnostics_add(diag, "/time/at", -1, NULL, "no times are given");
        return;
    }
    double direction = at[n - 1] - spec->initial.t;
    if (direction == 0)
        diagnostics_add(diag, "/time/at", -1, NULL, "the last time equals initial.t (%.17g)",
                        spec->initial.t);
    check_length(spec->initial.t, at[n - 1], "/time/at", diag);
    for (size_t k = 0; k < n; k++) {
        double before = k ? at[k - 1] : spec->initial.t;
        double step = (at[k] - before) * direction;
        /* only the first time may equal the one before, which is the start */
        if (!isfinite(at[k]) || step < 0 || (step == 0 && k > 0)) {
            diagnostics_add(diag, "/time/at", -1,
                            "list the times in one direction, each once, starting from initial.t",
                            "time %zu (%.17g) does not follow %.17g", k, at[k], before);
            return;
        }
    }
}

static void check_end(const JobSpec *spec, Diagnostics *diag)
{
    if (!isfinite(spec->time.end))
        diagnostics_add(diag, "/time/end", -1, NULL, "the end is not a finite number");
    else if (spec->time.end == spec->initial.t)
        diagnostics_add(diag, "/time/end", -1, "an earlier end integrates backwards",
                        "the end equals initial.t (%.17g)", spec->initial.t);
    check_length(spec->initial.t, spec->time.end, "/time/end", diag);
}

/* The member of the document that determines the number of samples, if it is one alone. */
static const char *place_of_number(const TimeSpec *time)
{
    return time->kind == TIME_SAMPLES && time->samples_given ? "/time/samples" : "/time";
}

/* Neighbors in a grid have to be different doubles. */
static void check_spacing(const JobSpec *spec, double spacing, Diagnostics *diag)
{
    double scale = fmax(fabs(spec->initial.t), fabs(spec->time.end));
    if (diag->total == 0 && !(fabs(spacing) > 4 * 0x1p-52 * scale))
        diagnostics_add(diag, place_of_number(&spec->time), -1, "ask for fewer samples",
                        "the samples are too close to be told apart at t = %.17g", scale);
}

SampleTimes sample_times_of(const JobSpec *spec)
{
    const TimeSpec *time = &spec->time;
    const bool listed = time->kind == TIME_AT;

    return (SampleTimes){.kind = time->kind,
                         .t0 = spec->initial.t,
                         .end = listed && time->n_at ? time->at[time->n_at - 1] : time->end,
                         .every = time->end > spec->initial.t ? time->every : -time->every,
                         .at = time->at,
                         .n = listed ? time->n_at : time->samples};
}

Status sample_times_init(SampleTimes *times, const JobSpec *spec, uint64_t max_samples,
                         Arena *arena, Diagnostics *diag, Error *err)
{
    const size_t before = diag->total;
    const TimeSpec *time = &spec->time;

    *times = sample_times_of(spec);
    if (!isfinite(spec->initial.t))
        diagnostics_add(diag, "/initial/t", -1, NULL, "the initial time is not a finite number");
    switch (time->kind) {
    case TIME_SAMPLES:
        check_end(spec, diag);
        if (time->samples < 2)
            diagnostics_add(diag, "/time/samples", -1, NULL, "at least 2 samples are needed");
        else
            check_spacing(spec, (time->end - spec->initial.t) / (double)(time->samples - 1), diag);
        break;
    case TIME_EVERY:
        check_end(spec, diag);
        if (!(time->every > 0) || !isfinite(time->every))
            diagnostics_add(diag, "/time/every", -1, NULL, "the spacing must be positive");
        else if (diag->total == before) {
            double count = fabs(time->end - spec->initial.t) / time->every;
            /* an end that is a multiple within rounding counts */
            count = floor(count * (1 + 4 * 0x1p-52)) + 1;
            times->n = count < 1e18 ? (uint64_t)count : UINT64_MAX;
            check_spacing(spec, time->every, diag);
        }
        break;
    case TIME_AT:
        check_at(spec, diag);
        times->at = arena_copy_doubles(arena, time->at, time->n_at);
        break;
    }
    if (max_samples && times->n > max_samples)
        diagnostics_add(diag, place_of_number(time), -1, "ask for fewer samples",
                        "%llu samples are more than the limit of %llu",
                        (unsigned long long)times->n, (unsigned long long)max_samples);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the job's times have mistakes");
    return arena_status(arena, err);
}
