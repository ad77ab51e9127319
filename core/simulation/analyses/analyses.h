/* Inside core/simulation/: the analyses a job or a request for a model's structure asks for. */
#ifndef CORE_SIMULATION_ANALYSES_ANALYSES_H
#define CORE_SIMULATION_ANALYSES_ANALYSES_H

#include "core/invariants/analysis.h"
#include "core/job.h"

/* The run whose motion is analysed, for analyses that integrate motions of their own. */
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

/* Estimated cost in operations; 0 if it is not known in advance. *ret_reason: the work that it
 * consists of. */
typedef struct CostQuestion CostQuestion;
typedef double AnalysisCost(const CostQuestion *question, const char **ret_reason);
AnalysisCost action_cost, equilibria_cost, floquet_cost, linearise_cost, lyapunov_cost;

/* A row of the table of all analyses. */
typedef struct AnalysisRow {
    const Analysis *analysis;
    RunAnalysis *run;   /* NULL: analysis->run is called */
    AnalysisCost *cost; /* NULL: not known before; then */
    const char *work;   /* describes work that does not depend on the length of the run */
    bool integrates;    /* integrates motions, without a check for features narrower than a step */
} AnalysisRow;

/* By name; NULL when there is none. */
const AnalysisRow *analyses_find(const char *name);

typedef struct ChosenAnalysis {
    const AnalysisRow *row;
    const Value *options; /* NULL: none */
} ChosenAnalysis;

/* The analyses of the job (in its order), or the default ones. Options are borrowed from the
 * spec. Mistakes go to diag. */
Status analyses_choose(const Model *model, const JobSpec *spec, Arena *arena,
                       ChosenAnalysis **ret_chosen, size_t *ret_n, Diagnostics *diag,
                       Error *err) MUST_CHECK;

/* run NULL: of a model by itself. */
Status analyses_run(const AnalysisContext *context, const AnalysedRun *run,
                    const ChosenAnalysis *chosen, size_t n, Findings *findings,
                    Error *err) MUST_CHECK;

#endif
