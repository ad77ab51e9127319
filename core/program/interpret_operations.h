/* The operations, for any vector type Vec (vec_*.h, included before). The macro
 * INTERPRET_OPERATIONS is the body of a dispatch loop. At its use, `code`, `lists`, `rows` and
 * `lanes` are in scope, AT(name) starts an operation and NEXT ends it. */
#ifndef CORE_PROGRAM_INTERPRET_OPERATIONS_H
#define CORE_PROGRAM_INTERPRET_OPERATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "core/program/instruction.h"
#include "core/program/solve_body.h"

#define OPERAND(letter, k) const double *const from_##letter = row_at(rows, code->arg[k]);
#define LOAD(letter) const Vec letter = vec_load(from_##letter + lane);

#define OPERANDS_1 OPERAND(a, 0)
#define OPERANDS_2 OPERANDS_1 OPERAND(b, 1)
#define OPERANDS_3 OPERANDS_2 OPERAND(c, 2)
#define OPERANDS_4 OPERANDS_3 OPERAND(d, 3)
#define OPERANDS_5 OPERANDS_4 OPERAND(e, 4)
#define OPERANDS_6 OPERANDS_5 OPERAND(f, 5)
#define LOADS_1 LOAD(a)
#define LOADS_2 LOADS_1 LOAD(b)
#define LOADS_3 LOADS_2 LOAD(c)
#define LOADS_4 LOADS_3 LOAD(d)
#define LOADS_5 LOADS_4 LOAD(e)
#define LOADS_6 LOADS_5 LOAD(f)

/* All operands of a vector are loaded before its result is stored, so they may share a row. */
#define ELEMENTWISE(name, operands, expression)                                        \
    AT(name)                                                                           \
    {                                                                                  \
        OPERANDS_##operands double *const to = row_at(rows, code->result);             \
        _Pragma("GCC unroll 4") for (size_t lane = 0; lane < lanes; lane += VEC_LANES) \
        {                                                                              \
            LOADS_##operands vec_store(to + lane, expression);                         \
        }                                                                              \
        NEXT;                                                                          \
    }

#define INTERPRET_OPERATIONS                                           \
    PROGRAM_OP_LIST(ELEMENTWISE)                                       \
    AT(SINCOS)                                                         \
    {                                                                  \
        OPERANDS_1 double *const to_sine = row_at(rows, code->result); \
        double *const to_cosine = row_at(rows, code->result + 1);      \
        for (size_t lane = 0; lane < lanes; lane += VEC_LANES) {       \
            Vec sine, cosine;                                          \
            vec_sincos(vec_load(from_a + lane), &sine, &cosine);       \
            vec_store(to_sine + lane, sine);                           \
            vec_store(to_cosine + lane, cosine);                       \
        }                                                              \
        NEXT;                                                          \
    }                                                                  \
    AT(FACTOR)                                                         \
    {                                                                  \
        for (size_t lane = 0; lane < lanes; lane += VEC_LANES)         \
            run_factor(code, lists, rows, lane, lanes);                \
        NEXT;                                                          \
    }                                                                  \
    AT(SOLVE)                                                          \
    {                                                                  \
        for (size_t lane = 0; lane < lanes; lane += VEC_LANES)         \
            run_solve(code, lists, rows, lane, lanes);                 \
        NEXT;                                                          \
    }

#endif
