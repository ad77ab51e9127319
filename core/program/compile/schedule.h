/* The order of instructions. Private to core/program. */
#ifndef CORE_PROGRAM_COMPILE_SCHEDULE_H
#define CORE_PROGRAM_COMPILE_SCHEDULE_H

#include "core/program/compile/tape.h"

/* Reorders values[n], a valid order of operations of one sequence, so that an operation seldom
 * directly follows one whose result it needs. The processor runs independent operations in
 * parallel, but not a chain. Looks only a short way ahead, which keeps lifetimes short. */
Status schedule_values(const Tape *tape, uint32_t *values, size_t n, Error *err) MUST_CHECK;

#endif
