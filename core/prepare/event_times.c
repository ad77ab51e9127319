/* Events at given times: each instant is a multiple, not a sum, so that none drifts. */
#include "core/prepare/event_times.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/integrate/limits.h"

/* Instants closer than this are one for the integration. */
static double too_close(const SampleTimes *times)
{
    return MIN_STEP_ULPS * DBL_EPSILON * fmax(fabs(times->t0), fabs(times->end));
}

/* The number of instants of `every`. An end that is a multiple within rounding counts. Without
 * an offset the start does not count. */
static double count(const SampleTimes *times, const EventSpec *event)
{
    const double span = fabs(times->end - times->t0) / event->every * (1 + 4 * DBL_EPSILON);

    if (!(event->offset > 0))
        return floor(span);
    return fmax(floor(span - event->offset / event->every) + 1, 0);
}

static void check_every(const Simulation *s, const EventSpec *event, Diagnostics *diag)
{
    const SampleTimes *times = &s->times;

    /* one mistake at a time: the later checks rely on the earlier ones */
    if (!(event->every > 0) || !isfinite(event->every))
        diagnostics_add(diag, event->pointer, -1, NULL, "\"every\" of the event %s is not positive",
                        event->name);
    else if (!(event->every > too_close(times)))
        diagnostics_add(diag, event->pointer, -1, "take a larger \"every\"",
                        "the times of the event %s are too close to be told apart at t = %.17g",
                        event->name, fmax(fabs(times->t0), fabs(times->end)));
    else if (event->offset < 0 || !isfinite(event->offset))
        diagnostics_add(diag, event->pointer, -1, NULL, "\"offset\" of the event %s is negative",
                        event->name);
    else if (event->offset > 0 && !(event->offset > too_close(times)))
        diagnostics_add(diag, event->pointer, -1, "leave \"offset\" out",
                        "the first time of the event %s is too close to the start to be told apart",
                        event->name);
    else if (count(times, event) < 1)
        diagnostics_add(diag, event->pointer, -1, NULL,
                        "\"%s\" of the event %s is longer than the job",
                        event->offset > 0 ? "offset" : "every", event->name);
    else if (s->integration.max_event_rows &&
             count(times, event) > (double)s->integration.max_event_rows)
        diagnostics_add(diag, event->pointer, -1, "take a larger \"every\"",
                        "%.0f times of the event %s are more than the limit of %llu events",
                        count(times, event), event->name,
                        (unsigned long long)s->integration.max_event_rows);
}

static void check_at(const Simulation *s, const EventSpec *event, Diagnostics *diag)
{
    const SampleTimes *times = &s->times;
    const double direction = times->end - times->t0;

    if (event->n_at == 0)
        diagnostics_add(diag, event->pointer, -1, NULL, "the event %s has no times", event->name);
    if (s->integration.max_event_rows && event->n_at > s->integration.max_event_rows)
        diagnostics_add(diag, event->pointer, -1, NULL,
                        "%zu times of the event %s are more than the limit of %llu events",
                        event->n_at, event->name,
                        (unsigned long long)s->integration.max_event_rows);
    /* each time lies behind the one before and not beyond the end */
    for (size_t k = 0; k < event->n_at; k++) {
        const double before = k ? event->at[k - 1] : times->t0;
        const bool behind = copysign(1, direction) * (event->at[k] - before) > too_close(times);
        if (behind && (times->end - event->at[k]) * direction >= 0)
            continue;
        diagnostics_add(
            diag, event->pointer, -1,
            "list the times in the order of the motion, each once, from behind its "
            "start up to its end",
            "time %zu (%.17g) of the event %s does not follow %.17g, or not so that it can be "
            "told apart, or is beyond the end, %.17g",
            k, event->at[k], event->name, before, times->end);
        return;
    }
}

void event_times_init(Simulation *s, const EventSpec *spec, EventSpec *ret, Diagnostics *diag)
{
    ret->kind = spec->kind;
    ret->every = spec->every;
    ret->offset = spec->offset;
    if (spec->kind == EVENT_EVERY)
        check_every(s, spec, diag);
    if (spec->kind != EVENT_AT)
        return;
    check_at(s, spec, diag);
    double *at = arena_alloc(s->arena, spec->n_at, sizeof *at);
    if (!at)
        return;
    if (spec->n_at)
        memcpy(at, spec->at, spec->n_at * sizeof *at);
    ret->at = at;
    ret->n_at = spec->n_at;
}

double event_times_at(void *self, size_t event, size_t k)
{
    const Simulation *s = self;
    const EventSpec *e = &s->events[event];
    const SampleTimes *times = &s->times;

    if (e->kind == EVENT_AT)
        return k < e->n_at ? e->at[k] : NAN;
    if ((double)k >= count(times, e))
        return NAN;
    const double after =
        e->offset > 0 ? e->offset + (double)k * e->every : (double)(k + 1) * e->every;
    return times->end < times->t0 ? fmax(times->t0 - after, times->end)
                                  : fmin(times->t0 + after, times->end);
}
