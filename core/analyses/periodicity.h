/* Inside core/analyses/: whether equations of motion repeat in time, and whether they are
 * linear. Random admissible states refute it; exact tests on the expressions prove it. */
#ifndef CORE_ANALYSES_PERIODICITY_H
#define CORE_ANALYSES_PERIODICITY_H

#include "core/analyses/local.h"
#include "core/invariants/analysis.h"

typedef struct Repetition {
    double change; /* of the rates from t to t + period, relative to their size: the largest met */
    bool autonomous; /* the rates do not depend on time at all */
    bool linear;     /* nor their derivatives on the state */
} Repetition;

/* units [2 n]: scales in which dq and dv have one size; velocities times the time of a period. */
Status local_repetition(Local *local, const AnalysisContext *context, double period,
                        const double *units, Repetition *ret, Error *err) MUST_CHECK;

/* Builds expressions in context->pool. *ret_periodic: the equations at t + period are those at t.
 * Either time does not occur, or only in sines, cosines and tangents that leave the equations
 * unchanged (the period being a number, to rounding). *ret_linear: they are linear in the state,
 * and M and A do not contain it. By exact tests with the job's parameters; false if nothing is
 * proved. */
Status local_repetition_proof(const AnalysisContext *context, double period, bool *ret_periodic,
                              bool *ret_linear, Error *err) MUST_CHECK;

/* Why the multipliers of a periodic motion come in pairs mu, 1/mu: constraints are holonomic,
 * and forces (if any) have a potential. */
Status reversal_is_hamiltonian(const AnalysisContext *context, bool *ret, Error *err) MUST_CHECK;

/* Whether the equations of a model without constraints are invariant under time reversal: v and
 * t change their signs; or t is reflected at the first maximum of sin(a t), if time occurs only
 * in sines and cosines of whole multiples of a t. Proved; false if it is not. */
Status reversal_is_proven(const AnalysisContext *context, bool *ret, Error *err) MUST_CHECK;

#endif
