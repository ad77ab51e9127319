/* Two lanes: part of every x86-64 CPU. */
#ifndef CORE_PROGRAM_VECTOR_VEC_SSE2_H
#define CORE_PROGRAM_VECTOR_VEC_SSE2_H

#include <immintrin.h>
#include <stdbool.h>

#include <sleef.h>

typedef __m128d Vec;
typedef __m128d VecMask;
enum { VEC_LANES = 2 };
#define VEC_MM(name) _mm_##name
#define VEC_COMPARE(how, a, b) _mm_cmp##how##_pd(a, b)

#include "core/program/vector/vec_wide.h"

static inline Vec vec_select(VecMask mask, Vec yes, Vec no)
{
    return _mm_or_pd(_mm_and_pd(mask, yes), _mm_andnot_pd(mask, no));
}

/* See vec_scalar.h. */
static inline Vec vec_exact_scale(Vec a)
{
    const __m128i field = _mm_set1_epi64x(0x7ff0000000000000);
    const __m128i bits = _mm_and_si128(_mm_castpd_si128(a), field);
    const __m128i exponent = _mm_sub_epi64(_mm_set1_epi64x(0x7fe0000000000000), bits);
    /* infinity and NaN are the values with a full exponent field */
    const Vec special =
        _mm_castsi128_pd(_mm_shuffle_epi32(_mm_cmpeq_epi32(bits, field), _MM_SHUFFLE(3, 3, 1, 1)));
    const Vec least = _mm_castsi128_pd(_mm_set1_epi64x(0x0010000000000000));
    return vec_select(special, least, _mm_castsi128_pd(exponent));
}

#define VEC_SLEEF(name, ulp) Sleef_cinz_##name##d2_##ulp##sse2
#define VEC_SLEEF_PAIR Sleef___m128d_2

#include "core/program/vector/vec_functions.h"

#endif
