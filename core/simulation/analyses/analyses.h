/* Inside core/simulation/: the analyses a job or a request for a model's structure asks for. */
#ifndef CORE_SIMULATION_ANALYSES_ANALYSES_H
#define CORE_SIMULATION_ANALYSES_ANALYSES_H

#include "core/invariants/analysis.h"
#include "core/job.h"
#include "core/simulation/compiled.h"

typedef struct ChosenAnalysis {
    const Analysis *analysis;
    const Value *options; /* NULL: none */
} ChosenAnalysis;

/* Analyses that need a run of their own; the others are in core/invariants/analyses.h. */
extern const Analysis analysis_action;
extern const Analysis analysis_equilibria;
extern const Analysis analysis_floquet;
extern const Analysis analysis_lyapunov;

/* Of all analyses, by name; NULL when there is none. */
const Analysis *analyses_find(const char *name);

/* Those of the job (in its order), or the default ones; options are borrowed from the spec.
 * Mistakes go to diag. */
Status analyses_choose(const Model *model, const JobSpec *spec, Arena *arena,
                       ChosenAnalysis **ret_chosen, size_t *ret_n, Diagnostics *diag,
                       Error *err) MUST_CHECK;

/* The random admissible states that the analyses share. */
Status analyses_make_states(AnalysisContext *context, Error *err) MUST_CHECK;

Status analyses_run(const AnalysisContext *context, const ChosenAnalysis *chosen, size_t n,
                    Findings *findings, Error *err) MUST_CHECK;

#endif
