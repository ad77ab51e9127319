/* Inside core/run/: the guards of a run. The first n_events are the job's events, then come the
 * switches of the equations, then, if the constraints may cease to determine the dependent
 * velocities, one guard for these. */
#ifndef CORE_RUN_WATCH_GUARDS_H
#define CORE_RUN_WATCH_GUARDS_H

#include "core/run/state/run_state.h"

/* For OdeSystem; self is the run. */
void guards_look(void *self, double t, const double *y, double *ret_values);
double guards_follow(void *self, const OdeArc *arc);
void guards_enclose(void *self, size_t guard, double from, double to, OdeRange *ret_range);

/* At the end of a step: events that are not finite there see no root from there on. */
void guards_note_lost(Run *run, double t, const double *y);
/* At the start: impacts without a direction whose guards are zero there, to rounding. */
void guards_note_start(Run *run, double t, const double *y);

#endif
