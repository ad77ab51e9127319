/* A file *_kernel.c is compiled once for each instruction set, sse2, avx2 and avx512, with
 * KERNEL_LEVEL defined as its name (Makefile). Exported names end with that name. At run time the
 * kernel for the widest vectors of the CPU is chosen. */
#ifndef CORE_PROGRAM_KERNELS_H
#define CORE_PROGRAM_KERNELS_H

/* A build with WITHOUT_AVX512 runs as on a CPU without it (make BUILD=avx2). */
#if defined WITHOUT_AVX512
#define CPU_HAS_AVX512 0
#else
#define CPU_HAS_AVX512                                                          \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && \
     __builtin_cpu_supports("avx512vl"))
#endif
#define CPU_HAS_AVX2 (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))

/* for checkers that read a kernel alone */
#ifndef KERNEL_LEVEL
#define KERNEL_LEVEL sse2
#endif
#define KERNEL_PASTE(name, level) name##_##level
#define KERNEL_EXPAND(name, level) KERNEL_PASTE(name, level)
#define KERNEL_NAME(name) KERNEL_EXPAND(name, KERNEL_LEVEL)

#define KERNEL_BEST(name) \
    (CPU_HAS_AVX512 ? &name##_avx512 : CPU_HAS_AVX2 ? &name##_avx2 : &name##_sse2)

#endif
