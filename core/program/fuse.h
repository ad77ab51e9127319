/* Fewer operations with the same meaning. Private to core/program. */
#ifndef CORE_PROGRAM_FUSE_H
#define CORE_PROGRAM_FUSE_H

#include "core/program/tape.h"

/* Rewrites the tape in place. uses[] are those of tape_count_uses() and are kept up to date.
 * A reciprocal that only one product uses becomes a division; then values that are used once are
 * computed inside the operation that uses them. Only the first step changes bits, and it changes
 * the program, not its evaluation. No value may be added to the tape afterwards. */
void fuse_tape(Tape *tape, uint32_t *uses);

#endif
