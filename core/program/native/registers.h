/* Which values are in registers while a program is translated. Private to core/program/native. */
#ifndef CORE_PROGRAM_NATIVE_REGISTERS_H
#define CORE_PROGRAM_NATIVE_REGISTERS_H

#include "core/program/native/encode.h"
#include "core/program/native/steps.h"
#include "core/program/native/support.h"

enum { REGISTERS_MOST = 32, NO_REGISTER = -1 };

#define REGISTER_FREE UINT32_MAX
#define REGISTER_TEMPORARY (UINT32_MAX - 1) /* held by the step under way */

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
    uint32_t held[REGISTERS_MOST]; /* by register: a value, or one of the above */
    int *place;                    /* by value: its register, or NO_REGISTER */
    bool *stored;                  /* by value: it is at home */
    uint32_t *next;                /* by value: the next step that takes it */
    struct SinesAway *away;        /* sines.h */
    size_t n_away;
    Code *code;
    Arena memory; /* owns the arrays */
} Translator;

/* Memory: of a row of one of the arrays; of a number of the support; of a value. */
Operand row_at_base(const Translator *t, General base, uint32_t row);
Operand support_at(const Translator *t, size_t offset);
Operand value_home(const Translator *t, uint32_t value);

/* A value goes home, if it is not there yet; it leaves its register. */
void value_store(Translator *t, uint32_t value);
void value_leave(Translator *t, uint32_t value);

/* A register: a free one, else that of the value that is needed last, which goes home. Values that
 * have none stay, as do those that step `now` takes. A temporary one is taken until it is given to
 * a value or freed. */
int register_take(Translator *t, uint32_t now);
int register_take_temporary(Translator *t, uint32_t now);

/* The register of an operand of step `now`. */
int value_loaded(Translator *t, uint32_t now, uint32_t value);
/* The operands of a step are read: those that no other step takes leave their registers. */
void step_passed(Translator *t, const NativeStep *step);
/* The result of a step is in a register. */
void value_made(Translator *t, uint32_t value, int number);

#endif
