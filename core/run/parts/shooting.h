/* Inside core/run/: the two-point boundary problem solved by shooting (Newton, with the
 * exact linearised equations), from one or several guesses. */
#ifndef CORE_RUN_PARTS_SHOOTING_H
#define CORE_RUN_PARTS_SHOOTING_H

#include "core/prepare/simulation.h"

/* Solves; the first solution becomes the simulation's initial velocity, all go to the result.
 * ERR_NUMERIC with the reason when no guess leads to one. */
Status shooting_solve(Simulation *simulation, const SimulationSink *sink,
                      SimulationResult *ret_result, Error *err) MUST_CHECK;

#endif
