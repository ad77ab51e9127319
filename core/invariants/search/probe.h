/* A model at other random states, and with other parameters. */
#ifndef CORE_INVARIANTS_SEARCH_PROBE_H
#define CORE_INVARIANTS_SEARCH_PROBE_H

#include "core/invariants/analysis.h"

/* Its states are in a range at least 4 wide and 1 long, even if the motion is short: near one
 * place too many functions look alike. States with the largest accelerations, near which the
 * equations degenerate, are left out. */
typedef struct Probe {
    AnalysisContext context;
    double *params;
    ModelEval *eval;
    Arena *arena;
} Probe;

/* `wider`: a factor for the range. Parameters NULL: the same ones. Fewer states than requested
 * if they are hard to find. probe_done() in any case. */
Status probe_init(Probe *probe, const AnalysisContext *context, const double *params, size_t states,
                  double wider, uint64_t seed, Error *err) MUST_CHECK;
void probe_done(Probe *probe);

#endif
