/* Inside core/run/: the motion reduced to numbers while it is computed. It is only looked
 * at: its bits are those it has without. */
#ifndef CORE_RUN_TELL_REDUCE_H
#define CORE_RUN_TELL_REDUCE_H

#include "core/run/state/run_state.h"

/* The enclosure of what is taken along the motion, in the lasting memory of the run. */
void reduce_init(Run *run);
/* For a motion that begins: no value is known yet. */
Status reduce_begin(Run *run, Error *err) MUST_CHECK;
/* Is anything taken along the motion? */
bool reduce_wants_steps(const Run *run);
/* Each step as it stays. */
void reduce_step(Run *run, const OdeArc *arc);
/* The state at the start, and at the ends of steps: is anything taken there? */
static inline bool reduce_wants_states(const Run *run)
{
    return run->at.s->reductions && run->at.s->reductions->drifts;
}
void reduce_take_state(Run *run, double t, const double *y);
static inline void reduce_state(Run *run, double t, const double *y)
{
    if (reduce_wants_states(run))
        reduce_take_state(run, t, y);
}
/* Of the values there, in run->rows.reduce.at_values. */
void reduce_drifts(Run *run, double t);
/* Event k, at the state looked at, before it changes it. */
void reduce_event(Run *run, size_t k);
/* The state at the end. */
void reduce_end(Run *run, double t, const double *y);
/* The relative error of means: that of the motion, if its method has a tolerance. */
double reduce_mean_error(const Simulation *simulation);
/* Into the result, with the analyses' findings; warnings where something is not known. */
void reduce_report(Run *run);

#endif
