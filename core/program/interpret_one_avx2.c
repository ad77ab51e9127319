/* One lane, with FMA instructions inside the elementary functions. */
#include "core/program/vector/vec_scalar.h"

#define INTERPRET_ONE interpret_one_fma
#include "core/program/interpret_one_body.h"
