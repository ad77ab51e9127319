/* The kernel for the widest vectors that the CPU has, of those compiled once for each instruction set (blocks.h). */
#ifndef CORE_PROGRAM_KERNELS_H
#define CORE_PROGRAM_KERNELS_H

#define KERNEL_BEST(name)                                                             \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&       \
             __builtin_cpu_supports("avx512vl")                                       \
         ? &name##_avx512                                                             \
     : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &name##_avx2 \
                                                                       : &name##_sse2)

#endif
