/* Inside core/: analyses that integrate motions of their own. */
#ifndef CORE_ANALYSES_ANALYSES_H
#define CORE_ANALYSES_ANALYSES_H

#include "core/invariants/analysis.h"

/* The run whose motion is analysed. */
typedef struct AnalysedRun {
    const Motion *motion;      /* NULL: none exists; one is derived if it is needed */
    MotionClass kind;          /* class of the mass matrix at the initial state */
    const double *guess;       /* motion->dim: near its state at the start; NULL: zeros */
    const double *multipliers; /* at the start, of formulations that keep them; else NULL */
    const char *impact;        /* an event that changed the state; NULL: none did */
    uint64_t max_steps;
} AnalysedRun;

/* The function of such an analysis, in place of Analysis.run. */
typedef Status RunAnalysis(const AnalysisContext *context, const AnalysedRun *run,
                           const Value *options, Findings *findings, Error *err);

extern const Analysis analysis_action;
extern const Analysis analysis_equilibria;
extern const Analysis analysis_floquet;
extern const Analysis analysis_linearise;
extern const Analysis analysis_lyapunov;
RunAnalysis action_run, equilibria_run, floquet_run, linearise_run, lyapunov_run;

/* Estimated cost in operations of programs, like that of the run; 0 if it is not known in advance.
 * *ret_reason: the work that it consists of. */
typedef struct CostQuestion CostQuestion;
typedef double AnalysisCost(const CostQuestion *question, const char **ret_reason);
AnalysisCost action_cost, equilibria_cost, floquet_cost, linearise_cost, lyapunov_cost;

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
