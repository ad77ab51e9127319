/* What vectors the CPU has, and the kernel for the widest, of those compiled once for each instruction set (blocks.h). */
#ifndef CORE_PROGRAM_KERNELS_H
#define CORE_PROGRAM_KERNELS_H

/* A build with WITHOUT_AVX512 is what a CPU without it would run (make BUILD=avx2). */
#if defined WITHOUT_AVX512
#define CPU_HAS_AVX512 0
#else
#define CPU_HAS_AVX512                                                          \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && \
     __builtin_cpu_supports("avx512vl"))
#endif
#define CPU_HAS_AVX2 (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))

#define KERNEL_BEST(name) \
    (CPU_HAS_AVX512 ? &name##_avx512 : CPU_HAS_AVX2 ? &name##_avx2 : &name##_sse2)

#endif
