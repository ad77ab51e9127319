/* The tape: value numbering by a hash table, constants folded on the way. */
#include "core/program/compile/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum { FIRST_BUCKETS = 1024 };

Status tape_init(Tape *tape, Error *err)
{
    *tape = (Tape){.n_buckets = FIRST_BUCKETS};
    tape->buckets = alloc_array(tape->n_buckets, sizeof *tape->buckets);
    if (!tape->buckets)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    memset(tape->buckets, 0xff, tape->n_buckets * sizeof *tape->buckets);
    return OK;
}

void tape_done(Tape *tape)
{
    free(tape->entries);
    free(tape->lists);
    free(tape->buckets);
    *tape = (Tape){0};
}

Status tape_status(const Tape *tape, Error *err)
{
    if (tape->failure == ERR_LIMIT)
        return error_set(err, ERR_LIMIT, "the program has more than %d operations",
                         TAPE_MAX_ENTRIES);
    if (tape->failure != OK)
        return error_set(err, tape->failure, "out of memory");
    return OK;
}

uint32_t tape_list_length(const TapeEntry *entry)
{
    if (entry->op == OP_FACTOR)
        return entry->index * entry->index;
    return entry->op == OP_SOLVE ? entry->index : 0;
}

uint32_t tape_n_operands(const TapeEntry *entry)
{
    return entry->operands + tape_list_length(entry);
}

uint32_t tape_operand(const Tape *tape, const TapeEntry *entry, size_t k)
{
    return k < entry->operands ? entry->arg[k] : tape->lists[entry->list + k - entry->operands];
}

uint32_t tape_width(const TapeEntry *entry)
{
    switch (entry->op) {
    case OP_SINCOS:
        return 2;
    case OP_FACTOR:
        return factor_rows(entry->index);
    case OP_SOLVE:
        return entry->index;
    default:
        return 1;
    }
}

bool tape_is_fixed(const Tape *tape, uint32_t value)
{
    return value != TAPE_NONE && tape->entries[value].fixed;
}

static size_t mix(size_t hash, uint32_t word)
{
    hash ^= word;
    hash *= (size_t)0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

/* The bits of the number: 0 and -0 are two constants. */
static uint64_t number_bits(const TapeEntry *entry)
{
    uint64_t bits;
    memcpy(&bits, &entry->number, sizeof bits);
    return bits;
}

static size_t hash_entry(const Tape *tape, const TapeEntry *entry)
{
    const uint64_t bits = number_bits(entry);
    size_t hash = entry->op;

    hash = mix(hash, (uint32_t)bits);
    hash = mix(hash, (uint32_t)(bits >> 32));
    hash = mix(hash, entry->index);
    hash = mix(hash, entry->scaling);
    for (size_t k = 0; k < tape_n_operands(entry); k++)
        hash = mix(hash, tape_operand(tape, entry, k));
    return hash;
}

static bool same_entry(const Tape *tape, const TapeEntry *a, const TapeEntry *b)
{
    const size_t length = tape_list_length(a);
    return a->op == b->op && a->index == b->index && a->scaling == b->scaling &&
           a->operands == b->operands && number_bits(a) == number_bits(b) &&
           memcmp(a->arg, b->arg, a->operands * sizeof *a->arg) == 0 &&
           (length == 0 || memcmp(tape->lists + a->list, tape->lists + b->list,
                                  length * sizeof *tape->lists) == 0);
}

/* The bucket of an entry equal to the given one, or the free bucket for it. */
static size_t find_bucket(const Tape *tape, const TapeEntry *entry)
{
    const size_t mask = tape->n_buckets - 1;
    size_t k = hash_entry(tape, entry) & mask;
    while (tape->buckets[k] != TAPE_NONE &&
           !same_entry(tape, &tape->entries[tape->buckets[k]], entry))
        k = (k + 1) & mask;
    return k;
}

static bool grow_buckets(Tape *tape)
{
    const size_t n = 4 * tape->n_buckets;
    uint32_t *buckets = alloc_array(n, sizeof *buckets);
    if (!buckets)
        return false;
    memset(buckets, 0xff, n * sizeof *buckets);
    free(tape->buckets);
    tape->buckets = buckets;
    tape->n_buckets = n;
    for (size_t value = 0; value < tape->count; value++)
        buckets[find_bucket(tape, &tape->entries[value])] = (uint32_t)value;
    return true;
}

static uint32_t fail(Tape *tape, Status status)
{
    if (tape->failure == OK)
        tape->failure = status;
    return TAPE_NONE;
}

static bool operands_fixed(const Tape *tape, const TapeEntry *entry)
{
    if (entry->op == OP_INPUT)
        return false;
    for (size_t k = 0; k < tape_n_operands(entry); k++)
        if (!tape->entries[tape_operand(tape, entry, k)].fixed)
            return false;
    return true;
}

/* The value of an entry equal to this one, old or new. */
static uint32_t find_or_add(Tape *tape, TapeEntry entry)
{
    if (tape->failure != OK)
        return TAPE_NONE;
    for (size_t k = 0; k < entry.operands; k++)
        if (entry.arg[k] == TAPE_NONE)
            return TAPE_NONE;
    size_t bucket = find_bucket(tape, &entry);
    if (tape->buckets[bucket] != TAPE_NONE)
        return tape->buckets[bucket];
    /* a new entry, in a table that is at most half full */
    if (tape->count == TAPE_MAX_ENTRIES)
        return fail(tape, ERR_LIMIT);
    if (!grow_array(&tape->entries, &tape->capacity, tape->count + 1, sizeof *tape->entries))
        return fail(tape, ERR_NO_MEMORY);
    if (2 * tape->count >= tape->n_buckets) {
        if (!grow_buckets(tape))
            return fail(tape, ERR_NO_MEMORY);
        bucket = find_bucket(tape, &entry);
    }
    entry.fixed = operands_fixed(tape, &entry);
    tape->entries[tape->count] = entry;
    tape->buckets[bucket] = (uint32_t)tape->count;
    return (uint32_t)tape->count++;
}

uint32_t tape_const(Tape *tape, double number)
{
    return find_or_add(tape, (TapeEntry){.op = OP_CONST, .number = number});
}

uint32_t tape_given(Tape *tape, ProgramOp op, uint32_t row)
{
    return find_or_add(tape, (TapeEntry){.op = (uint8_t)op, .index = row});
}

static bool constant(const Tape *tape, uint32_t value, double *ret_number)
{
    if (value == TAPE_NONE || tape->entries[value].op != OP_CONST)
        return false;
    *ret_number = tape->entries[value].number;
    return true;
}

uint32_t tape_unary(Tape *tape, ProgramOp op, uint32_t a)
{
    double number;
    if (op == OP_NEG && constant(tape, a, &number))
        return tape_const(tape, -number);
    return find_or_add(tape, (TapeEntry){.op = (uint8_t)op, .operands = 1, .arg = {a}});
}

static bool fold(ProgramOp op, double a, double b, double *ret_number)
{
    double number = NAN;
    if (op == OP_ADD)
        number = a + b;
    else if (op == OP_SUB)
        number = a - b;
    else if (op == OP_MUL)
        number = a * b;
    else if (op == OP_DIV)
        number = a / b;
    *ret_number = number;
    return isfinite(number);
}

uint32_t tape_binary(Tape *tape, ProgramOp op, uint32_t a, uint32_t b)
{
    double left, right, folded;
    if (constant(tape, a, &left) && constant(tape, b, &right) && fold(op, left, right, &folded))
        return tape_const(tape, folded);
    if ((op == OP_ADD || op == OP_MUL) && a > b) {
        const uint32_t swapped = a;
        a = b;
        b = swapped;
    }
    return find_or_add(tape, (TapeEntry){.op = (uint8_t)op, .operands = 2, .arg = {a, b}});
}

uint32_t tape_if(Tape *tape, uint32_t condition, uint32_t yes, uint32_t no)
{
    return find_or_add(tape, (TapeEntry){.op = OP_IF, .operands = 3, .arg = {condition, yes, no}});
}

/* Appends values to the lists; false once the tape has failed. */
static bool add_list(Tape *tape, const uint32_t *values, size_t n, uint32_t *ret_list)
{
    if (tape->failure != OK)
        return false;
    for (size_t k = 0; k < n; k++)
        if (values[k] == TAPE_NONE)
            return false;
    if (n > TAPE_MAX_LISTS - tape->n_lists)
        return fail(tape, ERR_LIMIT) != TAPE_NONE;
    if (!grow_array(&tape->lists, &tape->lists_capacity, tape->n_lists + n, sizeof *tape->lists))
        return fail(tape, ERR_NO_MEMORY) != TAPE_NONE;
    memcpy(tape->lists + tape->n_lists, values, n * sizeof *values);
    *ret_list = (uint32_t)tape->n_lists;
    tape->n_lists += n;
    return true;
}

uint32_t tape_factor(Tape *tape, const uint32_t *matrix, uint32_t n, uint32_t scaling)
{
    TapeEntry entry = {.op = OP_FACTOR, .index = n, .scaling = scaling};
    return add_list(tape, matrix, (size_t)n * n, &entry.list) ? find_or_add(tape, entry)
                                                              : TAPE_NONE;
}

uint32_t tape_solve(Tape *tape, uint32_t factor, const uint32_t *rhs, uint32_t n)
{
    TapeEntry entry = {.op = OP_SOLVE, .operands = 1, .arg = {factor}, .index = n};
    return add_list(tape, rhs, n, &entry.list) ? find_or_add(tape, entry) : TAPE_NONE;
}

uint32_t tape_part(Tape *tape, uint32_t whole, uint32_t index)
{
    return find_or_add(tape,
                       (TapeEntry){.op = OP_PART, .operands = 1, .arg = {whole}, .index = index});
}

uint32_t tape_rcond(Tape *tape, uint32_t factor)
{
    if (factor == TAPE_NONE)
        return TAPE_NONE;
    tape->entries[factor].wants_rcond = true;
    return tape_part(tape, factor, factor_rows(tape->entries[factor].index) - 1);
}

void tape_count_uses(const Tape *tape, const uint32_t *outputs, size_t n_outputs,
                     uint32_t *ret_uses)
{
    memset(ret_uses, 0, tape->count * sizeof *ret_uses);
    for (size_t k = 0; k < n_outputs; k++)
        ret_uses[outputs[k]]++;
    for (size_t value = tape->count; value-- > 0;) {
        const TapeEntry *entry = &tape->entries[value];
        if (ret_uses[value] == 0)
            continue;
        for (size_t k = 0; k < tape_n_operands(entry); k++)
            ret_uses[tape_operand(tape, entry, k)]++;
    }
}
