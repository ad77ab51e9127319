/* The names that were met so far: a look tells whether one is new, however many there are. */
#ifndef CORE_BASE_NAME_SET_H
#define CORE_BASE_NAME_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

typedef struct NameSet {
    const char **places; /* `size` of them, a power of two; NULL: there was no memory */
    size_t size;
} NameSet;

/* With room for this number of names, in the arena, which is to be asked for failure. */
NameSet name_set(size_t most, Arena *arena);
/* Adds a name, which is borrowed. False: it is there already. NULL counts as new, and so does any
 * name where there was no memory. */
bool name_set_add(NameSet *set, const char *name);

#endif
