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

/* The passes, in their order. */

/* Lowers the graph: ret_outputs[spec->n_outputs] become values of the tape. */
Status lower_graph(const ProgramSpec *spec, Tape *tape, uint32_t *ret_outputs,
                   Error *err) MUST_CHECK;

/* Both rewrite the tape in place; uses[] are those of tape_count_uses() and are kept up to date. No
 * value may be added to the tape afterwards. fuse_quotients() turns a reciprocal that only one
 * product uses into a division: one rounding less. fuse_operations() computes a value that is used
 * once inside the operation that uses it, and changes no bit. */
void fuse_quotients(Tape *tape, uint32_t *uses);
void fuse_operations(Tape *tape, uint32_t *uses);

/* Reorders values[n], a valid order of operations of one sequence, so that an operation seldom
 * directly follows one whose result it needs. The processor runs independent operations in
 * parallel, but not a chain. Looks only a short way ahead, which keeps lifetimes short. */
Status schedule_values(const Tape *tape, uint32_t *values, size_t n, Error *err) MUST_CHECK;

/* Gives rows to the values of a tape, and writes the instructions into an empty program, whose
 * n_inputs, n_params and n_outputs are set. Free the program also after a failure. */
Status program_assign_rows(const Tape *tape, const uint32_t *uses, const uint32_t *outputs,
                           Program *program, Error *err) MUST_CHECK;

#endif
