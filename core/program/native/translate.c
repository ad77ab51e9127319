/* Translates steps into instructions, in one pass. An operand is in a register or is loaded into
 * one. If no register is free, the value whose next use is furthest away goes home (L. A. Belady,
 * IBM Systems Journal 5 (1966) 78). Operations stay in their order and are not contracted, so
 * results have the bits of the interpreter's. */
#include "core/program/native/native.h"

#include <stddef.h>

#include "core/program/native/registers.h"
#include "core/program/native/sines.h"

enum { CONDITION = 1 }; /* a mask register */

/* Registers that survive calls, because they are pushed. */
static const Bases OF_CALLS = {RBX, RBP, R14, R15, R12, R13};
static const Bases ARGUMENTS = {RDI, RSI, RDX, RCX, R8, R9};
static const General PUSHED[] = {RBX, RBP, R12, R13, R14, R15};
enum { N_PUSHED = sizeof PUSHED / sizeof *PUSHED };

/* An operand whose last use this is can stay in memory. */
static Operand found(Translator *t, uint32_t now, const NativeUse *use)
{
    if (t->place[use->value] == NO_REGISTER && use->next == STEPS_NEVER)
        return value_home(t, use->value);
    return operand_register(value_loaded(t, now, use->value));
}

static void put_arithmetic(Translator *t, uint32_t now, const NativeStep *step)
{
    static const uint8_t OPERATIONS[] = {[STEP_ADD] = ARITHMETIC_ADD,
                                         [STEP_SUB] = ARITHMETIC_SUB,
                                         [STEP_MUL] = ARITHMETIC_MUL,
                                         [STEP_DIV] = ARITHMETIC_DIV};
    const NativeUse *a = &t->steps->uses[step->first], *b = a + 1;
    /* of a sum or product the operand in a register comes first */
    const bool commutes = step->kind == STEP_ADD || step->kind == STEP_MUL;

    if (commutes && t->place[a->value] == NO_REGISTER && t->place[b->value] != NO_REGISTER) {
        const NativeUse *other = a;
        a = b;
        b = other;
    }
    const int first = value_loaded(t, now, a->value);
    const Operand second = found(t, now, b);
    step_passed(t, step);
    const int to = register_take(t, now);
    encode_arithmetic(t->code, t->vectors, OPERATIONS[step->kind], to, first, second);
    value_made(t, step->result, to);
}

/* A logic operation with a mask from the support table, or a square root. */
static void put_unary(Translator *t, uint32_t now, const NativeStep *step)
{
    const int a = value_loaded(t, now, t->steps->uses[step->first].value);
    step_passed(t, step);
    const int to = register_take(t, now);
    if (step->kind == STEP_SQRT)
        encode_sqrt(t->code, t->vectors, to, a);
    else if (step->kind == STEP_NEG)
        encode_logic(t->code, t->vectors, LOGIC_XOR, to, a,
                     support_at(t, offsetof(NativeSupport, sign)));
    else
        encode_logic(t->code, t->vectors, LOGIC_AND, to, a,
                     support_at(t, offsetof(NativeSupport, magnitude)));
    value_made(t, step->result, to);
}

/* Compares; returns the register of the condition: a mask register, else `to`. */
static int put_condition(Translator *t, Comparison comparison, int to, int a, Operand b)
{
    const int condition = t->vectors == VECTORS_EIGHT ? CONDITION : to;
    encode_compare(t->code, t->vectors, comparison, condition, a, b);
    return condition;
}

/* 1 if the comparison holds, else 0. */
static void put_comparison(Translator *t, uint32_t now, const NativeStep *step)
{
    static const uint8_t COMPARISONS[] = {[STEP_LESS] = COMPARE_LESS,
                                          [STEP_LESS_EQUAL] = COMPARE_LESS_EQUAL,
                                          [STEP_EQUAL] = COMPARE_EQUAL};
    const Operand one = support_at(t, offsetof(NativeSupport, one));
    const NativeUse *a = &t->steps->uses[step->first];
    const int first = value_loaded(t, now, a->value);
    const Operand second = found(t, now, a + 1);

    step_passed(t, step);
    const int to = register_take(t, now);
    (void)put_condition(t, COMPARISONS[step->kind], to, first, second);
    if (t->vectors == VECTORS_EIGHT)
        encode_load_where(t->code, to, CONDITION, one);
    else
        encode_logic(t->code, t->vectors, LOGIC_AND, to, to, one);
    value_made(t, step->result, to);
}

/* The instruction gives the second operand if either is NaN; a first that is NaN replaces it. */
static void put_extreme(Translator *t, uint32_t now, const NativeStep *step)
{
    const Arithmetic operation = step->kind == STEP_MIN ? ARITHMETIC_MIN : ARITHMETIC_MAX;
    const NativeUse *uses = &t->steps->uses[step->first];
    const int a = value_loaded(t, now, uses[0].value), b = value_loaded(t, now, uses[1].value);
    const int to = register_take_temporary(t, now), scratch = register_take_temporary(t, now);

    encode_arithmetic(t->code, t->vectors, operation, to, a, operand_register(b));
    const int condition = put_condition(t, COMPARE_UNORDERED, scratch, a, operand_register(a));
    encode_select(t->code, t->vectors, to, condition, a, to);
    t->held[scratch] = REGISTER_FREE;
    step_passed(t, step);
    value_made(t, step->result, to);
}

static void put_sign(Translator *t, uint32_t now, const NativeStep *step)
{
    const Operand zero = support_at(t, offsetof(NativeSupport, zero));
    const int a = value_loaded(t, now, t->steps->uses[step->first].value);
    const int to = register_take_temporary(t, now), scratch = register_take_temporary(t, now),
              number = register_take_temporary(t, now);

    encode_load(t->code, t->vectors, number, support_at(t, offsetof(NativeSupport, minus_one)));
    int condition = put_condition(t, COMPARE_LESS, scratch, a, zero);
    encode_select(t->code, t->vectors, to, condition, number, a);
    encode_load(t->code, t->vectors, number, support_at(t, offsetof(NativeSupport, one)));
    condition = put_condition(t, COMPARE_GREATER, scratch, a, zero);
    encode_select(t->code, t->vectors, to, condition, number, to);
    t->held[scratch] = t->held[number] = REGISTER_FREE;
    step_passed(t, step);
    value_made(t, step->result, to);
}

static void put_if(Translator *t, uint32_t now, const NativeStep *step)
{
    const NativeUse *uses = &t->steps->uses[step->first];
    const int asked = value_loaded(t, now, uses[0].value),
              yes = value_loaded(t, now, uses[1].value), no = value_loaded(t, now, uses[2].value);
    const int to = register_take_temporary(t, now);
    const int condition =
        put_condition(t, COMPARE_EQUAL, to, asked, support_at(t, offsetof(NativeSupport, zero)));

    encode_select(t->code, t->vectors, to, condition, no, yes);
    step_passed(t, step);
    value_made(t, step->result, to);
}

/* Stores all values in registers, because no vector register survives a call. */
static void put_home(Translator *t)
{
    for (int r = 0; r < t->n_registers; r++)
        if (t->held[r] != REGISTER_FREE)
            value_store(t, t->held[r]);
}

static void clear_registers(Translator *t)
{
    for (int r = 0; r < t->n_registers; r++)
        if (t->held[r] != REGISTER_FREE)
            value_leave(t, t->held[r]);
}

static void put_call(Translator *t, uint32_t op)
{
    const size_t offset = offsetof(NativeSupport, calls) + op * sizeof(NativeCall *);
    encode_call_at(t->code, t->bases.support, (int32_t)offset);
}

/* Arguments and results are in the first registers. */
static void put_function_of_one(Translator *t, const NativeStep *step, uint32_t op)
{
    const NativeUse *uses = &t->steps->uses[step->first];
    const int there = t->place[uses[0].value];

    if (there == NO_REGISTER || step->n > 1)
        encode_load(t->code, t->vectors, 0, value_home(t, uses[0].value));
    else if (there != 0)
        encode_move(t->code, t->vectors, 0, there);
    if (step->n > 1)
        encode_load(t->code, t->vectors, 1, value_home(t, uses[1].value));
    clear_registers(t);
    put_call(t, op);
    step_passed(t, step);
    value_made(t, step->result, 0);
}

/* Arguments are the addresses of the homes of operands and results. */
static void put_function_of_lanes(Translator *t, const NativeStep *step, uint32_t op)
{
    static const General PLACES[] = {RDI, RSI, RDX};

    clear_registers(t);
    /* NOLINTBEGIN(clang-analyzer-core.CallAndMessage): operands and results are three at most */
    for (uint32_t k = 0; k <= step->n; k++) {
        const Operand at =
            value_home(t, k < step->n ? t->steps->uses[step->first + k].value : step->result);
        encode_address(t->code, PLACES[k], (General)at.number, at.displacement);
    }
    /* NOLINTEND(clang-analyzer-core.CallAndMessage) */
    t->stored[step->result] = true;
    put_call(t, op);
    step_passed(t, step);
}

static void put_elimination(Translator *t, const NativeStep *step, uint32_t op)
{
    clear_registers(t);
    encode_copy(t->code, RDI, t->bases.frame);
    encode_number(t->code, RSI, step->instruction);
    encode_copy(t->code, RDX, t->bases.rows);
    put_call(t, op);
    step_passed(t, step);
}

static void put_step_call(Translator *t, uint32_t now, const NativeStep *step)
{
    const uint32_t op = t->program->body[step->instruction].op;

    if (op == OP_SINCOS) {
        put_sines(t, now, step);
        return;
    }
    put_home(t);
    if (is_elimination(op))
        put_elimination(t, step, op);
    else if (t->vectors == VECTORS_ONE)
        put_function_of_one(t, step, op);
    else
        put_function_of_lanes(t, step, op);
}

static void put_output(Translator *t, uint32_t now, const NativeStep *step)
{
    const int from = value_loaded(t, now, t->steps->uses[step->first].value);
    encode_store(t->code, t->vectors, row_at_base(t, t->bases.out, step->result), from);
    step_passed(t, step);
}

/* By the form of the instructions. */
static void put_step(Translator *t, uint32_t now)
{
    static void (*const PUT[])(Translator *, uint32_t, const NativeStep *) = {
        [STEP_ADD] = put_arithmetic,   [STEP_SUB] = put_arithmetic,
        [STEP_MUL] = put_arithmetic,   [STEP_DIV] = put_arithmetic,
        [STEP_MIN] = put_extreme,      [STEP_MAX] = put_extreme,
        [STEP_LESS] = put_comparison,  [STEP_LESS_EQUAL] = put_comparison,
        [STEP_EQUAL] = put_comparison, [STEP_NEG] = put_unary,
        [STEP_ABS] = put_unary,        [STEP_SQRT] = put_unary,
        [STEP_SIGN] = put_sign,        [STEP_IF] = put_if,
        [STEP_CALL] = put_step_call,   [STEP_OUTPUT] = put_output,
    };
    const NativeStep *step = &t->steps->steps[now];

    PUT[step->kind](t, now, step);
}

static bool translator_init(Translator *t)
{
    const NativeSteps *s = t->steps;
    t->n_registers = vectors_registers(t->vectors);
    t->bases = s->has_calls ? OF_CALLS : ARGUMENTS;
    t->place = ARENA_NEW(&t->memory, s->n_values, int);
    t->stored = ARENA_NEW(&t->memory, s->n_values, bool);
    t->next = ARENA_NEW(&t->memory, s->n_values, uint32_t);
    t->away = ARENA_NEW(&t->memory, s->has_sines ? s->n_steps : 0, SinesAway);
    if (arena_failed(&t->memory))
        return false;
    /* registers are free, given values are at home */
    for (int r = 0; r < REGISTERS_MOST; r++)
        t->held[r] = REGISTER_FREE;
    for (size_t v = 0; v < s->n_values; v++) {
        t->place[v] = NO_REGISTER;
        t->stored[v] = s->values[v].given;
        t->next[v] = s->values[v].next;
    }
    return true;
}

/* Keeps the stack aligned to 16 bytes. */
static int32_t stack_bytes(const Translator *t)
{
    const int32_t most = t->steps->has_sines ? sines_stack_bytes(t->vectors) : 0;
    return (most + 15) / 16 * 16 + 8;
}

static void put_entry(Translator *t)
{
    Code *code = t->code;
    encode_begin(code);
    if (!t->steps->has_calls)
        return;
    for (int k = 0; k < N_PUSHED; k++)
        encode_push(code, PUSHED[k]);
    encode_add(code, RSP, -stack_bytes(t));
    encode_copy(code, OF_CALLS.rows, ARGUMENTS.rows);
    encode_copy(code, OF_CALLS.in, ARGUMENTS.in);
    encode_copy(code, OF_CALLS.out, ARGUMENTS.out);
    encode_copy(code, OF_CALLS.support, ARGUMENTS.support);
    encode_copy(code, OF_CALLS.frame, ARGUMENTS.frame);
}

static void put_exit(Translator *t)
{
    Code *code = t->code;
    if (t->vectors != VECTORS_ONE)
        encode_clear_uppers(code);
    if (t->steps->has_calls) {
        encode_add(code, RSP, stack_bytes(t));
        for (int k = N_PUSHED; k-- > 0;)
            encode_pop(code, PUSHED[k]);
    }
    encode_return(code);
}

/* All steps for one vector of lanes, then for the next. */
static void put_body(Translator *t)
{
    const size_t vectors = t->lanes / vectors_lanes(t->vectors);
    const int32_t bytes = (int32_t)(vectors_lanes(t->vectors) * sizeof(double));

    if (vectors > 1)
        encode_number(t->code, t->bases.counter, (uint32_t)vectors);
    const size_t start = t->code->length;
    for (uint32_t k = 0; k < t->steps->n_steps && !t->code->failed; k++)
        put_step(t, k);
    if (vectors == 1)
        return;
    encode_add(t->code, t->bases.rows, bytes);
    encode_add(t->code, t->bases.in, bytes);
    encode_add(t->code, t->bases.out, bytes);
    encode_decrement_and_repeat(t->code, t->bases.counter, start);
}

bool translate(const Program *program, Vectors vectors, size_t lanes, Code *code)
{
    NativeSteps steps = {0};
    Translator t = {
        .program = program, .steps = &steps, .vectors = vectors, .lanes = lanes, .code = code};
    const size_t rows_most = INT32_MAX / sizeof(double) / lanes;
    bool ok = program->n_rows < rows_most && native_steps_init(&steps, program);

    if (ok && translator_init(&t)) {
        put_entry(&t);
        put_body(&t);
        put_exit(&t);
        put_sines_away(&t);
    }
    ok = ok && !arena_failed(&t.memory) && !code->failed;
    arena_done(&t.memory);
    arena_done(&steps.memory);
    return ok;
}
