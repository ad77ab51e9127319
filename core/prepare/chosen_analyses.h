/* Inside core/: the analyses a job or a request for a model's structure asks for. */
#ifndef CORE_PREPARE_CHOSEN_ANALYSES_H
#define CORE_PREPARE_CHOSEN_ANALYSES_H

#include "core/analyses/analyses.h"
#include "core/job.h"

/* A row of the table of all analyses. */
typedef struct AnalysisRow {
    const Analysis *analysis;
    RunAnalysis *run;   /* NULL: analysis->run is called */
    AnalysisCost *cost; /* NULL: not known before; then */
    const char *work;   /* describes work that does not depend on the length of the run */
    bool integrates;    /* integrates motions, without a check for features narrower than a step */
} AnalysisRow;

/* The analysis of this name; NULL if there is none. */
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
