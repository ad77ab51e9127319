/* Inside core/run/: stochastic arithmetic for runs of one simulation. Operands are moved by the
 * same random factors in every run, so a workspace keeps the first ones. */
#ifndef CORE_RUN_WATCH_SHAKES_H
#define CORE_RUN_WATCH_SHAKES_H

#include "core/run/state/run_state.h"

/* Of shakes that begin, always the same ones, the first ones from a table. */
void shakes_of_workspace(RunWorkspace *workspace, Shakes *shakes);

#endif
