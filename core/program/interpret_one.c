/* One lane, any x86-64 CPU. */
#include "core/program/interpreter.h"
#include "core/program/vec_scalar.h"

#include "core/program/interpret_body.h"

void interpret_one(const Instruction *code, const uint32_t *lists, Rows rows, size_t lanes)
{
    (void)lanes;
    interpret(code, lists, rows, 1);
}
