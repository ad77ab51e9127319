/* The table SUPPORT: the including file has named it, and has said what a SUPPORT_FUNCTION is and how call_sincos gives two. */
#ifndef CORE_PROGRAM_NATIVE_SUPPORT_BODY_H
#define CORE_PROGRAM_NATIVE_SUPPORT_BODY_H

#include "core/program/native/support.h"
#include "core/program/solve_body.h"

PROGRAM_FUNCTION_LIST(SUPPORT_FUNCTION)

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
