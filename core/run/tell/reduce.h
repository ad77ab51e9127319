/* Inside core/run/: the motion reduced to numbers while it is computed. It is only looked
 * at: its bits are those it has without. */
#ifndef CORE_RUN_TELL_REDUCE_H
#define CORE_RUN_TELL_REDUCE_H

#include "core/run/state/run_state.h"

/* The enclosure of what is taken along the motion, in lasting memory. */
void reduce_init(Reduce *reduce, const Simulation *simulation, Arena *lasting);
/* For a motion that begins: no value is known yet. */
Status reduce_begin(Reduce *reduce, const MotionState *at, Arena *memory, Error *err) MUST_CHECK;
/* Is anything taken along the motion? */
bool reduce_wants_steps(const Simulation *simulation);
/* Each step as it stays; features: of the step. */
void reduce_step(Reduce *reduce, MotionState *at, Watch *features, const OdeArc *arc);
/* The state at the start, and at the ends of steps: is anything taken there? */
static inline bool reduce_wants_states(const Simulation *s)
{
    return s->reductions && s->reductions->drifts;
}
void reduce_take_state(Reduce *reduce, MotionState *at, double t, const double *y);
/* Of the values there, in reduce->at_values. */
void reduce_drifts(Reduce *reduce, const Reductions *reductions, double t);
/* Event k, at the state looked at, before it changes it. */
void reduce_event(Reduce *reduce, const MotionState *at, size_t k);
/* The state at the end. */
void reduce_end(Reduce *reduce, MotionState *at, Arena *memory, double t, const double *y);
/* The relative error of means: that of the motion, if its method has a tolerance. */
double reduce_mean_error(const Simulation *simulation);
/* Into the result, with the analyses' findings; warnings where something is not known. */
void reduce_report(const Reduce *reduce, const Simulation *simulation, SimulationResult *result);

#endif
