/* Inside a drive: functions between the files of a lane, lane*.c; the rest of them: see drive.h. */
#ifndef CORE_INTEGRATE_LANE_H
#define CORE_INTEGRATE_LANE_H

#include "core/integrate/drive.h"

/* Fraction of the step before it was shortened for roots: parts below it are not searched, for
 * roots may come closer and closer together, like those of sin(1/x). Convention. */
static const double MIN_SEARCHED_PART = 1e-6;

/* A callback's error ends the lane with it. */
bool lane_check(Drive *drive, Status status);

/* The observer is told of a step, or of the start (h = 0); false when the lane has ended. */
bool lane_tell_step(Drive *drive, double h);
/* Of the next sample, at which the state is y; false when the lane has ended or is to stop. */
bool lane_tell_sample(Drive *drive, const double *y);
/* Of samples and recorded roots inside the step; false when the lane has ended. */
bool lane_tell_inside(Drive *drive);
/* Of the whole motion over it. */
void lane_tell_arc(Drive *drive);
/* Of guards that may have had roots in it that were not found, that had no value, or a pole. */
void lane_tell_doubts(Drive *drive);

/* The clocks whose instant is the end of the step, to rounding, fire. */
void lane_mark_clocks(Drive *drive);

/* The direction along increasing t; that one is looked for. */
int lane_root_direction(const Lane *l, int direction);
bool lane_wants(const Drive *drive, const Lane *l, const Root *root);
/* Takes the step again to an end closer to its root; false when this is as close as it gets. */
bool lane_aim_better(Drive *drive);
/* The first break inside the step, to which the step is to be shortened: NULL when there is none,
 * or when it is the one at which the step ends already. */
const Root *lane_first_break(Drive *drive);
void lane_aim_at(Drive *drive, const Root *root);
/* The roots at the end of the step fire. */
void lane_mark_end(Drive *drive);

/* The guards that fired tell their events; false when the lane has ended. `blocked`: no step was
 * made to get there. *ret_restart where one has changed the state or the rates. */
bool lane_fire(Drive *drive, bool blocked, bool *ret_restart);
/* And the lane goes on from there. */
void lane_after_break(Drive *drive, bool restart);

#endif
