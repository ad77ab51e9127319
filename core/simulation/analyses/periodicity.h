/* Inside core/simulation/: whether equations of motion repeat in time, and whether they are linear: tried at
 * random admissible states, which tells what is not so, and proved on the expressions. */
#ifndef CORE_SIMULATION_ANALYSES_PERIODICITY_H
#define CORE_SIMULATION_ANALYSES_PERIODICITY_H

#include "core/simulation/analyses/local.h"

typedef struct Repetition {
    double change; /* of the rates from t to t + period, relative to their size: the largest met */
    bool autonomous; /* the rates do not depend on time at all */
    bool linear;     /* nor their derivatives on the state */
    size_t states;   /* tried */
} Repetition;

/* units [2 n]: in which deviations dq and dv are of one size, velocities over a time of the period. */
Status local_repetition(Local *local, const AnalysisContext *context, double period,
                        const double *units, Repetition *ret, Error *err) MUST_CHECK;

/* *ret_periodic: the equations at t + period are those at t: time occurs in none of them, or in sines, cosines and tangents
 * alone, and these leave the equations what they are (the period being a number, to rounding). *ret_linear: they are linear in
 * the state, M and A without it. By exact tests with the job's parameters; false where nothing is proved. */
Status local_repetition_proof(const AnalysisContext *context, double period, bool *ret_periodic,
                              bool *ret_linear, Error *err) MUST_CHECK;

#endif
