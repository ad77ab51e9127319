/* The body of a program as steps on values, each of which is made once. Registers are assigned to
 * values. Private to core/program/native. */
#ifndef CORE_PROGRAM_NATIVE_STEPS_H
#define CORE_PROGRAM_NATIVE_STEPS_H

#include "core/base/arena.h"
#include "core/program/layout.h"
#include "core/program/native/meaning.h"

/* The home of a value in memory: an element of one of the arrays that compiled code gets. */
typedef enum Home {
    HOME_NONE, /* within an operation: only in a register */
    HOME_ROWS,
    HOME_INPUTS,
    HOME_OUTPUTS,
    HOME_ONE, /* the number 1 */
} Home;

#define STEPS_NEVER UINT32_MAX

typedef struct NativeValue {
    Home home;
    uint32_t row;  /* of the array */
    uint32_t next; /* the first step that takes it, or STEPS_NEVER */
    bool given;    /* in memory before the body begins, or stored by an elimination */
} NativeValue;

/* A value that a step takes, and the next step that takes it. */
typedef struct NativeUse {
    uint32_t value, next;
} NativeUse;

typedef struct NativeStep {
    uint8_t kind;
    uint32_t instruction; /* of the body */
    uint32_t first, n;    /* its operands in uses */
    /* a value, of sine and cosine the first of two; of a STEP_OUTPUT the output */
    uint32_t result;
} NativeStep;

typedef struct NativeSteps {
    NativeStep *steps;
    NativeValue *values;
    NativeUse *uses;
    size_t n_steps, n_values, n_uses;
    bool has_calls, has_sines;
    Arena memory; /* owns the arrays */
} NativeSteps;

/* Longer bodies are not compiled. */
enum { STEPS_MOST_INSTRUCTIONS = 1 << 16 };

/* FACTOR and SOLVE read their operands from memory by themselves. */
static inline bool is_elimination(uint32_t op)
{
    return op == OP_FACTOR || op == OP_SOLVE;
}

/* False: out of memory, or too long. Call arena_done(&steps->memory) in any case. */
bool native_steps_init(NativeSteps *steps, const Program *program);

#endif
