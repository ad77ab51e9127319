/* Inside core/run/: what a result says of itself. */
#ifndef CORE_RUN_PARTS_RESULT_H
#define CORE_RUN_PARTS_RESULT_H

#include "core/prepare/simulation.h"

/* Relative errors of a result up to which it is believed: rounding and a method of the tolerance
 * asked for leave less, on motions that are not chaotic. So many tolerances, and at least 1e-5. */
static const double RESULT_TOLERANCES = 1e3;
double result_believable(const Simulation *simulation);
/* An estimated error of a column up to this part of its size gives no warning: 1e4 tolerances, at
 * least 1e-8, for an estimate has rounding errors itself, and at most 1e-3. Fixed steps have no
 * tolerance: 1e-3. */
double result_accurate(const Simulation *simulation);
/* So much may the energy be out of balance; no more than 1e-2. */
double result_believable_energy(const Simulation *simulation);
/* A column that vanishes but for errors counts as so much of what its terms are worth: off by
 * RESULT_TOLERANCES of these, it is just believed. All of it where nothing tells how accurate fixed
 * steps are. */
double result_share_of_terms(const Simulation *simulation);
/* Adds a warning to the result; the text lives in the simulation's arena, NULL is ignored. */
void result_warn(const Simulation *simulation, SimulationResult *result, const char *text);

/* How clients call the way in which a run ended: "numeric", ...; NULL for OK. */
const char *reason_name(Status status);

#endif
