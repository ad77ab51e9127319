/* The analyses of this folder, one file each; the table is core/prepare/chosen_analyses.c. */
#ifndef CORE_INVARIANTS_ANALYSES_H
#define CORE_INVARIANTS_ANALYSES_H

#include "core/invariants/analysis.h"

extern const Analysis analysis_energy;
extern const Analysis analysis_momenta;
extern const Analysis analysis_consistency;
extern const Analysis analysis_reactions;
extern const Analysis analysis_reaction_annihilator;
extern const Analysis analysis_structure;
extern const Analysis analysis_measure;
extern const Analysis analysis_discovery;
extern const Analysis analysis_moving_energy;
extern const Analysis analysis_gauge_momenta;

#endif
