/* Inside core/run/: rows of the trajectory and of event tables, to the sink. */
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

#endif
