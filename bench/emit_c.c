/* A program as C source, for the comparison with compiled code. */
#include "bench/emit_c.h"

#include <stdlib.h>

#include "core/base/memory.h"

typedef struct Operation {
    unsigned operands;
    const char *expression;
} Operation;

static const Operation OPERATIONS[] = {
#define OPERATION_ROW(name, operands, expression) [OP_##name] = {operands, #expression},
    PROGRAM_OP_LIST(OPERATION_ROW)
#undef OPERATION_ROW
};

typedef struct Emitter {
    const Program *program;
    size_t lanes;
    bool *named;   /* by row: a local exists */
    bool *written; /* by row: the body has computed it */
    Text *out;
} Emitter;

static bool is_constant(const Program *program, size_t row)
{
    const size_t first = program->n_inputs + program->n_params;
    return row >= first && row < first + program->n_constants;
}

/* Makes the local of a row that is read before the body writes it. */
static void emit_given(Emitter *e, uint32_t row)
{
    const Program *program = e->program;
    if (e->named[row] || e->written[row])
        return;
    e->named[row] = true;
    if (row < program->n_inputs)
        text_printf(e->out, "        Vec r%u = vec_load(in + %zu + lane);\n", row, row * e->lanes);
    else if (is_constant(program, row))
        text_printf(e->out, "        Vec r%u = vec_set(%a);\n", row,
                    program->constants[row - program->n_inputs - program->n_params]);
    else
        text_printf(e->out, "        Vec r%u = vec_load(rows + %zu + lane);\n", row,
                    row * e->lanes);
}

static size_t list_length(const Instruction *code)
{
    if (code->op == OP_FACTOR)
        return (size_t)code->arg[1] * code->arg[1];
    return code->op == OP_SOLVE ? code->arg[1] : 0;
}

static size_t result_width(const Instruction *code)
{
    if (code->op == OP_SINCOS)
        return 2;
    if (code->op == OP_FACTOR)
        return factor_rows(code->arg[1]);
    return code->op == OP_SOLVE ? code->arg[1] : 1;
}

/* The locals: what is given with its value, what is computed without. */
static void emit_locals(Emitter *e)
{
    for (const Instruction *code = e->program->body; code->op != OP_END; code++) {
        const size_t length = list_length(code);
        const unsigned operands = code->op == OP_SINCOS ? 1
                                  : length > 0          ? 0
                                                        : OPERATIONS[code->op].operands;
        for (unsigned k = 0; k < operands; k++)
            emit_given(e, code->arg[k]);
        for (size_t k = 0; k < length; k++)
            emit_given(e, e->program->lists[code->arg[0] + k]);
        for (size_t k = 0; k < result_width(code); k++)
            e->written[code->result + k] = true;
    }
    for (size_t k = 0; k < e->program->n_outputs; k++)
        emit_given(e, e->program->output_rows[k]);
    for (size_t row = 0; row < e->program->n_rows; row++)
        if (e->written[row] && !e->named[row])
            text_printf(e->out, "        Vec r%zu;\n", row);
}

/* Solves go through memory, as in the interpreter: operands out, results back. */
static void emit_linear(Emitter *e, const Instruction *code)
{
    for (size_t k = 0; k < list_length(code); k++) {
        const uint32_t row = e->program->lists[code->arg[0] + k];
        text_printf(e->out, "        vec_store(rows + %zu + lane, r%u);\n", row * e->lanes, row);
    }
    text_printf(e->out,
                "        run_%s(&(const Instruction){%u, %u, {%u, %u, %u}}, LISTS, (Rows){rows, "
                "table}, lane, "
                "%zu);\n",
                code->op == OP_FACTOR ? "factor" : "solve", code->op, code->result, code->arg[0],
                code->arg[1], code->arg[2], e->lanes);
    for (size_t k = 0; k < result_width(code); k++)
        text_printf(e->out, "        r%zu = vec_load(rows + %zu + lane);\n", code->result + k,
                    (code->result + k) * e->lanes);
}

static void emit_instruction(Emitter *e, const Instruction *code)
{
    if (code->op == OP_FACTOR || code->op == OP_SOLVE) {
        emit_linear(e, code);
        return;
    }
    if (code->op == OP_SINCOS) {
        text_printf(e->out, "        vec_sincos(r%u, &r%u, &r%u);\n", code->arg[0], code->result,
                    code->result + 1);
        return;
    }
    text_puts(e->out, "        {");
    for (unsigned k = 0; k < OPERATIONS[code->op].operands; k++)
        text_printf(e->out, "%s %c = r%u", k == 0 ? " const Vec" : ",", (int)('a' + k),
                    code->arg[k]);
    text_printf(e->out, "; r%u = %s; }\n", code->result, OPERATIONS[code->op].expression);
}

static bool has_solves(const Program *program)
{
    for (const Instruction *code = program->body; code->op != OP_END; code++)
        if (list_length(code) > 0)
            return true;
    return false;
}

/* The lists that the body uses, all of which lie before `end`. */
static void emit_lists(const Program *program, Text *out)
{
    size_t end = 0;
    for (const Instruction *code = program->body; code->op != OP_END; code++)
        if (list_length(code) > 0 && code->arg[0] + list_length(code) > end)
            end = code->arg[0] + list_length(code);
    text_puts(out, "#include \"core/program/solve_body.h\"\n\nstatic const uint32_t LISTS[] = {");
    for (size_t k = 0; k < end; k++)
        text_printf(out, "%u,", program->lists[k]);
    text_puts(out, "};\n");
}

void emit_c(const Program *program, const char *name, const char *vectors, size_t lanes, Text *out)
{
    Emitter e = {.program = program, .lanes = lanes, .out = out};
    e.named = alloc_array(program->n_rows, sizeof *e.named);
    e.written = alloc_array(program->n_rows, sizeof *e.written);
    if (!e.named || !e.written)
        abort();
    /* what solves read, and the rows as solves see them */
    text_printf(out, "#include \"core/program/vector/vec_%s.h\"\n#include <stddef.h>\n", vectors);
    if (has_solves(program))
        emit_lists(program, out);
    text_printf(out,
                "void %s(const double *restrict in, double *restrict out, double *restrict rows)\n"
                "{\n",
                name);
    if (has_solves(program))
        text_printf(out,
                    "    double *table[%zu];\n"
                    "    for (size_t k = 0; k < %zu; k++)\n"
                    "        table[k] = rows + k * %zu;\n",
                    program->n_rows, program->n_rows, lanes);
    /* the body of the loop: a vector of lanes at a time, rows as locals */
    text_printf(out, "    for (size_t lane = 0; lane < %zu; lane += VEC_LANES) {\n", lanes);
    emit_locals(&e);
    for (const Instruction *code = program->body; code->op != OP_END; code++)
        emit_instruction(&e, code);
    for (size_t k = 0; k < program->n_outputs; k++)
        text_printf(out, "        vec_store(out + %zu + lane, r%u);\n", k * lanes,
                    program->output_rows[k]);
    text_puts(out, "    }\n    (void)rows;\n}\n");
    free(e.named);
    free(e.written);
}
