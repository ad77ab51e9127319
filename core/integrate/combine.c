/* Sums of stages by the widest vectors that the CPU has. */
#include "core/integrate/combine.h"

const Combine *combine_best(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return &combine_avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &combine_avx2
                                                                           : &combine_sse2;
}
