/* The instants of clocks, at which steps of a lane end. */
#include "core/integrate/lane.h"
#include "core/integrate/limits.h"

#include <float.h>
#include <math.h>

/* When a clock ticks next; NaN: never, or no clock. */
static double next_tick(const Drive *drive, size_t k)
{
    const OdeOptions *options = drive->options;
    if (!options->guards[k].is_clock)
        return NAN;
    return options->tick(options->tick_self, k, drive->guards.each[k].ticks);
}

double lane_last_tick(const Drive *drive, size_t k)
{
    const OdeOptions *options = drive->options;
    return options->tick(options->tick_self, k, drive->guards.each[k].ticks - 1);
}

void lane_next_stop(Drive *drive)
{
    Lane *l = &drive->lane;
    l->stop = l->span->t_end;
    for (size_t k = 0; k < drive->guards.n; k++) {
        const double t = next_tick(drive, k);
        if (l->direction * (t - l->stop) < 0)
            l->stop = t;
    }
    /* no step is left between this one and the end */
    if (fabs(l->span->t_end - l->stop) <= SAME_ULPS * DBL_EPSILON * fabs(l->stop))
        l->stop = l->span->t_end;
}

void lane_mark_clocks(Drive *drive)
{
    Guards *guards = &drive->guards;
    Lane *l = &drive->lane;
    for (size_t k = 0; k < guards->n; k++) {
        const double off = fabs(next_tick(drive, k) - l->t_new);
        if (!(off <= lane_rounding(drive, SAME_ULPS)))
            continue;
        guards->each[k].ticks++;
        guards->each[k].fired = 1;
        l->breaks.ticked = true;
    }
    if (l->breaks.ticked)
        lane_next_stop(drive);
}
