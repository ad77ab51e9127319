/* Inside core/run/: the evidence as it was at the samples, the worst since the one before,
 * for a sink that takes it. */
#ifndef CORE_RUN_TELL_INSTANTS_H
#define CORE_RUN_TELL_INSTANTS_H

#include "core/run/state/run_state.h"

/* If the sink asks for it; of r constraints. Arrays are the arena's. */
void instants_init(Instants *instants, size_t r, Arena *memory);
/* The evidence of a step belongs to the first sample at or behind its end. Only if the sink asks:
 * instants.held. */
void instants_step(RunEvidence *evidence, double t, double h);
Status instants_sample(RunEvidence *evidence, RunRows *rows, double t, Error *err) MUST_CHECK;
/* The last of them, which waits for the end of its step. */
Status instants_end(RunEvidence *evidence, RunRows *rows, Error *err) MUST_CHECK;

#endif
