/* The interpreter of lanes. */
#ifndef CORE_PROGRAM_INTERPRET_LANES_BODY_H
#define CORE_PROGRAM_INTERPRET_LANES_BODY_H

#include "core/program/interpret_operations.h"
#include "core/program/interpreter.h"

#define AT(name) case OP_##name:
#define NEXT break

/* Inlined with constant lanes where it pays. */
/* NOLINTBEGIN(readability-function-*): one loop over all operations */
static inline __attribute__((always_inline)) void
interpret(const Instruction *code, const uint32_t *lists, Rows rows, size_t lanes)
{
    for (;; code++) {
        switch (code->op) {
            INTERPRET_OPERATIONS
        default:
            return;
        }
    }
}
/* NOLINTEND(readability-function-*) */

static inline void interpret_lanes(const ProgramSequence *sequence, Rows rows, size_t lanes)
{
    switch (lanes) { /* constant lengths unroll */
    case 8:
        interpret(sequence->code, sequence->lists, rows, 8);
        break;
    case 16:
        interpret(sequence->code, sequence->lists, rows, 16);
        break;
    case 32:
        interpret(sequence->code, sequence->lists, rows, 32);
        break;
    default:
        interpret(sequence->code, sequence->lists, rows, lanes);
    }
}

#endif
