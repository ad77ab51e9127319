/* Sines and cosines of vectors with FMA instructions (sines.h), for vec_functions.h. */
#ifndef CORE_PROGRAM_VECTOR_VEC_SINES_H
#define CORE_PROGRAM_VECTOR_VEC_SINES_H

#include <math.h>
#include <stddef.h>

#include "core/program/vector/sines.h"

#define SINES_NUMBER(number) number

/* c[0] + c[1] z + .. c[5] z^5 */
static inline Vec vec_sines_polynomial(const double c[static SINES_TERMS], Vec z, Vec z2)
{
    const Vec low = vec_fused(vec_set(c[1]), z, vec_set(c[0]));
    const Vec middle = vec_fused(vec_set(c[3]), z, vec_set(c[2]));
    const Vec high = vec_fused(vec_set(c[5]), z, vec_set(c[4]));
    return vec_fused(vec_fused(high, z2, middle), z2, low);
}

/* For angles that are too large or NaN. */
static __attribute__((noinline, cold, unused)) void vec_sines_far(const double *x, double *to_sine,
                                                                  double *to_cosine)
{
    for (size_t k = 0; k < VEC_LANES; k++)
        if (!(fabs(x[k]) < SINES_MOST)) {
            const Sleef_double_2 pair = Sleef_finz_sincosd1_u10purecfma(x[k]);
            to_sine[k] = pair.x;
            to_cosine[k] = pair.y;
        }
}

static inline void vec_sincos(Vec x, Vec *ret_sine, Vec *ret_cosine)
{
    static const double PARTS[SINES_PARTS] = {SINES_PARTS_LIST(SINES_NUMBER)};
    static const double SINE[SINES_TERMS] = {SINES_SINE_LIST(SINES_NUMBER)};
    static const double COSINE[SINES_TERMS] = {SINES_COSINE_LIST(SINES_NUMBER)};
    const Vec one = vec_set(1.0), second = vec_set(PARTS[1]);

    /* remove n quarter turns from x, which leaves r + rest */
    const Vec turns = x * vec_set(SINES_TWO_OVER_PI) + vec_set(SINES_WHOLE);
    const Vec n = turns - vec_set(SINES_WHOLE);
    const Vec first = vec_fused(n, vec_set(PARTS[0]), x), part = n * second;
    const Vec rounding = vec_fused(n, vec_set(PARTS[2]), vec_fused_less(n, second, part));
    const Vec r = first + part, rest = first - r + part + rounding;

    /* the small terms: the rounding error of 1 - half, and the rest times the derivatives */
    const Vec z = r * r, z2 = z * z, half = vec_set(0.5) * z, cosine = one - half;
    const Vec sine_rest = vec_fused_from(rest, half, rest);
    const Vec cosine_rest = vec_fused_from(one - cosine - half, r, rest);

    const Vec s = r + vec_fused(z * r, vec_sines_polynomial(SINE, z, z2), sine_rest);
    const Vec c = cosine + vec_fused(z2, vec_sines_polynomial(COSINE, z, z2), cosine_rest);
    /* the sine of 0 is 0 with the same sign */
    vec_quadrant(turns, vec_select(vec_mask_equal(x, vec_set(0.0)), x, s), c, ret_sine, ret_cosine);

    if (!vec_mask_all(vec_mask_less(vec_abs(x), vec_set(SINES_MOST)))) {
        double from[VEC_LANES], to_sine[VEC_LANES], to_cosine[VEC_LANES];
        vec_store(from, x);
        vec_store(to_sine, *ret_sine);
        vec_store(to_cosine, *ret_cosine);
        vec_sines_far(from, to_sine, to_cosine);
        *ret_sine = vec_load(to_sine);
        *ret_cosine = vec_load(to_cosine);
    }
}

static inline Vec vec_sin(Vec x)
{
    Vec sine, cosine;
    vec_sincos(x, &sine, &cosine);
    return sine;
}

static inline Vec vec_cos(Vec x)
{
    Vec sine, cosine;
    vec_sincos(x, &sine, &cosine);
    return cosine;
}

#undef SINES_NUMBER

#endif
