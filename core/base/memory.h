/* Checked allocation: the size arithmetic cannot overflow. */
#ifndef CORE_BASE_MEMORY_H
#define CORE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* n zeroed elements; NULL if n * size overflows or memory is out. n = 0 gives one byte, so that
 * NULL always means failure. Release with free(). */
void *alloc_array(size_t n, size_t size);

/* Grows *array (heap, elements of the given size, *capacity of them) so that it holds at least
 * `need` elements. The capacity at least doubles. On false nothing has changed. */
bool grow_array(void *array, size_t *capacity, size_t need, size_t size);

/* Sets this number of bytes to zero in pieces, by plain stores. For some thousand bytes a single
 * string instruction takes longer to start than the stores take. */
void clear_bytes(void *bytes, size_t n);

#endif
