/* A few numbers copied and compared, each by itself.
 *
 * Where numbers were written one by one just before, memcpy() and memcmp(), which read several at once, wait until all of them
 * have left the processor's store buffer, and with them all that was begun meanwhile. One by one they are handed on. */
#ifndef CORE_BASE_NUMBERS_H
#define CORE_BASE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Volatile: no compiler makes memcpy() of it again. */
static inline void numbers_copy(double *to, const double *from, size_t n)
{
    const volatile double *each = from;

    for (size_t k = 0; k < n; k++)
        to[k] = each[k];
}

/* Bit by bit. */
static inline bool numbers_are_same(const double *a, const double *b, size_t n)
{
    uint64_t differ = 0, x, y;

    for (size_t k = 0; k < n; k++) {
        memcpy(&x, a + k, sizeof x);
        memcpy(&y, b + k, sizeof y);
        differ |= x ^ y;
    }
    return differ == 0;
}

#endif
