/* Four lanes: AVX2 and FMA. */
#ifndef CORE_PROGRAM_VECTOR_VEC_AVX2_H
#define CORE_PROGRAM_VECTOR_VEC_AVX2_H

#include <immintrin.h>
#include <stdbool.h>

#include <sleef.h>

typedef __m256d Vec;
typedef __m256d VecMask;
enum { VEC_LANES = 4 };
#define VEC_MM(name) _mm256_##name
#define VEC_COMPARE(how, a, b) _mm256_cmp_pd(a, b, VEC_##how)

#include "core/program/vector/vec_wide.h"

static inline bool vec_mask_all(VecMask a)
{
    return _mm256_movemask_pd(a) == 15;
}

static inline Vec vec_select(VecMask mask, Vec yes, Vec no)
{
    return _mm256_blendv_pd(no, yes, mask);
}

#define VEC_SLEEF(name, ulp) Sleef_finz_##name##d4_##ulp##avx2
#define VEC_SLEEF_PAIR Sleef___m256d_2

#include "core/program/vector/vec_functions.h"

#endif
