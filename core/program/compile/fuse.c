/* The peephole pass over a tape: division for reciprocals, three operands in one operation. */
#include "core/program/compile/compile.h"

#include <string.h>

/* outer, with inner as its operand at `position`, is fused. The operands are those of outer without
 * inner, then those of inner; with inner_first the other way round. */
typedef struct Pattern {
    uint8_t outer, position, inner, fused;
    bool inner_first;
} Pattern;

/* The first matching row is applied until none matches: operand 0 before operand 1. */
static const Pattern PATTERNS[] = {
    {OP_ADD, 0, OP_MUL, OP_MUL_ADD, true},
    {OP_ADD, 1, OP_MUL, OP_MUL_ADD, true},
    {OP_SUB, 0, OP_MUL, OP_MUL_SUB, true},
    {OP_SUB, 1, OP_MUL, OP_SUB_MUL, true},
    {OP_ADD, 0, OP_MUL3, OP_MUL3_ADD, true},
    {OP_ADD, 1, OP_MUL3, OP_MUL3_ADD, true},
    {OP_SUB, 0, OP_MUL3, OP_MUL3_SUB, true},
    {OP_SUB, 1, OP_MUL3, OP_SUB_MUL3, true},
    {OP_MUL_ADD, 2, OP_MUL, OP_DOT2, false},
    {OP_MUL_SUB, 2, OP_MUL, OP_CROSS2, false},
    {OP_MUL_ADD, 2, OP_MUL3, OP_DOT32, true},
    {OP_MUL_SUB, 2, OP_MUL3, OP_CROSS23, true},
    {OP_SUB_MUL, 2, OP_MUL3, OP_CROSS32, true},
    {OP_MUL3_ADD, 3, OP_MUL3, OP_DOT33, false},
    {OP_MUL3_SUB, 3, OP_MUL3, OP_CROSS33, false},
    {OP_MUL_ADD, 2, OP_MUL_ADD, OP_DOT2_ADD, false},
    {OP_SUB_MUL, 2, OP_MUL_ADD, OP_ADD_CROSS, false},
    {OP_MUL_ADD, 2, OP_SUB_MUL, OP_SUB_CROSS, false},
    {OP_SUB_MUL, 2, OP_SUB_MUL, OP_SUB_DOT2, false},
    {OP_MUL_ADD, 2, OP_DOT2, OP_DOT3, false},
    {OP_SUB_MUL, 2, OP_DOT2, OP_DOT2_SUB, false},
    {OP_MUL_ADD, 2, OP_CROSS2, OP_CROSS2_ADD, false},
    {OP_SUB_MUL, 2, OP_CROSS2, OP_CROSS2_SUB, false},
    {OP_ADD, 0, OP_ADD, OP_ADD3, true},
    {OP_ADD, 1, OP_ADD, OP_ADD3, true},
    {OP_SUB, 0, OP_ADD, OP_ADD_SUB, true},
    {OP_ADD, 0, OP_SUB, OP_SUB_ADD, true},
    {OP_ADD, 1, OP_SUB, OP_SUB_ADD, true},
    {OP_SUB, 0, OP_SUB, OP_SUB_SUB, true},
    {OP_MUL, 0, OP_MUL, OP_MUL3, true},
    {OP_MUL, 1, OP_MUL, OP_MUL3, true},
    {OP_MUL, 0, OP_MUL3, OP_MUL4, true},
    {OP_MUL, 1, OP_MUL3, OP_MUL4, true},
    {OP_NEG, 0, OP_MUL, OP_NEG_MUL, true},
    {OP_NEG, 0, OP_MUL3, OP_NEG_MUL3, true},
    {OP_MUL, 0, OP_ADD, OP_ADD_MUL, true},
    {OP_MUL, 1, OP_ADD, OP_ADD_MUL, true},
    {OP_MUL, 0, OP_SUB, OP_DIFF_MUL, true},
    {OP_MUL, 1, OP_SUB, OP_DIFF_MUL, true},
    {OP_MUL, 0, OP_MUL_ADD, OP_MUL_ADD_MUL, true},
    {OP_MUL, 1, OP_MUL_ADD, OP_MUL_ADD_MUL, true},
    {OP_MUL, 0, OP_MUL_SUB, OP_MUL_SUB_MUL, true},
    {OP_MUL, 1, OP_MUL_SUB, OP_MUL_SUB_MUL, true},
    {OP_MUL, 0, OP_SUB_MUL, OP_SUB_MUL_MUL, true},
    {OP_MUL, 1, OP_SUB_MUL, OP_SUB_MUL_MUL, true},
    {OP_MUL, 0, OP_DOT2, OP_DOT2_MUL, true},
    {OP_MUL, 1, OP_DOT2, OP_DOT2_MUL, true},
    {OP_MUL, 0, OP_CROSS2, OP_CROSS2_MUL, true},
    {OP_MUL, 1, OP_CROSS2, OP_CROSS2_MUL, true},
    {OP_DIV, 0, OP_MUL, OP_MUL_DIV, true},
};

enum { N_PATTERNS = sizeof PATTERNS / sizeof PATTERNS[0] };

static bool is_one(const TapeEntry *entry)
{
    return entry->op == OP_CONST && entry->number == 1.0;
}

/* Replaces x * (1/d) by x / d if 1/d has no other use. */
static void divide_directly(Tape *tape, uint32_t *uses, TapeEntry *product)
{
    for (size_t k = 0; k < 2; k++) {
        const uint32_t operand = product->arg[k];
        const TapeEntry *quotient = &tape->entries[operand];
        if (quotient->op != OP_DIV || uses[operand] != 1 || quotient->fixed != product->fixed ||
            !is_one(&tape->entries[quotient->arg[0]]))
            continue;
        /* the reciprocal is unused, and its 1 has one use less */
        uses[operand] = 0;
        uses[quotient->arg[0]]--;
        product->op = OP_DIV;
        product->arg[0] = product->arg[1 - k];
        product->arg[1] = quotient->arg[1];
        return;
    }
}

static void apply(Tape *tape, uint32_t *uses, TapeEntry *outer, const Pattern *pattern)
{
    const uint32_t operand = outer->arg[pattern->position];
    const TapeEntry inner = tape->entries[operand];
    uint32_t others[PROGRAM_MAX_OPERANDS];
    size_t n = 0;

    for (size_t k = 0; k < outer->operands; k++)
        if (k != pattern->position)
            others[n++] = outer->arg[k];
    /* the operands of both, in the order of the fused operation */
    uint32_t *first = outer->arg + (pattern->inner_first ? inner.operands : 0);
    uint32_t *second = outer->arg + (pattern->inner_first ? 0 : n);
    memcpy(first, others, n * sizeof *others);
    memcpy(second, inner.arg, inner.operands * sizeof *others);
    outer->op = pattern->fused;
    outer->operands = (uint8_t)(n + inner.operands);
    uses[operand] = 0;
}

static const Pattern *match(const Tape *tape, const uint32_t *uses, const TapeEntry *outer)
{
    for (size_t p = 0; p < N_PATTERNS; p++) {
        if (PATTERNS[p].outer != outer->op)
            continue;
        const uint32_t operand = outer->arg[PATTERNS[p].position];
        const TapeEntry *inner = &tape->entries[operand];
        if (inner->op == PATTERNS[p].inner && uses[operand] == 1 && inner->fixed == outer->fixed)
            return &PATTERNS[p];
    }
    return NULL;
}

void fuse_quotients(Tape *tape, uint32_t *uses)
{
    for (size_t value = 0; value < tape->count; value++)
        if (uses[value] > 0 && tape->entries[value].op == OP_MUL)
            divide_directly(tape, uses, &tape->entries[value]);
}

void fuse_operations(Tape *tape, uint32_t *uses)
{
    for (size_t value = 0; value < tape->count; value++) {
        const Pattern *pattern;
        TapeEntry *entry = &tape->entries[value];
        /* the fused operation may match again */
        while (uses[value] > 0 && (pattern = match(tape, uses, entry)) != NULL)
            apply(tape, uses, entry, pattern);
    }
}
