/* The body of a program as machine code. Private to core/program/native.
 *
 * One pass over the steps: an operand is in a register or is loaded into one, and where none is
 * free the value that is needed furthest from there goes home (L. A. Belady, IBM Systems Journal 5
 * (1966) 78). Operations stay in their order and are not contracted, so results have the bits of
 * the interpreter's. */
#ifndef CORE_PROGRAM_NATIVE_TRANSLATE_H
#define CORE_PROGRAM_NATIVE_TRANSLATE_H

#include "core/program/layout.h"
#include "core/program/native/encode.h"
#include "core/program/native/support.h"

/* rows[][lanes] of the work space, in[n_inputs][lanes], out[n_outputs][lanes], the table of the
 * vectors compiled for. The frame is needed where the body has eliminations, which look for inputs
 * and outputs in frame->rows. */
typedef void NativeCode(double *rows, const double *in, double *out, const NativeSupport *support,
                        const NativeFrame *frame);

/* Writes code for a number of lanes (1, or a multiple of 8) into an empty `code`, which is the
 * caller's to free. False where there is no memory or the program is too long. */
bool translate(const Program *program, Vectors vectors, size_t lanes, Code *code);

#endif
