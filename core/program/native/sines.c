/* Instructions for a sine and a cosine. */
#include "core/program/native/sines.h"

#include <stddef.h>

#define NUMBER(member) support_at(t, offsetof(NativeSupport, sines.member))

static void put_operation(Translator *t, Arithmetic operation, int to, int a, int b)
{
    encode_arithmetic(t->code, VECTORS_ONE, operation, to, a, operand_register(b));
}

/* ((c_0 a + c_1) a + ..) */
static void put_polynomial(Translator *t, int to, int a, size_t offset, size_t n)
{
    encode_load(t->code, VECTORS_ONE, to, support_at(t, offset));
    for (size_t k = 1; k < n; k++)
        encode_fused(t->code, FUSED_TIMES_PLUS, to, a, support_at(t, offset + k * sizeof(double)));
}

/* The nearest number of quarter turns to `to`, and its last bits to turns: a number so large that its unit is 1 rounds so. */
static void put_turns(Translator *t, int x, const SinesRegisters *r, int to)
{
    Code *code = t->code;
    encode_arithmetic(code, VECTORS_ONE, ARITHMETIC_MUL, r->turns, x, NUMBER(two_over_pi));
    encode_arithmetic(code, VECTORS_ONE, ARITHMETIC_ADD, r->turns, r->turns, NUMBER(whole));
    encode_arithmetic(code, VECTORS_ONE, ARITHMETIC_SUB, to, r->turns, NUMBER(whole));
}

/* The square of t + rest, in a. */
static void put_square(Translator *t, const SinesRegisters *r)
{
    put_operation(t, ARITHMETIC_MUL, r->a, r->t, r->rest);
    put_operation(t, ARITHMETIC_ADD, r->a, r->a, r->a);
    encode_fused(t->code, FUSED_ADD, r->a, r->t, operand_register(r->t));
}

/* x less the nearest multiple of half a pi, as t + rest; its square a; the multiple's last bits in turns. */
static void put_reduction(Translator *t, int x, const SinesRegisters *r)
{
    Code *code = t->code;
    put_turns(t, x, r, r->rest);
    encode_move(code, VECTORS_ONE, r->s, x);
    encode_fused(code, FUSED_ADD, r->s, r->rest, NUMBER(half_pi[0]));
    encode_arithmetic(code, VECTORS_ONE, ARITHMETIC_MUL, r->rest, r->rest, NUMBER(half_pi[1]));
    put_operation(t, ARITHMETIC_ADD, r->t, r->s, r->rest);
    put_operation(t, ARITHMETIC_SUB, r->s, r->s, r->t);
    put_operation(t, ARITHMETIC_ADD, r->rest, r->rest, r->s);
    put_square(t, r);
}

/* The sine of what is left, in t. */
static void put_sine(Translator *t, const SinesRegisters *r)
{
    put_polynomial(t, r->s, r->a, offsetof(NativeSupport, sines.sine),
                   sizeof((NativeSines *)0)->sine / sizeof(double));
    put_operation(t, ARITHMETIC_MUL, r->m, r->t, r->a);
    put_operation(t, ARITHMETIC_MUL, r->s, r->m, r->s);
    put_operation(t, ARITHMETIC_ADD, r->m, r->t, r->s);
    put_operation(t, ARITHMETIC_SUB, r->t, r->t, r->m);
    put_operation(t, ARITHMETIC_ADD, r->t, r->s, r->t);
    put_operation(t, ARITHMETIC_ADD, r->t, r->rest, r->t);
    put_operation(t, ARITHMETIC_ADD, r->t, r->m, r->t);
}

/* Its cosine, in a. */
static void put_cosine(Translator *t, const SinesRegisters *r)
{
    put_polynomial(t, r->s, r->a, offsetof(NativeSupport, sines.cosine),
                   sizeof((NativeSines *)0)->cosine / sizeof(double));
    put_operation(t, ARITHMETIC_MUL, r->m, r->a, r->s);
    encode_fused(t->code, FUSED_TIMES_MINUS, r->s, r->a, operand_register(r->m));
    encode_load(t->code, VECTORS_ONE, r->a, support_at(t, offsetof(NativeSupport, one)));
    put_operation(t, ARITHMETIC_ADD, r->rest, r->m, r->a);
    put_operation(t, ARITHMETIC_SUB, r->a, r->a, r->rest);
    put_operation(t, ARITHMETIC_ADD, r->a, r->m, r->a);
    put_operation(t, ARITHMETIC_ADD, r->a, r->s, r->a);
    put_operation(t, ARITHMETIC_ADD, r->a, r->rest, r->a);
}

/* With an odd number of quarter turns they change places; bit 1 of it is the sine's sign, of it plus one the cosine's. To rest and
 * s. The sine of a zero is that zero. */
static void put_quadrant(Translator *t, int x, const SinesRegisters *r)
{
    const Operand sign = support_at(t, offsetof(NativeSupport, sign));
    Code *code = t->code;

    encode_compare(code, VECTORS_ONE, COMPARE_EQUAL, r->m, x,
                   support_at(t, offsetof(NativeSupport, zero)));
    encode_select(code, VECTORS_ONE, r->t, r->m, x, r->t);
    encode_shift_left(code, r->m, r->turns, 63);
    encode_shift_left(code, r->turns, r->turns, 62);
    encode_select(code, VECTORS_ONE, r->rest, r->m, r->a, r->t);
    encode_select(code, VECTORS_ONE, r->s, r->m, r->t, r->a);
    encode_logic(code, VECTORS_ONE, LOGIC_XOR, r->m, r->m, operand_register(r->turns));
    encode_logic(code, VECTORS_ONE, LOGIC_AND, r->turns, r->turns, sign);
    encode_logic(code, VECTORS_ONE, LOGIC_AND, r->m, r->m, sign);
    encode_logic(code, VECTORS_ONE, LOGIC_XOR, r->rest, r->rest, operand_register(r->turns));
    encode_logic(code, VECTORS_ONE, LOGIC_XOR, r->s, r->s, operand_register(r->m));
}

static uint32_t live_registers(const Translator *t)
{
    uint32_t live = 0;
    for (int k = 0; k < t->n_registers; k++)
        if (t->held[k] != REGISTER_FREE && t->held[k] != REGISTER_TEMPORARY)
            live |= 1U << k;
    return live;
}

void put_sines(Translator *t, uint32_t now, const NativeStep *step)
{
    const int x = value_loaded(t, now, t->steps->uses[step->first].value);
    const SinesRegisters r = {register_take_temporary(t, now), register_take_temporary(t, now),
                              register_take_temporary(t, now), register_take_temporary(t, now),
                              register_take_temporary(t, now), register_take_temporary(t, now)};
    SinesAway *away = &t->away[t->n_away++];

    /* registers are settled: from here both ways are alike to the rest */
    *away = (SinesAway){
        .x = x, .sine = r.rest, .cosine = r.s, .registers = r, .live = live_registers(t)};
    encode_logic(t->code, VECTORS_ONE, LOGIC_AND, r.m, x,
                 support_at(t, offsetof(NativeSupport, magnitude)));
    encode_load(t->code, VECTORS_ONE, r.s, NUMBER(most));
    away->jump = encode_jump_unless_above(t->code, r.s, r.m);
    put_reduction(t, x, &r);
    away->reduced = t->code->length;
    put_sine(t, &r);
    put_cosine(t, &r);
    put_quadrant(t, x, &r);
    away->back = t->code->length;
    t->held[r.turns] = t->held[r.t] = t->held[r.a] = t->held[r.m] = REGISTER_FREE;
    step_passed(t, step);
    value_made(t, step->result, r.rest);
    value_made(t, step->result + 1, r.s);
}

static Operand on_stack(int k)
{
    return operand_memory(RSP, (int32_t)(k * (int)sizeof(double)));
}

/* s times the k-th part of a quarter turn comes to the sum so far, `from`, which becomes `to`; what rounding cuts off to the rest, which
 * is on the stack (Knuth's two-sum). */
static void put_part(Translator *t, const SinesRegisters *r, size_t k, int from, int to)
{
    Code *code = t->code;
    encode_arithmetic(code, VECTORS_ONE, ARITHMETIC_MUL, r->a, r->s, NUMBER(quarter[k]));
    put_operation(t, ARITHMETIC_ADD, to, r->a, from);
    put_operation(t, ARITHMETIC_SUB, r->turns, to, from);
    put_operation(t, ARITHMETIC_SUB, r->rest, to, r->turns);
    put_operation(t, ARITHMETIC_SUB, r->rest, from, r->rest);
    put_operation(t, ARITHMETIC_SUB, r->a, r->a, r->turns);
    put_operation(t, ARITHMETIC_ADD, r->a, r->a, r->rest);
    encode_arithmetic(code, VECTORS_ONE, ARITHMETIC_ADD, r->rest, r->a, on_stack(1));
    encode_store(code, VECTORS_ONE, on_stack(1), r->rest);
}

/* As put_reduction(), of larger numbers. SLEEF takes multiples of 2^24 quarter turns off first: below that there are none. */
static void put_long_reduction(Translator *t, int x, const SinesRegisters *r)
{
    Code *code = t->code;
    put_turns(t, x, r, r->s);
    encode_store(code, VECTORS_ONE, on_stack(0), r->turns);
    encode_arithmetic(code, VECTORS_ONE, ARITHMETIC_MUL, r->a, r->s, NUMBER(quarter[0]));
    put_operation(t, ARITHMETIC_ADD, r->m, x, r->a);
    put_operation(t, ARITHMETIC_SUB, r->t, x, r->m);
    put_operation(t, ARITHMETIC_ADD, r->rest, r->a, r->t);
    encode_store(code, VECTORS_ONE, on_stack(1), r->rest);
    put_part(t, r, 1, r->m, r->t);
    put_part(t, r, 2, r->t, r->m);
    encode_arithmetic(code, VECTORS_ONE, ARITHMETIC_MUL, r->a, r->s, NUMBER(quarter[3]));
    put_operation(t, ARITHMETIC_ADD, r->t, r->a, r->m);
    put_operation(t, ARITHMETIC_SUB, r->m, r->m, r->t);
    put_operation(t, ARITHMETIC_ADD, r->a, r->a, r->m);
    put_operation(t, ARITHMETIC_ADD, r->rest, r->a, r->rest);
    encode_load(code, VECTORS_ONE, r->turns, on_stack(0));
    put_square(t, r);
}

/* The call of SLEEF. */
static void put_call(Translator *t, const SinesAway *away)
{
    enum { SINE = 16, COSINE };
    Code *code = t->code;

    for (int k = 0; k < SINE; k++)
        if (away->live >> k & 1)
            encode_store(code, VECTORS_ONE, on_stack(k), k);
    if (away->x != 0)
        encode_move(code, VECTORS_ONE, 0, away->x);
    encode_call_at(code, t->bases.support,
                   (int32_t)(offsetof(NativeSupport, calls) + OP_SINCOS * sizeof(NativeCall *)));
    encode_store(code, VECTORS_ONE, on_stack(SINE), 0);
    encode_store(code, VECTORS_ONE, on_stack(COSINE), 1);
    for (int k = 0; k < SINE; k++)
        if (away->live >> k & 1)
            encode_load(code, VECTORS_ONE, k, on_stack(k));
    encode_load(code, VECTORS_ONE, away->sine, on_stack(SINE));
    encode_load(code, VECTORS_ONE, away->cosine, on_stack(COSINE));
    encode_jump(code, away->back);
}

static void put_away(Translator *t, const SinesAway *away)
{
    const SinesRegisters *r = &away->registers;
    Code *code = t->code;

    encode_jump_leads(code, away->jump, code->length);
    encode_load(code, VECTORS_ONE, r->s, NUMBER(most_long));
    const size_t jump = encode_jump_unless_above(code, r->s, r->m);
    put_long_reduction(t, away->x, r);
    encode_jump(code, away->reduced);
    encode_jump_leads(code, jump, code->length);
    put_call(t, away);
}

void put_sines_away(Translator *t)
{
    for (size_t k = 0; k < t->n_away && !t->code->failed; k++)
        put_away(t, &t->away[k]);
}
