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

static inline void vec_quadrant(Vec turns, Vec s, Vec c, Vec *ret_sine, Vec *ret_cosine)
{
    const __m256i bits = _mm256_castpd_si256(turns);
    const Vec odd = _mm256_castsi256_pd(_mm256_slli_epi64(bits, 63));
    const Vec two = _mm256_castsi256_pd(_mm256_slli_epi64(bits, 62)), sign = _mm256_set1_pd(-0.0);
    *ret_sine = _mm256_xor_pd(_mm256_blendv_pd(s, c, odd), _mm256_and_pd(two, sign));
    *ret_cosine =
        _mm256_xor_pd(_mm256_blendv_pd(c, s, odd), _mm256_and_pd(_mm256_xor_pd(odd, two), sign));
}

/* See vec_scalar.h. */
static inline Vec vec_exact_scale(Vec a)
{
    const __m256i field = _mm256_set1_epi64x(0x7ff0000000000000);
    const __m256i bits = _mm256_and_si256(_mm256_castpd_si256(a), field);
    const __m256i exponent = _mm256_sub_epi64(_mm256_set1_epi64x(0x7fe0000000000000), bits);
    const Vec special = _mm256_castsi256_pd(_mm256_cmpeq_epi64(bits, field));
    const Vec least = _mm256_castsi256_pd(_mm256_set1_epi64x(0x0010000000000000));
    return vec_select(special, least, _mm256_castsi256_pd(exponent));
}

#define VEC_SLEEF(name, ulp) Sleef_finz_##name##d4_##ulp##avx2
#define VEC_SLEEF_PAIR Sleef___m256d_2

#include "core/program/vector/vec_functions.h"

#endif
