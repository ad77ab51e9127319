/* Rows for values: those that live at the same time have different rows. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/program/program_internal.h"

enum { SHARED_WIDTHS = 2 }; /* rows of values this wide or less are used again */

#define NEVER UINT32_MAX

typedef struct FreeRows {
    uint32_t *rows;
    size_t count, capacity;
} FreeRows;

typedef struct RowPlan {
    const Tape *tape;
    const uint32_t *uses;
    Program *program;
    uint32_t *row; /* by value: its first row */
    uint32_t
        *last_use; /* by value: the last entry of its own sequence that needs it; NEVER: kept */
    FreeRows free_rows[SHARED_WIDTHS];
    uint32_t scratch; /* first of the rows for condition numbers */
    bool failed;
} RowPlan;

/* The value whose rows hold this value. */
static uint32_t owner(const Tape *tape, uint32_t value)
{
    return tape->entries[value].op == OP_PART ? tape->entries[value].arg[0] : value;
}

static bool is_instruction(const RowPlan *plan, size_t value)
{
    const uint8_t op = plan->tape->entries[value].op;
    return plan->uses[value] > 0 && op < OP_CONST && op != OP_END;
}

static void note_use(RowPlan *plan, uint32_t operand, uint32_t user)
{
    const uint32_t value = owner(plan->tape, operand);
    if (plan->tape->entries[value].fixed != plan->tape->entries[user].fixed)
        plan->last_use[value] = NEVER;
    else if (plan->last_use[value] != NEVER)
        plan->last_use[value] = user;
}

static void find_lifetimes(RowPlan *plan, const uint32_t *outputs)
{
    const Tape *tape = plan->tape;
    for (uint32_t value = 0; value < tape->count; value++) {
        const TapeEntry *entry = &tape->entries[value];
        if (!is_instruction(plan, value))
            continue;
        plan->last_use[value] = value;
        for (size_t k = 0; k < entry->operands; k++)
            note_use(plan, entry->arg[k], value);
        for (size_t k = 0; k < tape_list_length(entry); k++)
            note_use(plan, tape->lists[entry->list + k], value);
    }
    for (size_t k = 0; k < plan->program->n_outputs; k++)
        plan->last_use[owner(tape, outputs[k])] = NEVER;
}

static uint32_t new_rows(RowPlan *plan, uint32_t width)
{
    const uint32_t row = (uint32_t)plan->program->n_rows;
    plan->program->n_rows += width;
    return row;
}

static uint32_t take_rows(RowPlan *plan, uint32_t width)
{
    if (width <= SHARED_WIDTHS) {
        FreeRows *list = &plan->free_rows[width - 1];
        if (list->count > 0)
            return list->rows[--list->count];
    }
    return new_rows(plan, width);
}

/* Gives the rows of an operand back when this was its last use. */
static void release(RowPlan *plan, uint32_t operand, uint32_t user)
{
    const uint32_t value = owner(plan->tape, operand);
    const TapeEntry *entry = &plan->tape->entries[value];
    const uint32_t width = tape_width(entry);

    if (plan->last_use[value] != user || entry->op >= OP_CONST || width > SHARED_WIDTHS)
        return;
    FreeRows *list = &plan->free_rows[width - 1];
    if (!grow_array(&list->rows, &list->capacity, list->count + 1, sizeof *list->rows)) {
        plan->failed = true;
        return;
    }
    list->rows[list->count++] = plan->row[value];
    plan->last_use[value] = value; /* an operand that occurs twice is given back once */
}

static uint32_t row_of(const RowPlan *plan, uint32_t value)
{
    const TapeEntry *entry = &plan->tape->entries[value];
    if (entry->op == OP_PART)
        return plan->row[entry->arg[0]] + entry->index;
    return plan->row[value];
}

/* FACTOR and SOLVE read all their operands after they have begun to write: their rows are taken
 * before those of the operands are given back. */
static Instruction assign(RowPlan *plan, uint32_t value)
{
    const TapeEntry *entry = &plan->tape->entries[value];
    const uint32_t width = tape_width(entry);
    const size_t length = tape_list_length(entry);
    Instruction code = {.op = entry->op};

    if (length > 0)
        plan->row[value] = take_rows(plan, width);
    for (size_t k = 0; k < entry->operands; k++)
        code.arg[k] = row_of(plan, entry->arg[k]);
    for (size_t k = 0; k < length; k++)
        plan->program->lists[entry->list + k] = row_of(plan, plan->tape->lists[entry->list + k]);
    for (size_t k = 0; k < entry->operands; k++)
        release(plan, entry->arg[k], value);
    for (size_t k = 0; k < length; k++)
        release(plan, plan->tape->lists[entry->list + k], value);
    if (length == 0)
        plan->row[value] = take_rows(plan, width);
    if (entry->op == OP_SOLVE)
        code.arg[2] = code.arg[0];
    if (entry->op == OP_FACTOR)
        code.arg[2] = entry->wants_rcond ? plan->scratch : PROGRAM_NO_ROW;
    if (length > 0) {
        code.arg[0] = entry->list;
        code.arg[1] = entry->index;
    }
    code.result = plan->row[value];
    return code;
}

/* What the operation costs, with solves counted as their multiplications. */
static size_t cost(const TapeEntry *entry)
{
    static const uint8_t ROUNDINGS[] = {
        [OP_MUL_ADD] = 2, [OP_MUL_SUB] = 2,  [OP_SUB_MUL] = 2,    [OP_MUL3] = 2,
        [OP_ADD3] = 2,    [OP_ADD_MUL] = 2,  [OP_DIFF_MUL] = 2,   [OP_DOT2] = 3,
        [OP_CROSS2] = 3,  [OP_DOT2_ADD] = 4, [OP_CROSS2_ADD] = 4, [OP_SUB_DOT2] = 4,
        [OP_DOT3] = 5,    [OP_CROSS3] = 5,   [OP_END] = 0,
    };
    const size_t n = entry->index;
    if (entry->op == OP_FACTOR)
        return (n * n * n + 2) / 3;
    if (entry->op == OP_SOLVE)
        return n * n;
    if (entry->op < sizeof ROUNDINGS && ROUNDINGS[entry->op] > 0)
        return ROUNDINGS[entry->op];
    return 1;
}

static void assign_sequence(RowPlan *plan, bool fixed, Instruction *code)
{
    size_t n = 0;
    for (uint32_t value = 0; value < plan->tape->count; value++) {
        const TapeEntry *entry = &plan->tape->entries[value];
        if (!is_instruction(plan, value) || entry->fixed != fixed)
            continue;
        code[n++] = assign(plan, value);
        if (!fixed)
            plan->program->length += cost(entry);
    }
    code[n] = (Instruction){.op = OP_END};
}

/* Rows of what is not computed: inputs, parameters, constants. */
static void assign_given(RowPlan *plan)
{
    Program *program = plan->program;
    const uint32_t inputs = new_rows(plan, (uint32_t)program->n_inputs);
    const uint32_t params = new_rows(plan, (uint32_t)program->n_params);
    for (size_t value = 0; value < plan->tape->count; value++) {
        const TapeEntry *entry = &plan->tape->entries[value];
        if (entry->op == OP_INPUT)
            plan->row[value] = inputs + entry->index;
        else if (entry->op == OP_PARAM)
            plan->row[value] = params + entry->index;
        else if (entry->op == OP_CONST && plan->uses[value] > 0) {
            plan->row[value] = new_rows(plan, 1);
            program->constants[program->n_constants++] = entry->number;
        }
    }
}

static uint32_t scratch_rows(const RowPlan *plan)
{
    uint32_t most = 0;
    for (size_t value = 0; value < plan->tape->count; value++) {
        const TapeEntry *entry = &plan->tape->entries[value];
        if (plan->uses[value] > 0 && entry->op == OP_FACTOR && entry->wants_rcond &&
            entry->index > most)
            most = entry->index;
    }
    return most;
}

static bool allocate(RowPlan *plan)
{
    Program *program = plan->program;
    const Tape *tape = plan->tape;
    size_t constants = 0;

    for (size_t value = 0; value < tape->count; value++) {
        const TapeEntry *entry = &tape->entries[value];
        if (entry->op == OP_CONST && plan->uses[value] > 0)
            constants++;
        else if (is_instruction(plan, value) && entry->fixed)
            program->n_prologue++;
        else if (is_instruction(plan, value))
            program->n_body++;
    }
    plan->row = alloc_array(tape->count, sizeof *plan->row);
    plan->last_use = alloc_array(tape->count, sizeof *plan->last_use);
    program->prologue = alloc_array(program->n_prologue + 1, sizeof *program->prologue);
    program->body = alloc_array(program->n_body + 1, sizeof *program->body);
    program->lists = alloc_array(tape->n_lists, sizeof *program->lists);
    program->constants = alloc_array(constants, sizeof *program->constants);
    program->output_rows = alloc_array(program->n_outputs, sizeof *program->output_rows);
    return plan->row && plan->last_use && program->prologue && program->body && program->lists &&
           program->constants && program->output_rows;
}

Status program_assign_rows(const Tape *tape, const uint32_t *uses, const uint32_t *outputs,
                           Program *program, Error *err)
{
    RowPlan plan = {.tape = tape, .uses = uses, .program = program};

    if (allocate(&plan)) {
        assign_given(&plan);
        plan.scratch = new_rows(&plan, scratch_rows(&plan));
        find_lifetimes(&plan, outputs);
        assign_sequence(&plan, true, program->prologue);
        assign_sequence(&plan, false, program->body);
        for (size_t k = 0; k < program->n_outputs; k++)
            program->output_rows[k] = row_of(&plan, outputs[k]);
    } else {
        plan.failed = true;
    }
    for (size_t k = 0; k < SHARED_WIDTHS; k++)
        free(plan.free_rows[k].rows);
    free(plan.row);
    free(plan.last_use);
    return plan.failed ? error_set(err, ERR_NO_MEMORY, "out of memory") : OK;
}
