/* Inside core/simulation/: why the multipliers of a periodic motion come in pairs mu, 1/mu. */
#ifndef CORE_SIMULATION_ANALYSES_REVERSAL_H
#define CORE_SIMULATION_ANALYSES_REVERSAL_H

#include "core/invariants/analysis.h"

/* Constraints are holonomic, and forces, if there are any, have a potential. */
Status reversal_is_hamiltonian(const AnalysisContext *context, bool *ret, Error *err) MUST_CHECK;

/* The equations of a model without constraints read the same backwards in time: with v also t changes
 * its sign, or t is mirrored where sin(a t) has its first maximum, if time occurs in sines and cosines
 * of whole multiples of an a t alone. Proved; false where it is not. */
Status reversal_is_proven(const AnalysisContext *context, bool *ret, Error *err) MUST_CHECK;

#endif
