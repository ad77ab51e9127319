/* From the graph to the tape. Private to core/program. */
#ifndef CORE_PROGRAM_COMPILE_LOWER_H
#define CORE_PROGRAM_COMPILE_LOWER_H

#include "core/program/compile/tape.h"
#include "core/program/program.h"

/* ret_outputs[spec->n_outputs] become values of the tape. A failed tape is reported here. */
Status lower_graph(const ProgramSpec *spec, Tape *tape, uint32_t *ret_outputs,
                   Error *err) MUST_CHECK;

#endif
