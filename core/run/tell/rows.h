/* Inside core/run/: rows of the trajectory and of event tables, to the sink; and the evidence at
 * samples, the worst since the one before, for a sink that takes it. */
#ifndef CORE_RUN_TELL_ROWS_H
#define CORE_RUN_TELL_ROWS_H

#include "core/run/state/run_state.h"

/* The state looked at, y: a row of a table, -1 the trajectory. ERR_NUMERIC if a column is not
 * finite; else how the sink answers. */
Status rows_add(RunRows *rows, MotionState *at, int table, const double *y, Error *err) MUST_CHECK;
/* After the last step of a trajectory that a terminal event has ended between two samples: its last
 * row, with its evidence. */
Status rows_end(RunRows *rows, RunEvidence *evidence, const Simulation *simulation,
                Error *err) MUST_CHECK;

/* If the sink asks for it; of r constraints. Arrays are the arena's. */
void instants_init(Instants *instants, size_t r, Arena *memory);
/* The evidence of a step belongs to the first sample at or behind its end. Only if the sink asks:
 * instants.held. */
void instants_step(RunEvidence *evidence, double t, double h);
Status instants_sample(RunEvidence *evidence, RunRows *rows, double t, Error *err) MUST_CHECK;
/* The last of them, which waits for the end of its step. */
Status instants_end(RunEvidence *evidence, RunRows *rows, Error *err) MUST_CHECK;

#endif
