/* Data and functions outside compiled code: common numbers, and functions of the C compiler. There
 * is one table for each width of vectors. Its address is an argument, so that code contains no
 * addresses. Private to core/program/native. */
#ifndef CORE_PROGRAM_NATIVE_SUPPORT_H
#define CORE_PROGRAM_NATIVE_SUPPORT_H

#include <stddef.h>

#include "core/program/instruction.h"
#include "core/program/native/encode.h"
#include "core/program/vector/sines.h"

/* The data of eliminations. */
typedef struct NativeFrame {
    const Instruction *body;
    const uint32_t *lists;
    Rows rows;
    size_t lanes;
} NativeFrame;

/* Functions that machine code calls, by their signatures:
 *   one lane     double f(double), f(double, double)
 *   lanes        void f(const double *a, double *ret), (a, b, ret), one vector
 *   both         void f(const double *a, double *ret_sine, double *ret_cosine)
 *   elimination  void f(const NativeFrame *, uint32_t instruction, const double *rows), rows of the
 *                lanes to do */
typedef void NativeCall(void);

/* A number for each lane of the widest vector. */
typedef double NativeNumber[8];

/* The numbers of core/program/vector/sines.h. */
typedef struct NativeSines {
    NativeNumber two_over_pi, whole, parts[SINES_PARTS], half, sine[SINES_TERMS],
        cosine[SINES_TERMS], most;
} NativeSines;

typedef struct NativeSupport {
    uint64_t sign[8], magnitude[8]; /* the bit of the sign; all other bits */
    NativeNumber one, minus_one, zero;
    NativeSines sines;
    NativeCall *calls[OP_END];
} NativeSupport;

extern const NativeSupport native_support_one_avx2, native_support_lanes_avx2,
    native_support_lanes_avx512;

#define NATIVE_EIGHT(x)        \
    {                          \
        x, x, x, x, x, x, x, x \
    }
#define NATIVE_SINES                                                                          \
    {                                                                                         \
        .two_over_pi = NATIVE_EIGHT(SINES_TWO_OVER_PI), .whole = NATIVE_EIGHT(SINES_WHOLE),   \
        .parts = {SINES_PARTS_LIST(NATIVE_EIGHT)}, .half = NATIVE_EIGHT(0.5),                 \
        .sine = {SINES_SINE_LIST(NATIVE_EIGHT)}, .cosine = {SINES_COSINE_LIST(NATIVE_EIGHT)}, \
        .most = NATIVE_EIGHT(SINES_MOST),                                                     \
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
