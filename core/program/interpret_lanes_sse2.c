/* Lanes, two at a time. */
#include "core/program/interpreter.h"
#include "core/program/vec_sse2.h"

#include "core/program/interpret_body.h"

void interpret_lanes_sse2(const Instruction *code, const uint32_t *lists, Rows rows, size_t lanes)
{
    switch (lanes) { /* constant lengths unroll */
    case 8:
        interpret(code, lists, rows, 8);
        break;
    case 32:
        interpret(code, lists, rows, 32);
        break;
    default:
        interpret(code, lists, rows, lanes);
    }
}
