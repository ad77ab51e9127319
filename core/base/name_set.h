/* The names met so far; the time to test a name does not grow with their number. */
#ifndef CORE_BASE_NAME_SET_H
#define CORE_BASE_NAME_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

typedef struct NameSet {
    const char **places; /* `size` of them, a power of two; NULL: out of memory */
    size_t size;
} NameSet;

/* An empty set with room for this number of names, in the arena. Check the arena for failure. */
NameSet name_set(size_t most, Arena *arena);
/* Adds a name, which is borrowed. False if it is there already. NULL counts as new, and so does any
 * name if memory was out. */
bool name_set_add(NameSet *set, const char *name);

#endif
