/* Inside core/run/: the guards of a run. The first n_events are the job's events, then come the
 * switches of the equations, then, if the constraints may cease to determine the dependent
 * velocities, one guard for these. */
#ifndef CORE_RUN_WATCH_GUARDS_H
#define CORE_RUN_WATCH_GUARDS_H

#include "core/run/state/run_state.h"

/* The values of all guards at a state. */
void guards_look(MotionState *at, EventWatch *events, double t, const double *y,
                 double *ret_values);
/* The part of the step that enclosures may rely on: half of it, if a chart turns too often. */
double guards_follow(MotionState *at, Enclosure *enclosure, const OdeArc *arc);

/* At the end of a step: events that are not finite there see no root from there on. */
void guards_note_lost(MotionState *at, EventWatch *events, double t, const double *y);
/* At the start: impacts without a direction whose guards are zero there, to rounding. */
void guards_note_start(MotionState *at, EventWatch *events, double t, const double *y);

#endif
