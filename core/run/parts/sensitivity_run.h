/* Inside core/run/: the columns of the sensitivities along a run. */
#ifndef CORE_RUN_PARTS_SENSITIVITY_RUN_H
#define CORE_RUN_PARTS_SENSITIVITY_RUN_H

#include "core/linear/linearised.h"
#include "core/prepare/simulation.h"

typedef struct SensitivityRun SensitivityRun;

Status sensitivity_run_new(const Simulation *simulation, SensitivityRun **ret_run,
                           Error *err) MUST_CHECK;
/* The equations of the simulation's motion take the place of those so far. */
Status sensitivity_run_renew(SensitivityRun *run, Error *err) MUST_CHECK;
void sensitivity_run_free(SensitivityRun *run); /* NULL is fine */
Linearised *sensitivity_run_motion(SensitivityRun *run);

/* Writes the columns of the start behind the state in y. */
void sensitivity_run_begin(const SensitivityRun *run, double *y);
/* The columns of a row at the observed state, whose y this is. */
void sensitivity_run_row(SensitivityRun *run, const ObservedState *state, const double *y,
                         double *ret_columns);

#endif
