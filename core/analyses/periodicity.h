/* Inside core/analyses/: whether equations of motion repeat in time, and whether they are
 * linear. Random admissible states refute it; exact tests on the expressions prove it. */
#ifndef CORE_ANALYSES_PERIODICITY_H
#define CORE_ANALYSES_PERIODICITY_H

#include "core/analyses/local.h"

typedef struct Repetition {
    double change; /* of the rates from t to t + period, relative to their size: the largest met */
    bool autonomous; /* the rates do not depend on time at all */
    bool linear;     /* nor their derivatives on the state */
    size_t states;   /* tried */
} Repetition;

/* units [2 n]: scales in which dq and dv have one size; velocities times the time of a period. */
Status local_repetition(Local *local, const AnalysisContext *context, double period,
                        const double *units, Repetition *ret, Error *err) MUST_CHECK;

/* *ret_periodic: the equations at t + period are those at t. Either time does not occur, or only
 * in sines, cosines and tangents that leave the equations unchanged (the period being a number,
 * to rounding). *ret_linear: they are linear in the state, and M and A do not contain it. By
 * exact tests with the job's parameters; false if nothing is proved. */
Status local_repetition_proof(const AnalysisContext *context, double period, bool *ret_periodic,
                              bool *ret_linear, Error *err) MUST_CHECK;

#endif
