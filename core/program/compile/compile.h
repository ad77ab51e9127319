/* A graph becomes a program. Private to core/program, its tests and the benchmark. */
#ifndef CORE_PROGRAM_COMPILE_COMPILE_H
#define CORE_PROGRAM_COMPILE_COMPILE_H

#include "core/program/compile/tape.h"
#include "core/program/layout.h"

/* What program_compile() chooses by itself. */
typedef struct ProgramOptions {
    InterpreterLevel level; /* one that the CPU has */
    bool unfused;           /* leave operations apart: same bits, more of them */
} ProgramOptions;

Status program_compile_with(const ProgramSpec *spec, ProgramOptions options, Program **ret_program,
                            Error *err) MUST_CHECK;

/* Gives the values of a tape rows, and writes the instructions into an empty program, whose
 * n_inputs, n_params and n_outputs are set. On failure the program is to be freed all the same. */
Status program_assign_rows(const Tape *tape, const uint32_t *uses, const uint32_t *outputs,
                           Program *program, Error *err) MUST_CHECK;

#endif
