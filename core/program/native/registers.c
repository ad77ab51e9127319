/* Values move between registers and their homes. */
#include "core/program/native/registers.h"

#include <stddef.h>

Operand at_row(const Translator *t, General base, uint32_t row)
{
    return operand_memory(base, (int32_t)(row * t->lanes * sizeof(double)));
}

Operand number_at(const Translator *t, size_t offset)
{
    return operand_memory(t->bases.support, (int32_t)offset);
}

Operand home(const Translator *t, uint32_t value)
{
    const NativeValue *v = &t->steps->values[value];
    switch (v->home) {
    case HOME_INPUTS:
        return at_row(t, t->bases.in, v->row);
    case HOME_OUTPUTS:
        return at_row(t, t->bases.out, v->row);
    case HOME_ONE:
        return number_at(t, offsetof(NativeSupport, one));
    case HOME_ROWS:
    case HOME_NONE:
        break;
    }
    return at_row(t, t->bases.rows, v->row);
}

void store(Translator *t, uint32_t value)
{
    if (t->stored[value])
        return;
    encode_store(t->code, t->vectors, home(t, value), t->place[value]);
    t->stored[value] = true;
}

void leave(Translator *t, uint32_t value)
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

int take_register(Translator *t, uint32_t now)
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
    if (furthest == NO_REGISTER) { /* cannot be: a step takes and makes fewer */
        t->code->failed = true;
        return 0;
    }
    store(t, t->held[furthest]);
    leave(t, t->held[furthest]);
    return furthest;
}

int take_temporary(Translator *t, uint32_t now)
{
    const int r = take_register(t, now);
    t->held[r] = REGISTER_TEMPORARY;
    return r;
}

int loaded(Translator *t, uint32_t now, uint32_t value)
{
    if (t->place[value] == NO_REGISTER) {
        const int r = take_register(t, now);
        encode_load(t->code, t->vectors, r, home(t, value));
        enter(t, value, r);
    }
    return t->place[value];
}

void pass(Translator *t, const NativeStep *step)
{
    for (uint32_t k = 0; k < step->n; k++) {
        const NativeUse *use = &t->steps->uses[step->first + k];
        t->next[use->value] = use->next;
    }
    for (uint32_t k = 0; k < step->n; k++) {
        const uint32_t value = t->steps->uses[step->first + k].value;
        if (t->next[value] == STEPS_NEVER)
            leave(t, value);
    }
}

void made(Translator *t, uint32_t value, int number)
{
    enter(t, value, number);
    if (t->steps->values[value].home == HOME_OUTPUTS)
        store(t, value);
    if (t->next[value] == STEPS_NEVER)
        leave(t, value);
}
