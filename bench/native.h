/* A program compiled by the C compiler of this machine. */
#ifndef BENCH_NATIVE_H
#define BENCH_NATIVE_H

#include "core/program/compile.h"

typedef void NativeEval(const double *in, double *out, double *rows);

typedef struct Native {
    void *library;
    NativeEval *one, *lanes;
} Native;

/* Writes the program as C for one lane and for `lanes` lanes, compiles it with NATIVE_COMPILER and
 * loads it. Run from the root of the source tree. Exits with a message on failure. */
#define NATIVE_COMPILER                                                                        \
    "gcc -O3 -march=native -ffp-contract=off -fno-tree-slp-vectorize -fno-math-errno -shared " \
    "-fPIC -I."
Native native_compile(const Program *program, size_t lanes);
void native_done(Native *native);

#endif
