/* Machine code of x86-64, written instruction by instruction: what compiled programs need, no more.
 * Private to core/program/native.
 *
 * Two families encode the same operations: VEX with 16 vector registers of one or four doubles
 * (AVX2), and EVEX with 32 of eight (AVX-512 F, DQ). Intel 64 and IA-32 Architectures Software
 * Developer's Manual, volume 2, sections 2.3 and 2.7. */
#ifndef CORE_PROGRAM_NATIVE_ENCODE_H
#define CORE_PROGRAM_NATIVE_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes on their way. After a failure (no memory, or more than NATIVE_MOST_BYTES) nothing more is
 * written. */
enum { NATIVE_MOST_BYTES = 1 << 20 };
typedef struct Code {
    uint8_t *bytes; /* free() */
    size_t length, capacity;
    bool failed;
} Code;

/* How wide the vectors are that are worked on. */
typedef enum Vectors { VECTORS_ONE, VECTORS_FOUR, VECTORS_EIGHT } Vectors;
size_t vectors_lanes(Vectors vectors);  /* 1, 4, 8 */
int vectors_registers(Vectors vectors); /* 16 or 32 */

/* General registers by their numbers. */
typedef enum General {
    RAX,
    RCX,
    RDX,
    RBX,
    RSP,
    RBP,
    RSI,
    RDI,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15
} General;

/* A vector register, or memory at base + displacement. */
typedef struct Operand {
    bool in_memory;
    int number; /* of the vector register, or a General */
    int32_t displacement;
} Operand;

static inline Operand operand_register(int number)
{
    return (Operand){.number = number};
}

static inline Operand operand_memory(General base, int32_t displacement)
{
    return (Operand){true, (int)base, displacement};
}

/* Arithmetic: to = a OP b. */
typedef enum Arithmetic {
    ARITHMETIC_ADD,
    ARITHMETIC_MUL,
    ARITHMETIC_SUB,
    ARITHMETIC_MIN,
    ARITHMETIC_DIV,
    ARITHMETIC_MAX
} Arithmetic;
void encode_arithmetic(Code *code, Vectors vectors, Arithmetic operation, int to, int a, Operand b);
void encode_sqrt(Code *code, Vectors vectors, int to, int a);
/* Bits, of whole registers: b in memory is read as wide as that, by one lane two doubles. */
typedef enum Logic { LOGIC_AND, LOGIC_ANDNOT, LOGIC_OR, LOGIC_XOR } Logic;
void encode_logic(Code *code, Vectors vectors, Logic operation, int to, int a, Operand b);

void encode_load(Code *code, Vectors vectors, int to, Operand from);
void encode_store(Code *code, Vectors vectors, Operand to, int from);
void encode_move(Code *code, Vectors vectors, int to, int from);

/* Comparisons, false of NaN but for UNORDERED. EVEX: the condition goes to mask register `to` (1 to
 * 7), else a register of all ones or zeros. */
typedef enum Comparison {
    COMPARE_EQUAL = 0x00,
    COMPARE_UNORDERED = 0x03,
    COMPARE_LESS = 0x11,
    COMPARE_LESS_EQUAL = 0x12,
    COMPARE_GREATER = 0x1e
} Comparison;
void encode_compare(Code *code, Vectors vectors, Comparison comparison, int to, int a, Operand b);
/* to = condition ? yes : no */
void encode_select(Code *code, Vectors vectors, int to, int condition, int yes, int no);

/* Rounded once: to = to * a + b, to = a * b + to, to = a * b - to, to = to - a * b. */
typedef enum Fused {
    FUSED_TIMES_PLUS = 0xa8,
    FUSED_ADD = 0xb8,
    FUSED_LESS = 0xba,
    FUSED_SUBTRACT = 0xbc
} Fused;
void encode_fused(Code *code, Vectors vectors, Fused operation, int to, int a, Operand b);
/* The 64 bits of each number to the left. */
void encode_shift_left(Code *code, Vectors vectors, int to, int from, unsigned bits);
/* A condition as encode_compare() leaves one, of signs: it holds where the sign bit is set. EVEX:
 * to mask register `to`, else the register itself is the condition. Returns where it is. */
int encode_condition_of_signs(Code *code, Vectors vectors, int to, int from);
/* To a place that is not known yet unless a condition holds in all lanes; where the distance stands
 * that encode_jump_leads() fills in. Changes RAX. */
size_t encode_jump_unless_all(Code *code, Vectors vectors, int condition);
void encode_jump_leads(Code *code, size_t jump, size_t to);
void encode_jump(Code *code, size_t to);
/* A function of this code itself; ends with encode_return(). The distance is as of a jump. */
size_t encode_call(Code *code);

/* EVEX: to = condition ? from : 0 */
void encode_load_where(Code *code, int to, int condition, Operand from);

void encode_push(Code *code, General from);
void encode_pop(Code *code, General to);
void encode_copy(Code *code, General to, General from);
void encode_number(Code *code, General to, uint32_t number);
void encode_add(Code *code, General to, int32_t number);
void encode_address(Code *code, General to, General base, int32_t displacement);
void encode_call_at(Code *code, General base,
                    int32_t displacement); /* of the address in memory there */
void encode_decrement_and_repeat(Code *code, General counter,
                                 size_t from); /* to the byte `from` unless 0 is reached */
void encode_clear_uppers(Code *code);          /* before code without VEX runs */
void encode_begin(Code *code);                 /* a place at which a function may be entered */
void encode_return(Code *code);

#endif
