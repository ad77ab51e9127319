/* The table of the formulations, looked up by name. */
#include "core/motion/formulations.h"

#include <string.h>

static const char *const NAMES[] = {
#define FORMULATION_NAME(name, object) name,
    FORMULATION_LIST(FORMULATION_NAME)
#undef FORMULATION_NAME
};

static const Formulation *const FORMULATIONS[] = {
#define FORMULATION_OBJECT(name, object) &(object),
    FORMULATION_LIST(FORMULATION_OBJECT)
#undef FORMULATION_OBJECT
};

enum { N_FORMULATIONS = sizeof NAMES / sizeof NAMES[0] };

const Formulation *formulation_find(const char *name)
{
    for (size_t i = 0; i < N_FORMULATIONS; i++)
        if (strcmp(NAMES[i], name) == 0)
            return FORMULATIONS[i];
    return NULL;
}

size_t formulation_names(const char *const **ret_names)
{
    *ret_names = NAMES;
    return N_FORMULATIONS;
}
