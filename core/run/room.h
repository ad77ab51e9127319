/* Inside core/run/: what the runs of one simulation have in common, which renews its numbers
 * from run to run.
 *
 * Most of what a run makes before it has a start depends on its equations alone. It is kept as an
 * image, byte by byte with the memory it lies in, and the next run with the same equations begins
 * as a copy. */
#ifndef CORE_RUN_ROOM_H
#define CORE_RUN_ROOM_H

#include "core/run/state/run_state.h"

/* For a simulation's `room`. */
RunRoom *run_room_new(void);       /* NULL: out of memory */
void run_room_free(RunRoom *room); /* NULL is fine */

/* Where the run of a simulation is to be: in its room, or else in `own`. */
Run *run_room_place(Simulation *simulation, Run *own);

/* The memory of the run before. */
void run_room_enter(Run *run, RunRoom *room);
/* What the next run may have: the memory, the equations, and the programs of ends of steps. */
void run_room_leave(Run *run, RunRoom *room);

/* What equations and programs that were left are to be renewed with; NULL: they have the parameters
 * of the simulation. */
const double *run_room_new_params(const RunRoom *room, const Simulation *simulation);

/* Keeps a run as it is; one that would have to release more than its memory is not kept. */
void run_room_keep(RunRoom *room, const Run *run);
/* Begins a run as the one that was kept; false where it is to be made anew. */
bool run_room_repeat(RunRoom *room, Run *run, const Simulation *simulation,
                     const SimulationSink *sink);

#endif
