/* Inside core/prepare/: an initial state that is given in the coordinates of the model's
 * chart. */
#ifndef CORE_PREPARE_INITIAL_CHART_H
#define CORE_PREPARE_INITIAL_CHART_H

#include "core/prepare/simulation.h"

/* Sets simulation->chart from spec->chart_q and chart_v, and q and v to the model's state there.
 * Coordinates left out are 0; velocities left out satisfy the constraints with least v.M.v
 * (Euclidean if M is not positive on them). Mistakes go to diag. */
Status initial_chart(Simulation *simulation, const JobSpec *spec, Diagnostics *diag,
                     Error *err) MUST_CHECK;

#endif
