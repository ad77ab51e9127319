/* The parts of a program. Private to core/program, its tests and the benchmark.
 *
 * A work space is a matrix of rows. A row has `stride` doubles: 1 for one lane, else the lanes
 * rounded up to whole blocks (the lanes beyond repeat the last one and are never seen). The rows
 * are the inputs, the parameters, the constants, then the computed values. Values of the prologue
 * that the body or the outputs need are never overwritten; the others share rows as their lifetimes
 * allow. Behind the rows is a table with the address of each row, so that whole blocks of lanes are
 * read from the caller's input and written to its output without a copy. One lane has own output
 * rows. */
#ifndef CORE_PROGRAM_LAYOUT_H
#define CORE_PROGRAM_LAYOUT_H

#include <string.h>

#include "core/base/arena.h"
#include "core/program/interpreter.h"
#include "core/program/program.h"

/* n outputs, from this one on, whose rows are also contiguous. */
typedef struct OutputCopy {
    uint32_t output, row, n;
} OutputCopy;

typedef struct Native Native;

struct Program {
    size_t n_params, n_inputs, n_outputs, n_constants;
    size_t n_rows;
    size_t length;                /* operations of the body before fusion */
    Instruction *prologue, *body; /* both end with OP_END */
    size_t n_prologue, n_body;    /* instructions without OP_END */
    uint32_t *lists;
    double *constants;
    uint32_t outputs; /* the first of the outputs' own rows */
    uint32_t *output_rows;
    /* Outputs computed in their own row, or in the caller's output. The others are copied. */
    uint32_t *direct;
    OutputCopy *copies;
    size_t n_direct, n_copies;
    ProgramSequence run_prologue, run_body; /* views of the arrays above */
    Arena memory;                           /* owns the arrays */
    const Interpreter *interpreter;
    Native *native; /* code of the body, made if it pays off */
};

/* One lane: copies inputs and outputs, unless the caller uses these rows directly. */
static inline void program_set_inputs(const Program *program, const double *in, double *rows)
{
    const size_t n = program->n_inputs;
    if (in == rows)
        return;
    for (size_t k = 0; k < n; k++)
        rows[k] = in[k];
}

static inline void program_get_outputs(const Program *program, double *rows, double *out)
{
    double *const own = rows + program->outputs;
    const OutputCopy *const end = program->copies + program->n_copies;
    for (const OutputCopy *c = program->copies; c < end; c++) {
        const double *from = rows + c->row;
        double *to = own + c->output;
        uint32_t left = c->n;
        for (; left >= 2; left -= 2, to += 2, from += 2)
            memcpy(to, from, 2 * sizeof *to);
        if (left > 0)
            *to = *from;
    }
    if (out != own && program->n_outputs > 0)
        memcpy(out, own, program->n_outputs * sizeof *out);
}

#endif
