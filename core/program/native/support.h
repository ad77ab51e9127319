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

typedef struct NativeSupport {
    uint64_t sign[8], magnitude[8]; /* the bit of the sign; all others */
    double one[8], minus_one[8], zero[8];
    NativeCall *calls[OP_END];
} NativeSupport;

extern const NativeSupport native_support_one_avx2, native_support_lanes_avx2,
    native_support_lanes_avx512;

#define NATIVE_EIGHT(x)        \
    {                          \
        x, x, x, x, x, x, x, x \
    }
#define NATIVE_NUMBERS                                                          \
    .sign = NATIVE_EIGHT(1ULL << 63), .magnitude = NATIVE_EIGHT(~(1ULL << 63)), \
    .one = NATIVE_EIGHT(1.0), .minus_one = NATIVE_EIGHT(-1.0), .zero = NATIVE_EIGHT(0.0)

static inline const NativeSupport *native_support(Vectors vectors)
{
    return vectors == VECTORS_ONE    ? &native_support_one_avx2
           : vectors == VECTORS_FOUR ? &native_support_lanes_avx2
                                     : &native_support_lanes_avx512;
}

#endif
