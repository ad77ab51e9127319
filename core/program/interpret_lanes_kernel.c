/* The interpreter of lanes, for each instruction set (kernels.h). */
#include "core/program/vector/vec_kernel.h"

#include "core/program/interpret_operations.h"
#include "core/program/interpreter.h"
#include "core/program/kernels.h"

#define AT(name) case OP_##name:
#define NEXT break

/* Inlined with constant lanes for the usual numbers of lanes. */
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

void KERNEL_NAME(interpret_lanes)(const ProgramSequence *sequence, Rows rows, size_t lanes)
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
