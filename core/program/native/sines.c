/* Instructions for a sine and a cosine. */
#include "core/program/native/sines.h"

#include <stddef.h>

#define NUMBER(member) support_at(t, offsetof(NativeSupport, sines.member))

/* Registers of the computation; s and c hold the results at the end. */
typedef struct SinesRegisters {
    int turns, r, z, z2, sine_rest, cosine, cosine_rest, s, c;
} SinesRegisters;

enum { CONDITION = 1 }; /* a mask register */

static void put_operation(Translator *t, Arithmetic operation, int to, int a, int b)
{
    encode_arithmetic(t->code, t->vectors, operation, to, a, operand_register(b));
}

static void put_operation_at(Translator *t, Arithmetic operation, int to, int a, Operand b)
{
    encode_arithmetic(t->code, t->vectors, operation, to, a, b);
}

static void put_fused(Translator *t, Fused operation, int to, int a, int b)
{
    encode_fused(t->code, t->vectors, operation, to, a, operand_register(b));
}

static void put_fused_at(Translator *t, Fused operation, int to, int a, Operand b)
{
    encode_fused(t->code, t->vectors, operation, to, a, b);
}

/* Subtracts whole quarter turns from x: r, and the rest in cosine_rest. */
static void put_reduction(Translator *t, int x, const SinesRegisters *r)
{
    const int n = r->z, first = r->z2, part = r->s, rounding = r->c, rest = r->cosine_rest;

    put_operation_at(t, ARITHMETIC_MUL, r->turns, x, NUMBER(two_over_pi));
    put_operation_at(t, ARITHMETIC_ADD, r->turns, r->turns, NUMBER(whole));
    put_operation_at(t, ARITHMETIC_SUB, n, r->turns, NUMBER(whole));
    encode_move(t->code, t->vectors, first, x);
    put_fused_at(t, FUSED_ADD, first, n, NUMBER(parts[0]));
    put_operation_at(t, ARITHMETIC_MUL, part, n, NUMBER(parts[1]));
    put_operation(t, ARITHMETIC_ADD, r->r, first, part);
    encode_move(t->code, t->vectors, rounding, part);
    put_fused_at(t, FUSED_LESS, rounding, n, NUMBER(parts[1]));
    put_fused_at(t, FUSED_ADD, rounding, n, NUMBER(parts[2]));
    put_operation(t, ARITHMETIC_SUB, rest, first, r->r);
    put_operation(t, ARITHMETIC_ADD, rest, rest, part);
    put_operation(t, ARITHMETIC_ADD, rest, rest, rounding);
}

/* z and its square; cosine = 1 - z / 2; the rests that are added to both small terms. */
static void put_rests(Translator *t, const SinesRegisters *r)
{
    const int half = r->s, rest = r->c;

    put_operation(t, ARITHMETIC_MUL, r->z, r->r, r->r);
    put_operation(t, ARITHMETIC_MUL, r->z2, r->z, r->z);
    put_operation_at(t, ARITHMETIC_MUL, half, r->z, NUMBER(half));
    encode_move(t->code, t->vectors, rest, r->cosine_rest);
    encode_move(t->code, t->vectors, r->sine_rest, rest);
    put_fused(t, FUSED_SUBTRACT, r->sine_rest, half, rest);
    encode_load(t->code, t->vectors, r->cosine_rest, support_at(t, offsetof(NativeSupport, one)));
    put_operation(t, ARITHMETIC_SUB, r->cosine, r->cosine_rest, half);
    put_operation(t, ARITHMETIC_SUB, r->cosine_rest, r->cosine_rest, r->cosine);
    put_operation(t, ARITHMETIC_SUB, r->cosine_rest, r->cosine_rest, half);
    put_fused(t, FUSED_SUBTRACT, r->cosine_rest, r->r, rest);
}

/* A polynomial in z with the coefficients at `offset`; changes `scratch`. */
static void put_polynomial(Translator *t, const SinesRegisters *r, size_t offset, int to,
                           int scratch)
{
    for (int k = SINES_TERMS - 2; k >= 0; k -= 2) {
        const size_t even = offset + (size_t)k * sizeof(NativeNumber);
        const int pair = k == SINES_TERMS - 2 ? to : scratch;
        encode_load(t->code, t->vectors, pair, support_at(t, even + sizeof(NativeNumber)));
        put_fused_at(t, FUSED_TIMES_PLUS, pair, r->z, support_at(t, even));
        if (pair != to)
            put_fused(t, FUSED_TIMES_PLUS, to, r->z2, pair);
    }
}

/* The sine of the remainder in s, its cosine in cosine. */
static void put_functions(Translator *t, int x, const SinesRegisters *r)
{
    const Operand zero = support_at(t, offsetof(NativeSupport, zero));
    const int large = r->c;

    put_polynomial(t, r, offsetof(NativeSupport, sines.sine), r->s, large);
    put_operation(t, ARITHMETIC_MUL, large, r->z, r->r);
    put_fused(t, FUSED_TIMES_PLUS, r->s, large, r->sine_rest);
    put_operation(t, ARITHMETIC_ADD, r->s, r->r, r->s);
    put_polynomial(t, r, offsetof(NativeSupport, sines.cosine), r->c, r->sine_rest);
    put_fused(t, FUSED_TIMES_PLUS, r->c, r->z2, r->cosine_rest);
    put_operation(t, ARITHMETIC_ADD, r->cosine, r->cosine, r->c);

    /* the sine of 0 is 0 with the same sign */
    const int condition = t->vectors == VECTORS_EIGHT ? CONDITION : r->z;
    encode_compare(t->code, t->vectors, COMPARE_EQUAL, condition, x, zero);
    encode_select(t->code, t->vectors, r->s, condition, x, r->s);
}

/* vec_quadrant(): r is the sine, c the cosine. */
static void put_quadrant(Translator *t, const SinesRegisters *r)
{
    const Operand sign = support_at(t, offsetof(NativeSupport, sign));
    const int odd = r->z, sine = r->r;
    Code *code = t->code;

    encode_shift_left(code, t->vectors, odd, r->turns, 63);
    encode_shift_left(code, t->vectors, r->turns, r->turns, 62);
    const int condition = encode_condition_of_signs(code, t->vectors, CONDITION, odd);
    encode_select(code, t->vectors, sine, condition, r->cosine, r->s);
    encode_select(code, t->vectors, r->c, condition, r->s, r->cosine);
    encode_logic(code, t->vectors, LOGIC_XOR, odd, odd, operand_register(r->turns));
    encode_logic(code, t->vectors, LOGIC_AND, r->turns, r->turns, sign);
    encode_logic(code, t->vectors, LOGIC_AND, odd, odd, sign);
    encode_logic(code, t->vectors, LOGIC_XOR, r->s, sine, operand_register(r->turns));
    encode_logic(code, t->vectors, LOGIC_XOR, r->c, r->c, operand_register(odd));
}

/* Jumps away if an angle is too large or NaN. */
static size_t put_jump_away(Translator *t, int x, int scratch)
{
    const int condition = t->vectors == VECTORS_EIGHT ? CONDITION : scratch;
    encode_logic(t->code, t->vectors, LOGIC_AND, scratch, x,
                 support_at(t, offsetof(NativeSupport, magnitude)));
    encode_compare(t->code, t->vectors, COMPARE_LESS, condition, scratch, NUMBER(most));
    return encode_jump_unless_all(t->code, t->vectors, condition);
}

void put_sines(Translator *t, uint32_t now, const NativeStep *step)
{
    enum { N = sizeof(SinesRegisters) / sizeof(int) };
    const int x = value_loaded(t, now, t->steps->uses[step->first].value);
    int taken[N];
    for (int k = 0; k < N; k++)
        taken[k] = register_take_temporary(t, now);
    const SinesRegisters r = {taken[0], taken[1], taken[2], taken[3], taken[4],
                              taken[5], taken[6], taken[7], taken[8]};
    SinesAway *away = &t->away[t->n_away++];

    /* registers are settled: both paths are alike for the rest */
    *away = (SinesAway){.jump = put_jump_away(t, x, r.s), .x = x, .sine = r.s, .cosine = r.c};
    put_reduction(t, x, &r);
    put_rests(t, &r);
    put_functions(t, x, &r);
    put_quadrant(t, &r);
    away->back = t->code->length;
    for (int k = 0; k < N; k++)
        t->held[taken[k]] = REGISTER_FREE;
    step_passed(t, step);
    value_made(t, step->result, r.s);
    value_made(t, step->result + 1, r.c);
}

/* Vectors on the stack: the registers, then these. */
enum { ANGLE, SINE, COSINE, ROOM };

int32_t sines_stack_bytes(Vectors vectors)
{
    return (int32_t)((size_t)(vectors_registers(vectors) + ROOM) * vectors_lanes(vectors) *
                     sizeof(double));
}

static Operand on_stack(const Translator *t, int k, int32_t above)
{
    return operand_memory(RSP, above + k * (int32_t)(vectors_lanes(t->vectors) * sizeof(double)));
}

/* The call, which preserves all vector registers. The return address, and as many bytes for
 * alignment, lie below the saved vectors. */
static void put_call(Translator *t)
{
    enum { ALIGN = 8, BELOW = 16 };
    Code *code = t->code;

    encode_add(code, RSP, -ALIGN);
    for (int k = 0; k < t->n_registers; k++)
        encode_store(code, t->vectors, on_stack(t, k, BELOW), k);
    static const General PLACES[] = {[ANGLE] = RDI, [SINE] = RSI, [COSINE] = RDX};
    for (int k = 0; k < ROOM; k++)
        encode_address(code, PLACES[k], RSP, on_stack(t, t->n_registers + k, BELOW).displacement);
    encode_call_at(code, t->bases.support,
                   (int32_t)(offsetof(NativeSupport, calls) + OP_SINCOS * sizeof(NativeCall *)));
    for (int k = 0; k < t->n_registers; k++)
        encode_load(code, t->vectors, k, on_stack(t, k, BELOW));
    encode_add(code, RSP, ALIGN);
    encode_return(code);
}

void put_sines_away(Translator *t)
{
    Code *code = t->code;
    if (t->n_away == 0)
        return;
    const size_t function = code->length;
    put_call(t);
    for (size_t k = 0; k < t->n_away && !code->failed; k++) {
        const SinesAway *away = &t->away[k];
        encode_jump_leads(code, away->jump, code->length);
        encode_store(code, t->vectors, on_stack(t, t->n_registers + ANGLE, 0), away->x);
        encode_jump_leads(code, encode_call(code), function);
        encode_load(code, t->vectors, away->sine, on_stack(t, t->n_registers + SINE, 0));
        encode_load(code, t->vectors, away->cosine, on_stack(t, t->n_registers + COSINE, 0));
        encode_jump(code, away->back);
    }
}
