/* Compilation of a graph to a program. Private to core/program, its tests and the benchmark. */
#ifndef CORE_PROGRAM_COMPILE_COMPILE_H
#define CORE_PROGRAM_COMPILE_COMPILE_H

#include "core/program/compile/tape.h"
#include "core/program/layout.h"

/* Choices that program_compile() makes by itself. */
typedef struct ProgramOptions {
    InterpreterLevel level; /* a level that the CPU has */
    bool unfused;           /* keep operations apart: same bits, more operations */
} ProgramOptions;

Status program_compile_with(const ProgramSpec *spec, ProgramOptions options, Program **ret_program,
                            Error *err) MUST_CHECK;

/* Gives rows to the values of a tape, and writes the instructions into an empty program, whose
 * n_inputs, n_params and n_outputs are set. Free the program also after a failure. */
Status program_assign_rows(const Tape *tape, const uint32_t *uses, const uint32_t *outputs,
                           Program *program, Error *err) MUST_CHECK;

#endif
