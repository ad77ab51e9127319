/* The interpreter of one lane. An operation is so short that the dispatch of the next one matters.
 * With GCC's labels as values each operation jumps on by itself, which takes 10 % off the time of
 * one common switch (bench/evaluators, programs of 24 to 50 instructions). GCC must be kept from
 * merging the equal ends of the operations into one jump again. */
#ifndef CORE_PROGRAM_INTERPRET_ONE_BODY_H
#define CORE_PROGRAM_INTERPRET_ONE_BODY_H

#include "core/program/interpret_operations.h"
#include "core/program/interpreter.h"

#if defined(__GNUC__) && !defined(__cppcheck__)
#define INTERPRET_THREADED
#pragma GCC diagnostic ignored "-Wpedantic"
#ifndef __clang__
#pragma GCC optimize("no-crossjumping", "no-gcse")
#endif
#define AT(name) at_##name:
#define NEXT goto *TARGETS[(++code)->op]
#define TARGET(name, operands, expression) [OP_##name] = &&at_##name,
#else
#define AT(name) case OP_##name:
#define NEXT break
#endif

/* Defines the function INTERPRET_ONE, whose name the including file defines. */
/* NOLINTNEXTLINE(readability-*): one loop over all operations, which write to `first` */
void INTERPRET_ONE(const ProgramSequence *sequence, double *first)
{
    const size_t lanes = 1;
    const Rows rows = {first, NULL};
    const uint32_t *const lists = sequence->lists;
    const Instruction *code = sequence->code;

#ifdef INTERPRET_THREADED
    static const void *const TARGETS[] = {
        PROGRAM_OP_LIST(TARGET)[OP_SINCOS] = &&at_SINCOS,
        [OP_FACTOR] = &&at_FACTOR,
        [OP_SOLVE] = &&at_SOLVE,
        [OP_END] = &&at_END,
    };
    /* each operation jumps to the next; other compilers loop over a switch */
    goto *TARGETS[code->op];
    INTERPRET_OPERATIONS
at_END:
    return;
#else
    for (; code->op != OP_END; code++) {
        switch (code->op) {
            INTERPRET_OPERATIONS
        }
    }
#endif
}

#endif
