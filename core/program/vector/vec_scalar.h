/* One double as a vector of one lane, with FMA instructions if the compiler may use them. */
#ifndef CORE_PROGRAM_VECTOR_VEC_SCALAR_H
#define CORE_PROGRAM_VECTOR_VEC_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <sleef.h>

typedef double Vec;
typedef bool VecMask;
enum { VEC_LANES = 1 };

static inline Vec vec_load(const double *from)
{
    return *from;
}

static inline void vec_store(double *to, Vec a)
{
    *to = a;
}

static inline Vec vec_set(double a)
{
    return a;
}

static inline Vec vec_sqrt(Vec a)
{
    return sqrt(a);
}

static inline Vec vec_abs(Vec a)
{
    return fabs(a);
}

static inline VecMask vec_mask_less(Vec a, Vec b)
{
    return a < b;
}

static inline VecMask vec_mask_less_equal(Vec a, Vec b)
{
    return a <= b;
}

static inline VecMask vec_mask_equal(Vec a, Vec b)
{
    return a == b;
}

static inline VecMask vec_mask_nan(Vec a)
{
    return a != a;
}

static inline VecMask vec_mask_or(VecMask a, VecMask b)
{
    return a | b;
}

static inline bool vec_mask_any(VecMask a)
{
    return a;
}

static inline bool vec_mask_all(VecMask a)
{
    return a;
}

static inline Vec vec_select(VecMask mask, Vec yes, Vec no)
{
    return mask ? yes : no;
}

#ifdef __FMA__
/* a b + c, a b - c, a - b c, rounded once. */
static inline Vec vec_fused(Vec a, Vec b, Vec c)
{
    return fma(a, b, c);
}

static inline Vec vec_fused_less(Vec a, Vec b, Vec c)
{
    return fma(a, b, -c);
}

static inline Vec vec_fused_from(Vec a, Vec b, Vec c)
{
    return fma(-b, c, a);
}

/* The sine and cosine of an angle from those of the remainder after removing quarter turns. The
 * last two bits of `turns` are those of the number of quarter turns. If it is odd, sine and cosine
 * are exchanged. The sine's sign changes with bit 1 of the number, the cosine's with bit 1 of the
 * number plus one. There is no jump, because it would be mispredicted. */
static inline void vec_quadrant(Vec turns, Vec s, Vec c, Vec *ret_sine, Vec *ret_cosine)
{
    uint64_t bits, sine, cosine;
    memcpy(&bits, &turns, sizeof bits);
    memcpy(&sine, &s, sizeof sine);
    memcpy(&cosine, &c, sizeof cosine);
    const uint64_t changed = (sine ^ cosine) & -(bits & 1), sign = (uint64_t)1 << 63;
    sine ^= changed ^ (bits << 62 & sign);
    cosine ^= changed ^ ((bits << 62 ^ bits << 63) & sign);
    memcpy(ret_sine, &sine, sizeof sine);
    memcpy(ret_cosine, &cosine, sizeof cosine);
}
#endif

/* The power of two with exponent field 2046 minus a's: the reciprocal of a's magnitude up to a
 * factor of 2. Finite and positive for every a. */
static inline Vec vec_exact_scale(Vec a)
{
    int64_t bits;
    double scale;
    memcpy(&bits, &a, sizeof bits);
    int64_t exponent = 2046 - ((bits >> 52) & 2047);
    if (exponent < 1)
        exponent = 1;
    exponent <<= 52;
    memcpy(&scale, &exponent, sizeof scale);
    return scale;
}

#ifdef __FMA__
#define VEC_SLEEF(name, ulp) Sleef_finz_##name##d1_##ulp##purecfma
#else
#define VEC_SLEEF(name, ulp) Sleef_cinz_##name##d1_##ulp##purec
#endif
#define VEC_SLEEF_PAIR Sleef_double_2

#include "core/program/vector/vec_functions.h"

#endif
