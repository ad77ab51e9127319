/* The interpreters, one set for each level of instruction set. Private to core/program.
 *
 * `one` runs the instructions on rows that are numbers, `lanes` on rows of lanes, a multiple of
 * PROGRAM_LANE_BLOCK. The caller handles inputs and outputs. Both functions of a set give the same
 * bits. Sets with FMA instructions take their elementary functions from another family than sets
 * without, so the bits of two levels may differ; avx2 and avx512 agree. */
#ifndef CORE_PROGRAM_INTERPRETER_H
#define CORE_PROGRAM_INTERPRETER_H

#include <stddef.h>

#include "core/program/instruction.h"

enum { PROGRAM_LANE_BLOCK = 8, PROGRAM_ALIGNMENT = 64 };

typedef void InterpretOne(const ProgramSequence *sequence, double *rows);
typedef void InterpretLanes(const ProgramSequence *sequence, Rows rows, size_t lanes);

typedef struct Interpreter {
    const char *name;
    InterpretOne *one;
    InterpretLanes *lanes;
} Interpreter;

typedef enum InterpreterLevel {
    INTERPRETER_SSE2,
    INTERPRETER_AVX2,   /* AVX2 and FMA */
    INTERPRETER_AVX512, /* F, DQ and VL besides */
    INTERPRETER_LEVELS,
} InterpreterLevel;

const Interpreter *interpreter_get(InterpreterLevel level);
InterpreterLevel interpreter_best(void); /* the highest level that this CPU has */

/* The interpreters, each defined in the file of its instruction set. */
InterpretOne interpret_one, interpret_one_fma;
InterpretLanes interpret_lanes_sse2, interpret_lanes_avx2, interpret_lanes_avx512;

#endif
