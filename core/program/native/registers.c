/* Movement of values between registers and their homes. */
#include "core/program/native/registers.h"

#include <stddef.h>

Operand row_at_base(const Translator *t, General base, uint32_t row)
{
    return operand_memory(base, (int32_t)(row * t->lanes * sizeof(double)));
}

Operand support_at(const Translator *t, size_t offset)
{
    return operand_memory(t->bases.support, (int32_t)offset);
}

Operand value_home(const Translator *t, uint32_t value)
{
    const NativeValue *v = &t->steps->values[value];
    switch (v->home) {
    case HOME_INPUTS:
        return row_at_base(t, t->bases.in, v->row);
    case HOME_OUTPUTS:
        return row_at_base(t, t->bases.out, v->row);
    case HOME_ONE:
        return support_at(t, offsetof(NativeSupport, one));
    case HOME_ROWS:
    case HOME_NONE:
        break;
    }
    return row_at_base(t, t->bases.rows, v->row);
}

void value_store(Translator *t, uint32_t value)
{
    if (t->stored[value])
        return;
    encode_store(t->code, t->vectors, value_home(t, value), t->place[value]);
    t->stored[value] = true;
}

void value_leave(Translator *t, uint32_t value)
{
    if (t->place[value] == NO_REGISTER)
        return;
    t->held[t->place[value]] = REGISTER_FREE;
    t->place[value] = NO_REGISTER;
}

static void enter(Translator *t, uint32_t value, int number)
{
    t->held[number] = value;
    t->place[value] = number;
}

int register_take(Translator *t, uint32_t now)
{
    int furthest = NO_REGISTER;
    for (int r = 0; r < t->n_registers; r++) {
        const uint32_t value = t->held[r];
        if (value == REGISTER_FREE)
            return r;
        if (value == REGISTER_TEMPORARY || t->steps->values[value].home == HOME_NONE ||
            t->next[value] == now)
            continue;
        if (furthest == NO_REGISTER || t->next[value] > t->next[t->held[furthest]])
            furthest = r;
    }
    if (furthest == NO_REGISTER) { /* impossible: a step takes and makes fewer */
        t->code->failed = true;
        return 0;
    }
    value_store(t, t->held[furthest]);
    value_leave(t, t->held[furthest]);
    return furthest;
}

int register_take_temporary(Translator *t, uint32_t now)
{
    const int r = register_take(t, now);
    t->held[r] = REGISTER_TEMPORARY;
    return r;
}

int value_loaded(Translator *t, uint32_t now, uint32_t value)
{
    if (t->place[value] == NO_REGISTER) {
        const int r = register_take(t, now);
        encode_load(t->code, t->vectors, r, value_home(t, value));
        enter(t, value, r);
    }
    return t->place[value];
}

void step_passed(Translator *t, const NativeStep *step)
{
    for (uint32_t k = 0; k < step->n; k++) {
        const NativeUse *use = &t->steps->uses[step->first + k];
        t->next[use->value] = use->next;
    }
    for (uint32_t k = 0; k < step->n; k++) {
        const uint32_t value = t->steps->uses[step->first + k].value;
        if (t->next[value] == STEPS_NEVER)
            value_leave(t, value);
    }
}

void value_made(Translator *t, uint32_t value, int number)
{
    enter(t, value, number);
    if (t->steps->values[value].home == HOME_OUTPUTS)
        value_store(t, value);
    if (t->next[value] == STEPS_NEVER)
        value_leave(t, value);
}
