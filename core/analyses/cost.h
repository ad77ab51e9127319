/* Inside core/analyses/: the cost of analyses as far as it is known before a run, in
 * operations of programs, like the cost of the run. */
#ifndef CORE_ANALYSES_COST_H
#define CORE_ANALYSES_COST_H

#include "core/analyses/analyses.h"

/* Inputs of a cost estimate. */
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

/* The cost of an own motion of this duration and tolerance, with this number of columns of its
 * linearisation; 0: not known. */
double cost_of_motion(const CostQuestion *question, double duration, double rtol, double columns);
/* Deriving and compiling the linearised equations. */
double cost_of_linearising(const CostQuestion *question);
/* Of one search for an equilibrium. */
double cost_of_equilibrium(const CostQuestion *question);

#endif
