/* Assignment of values to registers during translation. Private to core/program/native. */
#ifndef CORE_PROGRAM_NATIVE_REGISTERS_H
#define CORE_PROGRAM_NATIVE_REGISTERS_H

#include "core/program/native/encode.h"
#include "core/program/native/steps.h"
#include "core/program/native/support.h"

enum { REGISTERS_MOST = 32, NO_REGISTER = -1 };

#define REGISTER_FREE UINT32_MAX
#define REGISTER_TEMPORARY (UINT32_MAX - 1) /* held by the present step */

/* The registers of the arguments of NativeCode. */
typedef struct Bases {
    General rows, in, out, support, frame, counter;
} Bases;

typedef struct Translator {
    const Program *program;
    const NativeSteps *steps;
    Vectors vectors;
    size_t lanes;
    int n_registers;
    Bases bases;
    uint32_t held[REGISTERS_MOST]; /* by register: a value, or one of the constants above */
    int *place;                    /* by value: its register, or NO_REGISTER */
    bool *stored;                  /* by value: it is at home */
    uint32_t *next;                /* by value: the next step that takes it */
    struct SinesAway *away;        /* sines.h */
    size_t n_away;
    Code *code;
    Arena memory; /* owns the arrays */
} Translator;

/* Memory operands: a row of one of the arrays, a number of the support, the home of a value. */
Operand row_at_base(const Translator *t, General base, uint32_t row);
Operand support_at(const Translator *t, size_t offset);
Operand value_home(const Translator *t, uint32_t value);

/* value_store() stores a value at home, unless it is there. value_leave() frees its register. */
void value_store(Translator *t, uint32_t value);
void value_leave(Translator *t, uint32_t value);

/* Takes a free register. If there is none, the value with the latest next use is stored at home and
 * gives up its register. Values without a home and operands of step `now` keep their registers. A
 * temporary register is held until it is given to a value or freed. */
int register_take(Translator *t, uint32_t now);
int register_take_temporary(Translator *t, uint32_t now);

/* Loads an operand of step `now` if necessary; returns its register. */
int value_loaded(Translator *t, uint32_t now, uint32_t value);
/* After a step has read its operands: those without a further use leave their registers. */
void step_passed(Translator *t, const NativeStep *step);
/* The result of a step is in register `number`. */
void value_made(Translator *t, uint32_t value, int number);

#endif
