/* Blocks of lanes for kernels that are compiled once for each instruction set (kernels.h). A block
 * is one register of numbers, with plain arithmetic element by element. So a lane's bits depend
 * neither on the width nor on other lanes. Wider vectors would pass through the stack.
 *
 * Conditions are masks, -1 for true and 0 for false. Arrays have room for whole blocks of
 * BLOCK_ROOM numbers. block_of_one.h has the same names for one motion alone. */
#ifndef CORE_PROGRAM_BLOCKS_H
#define CORE_PROGRAM_BLOCKS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined __AVX512F__
#define BLOCK_BYTES 64
#elif defined __AVX__
#define BLOCK_BYTES 32
#else
#define BLOCK_BYTES 16
#endif

#if defined __SSE2__
#include <immintrin.h>
#endif

typedef double Block __attribute__((vector_size(BLOCK_BYTES), aligned(8), may_alias));
typedef int64_t BlockMask __attribute__((vector_size(BLOCK_BYTES), aligned(8), may_alias));
enum { BLOCK = BLOCK_BYTES / sizeof(double), BLOCK_ROOM = 8 };
_Static_assert(BLOCK_ROOM % BLOCK == 0, "room for whole blocks of so many numbers");

/* A function on blocks: always inline, so that blocks stay in registers. */
#define RULE static inline __attribute__((always_inline))

static inline const Block *block_at(const double *array, size_t i)
{
    return (const Block *)(const void *)(array + i);
}

static inline Block *block_of(double *array, size_t i)
{
    return (Block *)(void *)(array + i);
}

static inline const BlockMask *block_mask_at(const int64_t *array, size_t i)
{
    return (const BlockMask *)(const void *)(array + i);
}

static inline BlockMask *block_mask_of(int64_t *array, size_t i)
{
    return (BlockMask *)(void *)(array + i);
}

/* Macros, because vectors without registers for them cannot be arguments of functions. */
#define BLOCK_ABSOLUTE(a) ((Block)((BlockMask)(a)&INT64_MAX))
#define BLOCK_NOT(mask) (~(mask))
/* mask ? a : b */
#define BLOCK_SELECT(mask, a, b) ((Block)(((mask) & (BlockMask)(a)) | (~(mask) & (BlockMask)(b))))
/* a > b ? a : b */
#define BLOCK_LARGER(a, b) BLOCK_SELECT((a) > (b), a, b)
/* a < b ? a : b */
#define BLOCK_SMALLER(a, b) BLOCK_SELECT((a) < (b), a, b)
#define BLOCK_FINITE(a) (BLOCK_ABSOLUTE(a) < (double)INFINITY)

#if defined __AVX512F__
#define BLOCK_SQRT(a) ((Block)_mm512_sqrt_pd((__m512d)(a)))
#elif defined __AVX__
#define BLOCK_SQRT(a) ((Block)_mm256_sqrt_pd((__m256d)(a)))
#elif defined __SSE2__
#define BLOCK_SQRT(a) ((Block)_mm_sqrt_pd((__m128d)(a)))
#else
static inline Block block_sqrt(Block a)
{
    for (size_t i = 0; i < BLOCK; i++)
        a[i] = sqrt(a[i]);
    return a;
}
#define BLOCK_SQRT(a) block_sqrt(a)
#endif

/* Whether the mask holds in any lane. */
static inline bool block_any(const BlockMask *mask)
{
#if defined __AVX512F__
    return _mm512_movepi64_mask((__m512i)*mask) != 0;
#elif defined __AVX__
    return _mm256_movemask_pd((__m256d)*mask) != 0;
#elif defined __SSE2__
    return _mm_movemask_pd((__m128d)*mask) != 0;
#else
    int64_t any = 0;
    for (size_t i = 0; i < BLOCK; i++)
        any |= (*mask)[i];
    return any != 0;
#endif
}

/* Stores the value in lanes of the mask. */
static inline void block_put(double *array, size_t i, const BlockMask *mask, const Block *value)
{
    *block_of(array, i) = BLOCK_SELECT(*mask, *value, *block_at(array, i));
}

#endif
