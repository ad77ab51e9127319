/* Inside core/simulation/: what analyses cost, as far as that can be told before a run: counted in
 * operations of programs, as the cost of the run is. */
#ifndef CORE_SIMULATION_ANALYSES_COST_H
#define CORE_SIMULATION_ANALYSES_COST_H

#include "core/simulation/analyses/analyses.h"

/* What a cost is estimated from. */
struct CostQuestion {
    const Model *model;
    const double *params;
    const Value *options; /* of the analysis; NULL: none */
    size_t dimension;     /* of the constraint manifold */
    double span, rtol;    /* |time| of the run, its tolerance */
    double evaluations;   /* of the equations of motion in the run; 0: not known */
    double operations;    /* of one of them */
    Arena *arena;
};

/* Of a motion of its own, so long and at this tolerance, with so many columns of its linearisation;
 * 0: not known. */
double cost_of_motion(const CostQuestion *question, double duration, double rtol, double columns);
/* Deriving and compiling the linearised equations. */
double cost_of_linearising(const CostQuestion *question);
/* Of one search for an equilibrium. */
double cost_of_equilibrium(const CostQuestion *question);

#endif
