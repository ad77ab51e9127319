/* Inside core/analyses/: why the multipliers of a periodic motion come in pairs mu, 1/mu. */
#ifndef CORE_ANALYSES_REVERSAL_H
#define CORE_ANALYSES_REVERSAL_H

#include "core/invariants/analysis.h"

/* Constraints are holonomic, and forces (if any) have a potential. */
Status reversal_is_hamiltonian(const AnalysisContext *context, bool *ret, Error *err) MUST_CHECK;

/* Whether the equations of a model without constraints are invariant under time reversal: v and
 * t change their signs; or t is reflected at the first maximum of sin(a t), if time occurs only
 * in sines and cosines of whole multiples of a t. Proved; false if it is not. */
Status reversal_is_proven(const AnalysisContext *context, bool *ret, Error *err) MUST_CHECK;

#endif
