/* Allocation whose size arithmetic cannot overflow. */
#include "core/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *alloc_array(size_t n, size_t size)
{
    return n ? calloc(n, size) : calloc(1, 1);
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

    /* the pointer is copied as bytes, since its type is unknown */
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, wanted * size);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

void clear_bytes(void *bytes, size_t n)
{
    enum { PIECE = 1024 };
    char *at = bytes;

    for (; n > PIECE; n -= PIECE, at += PIECE)
        memset(at, 0, PIECE);
    memset(at, 0, n);
}
