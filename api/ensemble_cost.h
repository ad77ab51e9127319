/* Estimates the cost of an ensemble before it runs, from a few of its members. */
#ifndef API_ENSEMBLE_COST_H
#define API_ENSEMBLE_COST_H

#include "core/ensemble/ensemble.h"

/* Bytes of all stored numbers, without the rows of events: their number is unknown before the
 * run. */
double ensemble_bytes(Ensemble *ensemble, EnsembleKeep keep);

/* Samples of a member, on average. */
double ensemble_samples(Ensemble *ensemble);

/* The cost of all members: *ret is the estimate of one, with its evaluations and operations
 * multiplied. Members that cannot start count as zero; if none can start, all of *ret is 0.
 * *ret_warning: the number of tried members that cannot start, and the reason of the first; NULL:
 * all can start. */
Status ensemble_estimate(Ensemble *ensemble, Compiled *compiled, Arena *arena,
                         SimulationEstimate *ret, const char **ret_warning, Error *err) MUST_CHECK;

#endif
