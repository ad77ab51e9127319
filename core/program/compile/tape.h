/* The tape: operations in an executable order, each value defined once. A graph is lowered to the
 * tape, which is rewritten before rows are assigned. Private to core/program.
 *
 * A value is identified by its place on the tape. An operation that is already there gives the
 * existing value. Values are `fixed` if they depend on parameters and constants only. Sticky: past
 * the limit or out of memory functions return TAPE_NONE; check tape_status() once. */
#ifndef CORE_PROGRAM_COMPILE_TAPE_H
#define CORE_PROGRAM_COMPILE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"
#include "core/program/instruction.h"

enum { TAPE_MAX_ENTRIES = 200000, TAPE_MAX_LISTS = 4000000 };
#define TAPE_NONE UINT32_MAX

typedef struct TapeEntry {
    uint8_t op;       /* ProgramOp */
    uint8_t operands; /* used of arg, which are values */
    bool fixed;
    uint32_t arg[PROGRAM_MAX_OPERANDS];
    /* INPUT, PARAM: its row; PART: the row within arg[0]; FACTOR, SOLVE: n */
    uint32_t index;
    uint32_t scaling; /* FACTOR: `symbol` of the EXPR_FACTOR */
    uint32_t list;    /* FACTOR, SOLVE: start of their further operands (values) in lists */
    bool wants_rcond;
    double number; /* CONST */
} TapeEntry;

typedef struct Tape {
    TapeEntry *entries;
    size_t count, capacity;
    uint32_t *lists;
    size_t n_lists, lists_capacity;
    uint32_t *buckets; /* hash table of values; a power of two of them */
    size_t n_buckets;
    Status failure;
} Tape;

Status tape_init(Tape *tape, Error *err) MUST_CHECK;
void tape_done(Tape *tape); /* also after a failed or missing (all zero) tape_init */
Status tape_status(const Tape *tape, Error *err) MUST_CHECK;

uint32_t tape_const(Tape *tape, double number);
uint32_t tape_given(Tape *tape, ProgramOp op, uint32_t row); /* OP_PARAM or OP_INPUT */

/* Operations; constants are folded. */
uint32_t tape_unary(Tape *tape, ProgramOp op, uint32_t a);
uint32_t tape_binary(Tape *tape, ProgramOp op, uint32_t a, uint32_t b);
uint32_t tape_if(Tape *tape, uint32_t condition, uint32_t yes, uint32_t no);

/* FACTOR of n * n values, SOLVE of n. tape_part gives each result, of SINCOS, too. */
uint32_t tape_factor(Tape *tape, const uint32_t *matrix, uint32_t n, uint32_t scaling);
uint32_t tape_solve(Tape *tape, uint32_t factor, const uint32_t *rhs, uint32_t n);
uint32_t tape_part(Tape *tape, uint32_t whole, uint32_t index);
uint32_t tape_rcond(Tape *tape, uint32_t factor);

/* Number of rows of the results of an entry. */
uint32_t tape_width(const TapeEntry *entry);
/* The number of values in an entry's list. */
uint32_t tape_list_length(const TapeEntry *entry);
/* All operands of an entry, and the k-th of them: those in `arg`, then the list. */
uint32_t tape_n_operands(const TapeEntry *entry);
uint32_t tape_operand(const Tape *tape, const TapeEntry *entry, size_t k);

bool tape_is_fixed(const Tape *tape, uint32_t value);

/* ret_uses[value]: number of its uses as an operand or output, 0 if it is not needed. */
void tape_count_uses(const Tape *tape, const uint32_t *outputs, size_t n_outputs,
                     uint32_t *ret_uses);

#endif
