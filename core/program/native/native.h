/* Compiled code of a program, made after enough evaluations to pay off: the same bits, in about
 * half the time. Private to core/program.
 *
 * For each number of lanes of a program there is separate code, compiled after NATIVE_AFTER
 * evaluations, counted over all threads. It lives as long as the program. One thread compiles at a
 * time; the others keep interpreting. Programs without code are interpreted: without AVX2 and FMA,
 * or executable memory, if the program is too long, or if the memory for code is full. */
#ifndef CORE_PROGRAM_NATIVE_NATIVE_H
#define CORE_PROGRAM_NATIVE_NATIVE_H

#include <limits.h>
#include <stdatomic.h>

#include "core/program/layout.h"
#include "core/program/native/encode.h"
#include "core/program/native/support.h"

/* Compiling takes as long as some hundred evaluations, for programs of any size. */
enum { NATIVE_AFTER = 256, NATIVE_WIDTHS = 1 + PROGRAM_MAX_LANES / PROGRAM_LANE_BLOCK };
#define NATIVE_NEVER UINT_MAX

/* rows[][lanes] of the work space, in[n_inputs][lanes], out[n_outputs][lanes], the support table of
 * the vectors; the frame for eliminations, whose inputs and outputs are in frame->rows. */
typedef void NativeCode(double *rows, const double *in, double *out, const NativeSupport *support,
                        const NativeFrame *frame);

/* The code for one number of lanes. */
typedef struct NativeWidth {
    NativeCode *_Atomic code; /* NULL: none yet */
    atomic_uint evaluations;  /* so far; NATIVE_NEVER: code is impossible */
    void *memory;
    size_t bytes;
} NativeWidth;

struct Native {
    InterpreterLevel level;
    const NativeSupport *one, *lanes;
    bool eliminates;                   /* the body has FACTOR or SOLVE */
    NativeWidth widths[NATIVE_WIDTHS]; /* one lane, then 8, 16, .. */
};

/* For a program that has its body; NULL if memory is out. */
Native *native_new(const Program *program, InterpreterLevel level);
void native_free(Native *native); /* NULL is fine */

/* Writes code for a number of lanes (1, or a multiple of 8) into an empty `code`, which the caller
 * frees. False if memory is out or the program is too long. */
bool translate(const Program *program, Vectors vectors, size_t lanes, Code *code);

/* Compiles at once, for 1 lane or a multiple of 8; false if code is impossible. */
bool native_compile(const Program *program, size_t lanes);

/* Compiles unless another thread compiles at the moment; returns the code, or NULL. */
NativeCode *native_due(const Program *program, size_t lanes);

/* The code for this number of lanes, or NULL if it is not made. */
static inline NativeCode *native_made(const Program *program, size_t lanes)
{
    NativeWidth *w = &program->native->widths[lanes / PROGRAM_LANE_BLOCK];
    return atomic_load_explicit(&w->code, memory_order_acquire);
}

/* The code for this number of lanes; NULL: interpret. Call it once per evaluation. */
static inline NativeCode *native_code(const Program *program, size_t lanes)
{
    NativeWidth *w = &program->native->widths[lanes / PROGRAM_LANE_BLOCK];
    NativeCode *code = native_made(program, lanes);
    if (code)
        return code;
    const unsigned n = atomic_load_explicit(&w->evaluations, memory_order_relaxed);
    if (n == NATIVE_NEVER)
        return NULL;
    if (n >= NATIVE_AFTER)
        return native_due(program, lanes);
    atomic_store_explicit(&w->evaluations, n + 1, memory_order_relaxed);
    return NULL;
}

/* Runs the code. Eliminations find inputs and outputs through `rows`. */
static inline void native_run(const Program *program, NativeCode *code, Rows rows, const double *in,
                              double *out, size_t lanes)
{
    const Native *native = program->native;
    const NativeSupport *support = lanes == 1 ? native->one : native->lanes;
    if (!native->eliminates) {
        code(rows.first, in, out, support, NULL);
        return;
    }
    const NativeFrame frame = {program->body, program->lists, rows, lanes};
    code(rows.first, in, out, support, &frame);
}

#endif
