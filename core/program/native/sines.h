/* The sine and cosine without a call: the operations of vec_sincos()
 * (core/program/vector/vec_sines.h) in the same order, hence the same bits. If a lane's angle is
 * too large or NaN, vec_sincos() itself is called. The code of that call is behind the end of the
 * normal code, with one common function that saves all registers. Private to
 * core/program/native. */
#ifndef CORE_PROGRAM_NATIVE_SINES_H
#define CORE_PROGRAM_NATIVE_SINES_H

#include "core/program/native/registers.h"

/* Labels and registers of one call behind the code. */
typedef struct SinesAway {
    size_t jump, back; /* the jump to it, and the place to return to with both results */
    int x, sine, cosine;
} SinesAway;

void put_sines(Translator *t, uint32_t now, const NativeStep *step);
/* Writes the calls behind the end of the code. */
void put_sines_away(Translator *t);
/* Bytes on the stack for code with sines: all registers, an angle, a sine and a cosine. */
int32_t sines_stack_bytes(Vectors vectors);

#endif
