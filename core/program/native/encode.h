/* Machine code of x86-64, instruction by instruction, limited to the needs of compiled programs.
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

/* Growing machine code, until memory is out or it has NATIVE_MOST_BYTES. */
enum { NATIVE_MOST_BYTES = 1 << 20 };
typedef struct Code {
    uint8_t *bytes; /* free() */
    size_t length, capacity;
    bool failed;
} Code;

/* Widths of vectors. */
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

/* Arithmetic: to = a OP b. The values of the enumerations are opcodes. */
typedef enum Arithmetic {
    ARITHMETIC_ADD = 0x58,
    ARITHMETIC_MUL = 0x59,
    ARITHMETIC_SUB = 0x5c,
    ARITHMETIC_MIN = 0x5d,
    ARITHMETIC_DIV = 0x5e,
    ARITHMETIC_MAX = 0x5f
} Arithmetic;
void encode_arithmetic(Code *code, Vectors vectors, Arithmetic operation, int to, int a, Operand b);
void encode_sqrt(Code *code, Vectors vectors, int to, int a);
/* Bitwise, on whole registers: b in memory is read at full width, for one lane as two doubles. */
typedef enum Logic { LOGIC_AND = 0x54, LOGIC_XOR = 0x57 } Logic;
void encode_logic(Code *code, Vectors vectors, Logic operation, int to, int a, Operand b);

void encode_load(Code *code, Vectors vectors, int to, Operand from);
void encode_store(Code *code, Vectors vectors, Operand to, int from);
void encode_move(Code *code, Vectors vectors, int to, int from);

/* Comparisons, false for NaN except UNORDERED. EVEX: the condition goes to mask register `to` (1 to
 * 7), else to a register of all ones or zeros. */
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
/* Shifts the 64 bits of each number left. */
void encode_shift_left(Code *code, Vectors vectors, int to, int from, unsigned bits);
/* Turns signs into a condition like that of encode_compare(): true if the sign bit is set. EVEX: in
 * mask register `to`, else in the register itself. Returns the register of the condition. */
int encode_condition_of_signs(Code *code, Vectors vectors, int to, int from);
/* Jumps to a place that is not yet known, unless a condition holds in all lanes. Returns the
 * position of the distance for encode_jump_leads() to fill in. Changes RAX. */
size_t encode_jump_unless_all(Code *code, Vectors vectors, int condition);
void encode_jump_leads(Code *code, size_t jump, size_t to);
void encode_jump(Code *code, size_t to);
/* Calls a function of this code that ends with encode_return(); its distance as for a jump. */
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
                    int32_t displacement); /* calls the address stored there */
void encode_decrement_and_repeat(Code *code, General counter,
                                 size_t from); /* jumps to the byte `from` until the counter is 0 */
void encode_clear_uppers(Code *code);          /* before code without VEX runs */
void encode_begin(Code *code);                 /* an entry point of a function */
void encode_return(Code *code);

#endif
