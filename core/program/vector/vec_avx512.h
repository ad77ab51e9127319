/* Eight lanes: AVX-512 F and DQ. */
#ifndef CORE_PROGRAM_VECTOR_VEC_AVX512_H
#define CORE_PROGRAM_VECTOR_VEC_AVX512_H

#include <immintrin.h>
#include <stdbool.h>

#include <sleef.h>

typedef __m512d Vec;
typedef __mmask8 VecMask;
enum { VEC_LANES = 8 };
#define VEC_MM(name) _mm512_##name
#define VEC_COMPARE(how, a, b) _mm512_cmp_pd_mask(a, b, VEC_##how)

#include "core/program/vector/vec_wide.h"

static inline Vec vec_abs(Vec a)
{
    return _mm512_abs_pd(a);
}

static inline VecMask vec_mask_or(VecMask a, VecMask b)
{
    return (VecMask)(a | b);
}

static inline bool vec_mask_any(VecMask a)
{
    return a != 0;
}

static inline bool vec_mask_all(VecMask a)
{
    return a == 255;
}

static inline Vec vec_select(VecMask mask, Vec yes, Vec no)
{
    return _mm512_mask_blend_pd(mask, no, yes);
}

#define VEC_SLEEF(name, ulp) Sleef_finz_##name##d8_##ulp##avx512f
#define VEC_SLEEF_PAIR Sleef___m512d_2

#include "core/program/vector/vec_functions.h"

#endif
