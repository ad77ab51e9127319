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

#define VEC_SLEEF(name, ulp) Sleef_cinz_##name##d2_##ulp##sse2
#define VEC_SLEEF_PAIR Sleef___m128d_2

#include "core/program/vector/vec_functions.h"

#endif
