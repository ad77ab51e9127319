/* Prefixes, opcodes, operands. */
#include "core/program/native/encode.h"

#include <string.h>

#include "core/base/memory.h"

/* Prefixes and maps of opcodes. */
typedef enum Prefix { PREFIX_NONE, PREFIX_66, PREFIX_F3, PREFIX_F2 } Prefix;
typedef enum OpcodeMap { MAP_0F = 1, MAP_0F38, MAP_0F3A } OpcodeMap;

/* A vector instruction: its registers besides the operand that may be in memory. `first` is in the
 * ModRM byte, `second` in the prefix (0: none). */
typedef struct VectorInstruction {
    Prefix prefix;
    OpcodeMap map;
    uint8_t opcode;
    int first, second;
    Operand last;
    int mask;     /* EVEX: the mask register, 0: none */
    bool zeroing; /* EVEX: lanes outside the mask become 0 */
    bool w;       /* VEX: the bit W, which EVEX always sets */
} VectorInstruction;

/* An instruction of the map 0F. */
static VectorInstruction vector_instruction(Prefix prefix, unsigned opcode, int first, int second,
                                            Operand last)
{
    return (VectorInstruction){.prefix = prefix,
                               .map = MAP_0F,
                               .opcode = (uint8_t)opcode,
                               .first = first,
                               .second = second,
                               .last = last};
}

static __attribute__((noinline)) bool grow(Code *code)
{
    enum { FIRST_BYTES = 2048 };
    const size_t need = code->capacity == 0 ? FIRST_BYTES : code->length + 1;
    if (code->length >= NATIVE_MOST_BYTES || !grow_array(&code->bytes, &code->capacity, need, 1))
        code->failed = true;
    return !code->failed;
}

static void put(Code *code, unsigned byte)
{
    if (code->failed || (code->length == code->capacity && !grow(code)))
        return;
    code->bytes[code->length++] = (uint8_t)byte;
}

static void put_32(Code *code, uint32_t number)
{
    for (int k = 0; k < 4; k++)
        put(code, number >> (8 * k) & 0xff);
}

size_t vectors_lanes(Vectors vectors)
{
    static const size_t LANES[] = {1, 4, 8};
    return LANES[vectors];
}

int vectors_registers(Vectors vectors)
{
    return vectors == VECTORS_EIGHT ? 32 : 16;
}

static unsigned bit(int number, int at)
{
    return (unsigned)number >> at & 1;
}

/* ModRM and the displacement, if any: in one byte if it fits, in units of `unit` bytes. */
static void put_operand(Code *code, int first, Operand operand, int32_t unit)
{
    const unsigned middle = ((unsigned)first & 7) << 3, last = (unsigned)operand.number & 7;
    const int32_t units = operand.displacement / unit;

    if (!operand.in_memory) {
        put(code, 0xc0 | middle | last);
        return;
    }
    const bool none = operand.displacement == 0 && last != RBP;
    const bool small = operand.displacement % unit == 0 && units >= INT8_MIN && units <= INT8_MAX;
    put(code, (none ? 0 : small ? 0x40 : 0x80) | middle | last);
    if (last == RSP)
        put(code, 0x24); /* an address without an index */
    if (none)
        return;
    if (small)
        put(code, (unsigned)units & 0xff);
    else
        put_32(code, (uint32_t)operand.displacement);
}

/* A prefix of two bytes, or three if necessary. */
static void put_vex(Code *code, const VectorInstruction *i, bool wide)
{
    const unsigned tail =
        (unsigned)i->w << 7 | (~(unsigned)i->second & 15) << 3 | (unsigned)wide << 2 | i->prefix;

    if (i->map == MAP_0F && bit(i->last.number, 3) == 0) {
        put(code, 0xc5);
        put(code, (bit(i->first, 3) ^ 1) << 7 | tail);
    } else {
        put(code, 0xc4);
        put(code,
            (bit(i->first, 3) ^ 1) << 7 | 1 << 6 | (bit(i->last.number, 3) ^ 1) << 5 | i->map);
        put(code, tail);
    }
    put(code, i->opcode);
    put_operand(code, i->first, i->last, 1);
}

/* Eight doubles, W = 1. The bits of registers are inverted. */
static void put_evex(Code *code, const VectorInstruction *i)
{
    enum { BYTES = 64, WIDE = 1 << 7, BYTES_512 = 2 << 5 };
    /* bit 4 of a vector register takes the place of an index register */
    const unsigned x = i->last.in_memory ? 0 : bit(i->last.number, 4);

    put(code, 0x62);
    put(code, (bit(i->first, 3) ^ 1) << 7 | (x ^ 1) << 6 | (bit(i->last.number, 3) ^ 1) << 5 |
                  (bit(i->first, 4) ^ 1) << 4 | i->map);
    put(code, WIDE | (~(unsigned)i->second & 15) << 3 | 1 << 2 | i->prefix);
    put(code,
        (unsigned)i->zeroing << 7 | BYTES_512 | (bit(i->second, 4) ^ 1) << 3 | (unsigned)i->mask);
    put(code, i->opcode);
    put_operand(code, i->first, i->last, BYTES);
}

static void put_vector(Code *code, Vectors vectors, VectorInstruction instruction)
{
    if (vectors == VECTORS_EIGHT)
        put_evex(code, &instruction);
    else
        put_vex(code, &instruction, vectors == VECTORS_FOUR);
}

/* The prefix of instructions that exist for one double and for several. */
static Prefix prefix_of(Vectors vectors)
{
    return vectors == VECTORS_ONE ? PREFIX_F2 : PREFIX_66;
}

void encode_arithmetic(Code *code, Vectors vectors, Arithmetic operation, int to, int a, Operand b)
{
    put_vector(code, vectors, vector_instruction(prefix_of(vectors), operation, to, a, b));
}

/* For one double the upper half comes from an operand: `a`, which is waited for anyway. */
void encode_sqrt(Code *code, Vectors vectors, int to, int a)
{
    const int upper = vectors == VECTORS_ONE ? a : 0;
    put_vector(code, vectors,
               vector_instruction(prefix_of(vectors), 0x51, to, upper, operand_register(a)));
}

void encode_logic(Code *code, Vectors vectors, Logic operation, int to, int a, Operand b)
{
    put_vector(code, vectors, vector_instruction(PREFIX_66, operation, to, a, b));
}

void encode_load(Code *code, Vectors vectors, int to, Operand from)
{
    put_vector(code, vectors, vector_instruction(prefix_of(vectors), 0x10, to, 0, from));
}

void encode_store(Code *code, Vectors vectors, Operand to, int from)
{
    put_vector(code, vectors, vector_instruction(prefix_of(vectors), 0x11, from, 0, to));
}

void encode_move(Code *code, Vectors vectors, int to, int from)
{
    put_vector(code, vectors, vector_instruction(PREFIX_66, 0x28, to, 0, operand_register(from)));
}

void encode_compare(Code *code, Vectors vectors, Comparison comparison, int to, int a, Operand b)
{
    put_vector(code, vectors, vector_instruction(prefix_of(vectors), 0xc2, to, a, b));
    put(code, comparison);
}

void encode_select(Code *code, Vectors vectors, int to, int condition, int yes, int no)
{
    const bool by_mask = vectors == VECTORS_EIGHT; /* EVEX; VEX selects by a vector */
    VectorInstruction select =
        vector_instruction(PREFIX_66, by_mask ? 0x65 : 0x4b, to, no, operand_register(yes));

    select.map = by_mask ? MAP_0F38 : MAP_0F3A;
    select.mask = by_mask ? condition : 0;
    put_vector(code, vectors, select);
    if (!by_mask)
        put(code, (unsigned)condition << 4);
}

void encode_load_where(Code *code, int to, int condition, Operand from)
{
    VectorInstruction load = vector_instruction(PREFIX_66, 0x10, to, 0, from);

    load.mask = condition;
    load.zeroing = true;
    put_vector(code, VECTORS_EIGHT, load);
}

void encode_fused(Code *code, Vectors vectors, Fused operation, int to, int a, Operand b)
{
    VectorInstruction fused =
        vector_instruction(PREFIX_66, operation | (vectors == VECTORS_ONE), to, a, b);

    fused.map = MAP_0F38;
    fused.w = true;
    put_vector(code, vectors, fused);
}

void encode_shift_left(Code *code, Vectors vectors, int to, int from, unsigned bits)
{
    enum { LEFT = 6 };
    put_vector(code, vectors,
               vector_instruction(PREFIX_66, 0x73, LEFT, to, operand_register(from)));
    put(code, bits);
}

int encode_condition_of_signs(Code *code, Vectors vectors, int to, int from)
{
    if (vectors != VECTORS_EIGHT)
        return from;
    VectorInstruction signs = vector_instruction(PREFIX_F3, 0x39, to, 0, operand_register(from));
    signs.map = MAP_0F38;
    put_vector(code, vectors, signs);
    return to;
}

static size_t put_distance(Code *code)
{
    put_32(code, 0);
    return code->length - 4;
}

/* Moves the condition's bits to EAX, inverts and tests them. */
size_t encode_jump_unless_all(Code *code, Vectors vectors, int condition)
{
    put_vector(code, vectors == VECTORS_FOUR ? VECTORS_FOUR : VECTORS_ONE,
               vector_instruction(PREFIX_66, vectors == VECTORS_EIGHT ? 0x93 : 0x50, RAX, 0,
                                  operand_register(condition)));
    put(code, 0xf7); /* not */
    put(code, 0xd0);
    put(code, 0xa8); /* test */
    put(code, (1U << vectors_lanes(vectors)) - 1);
    put(code, 0x0f); /* jnz */
    put(code, 0x85);
    return put_distance(code);
}

size_t encode_call(Code *code)
{
    put(code, 0xe8);
    return put_distance(code);
}

void encode_jump_leads(Code *code, size_t jump, size_t to)
{
    const uint32_t distance = (uint32_t)(to - (jump + 4));
    for (size_t k = 0; k < 4 && !code->failed; k++)
        code->bytes[jump + k] = (uint8_t)(distance >> (8 * k));
}

void encode_jump(Code *code, size_t to)
{
    put(code, 0xe9);
    put_32(code, (uint32_t)(to - (code->length + 4)));
}

/* General registers: 64 bits wide. */
static void put_rex(Code *code, bool wide, int first, int last)
{
    const unsigned rex = 0x40 | (unsigned)wide << 3 | bit(first, 3) << 2 | bit(last, 3);
    if (rex != 0x40)
        put(code, rex);
}

void encode_push(Code *code, General from)
{
    put_rex(code, false, 0, from);
    put(code, 0x50 | (from & 7));
}

void encode_pop(Code *code, General to)
{
    put_rex(code, false, 0, to);
    put(code, 0x58 | (to & 7));
}

void encode_copy(Code *code, General to, General from)
{
    put_rex(code, true, from, to);
    put(code, 0x89);
    put(code, 0xc0 | (from & 7) << 3 | (to & 7));
}

void encode_number(Code *code, General to, uint32_t number)
{
    put_rex(code, false, 0, to);
    put(code, 0xb8 | (to & 7));
    put_32(code, number);
}

void encode_add(Code *code, General to, int32_t number)
{
    put_rex(code, true, 0, to);
    put(code, 0x81);
    put(code, 0xc0 | (to & 7));
    put_32(code, (uint32_t)number);
}

void encode_address(Code *code, General to, General base, int32_t displacement)
{
    put_rex(code, true, to, base);
    put(code, 0x8d);
    put_operand(code, to, operand_memory(base, displacement), 1);
}

void encode_call_at(Code *code, General base, int32_t displacement)
{
    enum { CALL = 2 };
    put_rex(code, false, CALL, base);
    put(code, 0xff);
    put_operand(code, CALL, operand_memory(base, displacement), 1);
}

void encode_decrement_and_repeat(Code *code, General counter, size_t from)
{
    put_rex(code, true, 0, counter);
    put(code, 0xff);
    put(code, 0xc0 | 1 << 3 | (counter & 7));
    put(code, 0x0f); /* jnz; the distance counts from behind its six bytes */
    put(code, 0x85);
    put_32(code, (uint32_t)(from - (code->length + 4)));
}

void encode_clear_uppers(Code *code)
{
    put(code, 0xc5);
    put(code, 0xf8);
    put(code, 0x77);
}

void encode_begin(Code *code)
{
    put_32(code, 0xfa1e0ff3); /* endbr64 */
}

void encode_return(Code *code)
{
    put(code, 0xc3);
}
