/* One lane, any x86-64 CPU. */
#include "core/program/vector/vec_scalar.h"

#define INTERPRET_ONE interpret_one
#include "core/program/interpret_one_body.h"
