/* The order of instructions. Private to core/program. */
#ifndef CORE_PROGRAM_COMPILE_SCHEDULE_H
#define CORE_PROGRAM_COMPILE_SCHEDULE_H

#include "core/program/compile/tape.h"

/* Reorders values[n], operations of one sequence in an order in which they can run, so that an
 * operation seldom follows directly on one whose result it needs: the processor works on several at
 * once, but not on a chain. Looks only a short way ahead, which keeps lifetimes short. */
Status schedule_values(const Tape *tape, uint32_t *values, size_t n, Error *err) MUST_CHECK;

#endif
