/* Copies and compares a few numbers, each by itself. If numbers were just stored one by one,
 * memcpy() and memcmp(), which read several at once, wait until all of them have left the
 * processor's store buffer. All later work waits, too. Single loads get the stored values at once.
 * Up to sixteen numbers, more than most states have, are written out, and a jump leads among them,
 * because processors mispredict the end of a short loop. */
#ifndef CORE_BASE_NUMBERS_H
#define CORE_BASE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* EACH(k), then those below. */
#define NUMBERS_FROM(k, EACH) \
    case (k) + 1:             \
        EACH(k);              \
        __attribute__((fallthrough));

/* EACH(k) for k = n - 1, .., 0. */
#define NUMBERS_EACH(n, EACH)             \
    switch (n) {                          \
    default:                              \
        for (size_t k_ = (n); k_-- > 16;) \
            EACH(k_);                     \
        __attribute__((fallthrough));     \
        NUMBERS_FROM(15, EACH)            \
        NUMBERS_FROM(14, EACH)            \
        NUMBERS_FROM(13, EACH)            \
        NUMBERS_FROM(12, EACH)            \
        NUMBERS_FROM(11, EACH)            \
        NUMBERS_FROM(10, EACH)            \
        NUMBERS_FROM(9, EACH)             \
        NUMBERS_FROM(8, EACH)             \
        NUMBERS_FROM(7, EACH)             \
        NUMBERS_FROM(6, EACH)             \
        NUMBERS_FROM(5, EACH)             \
        NUMBERS_FROM(4, EACH)             \
        NUMBERS_FROM(3, EACH)             \
        NUMBERS_FROM(2, EACH)             \
        NUMBERS_FROM(1, EACH)             \
        NUMBERS_FROM(0, EACH)             \
    case 0:                               \
        break;                            \
    }

static inline void numbers_copy(double *to, const double *from, size_t n)
{
    /* volatile: keeps the compiler from making a memcpy() of it */
    const volatile double *each = from;

#define COPY(k) (to[k] = each[k])
    NUMBERS_EACH(n, COPY)
#undef COPY
}

static inline uint64_t numbers_differ(double a, double b)
{
    uint64_t x, y;

    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x ^ y;
}

/* Compares the bits. */
static inline bool numbers_are_same(const double *a, const double *b, size_t n)
{
    uint64_t differ = 0;

#define COMPARE(k) (differ |= numbers_differ(a[k], b[k]))
    NUMBERS_EACH(n, COMPARE)
#undef COMPARE
    return differ == 0;
}

#endif
