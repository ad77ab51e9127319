/* The sine and cosine of one lane without a call: the operations that SLEEF's reproducible function for scalars with FMA does
 * where |x| < 2^24 (sincosd1_u10purecfma of SLEEF 3.5; N. Shibata, F. Petrogalli, IEEE Trans. Parallel Distrib. Syst. 31 (2020)
 * 1316), in the same order, with its coefficients, hence with its bits. From 15 on it takes quarter turns off by four numbers in place of
 * two: that stands out of the way, behind the end of the code, and so does the call of SLEEF for all else. What it decides by other
 * jumps is selected, so that nothing waits for a guess. Private to core/program/native.
 *
 * Another version of SLEEF may do other operations: sines_agree() looks. */
#ifndef CORE_PROGRAM_NATIVE_SINES_H
#define CORE_PROGRAM_NATIVE_SINES_H

#include "core/program/native/registers.h"

/* Registers of the computation. s + r is x less whole quarter turns, a its square. */
typedef struct SinesRegisters {
    int turns, rest, s, t, a, m;
} SinesRegisters;

/* Where what is out of the way finds and leaves what. */
typedef struct SinesAway {
    size_t jump, reduced,
        back; /* the jump to it, and where it leads back to: with x reduced, and with both results */
    int x, sine, cosine;
    SinesRegisters registers;
    uint32_t live; /* a bit for each register that others hold */
} SinesAway;

/* Room on the stack of code that has sines: 16 registers, a sine and a cosine. */
enum { SINES_STACK_BYTES = 18 * sizeof(double) };

void put_sines(Translator *t, uint32_t now, const NativeStep *step);
/* What is out of the way, behind the end of the code. */
void put_sines_away(Translator *t);

#endif
