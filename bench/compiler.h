/* A program compiled by the C compiler of this machine. */
#ifndef BENCH_COMPILER_H
#define BENCH_COMPILER_H

#include "core/program/compile/compile.h"

typedef void CompiledEval(const double *in, double *out, double *rows);

typedef struct Compiled {
    void *library;
    CompiledEval *one, *lanes;
} Compiled;

/* Writes the program as C for one lane and for `lanes` lanes, compiles it with COMPILER and
 * loads it. Run from the root of the source tree. Exits with a message on failure. */
#define COMPILER                                                                               \
    "gcc -O3 -march=native -ffp-contract=off -fno-tree-slp-vectorize -fno-math-errno -shared " \
    "-fPIC -I."
Compiled compiler_run(const Program *program, size_t lanes);
void compiler_done(Compiled *native);

#endif
