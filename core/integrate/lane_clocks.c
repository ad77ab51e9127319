/* The instants of clocks, at which steps of a lane end. */
#include "core/integrate/lane.h"

#include <float.h>
#include <math.h>

/* When a clock ticks next; NaN: never, or no clock. */
static double next_tick(const Drive *drive, size_t lane, size_t k)
{
    const OdeOptions *options = drive->options;
    if (!options->guards[k].is_clock)
        return NAN;
    return options->tick(options->tick_self, k, drive->guards.ticks[lane * drive->guards.n + k]);
}

double lane_last_tick(const Drive *drive, size_t lane, size_t k)
{
    const OdeOptions *options = drive->options;
    return options->tick(options->tick_self, k,
                         drive->guards.ticks[lane * drive->guards.n + k] - 1);
}

void lane_next_stop(Drive *drive, size_t lane)
{
    Lane *l = &drive->lanes[lane];
    l->stop = l->span->t_end;
    for (size_t k = 0; k < drive->guards.n; k++) {
        const double t = next_tick(drive, lane, k);
        if (l->direction * (t - l->stop) < 0)
            l->stop = t;
    }
    /* no step is left between this one and the end */
    if (fabs(l->span->t_end - l->stop) <= SAME_ULPS * DBL_EPSILON * fabs(l->stop))
        l->stop = l->span->t_end;
}

void lane_mark_clocks(Drive *drive, size_t lane)
{
    Guards *guards = &drive->guards;
    Lane *l = &drive->lanes[lane];
    for (size_t k = 0; k < guards->n; k++) {
        const double off = fabs(next_tick(drive, lane, k) - l->t_new);
        if (!(off <= lane_rounding(drive, lane, SAME_ULPS)))
            continue;
        guards->ticks[lane * guards->n + k]++;
        guards->fired[lane * guards->n + k] = 1;
        l->breaks.ticked = true;
    }
    if (l->breaks.ticked)
        lane_next_stop(drive, lane);
}
