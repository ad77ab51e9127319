/* The sine and cosine of one lane without a call: the operations that SLEEF's reproducible function for scalars with FMA does
 * where |x| < 15 (sincosd1_u10purecfma of SLEEF 3.5; N. Shibata, F. Petrogalli, IEEE Trans. Parallel Distrib. Syst. 31 (2020)
 * 1316), in the same order, with its coefficients, hence with its bits. What it decides by jumps is selected, so that nothing waits for a
 * guess. Everything else goes to SLEEF, out of the way. Private to core/program/native.
 *
 * Another version of SLEEF may do other operations: sines_agree() looks. */
#ifndef CORE_PROGRAM_NATIVE_SINES_H
#define CORE_PROGRAM_NATIVE_SINES_H

#include "core/program/native/registers.h"

/* Where the call to SLEEF for one of them finds and leaves what. */
typedef struct SinesAway {
    size_t jump, back; /* the jump to it, and where it leads back to */
    int x, sine, cosine;
    uint32_t live; /* a bit for each register that others hold */
} SinesAway;

/* Room on the stack of code that has sines: 16 registers, a sine and a cosine. */
enum { SINES_STACK_BYTES = 18 * sizeof(double) };

void put_sines(Translator *t, uint32_t now, const NativeStep *step);
/* The calls, behind the end of the code. */
void put_sines_away(Translator *t);

#endif
