/* How far rounding may move what a program computes: stochastic arithmetic (J. Vignes, A stochastic
 * arithmetic for reliable scientific computation, Mathematics and Computers in Simulation 35 (1993)
 * 233). Each operation takes operands that are moved by a unit in the last place, at random, or by
 * more, so that what cancels leaves what its terms do. */
#include <math.h>

#include "core/program/layout.h"
#include "core/program/vec_scalar.h"

#define OPERANDS(name, operands, expression) [OP_##name] = (operands),
static const uint8_t OPERANDS_OF[OP_END] = {PROGRAM_OP_LIST(OPERANDS)[OP_SINCOS] = 1};
#undef OPERANDS

/* Of the operands, how many are moved: comparisons and what is made of them are exact; so are exponents. */
static uint32_t operands_moved(uint32_t op)
{
    if (op >= OP_LT && op <= OP_IF)
        return 0;
    return op == OP_POW ? 1 : OPERANDS_OF[op];
}

/* One instruction on rows. */
static void run_one(const Program *program, Instruction instruction, double *rows)
{
    const Instruction code[] = {instruction, {.op = OP_END}};
    const ProgramSequence sequence = {.code = code, .lists = program->lists};

    program->interpreter->one(&sequence, rows);
}

#define CASE(name, operands, expression) \
    case OP_##name:                      \
        return expression;
/* What an operation of arithmetic gives, as the interpreters compute it; NaN: it is none. */
/* NOLINTNEXTLINE(readability-function-*): one case an operation */
static double arithmetic(uint32_t op, double a, double b, double c, double d, double e, double f)
{
    switch (op) {
        PROGRAM_BASIC_LIST(CASE)
        PROGRAM_FUSED_LIST(CASE)
    default:
        return NAN;
    }
}

/* By the interpreter, of operands on their own: results at own[PROGRAM_MAX_OPERANDS]. */
static void run_apart(const Program *program, const Instruction *from, double *own)
{
    Instruction instruction = *from;

    for (uint32_t k = 0; k < OPERANDS_OF[from->op]; k++)
        instruction.arg[k] = k;
    instruction.result = PROGRAM_MAX_OPERANDS;
    run_one(program, instruction, own);
}

/* On copies of the operands, for others use them too. */
static void run_elementwise(const Program *program, const Instruction *from, double *rows,
                            Shakes *shakes)
{
    enum { RESULTS = 2 };
    double own[PROGRAM_MAX_OPERANDS + RESULTS] = {0}, *to = own + PROGRAM_MAX_OPERANDS;
    double drawn[PROGRAM_MAX_OPERANDS];
    const uint32_t moved = operands_moved(from->op), operands = OPERANDS_OF[from->op];
    const double *const factors = shakes_some(shakes, moved, drawn);

    for (uint32_t k = 0; k < moved; k++)
        own[k] = rows[from->arg[k]] * factors[k];
    for (uint32_t k = moved; k < operands; k++)
        own[k] = rows[from->arg[k]];
    *to = arithmetic(from->op, own[0], own[1], own[2], own[3], own[4], own[5]);
    if (isfinite(*to)) {
        rows[from->result] = *to;
        return;
    }
    /* no arithmetic, or not finite */
    run_apart(program, from, own);
    if (!isfinite(*to)) { /* moved beyond the end of its range: acos(1) */
        run_one(program, *from, rows);
        return;
    }
    rows[from->result] = *to;
    if (from->op == OP_SINCOS)
        rows[from->result + 1] = to[1];
}

void program_eval_shaken(const Program *program, const double *in, double *out, double *work,
                         Shakes *shakes)
{
    program_set_inputs(program, in, work);
    for (const Instruction *code = program->body; code->op != OP_END; code++) {
        if (code->op != OP_FACTOR && code->op != OP_SOLVE) {
            run_elementwise(program, code, work, shakes);
            continue;
        }
        run_one(program, *code, work);
        /* an elimination is exact for a matrix that differs from the given one as its factors do */
        const size_t entries = code->op == OP_FACTOR ? (size_t)code->arg[1] * code->arg[1] : 0;
        for (size_t k = 0; k < entries; k++)
            work[code->result + k] *= shakes_next(shakes);
    }
    program_get_outputs(program, work, out);
}
