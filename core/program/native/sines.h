/* The sine and cosine without a call: the operations of vec_sincos()
 * (core/program/vector/vec_sines.h) in the same order, hence its bits. If a lane's angle is too
 * large for them, or no number, vec_sincos() itself is called: that stands out of the way, behind
 * the end of the code, and what saves all registers for it once for all. Private to
 * core/program/native. */
#ifndef CORE_PROGRAM_NATIVE_SINES_H
#define CORE_PROGRAM_NATIVE_SINES_H

#include "core/program/native/registers.h"

/* Where what is out of the way finds and leaves what. */
typedef struct SinesAway {
    size_t jump, back; /* the jump to it, and where it leads back to, with both results */
    int x, sine, cosine;
} SinesAway;

void put_sines(Translator *t, uint32_t now, const NativeStep *step);
/* What is out of the way, behind the end of the code. */
void put_sines_away(Translator *t);
/* Room on the stack of code that has sines: all registers, an angle, a sine and a cosine. */
int32_t sines_stack_bytes(Vectors vectors);

#endif
