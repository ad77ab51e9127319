/* Inside core/simulation/: the equations of motion at the starts of several jobs, evaluated and checked beside each other. */
#ifndef CORE_SIMULATION_PREPARE_MOTION_STARTS_H
#define CORE_SIMULATION_PREPARE_MOTION_STARTS_H

#include "core/model/initial_lanes.h"
#include "core/motion/eval.h"
#include "core/simulation/simulation.h"

/* {0} is none. */
typedef struct MotionStarts {
    PointLanes points;
    double *out;                  /* [INITIAL_LANES][n_outputs of the point's program] */
    int64_t sound[INITIAL_LANES]; /* -1: initial_motion_check() has nothing to say of it */
    Arena memory;                 /* owns the array */
} MotionStarts;

void motion_starts_done(MotionStarts *starts);

/* Of the states that were made, with the equations of a simulation that was prepared; of none where it has none that can be evaluated
 * in lanes, and without memory. */
void motion_starts_make(MotionStarts *starts, const Simulation *like, const InitialLanes *initial,
                        const int64_t *made);

/* To a simulation with this initial state, where it has these equations. */
void motion_starts_take(const MotionStarts *starts, size_t lane, Simulation *simulation);

#endif
