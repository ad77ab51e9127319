/* Splits reused rows into values, and operations of several roundings into steps. */
#include "core/program/native/steps.h"

#include "core/base/memory.h"

#define NO_VALUE UINT32_MAX

typedef struct Builder {
    const Program *program;
    NativeSteps *to;
    uint32_t *value_of; /* by row: its present value, or NO_VALUE */
    uint32_t instruction;
} Builder;

static uint32_t new_value(Builder *b, Home home, uint32_t row, bool given)
{
    b->to->values[b->to->n_values] = (NativeValue){home, row, STEPS_NEVER, given};
    return (uint32_t)b->to->n_values++;
}

static uint32_t value_at(Builder *b, uint32_t row, bool given)
{
    const Program *p = b->program;
    if (row < p->n_inputs)
        return new_value(b, HOME_INPUTS, row, given);
    if (row >= p->outputs && row < p->outputs + p->n_outputs)
        return new_value(b, HOME_OUTPUTS, row - p->outputs, given);
    return new_value(b, HOME_ROWS, row, given);
}

/* The value of a row. If no step of the body has made it, it is already in memory. */
static uint32_t value_in(Builder *b, uint32_t row)
{
    if (b->value_of[row] == NO_VALUE)
        b->value_of[row] = value_at(b, row, true);
    return b->value_of[row];
}

static NativeStep *new_step(Builder *b, StepKind kind, uint32_t result)
{
    NativeStep *step = &b->to->steps[b->to->n_steps++];
    *step = (NativeStep){(uint8_t)kind, b->instruction, (uint32_t)b->to->n_uses, 0, result};
    return step;
}

static void add_use(Builder *b, NativeStep *step, uint32_t value)
{
    b->to->uses[b->to->n_uses++] = (NativeUse){value, STEPS_NEVER};
    step->n++;
}

/* Adds the steps of an operation, with a stack of values for its meaning. */
static void add_operation(Builder *b, const Instruction *code, const Meaning *meaning)
{
    uint32_t stack[MEANING_DEEPEST] = {0};
    size_t depth = 0;

    for (size_t k = 0; k < meaning->length; k++) {
        const unsigned item = meaning->items[k];
        /* an operand, the number 1, or a step that takes its operands from the stack */
        if (item < MEANING_ONE) {
            stack[depth++] = value_in(b, code->arg[item]);
        } else if (item == MEANING_ONE) {
            stack[depth++] = new_value(b, HOME_ONE, 0, true);
        } else {
            const StepKind kind = (StepKind)(item - MEANING_STEP);
            const unsigned n = step_operands(kind);
            const bool last = k + 1 == meaning->length;
            depth -= n;
            NativeStep *step = new_step(b, kind, 0);
            for (unsigned i = 0; i < n; i++)
                add_use(b, step, stack[depth + i]);
            step->result =
                last ? value_at(b, code->result, false) : new_value(b, HOME_NONE, 0, false);
            stack[depth++] = step->result;
        }
    }
    b->value_of[code->result] = stack[0];
}

static void add_function(Builder *b, const Instruction *code)
{
    NativeStep *step = new_step(b, STEP_CALL, 0);
    const uint32_t results = code->op == OP_SINCOS ? 2 : 1;

    for (unsigned k = 0; k < PROGRAM_OPERANDS[code->op]; k++)
        add_use(b, step, value_in(b, code->arg[k]));
    step->result = (uint32_t)b->to->n_values;
    for (uint32_t k = 0; k < results; k++)
        b->value_of[code->result + k] = value_at(b, code->result + k, false);
}

/* The results stay in memory, in the rows of the elimination. */
static void add_elimination(Builder *b, const Instruction *code)
{
    const uint32_t n = code->arg[1], operands = code->op == OP_FACTOR ? n * n : n,
                   results = code->op == OP_FACTOR ? factor_rows(n) : n;
    NativeStep *step = new_step(b, STEP_CALL, 0);

    for (uint32_t k = 0; k < operands; k++)
        add_use(b, step, value_in(b, b->program->lists[code->arg[0] + k]));
    for (uint32_t k = 0; k < results; k++)
        b->value_of[code->result + k] = NO_VALUE;
}

static void add_outputs(Builder *b)
{
    const Program *p = b->program;
    for (const OutputCopy *c = p->copies; c < p->copies + p->n_copies; c++)
        for (uint32_t k = 0; k < c->n; k++)
            add_use(b, new_step(b, STEP_OUTPUT, c->output + k), value_in(b, c->row + k));
}

/* From the last step to the first: sets the next step that takes each value. */
static void find_next(NativeSteps *s)
{
    for (size_t k = s->n_steps; k-- > 0;)
        for (uint32_t i = s->steps[k].n; i-- > 0;) {
            NativeUse *use = &s->uses[s->steps[k].first + i];
            use->next = s->values[use->value].next;
            s->values[use->value].next = (uint32_t)k;
        }
}

/* Allocates an upper bound: each item of a meaning makes a step or takes a value. */
static bool make_room(Builder *b)
{
    const Program *p = b->program;
    size_t items = 2 * p->n_outputs;
    /* an elimination also takes a matrix or a right side */
    for (size_t k = 0; k < p->n_body; k++) {
        const Instruction *code = &p->body[k];
        const size_t n = is_elimination(code->op) ? code->arg[1] : 0;
        const size_t length = meaning_of(code->op)->length;
        items += 2 * length + 4 + (code->op == OP_FACTOR ? n * n : n);
    }
    NativeSteps *s = b->to;
    s->steps = ARENA_NEW(&s->memory, items, NativeStep);
    s->values = ARENA_NEW(&s->memory, items, NativeValue);
    s->uses = ARENA_NEW(&s->memory, items, NativeUse);
    b->value_of = ARENA_NEW(&s->memory, p->n_rows, uint32_t);
    if (arena_failed(&s->memory))
        return false;
    for (size_t row = 0; row < p->n_rows; row++)
        b->value_of[row] = NO_VALUE;
    return true;
}

bool native_steps_init(NativeSteps *steps, const Program *program)
{
    Builder b = {.program = program, .to = steps};

    *steps = (NativeSteps){0};
    if (program->n_body > STEPS_MOST_INSTRUCTIONS || !make_room(&b))
        return false;
    for (; b.instruction < program->n_body; b.instruction++) {
        const Instruction *code = &program->body[b.instruction];
        const Meaning *meaning = meaning_of(code->op);
        /* an operation is a list of steps, anything else a call */
        if (meaning->length > 0)
            add_operation(&b, code, meaning);
        else if (is_elimination(code->op))
            add_elimination(&b, code);
        else
            add_function(&b, code);
        steps->has_calls = steps->has_calls || meaning->length == 0;
        steps->has_sines = steps->has_sines || code->op == OP_SINCOS;
    }
    add_outputs(&b);
    find_next(steps);
    return true;
}
