/* Allocation whose size arithmetic cannot overflow. */
#include "core/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *alloc_array(size_t n, size_t size)
{
    return n ? calloc(n, size) : calloc(1, 1);
}

void *alloc_block(size_t size, const BlockPart *parts, size_t n)
{
    size_t total = 0;

    for (size_t k = 0; k < n; k++)
        total += parts[k].count;
    char *block = alloc_array(total, size), *next = block;
    for (size_t k = 0; block && k < n; k++) {
        memcpy(parts[k].ret, &next, sizeof next);
        next += parts[k].count * size;
    }
    return block;
}

bool grow_array(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return true;
    size_t wanted = *capacity ? *capacity : 16;
    while (wanted < need) {
        if (wanted > SIZE_MAX / 2)
            return false;
        wanted *= 2;
    }
    if (wanted > SIZE_MAX / size)
        return false;

    void *old, *grown;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, wanted * size);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}
