/* Inside core/run/: the trust in a result, its warnings, the reason of its end, and its methods. */
#ifndef CORE_RUN_PARTS_RESULT_H
#define CORE_RUN_PARTS_RESULT_H

#include "core/prepare/simulation.h"

/* The relative error up to which a result is believed: ERROR_GROWTH tolerances, at least 1e-5. */
double result_believable(const Simulation *simulation);
/* An estimated error of a column up to this part of its size gives no warning. Fixed steps have no
 * tolerance: 1e-3. */
double result_accurate(const Simulation *simulation);
/* Returns the relative imbalance of the energy that is believed, at most 1e-2. */
double result_believable_energy(const Simulation *simulation);
/* Returns the fraction of the size of its terms that counts as the size of a column that vanishes
 * except for errors. With an error of ERROR_GROWTH tolerances of its terms, such a column is
 * just believed. With fixed steps the fraction is 1, because they have no tolerance. */
double result_share_of_terms(const Simulation *simulation);
/* Adds a warning to the result; its text lives in the simulation's arena. */
void result_warn(const Simulation *simulation, SimulationResult *result, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* How clients call the way in which a run ended: "numeric", ...; NULL for OK. */
const char *reason_name(Status status);

/* More exchanges than these are counted, not listed. */
enum { METHOD_USES = 16 };

typedef struct MethodLog {
    MethodUse uses[METHOD_USES]; /* of exchanges; the method of the start is not among them */
    size_t n;
} MethodLog;

/* From t on another method integrates; ratio: h rho, which has decided it. */
void method_log_take(MethodLog *log, const Simulation *simulation, double t,
                     const OdeMethod *method, double ratio);
/* The methods, their steps and a warning go into the result. */
void method_log_report(const MethodLog *log, const Simulation *simulation,
                       const OdeOutcome *outcome, SimulationResult *result);

#endif
