/* The operations of core/program/instruction.h taken apart: what each does, as it is written there,
 * step by step. So what an operation means is written once, for the interpreters and for compiled
 * code. Private to core/program/native. */
#ifndef CORE_PROGRAM_NATIVE_MEANING_H
#define CORE_PROGRAM_NATIVE_MEANING_H

#include <stdint.h>

#include "core/program/instruction.h"

/* What a step of compiled code does. */
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
    STEP_IF, /* of three: the second where the first is not 0, else the third */
    STEP_KINDS,
    /* a function of the program's list, sine and cosine, an elimination: code of the C compiler */
    STEP_CALL = STEP_KINDS,
    STEP_OUTPUT, /* a value that has another place is an output, too */
} StepKind;

/* How many values a step before STEP_KINDS takes. */
unsigned step_operands(StepKind kind);

/* In the order of a stack: below MEANING_ONE operands, MEANING_ONE the number 1, from MEANING_STEP
 * on steps. */
enum { MEANING_ONE = PROGRAM_MAX_OPERANDS, MEANING_STEP, MEANING_MOST = 16, MEANING_DEEPEST = 8 };
typedef struct Meaning {
    uint8_t length; /* 0: the operation is a call */
    uint8_t items[MEANING_MOST];
} Meaning;

const Meaning *meaning_of(ProgramOp op);

#endif
