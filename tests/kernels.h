/* Kernels that are compiled once for each instruction set (core/program/blocks.h): those that this
 * CPU can run, to be compared. */
#ifndef TESTS_KERNELS_H
#define TESTS_KERNELS_H

#include <math.h>
#include <stdint.h>

#include "core/base/random.h"
#include "core/program/kernels.h"

enum { KERNELS_MOST = 3 };

/* Fills all[KERNELS_MOST] with pointers to the tables NAME_sse2, .. ; their number. */
#define KERNELS_HERE(name, all)                                                   \
    ((all)[0] = &name##_sse2, (all)[1] = &name##_avx2, (all)[2] = &name##_avx512, \
     KERNEL_BEST(name) == &name##_avx512 ? 3                                      \
     : KERNEL_BEST(name) == &name##_avx2 ? 2                                      \
                                         : 1)

/* Numbers of very different sizes, some of them zero. */
static inline void kernels_draw(Random *random, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double size = random_uniform(random, -4, 4);
        values[i] =
            random_uniform(random, 0, 1) < 0.05 ? 0 : random_normal(random) * exp2(4 * size);
    }
}

/* Lanes that take part. */
static inline void kernels_draw_masks(Random *random, int64_t *masks, size_t lanes)
{
    for (size_t l = 0; l < lanes; l++)
        masks[l] = random_uniform(random, 0, 1) < 0.7 ? -1 : 0;
}

#endif
