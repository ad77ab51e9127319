/* The operations of core/program/instruction.h as sequences of steps, read from their expressions
 * there. So the meaning of an operation is written once, for the interpreters and for compiled
 * code. Private to core/program/native. */
#ifndef CORE_PROGRAM_NATIVE_MEANING_H
#define CORE_PROGRAM_NATIVE_MEANING_H

#include <stdint.h>

#include "core/program/instruction.h"

/* The kinds of steps of compiled code. */
typedef enum StepKind {
    STEP_ADD, /* of two values */
    STEP_SUB,
    STEP_MUL,
    STEP_DIV,
    STEP_MIN,
    STEP_MAX,
    STEP_LESS,
    STEP_LESS_EQUAL,
    STEP_EQUAL,
    STEP_NEG, /* of one */
    STEP_ABS,
    STEP_SQRT,
    STEP_SIGN,
    STEP_IF, /* of three: the second if the first is not 0, else the third */
    STEP_KINDS,
    /* a function of the program's list, sine and cosine, an elimination: code of the C compiler */
    STEP_CALL = STEP_KINDS,
    STEP_OUTPUT, /* copies a value at another place to an output */
} StepKind;

/* Number of operands of a step before STEP_KINDS. */
unsigned step_operands(StepKind kind);

/* Items in postfix order: an item below MEANING_ONE is that operand, MEANING_ONE the number 1,
 * MEANING_STEP + kind a step. MOST items, a stack of DEEPEST values. */
enum { MEANING_ONE = PROGRAM_MAX_OPERANDS, MEANING_STEP, MEANING_MOST = 16, MEANING_DEEPEST = 8 };
typedef struct Meaning {
    uint8_t length; /* 0: the operation is a call */
    uint8_t items[MEANING_MOST];
} Meaning;

const Meaning *meaning_of(ProgramOp op);

#endif
