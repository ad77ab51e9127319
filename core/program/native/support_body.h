/* The table SUPPORT. The including file defines its name and the macro SUPPORT_FUNCTION. */
#ifndef CORE_PROGRAM_NATIVE_SUPPORT_BODY_H
#define CORE_PROGRAM_NATIVE_SUPPORT_BODY_H

#include "core/program/native/support.h"
#include "core/program/solve_body.h"

PROGRAM_FUNCTION_LIST(SUPPORT_FUNCTION)

static void call_sincos(const double *from_a, double *to_sine, double *to_cosine)
{
    Vec sine, cosine;
    vec_sincos(vec_load(from_a), &sine, &cosine);
    vec_store(to_sine, sine);
    vec_store(to_cosine, cosine);
}

static void call_factor(const NativeFrame *f, uint32_t instruction, const double *rows)
{
    run_factor(&f->body[instruction], f->lists, f->rows, (size_t)(rows - f->rows.first), f->lanes);
}

static void call_solve(const NativeFrame *f, uint32_t instruction, const double *rows)
{
    run_solve(&f->body[instruction], f->lists, f->rows, (size_t)(rows - f->rows.first), f->lanes);
}

#define SUPPORT_ROW(name, operands, expression) [OP_##name] = (NativeCall *)call_##name,
const NativeSupport SUPPORT = {
    NATIVE_NUMBERS,
    .calls = {PROGRAM_FUNCTION_LIST(SUPPORT_ROW)[OP_SINCOS] = (NativeCall *)call_sincos,
              [OP_FACTOR] = (NativeCall *)call_factor, [OP_SOLVE] = (NativeCall *)call_solve},
};

#endif
