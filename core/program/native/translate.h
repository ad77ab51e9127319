/* The body of a program as machine code. Private to core/program/native.
 *
 * One pass over the steps. An operand is in a register or is loaded into one. If no register is
 * free, the value whose next use is furthest away goes home (L. A. Belady, IBM Systems Journal 5
 * (1966) 78). Operations stay in their order and are not contracted, so results have the bits of
 * the interpreter's. */
#ifndef CORE_PROGRAM_NATIVE_TRANSLATE_H
#define CORE_PROGRAM_NATIVE_TRANSLATE_H

#include "core/program/layout.h"
#include "core/program/native/encode.h"
#include "core/program/native/support.h"

/* rows[][lanes] of the work space, in[n_inputs][lanes], out[n_outputs][lanes], the support table of
 * the vectors. The frame is needed if the body has eliminations, which find inputs and outputs
 * through frame->rows. */
typedef void NativeCode(double *rows, const double *in, double *out, const NativeSupport *support,
                        const NativeFrame *frame);

/* Writes code for a number of lanes (1, or a multiple of 8) into an empty `code`, which the caller
 * frees. False if memory is out or the program is too long. */
bool translate(const Program *program, Vectors vectors, size_t lanes, Code *code);

#endif
