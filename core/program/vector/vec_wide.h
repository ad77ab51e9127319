/* Operations that instruction sets with several lanes name alike, for their Vec, VecMask,
 * VEC_MM(name), an intrinsic of their width, and VEC_COMPARE(how, a, b), a mask. */
#ifndef CORE_PROGRAM_VECTOR_VEC_WIDE_H
#define CORE_PROGRAM_VECTOR_VEC_WIDE_H

#include <stdint.h>

/* The bits of a vector. */
typedef int64_t VecBits __attribute__((vector_size(sizeof(Vec))));

#ifdef __FMA__
/* The conditions of VEC_COMPARE by their names. */
enum {
    VEC_lt = _CMP_LT_OQ,
    VEC_le = _CMP_LE_OQ,
    VEC_eq = _CMP_EQ_OQ,
    VEC_unord = _CMP_UNORD_Q,
};
#endif

static inline Vec vec_load(const double *from)
{
    return VEC_MM(loadu_pd)(from);
}

static inline void vec_store(double *to, Vec a)
{
    VEC_MM(storeu_pd)(to, a);
}

static inline Vec vec_set(double a)
{
    return VEC_MM(set1_pd)(a);
}

static inline Vec vec_sqrt(Vec a)
{
    return VEC_MM(sqrt_pd)(a);
}

static inline VecMask vec_mask_less(Vec a, Vec b)
{
    return VEC_COMPARE(lt, a, b);
}

static inline VecMask vec_mask_less_equal(Vec a, Vec b)
{
    return VEC_COMPARE(le, a, b);
}

static inline VecMask vec_mask_equal(Vec a, Vec b)
{
    return VEC_COMPARE(eq, a, b);
}

static inline VecMask vec_mask_nan(Vec a)
{
    return VEC_COMPARE(unord, a, a);
}

#ifdef __FMA__
/* See vec_scalar.h. */
static inline Vec vec_fused(Vec a, Vec b, Vec c)
{
    return VEC_MM(fmadd_pd)(a, b, c);
}

static inline Vec vec_fused_less(Vec a, Vec b, Vec c)
{
    return VEC_MM(fmsub_pd)(a, b, c);
}

static inline Vec vec_fused_from(Vec a, Vec b, Vec c)
{
    return VEC_MM(fnmadd_pd)(b, c, a);
}

static inline void vec_quadrant(Vec turns, Vec s, Vec c, Vec *ret_sine, Vec *ret_cosine)
{
    const VecBits bits = (VecBits)turns, sine = (VecBits)s, cosine = (VecBits)c;
    const VecBits changed = (sine ^ cosine) & -(bits & 1);
    *ret_sine = (Vec)(sine ^ changed ^ (bits << 62 & INT64_MIN));
    *ret_cosine = (Vec)(cosine ^ changed ^ ((bits << 62 ^ bits << 63) & INT64_MIN));
}
#endif

/* See vec_scalar.h. */
static inline Vec vec_exact_scale(Vec a)
{
    const int64_t unit = (int64_t)1 << 52;
    const VecBits exponent = 2046 * unit - ((VecBits)a & 2047 * unit), small = exponent < unit;
    return (Vec)((exponent & ~small) | (unit & small));
}

#ifndef __AVX512F__ /* a mask is a vector */
static inline Vec vec_abs(Vec a)
{
    return VEC_MM(andnot_pd)(vec_set(-0.0), a);
}

static inline VecMask vec_mask_or(VecMask a, VecMask b)
{
    return VEC_MM(or_pd)(a, b);
}

static inline bool vec_mask_any(VecMask a)
{
    return VEC_MM(movemask_pd)(a) != 0;
}
#endif

#endif
