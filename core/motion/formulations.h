/* The formulations by name: a visible table; adding one is one file and one row. */
#ifndef CORE_MOTION_FORMULATIONS_H
#define CORE_MOTION_FORMULATIONS_H

#include <stddef.h>

typedef struct Formulation Formulation;

/* NULL when there is none of this name. */
const Formulation *formulation_find(const char *name);

/* The names clients may write, for messages and checks. */
size_t formulation_names(const char *const **ret_names);

#endif
