/* The names of blocks.h for one motion: a block is a number, and a condition is 0 or not; a mask
 * that is given to a rule is 0 or -1. Such a rule costs no more than one written for a number. A
 * file includes either this header or blocks.h before the rules. */
#ifndef CORE_PROGRAM_BLOCK_OF_ONE_H
#define CORE_PROGRAM_BLOCK_OF_ONE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef double Block;
typedef int64_t BlockMask;
enum { BLOCK = 1 };

/* A function on blocks: always inline, so that blocks stay in registers. */
#define RULE static inline __attribute__((always_inline))

static inline const Block *block_at(const double *array, size_t i)
{
    return array + i;
}

static inline Block *block_of(double *array, size_t i)
{
    return array + i;
}

#define BLOCK_ABSOLUTE(a) fabs(a)
#define BLOCK_NOT(mask) (!(mask))
/* mask ? a : b */
#define BLOCK_SELECT(mask, a, b) ((mask) ? (a) : (b))
/* a > b ? a : b */
#define BLOCK_LARGER(a, b) BLOCK_SELECT((a) > (b), a, b)
/* a < b ? a : b */
#define BLOCK_SMALLER(a, b) BLOCK_SELECT((a) < (b), a, b)
#define BLOCK_FINITE(a) isfinite(a)
#define BLOCK_SQRT(a) sqrt(a)

static inline bool block_any(const BlockMask *mask)
{
    return *mask != 0;
}

/* Stores the value if the condition holds. */
static inline void block_put(double *array, size_t i, const BlockMask *mask, const Block *value)
{
    array[i] = *mask ? *value : array[i];
}

#endif
