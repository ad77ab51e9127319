/* What an ensemble will cost, as far as it can be told before it runs: by some of its members. */
#ifndef API_ENSEMBLE_COST_H
#define API_ENSEMBLE_COST_H

#include "core/ensemble/ensemble.h"

/* Of the numbers that are kept, without the rows of events, which nobody knows before. */
double ensemble_bytes(Ensemble *ensemble, EnsembleKeep keep);

/* Of a member, on the average. */
double ensemble_samples(Ensemble *ensemble);

/* Of all members: *ret is the estimate of one, its evaluations and operations multiplied; those
 * that cannot start count nothing. No estimate where none can: all is 0. *ret_warning: how many
 * cannot, and why the first of them; NULL: all that were looked at can. */
Status ensemble_estimate(Ensemble *ensemble, Compiled *compiled, Arena *arena,
                         SimulationEstimate *ret, const char **ret_warning, Error *err) MUST_CHECK;

#endif
