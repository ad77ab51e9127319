/* Fewer operations with the same meaning. Private to core/program. */
#ifndef CORE_PROGRAM_COMPILE_FUSE_H
#define CORE_PROGRAM_COMPILE_FUSE_H

#include "core/program/compile/tape.h"

/* Both rewrite the tape in place; uses[] are those of tape_count_uses() and are kept up to date. No
 * value may be added to the tape afterwards. */

/* A reciprocal that only one product uses becomes a division: one rounding less. */
void fuse_quotients(Tape *tape, uint32_t *uses);

/* Computes a value that is used once inside the operation that uses it. Changes no bit. */
void fuse_operations(Tape *tape, uint32_t *uses);

#endif
