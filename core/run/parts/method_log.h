/* Inside core/run: the methods that integrated the motion, and warnings of stiffness. */
#ifndef CORE_RUN_PARTS_METHOD_LOG_H
#define CORE_RUN_PARTS_METHOD_LOG_H

#include "core/integrate/ode.h"
#include "core/prepare/simulation.h"

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
