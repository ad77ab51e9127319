/* Checked allocation: the size arithmetic cannot overflow, and nothing else is special. */
#ifndef CORE_BASE_MEMORY_H
#define CORE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* n zeroed elements; NULL when n * size overflows or memory is out. n = 0 gives one byte, so
 * that NULL always means failure. Release with free(). */
void *alloc_array(size_t n, size_t size);

/* Grows *array (heap, elements of the given size, *capacity of them) so that it holds at least
 * `need` elements, at least doubling. On false nothing has changed. */
bool grow_array(void *array, size_t *capacity, size_t need, size_t size);

/* A part of a block: so many elements, whose address goes to a pointer. */
typedef struct BlockPart {
    void *ret; /* address of the pointer */
    size_t count;
} BlockPart;

/* One zeroed block of elements of the given size, cut into parts that follow each other. Sets the
 * pointers; NULL, and nothing set, when memory is out. Release the block with free(), the parts
 * not at all. */
void *alloc_block(size_t size, const BlockPart *parts, size_t n);

#endif
