/* Inside core/run/: the parts that the runs of one simulation share.
 *
 * Most of the work before a run has a start depends on its equations alone. The run itself, its
 * equations and its programs stay in the workspace, and the next run puts its own numbers into
 * them. */
#ifndef CORE_RUN_WORKSPACE_H
#define CORE_RUN_WORKSPACE_H

#include "core/run/state/run_state.h"

/* For a simulation's `workspace`. */
RunWorkspace *run_workspace_new(void);            /* NULL: out of memory */
void run_workspace_free(RunWorkspace *workspace); /* NULL is fine */

/* The place of the run of a simulation: in its workspace, or else `own`. */
Run *run_workspace_place(Simulation *simulation, Run *own);

/* After a run: keeps the equations and the programs of ends of steps for the next one. */
void run_workspace_leave(Run *run, RunWorkspace *workspace);

/* The parameters for equations and programs that were left; NULL: they have those of the
 * simulation. */
const double *run_workspace_new_params(const RunWorkspace *workspace, const Simulation *simulation);

/* After run_init(): the next run may begin from this one, unless it owns more than memory. */
void run_workspace_keep(RunWorkspace *workspace, const Run *run);

#endif
