/* Inside core/simulation/analyses/equilibrium*.c: the conditions of an equilibrium at a state, and its moves. */
#ifndef CORE_SIMULATION_ANALYSES_EQUILIBRIUM_STATE_H
#define CORE_SIMULATION_ANALYSES_EQUILIBRIUM_STATE_H

#include "core/simulation/analyses/equilibrium.h"

/* The conditions at (q, c) with the velocity that belongs to them; returns their weighted size. */
double equilibrium_evaluate(Equilibrium *x, double t);

/* The derivatives of the conditions by q and c, at the state of the last evaluation, and units. */
Status equilibrium_differentiate(Equilibrium *x, double t, Error *err) MUST_CHECK;

/* To from + part * step, n + s each: q, then c. Nothing is evaluated there. */
void equilibrium_move(Equilibrium *x, const double *from, const double *step, double part);

#endif
