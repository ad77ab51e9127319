/* One lane, with FMA instructions inside the elementary functions. */
#include "core/program/interpreter.h"
#include "core/program/vec_scalar.h"

#include "core/program/interpret_body.h"

void interpret_one_fma(const Instruction *code, const uint32_t *lists, Rows rows, size_t lanes)
{
    (void)lanes;
    interpret(code, lists, rows, 1);
}
