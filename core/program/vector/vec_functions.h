/* The elementary functions of a vector type, from SLEEF's reproducible variants. The vec_*.h
 * headers include this file after they define VEC_SLEEF(name, ulp) and VEC_SLEEF_PAIR, SLEEF's type
 * of two vectors. With FMA instructions sines and cosines are our own (sines.h). */
#ifndef CORE_PROGRAM_VECTOR_VEC_FUNCTIONS_H
#define CORE_PROGRAM_VECTOR_VEC_FUNCTIONS_H

#define VEC_FUNCTION_1(name, ulp)       \
    static inline Vec vec_##name(Vec a) \
    {                                   \
        return VEC_SLEEF(name, ulp)(a); \
    }
#define VEC_FUNCTION_2(name, ulp)              \
    static inline Vec vec_##name(Vec a, Vec b) \
    {                                          \
        return VEC_SLEEF(name, ulp)(a, b);     \
    }

VEC_FUNCTION_1(tan, u10)
VEC_FUNCTION_1(asin, u10)
VEC_FUNCTION_1(acos, u10)
VEC_FUNCTION_1(atan, u10)
VEC_FUNCTION_1(sinh, u10)
VEC_FUNCTION_1(cosh, u10)
VEC_FUNCTION_1(tanh, u10)
VEC_FUNCTION_1(asinh, u10)
VEC_FUNCTION_1(acosh, u10)
VEC_FUNCTION_1(atanh, u10)
VEC_FUNCTION_1(exp, u10)
VEC_FUNCTION_1(log, u10)
VEC_FUNCTION_1(log10, u10)
VEC_FUNCTION_1(cbrt, u10)
VEC_FUNCTION_1(erf, u10)
VEC_FUNCTION_2(atan2, u10)
VEC_FUNCTION_2(pow, u10)
VEC_FUNCTION_2(hypot, u05)

#ifdef __FMA__
#include "core/program/vector/vec_sines.h"
#else
VEC_FUNCTION_1(sin, u10)
VEC_FUNCTION_1(cos, u10)

static inline void vec_sincos(Vec a, Vec *ret_sin, Vec *ret_cos)
{
    const VEC_SLEEF_PAIR pair = VEC_SLEEF(sincos, u10)(a);
    *ret_sin = pair.x;
    *ret_cos = pair.y;
}
#endif

/* min and max: NaN if either operand is NaN. */
static inline Vec vec_min(Vec a, Vec b)
{
    return vec_select(vec_mask_or(vec_mask_less(a, b), vec_mask_nan(a)), a, b);
}

static inline Vec vec_max(Vec a, Vec b)
{
    return vec_select(vec_mask_or(vec_mask_less(b, a), vec_mask_nan(a)), a, b);
}

/* 1 or -1; the operand itself if it is 0 or NaN. */
static inline Vec vec_sign(Vec a)
{
    const Vec zero = vec_set(0.0);
    const Vec below = vec_select(vec_mask_less(a, zero), vec_set(-1.0), a);
    return vec_select(vec_mask_less(zero, a), vec_set(1.0), below);
}

static inline Vec vec_less(Vec a, Vec b)
{
    return vec_select(vec_mask_less(a, b), vec_set(1.0), vec_set(0.0));
}

static inline Vec vec_less_equal(Vec a, Vec b)
{
    return vec_select(vec_mask_less_equal(a, b), vec_set(1.0), vec_set(0.0));
}

static inline Vec vec_equal(Vec a, Vec b)
{
    return vec_select(vec_mask_equal(a, b), vec_set(1.0), vec_set(0.0));
}

/* `yes` if the condition is not 0, else `no`. */
static inline Vec vec_if(Vec condition, Vec yes, Vec no)
{
    return vec_select(vec_mask_equal(condition, vec_set(0.0)), no, yes);
}

#endif
