/* The kernels of DOP853 that this CPU can run. */
#ifndef TESTS_CORE_INTEGRATE_KERNELS_H
#define TESTS_CORE_INTEGRATE_KERNELS_H

#include "core/integrate/dop853_kernel.h"
#include "core/program/kernels.h"

enum { TABLES = 3 };

static inline size_t dop853_kernels(const Dop853Kernel *ret[TABLES])
{
    const Dop853Kernel *best = KERNEL_BEST(dop853);
    size_t n = 0;
    ret[n++] = &dop853_sse2;
    if (best != &dop853_sse2)
        ret[n++] = &dop853_avx2;
    if (best == &dop853_avx512)
        ret[n++] = &dop853_avx512;
    return n;
}

#endif
