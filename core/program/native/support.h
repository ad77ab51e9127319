/* What compiled code finds outside itself: numbers that are not the program's, and functions of the C compiler. One table for each
 * width of vectors; its address is an argument, so that code holds none. Private to core/program/native. */
#ifndef CORE_PROGRAM_NATIVE_SUPPORT_H
#define CORE_PROGRAM_NATIVE_SUPPORT_H

#include <stddef.h>

#include "core/program/instruction.h"
#include "core/program/native/encode.h"

/* What eliminations work on. */
typedef struct NativeFrame {
    const Instruction *body;
    const uint32_t *lists;
    Rows rows;
    size_t lanes;
} NativeFrame;

/* Called as what it is:
 *   one lane     double f(double), f(double, double), SLEEF's pair of a sine and a cosine
 *   lanes        void f(const double *a, double *ret), (a, b, ret), (a, ret_sine, ret_cosine), one vector
 *   elimination  void f(const NativeFrame *, uint32_t instruction, const double *rows), rows of the lanes to do */
typedef void NativeCall(void);

/* SLEEF's coefficients, in its order (sines.h). */
typedef struct NativeSines {
    double two_over_pi, whole, half_pi[2], quarter[4], sine[6], cosine[7], most, most_long;
} NativeSines;

typedef struct NativeSupport {
    uint64_t sign[8], magnitude[8]; /* the bit of the sign; all others */
    double one[8], minus_one[8], zero[8];
    NativeSines sines;
    NativeCall *calls[OP_END];
} NativeSupport;

extern const NativeSupport native_support_one_avx2, native_support_lanes_avx2,
    native_support_lanes_avx512;

#define NATIVE_EIGHT(x)        \
    {                          \
        x, x, x, x, x, x, x, x \
    }
#define NATIVE_SINES                                                                           \
    {                                                                                          \
        .two_over_pi = 0x1.45f306dc9c883p-1, .whole = 0x1.8p52,                                \
        .half_pi = {-0x1.921fb54442d18p+0, -0x1.1a62633145c07p-54},                            \
        .quarter = {-0x1.921fb5p+0, -0x1.110b46p-26, -0x1.1a6263p-54, -0x1.8a2e03707344ap-81}, \
        .sine = {0x1.5d82500becb6bp-33,  -0x1.ae5e1e6f6f6d8p-26, 0x1.71de3503eae9cp-19,        \
                 -0x1.a01a019b64f6ap-13, 0x1.111111110f135p-7,   -0x1.5555555555542p-3},       \
        .cosine = {-0x1.8fbf9c1bdb8cep-37,                                                     \
                   0x1.1eea016409f05p-29,                                                      \
                   -0x1.27e4f8130be9cp-22,                                                     \
                   0x1.a01a019c8f025p-16,                                                      \
                   -0x1.6c16c16c14c96p-10,                                                     \
                   0x1.5555555555545p-5,                                                       \
                   -0.5},                                                                      \
        .most = 15, .most_long = 0x1p24,                                                       \
    }
#define NATIVE_NUMBERS                                                                    \
    .sign = NATIVE_EIGHT(1ULL << 63), .magnitude = NATIVE_EIGHT(~(1ULL << 63)),           \
    .one = NATIVE_EIGHT(1.0), .minus_one = NATIVE_EIGHT(-1.0), .zero = NATIVE_EIGHT(0.0), \
    .sines = NATIVE_SINES

static inline const NativeSupport *native_support(Vectors vectors)
{
    return vectors == VECTORS_ONE    ? &native_support_one_avx2
           : vectors == VECTORS_FOUR ? &native_support_lanes_avx2
                                     : &native_support_lanes_avx512;
}

#endif
