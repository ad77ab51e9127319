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

static inline void vec_quadrant(Vec turns, Vec s, Vec c, Vec *ret_sine, Vec *ret_cosine)
{
    const __m512i bits = _mm512_castpd_si512(turns);
    const __m512i shifted = _mm512_slli_epi64(bits, 63);
    const VecMask is_odd = _mm512_movepi64_mask(shifted);
    const Vec odd = _mm512_castsi512_pd(shifted);
    const Vec two = _mm512_castsi512_pd(_mm512_slli_epi64(bits, 62)), sign = _mm512_set1_pd(-0.0);
    *ret_sine = _mm512_xor_pd(vec_select(is_odd, c, s), _mm512_and_pd(two, sign));
    *ret_cosine =
        _mm512_xor_pd(vec_select(is_odd, s, c), _mm512_and_pd(_mm512_xor_pd(odd, two), sign));
}

/* See vec_scalar.h. */
static inline Vec vec_exact_scale(Vec a)
{
    const __m512i field = _mm512_set1_epi64(0x7ff0000000000000);
    const __m512i bits = _mm512_and_si512(_mm512_castpd_si512(a), field);
    const __m512i exponent = _mm512_sub_epi64(_mm512_set1_epi64(0x7fe0000000000000), bits);
    const VecMask special = _mm512_cmpeq_epi64_mask(bits, field);
    const Vec least = _mm512_castsi512_pd(_mm512_set1_epi64(0x0010000000000000));
    return vec_select(special, least, _mm512_castsi512_pd(exponent));
}

#define VEC_SLEEF(name, ulp) Sleef_finz_##name##d8_##ulp##avx512f
#define VEC_SLEEF_PAIR Sleef___m512d_2

#include "core/program/vector/vec_functions.h"

#endif
