/* A lowered program as C, for comparison with what a compiler makes of the same operations. */
#ifndef BENCH_EMIT_C_H
#define BENCH_EMIT_C_H

#include "core/base/text.h"
#include "core/program/compile/compile.h"

/* Appends a translation unit that defines
 *
 *     void NAME(const double *in, double *out, double *rows);
 *
 * which does for `lanes` lanes what program_eval() does, on vectors of the header
 * core/program/vector/vec_<vectors>.h ("scalar" for one lane). `rows` is a work space that
 * program_bind() has prepared, aligned as it wants. Values are locals; the arrays must not
 * overlap. */
void emit_c(const Program *program, const char *name, const char *vectors, size_t lanes, Text *out);

#endif
