/* The effect of rounding on the results of a program: stochastic arithmetic (J. Vignes, A
 * stochastic arithmetic for reliable scientific computation, Mathematics and Computers in
 * Simulation 35 (1993) 233). Operands are perturbed at random by a unit in the last place, or by
 * more, so that a sum that cancels keeps the perturbations of its terms. */
#include <math.h>

#include "core/program/layout.h"
#include "core/program/vector/vec_scalar.h"

/* Number of perturbed operands. Comparisons and branches are exact; so are exponents. */
static uint32_t operands_moved(uint32_t op)
{
    if (op >= OP_LT && op <= OP_IF)
        return 0;
    return op == OP_POW ? 1 : PROGRAM_OPERANDS[op];
}

/* Runs one instruction on rows. */
static void run_one(const Program *program, Instruction instruction, double *rows)
{
    const Instruction code[] = {instruction, {.op = OP_END}};
    const ProgramSequence sequence = {.code = code, .lists = program->lists};

    program->interpreter->one(&sequence, rows);
}

#define MOVED(letter, k) const double letter = rows[from->arg[k]] * factors[k];
#define MOVED_1 MOVED(a, 0)
#define MOVED_2 MOVED_1 MOVED(b, 1)
#define MOVED_3 MOVED_2 MOVED(c, 2)
#define MOVED_4 MOVED_3 MOVED(d, 3)
#define MOVED_5 MOVED_4 MOVED(e, 4)
#define MOVED_6 MOVED_5 MOVED(f, 5)
#define CASE(name, operands, expression)    \
    case OP_##name: {                       \
        MOVED_##operands return expression; \
    }
/* The result of an arithmetic operation with perturbed operands; NaN for other operations. */
/* NOLINTNEXTLINE(readability-function-*): one case an operation */
static double arithmetic(const Instruction *from, const double *rows, const double *factors)
{
    switch (from->op) {
        PROGRAM_BASIC_LIST(CASE)
        PROGRAM_FUSED_LIST(CASE)
    default:
        return NAN;
    }
}
#undef CASE

/* Runs the interpreter on copies of the operands, because other operations use the originals. If
 * the result is not finite, as for acos just above 1, it runs again with the original operands. */
static void run_apart(const Program *program, const Instruction *from, double *rows,
                      const double *factors)
{
    enum { RESULTS = 2 };
    double own[PROGRAM_MAX_OPERANDS + RESULTS] = {0}, *to = own + PROGRAM_MAX_OPERANDS;
    const size_t results = from->op == OP_SINCOS ? RESULTS : 1;
    /* perturbed copies of the operands, and an instruction on them */
    Instruction instruction = *from;

    for (uint32_t k = 0; k < PROGRAM_OPERANDS[from->op]; k++) {
        own[k] = rows[from->arg[k]] * factors[k];
        instruction.arg[k] = k;
    }
    instruction.result = PROGRAM_MAX_OPERANDS;
    run_one(program, instruction, own);
    /* beyond the range: the original operands */
    if (!isfinite(*to)) {
        run_one(program, *from, rows);
        return;
    }
    for (size_t k = 0; k < results; k++)
        rows[from->result + k] = to[k];
}

static void run_elementwise(const Program *program, const Instruction *from, double *rows,
                            Shakes *shakes)
{
    static const double EXACT[PROGRAM_MAX_OPERANDS] = {1, 1, 1, 1, 1, 1};
    double drawn[PROGRAM_MAX_OPERANDS] = {0}, power[2];
    const uint32_t moved = operands_moved(from->op);
    const double *factors = moved > 0 ? shakes_some(shakes, moved, drawn) : EXACT;

    if (from->op == OP_POW) { /* the exponent is exact */
        power[0] = factors[0];
        power[1] = 1;
        factors = power;
    }
    const double result = arithmetic(from, rows, factors);
    if (isfinite(result))
        rows[from->result] = result;
    else
        run_apart(program, from, rows, factors);
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
        /* elimination is exact for a slightly different matrix: perturb the factors' entries */
        const size_t entries = code->op == OP_FACTOR ? (size_t)code->arg[1] * code->arg[1] : 0;
        for (size_t k = 0; k < entries; k++)
            work[code->result + k] *= shakes_next(shakes);
    }
    program_get_outputs(program, work, out);
}
