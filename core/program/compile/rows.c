/* Rows for values: those that live at the same time have different rows (linear scan, Poletto and
 * Sarkar, ACM TOPLAS 21 (1999) 895). */
#include "core/program/compile/compile.h"

enum { SHARED_WIDTHS = 2 }; /* rows of values up to this width are reused */

#define NEVER UINT32_MAX

typedef struct FreeRows {
    uint32_t *rows; /* with room for one of each value */
    size_t count;
} FreeRows;

typedef struct RowPlan {
    const Tape *tape;
    const uint32_t *uses;
    Program *program;
    uint32_t *prologue, *body; /* the values of the two sequences, in order */
    uint32_t *row;             /* by value: its first row */
    uint32_t *output;          /* by value: 1 + the output computed in its own row; 0: none */
    uint32_t *last_use;        /* by value: its last user in its own sequence; NEVER: kept */
    FreeRows free_rows[SHARED_WIDTHS];
    uint32_t scratch; /* first of the rows for condition numbers */
    Arena memory;     /* owns the arrays by value */
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
    /* values of the prologue that the body uses are never overwritten */
    if (plan->tape->entries[value].fixed != plan->tape->entries[user].fixed)
        plan->last_use[value] = NEVER;
    else if (plan->last_use[value] != NEVER)
        plan->last_use[value] = user;
}

static void find_lifetimes(RowPlan *plan, const uint32_t *values, size_t n)
{
    const Tape *tape = plan->tape;
    for (size_t i = 0; i < n; i++) {
        const uint32_t value = values[i];
        const TapeEntry *entry = &tape->entries[value];
        plan->last_use[value] = value;
        for (size_t k = 0; k < tape_n_operands(entry); k++)
            note_use(plan, tape_operand(tape, entry, k), value);
    }
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

/* Frees the rows of an operand after its last use. */
static void release(RowPlan *plan, uint32_t operand, uint32_t user)
{
    const uint32_t value = owner(plan->tape, operand);
    const TapeEntry *entry = &plan->tape->entries[value];
    const uint32_t width = tape_width(entry);

    if (plan->last_use[value] != user || entry->op >= OP_CONST || width > SHARED_WIDTHS)
        return;
    FreeRows *list = &plan->free_rows[width - 1];
    list->rows[list->count++] = plan->row[value];
    plan->last_use[value] = value; /* an operand that occurs twice is freed once */
}

static uint32_t row_of(const RowPlan *plan, uint32_t value)
{
    const TapeEntry *entry = &plan->tape->entries[value];
    if (entry->op == OP_PART)
        return plan->row[entry->arg[0]] + entry->index;
    return plan->row[value];
}

/* FACTOR and SOLVE write before they have read all operands: their rows are taken first. */
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
    /* the result may take the rows of operands without a further use */
    for (size_t k = 0; k < tape_n_operands(entry); k++)
        release(plan, tape_operand(plan->tape, entry, k), value);
    if (plan->output[value] > 0)
        plan->row[value] = plan->program->outputs + plan->output[value] - 1;
    else if (length == 0)
        plan->row[value] = take_rows(plan, width);
    if (entry->op == OP_SOLVE)
        code.arg[2] = code.arg[0];
    if (entry->op == OP_FACTOR) {
        code.arg[2] = entry->wants_rcond ? plan->scratch : PROGRAM_NO_ROW;
        code.arg[3] = entry->scaling;
    }
    if (length > 0) {
        code.arg[0] = entry->list;
        code.arg[1] = entry->index;
    }
    code.result = plan->row[value];
    return code;
}

/* Number of operations. A solve counts as its multiplications; a fused sign is free. */
static size_t cost(const TapeEntry *entry)
{
    static const uint8_t COSTS[] = {
#define COST_ONE(name, operands, expression) [OP_##name] = 1,
        PROGRAM_BASIC_LIST(COST_ONE) PROGRAM_FUNCTION_LIST(COST_ONE)
#define COST_FUSED(name, operands, expression) [OP_##name] = (operands)-1,
            PROGRAM_FUSED_LIST(COST_FUSED)
#undef COST_ONE
#undef COST_FUSED
                [OP_SINCOS] = 2,
    };
    const size_t n = entry->index;
    if (entry->op == OP_FACTOR)
        return (n * n * n + 2) / 3;
    if (entry->op == OP_SOLVE)
        return n * n;
    return COSTS[entry->op];
}

static void assign_sequence(RowPlan *plan, const uint32_t *values, size_t n, Instruction *code)
{
    for (size_t k = 0; k < n; k++)
        code[k] = assign(plan, values[k]);
    code[n] = (Instruction){.op = OP_END};
}

/* Rows of values that are not computed: inputs, parameters, constants. */
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
        if (plan->uses[value] == 0 || entry->op != OP_FACTOR || !entry->wants_rcond)
            continue;
        const uint32_t rows = rcond_rows(entry->index, entry->scaling);
        most = rows > most ? rows : most;
    }
    return most;
}

static bool rows_allocate(RowPlan *plan)
{
    Program *program = plan->program;
    const size_t n = plan->tape->count;

    plan->prologue = ARENA_NEW(&plan->memory, n, uint32_t);
    plan->body = ARENA_NEW(&plan->memory, n, uint32_t);
    plan->row = ARENA_NEW(&plan->memory, n, uint32_t);
    plan->last_use = ARENA_NEW(&plan->memory, n, uint32_t);
    plan->output = ARENA_NEW(&plan->memory, n, uint32_t);
    for (size_t k = 0; k < SHARED_WIDTHS; k++)
        plan->free_rows[k].rows = ARENA_NEW(&plan->memory, n, uint32_t);
    program->lists = ARENA_NEW(&program->memory, plan->tape->n_lists, uint32_t);
    program->output_rows = ARENA_NEW(&program->memory, program->n_outputs, uint32_t);
    program->direct = ARENA_NEW(&program->memory, program->n_outputs, uint32_t);
    program->copies = ARENA_NEW(&program->memory, program->n_outputs, OutputCopy);
    return !arena_failed(&plan->memory);
}

/* Fills the two sequences, and allocates arrays of their lengths. */
static bool rows_collect(RowPlan *plan)
{
    Program *program = plan->program;
    size_t constants = 0;

    for (uint32_t value = 0; value < plan->tape->count; value++) {
        /* used constants, and used operations by sequence */
        const TapeEntry *entry = &plan->tape->entries[value];
        if (entry->op == OP_CONST && plan->uses[value] > 0)
            constants++;
        if (!is_instruction(plan, value))
            continue;
        if (entry->fixed) {
            plan->prologue[program->n_prologue++] = value;
        } else {
            plan->body[program->n_body++] = value;
            program->length += cost(entry);
        }
    }
    program->prologue = ARENA_NEW(&program->memory, program->n_prologue + 1, Instruction);
    program->body = ARENA_NEW(&program->memory, program->n_body + 1, Instruction);
    program->constants = arena_doubles(&program->memory, constants);
    return !arena_failed(&program->memory);
}

/* Copies output k from a row of another value, together with the outputs before it if their rows
 * are contiguous. Inputs, and another output's row (`alone`), may be elsewhere. */
static void add_copy(Program *program, uint32_t k, bool alone)
{
    const uint32_t row = program->output_rows[k];

    if (program->n_copies > 0 && !alone) {
        OutputCopy *last = program->copies + program->n_copies - 1;
        if (last->output + last->n == k && last->row + last->n == row &&
            (last->row < program->n_inputs) == (row < program->n_inputs)) {
            last->n++;
            return;
        }
    }
    program->copies[program->n_copies++] = (OutputCopy){k, row, 1};
}

/* Reserves contiguous rows for the outputs, with room for whole blocks. A value that the body
 * computes, as the only result of its operation, is computed in the row of the first output that
 * needs it. All other outputs are copied to their rows. */
static void claim_outputs(RowPlan *plan, const uint32_t *outputs)
{
    const Tape *tape = plan->tape;
    Program *program = plan->program;
    const uint32_t block = PROGRAM_LANE_BLOCK, n = (uint32_t)program->n_outputs;

    program->outputs = new_rows(plan, (n + block - 1) / block * block);
    for (uint32_t k = 0; k < n; k++) {
        const TapeEntry *entry = &tape->entries[outputs[k]];
        if (!entry->fixed && entry->op < OP_CONST && tape_width(entry) == 1 &&
            plan->output[outputs[k]] == 0)
            plan->output[outputs[k]] = k + 1;
    }
}

static void assign_outputs(RowPlan *plan, const uint32_t *outputs)
{
    Program *program = plan->program;
    bool shared = false; /* the previous output lies in another output's row */
    for (uint32_t k = 0; k < program->n_outputs; k++) {
        const uint32_t of = plan->output[outputs[k]];
        const bool claimed = of > 0 && of != k + 1;
        program->output_rows[k] = row_of(plan, outputs[k]);
        if (of == k + 1)
            program->direct[program->n_direct++] = k;
        else
            add_copy(program, k, claimed || shared);
        shared = claimed;
    }
}

static void assign_all(RowPlan *plan, const uint32_t *outputs)
{
    Program *program = plan->program;
    /* given values come first; values of outputs are kept to the end */
    assign_given(plan);
    plan->scratch = new_rows(plan, scratch_rows(plan));
    claim_outputs(plan, outputs);
    find_lifetimes(plan, plan->prologue, program->n_prologue);
    find_lifetimes(plan, plan->body, program->n_body);
    for (size_t k = 0; k < program->n_outputs; k++)
        plan->last_use[owner(plan->tape, outputs[k])] = NEVER;
    assign_sequence(plan, plan->prologue, program->n_prologue, program->prologue);
    assign_sequence(plan, plan->body, program->n_body, program->body);
    assign_outputs(plan, outputs);
}

Status program_assign_rows(const Tape *tape, const uint32_t *uses, const uint32_t *outputs,
                           Program *program, Error *err)
{
    RowPlan plan = {.tape = tape, .uses = uses, .program = program};
    Status status = OK;

    if (!rows_allocate(&plan) || !rows_collect(&plan))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = schedule_values(tape, plan.body, program->n_body, err);
    if (status == OK)
        assign_all(&plan, outputs);
    arena_done(&plan.memory);
    return status;
}
