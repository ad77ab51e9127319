#include "core/invariants/analyses.h"

#include <string.h>

static const Analysis *const ANALYSES[] = {
    &analysis_energy,        &analysis_momenta,
    &analysis_reactions,     &analysis_reaction_annihilator,
    &analysis_consistency,   &analysis_structure,
    &analysis_measure,       &analysis_discovery,
    &analysis_moving_energy, &analysis_gauge_momenta,
};

const Analysis *analysis_find(const char *name)
{
    for (size_t i = 0; i < sizeof ANALYSES / sizeof ANALYSES[0]; i++)
        if (strcmp(ANALYSES[i]->name, name) == 0)
            return ANALYSES[i];
    return NULL;
}

size_t analyses(const Analysis *const **ret_analyses)
{
    *ret_analyses = ANALYSES;
    return sizeof ANALYSES / sizeof ANALYSES[0];
}
