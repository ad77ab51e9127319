/* Open addressing: at least half of the places stay empty. */
#include "core/base/name_set.h"

#include <string.h>

#include "core/base/hash.h"

NameSet name_set(size_t most, Arena *arena)
{
    size_t size = 2;

    while (size < 2 * most)
        size *= 2;
    return (NameSet){ARENA_NEW(arena, size, const char *), size};
}

bool name_set_add(NameSet *set, const char *name)
{
    if (!name || !set->places)
        return true;
    size_t k = (size_t)hash_quick(name, strlen(name)) & (set->size - 1);

    while (set->places[k] && strcmp(set->places[k], name) != 0)
        k = (k + 1) & (set->size - 1);
    if (set->places[k])
        return false;
    set->places[k] = name;
    return true;
}
