/* Blocks of sums, of the ends of steps and of one lane, for the instruction set that the
 * including file is compiled for. */
#ifndef CORE_INTEGRATE_COMBINE_BLOCKS_H
#define CORE_INTEGRATE_COMBINE_BLOCKS_H

#include <float.h>

#include "core/integrate/combine.h"
#include "core/program/blocks.h"

/* One block of a sum. The number of terms is known to the compiler. */
static inline __attribute__((always_inline)) Block sum_block(const size_t n, const StageSum *sum,
                                                             size_t i)
{
    Block s = sum->w[0] * *block_at(sum->k[0], i);
#pragma GCC unroll 12
    for (size_t j = 1; j < n; j++)
        s += sum->w[j] * *block_at(sum->k[j], i);
    return s;
}

/* One lane by blocks of rows. Of the last block `n` numbers are there. */
static inline __attribute__((always_inline)) Block gathered(const double *from)
{
    Block block;
#pragma GCC unroll 8
    for (size_t j = 0; j < BLOCK; j++)
        block[j] = from[j];
    return block;
}

typedef double BlockPair __attribute__((vector_size(16), aligned(8), may_alias));

static inline __attribute__((always_inline)) void put_first(double *to, const Block *block,
                                                            size_t n)
{
    if (n >= BLOCK) {
        *block_of(to, 0) = *block;
        return;
    }
#pragma GCC unroll 4
    for (size_t j = 0; j < BLOCK; j += 2)
        if (n >= j + 2)
            *(BlockPair *)(void *)(to + j) = (BlockPair){(*block)[j], (*block)[j + 1]};
        else if (n > j)
            to[j] = (*block)[j];
}

/* sum + squares[0] + squares[1] + ... */
static inline __attribute__((always_inline)) double add_first(double sum, const Block *squares,
                                                              size_t n)
{
#pragma GCC unroll 8
    for (size_t j = 0; j < BLOCK; j++)
        if (j < n)
            sum += (*squares)[j];
    return sum;
}

/* Knuth's two-sum: the rounding error of the addition, exactly. */
static inline __attribute__((always_inline)) void advance_block(const StepEndSum *n, size_t i,
                                                                const Block *slope, const Block *h,
                                                                Block *ret_sum, Block *ret_carry)
{
    const Block y = *block_at(n->y, i);
    const Block d = *h * *slope + *block_at(n->carry, i);
    const Block sum = y + d, part = sum - y;
    *ret_sum = sum;
    *ret_carry = (y - (sum - part)) + (d - part);
}

#endif
