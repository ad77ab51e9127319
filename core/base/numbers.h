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

/* EACH(k) for k = n - 1, .., 0. */
#define NUMBERS_EACH(n, EACH)             \
    switch (n) {                          \
    default:                              \
        for (size_t k_ = (n); k_-- > 16;) \
            EACH(k_);                     \
        __attribute__((fallthrough));     \
    case 16:                              \
        EACH(15);                         \
        __attribute__((fallthrough));     \
    case 15:                              \
        EACH(14);                         \
        __attribute__((fallthrough));     \
    case 14:                              \
        EACH(13);                         \
        __attribute__((fallthrough));     \
    case 13:                              \
        EACH(12);                         \
        __attribute__((fallthrough));     \
    case 12:                              \
        EACH(11);                         \
        __attribute__((fallthrough));     \
    case 11:                              \
        EACH(10);                         \
        __attribute__((fallthrough));     \
    case 10:                              \
        EACH(9);                          \
        __attribute__((fallthrough));     \
    case 9:                               \
        EACH(8);                          \
        __attribute__((fallthrough));     \
    case 8:                               \
        EACH(7);                          \
        __attribute__((fallthrough));     \
    case 7:                               \
        EACH(6);                          \
        __attribute__((fallthrough));     \
    case 6:                               \
        EACH(5);                          \
        __attribute__((fallthrough));     \
    case 5:                               \
        EACH(4);                          \
        __attribute__((fallthrough));     \
    case 4:                               \
        EACH(3);                          \
        __attribute__((fallthrough));     \
    case 3:                               \
        EACH(2);                          \
        __attribute__((fallthrough));     \
    case 2:                               \
        EACH(1);                          \
        __attribute__((fallthrough));     \
    case 1:                               \
        EACH(0);                          \
        __attribute__((fallthrough));     \
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
